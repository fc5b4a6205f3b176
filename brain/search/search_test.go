package search

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/hashtable"
	"tengen/brain/internal/boardtest"
	"tengen/brain/longtest"
	"tengen/brain/score"
	"tengen/brain/threat"
)

var allRules = []board.Rule{
	board.Freestyle, board.ExactFive, board.Renju, board.Caro, board.Caro | board.ExactFive,
}

// newTestPool returns a pool that evaluates by the tables that package eval carries.
func newTestPool(workers int, tableBytes int64) *Pool {
	return NewPool(eval.ByTables().New, DefaultParams(), workers, tableBytes)
}

// middleGame plays random stones in a box without making a five.
func middleGame(t testing.TB, r *rand.Rand, rule board.Rule, w, h, stones int) *board.Board {
	t.Helper()
	b := boardtest.New(t, rule, w, h)
	for range stones {
		m := board.At(w/2-3+r.IntN(6), h/2-3+r.IntN(6))
		if b.Cell(m) == board.Empty && b.Legal(m) && !b.Wins(b.Side(), m) {
			b.Play(m)
		}
	}
	return b
}

func TestFindsWins(t *testing.T) {
	tests := []struct {
		name  string
		rule  board.Rule
		moves string
		win   int // plies
		want  []string
	}{
		{"completes a five", board.Freestyle, "h8a1i8a3j8a5k8a7", 1, []string{"g8", "l8"}},
		{"makes an open four", board.Freestyle, "h8a1i8a3j8a5", 3, []string{"g8", "k8"}},
		{"completes a five rather than a six", board.ExactFive, "h8a1i8a3j8a5k8a7m8a9", 1, []string{"g8"}},
		{"four-three", board.Freestyle, "h8g8i8a3j8o15k10a1k11o1", 5, []string{"k8"}},
		{"double three is no win for black in renju", board.Renju, "h8a1i8a3j9o15j10o1", 0, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := boardtest.After(t, tt.rule, 15, tt.moves)
			r := newTestPool(1, 1<<20).Search(context.Background(), b, Limits{Depth: 5}, nil)
			if tt.win == 0 {
				if r.Info.Score == score.WinIn(5) || r.Move == board.At(9, 7) {
					t.Errorf("plays %v with score %d", r.Move, r.Info.Score)
				}
				return
			}
			if r.Info.Score != score.WinIn(tt.win) {
				t.Errorf("score %d, want a win in %d", r.Info.Score, tt.win)
			}
			if !slices.Contains(tt.want, r.Move.String()) {
				t.Errorf("plays %v, want one of %v", r.Move, tt.want)
			}
		})
	}
}

// TestLegalAlways searches positions that leave little choice.
func TestLegalAlways(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	p := newTestPool(1, 1<<20)
	for _, rule := range allRules {
		p.Clear()
		for range 25 {
			w, h := 5+r.IntN(5), 5+r.IntN(5)
			b := boardtest.New(t, rule, w, h)
			for range r.IntN(6) {
				if m := board.At(r.IntN(w), r.IntN(h)); b.Cell(m) == board.Empty {
					b.Block(m)
				}
			}
			// Any stones, fives among them, until few cells are free.
			free := b.Open().Append(nil)
			r.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
			for _, m := range free[:len(free)-1-r.IntN(len(free)-1)] {
				b.Play(m)
			}
			any := slices.ContainsFunc(b.Open().Append(nil), b.Legal)
			res := p.Search(context.Background(), b, Limits{Nodes: 300}, nil)
			if any && !b.Legal(res.Move) {
				t.Fatalf("%v %dx%d: plays %v", rule, w, h, res.Move)
			}
			if !any && res.Move != board.None {
				t.Fatalf("%v: plays %v where no move is legal", rule, res.Move)
			}
		}
	}
}

// TestReportedWinsAreWins follows proven wins to the five against random replies. A search
// stops at the first proof, so a later one may be a little longer than what is left.
func TestReportedWinsAreWins(t *testing.T) {
	longtest.Here(t)
	r := rand.New(rand.NewPCG(7, 8))
	p := newTestPool(1, 4<<20)
	for _, rule := range allRules {
		wins := 0
		p.Clear()
		for range 30 {
			b := middleGame(t, r, rule, 13, 13, 10+r.IntN(8))
			res := p.Search(context.Background(), b, Limits{Depth: 8}, nil)
			if res.Info.Score < score.WinFloor {
				continue
			}
			wins++
			left := int(score.Win - res.Info.Score)
			if left > b.Empties() {
				t.Fatalf("%v: a win in %d plies with %d cells left", rule, left, b.Empties())
			}
			left += 12
			for {
				five := b.Wins(b.Side(), res.Move)
				b.Play(res.Move)
				if left--; five {
					break
				}
				if left <= 0 {
					t.Fatalf("%v: the win has not come", rule)
				}
				replies := b.Open().Append(nil)
				reply := replies[r.IntN(len(replies))]
				for _, m := range replies { // the best of replies: one that stops a five
					if b.Class(b.Side().Other(), m) == board.MakesFive && b.Legal(m) {
						reply = m
					}
				}
				if !b.Legal(reply) {
					break
				}
				b.Play(reply)
				left--
				res = p.Search(context.Background(), b, Limits{Depth: 12}, nil)
				if res.Info.Score < score.WinFloor {
					t.Fatalf("%v: the win is gone after %v: score %d", rule, reply, res.Info.Score)
				}
			}
		}
		if wins < 5 {
			t.Errorf("%v: only %d wins seen", rule, wins)
		}
	}
}

// TestRepeat searches twice at twenty node limits.
func TestRepeat(t *testing.T) {
	longtest.Here(t)
	b := boardtest.After(t, board.Renju, 15, "h8i7g9f7j9h7g7g8")
	p := newTestPool(1, 1<<20)
	for i := range int64(20) {
		l := Limits{Nodes: 500 + 377*i}
		p.Clear()
		first := p.Search(context.Background(), b, l, nil)
		p.Clear()
		again := p.Search(context.Background(), b, l, nil)
		if first.Move != again.Move || first.Info.Nodes != again.Info.Nodes || first.Info.Score != again.Info.Score {
			t.Errorf("%d nodes: %v %d %d, then %v %d %d", l.Nodes, first.Move, first.Info.Score, first.Info.Nodes,
				again.Move, again.Info.Score, again.Info.Nodes)
		}
		if first.Info.Nodes > l.Nodes+1 {
			t.Errorf("limit %d: %d nodes", l.Nodes, first.Info.Nodes)
		}
	}
}

func TestSearchDoesNotAllocate(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	p := newTestPool(1, 1<<20)
	l := Limits{Depth: 8}
	p.Search(context.Background(), b, l, nil)
	if n := testing.AllocsPerRun(3, func() { p.Search(context.Background(), b, l, nil) }); n > 20 {
		t.Errorf("%v allocations a search, want a few for the whole of it", n)
	}
}

// TestDraws: a board that fills up without a five is worth nothing.
func TestDraws(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 5, "c3b2d2b4b3a3c2c4d4d3a1e5e1a5c1c5d1b1b5")
	r := newTestPool(1, 1<<20).Search(context.Background(), b, Limits{Depth: 12}, nil)
	if r.Info.Score != draw {
		t.Errorf("score %d, want a draw", r.Info.Score)
	}
}

// TestBlackRunsOutOfMoves has a board of renju with two cells left, white to move: black may
// not play e11, so it has nothing once l14 is taken, and may fill the board otherwise.
func TestBlackRunsOutOfMoves(t *testing.T) {
	b := boardtest.After(t, board.Renju, 15, "b4c5d4b7d3d5e4c4f7e5f5g6h6f4c7f8g9d7c2b1f9e9e10g8d10h8i8i9"+
		"d8h10c10f10c9g7f6g5g4c11g11h2g3h11h9g12j10j7f13b8b11e12f12h13k7h12h14i12"+
		"j13i10j11j12k12k5l11m10j9k10j4k4i5j6k3l2l4i2m5j2k2l6m6m7m11i11i13n11"+
		"k13l12l9f14e13d13n8i14f11e15g13l10n6o7b5n9i6e3n5n3i4i7d2f2g2b10h5j3"+
		"o10e8b6l5h1e6e7b3a2m4k6m13e1d11d15c8a10l7n15a5o11c15k15k11a8n4k1e14"+
		"b14a11c13n10g1n12n13d1n14m14o12o9h3j5n1b13j15l15o4m1m8o8o5a15a13o3a1e2"+
		"h15g14d14a7j14c12a12o14o1a9j1i1h7h4g15i15a3l1l8f1i3d12c1o2k9c3b2n2"+
		"l3g10a4f3k14c6m2f15a6k8b15a14o13d9b9m3d6b12m15l13o15m12n7c14o6j8m9")
	if b.Empties() != 2 || b.Side() != board.White {
		t.Fatalf("%d empty cells, %v to move", b.Empties(), b.Side())
	}
	for depth := range 3 { // 0 is no limit
		r := newTestPool(1, 1<<20).Search(context.Background(), b, Limits{Depth: depth}, nil)
		if r.Move.String() != "l14" || r.Info.Score != score.WinIn(3) {
			t.Errorf("plays %v with score %d at depth %d, want l14 and %d", r.Move, r.Info.Score, depth, score.WinIn(3))
		}
	}
}

// TestLines: lines are sorted and begin with different moves, and each score is near that
// of the position after its move, searched alone as deep.
func TestLines(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10g10")
	var got []Info
	newTestPool(1, 4<<20).Search(context.Background(), b, Limits{Depth: 6, Lines: 4}, func(i Info) {
		if i.Depth == 6 {
			i.PV = slices.Clone(i.PV)
			got = append(got, i)
		}
	})
	if len(got) != 4 {
		t.Fatalf("%d lines at depth 6, want 4", len(got))
	}
	seen := map[board.Move]bool{}
	for i, info := range got {
		if info.Line != i || seen[info.PV[0]] {
			t.Errorf("line %d: number %d, move %v again", i, info.Line, info.PV[0])
		}
		seen[info.PV[0]] = true
		if i > 0 && info.Score > got[i-1].Score {
			t.Errorf("line %d: score %d, the line before has %d", i, info.Score, got[i-1].Score)
		}
		b.Play(info.PV[0])
		alone := -newTestPool(1, 4<<20).Search(context.Background(), b, Limits{Depth: 5}, nil).Info.Score
		b.Undo()
		if d := alone - info.Score; d < -60 || d > 60 {
			t.Errorf("line %d: %v has %d, searched alone %d", i, info.PV[0], info.Score, alone)
		}
	}
}

// TestEmptyBoardHasLines: without a stone the moves are near the middle, also where it is not
// allowed and where several lines are wanted.
func TestEmptyBoardHasLines(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "")
	middle := board.At(7, 7)
	for _, test := range []struct {
		lines, want int
		not         []board.Move
	}{
		{1, 1, nil},
		{3, 3, nil},
		{1, 1, []board.Move{middle}},
		{3, 3, []board.Move{middle, board.At(6, 6)}},
	} {
		seen := map[board.Move]bool{}
		l := Limits{Depth: 4, Lines: test.lines, Restrict: &Restrictions{Root: test.not}}
		r := newTestPool(1, 4<<20).Search(context.Background(), b, l, func(i Info) {
			if i.Depth == 4 {
				seen[i.PV[0]] = true
			}
		})
		if len(seen) != test.want || !seen[r.Move] {
			t.Errorf("%d lines without %v: the moves %v and %v", test.lines, test.not, seen, r.Move)
		}
		for m := range seen {
			if slices.Contains(test.not, m) || board.Distance(m, middle) > 2 {
				t.Errorf("%d lines without %v: %v", test.lines, test.not, m)
			}
		}
	}
}

// TestPlaysTheBestLine: a search cut short plays the line it reported as best.
func TestPlaysTheBestLine(t *testing.T) {
	longtest.Here(t)
	r := rand.New(rand.NewPCG(13, 14))
	p := newTestPool(1, 1<<20)
	for i := range 40 {
		b := middleGame(t, r, board.Freestyle, 13, 13, 8)
		best := board.None
		res := p.Search(context.Background(), b, Limits{Nodes: int64(2000 + 500*i), Lines: 5}, func(i Info) {
			if i.Line == 0 {
				best = i.PV[0]
			}
		})
		if res.Move != best || res.Info.PV[0] != best {
			t.Errorf("plays %v (%v), reported %v", res.Move, res.Info.PV, best)
		}
	}
}

func TestStopsWhenTold(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7")
	p := newTestPool(2, 1<<20)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(30*time.Millisecond, cancel)
	start := time.Now()
	r := p.Search(ctx, b, Limits{}, nil)
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("stopped after %v", d)
	}
	if !b.Legal(r.Move) {
		t.Errorf("plays %v", r.Move)
	}
}

// TestInterrupted: whatever node reaches the limit, each node above it is left without a value, and
// none is entered afterwards.
func TestInterrupted(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	p := newTestPool(1, 1<<20)
	w := p.workers[0]
	for limit := int64(1); limit < 6_000; limit += 1 + limit/8 {
		p.Clear()
		p.setUp(b, Limits{Nodes: limit}, time.Now())
		hash, v := w.b.Hash(), Value(0)
		for depth := 1; v != interrupted; depth++ {
			v = w.alphaBeta(-infinity, infinity, depth, 0, false)
			if v != interrupted && (w.nodes >= limit || depth > 99) {
				t.Fatalf("limit %d: the value %d to depth %d after %d nodes", limit, v, depth, w.nodes)
			}
		}
		if w.nodes != limit || w.b.Hash() != hash || len(w.moves) > 0 {
			t.Fatalf("limit %d: %d nodes, %d moves are left to be searched, hash %x, before %x", limit, w.nodes, len(w.moves), w.b.Hash(), hash)
		}
	}
}

// TestAStopEndsOneSearch: a context that ends while its search does, too, must not end the search
// that follows.
func TestAStopEndsOneSearch(t *testing.T) {
	const nodes = 1000
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	p := newTestPool(1, 1<<16)
	ended, end := context.WithCancel(context.Background())
	end()
	for range 200 {
		p.Search(ended, b, Limits{Nodes: 1}, nil)
		if r := p.Search(context.Background(), b, Limits{Nodes: nodes}, nil); r.Info.Nodes < nodes {
			t.Fatalf("a search of %d nodes ends after %d", nodes, r.Info.Nodes)
		}
	}
}

// A search that is over before its first move is still worth the static value.
func TestNoTimeAtAll(t *testing.T) {
	tests := []struct {
		name, moves string
		proven      bool
		win         int // plies
	}{
		{"a quiet position", "h8i9i8j10j9", false, 0},
		{"a five to make", "h8a1i8a3j8a5k8a7", true, 1},
		{"an open four of the other side", "h8a1i8a3j8a5k8", true, -2},
	}
	p := newTestPool(1, 1<<20)
	for _, test := range tests {
		for _, lines := range []int{1, 3} {
			r := p.Search(context.Background(), boardtest.After(t, board.Freestyle, 15, test.moves), Limits{Hard: time.Nanosecond, Lines: lines}, nil)
			v := r.Info.Score
			want := score.WinIn(test.win)
			if test.win < 0 {
				want = score.LossIn(-test.win)
			}
			if v.Proven() != test.proven || test.proven && v != want {
				t.Errorf("%s, %d lines: value %d after %d nodes", test.name, lines, v, r.Info.Nodes)
			}
		}
	}
}

// BenchmarkSearch searches a middle game to depth 10.
func BenchmarkSearch(b *testing.B) {
	bd := boardtest.After(b, board.Freestyle, 15, "h5k5h3j4i4l4n4i3")
	p := newTestPool(1, 16<<20)
	var nodes int64
	for b.Loop() {
		p.Clear()
		nodes += p.Search(context.Background(), bd, Limits{Depth: 10}, nil).Info.Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "Nodes/s")
}

// A search that is stopped before its first move is searched claims no win for that move unless
// it makes five.
func TestStoppedAtOnceClaimsNoWin(t *testing.T) {
	for _, text := range []string{"g8f8j7e6g10h9j6j8h6f10g5h5", "f5j6i5h9h8g5i10f9g8f7f10j8j5i6f6"} {
		b := boardtest.After(t, board.Freestyle, 15, text)
		if threat.StaticWin(b) <= 1 {
			t.Fatalf("%s: want a static win by more than a five", text)
		}
		r := newTestPool(1, 1<<20).Search(context.Background(), b, Limits{Nodes: 1}, nil)
		if r.Info.Score.Proven() {
			t.Errorf("%s: %v has score %d after a node", text, r.Move, r.Info.Score)
		}
	}
	b := boardtest.After(t, board.Freestyle, 15, "h8a1i8a3j8a5k8a7")
	if r := newTestPool(1, 1<<20).Search(context.Background(), b, Limits{Nodes: 1}, nil); r.Info.Score != score.WinIn(1) {
		t.Errorf("the five %v has score %d after a node", r.Move, r.Info.Score)
	}
}

// What the table holds as a bound is not resumed as a proven result.
func TestResumeTrustsOnlyProofs(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9")
	for _, known := range []hashtable.Entry{
		{Move: board.At(7, 6), Value: score.WinIn(3), Bound: hashtable.Upper, Depth: 4},
		{Move: board.At(7, 6), Value: score.LossIn(4), Bound: hashtable.Lower, Depth: 4},
	} {
		p := newTestPool(1, 1<<20)
		p.Search(context.Background(), b, Limits{Depth: 1}, nil)
		known.Static = noValue
		p.workers[0].table.Store(b.Hash(), known)
		if r := p.Search(context.Background(), b, Limits{Depth: 3, Resume: true}, nil); r.Info.Score.Proven() {
			t.Errorf("%+v is resumed as %d after %d nodes", known, r.Info.Score, r.Info.Nodes)
		}
	}
}

// Nor is a bound taken for the value of a depth that was searched before: it is searched again.
func TestResumeTakesNoBoundForTheValue(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	for nodes := int64(1000); nodes < 8000; nodes += 250 {
		p, last := newTestPool(1, 1<<22), Info{}
		p.Search(context.Background(), b, Limits{Nodes: nodes, Resume: true}, func(i Info) { last = i })
		r := p.Search(context.Background(), b, Limits{Depth: last.Depth, Resume: true}, nil)
		known, _ := p.workers[0].probe(b.Hash(), 0)
		if known.Bound != hashtable.Exact || r.Info.Score != known.Value {
			t.Errorf("stopped after %d nodes, depth %d: resumed with score %d, of which the table has %d, bound %d", nodes, last.Depth, r.Info.Score, known.Value, known.Bound)
		}
	}
}

// Where the solver refutes the move that the table has, the others are searched before one is played.
func TestResumeSearchesWhereTheSolverRefutes(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 25))
	p := newTestPool(1, 4<<20)
	l := Limits{Depth: 1, Resume: true}
	refuted := 0
	for refuted < 3 {
		b := middleGame(t, r, board.Freestyle, 15, 15, 10+r.IntN(14))
		p.Clear()
		p.SetSolver(0)
		first := p.Search(context.Background(), b, l, nil).Move
		p.SetSolver(4 << 20)
		res := p.Search(context.Background(), b, l, nil)
		moves := p.workers[0].root.moves
		if slices.ContainsFunc(moves, func(r rootMove) bool { return r.move == first && r.refuted != nil }) {
			refuted++
		}
		if moves[0].score == -infinity {
			t.Errorf("plays %v, which was not searched, with score %d\n%v", res.Move, res.Info.Score, boardtest.Drawing(b))
		}
	}
}

// Several lines do not have to wait for an iteration as deep as one line was searched.
func TestLinesAfterOneLine(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	p := newTestPool(1, 1<<24)
	one := p.Search(context.Background(), b, Limits{Depth: 15, Resume: true}, nil)
	const lines = 5
	reported := map[int]int{} // depth by line
	p.Search(context.Background(), b, Limits{Nodes: one.Info.Nodes / 4, Lines: lines, Resume: true}, func(i Info) { reported[i.Line] = i.Depth })
	if len(reported) != lines || reported[lines-1] < 9 {
		t.Errorf("depths of lines %v in a quarter of the nodes of one line to depth %d", reported, one.Info.Depth)
	}
}

// A style of one side is the opposite style of the other: what was searched for one is of use
// to the other, as pondering wants it.
func TestStyleOfTheOtherSideSharesTheTable(t *testing.T) {
	for _, style := range []int{0, 50, -50} {
		b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
		p := newTestPool(1, 1<<22)
		first := p.Search(context.Background(), b, Limits{Depth: 13, Style: -style}, nil)
		b.Play(first.Move)
		fresh := newTestPool(1, 1<<22).Search(context.Background(), b, Limits{Depth: 9, Style: style}, nil)
		if r := p.Search(context.Background(), b, Limits{Depth: 9, Style: style}, nil); r.Info.Nodes*2 > fresh.Info.Nodes {
			t.Errorf("style %d: %d nodes after a search of the position before, %d without", style, r.Info.Nodes, fresh.Info.Nodes)
		}
	}
}

// A limit of nodes is for all workers together, who stop within a few of it.
func TestNodeLimitIsOfAllWorkers(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	for _, workers := range []int{1, 2, 4} {
		const limit = 8000
		r := newTestPool(workers, 1<<20).Search(context.Background(), b, Limits{Nodes: limit}, nil)
		if r.Info.Nodes < limit/int64(workers) || r.Info.Nodes > limit*5/4 {
			t.Errorf("%d workers: %d nodes, the limit is %d", workers, r.Info.Nodes, limit)
		}
	}
}

// The workers share the nodes of a search, one for each at least.
func TestNodesOfWorkers(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9")
	p := newTestPool(2, 1<<20)
	for nodes, want := range map[int64]int64{0: 0, 1: 1, 2: 1, 3: 2, math.MaxInt64: 1 << 62} {
		p.Search(context.Background(), b, Limits{Nodes: nodes, Depth: 1}, nil)
		if got := p.workers[1].limits.nodes; got != want {
			t.Errorf("of %d nodes a worker has %d, want %d", nodes, got, want)
		}
	}
}
