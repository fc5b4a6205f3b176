package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/longtest"
	"tengen/brain/score"
	"tengen/brain/solver"
)

// newSolverPool is newTestPool with a solver.
func newSolverPool(workers int) *Pool {
	p := newTestPool(workers, 4<<20)
	p.SetSolver(8 << 20)
	return p
}

// deepWins are positions with a win by threats that the search alone does not see for long, and the
// nodes in which the solver does.
var deepWins = []struct {
	rule  board.Rule
	moves string
	nodes int64
}{
	{board.Renju, "j10l10j9m10m11k11l11k10k9n10o10j11l9m9j12i11i10n7n8g12k7h13g11h11h12i12g14j13i9h9h10j8g10f10k13f11i14f13f12e13d13e10d9e11e12", 150_000},
}

// TestSolverWins: what the solver wins, the search alone does not with as many nodes; the
// line shows the win.
func TestSolverWins(t *testing.T) {
	longtest.Here(t)
	for _, tt := range deepWins {
		b := boardtest.After(t, tt.rule, 15, tt.moves)
		l := Limits{Nodes: tt.nodes}
		if r := newTestPool(1, 4<<20).Search(context.Background(), b, l, nil); r.Info.Score >= score.WinFloor {
			t.Errorf("%s: the search alone sees a win in %d plies", tt.moves, score.Win-r.Info.Score)
		}
		for workers := 1; workers <= 2; workers++ {
			if workers > 1 {
				l.Nodes *= 50 // the worker with the solver may have to wait for a processor
			}
			var last Info
			r := newSolverPool(workers).Search(context.Background(), b, l, func(i Info) { last = i })
			if r.Info.Score < score.WinFloor || workers == 1 && last.Score != r.Info.Score {
				t.Errorf("%s, %d workers: score %d, reported %d", tt.moves, workers, r.Info.Score, last.Score)
				continue
			}
			if workers == 1 {
				checkWin(t, b, r)
			} else if !checkLine(t, b, r.Info.PV) || len(r.Info.PV)%2 == 0 {
				// The search may have found a win before the solver, with a line of another length.
				t.Errorf("%s, %d workers: the line %v shows no win", tt.moves, workers, r.Info.PV)
			}
		}
	}
}

// TestFarStopsAreSearched: black has a win by fours on either side, and the only cell that stops both,
// h8, is too far from all stones to be a candidate.
func TestFarStopsAreSearched(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "l7l11d7d11l9o12d9a12l10o13d10a13m10n8c10b8n11m9b11c9m11n10c11b10n12h1b12")
	far := board.At(7, 7)
	if near := b.Candidates(); near.Has(far) {
		t.Fatal("h8 is a candidate")
	}
	p := newSolverPool(1)
	p.Search(context.Background(), b, Limits{Depth: 1}, nil)
	i := slices.IndexFunc(p.workers[0].root.moves, func(r rootMove) bool { return r.move == far })
	if i < 0 || p.workers[0].root.moves[i].refuted != nil {
		t.Error("h8 is not searched")
	}
}

// TestSolverWithKnownPositions: what a database knows below the root takes nothing from the solver.
func TestSolverWithKnownPositions(t *testing.T) {
	tt := deepWins[0]
	b := boardtest.After(t, tt.rule, 15, tt.moves)
	known := map[uint64]Value{12345: score.WinIn(9)} // of a position that does not occur
	r := newSolverPool(1).Search(context.Background(), b, Limits{Nodes: tt.nodes, Restrict: &Restrictions{Known: known}}, nil)
	if r.Info.Score < score.WinFloor {
		t.Fatalf("score %d", r.Info.Score)
	}
	checkWin(t, b, r)
	barred := &Restrictions{Known: known, Root: []board.Move{r.Move}}
	if r := newSolverPool(1).Search(context.Background(), b, Limits{Nodes: tt.nodes, Restrict: barred}, nil); r.Move == barred.Root[0] {
		t.Errorf("plays %v, which is barred", r.Move)
	}
}

// TestSolverGoesOn: once a win is proved, the following searches of the game play it to its
// end against any reply, without any search and never in more plies.
func TestSolverGoesOn(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	for _, tt := range deepWins {
		p := newSolverPool(1)
		b := boardtest.After(t, tt.rule, 15, tt.moves)
		res := p.Search(context.Background(), b, Limits{Nodes: tt.nodes}, nil)
		for b = b.Clone(); ; {
			if res.Info.Score < score.WinFloor {
				t.Fatalf("the win is gone: score %d", res.Info.Score)
			}
			left := int(score.Win - res.Info.Score)
			five := b.Wins(b.Side(), res.Move)
			b.Play(res.Move)
			if five {
				break
			}
			replies := b.Open().Append(nil)
			reply := replies[r.IntN(len(replies))]
			if len(res.Info.PV) > 1 && r.IntN(4) > 0 {
				reply = res.Info.PV[1]
			}
			b.Play(reply)
			res = p.Search(context.Background(), b, Limits{Nodes: 500}, nil)
			if n := int(score.Win - res.Info.Score); n > left-2 {
				t.Fatalf("a win in %d plies, two moves later one in %d", left, n)
			}
		}
	}
}

// checkWin follows the line of r to the five at its end.
func checkWin(t *testing.T, b *board.Board, r Result) {
	t.Helper()
	if n := int(score.Win - r.Info.Score); len(r.Info.PV) != n || r.Info.PV[0] != r.Move {
		t.Errorf("a win in %d plies by %v, its line %v", n, r.Move, r.Info.PV)
	}
	b = b.Clone()
	for i, m := range r.Info.PV {
		if b.Cell(m) != board.Empty || !b.Legal(m) {
			t.Fatalf("%v of %v cannot be played", m, r.Info.PV)
		}
		if five := b.Wins(b.Side(), m); five != (i == len(r.Info.PV)-1) {
			t.Fatalf("%v of %v: five %v", m, r.Info.PV, five)
		}
		b.Play(m)
	}
}

// TestSolverRepeats: with one worker and a limit of nodes a search with a solver is the same
// each time, and keeps to the limit as far as the solver can.
func TestSolverRepeats(t *testing.T) {
	longtest.Here(t)
	r := rand.New(rand.NewPCG(23, 24))
	p := newSolverPool(1)
	for range 12 {
		b := middleGame(t, r, board.Freestyle, 15, 15, 10+r.IntN(8))
		l := Limits{Nodes: 30_000}
		var results [2]Result
		for i := range results {
			p.Clear()
			results[i] = p.Search(context.Background(), b, l, nil)
		}
		a, z := results[0], results[1]
		if a.Move != z.Move || a.Info.Score != z.Info.Score || a.Info.Nodes != z.Info.Nodes {
			t.Errorf("%v %d %d, then %v %d %d", a.Move, a.Info.Score, a.Info.Nodes, z.Move, z.Info.Score, z.Info.Nodes)
		}
		if a.Info.Nodes > l.Nodes+2000 {
			t.Errorf("%d nodes of %d", a.Info.Nodes, l.Nodes)
		}
	}
}

// TestSolverKeepsTime: with a solver that has much to do, a search ends in time and when told.
func TestSolverKeepsTime(t *testing.T) {
	b := boardtest.After(t, deepWins[0].rule, 15, deepWins[0].moves)
	for workers := 1; workers <= 2; workers++ {
		p := newSolverPool(workers)
		start := time.Now()
		p.Search(context.Background(), b, Limits{Soft: 40 * time.Millisecond, Hard: 40 * time.Millisecond}, nil)
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%d workers: %v for a limit of 40 ms", workers, d)
		}
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(30*time.Millisecond, cancel)
		start = time.Now()
		p.Search(ctx, b, Limits{}, nil)
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%d workers: stopped after %v", workers, d)
		}
	}
}

// TestSolverDoesNotAllocate at a node, where it proves nothing.
func TestSolverDoesNotAllocate(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h10i13k13g10h11i11i12h9i8g12k10g11g13j9g8l10j11h13i9f10h12h8")
	p := newSolverPool(1)
	l := Limits{Nodes: 20_000}
	if r := p.Search(context.Background(), b, l, nil); r.Info.Score.Proven() || p.workers[0].solverNodes == 0 {
		t.Fatalf("score %d, %d nodes of the solver", r.Info.Score, p.workers[0].solverNodes)
	}
	if n := testing.AllocsPerRun(3, func() { p.Search(context.Background(), b, l, nil) }); n > 60 {
		t.Errorf("%v allocations a search, want one for each iteration and a few for the whole of it", n)
	}
}

// Under restrictions and with several lines there is no solver.
func TestSolverStaysOut(t *testing.T) {
	b := boardtest.After(t, deepWins[0].rule, 15, deepWins[0].moves)
	for _, l := range []Limits{{Lines: 2}, {Restrict: &Restrictions{Root: []board.Move{board.At(9, 9)}}}} {
		p := newSolverPool(1)
		l.Nodes = 20_000
		if p.Search(context.Background(), b, l, nil); p.workers[0].solverNodes > 0 {
			t.Errorf("%+v: %d nodes of the solver", l, p.workers[0].solverNodes)
		}
	}
}

// TestRefutedMovesAreReported: the watcher of the root moves gets each that the solver takes out.
func TestRefutedMovesAreReported(t *testing.T) {
	longtest.Here(t)
	r := rand.New(rand.NewPCG(29, 30))
	p := newSolverPool(1)
	begun, later := 0, 0 // moves taken out before the first iteration and after
	for range 40 {
		b := middleGame(t, r, board.Freestyle, 13, 13, 12+r.IntN(12))
		told := map[board.Move]int{}
		iterates := false
		p.Search(context.Background(), b, Limits{Nodes: 15_000, Watch: func(e RootEvent) {
			switch {
			case e.Kind == IterationBegins:
				iterates = true
			case e.Kind == MoveLoses && iterates:
				told[e.Move]++
				later++
			case e.Kind == MoveLoses:
				told[e.Move]++
				begun++
			}
		}}, nil)
		for i := range p.workers[0].root.moves {
			if m := &p.workers[0].root.moves[i]; m.lost && told[m.move] != 1 {
				t.Errorf("%v loses and was told %d times, refuted %v", m.move, told[m.move], m.refuted != nil)
			}
		}
	}
	t.Log(begun, later)
	if begun < 20 || later < 20 {
		t.Errorf("too few: %d moves are taken out at first and %d later", begun, later)
	}
}

// TestDepthOfARepeatedIteration: where the solver refutes the best move another iteration begins. A
// search that ends before the first move of that has a value tells the depth of the one before, or
// none if it has none of that either.
func TestDepthOfARepeatedIteration(t *testing.T) {
	longtest.Here(t)
	r := rand.New(rand.NewPCG(10, 46))
	p := newSolverPool(1)
	w := p.workers[0]
	cut := 0
	for i := 0; i < 150 && cut == 0; i++ {
		b := middleGame(t, r, board.Freestyle, 13, 13, 12+r.IntN(12))
		p.Clear()
		reported, searching, stopped := 0, false, false
		l := Limits{Nodes: 100_000, Watch: func(e RootEvent) {
			switch {
			case e.Kind == MoveBegins:
				searching = true
			case e.Kind == MoveEnds:
				searching = false
			case e.Kind == IterationBegins && searching:
				w.limits.nodes, w.limits.nextCheck = w.nodes, w.nodes
				stopped = true
			}
		}}
		got := p.Search(context.Background(), b, l, func(i Info) { reported = i.Depth })
		if !stopped || w.provedWin() != nil || w.root.moves[0].score > -infinity {
			continue
		}
		cut++
		if w.root.moves[0].previous == -infinity {
			reported = 0
		}
		if got.Info.Depth != reported {
			t.Errorf("depth %d, want %d", got.Info.Depth, reported)
		}
	}
	if cut == 0 {
		t.Error("no iteration was repeated")
	}
}

// A first iteration whose best move is refuted is repeated too, whatever depth the next one has.
func TestTheFirstIterationIsRepeated(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	s := &scriptedSolver{}
	var depths []int
	searchBeside(s, b, Limits{Depth: 5, From: 4, Watch: func(e RootEvent) {
		switch {
		case e.Kind == IterationBegins:
			depths = append(depths, s.root.depth)
		case e.Kind == MoveBegins && len(depths) == 1 && s.next.Losses == nil:
			s.next.Losses = []solver.Finding{lossBy(e.Move)}
		}
	}})
	if depths = slices.Compact(depths[1:]); !slices.Equal(depths, []int{1, 4, 5}) {
		t.Errorf("after the first iteration others to depths %v, want 1, 4 and 5", depths)
	}
}

// A scriptedSolver finds what a test says.
type scriptedSolver struct {
	root *root                // of the search
	next solver.Findings      // returned once, the win always
	step func(searched int64) // nil, or called by Step
}

const scriptedNodes = 100 // of a step

func (s *scriptedSolver) Step(searched int64) (nodes int) {
	if s.step != nil {
		s.step(searched)
	}
	return scriptedNodes
}

func (s *scriptedSolver) Findings() solver.Findings {
	f := s.next
	s.next = solver.Findings{Win: f.Win}
	return f
}

// lossBy returns the proof that m loses in four plies.
func lossBy(m board.Move) solver.Finding {
	return solver.Finding{Move: m, Plies: 4, Line: []board.Move{m}}
}

// searchBeside searches b beside s with one worker.
func searchBeside(s *scriptedSolver, b *board.Board, l Limits) Result {
	p := newTestPool(1, 4<<20)
	s.root = &p.workers[0].root
	p.setUp(b, l, time.Now())
	s.root.watch = l.Watch
	p.attach(s)
	it := p.newIterations(b, l, time.Now(), nil)
	p.runWorkers(l.Depth, it)
	return it.result()
}

// TestRefutedAtFirst: a move that loses is not tried, and the only stop of a win is tried though it is
// far from all stones.
func TestRefutedAtFirst(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	best := searchBeside(&scriptedSolver{}, b, Limits{Depth: 6}).Move
	tried := func(e RootEvent) {
		if e.Kind == MoveBegins && e.Move == best {
			t.Errorf("tries %v, which loses", best)
		}
	}
	searchBeside(&scriptedSolver{next: solver.Findings{Losses: []solver.Finding{lossBy(best)}}}, b, Limits{Depth: 6, Watch: tried})

	var stops board.Set
	far := board.At(14, 0)
	stops.Add(far)
	s := &scriptedSolver{next: solver.Findings{Stops: &stops}}
	near := b.Candidates()
	for _, m := range near.Append(nil) {
		s.next.Losses = append(s.next.Losses, lossBy(m))
	}
	if r := searchBeside(s, b, Limits{Depth: 6}); r.Move != far {
		t.Errorf("plays %v, want %v, which alone stops a win", r.Move, far)
	}
}

// TestRefutedWhileBest: the iteration begins again without the move.
func TestRefutedWhileBest(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	s := &scriptedSolver{}
	var tried []board.Move
	r := searchBeside(s, b, Limits{Depth: 6, Watch: func(e RootEvent) {
		if e.Kind == MoveBegins && s.root.depth == 4 {
			if tried = append(tried, e.Move); len(tried) == 1 {
				s.next.Losses = []solver.Finding{lossBy(e.Move)}
			}
		}
	}})
	if len(tried) < 2 || slices.Contains(tried[1:], tried[0]) || r.Move == tried[0] {
		t.Errorf("plays %v after trying %v, the first of which loses", r.Move, tried)
	}
}

// TestWinEndsSearch at the next check, as its result; the nodes of the solver count.
func TestWinEndsSearch(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	win := &solver.Finding{Move: board.At(2, 2), Plies: 7, Line: []board.Move{board.At(2, 2)}}
	s := &scriptedSolver{}
	begun, steps := int64(0), 0
	s.step = func(searched int64) {
		if steps++; searched > 1000 && s.next.Win == nil {
			begun, s.next.Win = searched, win
		}
	}
	r := searchBeside(s, b, Limits{Depth: 20})
	if want := begun + int64(steps*scriptedNodes); r.Move != win.Move || r.Info.Score != score.WinIn(7) || r.Info.Nodes != want {
		t.Errorf("%v with %d after %d nodes, want %v after %d", r.Move, r.Info.Score, r.Info.Nodes, win.Move, want)
	}
}
