package brain

import (
	"context"
	"slices"
	"testing"
	"time"

	"tengen/brain/board"
)

// TestGamesDoNotDependOnEarlierGames plays the same game twice in one process, with another
// game between.
func TestGamesDoNotDependOnEarlierGames(t *testing.T) {
	e := New(Config{})
	e.Set("max_node", "2000")
	play := func(size int) (moves []board.Move) {
		if err := e.NewGame(size, size); err != nil {
			t.Fatal(err)
		}
		for range 12 {
			th, err := e.Think(context.Background(), Query{})
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

// spend lets e use d for a move that begins now.
func spend(e *Engine, d time.Duration) {
	now := time.Now()
	e.spend(now, now.Add(d))
}

// What a manager tells during a move is left at that time, not at the beginning of the move.
func TestTimeLeftIsToldDuringAMove(t *testing.T) {
	e := newGame(t, 15, 15, "timeout_match", "10000", "time_increment", "100")
	e.Set("time_left", "6000")
	e.spend(e.leftSet.Add(-3*time.Second), e.leftSet.Add(time.Second))
	if got := e.Options().Left; got != 5100*time.Millisecond {
		t.Errorf("left %v, want what the manager said less the second after that", got)
	}
	e.Set("time_left", "2147483647")
	if got := e.Options().Left; got != 6100*time.Millisecond {
		t.Errorf("left %v of the match, want it less the whole move", got)
	}
}

// TestIncrementIsCredited: a manager that tells the time once grants the increment for
// every move.
func TestIncrementIsCredited(t *testing.T) {
	e := New(Config{})
	e.Set("timeout_match", "800")
	e.Set("time_increment", "400")
	for range 3 {
		spend(e, 300*time.Millisecond)
	}
	if got, want := e.Options().Left, 1100*time.Millisecond; got != want {
		t.Errorf("%v left after three moves of 300 ms, want %v", got, want)
	}
	e.Set("time_left", "500")
	spend(e, 450*time.Millisecond)
	if got, want := e.Options().Left, 450*time.Millisecond; got != want {
		t.Errorf("%v left after time_left 500 and a move of 450 ms, want %v", got, want)
	}
}

// TestHugeIncrements: the time used in a long game, less the increments, is a number that a
// Duration holds.
func TestHugeIncrements(t *testing.T) {
	e := New(Config{})
	e.Set("timeout_match", "10000")
	e.Set("time_increment", "9000000000000000000")
	last := e.Options().Left
	for range board.MaxSize * board.MaxSize {
		spend(e, time.Second)
		if left := e.Options().Left; left <= last {
			t.Fatalf("%v left, and after a move and its increment %v", last, left)
		}
		last = e.Options().Left
	}
}
