package brain

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/level"
	"tengen/brain/play"
	"tengen/brain/search"
)

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

// checkWeak fails the test if m is forbidden, lies far from all stones or, above strength
// 0, leaves a five unplayed or the opponent's five open.
func checkWeak(t *testing.T, strength int, b *board.Board, m board.Move) {
	t.Helper()
	checkMove(t, "strength "+strconv.Itoa(strength), b, m)
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
	if strength == 0 {
		return
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

// setUpMoves sets up the moves with the engine to move.
func setUpMoves(t *testing.T, e *Engine, moves []board.Move) {
	t.Helper()
	stones := make([]Stone, len(moves))
	for i, m := range moves {
		stones[i] = Stone{m, Own}
		if (len(moves)-i)%2 == 1 {
			stones[i].Owner = Opponent
		}
	}
	if err := e.Setup(stones); err != nil {
		t.Fatal(err)
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
				e := newGame(t, size, size, "rule", strconv.Itoa(int(rule)), "max_node", "250")
				for i := range 240 {
					b := randomPosition(t, r, rule, size)
					moves := b.Moves()
					if b.Empties() == 0 {
						continue
					}
					fives += min(len(winsFor(b, b.Side())), 1)
					fours += min(len(winsFor(b, b.Side().Other())), 1)
					strength := weakStrengths[i%len(weakStrengths)]
					e.Set("strength", strconv.Itoa(strength))
					setUpMoves(t, e, moves)
					checkWeak(t, strength, b, think(t, e).Move)
				}
			}
			if fives < 40 || fours < 40 {
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

// TestFullStrengthStaysNear: also a stone alone near the edge is answered near it.
func TestFullStrengthStaysNear(t *testing.T) {
	for _, lines := range []int{1, 3} {
		e := newGame(t, 15, 15, "max_node", "200")
		for y := range 15 {
			setUpMoves(t, e, []board.Move{board.At(14, y)})
			before := e.board.Clone()
			thought, err := e.Think(t.Context(), Query{Lines: lines})
			if err != nil {
				t.Fatal(err)
			}
			if d := distance(before, thought.Move); d > 3 {
				t.Errorf("o%d with %d lines: %v lies %d cells away", y+1, lines, thought.Move, d)
			}
		}
	}
}

// Whoever asks for moves further away gets what the search finds there.
func TestCautionAllowsFarMoves(t *testing.T) {
	e := newGame(t, 15, 15, "max_node", "2000", "caution_factor", "5")
	far := 0
	for y := range 15 {
		setUpMoves(t, e, []board.Move{board.At(14, y)})
		before := e.board.Clone()
		thought := think(t, e)
		if len(thought.Infos) != 1 || thought.Infos[0].PV[0] != thought.Move {
			t.Errorf("o%d: plays %v, the search says %+v", y+1, thought.Move, thought.Infos)
		}
		if distance(before, thought.Move) > 3 {
			far++
		}
	}
	if far == 0 {
		t.Error("every move is near")
	}
}

// TestWeakGamesKeepTheRulesOfPlay plays whole games of all levels against each other.
func TestWeakGamesKeepTheRulesOfPlay(t *testing.T) {
	for i, strength := range weakStrengths {
		rule, size := []board.Rule{board.Freestyle, board.Renju, board.ExactFive, board.Caro}[i%4], []int{15, 20, 11}[i%3]
		e := newGame(t, size, size, "rule", strconv.Itoa(int(rule)), "max_node", "400")
		e.Seed(uint64(i) + 1)
		if err := e.Restart(); err != nil {
			t.Fatal(err)
		}
		for range 60 {
			who := []int{strength, weakStrengths[(i+1)%len(weakStrengths)]}[e.Stones()%2]
			e.Set("strength", strconv.Itoa(who))
			before := e.board.Clone()
			m := think(t, e).Move
			checkWeak(t, who, before, m)
			if before.Wins(before.Side(), m) {
				break
			}
		}
	}
}

func TestSeedMakesWeakGamesRepeatable(t *testing.T) {
	game := func(e *Engine, seed uint64) (moves []board.Move) {
		e.Seed(seed)
		if err := e.Restart(); err != nil {
			t.Fatal(err)
		}
		for range 14 {
			moves = append(moves, think(t, e).Move)
		}
		return moves
	}
	for _, strength := range []string{"0", "33", "67"} {
		e := newGame(t, 15, 15, "strength", strength, "max_node", "400")
		a, b, c := game(e, 5), game(e, 6), game(e, 5)
		if !slices.Equal(a, c) {
			t.Errorf("strength %s: seed 5 gives %v, then %v", strength, a, c)
		}
		if slices.Equal(a, b) {
			t.Errorf("strength %s: seeds 5 and 6 give the same game", strength)
		}
		if d, again := game(e, 0), game(e, 0); slices.Equal(d, again) {
			t.Errorf("strength %s: two games without a seed are the same: %v", strength, d)
		}
	}
}

// A level holds whatever moves are left out, and plays none of them.
func TestLevelsKeepToRestrictions(t *testing.T) {
	for _, strength := range []string{"0", "22", "67"} {
		for _, info := range [][]string{nil, {"max_moves", "225"}, {"max_moves", "20"}, {"draw_result", "1"}} {
			e := newGame(t, 15, 15, append([]string{"strength", strength}, info...)...)
			e.Seed(3)
			set(t, e, "h8i9i7g9h10")
			free := e.board.Candidates()
			for i, m := range free.Append(nil) {
				if i%2 == 0 {
					e.Block(m, true)
				}
			}
			before := e.board.Clone()
			got := think(t, e)
			if got.Infos[0].Nodes > 2*level.Nodes(78) {
				t.Errorf("strength %s with %v: %d nodes", strength, info, got.Infos[0].Nodes)
			}
			if slices.Contains(e.blocks.cells, got.Move) || !before.Legal(got.Move) {
				t.Errorf("strength %s with %v: plays %v, which is blocked", strength, info, got.Move)
			}
		}
	}
	// A five that is blocked is not played, and what is left is.
	e := newGame(t, 15, 15, "strength", "11")
	set(t, e, "d8a1e8a3f8a5g8a7")
	e.Block(cells(t, "c8")[0], true)
	if got := think(t, e); got.Move != cells(t, "h8")[0] {
		t.Errorf("plays %v, want h8", got.Move)
	}
}

// There are as many lines as moves that are left.
func TestLevelsShowNoEmptyLines(t *testing.T) {
	e := newGame(t, 5, 5, "strength", "44")
	set(t, e, "c3b2")
	for y := range 4 {
		for x := range 5 {
			e.Block(board.At(x, y), true)
		}
	}
	got := analyze(t, e, Query{Lines: AllLines})
	if len(got.Infos) != 5 || slices.ContainsFunc(got.Infos, func(i Info) bool { return len(i.PV) == 0 }) {
		t.Errorf("%d lines of five: %+v", len(got.Infos), got.Infos)
	}
}

// Of several lines that are wanted the move is the first of one.
func TestLevelsShowTheMoveAmongLines(t *testing.T) {
	e := newGame(t, 15, 15, "strength", "44", "max_node", "400")
	for seed := range uint64(30) {
		e.Seed(seed + 1)
		if err := e.Restart(); err != nil {
			t.Fatal(err)
		}
		set(t, e, "h8i9")
		got := analyze(t, e, Query{Lines: 2})
		shown := slices.ContainsFunc(got.Infos, func(i Info) bool { return i.PV[0] == got.Move })
		if len(got.Infos) != 2 || got.Infos[0].Lines != 2 || !shown {
			t.Errorf("seed %d: plays %v, shows %+v", seed+1, got.Move, got.Infos)
		}
	}
}

func TestFullStrengthIsTheSearchItself(t *testing.T) {
	moves := quietPositions(t, 1)[0]
	e := newGame(t, 15, 15, "max_node", "3000", "strength", "100", "style", "0")
	for _, m := range moves {
		if err := e.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	b := e.board.Clone()
	got := think(t, e)
	want := newPool(256<<10).Search(t.Context(), b, search.Limits{Nodes: 3000}, nil)
	if got.Move != want.Move || got.Infos[0].Nodes != want.Info.Nodes || got.Infos[0].Score != want.Info.Score {
		t.Errorf("%+v, the search says %+v", got, want)
	}
}

// simplePlayer completes a five, stops one, or else lengthens its longest line that can become
// a five.
func simplePlayer(b *board.Board, r *rand.Rand) board.Move {
	s := b.Side()
	for _, cells := range [][]board.Move{winsFor(b, s), winsFor(b, s.Other())} {
		for _, m := range cells {
			if b.Legal(m) {
				return m
			}
		}
	}
	best, top := play.AnyMove(b), -1
	if b.Ply() == 0 {
		return best
	}
	for _, m := range b.Open().Append(nil) {
		if !b.Legal(m) {
			continue
		}
		for d := range board.Directions {
			own, room := 1, 1
			for _, step := range []int{board.Step(d), -board.Step(d)} {
				at := int(m) + step
				for ; b.Cell(board.Move(at)) == s; at += step {
					own++
				}
				room += own - 1
				for i := 0; i < 4 && b.Cell(board.Move(at)) == board.Empty; i++ {
					room++
					at += step
				}
			}
			if room < 5 {
				own = 0
			}
			if v := own*1000 + r.IntN(1000); v > top {
				best, top = m, v
			}
		}
	}
	return best
}

// TestLowestLevelLosesToASimplePlayer: the simple player, which only sees fours and lengthens lines,
// beats it.
func TestLowestLevelLosesToASimplePlayer(t *testing.T) {
	const games = 40
	lost := 0
	for i := range games {
		r := rand.New(rand.NewPCG(7, uint64(i)))
		e := newGame(t, 15, 15, "strength", "0")
		e.Seed(uint64(i) + 1)
		if err := e.Restart(); err != nil {
			t.Fatal(err)
		}
		for e.board.Empties() > 0 {
			b := e.board.Clone()
			var m board.Move
			mine := b.Ply()%2 == i%2
			if mine {
				m = think(t, e).Move
			} else {
				m = simplePlayer(b, r)
				if err := e.Play(m); err != nil {
					t.Fatal(err)
				}
			}
			if b.Wins(b.Side(), m) {
				if !mine {
					lost++
				}
				break
			}
		}
	}
	t.Logf("lost %d of %d", lost, games)
	if lost < games*7/10 {
		t.Errorf("lost %d of %d games", lost, games)
	}
}
