package brain

import (
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/level"
	"tengen/brain/search"
)

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

// setUpMoves sets up the moves with the engine to move.
func setUpMoves(t *testing.T, e *Engine, moves []board.Move) {
	t.Helper()
	stones := make([]Stone, len(moves))
	for i, m := range moves {
		stones[i] = Stone{Move: m, Owner: Own}
		if (len(moves)-i)%2 == 1 {
			stones[i].Owner = Opponent
		}
	}
	if err := e.Setup(stones); err != nil {
		t.Fatal(err)
	}
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
	for _, strength := range []string{"0", "33", "56"} {
		e := newGame(t, 15, 15, "strength", strength, "max_node", "400")
		a, b, c := game(e, 5), game(e, 6), game(e, 5)
		if !slices.Equal(a, c) {
			t.Errorf("strength %s: seed 5 gives %v, then %v", strength, a, c)
		}
		if slices.Equal(a, b) {
			t.Errorf("strength %s: seeds 5 and 6 give the same game", strength)
		}
		first, same := game(e, 0), true
		for range 4 { // chance may make two games the same
			same = same && slices.Equal(game(e, 0), first)
		}
		if same {
			t.Errorf("strength %s: five games without a seed are the same: %v", strength, first)
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
			if slices.Contains(e.restrictions(e.Options(), before).Root, got.Move) || !before.Legal(got.Move) {
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
