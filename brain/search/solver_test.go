package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
	"tengen/brain/longtest"
	"tengen/brain/threat"
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
	{board.Freestyle, "h10i13k13g10h11i11i12h9i8g12k10g11g13j9g8l10j11h13i9f10h12h8", 300_000},
}

// TestSolverWins: what the solver wins, the search alone does not with as many nodes; the
// line shows the win.
func TestSolverWins(t *testing.T) {
	longtest.Here(t)
	for _, tt := range deepWins {
		b := boardtest.After(t, tt.rule, 15, tt.moves)
		l := Limits{Nodes: tt.nodes}
		if r := newTestPool(1, 4<<20).Search(context.Background(), b, l, nil); r.Info.Score >= WinFloor {
			t.Errorf("%s: the search alone sees a win in %d plies", tt.moves, Win-r.Info.Score)
		}
		for workers := 1; workers <= 2; workers++ {
			if workers > 1 {
				l.Nodes *= 50 // the worker with the solver may have to wait for a processor
			}
			var last Info
			r := newSolverPool(workers).Search(context.Background(), b, l, func(i Info) { last = i })
			if r.Info.Score < WinFloor || workers == 1 && last.Score != r.Info.Score {
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
	i := slices.IndexFunc(p.workers[0].rootMoves, func(r rootMove) bool { return r.move == far })
	if i < 0 || p.workers[0].rootMoves[i].refuted != nil {
		t.Error("h8 is not searched")
	}
}

// TestSolverWithKnownPositions: what a database knows below the root takes nothing from the solver.
func TestSolverWithKnownPositions(t *testing.T) {
	tt := deepWins[0]
	b := boardtest.After(t, tt.rule, 15, tt.moves)
	known := map[uint64]Value{12345: WinIn(9)} // of a position that does not occur
	r := newSolverPool(1).Search(context.Background(), b, Limits{Nodes: tt.nodes, Restrict: &Restrictions{Known: known}}, nil)
	if r.Info.Score < WinFloor {
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
			if res.Info.Score < WinFloor {
				t.Fatalf("the win is gone: score %d", res.Info.Score)
			}
			left := int(Win - res.Info.Score)
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
			if n := int(Win - res.Info.Score); n > left-2 {
				t.Fatalf("a win in %d plies, two moves later one in %d", left, n)
			}
		}
	}
}

// checkWin follows the line of r to the five at its end.
func checkWin(t *testing.T, b *board.Board, r Result) {
	t.Helper()
	if n := int(Win - r.Info.Score); len(r.Info.PV) != n || r.Info.PV[0] != r.Move {
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

// TestDroppedMovesLose: after every root move that the solver takes out the opponent wins,
// by a search for wins that starts afresh, within the plies that are claimed at most.
func TestDroppedMovesLose(t *testing.T) {
	longtest.Here(t)
	r := rand.New(rand.NewPCG(21, 22))
	v := threat.NewVCT(4 << 20)
	for _, rule := range allRules {
		p := newSolverPool(1)
		dropped, proved := 0, 0
		for range 120 {
			b := middleGame(t, r, rule, 13, 13, 12+r.IntN(12))
			res := p.Search(context.Background(), b, Limits{Nodes: 15_000}, nil)
			b = b.Clone()
			for i := range p.workers[0].rootMoves {
				m := &p.workers[0].rootMoves[i]
				if m.refuted == nil {
					continue
				}
				if dropped++; dropped%6 > 0 {
					continue
				}
				if m.move == res.Move && res.Info.Score > -WinFloor {
					t.Fatalf("%v: %v is taken out and played", rule, m.move)
				}
				b.Play(m.move)
				if v.Win(b, threat.Limits{Nodes: 50_000}) == nil {
					t.Errorf("%v: %v is taken out and not seen to lose\n%v", rule, m.move, m.refuted)
				}
				proved++
				b.Undo()
				if f := m.refuted; len(f.line) > f.plies || f.line[0] != m.move {
					t.Errorf("%v: a loss in %d plies, the line %v", rule, f.plies, f.line)
				}
			}
		}
		t.Logf("%v: %d moves taken out, %d proved again", rule, dropped, proved)
		if dropped < 60 {
			t.Errorf("%v: too few", rule)
		}
	}
}

// TestSolverRepeats: with one worker and a limit of nodes a search with a solver is the same
// each time, and keeps to the limit as far as the solver can.
func TestSolverRepeats(t *testing.T) {
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
	b := boardtest.After(t, board.Freestyle, 15, deepWins[0].moves)
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

// TestSolverStaysLate: once the deadline has passed, the solver is stopped whenever it asks, until
// the next search.
func TestSolverStaysLate(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, deepWins[0].moves)
	p := newSolverPool(1)
	p.setUp(b, Limits{Hard: time.Hour}, p.now())
	p.prepareSolver(b, Limits{})
	s := p.solver
	for range 2 * clockEvery {
		if s.stopped() {
			t.Fatal("stopped in time")
		}
	}
	s.worker.deadline = p.now()
	for n := range 3 * clockEvery {
		if stopped := s.stopped(); !stopped && n >= clockEvery {
			t.Errorf("question %d: not stopped", n)
		}
	}
	s.prepare(s.worker, false)
	if s.worker.deadline = p.now().Add(time.Hour); s.stopped() {
		t.Error("stopped in the next search")
	}
}

// TestSolverDoesNotAllocate where it proves nothing.
func TestSolverDoesNotAllocate(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, deepWins[0].moves)
	p := newSolverPool(1)
	l := Limits{Nodes: 20_000}
	if r := p.Search(context.Background(), b, l, nil); r.Info.Score.Proven() || p.workers[0].solved == 0 {
		t.Fatalf("score %d, %d nodes of the solver", r.Info.Score, p.workers[0].solved)
	}
	if n := testing.AllocsPerRun(3, func() { p.Search(context.Background(), b, l, nil) }); n > 20 {
		t.Errorf("%v allocations a search, want a few for the whole of it", n)
	}
}

// A watchedEvaluator counts how often it orders moves.
type watchedEvaluator struct {
	eval.Evaluator
	b      *board.Board
	orders int
}

func (e *watchedEvaluator) Reset(b *board.Board, style int) {
	e.b = b
	e.Evaluator.Reset(b, style)
}

func (e *watchedEvaluator) Order(moves []board.Move, scores []int32) {
	e.orders++
	e.Evaluator.Order(moves, scores)
}

// TestSolverIsGuided by an evaluator of its own, a new one for boards of another rule or size.
func TestSolverIsGuided(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 52))
	var made []*watchedEvaluator
	p := NewPool(func(b *board.Board) eval.Evaluator {
		e := &watchedEvaluator{Evaluator: eval.Embedded().New(b), b: b}
		made = append(made, e)
		return e
	}, DefaultParams(), 1, 4<<20)
	p.SetSolver(8 << 20)
	for _, tt := range []struct {
		rule board.Rule
		size int
	}{{board.Freestyle, 15}, {board.Freestyle, 13}, {board.Renju, 13}, {board.Renju, 13}} {
		p.Clear()
		before := len(made)
		asked := 0
		for range 20 {
			got := p.Search(context.Background(), middleGame(t, r, tt.rule, tt.size, tt.size, 16), Limits{Nodes: 20_000}, nil)
			if len(got.Failures) > 0 {
				t.Fatalf("%+v: %v", tt, got.Failures)
			}
			for _, e := range made {
				if e.b == p.solver.b {
					asked += e.orders
					e.orders = 0
				}
			}
		}
		if asked == 0 {
			t.Errorf("%+v: the solver asks no guide", tt)
		}
		if more := len(made) - before; more > 2 {
			t.Errorf("%+v: %d new evaluators, want one of the worker and one of the solver at most", tt, more)
		}
	}
}

// Under restrictions and with several lines there is no solver.
func TestSolverStaysOut(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, deepWins[0].moves)
	for _, l := range []Limits{{Lines: 2}, {Restrict: &Restrictions{Root: []board.Move{board.At(9, 9)}}}} {
		p := newSolverPool(1)
		l.Nodes = 20_000
		if p.Search(context.Background(), b, l, nil); p.workers[0].solved > 0 {
			t.Errorf("%+v: %d nodes of the solver", l, p.workers[0].solved)
		}
	}
}

// TestSolverTakesTurns: in a slice the solver looks for a win of the side to move or for one after
// the best move, as often as their shares say; a slice is its share, and all that it does is counted.
func TestSolverTakesTurns(t *testing.T) {
	early := boardtest.After(t, board.Freestyle, 15, deepWins[0].moves)
	for _, tt := range []struct {
		stones     int
		study      bool
		value      Value
		own, reply int // slices of twelve
		share      int // of the solver, in 1/scale
	}{
		{0, false, 0, 7, 5, 40}, {0, false, solverEven + 1, 10, 2, 88}, {0, false, -solverEven - 1, 1, 11, 72},
		{solverEarly + 1, false, 0, 6, 6, 16}, {solverEarly + 1, false, solverEven + 1, 10, 2, 88}, {solverEarly + 1, false, -solverEven - 1, 3, 9, 24},
		{0, true, 0, 6, 6, 64}, {0, true, solverEven + 1, 9, 3, 128}, {solverEarly + 1, true, -solverEven - 1, 3, 9, 128},
	} {
		b := early.Clone()
		for b.Ply() < tt.stones {
			b.Pass()
		}
		p := newSolverPool(1)
		l := Limits{Study: tt.study}
		p.setUp(b, l, p.now())
		p.prepareSolver(b, l)
		s, to := p.solver, &p.found
		s.passLeft, s.passAgain = 0, never
		to.leader.Store(int32(board.At(0, 0)))
		to.value.Store(int32(tt.value))
		own, reply := 0, 0
		for range 12 {
			s.vct[0].Win(s.b, threat.Limits{Nodes: 1})
			s.vct[1].Win(s.b, threat.Limits{Nodes: 1})
			idle := [2]int{s.vct[0].Nodes(), s.vct[1].Nodes()}
			nodes := s.run(to)
			switch [2]bool{s.vct[b.Side()].Nodes() != idle[b.Side()], s.vct[b.Side().Other()].Nodes() != idle[b.Side().Other()]} {
			case [2]bool{true, false}:
				own++
				nodes -= s.vct[b.Side()].Nodes()
			case [2]bool{false, true}:
				reply++
				nodes -= s.vct[b.Side().Other()].Nodes()
			}
			if nodes != 0 {
				t.Errorf("%+v: %d nodes more are counted than searched", tt, nodes)
			}
		}
		if own != tt.own || reply != tt.reply {
			t.Errorf("%+v: %d slices for the side to move and %d for the other", tt, own, reply)
		}
		if got := scale * s.slice / (s.slice + int(s.every)); got < tt.share-1 || got > tt.share {
			t.Errorf("%+v: a slice is %d/1024 of the nodes", tt, got)
		}
	}
}

// TestPassRefutesMoves: a win of the opponent by threats, had the side to move passed, takes
// out the moves that do not stop it, and no others.
func TestPassRefutesMoves(t *testing.T) {
	longtest.Here(t)
	r := rand.New(rand.NewPCG(27, 28))
	v := threat.NewVCT(4 << 20)
	fours := threat.NewVCF(1 << 20)
	asked, out, proved := 0, 0, 0
	for asked < 12 {
		b := middleGame(t, r, board.Freestyle, 13, 13, 12+r.IntN(12))
		if b.Count(b.Side().Other(), board.MakesFive) > 0 || v.Win(b, threat.Limits{Nodes: 2_000}) != nil {
			continue
		}
		b.Pass()
		win := fours.Win(b, threat.Limits{Nodes: 10_000}) == 0 && v.Win(b, threat.Limits{Nodes: 1_000, Threes: true}) != nil
		b.Undo()
		if !win {
			continue
		}
		asked++
		p := newSolverPool(1 + asked%2)
		p.Search(context.Background(), b, Limits{Nodes: 40_000}, nil)
		b = b.Clone()
		for i := range p.workers[0].rootMoves {
			m := &p.workers[0].rootMoves[i]
			if m.refuted == nil {
				continue
			}
			if out++; out%8 > 0 {
				continue
			}
			b.Play(m.move)
			if v.Win(b, threat.Limits{Nodes: 100_000}) == nil {
				t.Errorf("%v is taken out and not seen to lose\n%v", m.move, m.refuted)
			}
			proved++
			b.Undo()
		}
	}
	t.Logf("%d positions, %d moves taken out, %d proved again", asked, out, proved)
	if out < 20*asked {
		t.Error("too few")
	}
}

// TestRefutedMovesAreTold: whoever watches the root moves is told of each that the solver takes out.
func TestRefutedMovesAreTold(t *testing.T) {
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
		for i := range p.workers[0].rootMoves {
			if m := &p.workers[0].rootMoves[i]; m.lost && told[m.move] != 1 {
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
	r := rand.New(rand.NewPCG(31, 46))
	p := newSolverPool(1)
	w := p.workers[0]
	cut := 0
	for range 150 {
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
				w.limit, w.nextCheck = w.nodes, w.nodes
				stopped = true
			}
		}}
		got := p.Search(context.Background(), b, l, func(i Info) { reported = i.Depth })
		if !stopped || p.found.win.Load() != nil || w.rootMoves[0].score > -infinity {
			continue
		}
		cut++
		if w.rootMoves[0].previous == -infinity {
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
	p := newSolverPool(1)
	w := p.workers[0]
	refuted := false
	var depths []int
	p.Search(context.Background(), b, Limits{Depth: 5, From: 4, Watch: func(e RootEvent) {
		switch {
		case e.Kind == IterationBegins:
			depths = append(depths, w.rootDepth)
		case e.Kind == MoveBegins && !refuted:
			refuted = true
			p.found.addLosses(losses{{e.Move, 4, []board.Move{e.Move}}})
			w.nextCheck = 0
		}
	}}, nil)
	if depths = slices.Compact(depths[1:]); !slices.Equal(depths, []int{1, 4, 5}) {
		t.Errorf("after the first iteration others to depths %v, want 1, 4 and 5", depths)
	}
}
