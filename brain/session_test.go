package brain

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// TestRandomSessions calls the methods in random order, with changes of the rule during
// games: every move is legal, no search fails, and the board holds the stones that were put
// on it. What fails takes an order of calls that no test was written for.
func TestRandomSessions(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 9))
		width, height := 5+r.IntN(4), 5+r.IntN(4)
		e := newGame(t, width, height, "max_node", "30", "hash_size", "64")
		cell := func() board.Move { return board.At(r.IntN(width), r.IntN(height)) }
		for step := range 80 {
			before := e.board.Clone()
			switch r.IntN(10) {
			case 0:
				e.Set("rule", strconv.Itoa(r.IntN(16)))
				if err := e.ready(e.Options().Rule); err != nil {
					t.Fatal(err)
				}
			case 1:
				stones := make([]Stone, r.IntN(width*height+3))
				for i := range stones {
					stones[i] = Stone{Move: cell(), Owner: []Owner{Own, Opponent, Own, Opponent, Blocked}[r.IntN(5)]}
				}
				if err := e.Setup(stones); err != nil {
					t.Fatal(err)
				}
			case 2, 3:
				m := cell()
				had := slices.Contains(e.Moves(), m)
				if err := e.TakeBack(m); (err == nil) != had {
					t.Fatalf("seed %d step %d: taking back %v gives %v", seed, step, m, err)
				}
			case 4:
				if _, err := e.Forbidden(); err != nil {
					t.Fatal(err)
				}
			case 5:
				if o, err := e.Opening(context.Background(), nil, Query{}); err != nil || len(o.Notes) > 0 {
					t.Fatalf("seed %d step %d: opening %+v, %v", seed, step, o, err)
				}
			case 6:
				m := cell()
				if err := e.Play(m); (err == nil) != (before.Cell(m) == board.Empty) {
					t.Fatalf("seed %d step %d: playing %v gives %v", seed, step, m, err)
				}
			default:
				thought, err := e.Think(context.Background(), Query{Lines: 1 + r.IntN(4)})
				if errors.Is(err, ErrFull) {
					continue
				}
				if err != nil || len(thought.Notes) > 0 && thought.Infos == nil {
					t.Fatalf("seed %d step %d: %+v, %v", seed, step, thought, err)
				}
				checkMove(t, "seed "+strconv.FormatUint(seed, 10), before, thought.Move)
			}
			fresh := boardtest.New(t, e.board.Rule(), width, height)
			if e.game.SetUp(fresh); fresh.Hash() != e.board.Hash() || fresh.Ply() != e.board.Ply() || fresh.Side() != e.board.Side() {
				t.Fatalf("seed %d step %d: the board is not as it would be laid out anew", seed, step)
			}
		}
	}
}
