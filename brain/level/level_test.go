package level

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
	"tengen/brain/internal/playtest"
	"tengen/brain/play"
	"tengen/brain/score"
	"tengen/brain/search"
)

// newPlayer returns a player whose searches find what the tables say of each move.
func newPlayer(strength int, seed uint64) (*Player, *playtest.Searcher) {
	tables := eval.Embedded().Tables
	s := &playtest.Searcher{Value: func(b *board.Board, m board.Move) score.Value {
		if b.Wins(b.Side(), m) {
			return score.WinIn(1)
		}
		b.Play(m)
		defer b.Undo()
		return -score.Value(tables(b).Value())
	}}
	return &Player{Strength: strength, Searcher: s, Workers: 1, Tables: tables, Seed: seed}, s
}

// winsFor lists the cells where a stone of c completes a winning row, by walking lines.
func winsFor(b *board.Board, c board.Color) (cells []board.Move) {
	for y := range b.Height() {
		for x := range b.Width() {
			if m := board.At(x, y); b.Cell(m) == board.Empty && b.Wins(c, m) {
				cells = append(cells, m)
			}
		}
	}
	return cells
}

// distance returns how far m lies from the nearest stone, as a king walks.
func distance(b *board.Board, m board.Move) int {
	least := board.MaxSize
	for y := range b.Height() {
		for x := range b.Width() {
			if c := b.Cell(board.At(x, y)); c == board.Black || c == board.White {
				least = min(least, max(x-m.X(), m.X()-x, y-m.Y(), m.Y()-y))
			}
		}
	}
	return least
}

// checkWeak fails the test if m is forbidden, lies far from all stones or leaves a five unplayed or the
// opponent's five open.
func checkWeak(t *testing.T, strength int, b *board.Board, m board.Move) {
	t.Helper()
	if b.Cell(m) != board.Empty {
		t.Fatalf("strength %d plays %v in\n%v", strength, m, boardtest.Drawing(b))
	}
	s, o := b.Side(), b.Side().Other()
	legal := slices.DeleteFunc(b.Open().Append(nil), func(m board.Move) bool { return !b.Legal(m) })
	if len(legal) == 0 {
		return
	}
	if !b.Legal(m) {
		t.Fatalf("strength %d plays %v, which is forbidden, in\n%v", strength, m, boardtest.Drawing(b))
	}
	near := func(m board.Move) bool { return distance(b, m) <= 3 }
	if b.Ply() > 0 && !near(m) && slices.ContainsFunc(legal, near) {
		t.Fatalf("strength %d plays %v, %d cells from every stone, in\n%v", strength, m, distance(b, m), boardtest.Drawing(b))
	}
	if fives := winsFor(b, s); len(fives) > 0 {
		if !slices.Contains(fives, m) {
			t.Fatalf("strength %d plays %v and leaves its five on %v unplayed in\n%v", strength, m, fives, boardtest.Drawing(b))
		}
		return
	}
	before := winsFor(b, o)
	stops := func(m board.Move) bool {
		b.Play(m)
		defer b.Undo()
		return slices.ContainsFunc(before, func(c board.Move) bool { return b.Cell(c) != board.Empty || !b.Wins(o, c) })
	}
	if len(before) > 0 && !stops(m) && slices.ContainsFunc(legal, stops) {
		t.Fatalf("strength %d plays %v and leaves %v to its opponent in\n%v", strength, m, before, boardtest.Drawing(b))
	}
}

var weakStrengths = []int{0, 1, 11, 22, 33, 44, 56, 67, 78, 89, 99, 100}

// TestNoLevelPlaysNonsense: random positions, crowded and with stones far from each other,
// with many fives and fours to make and to stop.
func TestNoLevelPlaysNonsense(t *testing.T) {
	for _, rule := range []board.Rule{board.Freestyle, board.ExactFive, board.Renju, board.Caro, board.Caro | board.ExactFive} {
		t.Run(rule.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(6, uint64(rule)))
			fives, fours := 0, 0
			for _, size := range []int{7, 15, 20} {
				for i := range 100 {
					b := randomPosition(t, r, rule, size)
					if b.Empties() == 0 {
						continue
					}
					fives += min(len(winsFor(b, b.Side())), 1)
					fours += min(len(winsFor(b, b.Side().Other())), 1)
					strength := weakStrengths[i%len(weakStrengths)]
					p, _ := newPlayer(strength, uint64(i))
					a := p.Search(t.Context(), b, search.Limits{}, nil)
					if a.Move == board.None && !b.HasMove() {
						continue
					}
					checkWeak(t, strength, b, a.Move)
				}
			}
			if fives < 20 || fours < 20 {
				t.Errorf("only %d fives and %d fours seen", fives, fours)
			}
		})
	}
}

// randomPosition has stones in a box of the board, sometimes one far away, and no five.
func randomPosition(t *testing.T, r *rand.Rand, rule board.Rule, size int) *board.Board {
	t.Helper()
	b := boardtest.New(t, rule, size, size)
	box := min(5+r.IntN(5), size)
	left, top := r.IntN(size-box+1), r.IntN(size-box+1)
	stones := 1 + r.IntN(box*box*2/3)
	for range 200 {
		m := board.At(left+r.IntN(box), top+r.IntN(box))
		if r.IntN(40) == 0 {
			m = board.At(r.IntN(size), r.IntN(size))
		}
		if b.Ply() < stones && b.Legal(m) && !b.Wins(b.Side(), m) {
			b.Play(m)
		}
	}
	return b
}

// TestGamesOfAllLevels plays games of all levels against each other.
func TestGamesOfAllLevels(t *testing.T) {
	for i, strength := range weakStrengths {
		rule, size := []board.Rule{board.Freestyle, board.Renju, board.ExactFive, board.Caro}[i%4], []int{15, 20, 11}[i%3]
		b := boardtest.New(t, rule, size, size)
		for ply := range 60 {
			who := []int{strength, weakStrengths[(i+1)%len(weakStrengths)]}[ply%2]
			p, _ := newPlayer(who, uint64(i))
			m := p.Search(t.Context(), b, search.Limits{}, nil).Move
			checkWeak(t, who, b, m)
			if b.Wins(b.Side(), m) {
				break
			}
			b.Play(m)
		}
	}
}

// The seed decides, and nothing else.
func TestSeed(t *testing.T) {
	game := func(strength int, seed uint64) []board.Move {
		b := boardtest.New(t, board.Freestyle, 15, 15)
		for range 14 {
			p, _ := newPlayer(strength, seed)
			b.Play(p.Search(t.Context(), b, search.Limits{}, nil).Move)
		}
		return b.Moves()
	}
	for _, strength := range []int{0, 33, 56} {
		a, other, again := game(strength, 5), game(strength, 6), game(strength, 5)
		if !slices.Equal(a, again) || slices.Equal(a, other) {
			t.Errorf("strength %d: seed 5 gives %v and %v, seed 6 %v", strength, a, again, other)
		}
	}
}

// A search has the nodes of the level, but no more than its limits allow, and as many lines as the level
// compares, or as are asked for.
func TestSearchOfALevel(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9")
	const strength = 67
	for _, test := range []struct {
		limits search.Limits
		nodes  int64
		lines  int
	}{
		{search.Limits{}, 3 * levelOf(strength).nodes, levelOf(strength).lines},
		{search.Limits{Nodes: 700}, 700, levelOf(strength).lines},
		{search.Limits{Lines: 7}, 3 * levelOf(strength).nodes, 7},
	} {
		p, s := newPlayer(strength, 1)
		p.Workers = 3
		a := p.Search(t.Context(), b, test.limits, nil)
		if len(s.Asked) != 1 || s.Asked[0].Nodes != test.nodes || s.Asked[0].Lines != test.lines {
			t.Errorf("%+v: asks for %+v", test.limits, s.Asked)
		}
		shown := slices.ContainsFunc(a.Infos, func(i search.Info) bool { return i.PV[0] == a.Move })
		if !shown || len(a.Infos) != max(test.limits.Lines, 1) {
			t.Errorf("%+v: plays %v, shows %+v", test.limits, a.Move, a.Infos)
		}
	}
}

// Levels without a random error play no two games that are the same, each as the seed says, with the
// nodes of the level in the mean.
func TestGamesOfStrongLevelsDiffer(t *testing.T) {
	pool := search.NewPool(eval.Embedded().New, search.DefaultParams(), 1, 8<<20)
	game := func(n int, seed uint64) []board.Move {
		pool.Clear()
		b := boardtest.After(t, board.Freestyle, 15, "h8i9")
		for range 8 {
			p := Player{Strength: Strength(n), Searcher: &play.AlphaBeta{Pool: pool}, Workers: 1, Tables: eval.Embedded().Tables, Seed: seed}
			b.Play(p.Search(t.Context(), b, search.Limits{}, nil).Move)
		}
		return b.Moves()
	}
	a, other, again := game(12, 5), game(12, 6), game(12, 5)
	if !slices.Equal(a, again) || slices.Equal(a, other) {
		t.Errorf("seed 5 gives %v and %v, seed 6 %v", a, again, other)
	}
	b := boardtest.After(t, board.Freestyle, 15, "h8i9")
	for n := 12; n < Count; n++ {
		sum, least, most := int64(0), int64(math.MaxInt64), int64(0)
		for seed := range uint64(100) {
			p, s := newPlayer(Strength(n), seed)
			p.Search(t.Context(), b, search.Limits{}, nil)
			nodes := s.Asked[0].Nodes
			sum, least, most = sum+nodes, min(least, nodes), max(most, nodes)
		}
		level := levels[n-1].nodes
		if mean := sum / 100; mean < level*97/100 || mean > level*103/100 || least < level*80/100 || most > level*120/100 {
			t.Errorf("level %d: %d nodes in the mean, %d to %d, want %d", n, mean, least, most, level)
		}
	}
}

// The error of a level is bounded: no line that is worse by more than both errors is played.
func TestNoiseIsBounded(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9")
	for seed := range uint64(200) {
		p, s := newPlayer(67, seed)
		best := b.Central()
		s.Value = func(b *board.Board, m board.Move) score.Value {
			switch {
			case m == best:
				return 2*levelOf(67).noise + 1
			case distance(b, m) <= farthest:
				return 0
			}
			return -1000
		}
		if a := p.Search(t.Context(), b, search.Limits{}, nil); a.Move != best && len(s.Asked) > 0 {
			t.Fatalf("seed %d: plays %v", seed, a.Move)
		}
	}
}

// A level without a search that finds a move plays one all the same, and passes the notes on.
func TestFailedSearch(t *testing.T) {
	p, s := newPlayer(89, 1)
	s.Fails = true
	b := boardtest.After(t, board.Freestyle, 15, "h8i9")
	a := p.Search(t.Context(), b, search.Limits{}, nil)
	if !b.Legal(a.Move) || !a.Failed || len(a.Notes) != 1 || len(a.Infos) != 1 {
		t.Errorf("%+v", a)
	}
}

// A level holds whatever moves are left out, and plays none of them.
func TestRestrictions(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	free := b.Candidates()
	r := &search.Restrictions{}
	for i, m := range free.Append(nil) {
		if i%2 == 0 {
			r.Root = append(r.Root, m)
		}
	}
	for _, strength := range []int{0, 22, 67} {
		p, _ := newPlayer(strength, 3)
		if m := p.Search(t.Context(), b, search.Limits{Restrict: r}, nil).Move; slices.Contains(r.Root, m) || !b.Legal(m) {
			t.Errorf("strength %d: plays %v, which is blocked", strength, m)
		}
	}
	// A five that is blocked is not played, and what is left is.
	b = boardtest.After(t, board.Freestyle, 15, "d8a1e8a3f8a5g8a7")
	p, _ := newPlayer(11, 1)
	if m := p.Search(t.Context(), b, search.Limits{Restrict: &search.Restrictions{Root: []board.Move{board.At(2, 7)}}}, nil).Move; m != board.At(7, 7) {
		t.Errorf("plays %v, want h8", m)
	}
}

// A search whose best move lies far from the stones gives way to its first line that does not, or to a
// move without search, unless far moves are asked for.
func TestNear(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "a1")
	far, near := board.At(10, 10), board.At(2, 2)
	s := &playtest.Searcher{Value: func(_ *board.Board, m board.Move) score.Value {
		return map[board.Move]score.Value{far: 3, board.At(11, 11): 2, near: 1}[m]
	}}
	n := Near{Searcher: s, Tables: eval.Embedded().Tables}
	for _, test := range []struct {
		name   string
		limits search.Limits
		want   func(play.Answer) bool
	}{
		{"one line", search.Limits{}, func(a play.Answer) bool { return distance(b, a.Move) <= 3 && a.Infos == nil }},
		{"three lines", search.Limits{Lines: 3}, func(a play.Answer) bool { return a.Move == near && len(a.Infos) == 3 }},
		{"all cells", search.Limits{Reach: board.MaxSize}, func(a play.Answer) bool { return a.Move == far && len(a.Infos) == 1 }},
		{"restrictions", search.Limits{Restrict: &search.Restrictions{}}, func(a play.Answer) bool { return a.Move == far }},
	} {
		if a := n.Search(t.Context(), b, test.limits, nil); !test.want(a) {
			t.Errorf("%s: %+v", test.name, a)
		}
	}
	empty := boardtest.New(t, board.Freestyle, 15, 15)
	if a := n.Search(t.Context(), empty, search.Limits{}, nil); a.Move != far {
		t.Errorf("on an empty board: %v", a.Move)
	}
}

// TestLevelsGrow: each level errs less and searches more than the one below, in between, too.
func TestLevelsGrow(t *testing.T) {
	old := levelOf(0)
	for strength := 1; strength < Full; strength++ {
		l := levelOf(strength)
		if l.nodes < old.nodes || l.noise > old.noise || l.unsearched > old.unsearched || l.missedThrees > old.missedThrees {
			t.Errorf("strength %d: %+v, the one below %+v", strength, l, old)
		}
		if l == old {
			t.Errorf("strength %d is no more than %d", strength, strength-1)
		}
		old = l
	}
	for n := 1; n <= Count; n++ {
		if got := levelOf(Strength(n)); got != levels[n-1] {
			t.Errorf("level %d, strength %d: %+v, want %+v", n, Strength(n), got, levels[n-1])
		}
	}
	if Strength(1) != 0 || Strength(Count) != Full {
		t.Errorf("the levels go from %d to %d", Strength(1), Strength(Count))
	}
}

// A three far from the last stones is overlooked more often than one beside them, a four never.
func TestEyesAreWhereTheLastStonesAre(t *testing.T) {
	missed := func(strength int, moves string, stops ...string) (n int) {
		b := boardtest.After(t, board.Freestyle, 15, moves)
		for seed := range uint64(400) {
			p, _ := newPlayer(strength, seed)
			if m := p.Search(t.Context(), b, search.Limits{}, nil).Move; !slices.Contains(stops, m.String()) {
				n++
			}
		}
		return n
	}
	// Black has d8 e8 f8, and then White is to move after stones beside them or far away.
	near := missed(Strength(3), "d8m2e8l4f8", "b8", "c8", "g8", "h8")
	far := missed(Strength(3), "d8l4e8m2f8n6m13k2", "b8", "c8", "g8", "h8")
	if near*3 > far*2 || far == 400 {
		t.Errorf("of 400 threes %d are missed beside the last stone, and %d far from it", near, far)
	}
	if n := missed(0, "d8a1e8a3f8a5g8o1o13o3", "c8", "h8"); n > 0 {
		t.Errorf("of 400 fours far from the last stones %d are missed", n)
	}
}
