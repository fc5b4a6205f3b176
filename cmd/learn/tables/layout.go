package tables

import (
	"math"

	"tengen/brain/board"
	"tengen/brain/eval"
)

// An array describes one array of numbers. Each number is its start plus parameters that it
// shares with others plus a parameter of its own, so that a code that occurs three times in a
// million games moves with similar ones. Deviations, in points, are the standard deviations
// of the prior of the parameters.
type array struct {
	start  []float64 // the numbers before the fit
	shares [][]uint8 // of each number, its shared parameters; a parameter may occur twice
	shared int       // shared parameters

	sharedDeviation, ownDeviation float64
}

// A layout concatenates tables: the numbers in one vector, the parameters in another.
type layout []array

// numbers and params return the lengths of the two vectors.
func (l layout) numbers() (n int) {
	for _, t := range l {
		n += len(t.start)
	}
	return n
}

func (l layout) params() (n int) {
	for _, t := range l {
		n += t.shared + len(t.start)
	}
	return n
}

// expand computes the numbers from the parameters.
func (l layout) expand(params, numbers []float64) {
	for _, t := range l {
		shared, own := params[:t.shared], params[t.shared:][:len(t.start)]
		for i, v := range t.start {
			v += own[i]
			for _, j := range t.shares[i] {
				v += shared[j]
			}
			numbers[i] = v
		}
		params, numbers = params[t.shared+len(t.start):], numbers[len(t.start):]
	}
}

// at returns the numbers by the parameters.
func (l layout) at(params []float64) []float64 {
	w := make([]float64, l.numbers())
	l.expand(params, w)
	return w
}

// zero returns the numbers that l starts from.
func (l layout) zero() []float64 { return l.at(make([]float64, l.params())) }

// fold computes the gradient of the parameters from that of the numbers.
func (l layout) fold(numbers, params []float64) {
	for _, t := range l {
		shared, own := params[:t.shared], params[t.shared:][:len(t.start)]
		clear(shared)
		for i, g := range numbers[:len(t.start)] {
			own[i] = g
			for _, j := range t.shares[i] {
				shared[j] += g
			}
		}
		params, numbers = params[t.shared+len(t.start):], numbers[len(t.start):]
	}
}

// prior returns how unlikely the parameters are by their deviations, divided by samples so that
// it adds to a mean loss, and adds its gradient to gradient.
func (l layout) prior(params, gradient []float64, samples int) (loss float64) {
	for _, t := range l {
		for _, part := range [2]struct {
			n         int
			deviation float64
		}{{t.shared, t.sharedDeviation}, {len(t.start), t.ownDeviation}} {
			k := 1 / (part.deviation * part.deviation * float64(samples))
			for i, v := range params[:part.n] {
				loss += 0.5 * k * v * v
				gradient[i] += k * v
			}
			params, gradient = params[part.n:], gradient[part.n:]
		}
	}
	return loss
}

// Deviations in points. Every position teaches patterns and classes, so their prior is weak;
// that of single codes is stronger. Larger ones for codes and masks do not change the
// validation loss (0.4 million samples of freestyle, 2026-11: 0.6528 with 4 and 15, 0.6521
// with these).
const (
	sharedDeviation = 50
	codeDeviation   = 16
	maskDeviation   = 50
	orderDeviation  = 5
)

// codeTable describes an array over codes as color c sees them: shared parameters are the 14
// patterns and the classes.
func codeTable(start *[eval.Codes]int16, r board.Rule, c board.Color, deviation float64) array {
	const patterns = 14
	t := array{shared: patterns + int(board.Classes), sharedDeviation: sharedDeviation, ownDeviation: deviation}
	for n, v := range start {
		code := eval.CodePatterns(n)
		t.start = append(t.start, float64(v))
		t.shares = append(t.shares, []uint8{
			uint8(code & 15), uint8(code >> 4 & 15), uint8(code >> 8 & 15), uint8(code >> 12),
			patterns + uint8(board.ClassOf(r, c, code)),
		})
	}
	return t
}

// maskTable describes an array over threat masks: shared parameters are the bits, and one
// for all.
func maskTable(start *[eval.Masks]int16) array {
	t := array{sharedDeviation: sharedDeviation, ownDeviation: maskDeviation}
	for 1<<t.shared < eval.Masks {
		t.shared++
	}
	bits := t.shared
	t.shared++
	for mask, v := range start {
		shares := []uint8{uint8(bits)}
		for j := range bits {
			if mask>>j&1 != 0 {
				shares = append(shares, uint8(j))
			}
		}
		t.start = append(t.start, float64(v))
		t.shares = append(t.shares, shares)
	}
	return t
}

// valueLayout holds the points of cells by color, then those of threats by color.
func valueLayout(t *eval.Tables) (l layout) {
	for c, s := range t.Sides[:t.Colors()] {
		l = append(l, codeTable(&s.Cells, t.Rule, board.Color(c), codeDeviation))
	}
	for _, s := range t.Sides[:t.Colors()] {
		l = append(l, maskTable(&s.Threat))
	}
	return l
}

// orderLayout holds by color the scores for what a move makes and for what it prevents.
func orderLayout(t *eval.Tables) (l layout) {
	for c, s := range t.Sides[:t.Colors()] {
		c := board.Color(c)
		l = append(l, codeTable(&s.Own, t.Rule, c, orderDeviation), codeTable(&s.Other, t.Rule, c.Other(), orderDeviation))
	}
	return l
}

// takeValues rounds the numbers of a valueLayout into t; takeOrder does it for those of
// an orderLayout.
func takeValues(t *eval.Tables, numbers []float64) {
	for _, s := range t.Sides[:t.Colors()] {
		numbers = numbers[take(s.Cells[:], numbers):]
	}
	for _, s := range t.Sides[:t.Colors()] {
		numbers = numbers[take(s.Threat[:], numbers):]
	}
}

func takeOrder(t *eval.Tables, numbers []float64) {
	for _, s := range t.Sides[:t.Colors()] {
		numbers = numbers[take(s.Own[:], numbers):]
		numbers = numbers[take(s.Other[:], numbers):]
	}
}

// take rounds numbers into dst until it is full, and returns how many it took.
func take(dst []int16, numbers []float64) int {
	for i := range dst {
		dst[i] = int16(math.Round(max(-math.MaxInt16, min(math.MaxInt16, numbers[i]))))
	}
	return len(dst)
}
