//go:build !js

package main

// A QR code of the address of the page, for phones: byte mode, error correction level L,
// versions 1 to 5, which have a single block of data. Source: ISO/IEC 18004.

import "errors"

// qrVersions are the sizes in use: codewords of data and of error correction.
var qrVersions = [...]struct{ data, check int }{{19, 7}, {34, 10}, {55, 15}, {80, 20}, {108, 26}}

// A qrCode is a square of modules, true for dark.
type qrCode [][]bool

// newQR returns the code of a text of at most 106 bytes.
func newQR(text string) (qrCode, error) {
	version := 0
	for version < len(qrVersions) && len(text)+2 > qrVersions[version].data {
		version++
	}
	if version == len(qrVersions) {
		return nil, errors.New("the text is too long for a QR code")
	}
	words := qrWords(text, qrVersions[version].data)
	words = append(words, qrCheck(words, qrVersions[version].check)...)
	var best qrCode
	least := 0
	for mask := range 8 {
		q := drawQR(version+1, words, mask)
		if p := q.penalty(); best == nil || p < least {
			best, least = q, p
		}
	}
	return best, nil
}

// qrWords returns the codewords of data: the mode, the length, the text, an end and filling.
func qrWords(text string, n int) []byte {
	bits := []byte{4<<4 | byte(len(text)>>4)} // half a byte ahead
	half := byte(len(text) & 15)
	for i := range len(text) {
		bits = append(bits, half<<4|text[i]>>4)
		half = text[i] & 15
	}
	bits = append(bits, half<<4)
	for fill := byte(0xec); len(bits) < n; fill ^= 0xec ^ 0x11 {
		bits = append(bits, fill)
	}
	return bits
}

// qrTimes multiplies in the field of 256 elements modulo x^8+x^4+x^3+x^2+1.
func qrTimes(a, b byte) byte {
	product := byte(0)
	for ; b > 0; b >>= 1 {
		if b&1 > 0 {
			product ^= a
		}
		carry := a >> 7
		a = a<<1 ^ carry*0x1d
	}
	return product
}

// qrCheck returns n codewords of error correction: the remainder of the data by the polynomial
// with the roots 2^0 to 2^(n-1).
func qrCheck(data []byte, n int) []byte {
	divisor := make([]byte, n) // without its first coefficient, which is 1
	divisor[n-1] = 1
	root := byte(1)
	for range n {
		for i := range divisor {
			divisor[i] = qrTimes(divisor[i], root)
			if i+1 < n {
				divisor[i] ^= divisor[i+1]
			}
		}
		root = qrTimes(root, 2)
	}
	rest := make([]byte, n)
	for _, d := range data {
		factor := d ^ rest[0]
		rest = append(rest[1:], 0)
		for i := range rest {
			rest[i] ^= qrTimes(divisor[i], factor)
		}
	}
	return rest
}

// drawQR draws the modules of a version with the mask.
func drawQR(version int, words []byte, mask int) qrCode {
	size := 17 + 4*version
	q, fixed := make(qrCode, size), make(qrCode, size)
	for y := range q {
		q[y], fixed[y] = make([]bool, size), make([]bool, size)
	}
	set := func(x, y int, dark bool) {
		if x >= 0 && x < size && y >= 0 && y < size {
			q[y][x], fixed[y][x] = dark, true
		}
	}
	for i := range size {
		set(6, i, i%2 == 0)
		set(i, 6, i%2 == 0)
	}
	rings := func(cx, cy, r int) {
		for y := -r; y <= r; y++ {
			for x := -r; x <= r; x++ {
				d := max(x, -x, y, -y)
				set(cx+x, cy+y, d != 4 && d != 2)
			}
		}
	}
	rings(3, 3, 4)
	rings(size-4, 3, 4)
	rings(3, size-4, 4)
	if version > 1 {
		at := size - 7
		for y := -2; y <= 2; y++ {
			for x := -2; x <= 2; x++ {
				set(at+x, at+y, max(x, -x, y, -y) != 1)
			}
		}
	}
	bits := qrFormat(mask)
	for i := range 15 {
		dark := bits>>i&1 > 0
		switch {
		case i < 6:
			set(8, i, dark)
		case i < 8:
			set(8, i+1, dark)
		case i == 8:
			set(7, 8, dark)
		default:
			set(14-i, 8, dark)
		}
		if i < 8 {
			set(size-1-i, 8, dark)
		} else {
			set(8, size-15+i, dark)
		}
	}
	set(8, size-8, true)

	i := 0
	for right := size - 1; right > 0; right -= 2 {
		if right == 6 {
			right--
		}
		for step := range size {
			y := step
			if (right+1)&2 == 0 {
				y = size - 1 - step
			}
			for x := right; x > right-2; x-- {
				if fixed[y][x] {
					continue
				}
				dark := i < 8*len(words) && words[i>>3]>>(7-i&7)&1 > 0
				q[y][x] = dark != qrMasked(mask, x, y)
				i++
			}
		}
	}
	return q
}

// qrFormat returns the 15 bits that tell level L and the mask.
func qrFormat(mask int) int {
	data := 1<<3 | mask
	rest := data
	for range 10 {
		rest = rest<<1 ^ rest>>9*0x537
	}
	return (data<<10 | rest) ^ 0x5412
}

func qrMasked(mask, x, y int) bool {
	switch mask {
	case 0:
		return (x+y)%2 == 0
	case 1:
		return y%2 == 0
	case 2:
		return x%3 == 0
	case 3:
		return (x+y)%3 == 0
	case 4:
		return (x/3+y/2)%2 == 0
	case 5:
		return x*y%2+x*y%3 == 0
	case 6:
		return (x*y%2+x*y%3)%2 == 0
	}
	return ((x+y)%2+x*y%3)%2 == 0
}

// penalty is greater the harder a code is to read: long runs, squares, and an uneven share of
// dark modules.
func (q qrCode) penalty() int {
	size, sum, dark := len(q), 0, 0
	for a := range size {
		for _, at := range []func(b int) bool{func(b int) bool { return q[a][b] }, func(b int) bool { return q[b][a] }} {
			run := 1
			for b := 1; b <= size; b++ {
				if b < size && at(b) == at(b-1) {
					run++
					continue
				}
				if run >= 5 {
					sum += run - 2
				}
				run = 1
			}
		}
		for b := range size {
			if q[a][b] {
				dark++
			}
			if a > 0 && b > 0 && q[a][b] == q[a-1][b] && q[a][b] == q[a][b-1] && q[a][b] == q[a-1][b-1] {
				sum += 3
			}
		}
	}
	share := 100 * dark / (size * size)
	return sum + 10*(max(share-50, 50-share)/5)
}

// rows returns the code as text, a line for each row, # for dark.
func (q qrCode) rows() []string {
	var rows []string
	for _, row := range q {
		text := make([]byte, len(row))
		for x, dark := range row {
			text[x] = '.'
			if dark {
				text[x] = '#'
			}
		}
		rows = append(rows, string(text))
	}
	return rows
}
