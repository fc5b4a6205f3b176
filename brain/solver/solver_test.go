package solver

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
	"tengen/brain/threat"
)

// deepWin is a position with a win that takes some 10,000 nodes to prove.
const deepWin = "h10i13k13g10h11i11i12h9i8g12k10g11g13j9g8l10j11h13i9f10h12h8"

func newMemory() *Memory { return NewMemory(8<<20, eval.ByTables().New) }

// middleGame plays random stones near the middle without making a five.
func middleGame(t testing.TB, r *rand.Rand, rule board.Rule, stones int) *board.Board {
	t.Helper()
	b := boardtest.New(t, rule, 13, 13)
	for range stones {
		m := board.At(3+r.IntN(6), 3+r.IntN(6))
		if b.Cell(m) == board.Empty && b.Legal(m) && !b.Wins(b.Side(), m) {
			b.Play(m)
		}
	}
	return b
}

// taskFor returns the search of all candidates of b, which has a best move or none.
func taskFor(b *board.Board, best board.Move) Task {
	near := b.Candidates()
	return Task{Board: b, Moves: near.Append(nil), Standing: func() (board.Move, int) { return best, 0 }}
}

// steps gives the solver the steps of a search of the given nodes, and returns its findings.
func steps(s *Solver, searched int64) (f Findings) {
	for n := int64(0); n <= searched; n += 256 {
		s.Step(n)
		more := s.Findings()
		f.Win, f.Losses = more.Win, append(f.Losses, more.Losses...)
		if more.Stops != nil {
			f.Stops = more.Stops
		}
	}
	return f
}

// checkLine plays the line of a win to the five at its end.
func checkLine(t *testing.T, b *board.Board, f *Finding) {
	t.Helper()
	if len(f.Line) != f.Plies || f.Line[0] != f.Move {
		t.Fatalf("a win in %d plies by %v, its line %v", f.Plies, f.Move, f.Line)
	}
	b = b.Clone()
	for i, m := range f.Line {
		if !b.Legal(m) {
			t.Fatalf("%v of %v cannot be played", m, f.Line)
		}
		if five := b.Wins(b.Side(), m); five != (i == len(f.Line)-1) {
			t.Fatalf("%v of %v: five %v", m, f.Line, five)
		}
		b.Play(m)
	}
}

// TestWins: a win of the side to move is found a step at a time, and in one go.
func TestWins(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, deepWin)
	f := steps(newMemory().Begin(taskFor(b, board.None)), 2_000_000)
	if f.Win == nil {
		t.Fatal("no win")
	}
	checkLine(t, b, f.Win)
	f.Win, _, _ = newMemory().Prove(b, threat.Limits{Nodes: 300_000})
	if f.Win == nil {
		t.Fatal("no win by Prove")
	}
	checkLine(t, b, f.Win)

	quiet := boardtest.After(t, board.Freestyle, 15, "h8i9")
	if win, nodes, over := newMemory().Prove(quiet, threat.Limits{Nodes: 1000}); win != nil || !over || nodes >= 1000 {
		t.Errorf("two stones: %v after %d nodes, nothing left to be tried: %v", win, nodes, over)
	}
	stopped := func() bool { return true }
	if win, nodes, over := newMemory().Prove(b, threat.Limits{Nodes: 300_000, Stop: stopped}); win != nil || over || nodes > 1000 {
		t.Errorf("stopped: %v after %d nodes, nothing left to be tried: %v", win, nodes, over)
	}
}

// TestLossesAreLosses: after a move that is refuted the opponent wins, by a search for wins that starts
// afresh: after one that does not stop a win by fours or by threats, and after the best one.
func TestLossesAreLosses(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	v := threat.NewVCT(4 << 20)
	for _, rule := range []board.Rule{board.Freestyle, board.ExactFive, board.Renju, board.Caro} {
		mem := NewMemory(4<<20, eval.ByTables().New)
		byFours, byThreats := 0, 0
		check := func(b *board.Board, f *Finding) {
			t.Helper()
			if len(f.Line) > f.Plies || f.Line[0] != f.Move {
				t.Errorf("%v: a loss in %d plies, the line %v", rule, f.Plies, f.Line)
			}
			b.Play(f.Move)
			if v.Win(b, threat.Limits{Nodes: 50_000}) == nil {
				t.Errorf("%v: %v does not seem to lose\n%v", rule, f.Move, boardtest.Drawing(b))
			}
			b.Undo()
		}
		for i := range 100 {
			b := middleGame(t, r, rule, 10+r.IntN(12))
			near := b.Candidates()
			moves := near.Append(nil)
			s := mem.Begin(taskFor(b, moves[i%len(moves)]))
			s.Step(0)
			f, count := s.Findings(), &byFours
			for _, m := range moves {
				refuted := slices.ContainsFunc(f.Losses, func(l Finding) bool { return l.Move == m })
				if refuted != (f.Stops != nil && !f.Stops.Has(m)) {
					t.Errorf("%v: %v is refuted: %v", rule, m, refuted)
				}
			}
			if f.Stops == nil {
				f, count = steps(s, 20_000), &byThreats
			}
			for j, l := range f.Losses {
				if *count++; (i+j)%9 == 0 && b.Legal(l.Move) {
					check(b, &l)
				}
			}
		}
		t.Logf("%v: %d moves lose to fours and %d to threats", rule, byFours, byThreats)
		if byFours < 100 || byThreats < 20 {
			t.Errorf("%v: too few", rule)
		}
	}
}

// TestProofsAreKept: what was proved once is known without nodes at the same position, over a search
// of the reply, and after a move that was refuted.
func TestProofsAreKept(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, deepWin)
	mem := newMemory()
	search := func(nodes int64) Findings { return steps(mem.Begin(taskFor(b, board.None)), nodes) }
	win := search(2_000_000).Win
	if win == nil {
		t.Fatal("no win")
	}
	again := func(what string, most int) {
		t.Helper()
		if f := search(0); f.Win == nil || f.Win.Plies > most {
			t.Fatalf("%s: %v, want a win in %d plies", what, f.Win, most)
		}
	}
	again("the same position", win.Plies)
	b.Play(win.Move)
	search(0)
	b.Play(win.Line[1])
	again("after a search of the reply", win.Plies-2)

	r := rand.New(rand.NewPCG(29, 30))
	tested := 0
	for tested < 10 {
		b = middleGame(t, r, board.Freestyle, 14+r.IntN(8))
		mem.Clear()
		if f := search(10_000); f.Stops == nil && len(f.Losses) > 0 { // else no proof by threats
			b.Play(f.Losses[0].Move)
			again("after a refuted move", f.Losses[0].Plies-1)
			tested++
		}
	}
}

// TestProveKeepsOneProof: the proofs of one position after the other do not pile up.
func TestProveKeepsOneProof(t *testing.T) {
	mem := newMemory()
	b := boardtest.After(t, board.Freestyle, 15, "h8a1i8a3j8a5")
	for range 3 {
		if f, _, _ := mem.Prove(b, threat.Limits{Nodes: 1000}); f == nil || len(mem.proofs) != 1 {
			t.Fatalf("%v, %d proofs are kept", f, len(mem.proofs))
		}
	}
}

// TestTurns: a step looks for a win of the side to move or for one after the best move, as often as
// their shares say; it takes its share of all nodes, and all that it searches is counted.
func TestTurns(t *testing.T) {
	deep := boardtest.After(t, board.Freestyle, 15, deepWin)
	values := [...]int{ahead: even + 1, level: even, behind: -even - 1}
	for _, tt := range []struct {
		stones int
		study  bool
		want   *shares
	}{{0, false, &earlyShares}, {early + 1, false, &lateShares}, {0, true, &studyShares}, {early + 1, true, &studyShares}} {
		for at, points := range values {
			b := deep.Clone()
			for b.Ply() < tt.stones {
				b.Pass()
			}
			standing := func() (board.Move, int) { return board.At(0, 0), points }
			mem := newMemory()
			s := mem.Begin(Task{Board: b, Study: tt.study, Standing: standing})
			s.Step(0)
			s.pass.end()
			const turns = 24
			share := tt.want[at]
			own := 0
			side, other := mem.vct[b.Side()], mem.vct[b.Side().Other()]
			for range turns {
				side.Win(mem.b, threat.Limits{Nodes: 1})
				other.Win(mem.b, threat.Limits{Nodes: 1})
				idle := [2]int{side.Nodes(), other.Nodes()}
				n := s.Step(s.next)
				if side.Nodes() != idle[0] {
					own++
					n -= side.Nodes()
				}
				if other.Nodes() != idle[1] {
					n -= other.Nodes()
				}
				if n != 0 {
					t.Errorf("%+v: %d nodes more are counted than searched", tt, n)
				}
			}
			if want := turns * share.own / (share.own + share.reply); own < want-1 || own > want+1 {
				t.Errorf("%+v: %d of %d turns for the side to move, want %d", tt, own, turns, want)
			}
			if most := (share.own + share.reply) * (s.nodes + int(s.every)) / scale; s.nodes > most+1 || s.nodes < most-1 {
				t.Errorf("%+v: a step of %d nodes, want %d", tt, s.nodes, most)
			}
		}
	}
}

// TestStepsDoNotAllocate where nothing is proved.
func TestStepsDoNotAllocate(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	mem := newMemory()
	task := taskFor(b, board.None)
	best := board.None
	task.Standing = func() (board.Move, int) { return best, 0 }
	run := func() {
		s := mem.Begin(task)
		for n := int64(0); n < 40_000; n += stepEvery {
			best = task.Moves[n/stepEvery]
			s.Step(n)
		}
	}
	run()
	if n := testing.AllocsPerRun(3, run); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestGuides: the solver makes an evaluator for each rule and size, and it follows its board.
func TestGuides(t *testing.T) {
	made, orders := 0, 0
	mem := NewMemory(4<<20, func(b *board.Board) eval.Evaluator {
		made++
		return &countingEvaluator{eval.ByTables().New(b), &orders}
	})
	r := rand.New(rand.NewPCG(31, 52))
	for i, rule := range []board.Rule{board.Freestyle, board.Freestyle, board.Renju, board.Renju} {
		orders = 0
		for range 10 {
			steps(mem.Begin(taskFor(middleGame(t, r, rule, 16), board.None)), 20_000)
		}
		if want := i/2 + 1; made != want || orders == 0 {
			t.Errorf("%v: %d evaluators, want %d; %d orders", rule, made, want, orders)
		}
	}
}

type countingEvaluator struct {
	eval.Evaluator
	orders *int
}

func (e *countingEvaluator) Order(moves []board.Move, scores []int32) {
	*e.orders++
	e.Evaluator.Order(moves, scores)
}
