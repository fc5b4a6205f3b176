package brain

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/book"
	"tengen/brain/eval"
	"tengen/brain/search"
)

// newGame returns an engine with a small table and an empty board, and INFO values
// given as key and value in turn.
func newGame(t *testing.T, width, height int, info ...string) *Engine {
	t.Helper()
	e := New(Config{Book: &book.Book{}}) // every position is searched
	e.Set("hash_size", "256")
	for i := 0; i < len(info); i += 2 {
		e.Set(info[i], info[i+1])
	}
	if err := e.NewGame(width, height); err != nil {
		t.Fatal(err)
	}
	return e
}

// newPool returns a pool of one worker that searches as an engine without a Config does.
func newPool(tableBytes int64) *search.Pool {
	return search.NewPool(eval.Embedded().New, search.DefaultParams(), 1, tableBytes)
}

// think lets the engine move and returns its thought.
func think(t *testing.T, e *Engine) Thought {
	t.Helper()
	thought, err := e.Think(context.Background(), Query{})
	if err != nil {
		t.Fatal(err)
	}
	return thought
}

// cells reads moves in pos notation.
func cells(t *testing.T, s string) []board.Move {
	t.Helper()
	moves, err := board.ParseMoves(s, board.MaxSize, board.MaxSize)
	if err != nil {
		t.Fatal(err)
	}
	return moves
}

// list gives the cells of s to owner.
func list(t *testing.T, s string, owner Owner) []Stone {
	t.Helper()
	var stones []Stone
	for _, m := range cells(t, s) {
		stones = append(stones, Stone{Move: m, Owner: owner})
	}
	return stones
}

func TestContinuousRowsTurnIntoBlockedCells(t *testing.T) {
	five, cross := cells(t, "c4d4e4f4g4"), cells(t, "a1c1e1g1")
	tests := []struct {
		name    string
		rule    string
		blocked bool
	}{
		{"freestyle keeps the stones", "0", false},
		{"continuous blocks them", "2", true},
		{"continuous renju blocks them", "6", true},
	}
	for _, test := range tests {
		e := newGame(t, 15, 15, "rule", test.rule)
		for i, m := range five {
			e.Play(m)
			if i < len(cross) {
				e.Play(cross[i])
			}
		}
		for _, m := range five {
			if got := e.board.Cell(m) == board.Wall; got != test.blocked {
				t.Errorf("%s: %v is %v", test.name, m, e.board.Cell(m))
			}
		}
		if e.board.Cell(cross[0]) != board.White || e.board.Side() != board.White {
			t.Errorf("%s: %v on %v, %v to move", test.name, e.board.Cell(cross[0]), cross[0], e.board.Side())
		}
		// Taking the last stone back gives the row back.
		if err := e.TakeBack(five[4]); err != nil {
			t.Fatal(err)
		}
		if e.board.Cell(five[0]) != board.Black || e.board.Cell(five[4]) != board.Empty || e.board.Side() != board.Black {
			t.Errorf("%s: taking the five back does not bring the stones back", test.name)
		}
	}
}

// Under caro a row between two stones of the other side does not win, and stays.
func TestContinuousCaro(t *testing.T) {
	e := newGame(t, 15, 15, "rule", "10")
	black, white := cells(t, "c4d4e4f4g4"), cells(t, "b4h4a9c9")
	for i, m := range black {
		e.Play(m)
		if i < len(white) {
			e.Play(white[i])
		}
	}
	if e.board.Cell(black[0]) != board.Black {
		t.Errorf("the capped row is %v", e.board.Cell(black[0]))
	}
}

// What was no row when it was completed stays none when a stone at its end goes with a row of
// its own.
func TestContinuousRowsAreNotMadeLater(t *testing.T) {
	tests := []struct {
		name, rule, moves string
		color             board.Color
		stay, leave       string
	}{
		{"six are too many", "3", "c4a1d4c1e4e1g4g1h4i1f4k1h5m1h6o1h7a3h8", board.Black, "c4d4e4f4g4", "h4h5h6h7h8"},
		{"five are capped", "10", "c10d10i10e10i11f10i12g10i13h10i14", board.White, "d10e10f10g10h10", "i10i11i12i13i14"},
	}
	for _, test := range tests {
		e := newGame(t, 15, 15, "rule", test.rule)
		setUpMoves(t, e, cells(t, test.moves))
		for _, m := range cells(t, test.stay) {
			if got := e.board.Cell(m); got != test.color {
				t.Errorf("%s: %v is %v", test.name, m, got)
			}
		}
		for _, m := range cells(t, test.leave) {
			if got := e.board.Cell(m); got != board.Wall {
				t.Errorf("%s: %v is %v", test.name, m, got)
			}
		}
	}
}

func TestTheRuleMayChangeDuringAGame(t *testing.T) {
	e := newGame(t, 15, 15, "rule", "0")
	stones := list(t, "j10g7g8e8", Own)
	for i, s := range list(t, "a15c15e15g15", Opponent) {
		stones = slices.Insert(stones, 2*i+1, s)
	}
	if err := e.Setup(stones); err != nil {
		t.Fatal(err)
	}
	if got, _ := e.Forbidden(); len(got) > 0 {
		t.Errorf("freestyle forbids %v", got)
	}
	e.Set("rule", "4")
	if got, _ := e.Forbidden(); !slices.Equal(got, cells(t, "h8")) {
		t.Errorf("renju forbids %v, want h8", got)
	}
	if e.board.Rule() != board.Renju || e.Stones() != 8 {
		t.Errorf("rule %v, %d stones", e.board.Rule(), e.Stones())
	}
}

func TestCommandsWithoutAGame(t *testing.T) {
	e := New(Config{})
	_, errThink := e.Think(context.Background(), Query{})
	_, errOpening := e.Opening(context.Background(), nil, Query{})
	_, errForbidden := e.Forbidden()
	for i, err := range []error{e.Restart(), e.Setup(nil), e.Play(board.At(7, 7)), e.TakeBack(board.At(7, 7)), errThink, errOpening, errForbidden} {
		if !errors.Is(err, ErrNoGame) {
			t.Errorf("command %d: %v", i, err)
		}
	}
	if err := e.NewGame(4, 4); err == nil {
		t.Error("a board of 4x4 was taken")
	}
	e.Forget()
}

// checkMove fails the test if m was not legal on the board before it, b.
func checkMove(t *testing.T, name string, b *board.Board, m board.Move) {
	t.Helper()
	if !b.On(m.X(), m.Y()) || b.Cell(m) != board.Empty {
		t.Fatalf("%s: the move %v is not on a free cell", name, m)
	}
	if b.Legal(m) {
		return
	}
	for y := range b.Height() {
		for x := range b.Width() {
			if b.Legal(board.At(x, y)) {
				t.Fatalf("%s: %v is forbidden and %v is not", name, m, board.At(x, y))
			}
		}
	}
}

func TestThinkPlaysALegalMoveToTheLastCell(t *testing.T) {
	for _, rule := range []string{"0", "1", "2", "3", "4", "6", "8", "9", "10", "11"} {
		for _, size := range [][2]int{{5, 5}, {6, 5}, {5, 7}} {
			e := newGame(t, size[0], size[1], "rule", rule, "max_node", "200")
			for range size[0] * size[1] {
				before := e.board.Clone()
				thought, err := e.Think(context.Background(), Query{})
				if errors.Is(err, ErrFull) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				checkMove(t, "rule "+rule, before, thought.Move)
			}
			if e.board.Empties() > 0 {
				t.Errorf("rule %s: %d cells are left", rule, e.board.Empties())
			}
		}
	}
}

func TestThinkSurvivesOddPositions(t *testing.T) {
	blocked := func(width, height int, except string) []Stone {
		var stones []Stone
		free := cells(t, except)
		for y := range height {
			for x := range width {
				if m := board.At(x, y); !slices.Contains(free, m) {
					stones = append(stones, Stone{Move: m, Owner: Blocked})
				}
			}
		}
		return stones
	}
	tests := []struct {
		name   string
		rule   string
		stones []Stone
	}{
		{"our five is on the board", "0", append(list(t, "c4d4e4f4g4", Own), list(t, "a1c1e1g1a3", Opponent)...)},
		{"their five is on the board", "4", append(list(t, "c4d4e4f4g4", Opponent), list(t, "a1c1e1g1", Own)...)},
		{"a row of nine", "1", list(t, "c4d4e4f4g4h4i4j4k4", Opponent)},
		{"far more of ours", "0", list(t, "h8i9j10k11m13a1b5", Own)},
		{"far more of theirs", "8", list(t, "h8i9j10k11m13a1b5", Opponent)},
		{"one free cell among blocked ones", "2", blocked(15, 15, "h8")},
		{"two free cells far apart", "4", blocked(15, 15, "a1o15")},
		{"one free cell that is forbidden", "4",
			append(blocked(15, 15, "h8g8f8e8h7h6h5"), list(t, "g8f8e8h7h6h5", Own)...)},
	}
	for _, test := range tests {
		e := newGame(t, 15, 15, "rule", test.rule, "max_node", "500")
		if err := e.Setup(test.stones); err != nil {
			t.Fatal(err)
		}
		before := e.board.Clone()
		checkMove(t, test.name, before, think(t, e).Move)
	}
}

func TestThinkIsStoppedByItsContext(t *testing.T) {
	e := newGame(t, 15, 15, "timeout_turn", "600000")
	e.Play(board.At(7, 7))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := e.Think(ctx, Query{Start: start}); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
}

// Options set after a move was asked for apply to the next one, however late Think begins.
func TestThinkKeepsToItsOptions(t *testing.T) {
	e := newGame(t, 15, 15, "max_node", "2000", "rule", "4")
	e.Play(board.At(7, 7))
	e.Play(board.At(8, 8))
	o := e.Options()
	e.Set("max_node", "2")
	e.Set("rule", "0")
	th, err := e.Think(t.Context(), Query{Options: &o})
	if err != nil {
		t.Fatal(err)
	}
	if n := th.Infos[0].Nodes; n < 1000 {
		t.Errorf("%d nodes, want 2000", n)
	}
	if n := think(t, e).Infos[0].Nodes; n >= 1000 {
		t.Errorf("%d nodes of the next move, want a few", n)
	}
	if e.board.Rule() != board.Freestyle {
		t.Errorf("the next move went by rule %v", e.board.Rule())
	}
}

func TestThinkKeepsToItsTime(t *testing.T) {
	e := newGame(t, 15, 15, "timeout_turn", "300")
	e.Play(board.At(7, 7))
	start := time.Now()
	think(t, e)
	if d := time.Since(start); d < 100*time.Millisecond || d > 5*time.Second {
		t.Errorf("a move of at most 300 ms took %v", d)
	}
}

func TestThinkOfSeveralLines(t *testing.T) {
	e := newGame(t, 15, 15, "max_depth", "4")
	e.Play(board.At(7, 7))
	thought, err := e.Think(context.Background(), Query{Lines: 3})
	if err != nil {
		t.Fatal(err)
	}
	if len(thought.Infos) != 3 {
		t.Fatalf("got %d lines, want 3", len(thought.Infos))
	}
	seen := map[board.Move]bool{}
	for i, info := range thought.Infos {
		if info.Line != i || info.Lines != 3 || len(info.PV) == 0 || seen[info.PV[0]] {
			t.Errorf("line %d is %+v", i, info)
			continue
		}
		seen[info.PV[0]] = true
		if i > 0 && info.Score > thought.Infos[i-1].Score {
			t.Errorf("line %d is better than the line before", i)
		}
	}
	if thought.Infos[0].PV[0] != thought.Move {
		t.Errorf("played %v, the best line begins with %v", thought.Move, thought.Infos[0].PV[0])
	}
}

func TestThinkIsRepeatable(t *testing.T) {
	var moves [2][]board.Move
	var nodes [2]int64
	for i := range moves {
		e := newGame(t, 15, 15, "max_node", "3000")
		e.Play(board.At(6, 8))
		for range 6 {
			thought := think(t, e)
			moves[i] = append(moves[i], thought.Move)
			nodes[i] += thought.Infos[0].Nodes
		}
	}
	if !slices.Equal(moves[0], moves[1]) || nodes[0] != nodes[1] {
		t.Errorf("got %v with %d nodes, then %v with %d", moves[0], nodes[0], moves[1], nodes[1])
	}
}

func TestBadValuesAreErrors(t *testing.T) {
	e := newGame(t, 15, 15)
	before := e.Options()
	if err := e.Set("rule", "99"); err == nil || !strings.Contains(err.Error(), "rule 99") || e.Options() != before {
		t.Errorf("%v, options %+v", err, e.Options())
	}
	for key, value := range map[string]string{"folder": "x", "nobody": "knows"} {
		if err := e.Set(key, value); err != nil {
			t.Error(err)
		}
	}
}

// After a search that panics the move is legal, a note reports it, and the next move is
// searched again.
func TestThinkSurvivesAFailureOfTheSearch(t *testing.T) {
	e := newGame(t, 15, 15, "max_node", "500")
	e.Play(board.At(7, 7))
	thought, err := e.Think(context.Background(), Query{Report: func(Info) { panic("broken") }})
	if err != nil {
		t.Fatal(err)
	}
	if len(thought.Notes) != 1 || len(thought.Infos) != 0 {
		t.Fatalf("got %+v", thought)
	}
	if first, stack, _ := strings.Cut(thought.Notes[0], "\n"); !strings.Contains(first, "broken (brain_test.go:") ||
		!strings.Contains(stack, "TestThinkSurvivesAFailureOfTheSearch") {
		t.Errorf("the note is %q, want what, where and the stack", thought.Notes[0])
	}
	if e.board.Cell(thought.Move) != board.White || e.Stones() != 2 {
		t.Errorf("the move %v is not on the board", thought.Move)
	}
	if next := think(t, e); len(next.Notes) != 0 || next.Infos[0].Nodes == 0 {
		t.Errorf("the next move: %+v", next)
	}
}

func TestTimeIsKeptIfTheManagerDoesNot(t *testing.T) {
	e := newGame(t, 15, 15, "timeout_match", "10000")
	spend(e, 4*time.Second)
	if got := e.Options().Left; got != 6*time.Second {
		t.Errorf("left %v of the match, want 6s", got)
	}
	e.Set("time_left", "8000")
	if got := e.Options().Left; got != 8*time.Second {
		t.Errorf("left %v, want what the manager said", got)
	}
	spend(e, time.Second)
	if got := e.Options().Left; got != 7*time.Second {
		t.Errorf("left %v, want what the manager said less a move", got)
	}
	if err := e.Restart(); err != nil {
		t.Fatal(err)
	}
	if got := e.Options().Left; got != 10*time.Second {
		t.Errorf("left %v in a new game, want the match", got)
	}
	e.Set("time_left", "8000")
	if err := e.Restart(); err != nil {
		t.Fatal(err)
	}
	if got := e.Options().Left; got != 8*time.Second {
		t.Errorf("left %v in a game for which the manager said 8s", got)
	}
	e.Set("time_left", "2147483647")
	if got := e.Options().Left; got != 10*time.Second {
		t.Errorf("left %v, want the match again", got)
	}
}

func TestLimitsOfNodesBringNoClock(t *testing.T) {
	e := newGame(t, 15, 15)
	o := DefaultOptions()
	o.Nodes = 100
	if l := e.limits(o, 0); !reflect.DeepEqual(l, search.Limits{Nodes: 100}) {
		t.Errorf("got %+v", l)
	}
	o.Turn = time.Second
	if l := e.limits(o, 0); l.Nodes != 100 || l.Hard <= 0 || l.Hard > time.Second {
		t.Errorf("got %+v", l)
	}
	o = DefaultOptions()
	o.Nodes, o.Match = 100, time.Minute // what is left of it is not told
	if l := e.limits(o, 0); l.Nodes != 100 || l.Hard <= 0 || l.Hard > time.Minute {
		t.Errorf("with a limit of the game alone got %+v", l)
	}
	if l := e.limits(DefaultOptions(), 0); l.Hard <= 0 || l.Hard > 5*time.Second {
		t.Errorf("without any limit got %+v", l)
	}
}

// A continuous game goes on until the board is full, and who moves for both colors has twice as
// many moves to make: the less time is there for one.
func TestContinuousGamesShareTheTime(t *testing.T) {
	e := newGame(t, 15, 15)
	o := DefaultOptions()
	o.Left = time.Minute
	last := time.Minute
	for _, next := range []func(){func() {}, func() { o.Rule = board.Continuous }, func() { o.Alone = true }} {
		next()
		l := e.limits(o, 0)
		if l.Soft > last*3/4 {
			t.Errorf("%v, alone %v: %v for a move, and %v before", o.Rule, o.Alone, l.Soft, last)
		}
		last = l.Soft
	}
}

func TestMemoryIsTakenAnewWhenItsLimitChanges(t *testing.T) {
	e := newGame(t, 15, 15, "max_node", "100")
	e.Play(board.At(7, 7))
	for _, step := range []struct {
		hash string
		want int64
	}{{"1024", 1 << 20}, {"8192", 8 << 20}, {"2048", 2 << 20}} {
		e.Set("hash_size", step.hash)
		think(t, e)
		if e.table != step.want {
			t.Errorf("hash_size %s: a table of %d bytes, want %d", step.hash, e.table, step.want)
		}
	}
	e.Set("thread_num", "2")
	think(t, e)
	if e.workers != 2 {
		t.Errorf("%d workers, want 2", e.workers)
	}
}
