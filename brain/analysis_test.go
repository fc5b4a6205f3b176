package brain

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/search"
)

// set plays the moves of pos on the board of e.
func set(t *testing.T, e *Engine, pos string) {
	t.Helper()
	moves, err := board.ParseMoves(pos, e.board.Width(), e.board.Height())
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Setup(nil); err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		if err := e.Play(m); err != nil {
			t.Fatal(err)
		}
	}
}

func analyze(t *testing.T, e *Engine, q Query) Thought {
	t.Helper()
	thought, err := e.Analyze(context.Background(), e.Options(), time.Now(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	return thought
}

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
	if _, err := e.Analyze(context.Background(), e.Options(), time.Now(), Query{}, nil); !errors.Is(err, ErrBlocked) {
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
		c, err := e.chooser(t.Context(), e.Options(), time.Now(), cells(t, "h8"), nil)
		if err != nil || c.limits.Restrict == nil || len(c.limits.Restrict.Paths) != 1 {
			t.Errorf("an opening after %q: %+v, %v", pos, c, err)
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
	if allows(e.board, r, cells(t, "j8")[0]) || len(r.Paths) != 1 {
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

func TestTheTableLastsOverGames(t *testing.T) {
	const pos = "h5k5h3j4i4l4n4i3"
	search := func(e *Engine) int64 {
		if err := e.NewGame(15, 15); err != nil {
			t.Fatal(err)
		}
		set(t, e, pos)
		return analyze(t, e, Query{}).Infos[0].Nodes
	}
	e := newGame(t, 15, 15, "max_depth", "14", "hash_size", "65536")
	first := search(e)
	if again := search(e); again != first {
		t.Errorf("%d nodes, then %d", first, again)
	}
	e.KeepTable(true)
	search(e)
	if again := search(e); again*2 > first {
		t.Errorf("%d nodes, then %d with the table kept", first, again)
	}
	if used, room := e.TableUsage(); used == 0 || used > room {
		t.Errorf("%d of %d entries", used, room)
	}
	e.Set("rule", "1")
	if err := e.NewGame(15, 15); err != nil {
		t.Fatal(err)
	}
	if used, _ := e.TableUsage(); used != 0 {
		t.Errorf("%d entries of another rule", used)
	}
}

func TestTheTableIsDumpedAndLoaded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	e := newGame(t, 15, 15, "max_node", "3000")
	set(t, e, "h8i9")
	analyze(t, e, Query{})
	n, err := e.DumpTable(path)
	if err != nil || n == 0 {
		t.Fatalf("%d entries, %v", n, err)
	}
	e.Forget()
	if read, err := e.LoadTable(path); err != nil || read != n {
		t.Errorf("read %d of %d entries, %v", read, n, err)
	}
	for _, other := range []*Engine{newGame(t, 16, 15), newGame(t, 15, 15, "rule", "1")} {
		if _, err := other.LoadTable(path); err == nil {
			t.Error("a table of another rule or size was read")
		}
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.DumpTable(filepath.Join(path, "no", "folder")); err == nil {
		t.Error("written where no folder is")
	}
	if after, _ := os.ReadFile(path); !slices.Equal(before, after) {
		t.Error("the old file has changed")
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
	if _, err := New(Config{}).LoadTable(path); !errors.Is(err, ErrNoGame) {
		t.Errorf("without a game: %v", err)
	}
}

func TestSymmetricMovesAreShownOnce(t *testing.T) {
	for pos, want := range map[string]int{"h8": 10, "h8h9": 32, "h8i9i7": 40} {
		for _, distinct := range []string{"0", "1"} {
			e := newGame(t, 15, 15, "max_depth", "2", "nbestsym", distinct)
			set(t, e, pos)
			lines := analyze(t, e, Query{Lines: AllLines}).Infos
			seen := map[uint64]bool{}
			for _, i := range lines {
				least := uint64(math.MaxUint64)
				for s := range board.Symmetries {
					b := boardtest.New(t, board.Freestyle, 15, 15)
					for _, m := range append(cells(t, pos), i.PV[0]) {
						b.Play(board.Transform(m, s, 15, 15))
					}
					least = min(least, b.Hash())
				}
				seen[least] = true
			}
			if distinct == "0" && (len(lines) != len(seen) || len(lines) < want) {
				t.Errorf("%s: %d lines of %d positions, at least %d expected", pos, len(lines), len(seen), want)
			}
			if distinct == "1" && len(lines) == len(seen) && pos != "h8i9i7" {
				t.Errorf("%s: all %d lines differ", pos, len(lines))
			}
		}
	}
}

// Of moves that a symmetry maps to each other one is shown that is not blocked.
func TestSymmetricMovesBesideABlockedOne(t *testing.T) {
	for _, blocked := range []string{"g7", "g7i7", "g7i7g9"} {
		e := newGame(t, 15, 15, "max_depth", "2", "nbestsym", "0")
		set(t, e, "h8")
		for _, m := range cells(t, blocked) {
			e.Block(m, true)
		}
		diagonal := cells(t, "g7i7g9i9")
		shown := 0
		for _, i := range analyze(t, e, Query{Lines: AllLines}).Infos {
			if slices.Contains(diagonal, i.PV[0]) {
				shown++
			}
		}
		if shown != 1 {
			t.Errorf("%s is blocked: %d of g7, i7, g9 and i9 are shown, want 1", blocked, shown)
		}
	}
}

func TestPonderEndsSoonAndFillsTheTable(t *testing.T) {
	e := newGame(t, 15, 15)
	set(t, e, "h8i9i7")
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(200*time.Millisecond, cancel)
	if err := e.Ponder(ctx, e.Options()); err != nil {
		t.Fatal(err)
	}
	if e.Stones() != 3 {
		t.Errorf("%d stones, want 3", e.Stones())
	}
	if used, _ := e.TableUsage(); used < 100 {
		t.Errorf("%d entries", used)
	}
	set(t, e, "h8a1i8a2j8a3k8a4l8")
	if err := e.Ponder(context.Background(), e.Options()); err != nil { // the game is over
		t.Error(err)
	}
	e = newGame(t, 15, 15)
	if err := e.Setup(overBeforeTheLastStone(t)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if err := e.Ponder(ctx, e.Options()); err != nil {
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
	if err := e.Ponder(ctx, e.Options()); err != nil {
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
			if err := e.Ponder(ctx, e.Options()); err != nil {
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

func TestAQueryWatchesTheRoot(t *testing.T) {
	e := newGame(t, 15, 15, "max_node", "2000")
	set(t, e, "h8i9")
	seen := map[search.RootEventKind]bool{}
	var best board.Move
	got := analyze(t, e, Query{Watch: func(r RootEvent) {
		if seen[r.Kind] = true; r.Kind == MoveIsBest {
			best = r.Move
		}
	}})
	if !seen[IterationBegins] || !seen[MoveBegins] || !seen[MoveEnds] || best != got.Move {
		t.Errorf("plays %v, the last event of a best move has %v; kinds %v", got.Move, best, seen)
	}
}

func TestEndlessSearchesAreStopped(t *testing.T) {
	e := newGame(t, 15, 15)
	set(t, e, "h8i9i7")
	o := e.Options()
	o.Endless = true
	if l := e.limits(o, 0); l.Hard != 0 || l.Soft != 0 || l.Nodes != 0 || l.Depth != 0 {
		t.Errorf("limits %+v", l)
	}
	// A proven win does not end it if more lines are asked for.
	set(t, e, "h8a1i8a3j8a5")
	ctx, cancel := context.WithCancel(context.Background())
	deep := 0
	thought, err := e.Analyze(ctx, o, time.Now(), Query{Lines: 5}, func(i Info) {
		if deep = max(deep, i.Depth); i.Depth >= 5 && i.Line == 4 {
			cancel()
		}
	})
	if err != nil || deep < 5 || len(thought.Infos) != 5 || thought.Infos[0].Score != search.WinIn(3) {
		t.Errorf("depth %d, %d lines, %v", deep, len(thought.Infos), err)
	}
}

// TestEndlessLines: an analysis of several lines without limits ends only when it is stopped,
// though all its lines are won.
func TestEndlessLines(t *testing.T) {
	e := newGame(t, 15, 15)
	set(t, e, "h8h7i8a1j8a15")
	o := e.Options()
	o.Endless = true
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	deep := make(chan bool, search.Win)
	over := make(chan Thought, 1)
	go func() {
		r, err := e.Analyze(ctx, o, time.Now(), Query{Lines: 2}, func(i Info) {
			if i.Line == 1 && i.Depth >= 100 {
				deep <- true
			}
		})
		if err != nil {
			t.Error(err)
		}
		over <- r
	}()
	for range 5 { // deeper than a search goes, soon after
		<-deep
	}
	select {
	case r := <-over:
		t.Errorf("ends with %+v", r)
	case <-time.After(200 * time.Millisecond):
		cancel()
		if r := <-over; len(r.Infos) != 2 || r.Infos[1].Score != search.WinIn(3) {
			t.Errorf("%+v", r)
		}
	}
}

// TestLinesOfADepthEnd: an analysis of several lines with a limit of depth ends, though no search
// goes as deep.
func TestLinesOfADepthEnd(t *testing.T) {
	e := newGame(t, 15, 15, "max_depth", "150")
	set(t, e, "h8h7i8a1j8a15")
	o := e.Options()
	o.Endless = true
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	thought, err := e.Analyze(ctx, o, time.Now(), Query{Lines: 2}, nil)
	if err != nil || ctx.Err() != nil || len(thought.Infos) != 2 {
		t.Errorf("%+v, %v, %v", thought, err, ctx.Err())
	}
}
