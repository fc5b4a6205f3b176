package eval

import (
	"slices"

	"tengen/brain/board"
	"tengen/brain/nnue"
)

// A slowNetwork evaluates a position by a network from the cells of the board alone, by the
// formulas of package nnue, in int64.
type slowNetwork struct {
	n *nnue.Network
	b *board.Board
}

// set picks the numbers of color c from those of a network.
func set[T any](sets []T, c board.Color) *T { return &sets[int(c)%len(sets)] }

// line returns the number of the line through the empty cell m in the given direction, as
// color v sees it.
func (s slowNetwork) line(m board.Move, dx, dy int, v board.Color) int {
	arm := func(sign int) int {
		n, digits, power := 0, 0, 1
		for i := 1; i <= 4; i++ {
			x, y := m.X()+sign*i*dx, m.Y()+sign*i*dy
			if !s.b.On(x, y) || s.b.Cell(board.At(x, y)) == board.Wall {
				break
			}
			digit := 2
			switch s.b.Cell(board.At(x, y)) {
			case v:
				digit = 0
			case v.Other():
				digit = 1
			}
			digits, power, n = 3*digits+digit, 3*power, n+1
		}
		return (power-1)/2 + digits
	}
	a, b := arm(-1), arm(1)
	return max(a, b)*(max(a, b)+1)/2 + min(a, b)
}

// code returns the number of the patterns of color c at m: the multisets are counted with
// the greatest pattern slowest.
func (s slowNetwork) code(m board.Move, c board.Color) int {
	var p []int
	for d := range board.Directions {
		p = append(p, int(s.b.Pattern(c, m, d)))
	}
	slices.Sort(p)
	// Multisets of k of n kinds: (n+k-1 choose k).
	return p[0] + p[1]*(p[1]+1)/2 + p[2]*(p[2]+1)*(p[2]+2)/6 + p[3]*(p[3]+1)*(p[3]+2)*(p[3]+3)/24
}

// cell returns the numbers of the empty cell m, those of the side to move first.
func (s slowNetwork) cell(m board.Move) (a [nnue.Pair]int64) {
	for i, v := range []board.Color{s.b.Side(), s.b.Side().Other()} {
		view := set(s.n.Views, v)
		rows := []*[nnue.Width]int16{&view.Bias, &view.Own[s.code(m, v)], &view.Other[s.code(m, v.Other())]}
		for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
			rows = append(rows, &view.Line[s.line(m, d[0], d[1], v)])
		}
		for j := range nnue.Width {
			sum := int64(0)
			for _, r := range rows {
				sum += int64(r[j])
			}
			a[i*nnue.Width+j] = min(max(sum, 0), 511)
		}
	}
	return a
}

// round divides by a power of two to the nearest, halves up.
func round(x int64, shift uint8) int64 {
	if shift > 0 {
		x += 1 << (shift - 1)
	}
	return x >> shift
}

func dot(w []int16, x []int64) (sum int64) {
	for i := range w {
		sum += int64(w[i]) * x[i]
	}
	return sum
}

// evaluate returns the value and the logits of the given cells.
func (s slowNetwork) evaluate(cells []board.Move) (value int, logits []int32) {
	head := set(s.n.Heads, s.b.Side())
	width, height := s.b.Width(), s.b.Height()
	var regions [3][3][nnue.Pair]int64
	for y := range height {
		for x := range width {
			if m := board.At(x, y); s.b.Cell(m) == board.Empty {
				for i, v := range s.cell(m) {
					regions[y*3/height][x*3/width][i] += v
				}
			}
		}
	}
	var pool [nnue.Pair]int64
	var merged [nnue.Hidden]int64
	for y := range regions {
		for x := range regions[y] {
			r := regions[y][x][:]
			kind := 0 // corner
			if x == 1 {
				kind++
			}
			if y == 1 {
				kind++
			}
			var u [nnue.RegionHidden]int64
			for i := range u {
				sum := dot(head.Region[kind][i][:], r) + int64(head.RegionBias[kind][i])
				u[i] = min(max(round(sum, head.RegionShift), 0), 4095)
			}
			for i := range merged {
				merged[i] += dot(head.Merge[kind][i][:], u[:])
			}
			for i := range pool {
				pool[i] += r[i] >> 3
			}
		}
	}
	sum := int64(head.OutBias)
	for i := range merged {
		h := round(dot(head.Global[i][:], pool[:]), head.GlobalShift) + round(merged[i], head.MergeShift) +
			int64(head.Mask[s.b.ThreatMask()][i]) + int64(head.Bias[i])
		sum += int64(head.Out[i]) * min(max(h, 0), 4095)
	}
	value = int(min(max(round(sum, head.OutShift), -6000), 6000))

	var gate [nnue.Pair]int64
	for i := range gate {
		gate[i] = min(max(round(dot(head.Gate[i][:], pool[:])+int64(head.GateBias[i]), head.GateShift), -32768), 32767)
	}
	side := s.b.Side()
	for _, m := range cells {
		sum := int64(0)
		for i, a := range s.cell(m) {
			sum += gate[i] * a
		}
		sum = round(sum, head.PolicyShift) + int64(head.PolicyOwn[s.code(m, side)]) + int64(head.PolicyOther[s.code(m, side.Other())])
		for n := range head.Near {
			near := 37
			if last := s.b.Back(n + 1); last != board.None {
				near = 36
				dx, dy := max(m.X()-last.X(), last.X()-m.X()), max(m.Y()-last.Y(), last.Y()-m.Y())
				if a, b := max(dx, dy), min(dx, dy); a <= 7 {
					near = a*(a+1)/2 + b
				}
			}
			sum += int64(head.Near[n][near])
		}
		logits = append(logits, int32(sum))
	}
	return value, logits
}
