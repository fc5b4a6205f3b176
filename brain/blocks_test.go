package brain

import (
	"context"
	"errors"
	"testing"
	"time"

	"tengen/brain/board"
)

func TestBlockedMovesAreNotPlayed(t *testing.T) {
	e := newGame(t, 15, 15, "max_node", "500")
	const pos = "h8a1i8a3j8a5" // g8 and k8 make an open four
	g8, k8 := board.At(6, 7), board.At(10, 7)
	e.Block(g8, true)
	e.Block(g8, true)
	set(t, e, pos)
	if m := analyze(t, e, Query{}).Move; m != k8 {
		t.Errorf("plays %v, want k8", m)
	}
	if err := e.NewGame(15, 15); err != nil { // Yixin-Board starts a game before every search
		t.Fatal(err)
	}
	e.Block(k8, true)
	set(t, e, pos)
	if m := analyze(t, e, Query{}).Move; m == g8 || m == k8 {
		t.Errorf("plays %v, which is blocked", m)
	}
	e.Block(g8, false)
	set(t, e, pos)
	if m := analyze(t, e, Query{}).Move; m != g8 {
		t.Errorf("plays %v, want g8", m)
	}
	e.Unblock(false)
	for y := range 15 {
		for x := range 15 {
			e.Block(board.At(x, y), true)
		}
	}
	set(t, e, pos)
	if _, err := e.Think(context.Background(), Query{}); !errors.Is(err, ErrBlocked) {
		t.Errorf("got %v, want ErrBlocked", err)
	}
	e.Unblock(false)
	set(t, e, pos)
	if m := analyze(t, e, Query{}).Move; m != g8 && m != k8 {
		t.Errorf("plays %v, nothing is blocked", m)
	}
}

func TestBlockedPathsAreNotPlayed(t *testing.T) {
	e := newGame(t, 15, 15, "max_node", "500")
	const pos = "h8a1i8a3j8a5"
	e.BlockPath(cells(t, pos+"g8"), true)
	e.BlockPath(cells(t, pos+"k8a7g8"), true) // as it is here, in the middle of a line
	e.BlockPath(cells(t, "h8h8"), true)       // no game
	set(t, e, pos)
	if m := analyze(t, e, Query{}).Move; m != board.At(10, 7) {
		t.Errorf("plays %v, want k8", m)
	}
	e.BlockPath(cells(t, pos+"k8"), true)
	set(t, e, pos)
	if m := analyze(t, e, Query{}).Move; m == board.At(10, 7) || m == board.At(6, 7) {
		t.Errorf("plays %v, which is blocked", m)
	}
	set(t, e, "h8a1i8a3j8") // another position
	if m := analyze(t, e, Query{}).Move; m != board.At(10, 7) && m != board.At(6, 7) && m != board.At(5, 7) && m != board.At(11, 7) {
		t.Errorf("plays %v and does not stop the three", m)
	}
	e.BlockPath(cells(t, pos+"k8"), false)
	set(t, e, pos)
	if m := analyze(t, e, Query{}).Move; m != board.At(10, 7) {
		t.Errorf("plays %v, want k8 again", m)
	}
	e.Unblock(true)
	if r := e.restrictions(e.Options(), e.board); r != nil {
		t.Errorf("%+v is left", r)
	}
}

// The path of another game restricts nothing: its position cannot come about any more.
func TestBlockedPathsOfOtherGames(t *testing.T) {
	for pos, count := range map[string]int{
		"": 1, "h8": 1, "i9": 0, "h8i9": 1, "h8i10": 0,
		"i7i9h8":   1, // the same stones in another order
		"h8i9i7a1": 0,
	} {
		e := newGame(t, 15, 15)
		e.BlockPath(cells(t, "h8i9i7a2"), true)
		set(t, e, pos)
		paths := 0
		if r := e.restrictions(e.Options(), e.board); r != nil {
			paths = len(r.Paths)
		}
		if paths != count {
			t.Errorf("after %q: %d paths, want %d", pos, paths, count)
		}
		// An opening has stones of its own, whatever is on the board.
		b, err := e.openingBoard(board.Freestyle, cells(t, "h8"))
		if err != nil {
			t.Fatal(err)
		}
		if r := e.opener(t.Context(), e.Options(), time.Now(), b, nil).Budget.Limits.Restrict; r == nil || len(r.Paths) != 1 {
			t.Errorf("an opening after %q: %+v", pos, r)
		}
	}
}

// A path leads past the rows of a continuous game, whose stones are blocked cells then.
func TestBlockedPathsOfAContinuousGame(t *testing.T) {
	e := newGame(t, 15, 15, "rule", "2")
	const pos = "h8a1h9a3h10a5h11a7h12" // black makes a row
	e.BlockPath(cells(t, pos+"j8"), true)
	e.BlockPath(cells(t, pos+"h8"), true) // no game
	set(t, e, pos)
	r := e.restrictions(e.Options(), e.board)
	if r.Allows(e.board, cells(t, "j8")[0]) || len(r.Paths) != 1 {
		t.Errorf("after %s the paths forbid %v", pos, r.Paths)
	}
}

func TestBlockedForOneSide(t *testing.T) {
	e := newGame(t, 15, 15, "max_node", "500")
	g8, k8 := board.At(6, 7), board.At(10, 7)
	e.BlockFor(board.White, g8, true)
	e.BlockFor(board.Black, k8, true)
	set(t, e, "h8a1i8a3j8a5")
	if m := analyze(t, e, Query{}).Move; m == k8 {
		t.Errorf("Black plays %v", m)
	}
	set(t, e, "a1h8a3i8a5j8o15")
	if m := analyze(t, e, Query{}).Move; m == g8 {
		t.Errorf("White plays %v", m)
	}
}
