package network

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/linecode"
	"tengen/brain/nnue"
	"tengen/brain/record"
	"tengen/brain/sample"
	"tengen/brain/winrate"
	"tengen/cmd/learn/dataset"
)

// randomGame plays near the stones at random until a row wins. Values and best moves
// are random too, but know a little: values rise with the own stones in the middle, and
// the best move is the first of those that are nearest to the last.
func randomGame(r *rand.Rand, rule board.Rule, width, height, most int) *sample.Game {
	b, err := board.New(rule, width, height)
	if err != nil {
		panic(err)
	}
	distance := func(m board.Move, x, y int) int { return (m.X()-x)*(m.X()-x) + (m.Y()-y)*(m.Y()-y) }
	g := &sample.Game{Rule: rule, Width: width, Height: height, Outcome: record.Outcome(r.IntN(4))}
	m := board.At(width/2, height/2)
	for ply := 0; ply < most; ply++ {
		p := sample.Ply{Move: m, Best: m, Value: sample.NoValue}
		if ply > 2 {
			p.Value = int16(r.IntN(400) - 200)
			last := b.Back(1)
			near := b.Candidates()
			for _, c := range near.Append(nil) {
				if b.Legal(c) && distance(c, last.X(), last.Y()) < distance(p.Best, last.X(), last.Y()) {
					p.Best = c
				}
			}
			for i := range ply {
				if distance(b.Move(i), width/2, height/2) < 6 {
					p.Value += 100 * int16(1-2*((ply-i)&1))
				}
			}
		}
		if near := b.Candidates(); p.Searched() && r.IntN(2) == 0 { // lines, one of them far from all stones
			for k, c := range append(near.Append(nil)[:3], board.At(0, 0)) {
				if b.Legal(c) && !near.Has(c) == (k == 3) {
					g.Lines = append(g.Lines, sample.Line{Ply: uint16(ply), Move: c, Value: int16(r.IntN(200) - 100)})
				}
			}
		}
		g.Plies = append(g.Plies, p)
		if b.Wins(b.Side(), m) {
			break
		}
		b.Play(m)
		near := b.Candidates()
		list := near.Append(nil)
		if len(list) == 0 {
			break
		}
		m = list[r.IntN(len(list))]
		if !b.Legal(m) {
			break
		}
	}
	return g
}

// testSoft is the temperature of the policy's targets, in points.
const testSoft = 70

// position is one that a slow twin computes from nothing.
type position struct {
	b *board.Board
	p sample.Ply
	o record.Outcome
	u use

	lines []sample.Line
}

// positions returns what games teach, and the samples that the extractor makes of it.
func positions(t *testing.T, rule board.Rule, games []*game) (all []position, made []*example) {
	t.Helper()
	m, x := marker{rule: rule, filter: filter{proven: true}}, newExtractor(rule)
	x.soft = testSoft
	for _, g := range games {
		if _, err := m.mark(g); err != nil {
			t.Fatal(err)
		}
		if err := x.begin(g.Width, g.Height); err != nil {
			t.Fatal(err)
		}
		for i := range g.Plies {
			if u := g.uses[i]; u != 0 {
				s := new(example)
				lines := g.LinesOf(i)
				x.example(s, &g.Plies[i], lines, dataset.Result(x.b.Side(), g.Outcome), u)
				made = append(made, s)
				all = append(all, position{x.b.Clone(), g.Plies[i], g.Outcome, u, lines})
			}
			x.play(g.Plies[i].Move)
		}
	}
	return all, made
}

// slowLoss is the twin of learn in float64: the loss of positions, straight from their
// boards and the formulas of brain/nnue.
func slowLoss(l layout, params []float64, all []position, mix, dv, dp float64) float64 {
	clamp := func(x, most float64) float64 { return min(max(x, 0), most) }
	type seen struct {
		cells map[board.Move]*[pair]float64
		pool  [regions + 1][pair]float64
	}
	seens := make([]seen, len(all))
	var mean, square [2][4][pair]float64
	var n [2][4]float64
	headOf := func(b *board.Board) int {
		if l.sets == 1 {
			return 0
		}
		return int(b.Side())
	}
	for i := range all {
		b := all[i].b
		s := &seens[i]
		s.cells = map[board.Move]*[pair]float64{}
		for y := range b.Height() {
			for x := range b.Width() {
				m := board.At(x, y)
				if b.Cell(m) != board.Empty {
					continue
				}
				a := new([pair]float64)
				s.cells[m] = a
				for v, viewer := range [2]board.Color{b.Side(), b.Side().Other()} {
					set := 0
					if l.sets == 2 {
						set = int(viewer)
					}
					rows := []int{biasRow, ownRow + eval.CodeNumber(b.Code(m).Of(viewer)), otherRow + eval.CodeNumber(b.Code(m).Of(viewer.Other()))}
					for d := range board.Directions {
						key := 0
						for k, step := range []int{-4, -3, -2, -1, 1, 2, 3, 4} {
							c := b.Cell(board.Move(int(m) + step*board.Step(d)))
							if c < board.Wall {
								c ^= viewer
							}
							key |= int(c) << (2 * k)
						}
						rows = append(rows, linecode.Number(uint16(key)))
					}
					for k := range width {
						for _, row := range rows {
							a[v*width+k] += params[(set*setRows+row)*width+k]
						}
						a[v*width+k] = clamp(a[v*width+k], float64(cellMax))
					}
				}
				for _, r := range []int{nnue.RegionOf(x, y, b.Width(), b.Height()), regions} {
					for k := range a {
						s.pool[r][k] += a[k] / 16
					}
				}
			}
		}
		h := headOf(b)
		for r := range s.pool {
			t := 3
			if r < regions {
				t = int(nnue.RegionType[r])
			}
			n[h][t]++
			for k, x := range s.pool[r] {
				mean[h][t][k] += x
				square[h][t][k] += x * x
			}
		}
	}
	var loss float64
	for i := range all {
		b, s := all[i].b, &seens[i]
		h := headOf(b)
		p := headOfFloats(params[l.rows()+h*headSize:][:headSize])
		var normal [regions + 1][pair]float64
		for r := range normal {
			t := 3
			if r < regions {
				t = int(nnue.RegionType[r])
			}
			for k := range normal[r] {
				m := mean[h][t][k] / n[h][t]
				normal[r][k] = (s.pool[r][k] - m) / math.Sqrt(square[h][t][k]/n[h][t]-m*m+epsilon)
			}
		}
		dot := func(w []float64, x []float64) (sum float64) {
			for k := range x {
				sum += w[k] * x[k]
			}
			return sum
		}
		value := p.out.bias[0]
		var u [regions][regionHidden]float64
		for r := range u {
			t := int(nnue.RegionType[r])
			for k := range u[r] {
				u[r][k] = clamp(dot(p.region[t].weights[k*pair:], normal[r][:])+p.region[t].bias[k], float64(hiddenMax))
			}
		}
		for k := range hidden {
			x := dot(p.global.weights[k*pair:], normal[regions][:]) + p.mask[b.ThreatMask()*hidden+k] + p.global.bias[k]
			for r := range u {
				for j := range u[r] {
					x += p.merge[nnue.RegionType[r]][j*hidden+k] * u[r][j]
				}
			}
			value += p.out.weights[k] * clamp(x, float64(hiddenMax))
		}
		if all[i].u&teachesValue != 0 {
			t := winrate.AtOdds(float64(max(-6000, min(6000, all[i].p.Value))) / 200)
			if result := dataset.Result(b.Side(), all[i].o); result != dataset.Unknown {
				t = mix*t + (1-mix)*float64(result)
			}
			loss += dv * dataset.CrossEntropy(value, t)
		}
		if all[i].u&teachesPolicy == 0 {
			continue
		}
		var gate [pair]float64
		for k := range gate {
			gate[k] = dot(p.gate.weights[k*pair:], normal[regions][:]) + p.gate.bias[k]
		}
		var sum, best float64
		logits := map[board.Move]float64{}
		near := b.Candidates()
		for _, m := range near.Append(nil) {
			if !b.Legal(m) {
				continue
			}
			own, other := eval.CodeNumber(b.Code(m).Of(b.Side())), eval.CodeNumber(b.Code(m).Of(b.Side().Other()))
			x := dot(gate[:], s.cells[m][:])/8 + p.policyOwn[own] + p.policyOpp[other]
			for i := range 2 {
				which := nnue.NearNone
				if to := b.Back(i + 1); to != board.None {
					which = nnue.NearNumber(m.X()-to.X(), m.Y()-to.Y())
				}
				x += p.near[i][which]
			}
			sum += math.Exp(x)
			logits[m] = x
			if m == all[i].p.Best {
				best = x
			}
		}
		if lines := all[i].lines; len(lines) > 1 {
			top := slices.MaxFunc(lines, func(a, b sample.Line) int { return int(a.Value) - int(b.Value) }).Value
			shares, weighted := 1.0, best
			for _, l := range lines {
				if x, ok := logits[l.Move]; ok && l.Move != all[i].p.Best {
					of := math.Exp(float64(l.Value-top) / testSoft)
					shares += of
					weighted += of * x
				}
			}
			best = weighted / shares
		}
		loss += dp * (math.Log(sum) - best)
	}
	return loss
}

// groups returns the places of parameters by what they are.
func groups(l layout) map[string][]int {
	places := make([]int, l.size())
	for i := range places {
		places[i] = i
	}
	all := map[string][]int{}
	for s := range l.sets {
		for _, g := range []struct {
			name     string
			from, to int
		}{{"line", 0, ownRow}, {"own code", ownRow, otherRow}, {"other code", otherRow, biasRow}, {"cell bias", biasRow, setRows}} {
			all[fmt.Sprintf("%s %d", g.name, s)] = places[(s*setRows+g.from)*width : (s*setRows+g.to)*width]
		}
		h := headOfFloats(places[l.rows()+s*headSize:][:headSize])
		for name, section := range map[string][]int{
			"region":      slices.Concat(h.region[0].weights, h.region[1].weights, h.region[2].weights),
			"region bias": slices.Concat(h.region[0].bias, h.region[1].bias, h.region[2].bias),
			"global":      h.global.weights, "bias": h.global.bias, "merge": slices.Concat(h.merge[:]...), "mask": h.mask,
			"out": h.out.weights, "out bias": h.out.bias, "gate": h.gate.weights, "gate bias": h.gate.bias,
			"policy own": h.policyOwn, "policy other": h.policyOpp, "near": slices.Concat(h.near[:]...),
		} {
			all[fmt.Sprintf("%s %d", name, s)] = section
		}
	}
	return all
}

// Every parameter is in one section, sections share no block, and little is left between them.
func TestSectionsDoNotOverlap(t *testing.T) {
	l := layout{2}
	sections := make([]string, l.size())            // by number
	blocks := make([]string, l.size()/block)        // by block
	marks := headOfBlocks(make([]bool, headBlocks)) // another view of the same sections
	n := 0
	for name, places := range groups(l) {
		for _, at := range places {
			if sections[at] != "" {
				t.Fatalf("%s and %s share number %d", name, sections[at], at)
			}
			if other := blocks[at/block]; other != "" && other != name {
				t.Fatalf("%s and %s share block %d", name, other, at/block)
			}
			sections[at], blocks[at/block] = name, name
			n++
		}
	}
	if len(marks.mask) != nnue.Masks*hidden/block || len(marks.gate.bias) != pair/block || headSize != headBlocks*block {
		t.Errorf("%d blocks of masks, %d of biases of the gate, %d floats a head", len(marks.mask), len(marks.gate.bias), headSize)
	}
	if most := l.size() - 2*30*block; n < most {
		t.Errorf("%d parameters in %d floats", n, l.size())
	}
}

// TestGradient compares the loss with its twin, and the gradient of every group of
// parameters with finite differences of the twin.
func TestGradient(t *testing.T) {
	for _, rule := range []board.Rule{board.Freestyle, board.Renju} {
		t.Run(rule.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(4, uint64(rule)))
			var games []*game
			for _, size := range [][2]int{{9, 12}, {11, 11}} {
				games = append(games, &game{Game: *randomGame(r, rule, size[0], size[1], 9)})
			}
			all, samples := positions(t, rule, games)
			m := newModel(rule, 5)
			lines := lineNumbers()
			for i := range m.params {
				switch row := i / width % setRows; {
				case i >= m.rows():
					m.params[i] += float32(0.2 * r.NormFloat64())
				case row >= ownRow || !lines.free[row]:
					m.params[i] += float32(0.5 * r.NormFloat64())
				}
			}
			const mix, dv, dp = 0.8, 0.11, 0.07
			w := newWorker(m, true)
			w.learn(samples, mix, dv, dp)
			params := make([]float64, len(m.params))
			for i, x := range m.params {
				params[i] = float64(x)
			}
			want := slowLoss(m.layout, params, all, mix, dv, dp)
			soft := 0
			for _, s := range samples {
				if len(s.shares) > 1 {
					soft++
				}
			}
			if got := dv*w.loss.Value + dp*w.loss.Policy; math.Abs(got-want) > 1e-5*want || w.loss.Policies < 8 || soft < 3 {
				t.Fatalf("loss %g of %d policies, the twin says %g", got, w.loss.Policies, want)
			}
			for name, g := range groups(m.layout) {
				// The greatest derivative and some at random.
				best := g[0]
				for _, i := range g {
					if math.Abs(float64(w.grad[i])) > math.Abs(float64(w.grad[best])) {
						best = i
					}
				}
				if w.grad[best] == 0 {
					t.Errorf("%s: nothing has a gradient", name)
				}
				places := []int{best}
				for tries := 0; len(places) < 3 && tries < 1000; tries++ {
					if i := g[r.IntN(len(g))]; w.grad[i] != 0 {
						places = append(places, i)
					}
				}
				places = append(places, g[r.IntN(len(g))])
				for _, i := range places {
					if row := i / width % setRows; i < m.rows() && row < ownRow && lines.free[row] {
						continue // stays 0
					}
					const h = 1e-6
					was := params[i]
					params[i] = was + h
					up := slowLoss(m.layout, params, all, mix, dv, dp)
					params[i] = was - h
					down := slowLoss(m.layout, params, all, mix, dv, dp)
					params[i] = was
					want, got := (up-down)/(2*h), float64(w.grad[i])
					if math.Abs(got-want) > 1e-3*math.Abs(want)+2e-6 {
						t.Errorf("%s, number %d: derivative %g, finite differences give %g", name, i, got, want)
					}
					if got != 0 && !w.dirty[i/block] {
						t.Errorf("%s, number %d: the block does not count as dirty", name, i)
					}
				}
			}
		})
	}
}

func TestExps(t *testing.T) {
	const most = 3
	var x []float32
	for d := float32(0); d > -79; d -= 0.0137 {
		x = append(x, most+d)
	}
	y := slices.Clone(x)
	exps(y, most)
	for i, got := range y {
		if want := math.Exp(float64(x[i] - most)); math.Abs(float64(got)/want-1) > 3e-7 {
			t.Fatalf("e^%g is %g, want %g", x[i]-most, got, want)
		}
	}
	y = []float32{most, most - 1000}
	exps(y, most)
	if y[0] != 1 || !(y[1] > 0 && y[1] < 1e-30) {
		t.Errorf("the greatest and a very small one: %g, want 1 and nearly 0", y)
	}
}
