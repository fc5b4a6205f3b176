package brain

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/database"
	"tengen/brain/internal/boardtest"
	"tengen/brain/knowledge"
	"tengen/brain/score"
)

// withDatabase starts a game after the moves, with a database in use.
func withDatabase(t *testing.T, moves string, options ...string) (*Engine, *database.Database) {
	t.Helper()
	e := newGame(t, 15, 15, append([]string{"usedatabase", "1", "max_node", "20000"}, options...)...)
	set(t, e, moves)
	d := database.New()
	e.UseDatabase(d)
	return e, d
}

// know labels the position after the moves.
func know(t *testing.T, d *database.Database, moves string, l database.Label, value, depth int) {
	t.Helper()
	b := boardtest.After(t, board.Freestyle, 15, moves)
	if err := d.Set(b, database.NewRecord(l, value, depth, database.Exact), database.Whole); err != nil {
		t.Fatal(err)
	}
}

// Where a manager asks for a move after the end of a game, nothing is noted, wherever the stone
// that ended it stands in its list.
func TestNothingIsNotedAfterTheEnd(t *testing.T) {
	for _, own := range []string{"d8e8f8g8h8", "h8d8e8f8g8", "d8e8f8g8h8a1"} {
		e, d := withDatabase(t, "")
		var stones []Stone
		for i, m := range cells(t, own) {
			stones = append(stones, Stone{Move: m, Owner: Own}, Stone{Move: cells(t, "a15c15e15g15i15k15")[i], Owner: Opponent})
		}
		if err := e.Setup(stones); err != nil {
			t.Fatal(err)
		}
		if think(t, e); d.Len() != 0 {
			t.Errorf("%s: %d positions", own, d.Len())
		}
		if _, err := e.Balance(t.Context(), 1, 0, Query{}); !errors.Is(err, ErrOver) {
			t.Errorf("%s: Balance: %v", own, err)
		}
	}
}

func thinkLines(t *testing.T, e *Engine, lines int) Thought {
	t.Helper()
	thought, err := e.Think(context.Background(), Query{Lines: lines})
	if err != nil {
		t.Fatal(err)
	}
	return thought
}

func TestMovesOfTheDatabaseArePlayed(t *testing.T) {
	a1 := board.At(0, 0)
	for _, tt := range []struct {
		name  string
		label database.Label
		value int
		score score.Value
	}{
		{"a win in so many plies", database.Win, -database.MaxValue + 8, score.WinIn(9)},
		{"a win", database.Win, 0, score.WinIn(501)},
		{"a move to be played", database.Force, -30, 30},
	} {
		e, d := withDatabase(t, "h8i9")
		know(t, d, "h8i9a1", tt.label, tt.value, 0)
		got := thinkLines(t, e, 1)
		if got.Move != a1 || len(got.Infos) != 1 || got.Infos[0].Score != tt.score {
			t.Errorf("%s: plays %v, %+v; want a1 with %d", tt.name, got.Move, got.Infos, tt.score)
		}
		e.Set("usedatabase", "0")
		e.Restart()
		set(t, e, "h8i9")
		if got := thinkLines(t, e, 1); got.Move == a1 {
			t.Errorf("%s: plays a1 without the database", tt.name)
		}
	}
}

// A move that is blocked is not played, whatever the database says of it, nor is a win claimed
// that comes after the end of the game.
func TestTheDatabaseKeepsToRestrictions(t *testing.T) {
	a1 := board.At(0, 0)
	for _, tt := range []struct {
		name  string
		label database.Label
		block func(e *Engine)
	}{
		{"here", database.Force, func(e *Engine) { e.Block(a1, true) }},
		{"for black", database.Force, func(e *Engine) { e.BlockFor(board.Black, a1, true) }},
		{"after this game", database.Force, func(e *Engine) { e.BlockPath(append(e.Moves(), a1), true) }},
		{"by the end of the game", database.Win, func(e *Engine) { e.Set("max_moves", "6") }},
	} {
		e, d := withDatabase(t, "h8i9", "max_node", "2000")
		know(t, d, "h8i9a1", tt.label, -database.MaxValue+8, 0)
		know(t, d, "h8i9h9i10", database.Win, -database.MaxValue+8, 0)
		tt.block(e)
		if r, _ := knowledge.Consult(d, e.board, e.restrictions(e.Options(), e.board), true); (len(r.Known) > 0) != (tt.label == database.Force) {
			t.Errorf("blocked %s: the search knows %v", tt.name, r.Known)
		}
		if got := thinkLines(t, e, 1); got.Move == a1 || got.Infos[0].Score.Proven() {
			t.Errorf("blocked %s: plays %v, %+v", tt.name, got.Move, got.Infos)
		}
	}
}

func TestMovesOfTheDatabaseAreAvoided(t *testing.T) {
	for _, label := range []database.Label{database.Block, database.Loss} {
		e, d := withDatabase(t, "h8")
		first := thinkLines(t, e, 1).Move
		e.Restart()
		set(t, e, "h8")
		know(t, d, "h8"+first.String(), label, 0, 0)
		second := thinkLines(t, e, 1).Move
		b, _ := board.New(board.Freestyle, 15, 15)
		b.Play(board.At(7, 7))
		for _, child := range d.Children(b) {
			if child.Move == second && child.Record.Label == label {
				t.Errorf("%c: plays %v, which is labeled", label, second)
			}
		}
	}
}

// The search knows results that are two moves away: a move is not played if the best answer
// is labeled as a win.
func TestTheSearchKnowsTheDatabase(t *testing.T) {
	e, d := withDatabase(t, "h8i9")
	for range 3 {
		got := thinkLines(t, e, 1)
		pv := got.Infos[0].PV
		if got.Infos[0].Score.Proven() || len(pv) < 2 {
			t.Fatalf("%+v is no line to answer", got.Infos[0])
		}
		know(t, d, "h8i9"+pv[0].String()+pv[1].String(), database.Win, 0, 0)
		e.Restart()
		set(t, e, "h8i9")
		again := thinkLines(t, e, 1)
		if again.Infos[0].Score <= -score.WinFloor || again.Move == got.Move {
			t.Errorf("plays %v again with %d although %v wins", again.Move, again.Infos[0].Score, pv[1])
		}
		e.Restart()
		set(t, e, "h8i9")
	}
}

func TestWhatASearchFindsIsNoted(t *testing.T) {
	const threes = "h8a1i8a15j8o1" // black makes an open four and wins
	e, d := withDatabase(t, threes)
	b, err := e.Position()
	if err != nil {
		t.Fatal(err)
	}
	got := thinkLines(t, e, 1)
	r, ok := d.Get(b)
	if !ok || r.Label != database.Loss || int(r.Value) != database.MaxValue-int(score.WinIn(0)-got.Infos[0].Score) {
		t.Errorf("the position: %+v, %v; the score is %d", r, ok, got.Infos[0].Score)
	}
	b.Play(got.Move)
	if r, ok = d.Get(b); !ok || r.Label != database.Win || int(r.Value) != int(score.WinIn(0)-got.Infos[0].Score)-1-database.MaxValue {
		t.Errorf("after the move: %+v, %v", r, ok)
	}

	e, d = withDatabase(t, threes, "database_readonly", "1")
	if thinkLines(t, e, 1); d.Len() != 0 {
		t.Errorf("%d records although it is read only", d.Len())
	}
	e, d = withDatabase(t, threes)
	e.Block(board.At(6, 7), true)
	if thinkLines(t, e, 1); d.Len() != 0 {
		t.Errorf("%d records although a move is blocked", d.Len())
	}
}

// That of symmetric moves one is shown changes no value: what is found is noted, and wins by
// threats are looked for.
func TestWhatDistinctLinesFindIsNoted(t *testing.T) {
	const threes = "h8a1i8a15j8o8" // its own image, and black makes an open four
	e, d := withDatabase(t, threes, "nbestsym", "0")
	b, err := e.Position()
	if err != nil {
		t.Fatal(err)
	}
	thinkLines(t, e, 3)
	if r, ok := d.Get(b); !ok || r.Label != database.Loss {
		t.Errorf("the position: %+v, %v", r, ok)
	}
	e.Block(board.At(0, 1), true)
	e.Restart()
	d = database.New()
	e.UseDatabase(d)
	set(t, e, threes)
	if thinkLines(t, e, 3); d.Len() != 0 {
		t.Errorf("%d records although a move is blocked", d.Len())
	}

	e, _ = withDatabase(t, "h8", "nbestsym", "0", "checkmate", "1", "max_node", "3000")
	got := thinkLines(t, e, 2)
	if len(got.Notes) != 1 || !strings.HasPrefix(got.Notes[0], "no win by threats") {
		t.Errorf("notes about a win by threats: %q", got.Notes)
	}
}

// The value of a search with a style is not that of a position. A win is.
func TestValuesOfAStyleAreNotNoted(t *testing.T) {
	for _, tt := range []struct {
		style, moves string
		noted        bool
	}{{"0", "h8i9", true}, {"100", "h8i9", false}, {"-40", "h8i9", false}, {"100", "h8a1i8a15j8o1", true}} {
		e, d := withDatabase(t, tt.moves, "style", tt.style, "max_node", "0", "max_depth", "10")
		got := thinkLines(t, e, 1)
		if noted := d.Len() > 0; noted != tt.noted {
			t.Errorf("style %s after %s: score %d, %d records", tt.style, tt.moves, got.Infos[0].Score, d.Len())
		}
	}
}

// A win that was found once is shown with its whole line when the database gives the move.
func TestAKnownWinHasItsLine(t *testing.T) {
	const threes = "h8a1i8a15j8o1"
	e, _ := withDatabase(t, threes)
	first := thinkLines(t, e, 1)
	e.Restart()
	set(t, e, threes)
	again := thinkLines(t, e, 1)
	a, b := first.Infos[0], again.Infos[0]
	if b.Nodes != 0 || b.Score != a.Score || len(b.PV) != len(a.PV) || len(a.PV) < 3 || b.PV[0] != a.PV[0] {
		t.Errorf("first %v with %d, then %v with %d", a.PV, a.Score, b.PV, b.Score)
	}
	board, err := e.Position()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range b.PV[1:] { // the first is on the board
		if !board.Legal(m) {
			t.Fatalf("%v of %v is not legal", m, b.PV)
		}
		board.Play(m)
	}
	// Several lines are searched, and the one that wins goes on too.
	e.Restart()
	set(t, e, threes)
	many := thinkLines(t, e, 3)
	if got := many.Infos[0]; got.Score != a.Score || len(got.PV) != len(a.PV) {
		t.Errorf("of several: %v with %d, want %v with %d", got.PV, got.Score, a.PV, a.Score)
	}
}

// TestDatabaseTakesFromTheTable: what the records take is no more there for the hash table.
func TestDatabaseTakesFromTheTable(t *testing.T) {
	e, d := withDatabase(t, "h8", "max_memory", "134217728", "hash_size", "0", "max_node", "100")
	thinkLines(t, e, 1)
	before := e.table
	b := boardtest.New(t, board.Freestyle, 15, 15)
	cells := b.Open().Append(nil)
	r := rand.New(rand.NewPCG(1, 1))
	for databaseMemory(d.Bytes()) == 0 {
		r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		for _, m := range cells[:60] {
			b.Play(m)
			if err := d.Set(b, database.NewRecord(database.None, 5, 8, database.Exact), database.Whole); err != nil {
				t.Fatal(err)
			}
		}
		for range 60 {
			b.Undo()
		}
	}
	thinkLines(t, e, 1)
	if e.table >= before || e.table < minTable {
		t.Errorf("a table of %d bytes before and %d beside %d bytes of records", before, e.table, d.Bytes())
	}
}
