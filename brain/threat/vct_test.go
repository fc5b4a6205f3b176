package threat

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

func TestVCTStops(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 0))
	v := NewVCT(4 << 20)
	var stop atomic.Bool
	stop.Store(true)
	asked := 0
	for range 300 {
		b := skirmish(t, r, board.Freestyle)
		v.Clear()
		if v.Win(b, Limits{Nodes: 5000}); v.Nodes() < 2000 {
			continue
		}
		asked++
		v.Clear()
		// One position is always expanded: its VCF and those behind its replies.
		if v.Win(b, Limits{Stop: stop.Load}); v.Nodes() > 2000 {
			t.Fatalf("%d nodes after stop was set", v.Nodes())
		}
	}
	if asked < 20 {
		t.Errorf("only %d positions", asked)
	}
}

// A table far too small loses results all the time. The search may find less, but it must
// end and its claims must be right.
func TestVCTWithATinyTable(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 0))
	v := NewVCT(4 << 20)
	v.table.resize(0)
	claims := 0
	for range 100 {
		b := skirmish(t, r, board.Freestyle)
		v.Clear()
		p := v.Win(b, Limits{Nodes: 20_000})
		if p == nil {
			continue
		}
		claims++
		if err := (&slowCheck{b: b, seen: map[step]bool{}}).attack(p); err != nil {
			t.Fatalf("%v\n%v", err, boardtest.Drawing(b))
		}
	}
	if claims < 10 {
		t.Errorf("only %d claims", claims)
	}
}

// A proof that has a hole is not accepted.
func TestCheckFindsHoles(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 0))
	v := NewVCT(4 << 20)
	holes := 0
	for range 500 {
		b := skirmish(t, r, board.Freestyle)
		p := v.Win(b, Limits{Nodes: 10_000})
		if p == nil || p.Else == nil || p.Else.Else == nil {
			continue
		}
		// Without the replies that matter: some of them must hold against the rest, or
		// the move would win more simply.
		for i := range p.Replies {
			q := *p
			q.Replies = append(append([]Reply(nil), p.Replies[:i]...), p.Replies[i+1:]...)
			if q.Check(b) != nil {
				holes++
			}
		}
		if err := p.Check(b); err != nil {
			t.Errorf("%v\n%v", err, boardtest.Drawing(b))
		}
	}
	if holes < 10 {
		t.Errorf("only %d holes found", holes)
	}
}

// A proof by an open four is not accepted where the defender makes a five first.
func TestCheckFindsTheFiveOfTheDefender(t *testing.T) {
	for stones := 3; stones <= 4; stones++ { // of the defender
		b := boardtest.New(t, board.Freestyle, 15, 15)
		for i := range 4 {
			if i == 3 {
				b.Pass()
			} else {
				b.Play(board.At(5+i, 7))
			}
			if i < stones {
				b.Play(board.At(5+i, 3))
			} else {
				b.Pass()
			}
		}
		p := &Proof{Move: board.At(8, 7), Plies: 3, Else: &Proof{Move: board.At(9, 7), Plies: 1}}
		p.Replies = []Reply{{board.At(9, 7), &Proof{Move: board.At(4, 7), Plies: 1}}}
		if err := p.Check(b); err == nil != (stones < 4) {
			t.Errorf("%d stones of the defender: %v\n%v", stones, err, boardtest.Drawing(b))
		}
	}
}

// TestStops: after a move that is not listed the opponent wins, and where the threat is an
// open three some moves are listed. The proofs are of VCTs, whose replies are the hardest to list.
func TestStops(t *testing.T) {
	r := rand.New(rand.NewPCG(34, 0))
	v := NewVCT(4 << 20)
	threats, listed, others := 0, 0, 0
	for range 100 {
		b := skirmish(t, r, board.Freestyle)
		if b.Count(b.Side(), board.MakesFive) > 0 {
			continue
		}
		b.Pass()
		p := v.Win(b, Limits{Nodes: 5_000})
		b.Undo()
		if p == nil || size(p) > 30 {
			continue
		}
		threats++
		hash := b.Hash()
		stops := p.Stops(b, Limits{}, nil)
		if b.Hash() != hash {
			t.Fatal("the board has changed")
		}
		listed += len(stops)
		if n := len(p.Stops(b, Limits{Nodes: 1}, nil)); n < len(stops) {
			t.Fatalf("%d moves without time, %d with", n, len(stops))
		}
		for _, m := range empties(b) {
			if b.Legal(m) && !slices.Contains(stops, m) {
				others++
				if r.IntN(8) > 0 {
					continue // enough of the others
				}
				b.Play(m)
				if err := (&slowCheck{b: b, seen: map[step]bool{}}).attack(p); err != nil {
					t.Errorf("%v does not stop the win, but %v\n%v", m, err, boardtest.Drawing(b))
				}
				b.Undo()
			}
		}
	}
	t.Logf("%d threats, %d moves stop them, %d do not", threats, listed, others)
	if threats < 20 || listed < 50 {
		t.Error("too few")
	}
}

// TestWinGoesOn: a search that is asked in small parts finds what one in a single part does, and
// is over where that is. It descends from the root anew each time, so it is not quite the same search.
// Only large trees are cut by a limit in many places.
func TestWinGoesOn(t *testing.T) {
	for i, guided := range []bool{false, true} {
		goesOn(t, guided, 256, i)
	}
}

// goesOn tries every other puzzle, from the first one, 0 or 1, on.
func goesOn(t *testing.T, guided bool, part, first int) {
	const limit = 5_000
	whole, parts := NewVCT(8<<20), NewVCT(8<<20)
	tried, wins, lost, overs, more := 0, 0, 0, 0, 0
	for _, p := range puzzles(t) {
		if p.Fours || p.Trap != "" {
			continue
		}
		if tried++; tried%2 != first {
			continue
		}
		b := p.board(t)
		whole.Clear()
		parts.Clear()
		if guided {
			guideByNetwork(whole, b)
			guideByNetwork(parts, b)
		}
		want := whole.Win(b, Limits{Nodes: limit})
		var got *Proof
		used, asked := 0, 0
		for ; got == nil && used < 2*limit && !parts.Exhausted(); asked++ {
			got = parts.Win(b, Limits{Nodes: part})
			used += parts.Nodes()
		}
		switch {
		case want != nil && got == nil:
			lost++
			t.Logf("%v: a win in %d nodes, none in %d in %d parts", &p, whole.Nodes(), used, asked)
		case want != nil:
			wins++
			more += used - whole.Nodes()
			if err := got.Check(b); err != nil {
				t.Errorf("%v: %v", &p, err)
			}
		case whole.Exhausted():
			overs++
			if got != nil || !parts.Exhausted() {
				t.Errorf("%v: over in one part, not in %d", &p, asked)
			}
		}
	}
	t.Logf("guided %v, parts of %d: %d wins, with %d nodes more on average; %d searches over", guided, part, wins, more/max(wins, 1), overs)
	most := 0
	if guided {
		most = 1
	}
	if wins < 25 || lost > most || more > 100*wins {
		t.Errorf("%d wins, %d lost, %d nodes more: want 25, %d, and 100 for each win", wins, lost, more, most)
	}
}

// A search that is stopped at once has not tried everything, the first of a VCT either.
func TestStoppedAtOnceIsNotExhausted(t *testing.T) {
	b := boardtest.New(t, board.Freestyle, 15, 15)
	b.Play(board.At(7, 7))
	b.Play(board.At(8, 8))
	v := NewVCT(1 << 16)
	if p := v.Win(b, Limits{Nodes: 1, Stop: func() bool { return true }}); p != nil || v.Exhausted() {
		t.Errorf("proof %v, exhausted %v", p, v.Exhausted())
	}
	if p := v.Win(b, Limits{Nodes: 100000}); p != nil || !v.Exhausted() {
		t.Errorf("with time: proof %v, exhausted %v", p, v.Exhausted())
	}
}

// A reply whose threat was not looked at to the end, since the search is stopped, is no
// disproof: it would be kept for when the search goes on.
func TestStopDisprovesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 0))
	v := NewVCT(4 << 20)
	threats := 0
	for range 600 {
		b := skirmish(t, r, board.Freestyle)
		v.Clear()
		v.attacker, v.fourNodes, v.nodes, v.limit = b.Side().Other(), vcfNodes, 0, 1<<30
		v.stack, v.stop = v.stack[:0], nil
		if e, known := v.replies(b); known && e == disproven {
			continue
		}
		threats++
		v.Clear()
		v.stack, v.stop = v.stack[:0], func() bool { return true }
		if e, known := v.replies(b); known && e == disproven {
			t.Fatalf("a threat is none after stop was set\n%v", boardtest.Drawing(b))
		}
	}
	if threats < 50 {
		t.Errorf("only %d threats", threats)
	}
}
