package brain

import (
	"context"
	"slices"
	"testing"
	"time"

	"tengen/brain/board"
)

// TestGamesDoNotDependOnEarlierGames plays the same game twice in one process, with
// another between.
func TestGamesDoNotDependOnEarlierGames(t *testing.T) {
	e := New()
	e.Set("max_node", "2000")
	play := func(size int) (moves []board.Move) {
		if err := e.NewGame(size, size); err != nil {
			t.Fatal(err)
		}
		for range 12 {
			th, err := e.Think(context.Background(), time.Now(), 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			moves = append(moves, th.Move)
		}
		return moves
	}
	first := play(15)
	play(20)
	if again := play(15); !slices.Equal(first, again) {
		t.Errorf("%v, then %v", first, again)
	}
}
