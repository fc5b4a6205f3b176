package threat

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
)

// A strictGuide is a guide that fails if moves were taken back without a call of Undone. Its opinions
// depend on the position alone.
type strictGuide struct {
	eval.Evaluator // nil: StylePart is not called
	t              *testing.T
	b              *board.Board
	moves          []board.Move // of b where it was asked last, or what is left of them
	asked          int
	spread         int // of its values and scores
}

func (g *strictGuide) Reset(b *board.Board, style int) {
	if style != 0 {
		g.t.Errorf("style %d", style)
	}
	g.b, g.moves = b, g.moves[:0]
}

func (g *strictGuide) Undone() { g.moves = g.moves[:min(len(g.moves), g.b.Ply())] }

func (g *strictGuide) follow() {
	g.asked++
	for i, m := range g.moves {
		if i >= g.b.Ply() || g.b.Move(i) != m {
			g.t.Fatalf("move %d was taken back without a call of Undone", i)
		}
	}
	for i := len(g.moves); i < g.b.Ply(); i++ {
		g.moves = append(g.moves, g.b.Move(i))
	}
}

func (g *strictGuide) opinion(h uint64) int {
	return int(h*board.Golden>>40)%(2*g.spread+1) - g.spread
}

func (g *strictGuide) Value() int {
	g.follow()
	return g.opinion(g.b.Hash())
}

func (g *strictGuide) Order(moves []board.Move, scores []int32) {
	g.follow()
	for i, m := range moves {
		scores[i] = int32(g.opinion(g.b.HashAfter(m)))
	}
}

// TestGuideFollowsTheBoard: the guide is asked for positions of the board that it follows, whatever it
// thinks of them proofs hold, and the board is left as it was.
func TestGuideFollowsTheBoard(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 0))
	for _, rule := range allRules {
		v := NewVCT(1 << 16) // loses entries
		g := &strictGuide{t: t, spread: 600}
		v.SetGuide(g)
		claims := 0
		for range 45 {
			b := skirmish(t, r, rule)
			hash := b.Hash()
			var p *Proof
			for used := 0; p == nil && used < 6000 && !v.Exhausted() || used == 0; used += max(v.Nodes(), 1) {
				p = v.Win(b, Limits{Nodes: 1500})
			}
			if b.Hash() != hash {
				t.Fatalf("%v: the board has changed", rule)
			}
			if v.guided || len(v.stack) != len(v.doubts) || len(v.stack) > 0 {
				t.Fatalf("%v: guided %v, %d moves and %d doubts are left", rule, v.guided, len(v.stack), len(v.doubts))
			}
			if p == nil {
				continue
			}
			claims++
			if err := (&slowCheck{b: b, seen: map[step]bool{}}).attack(p); err != nil {
				t.Fatalf("%v: %v\n%v", rule, err, boardtest.Drawing(b))
			}
		}
		t.Logf("%v: %d claims, asked %d times", rule, claims, g.asked)
		if claims < 10 || g.asked < 1000 {
			t.Errorf("%v: %d claims, asked %d times: too few", rule, claims, g.asked)
		}
	}
}

// TestDoubts checks what the opinion of a guide adds to the first estimates.
func TestDoubts(t *testing.T) {
	moves := []board.Move{board.At(1, 1), board.At(2, 2), board.At(3, 3)}
	scores := []int32{-7, 5, 2}
	g := &fixedGuide{scores: scores}
	for _, test := range []struct {
		value     int
		attacking bool
		guided    bool
		want      []uint8
	}{
		{0, true, false, []uint8{0, 0, 0}},
		{400, true, true, []uint8{48, 0, 12}},
		{5000, true, true, []uint8{48, 0, 12}},
		{0, true, true, []uint8{148, 100, 112}},
		{-400, true, true, []uint8{248, 200, 212}},
		{-5000, true, true, []uint8{255, 255, 255}},
		{0, false, true, []uint8{44, 44, 44}},
		{-400, false, true, []uint8{0, 0, 0}},
		{-5000, false, true, []uint8{0, 0, 0}},
		{400, false, true, []uint8{88, 88, 88}},
		{5000, false, true, []uint8{255, 255, 255}},
	} {
		v := NewVCT(0)
		v.SetGuide(g)
		g.value, v.guided = test.value, test.guided
		v.stack, v.doubts = append(v.stack, moves...), v.doubts[:0]
		if v.doubt(0, test.attacking); !slices.Equal(v.doubts, test.want) {
			t.Errorf("%+v: %v", test, v.doubts)
		}
		v.stack, v.doubts = v.stack[:1], v.doubts[:0]
		if v.doubt(0, test.attacking); !slices.Equal(v.doubts, []uint8{0}) {
			t.Errorf("%+v: %v for a single move", test, v.doubts)
		}
	}
}

type fixedGuide struct {
	eval.Evaluator
	value  int
	scores []int32
}

func (g *fixedGuide) Reset(*board.Board, int)              {}
func (g *fixedGuide) Undone()                              {}
func (g *fixedGuide) Value() int                           { return g.value }
func (g *fixedGuide) Order(m []board.Move, scores []int32) { copy(scores, g.scores) }

// TestBadGuide: a guide that likes all threats but the winning ones keeps no short win from being
// found, however small the parts are in which Win is asked.
func TestBadGuide(t *testing.T) {
	const short, most = 300, guideNodes + 2*aloneNodes
	alone, misled, guide := NewVCT(1<<20), NewVCT(1<<20), &badGuide{}
	misled.SetGuide(guide)
	shorts, postponed := 0, 0
	for _, p := range threats(t) {
		b := p.board(t)
		alone.Clear()
		win := alone.Win(b, Limits{Nodes: short})
		if win == nil {
			misled.Win(b, Limits{Nodes: most})
			continue
		}
		shorts++
		guide.but = win.Line(b)
		for _, part := range []int{most, 512, 256} {
			if part < most { // at first what it knows of the other positions must not matter
				misled.Clear()
			}
			nodes, found := 0, false
			for !found && nodes < most {
				found = misled.Win(b, Limits{Nodes: part}) != nil
				nodes += misled.Nodes()
			}
			if found && misled.Win(b, Limits{Nodes: most}) == nil {
				t.Errorf("the win in %d nodes is gone\n%v", nodes, boardtest.Drawing(b))
			}
			if !found {
				t.Errorf("%d nodes without a guide, more than %d with a bad one in parts of %d\n%v", alone.Nodes(), nodes, part, boardtest.Drawing(b))
			}
			if nodes > guideNodes {
				postponed++
			}
		}
	}
	t.Logf("%d short wins, %d postponed", shorts, postponed)
	if shorts < 40 || postponed < 10 {
		t.Errorf("%d short wins, %d postponed: too few", shorts, postponed)
	}
}

// A badGuide likes all moves but some.
type badGuide struct {
	eval.Evaluator
	but []board.Move
}

func (*badGuide) Reset(*board.Board, int) {}
func (*badGuide) Undone()                 {}
func (*badGuide) Value() int              { return goodValue }
func (g *badGuide) Order(moves []board.Move, scores []int32) {
	for i, m := range moves {
		scores[i] = 0
		if slices.Contains(g.but, m) {
			scores[i] = -mostDoubt
		}
	}
}

// TestNetworksGuide: with the networks as guides the same wins take fewer nodes.
func TestNetworksGuide(t *testing.T) {
	set := threats(t)
	alone, byItself := meanNodes(t, set, 5000, false)
	guided, byGuide := meanNodes(t, set, 5000, true)
	if byGuide < byItself || guided > 0.7*alone {
		t.Errorf("without a guide %d wins, %.0f nodes in the mean; with one %d, %.0f", byItself, alone, byGuide, guided)
	}
}
