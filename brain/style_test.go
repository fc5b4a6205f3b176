package brain

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// quietPositions returns positions of 8 to 16 stones near the middle where neither side
// can make a four or an open three next to the other's.
func quietPositions(t *testing.T, n int) [][]board.Move {
	t.Helper()
	r := rand.New(rand.NewPCG(44, 1))
	b := boardtest.New(t, board.Freestyle, 15, 15)
	var all [][]board.Move
	for len(all) < n {
		b.Reset()
		var moves []board.Move
		for stones := 8 + r.IntN(9); len(moves) < stones; {
			m := board.At(4+r.IntN(7), 4+r.IntN(7))
			if b.Legal(m) {
				b.Play(m)
				moves = append(moves, m)
			}
		}
		if b.Count(board.Black, board.MakesFour)+b.Count(board.White, board.MakesFour) == 0 &&
			b.Count(board.Black, board.MakesOpenFour)+b.Count(board.White, board.MakesOpenFour) == 0 &&
			b.Count(board.Black, board.MakesFourThree)+b.Count(board.White, board.MakesFourThree) == 0 &&
			b.Count(board.Black, board.MakesTwoThrees)+b.Count(board.White, board.MakesTwoThrees) == 0 {
			all = append(all, moves)
		}
	}
	return all
}

// TestStyleShowsInTheMoves: attack makes more lines of one's own than defense does, and defense spoils
// more of the opponent's. One position shows nothing, since the best move may do either.
func TestStyleShowsInTheMoves(t *testing.T) {
	positions := quietPositions(t, 60)
	count := func(style int) (made, spoiled int) {
		for _, moves := range positions {
			e := newGame(t, 15, 15, "max_node", "300", "style", strconv.Itoa(style))
			for _, m := range moves {
				if err := e.Play(m); err != nil {
					t.Fatal(err)
				}
			}
			before := e.board.Clone()
			m := think(t, e).Move
			if before.Class(before.Side(), m) >= board.MakesClosedThree {
				made++
			}
			if before.Class(before.Side().Other(), m) >= board.MakesClosedThree {
				spoiled++
			}
		}
		return made, spoiled
	}
	defenseMade, defenseSpoiled := count(-100)
	attackMade, attackSpoiled := count(100)
	if attackMade <= defenseMade {
		t.Errorf("lines made: %d by defense, %d by attack", defenseMade, attackMade)
	}
	if attackSpoiled >= defenseSpoiled {
		t.Errorf("lines spoiled: %d by defense, %d by attack", defenseSpoiled, attackSpoiled)
	}
}

// TestStyleLeavesNothingBehind: a search of one style uses no table entry of another.
func TestStyleLeavesNothingBehind(t *testing.T) {
	moves := quietPositions(t, 1)[0]
	nodes := func(e *Engine, style string) int64 {
		e.Set("style", style)
		if err := e.Restart(); err != nil {
			t.Fatal(err)
		}
		return again(t, e, moves, style)
	}
	fresh := map[string]int64{}
	for _, style := range []string{"0", "40", "-70"} {
		fresh[style] = nodes(newGame(t, 15, 15, "max_depth", "6", "hash_size", "8192"), style)
	}
	if fresh["0"] == fresh["40"] || fresh["40"] == fresh["-70"] {
		t.Errorf("styles make no difference: %v", fresh)
	}
	e := newGame(t, 15, 15, "max_depth", "6", "hash_size", "8192")
	for _, style := range []string{"0", "40", "-70"} {
		if got := again(t, e, moves, style); got != fresh[style] {
			t.Errorf("style %s: %d nodes after others, %d alone", style, got, fresh[style])
		}
	}
}

// again sets up the moves and returns the nodes of a search.
func again(t *testing.T, e *Engine, moves []board.Move, style string) int64 {
	t.Helper()
	e.Set("style", style)
	setUpMoves(t, e, moves)
	return think(t, e).Infos[0].Nodes
}
