package brain

import (
	"context"
	"testing"
	"time"

	"tengen/brain/board"
)

func TestPonderEndsSoonAndFillsTheTable(t *testing.T) {
	e := newGame(t, 15, 15)
	set(t, e, "h8i9i7")
	ctx, cancel := context.WithCancel(context.Background())
	start := time.Now()
	time.AfterFunc(200*time.Millisecond, cancel)
	if err := e.Ponder(ctx); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
	if e.Stones() != 3 {
		t.Errorf("%d stones, want 3", e.Stones())
	}
	if used, _ := e.TableUsage(); used < 100 {
		t.Errorf("%d entries", used)
	}
	set(t, e, "h8a1i8a2j8a3k8a4l8")
	if err := e.Ponder(context.Background()); err != nil { // the game is over
		t.Error(err)
	}
	e = newGame(t, 15, 15)
	if err := e.Setup(overBeforeTheLastStone(t)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if err := e.Ponder(ctx); err != nil {
		t.Error(err)
	}
	if used, _ := e.TableUsage(); used > 0 {
		t.Errorf("%d entries of a game that is over", used)
	}
}

// A level has no more than its own search finds.
func TestLevelsDoNotPonder(t *testing.T) {
	e := newGame(t, 15, 15, "strength", "67")
	set(t, e, "h8i9i7")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := e.Ponder(ctx); err != nil {
		t.Fatal(err)
	}
	if used, _ := e.TableUsage(); used > 0 {
		t.Errorf("%d entries", used)
	}
}

// What is found on the other's time counts in the search that follows, whatever the style.
func TestPonderHasTheStyleOfTheOtherSide(t *testing.T) {
	nodes := func(style string, ponder time.Duration) int64 {
		e := newGame(t, 15, 15, "max_depth", "8", "style", style, "hash_size", "4096")
		set(t, e, "f8e8g8d6h8d10")
		e.Play(board.At(8, 7))
		if ponder > 0 {
			ctx, cancel := context.WithTimeout(context.Background(), ponder)
			defer cancel()
			if err := e.Ponder(ctx); err != nil {
				t.Fatal(err)
			}
		}
		e.Play(board.At(9, 7)) // forced
		return think(t, e).Infos[0].Nodes
	}
	for _, style := range []string{"-100", "60"} {
		without := nodes(style, 0)
		ponder := 500 * time.Millisecond // on a busy machine it may come to nothing
		for nodes(style, ponder) == without {
			if ponder *= 2; ponder > 10*time.Second {
				t.Errorf("style %s: %d nodes, after pondering and without", style, without)
				break
			}
		}
	}
}
