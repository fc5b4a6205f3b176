package eval

import (
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"weak"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/internal/inuse"
	"tengen/brain/nnue"
)

// randomNetwork returns a network with numbers of about the size that training makes.
func randomNetwork(rule board.Rule, seed uint64) *nnue.Network {
	r := rand.New(rand.NewPCG(seed, uint64(rule)))
	sets := 1
	if !sameForBoth(rule) {
		sets = 2
	}
	n := &nnue.Network{Rule: uint8(rule), Origin: "random", Views: make([]nnue.View, sets), Heads: make([]nnue.Head, sets)}
	fill := func(values []int16, spread int) {
		for i := range values {
			values[i] = int16(r.IntN(2*spread+1) - spread)
		}
	}
	for s := range sets {
		v, h := &n.Views[s], &n.Heads[s]
		for i := range v.Line {
			fill(v.Line[i][:], 100)
		}
		for i := range v.Own {
			fill(v.Own[i][:], 150)
			fill(v.Other[i][:], 150)
		}
		fill(v.Bias[:], 50)
		for i := range h.Global {
			fill(h.Global[i][:], 120)
			h.Bias[i] = int32(r.IntN(3000) - 500)
		}
		for t := range h.Region {
			for i := range h.Region[t] {
				fill(h.Region[t][i][:], 200)
				h.RegionBias[t][i] = int32(r.IntN(200000))
			}
			for i := range h.Merge[t] {
				fill(h.Merge[t][i][:], 500)
			}
		}
		for i := range h.Mask {
			fill(h.Mask[i][:], 700)
		}
		for i := range h.Gate {
			fill(h.Gate[i][:], 80)
			h.GateBias[i] = int32(r.IntN(20000) - 10000)
		}
		fill(h.Out[:], 200)
		fill(h.PolicyOwn[:], 500)
		fill(h.PolicyOther[:], 500)
		fill(h.Near[0][:], 300)
		fill(h.Near[1][:], 300)
		h.GlobalShift, h.RegionShift, h.MergeShift = 11, 8, 11
		h.OutBias, h.OutShift, h.GateShift, h.PolicyShift = -1234, 10, 8, 10
	}
	return n
}

// newNetworks returns a random network and its evaluator of b.
func newNetworks(t testing.TB, b *board.Board, seed uint64) (*nnue.Network, *NetworkEvaluator) {
	t.Helper()
	n := randomNetwork(b.Rule()&^board.Continuous, seed)
	if err := n.Check(); err != nil {
		t.Fatal(err)
	}
	net, err := NewNetwork(n)
	if err != nil {
		t.Fatal(err)
	}
	return n, net.New(b)
}

// compare asks the evaluator and the twin for the position of the board.
func compare(t *testing.T, n *nnue.Network, e *NetworkEvaluator, b *board.Board) {
	t.Helper()
	cells := b.Open().Append(nil)
	value, logits := slowNetwork{n, b}.evaluate(cells)
	if got := e.Value(); got != value {
		t.Fatalf("ply %d: value %d, the twin says %d", b.Ply(), got, value)
	}
	got := make([]int32, len(cells))
	e.Logits(cells, got)
	for i, m := range cells {
		if got[i] != logits[i] {
			t.Fatalf("ply %d, %v: logit %d, the twin says %d", b.Ply(), m, got[i], logits[i])
		}
	}
}

// follow plays at random by the given bytes, evaluating only some positions, as a search
// does, and compares the evaluator with the twin. It returns the number of rows of a continuous game.
func follow(t *testing.T, n *nnue.Network, e *NetworkEvaluator, b *board.Board, steps []byte) (rows int) {
	next := func() int {
		if len(steps) == 0 {
			return 255
		}
		v := steps[0]
		steps = steps[1:]
		return int(v)
	}
	for len(steps) > 0 {
		switch op := next(); {
		case op < 80:
			for range 1 + op%8*(op/76) { // at times several
				if b.Ply() > 0 {
					b.Undo()
					e.Undone()
				}
			}
		case op < 86:
			if b.Ply() < 2*board.MaxSize*board.MaxSize {
				b.Pass()
			}
		case op < 225:
			// Half of the stones are near the middle, so that lines meet.
			v := next()
			x, y := v%b.Width(), v/b.Width()%b.Height()
			if op < 160 {
				x, y = b.Width()/2-3+v%7, b.Height()/2-3+v/7%7
			}
			if m := board.At(x, y); b.On(x, y) && b.Cell(m) == board.Empty {
				rows += put(b, m)
			}
		case op < 250:
			e.Value()
		case op < 254:
			compare(t, n, e, b)
		default:
			e.Reset(b, 0)
		}
	}
	compare(t, n, e, b)
	return rows
}

func TestNetworkFollowsTheBoard(t *testing.T) {
	rows := 0
	for _, rule := range append(rules, board.Continuous, board.Continuous|board.Renju) {
		for _, size := range [][2]int{{15, 15}, {5, 5}, {22, 22}, {20, 9}} {
			t.Run(fmt.Sprintf("%v %dx%d", rule, size[0], size[1]), func(t *testing.T) {
				r := rand.New(rand.NewPCG(12, uint64(rule)))
				b := boardtest.New(t, rule, size[0], size[1])
				for range r.IntN(6) {
					if m := board.At(r.IntN(size[0]), r.IntN(size[1])); b.Cell(m) == board.Empty {
						b.Block(m)
					}
				}
				n, e := newNetworks(t, b, 1)
				steps := make([]byte, 1000)
				for i := range steps {
					steps[i] = byte(r.Uint32())
				}
				rows += follow(t, n, e, b, steps)
			})
		}
	}
	if rows < 10 {
		t.Errorf("%d rows are too few for a test", rows)
	}
}

// TestNetworkFollowsLongLines: with every position evaluated, the accumulator fills up
// again and again.
func TestNetworkFollowsLongLines(t *testing.T) {
	b := boardtest.New(t, board.Freestyle, 22, 22)
	n, e := newNetworks(t, b, 2)
	r := rand.New(rand.NewPCG(13, 0))
	cells := b.Open().Append(nil)
	r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	for i, m := range cells {
		b.Play(m)
		e.Value()
		if i%40 == 0 {
			compare(t, n, e, b)
		}
	}
	for b.Ply() > 0 {
		b.Undo()
		e.Undone()
		if b.Ply()%40 == 0 {
			compare(t, n, e, b)
		}
	}
	for range board.MaxHistory / 2 {
		b.Pass()
		e.Value()
	}
	compare(t, n, e, b)
}

// FuzzNetwork plays by the fuzzer's bytes on boards of its choice.
func FuzzNetwork(f *testing.F) {
	type pair struct {
		n   *nnue.Network
		net *Network
	}
	nets := map[board.Rule]pair{}
	for _, rule := range rules {
		n := randomNetwork(rule, 3)
		net, err := NewNetwork(n)
		if err != nil {
			f.Fatal(err)
		}
		nets[rule] = pair{n, net}
	}
	f.Add(uint8(0), uint8(15), uint8(15), []byte{100, 24, 100, 25, 230, 10, 100, 26, 252})
	f.Add(uint8(4), uint8(9), uint8(22), []byte{200, 24, 100, 25, 85, 230, 78, 100, 26, 252})
	f.Fuzz(func(t *testing.T, rule, width, height uint8, steps []byte) {
		p, ok := nets[board.Rule(rule)]
		if !ok || len(steps) > 400 {
			return
		}
		b, err := board.New(board.Rule(rule), int(width), int(height))
		if err != nil {
			return
		}
		follow(t, p.n, p.net.New(b), b, steps)
	})
}

// TestNetworkDoesNotAllocate follows a line and back.
func TestNetworkDoesNotAllocate(t *testing.T) {
	b := boardtest.New(t, board.Renju, 15, 15)
	_, e := newNetworks(t, b, 4)
	moves := make([]board.Move, 0, 225)
	scores := make([]int32, 225)
	if n := testing.AllocsPerRun(10, func() {
		for i := range 8 {
			b.Play(board.At(4+i, 5+i%3))
			e.Value()
			near := b.Candidates()
			moves = near.Append(moves[:0])
			e.Order(moves, scores[:len(moves)])
		}
		for range 8 {
			b.Undo()
			e.Undone()
		}
		e.Reset(b, 0)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestOrderOfTheGreatestLogits: a network that passes its check may have logits near the ends
// of int32.
func TestOrderOfTheGreatestLogits(t *testing.T) {
	b := boardtest.New(t, board.Freestyle, 9, 9)
	for _, gate := range []int32{1 << 20, -1 << 20} {
		n := randomNetwork(board.Freestyle, 10)
		n.Heads[0].PolicyShift = 0
		for i := range n.Heads[0].GateBias {
			n.Heads[0].GateBias[i] = gate << n.Heads[0].GateShift
		}
		if err := n.Check(); err != nil {
			t.Fatal(err)
		}
		net, err := NewNetwork(n)
		if err != nil {
			t.Fatal(err)
		}
		e := net.New(b)
		cells := b.Open().Append(nil)
		logits, scores := make([]int32, len(cells)), make([]int32, len(cells))
		e.Logits(cells, logits)
		e.Order(cells, scores)
		for i, m := range cells {
			if want := int64(logits[i]) * policyPoints / nnue.LogitOne; int64(scores[i]) != want {
				t.Fatalf("%v: score %d for logit %d, want %d", m, scores[i], logits[i], want)
			}
		}
		if most := slices.Max(logits); gate > 0 && most < math.MaxInt32/policyPoints {
			t.Errorf("the greatest logit is only %d", most)
		}
	}
}

// TestNetworksOfOtherShapes: NewNetwork takes only what fits the rule.
func TestNetworksOfOtherShapes(t *testing.T) {
	for _, tt := range []struct {
		name string
		of   board.Rule
		as   uint8
	}{
		{"one set under renju", board.Freestyle, uint8(board.Renju)},
		{"two sets in freestyle", board.Renju, uint8(board.Freestyle)},
		{"an unknown rule", board.Freestyle, 99},
		{"continuous", board.Freestyle, uint8(board.Continuous)},
	} {
		n := randomNetwork(tt.of, 5)
		n.Rule = tt.as
		if _, err := NewNetwork(n); err == nil {
			t.Errorf("%s: no error", tt.name)
		}
	}
}

// TestNetworkInAStyle: a style adds to a network's value what it adds to that of the tables, and
// StylePart tells how much that is.
func TestNetworkInAStyle(t *testing.T) {
	b := boardtest.New(t, board.Renju, 15, 15)
	b.Play(board.At(7, 7))
	_, plain := newNetworks(t, b, 8)
	_, e := newNetworks(t, b, 8)
	tables := newTableSet()
	neutral, styled := tables.New(b), tables.New(b)
	styled.Reset(b, 60)
	e.Reset(b, 60)
	r := rand.New(rand.NewPCG(14, 0))
	differs := false
	for range 300 {
		if m := board.At(4+r.IntN(7), 4+r.IntN(7)); r.IntN(3) == 0 && b.Ply() > 1 {
			b.Undo()
			for _, e := range []interface{ Undone() }{plain, e, neutral, styled} {
				e.Undone()
			}
		} else if b.Cell(m) == board.Empty {
			b.Play(m)
		}
		part := styleWeight * (styled.Value() - neutral.Value())
		if got := e.StylePart(); got != part || part != styleWeight*styled.StylePart() {
			t.Fatalf("ply %d: the style's part is %d, want %d", b.Ply(), got, part)
		}
		want := plain.Value() + part
		differs = differs || want != plain.Value()
		if got := e.Value(); got != max(-Max, min(want, Max)) {
			t.Fatalf("ply %d: %d in the style, want %d", b.Ply(), got, want)
		}
	}
	if !differs {
		t.Error("the style makes no difference")
	}
	e.Reset(b, 0)
	if e.Value() != plain.Value() || e.StylePart() != 0 {
		t.Errorf("%d without a style, want %d", e.Value(), plain.Value())
	}
}

// TestEmbeddedNetworks: what the package carries can be loaded and passes its check, and every
// file is for a known rule.
func TestEmbeddedNetworks(t *testing.T) {
	files, err := fs.Glob(networkFiles, "networks/*.tnn")
	if err != nil {
		t.Fatal(err)
	}
	embedded := map[string]bool{}
	for r := range board.Rule(16) {
		if !r.Valid() {
			continue
		}
		for size := board.MinSize; size <= board.MaxSize; size++ {
			n := defaultNetwork(r, size, size)
			if n != defaultNetwork(r|board.Continuous, size, size) && r&board.Continuous == 0 {
				t.Errorf("%v %d: another network when play goes on after a five", r, size)
			}
			if n == nil || r&board.Continuous != 0 {
				continue
			}
			if n.Rule() != r {
				t.Errorf("%v %d: a network for %v", r, size, n.Rule())
			}
			name, data := NetworkFile(r, size, size)
			if embedded[name] {
				continue
			}
			embedded[name] = true
			if file, err := LoadNetwork(data); err != nil || file.origin != n.origin {
				t.Errorf("%v %d: another network than %s: %v", r, size, name, err)
			}
		}
	}
	if len(embedded) != len(files) {
		t.Errorf("%d networks for %d files", len(embedded), len(files))
	}
}

// TestNetworksBySize: an evaluator that follows boards of several sizes in turn values each as a new one
// does, by the network for its size; a network that was given is used on all.
func TestNetworksBySize(t *testing.T) {
	sizes := [][2]int{{15, 15}, {20, 20}, {15, 20}, {19, 19}, {17, 17}, {20, 20}, {18, 18}, {22, 15}}
	files := map[bool]string{false: "freestyle.tnn", true: "freestyle-20.tnn"}
	load := func(large bool) *Network {
		data, err := readNetwork(files[large])
		if err != nil {
			t.Fatal(err)
		}
		n, err := LoadNetwork(data)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	networks := map[bool]*Network{false: load(false), true: load(true)}
	position := func(width, height int) *board.Board {
		b := boardtest.New(t, board.Freestyle, width, height)
		for _, m := range []board.Move{board.At(7, 7), board.At(8, 8), board.At(7, 6), board.At(6, 8), board.At(7, 9)} {
			b.Play(m)
		}
		return b
	}
	first := position(9, 10)
	embedded, given := Embedded().New(first), Embedded().WithNetworks(networks[false]).New(first)
	differ := false
	for _, size := range sizes {
		b, large := position(size[0], size[1]), size[0]*size[1] >= 18*18
		embedded.Reset(b, 0)
		given.Reset(b, 0)
		got, want, small := embedded.Value(), networks[large].New(b).Value(), networks[false].New(b).Value()
		if got != want {
			t.Errorf("%v: value %d, want %d of %s", size, got, want, files[large])
		}
		if v := given.Value(); v != small {
			t.Errorf("%v: value %d by a given network, want %d", size, v, small)
		}
		differ = differ || want != small
		if name, _ := NetworkFile(board.Freestyle|board.Continuous, size[0], size[1]); name != files[large] {
			t.Errorf("%v: file %s, want %s", size, name, files[large])
		}
	}
	if !differ {
		t.Error("both networks give the same values: nothing is tested")
	}
	if name, _ := NetworkFile(board.Renju, 20, 20); name != "renju.tnn" {
		t.Errorf("renju on 20x20: %s", name)
	}
}

// TestUnreadableNetworkForLargeBoards: where it cannot be read, the other is used, and tables where none
// can be. It is not tried again for a board of the same size: a search resets its evaluators.
func TestUnreadableNetworkForLargeBoards(t *testing.T) {
	read := readNetwork
	defer func() { readNetwork = read }()
	embeddedNetworks = inuse.Cache[networkKey, Network]{}
	tried := 0
	readNetwork = func(name string) ([]byte, error) {
		if name != "freestyle.tnn" {
			tried++
			return nil, fs.ErrNotExist
		}
		return read(name)
	}
	b := boardtest.New(t, board.Freestyle, 20, 20)
	b.Play(board.At(9, 9))
	data, _ := read("freestyle.tnn")
	other, err := LoadNetwork(data)
	if err != nil {
		t.Fatal(err)
	}
	e := Embedded().New(b)
	if got, want := e.Value(), other.New(b).Value(); got != want {
		t.Errorf("value %d, want %d of the other network", got, want)
	}
	if e.Reset(boardtest.New(t, board.Freestyle, 20, 20), 0); tried != 1 {
		t.Errorf("tried %d times for one size", tried)
	}
	embeddedNetworks = inuse.Cache[networkKey, Network]{}
	readNetwork = func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	if got, want := Embedded().New(b).Value(), ByTables().New(b).Value(); got != want {
		t.Errorf("value %d, want %d of the tables", got, want)
	}
	embeddedNetworks = inuse.Cache[networkKey, Network]{}
}

// TestEmbeddedNetworksAreGarbage: of the networks of rules that were played only that of the last
// stays in memory, and those that evaluators have.
func TestEmbeddedNetworksAreGarbage(t *testing.T) {
	e := Embedded().New(boardtest.New(t, board.Renju, 9, 9))
	inUse := weak.Make(defaultNetwork(board.Renju, 15, 15))
	gone := weak.Make(defaultNetwork(board.ExactFive, 15, 15))
	last := weak.Make(defaultNetwork(board.Freestyle, 15, 15))
	runtime.GC()
	if gone.Value() != nil {
		t.Error("the network of a rule that was played before stays in memory")
	}
	if last.Value() == nil || last.Value() != defaultNetwork(board.Freestyle, 15, 15) {
		t.Error("the last network does not stay")
	}
	if inUse.Value() == nil || inUse.Value() != defaultNetwork(board.Renju, 15, 15) {
		t.Error("a network that an evaluator has is loaded again")
	}
	runtime.KeepAlive(e)
	if n := defaultNetwork(board.ExactFive, 15, 15); n == nil || n.Rule() != board.ExactFive {
		t.Error("a network that was garbage is not loaded again")
	}
}

// TestLoadNetwork goes through a file.
func TestLoadNetwork(t *testing.T) {
	n := randomNetwork(board.Renju, 9)
	file, err := n.Save(nil)
	if err != nil {
		t.Fatal(err)
	}
	net, err := LoadNetwork(file)
	if err != nil {
		t.Fatal(err)
	}
	if net.Rule() != board.Renju {
		t.Errorf("a network for %v", net.Rule())
	}
	b := boardtest.New(t, board.Renju, 9, 9)
	b.Play(board.At(4, 4))
	compare(t, n, net.New(b), b)
	if _, err := LoadNetwork(file[:len(file)-1]); err == nil {
		t.Error("a file cut short is loaded")
	}
}

// benchmarkNetwork plays a stone near others, calls ask and takes the stone back.
func benchmarkNetwork(b *testing.B, ask func(e *NetworkEvaluator)) {
	bd := boardtest.After(b, board.Freestyle, 15, "h8i9i7g9h10h9g8j11f7e6j8k9g10f11i10")
	_, e := newNetworks(b, bd, 6)
	near := bd.Candidates()
	list := near.Append(nil)
	b.ReportAllocs()
	for b.Loop() {
		for _, m := range list {
			bd.Play(m)
			ask(e)
			bd.Undo()
			e.Undone()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(list)), "ns/move")
}

func BenchmarkNetworkPlay(b *testing.B) { benchmarkNetwork(b, func(*NetworkEvaluator) {}) }

func BenchmarkNetworkUpdate(b *testing.B) {
	benchmarkNetwork(b, func(e *NetworkEvaluator) { e.follow() })
}

func BenchmarkNetworkValue(b *testing.B) {
	benchmarkNetwork(b, func(e *NetworkEvaluator) { e.Value() })
}

func BenchmarkNetworkValueAndOrder(b *testing.B) {
	var moves [400]board.Move
	var scores [400]int32
	benchmarkNetwork(b, func(e *NetworkEvaluator) {
		e.Value()
		near := e.b.Candidates()
		list := near.Append(moves[:0])
		e.Order(list, scores[:len(list)])
	})
}

func BenchmarkNetworkRefresh(b *testing.B) {
	bd := boardtest.New(b, board.Freestyle, 15, 15)
	_, e := newNetworks(b, bd, 6)
	for b.Loop() {
		e.refresh()
	}
}

func BenchmarkNewNetwork(b *testing.B) {
	n := randomNetwork(board.Freestyle, 7)
	for b.Loop() {
		if _, err := NewNetwork(n); err != nil {
			b.Fatal(err)
		}
	}
}
