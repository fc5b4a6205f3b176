//go:build !js

package main

import (
	"math/rand/v2"
	"net"
	"strings"
	"testing"
)

// readQR is a reader of codes, written from the format without the functions of the writer. It
// returns the text, and false if a codeword of error correction is wrong.
func readQR(t *testing.T, rows []string) (string, bool) {
	t.Helper()
	size := len(rows)
	version := (size - 17) / 4
	dark := func(x, y int) bool { return rows[y][x] == '#' }
	bit := func(x, y int) int {
		if dark(x, y) {
			return 1
		}
		return 0
	}
	for _, corner := range [][2]int{{0, 0}, {size - 7, 0}, {0, size - 7}} {
		for y, want := range []string{"#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"} {
			if got := rows[corner[1]+y][corner[0] : corner[0]+7]; got != want {
				t.Errorf("the finder at %v has the row %s", corner, got)
			}
		}
	}
	// The format, once along the top left finder and once at the other two.
	var first, second int
	for _, at := range [][2]int{{0, 8}, {1, 8}, {2, 8}, {3, 8}, {4, 8}, {5, 8}, {7, 8}, {8, 8}, {8, 7}, {8, 5}, {8, 4}, {8, 3}, {8, 2}, {8, 1}, {8, 0}} {
		first = first<<1 | bit(at[0], at[1])
	}
	for i := range 7 {
		second = second<<1 | bit(8, size-1-i)
	}
	for i := range 8 {
		second = second<<1 | bit(size-8+i, 8)
	}
	if first != second {
		t.Errorf("the two formats are %015b and %015b", first, second)
	}
	format := first ^ 0b101010000010010
	if format>>13 != 1 {
		t.Errorf("the level is %02b, want 01, which is L", format>>13)
	}
	rest := format
	for i := 14; i >= 10; i-- {
		if rest>>i&1 > 0 {
			rest ^= 0b10100110111 << (i - 10)
		}
	}
	if rest != 0 {
		t.Errorf("the format %015b has a remainder", format)
	}
	mask := format >> 10 & 7
	masks := []func(i, j int) bool{ // of row i and column j, as the standard has them
		func(i, j int) bool { return (i+j)%2 == 0 }, func(i, j int) bool { return i%2 == 0 },
		func(i, j int) bool { return j%3 == 0 }, func(i, j int) bool { return (i+j)%3 == 0 },
		func(i, j int) bool { return (i/2+j/3)%2 == 0 }, func(i, j int) bool { return (i*j)%2+(i*j)%3 == 0 },
		func(i, j int) bool { return ((i*j)%2+(i*j)%3)%2 == 0 }, func(i, j int) bool { return ((i*j)%3+(i+j)%2)%2 == 0 },
	}
	function := func(x, y int) bool {
		align := version > 1 && x >= size-9 && x <= size-5 && y >= size-9 && y <= size-5
		return x < 9 && y < 9 || x >= size-8 && y < 9 || x < 9 && y >= size-8 || x == 6 || y == 6 || align
	}
	var words []byte
	have, word, up := 0, byte(0), true
	for x := size - 1; x > 0; x -= 2 {
		if x == 6 {
			x = 5
		}
		for i := range size {
			y := i
			if up {
				y = size - 1 - i
			}
			for _, at := range []int{x, x - 1} {
				if function(at, y) {
					continue
				}
				b := bit(at, y)
				if masks[mask](y, at) {
					b ^= 1
				}
				word = word<<1 | byte(b)
				if have++; have%8 == 0 {
					words = append(words, word)
				}
			}
		}
		up = !up
	}
	counts := map[int][2]int{1: {19, 7}, 2: {34, 10}, 3: {55, 15}, 4: {80, 20}, 5: {108, 26}}[version]
	words = words[:counts[0]+counts[1]]
	// The whole is zero at every root, by tables of logarithms.
	var exp [255]int
	var log [256]int
	for i, v := 0, 1; i < 255; i++ {
		exp[i], log[v] = v, i
		if v <<= 1; v > 255 {
			v ^= 0x11d
		}
	}
	good := true
	for root := range counts[1] {
		sum := 0
		for _, w := range words {
			if sum > 0 {
				sum = exp[(log[sum]+root)%255]
			}
			sum ^= int(w)
		}
		good = good && sum == 0
	}
	if words[0]>>4 != 4 {
		t.Errorf("the mode is %d, want 4, which is bytes", words[0]>>4)
	}
	n := int(words[0]&15)<<4 | int(words[1]>>4)
	var text []byte
	for i := range n {
		text = append(text, words[i+1]<<4|words[i+2]>>4)
	}
	return string(text), good
}

func TestQRCodesCanBeRead(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	texts := []string{"http://192.168.1.5:8808/", "http://[2001:db8:0:1:2:3:4:5]:65535/", "", "a"}
	for n := 0; n <= 106; n++ {
		text := make([]byte, n)
		for i := range text {
			text[i] = byte(r.IntN(256))
		}
		texts = append(texts, string(text))
	}
	for _, text := range texts {
		q, err := newQR(text)
		if err != nil {
			t.Fatal(err)
		}
		rows := q.rows()
		if got, good := readQR(t, rows); got != text || !good {
			t.Fatalf("%q is read as %q, error correction right: %v\n%s", text, got, good, strings.Join(rows, "\n"))
		}
	}
	if _, err := newQR(strings.Repeat("x", 107)); err == nil {
		t.Error("107 bytes fit into a code")
	}
}

func TestAddressesForPhones(t *testing.T) {
	for addr, want := range map[string]bool{"127.0.0.1:0": false, "[::1]:0": false, "0.0.0.0:0": true, ":0": true} {
		l, err := net.Listen("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		urls := lanURLs(l.Addr())
		l.Close()
		for _, url := range urls {
			if strings.Contains(url, "127.0.0.1") || strings.Contains(url, "0.0.0.0") || !strings.HasSuffix(url, "/") {
				t.Errorf("at %s: %s", addr, url)
			}
		}
		if !want && len(urls) > 0 {
			t.Errorf("at %s: %q, which others cannot use", addr, urls)
		}
	}
	if urls := lanURLs(&net.TCPAddr{IP: net.IPv4(192, 168, 1, 5), Port: 8808}); len(urls) != 1 || urls[0] != "http://192.168.1.5:8808/" {
		t.Errorf("at one address: %q", urls)
	}
}
