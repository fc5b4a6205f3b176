package knowledge

import (
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/book"
	"tengen/brain/database"
	"tengen/brain/internal/boardtest"
	"tengen/brain/score"
)

// read returns the book that text is.
func read(t *testing.T, text string) *book.Book {
	t.Helper()
	k := new(book.Book)
	if err := k.Read(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return k
}

// know notes a record of a position in d.
func know(t *testing.T, d *database.Database, moves string, l database.Label) {
	t.Helper()
	b := boardtest.After(t, board.Freestyle, 15, moves)
	if err := d.Set(b, database.NewRecord(l, 0, 0, database.NoBound), database.Whole); err != nil {
		t.Fatal(err)
	}
}

// first picks the first of n moves.
func first(int) int { return 0 }

// One of the moves that are about as good is picked.
func TestBookPicks(t *testing.T) {
	k := read(t, "0 15 h8i9 c4 20 d5 10 e6 5 f7 4 g1 -90\n")
	b := boardtest.After(t, board.Freestyle, 15, "h8i9")
	var picked []int
	for want := range 3 {
		line, ok := FromBook(k, nil, b, func(n int) int { picked = append(picked, n); return want })
		if !ok || line.Value != []int{20, 10, 5}[want] {
			t.Errorf("move %d: %+v, %v", want, line, ok)
		}
	}
	if !slices.Equal(picked, []int{3, 3, 3}) {
		t.Errorf("picks of %v moves, want 3", picked)
	}
}

// What the database knows comes before the book, which is played where the database knows nothing.
func TestTheDatabaseComesBeforeTheBook(t *testing.T) {
	for _, c := range []struct {
		name   string
		known  string // position of the database; empty for none
		label  database.Label
		played bool
	}{
		{"an empty database", "", 0, true},
		{"a value of the position", "h8i9", database.None, true},
		{"how the position ends", "h8i9", database.Loss, false},
		{"a value of a move", "h8i9a1", database.None, true},
		{"how a move ends", "h8i9a1", database.Draw, false},
		{"a move to be played", "h8i9a1", database.Force, false},
		{"a move to be left out", "h8i9a1", database.Block, false},
		{"an answer that wins", "h8i9c4a1", database.Win, false},
		{"another answer", "h8i9c4a1", database.None, true},
		{"a win that other moves allow", "h8i9c5a1", database.Win, true},
		{"another position", "h8j9", database.Win, true},
	} {
		d := database.New()
		if c.known != "" {
			know(t, d, c.known, c.label)
		}
		b := boardtest.After(t, board.Freestyle, 15, "h8i9")
		if line, ok := FromBook(read(t, "0 15 h8i9 c4 7\n"), d, b, first); ok != c.played {
			t.Errorf("%s: the book has %+v", c.name, line)
		}
	}
}

// What the book knows of the positions after its moves counts more than the moves' own values.
func TestBookBacksValuesUp(t *testing.T) {
	for _, c := range []struct {
		name, text string
		move       string // as in the text; empty if the engine searches
		value      score.Value
	}{
		{"refuted", "0 15 h8 c4 7 d6 -30\n0 15 h8c4 e5 40\n", "d6", -30},
		{"better than it seemed", "0 15 h8 c4 7 d6 -30\n0 15 h8d6 e5 -90\n", "d6", 90},
		{"two plies later", "0 15 h8 c4 7 d6 -30\n0 15 h8c4 e5 -20 f4 -40\n0 15 h8c4e5 a1 -100\n", "d6", -30},
		{"another order of stones", "0 15 h8c4k5 d6 7 e9 0\n0 15 k5c4h8d6 e5 40\n", "e9", 0},
		{"a win", "0 15 h8 c4 7 d6 -30\n0 15 h8d6 e5 -29990\n", "d6", score.WinIn(11)},
		{"what refutes it is not known", "0 15 h8 c4 7 d6 -30\n0 15 h8d6 e5 20\n0 15 h8d6e5 a1 29990\n", "d6", 40},
		{"all refuted", "0 15 h8 c4 7 d6 5\n0 15 h8c4 e5 90\n0 15 h8d6 e5 80\n", "", 0},
		{"bad", "0 15 h8 c4 -200 d6 -210\n", "c4", -200},
		{"worse", "0 15 h8 c4 -201 d6 -210\n", "", 0},
	} {
		b := boardtest.After(t, board.Freestyle, 15, strings.Fields(c.text)[2])
		hash := b.Hash()
		line, ok := FromBook(read(t, c.text), nil, b, first)
		if b.Hash() != hash {
			t.Errorf("%s: the board has changed", c.name)
		}
		if c.move == "" || !ok {
			if ok != (c.move != "") {
				t.Errorf("%s: %v from the book", c.name, line)
			}
			continue
		}
		want, err := board.ParseMoves(c.move, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		same := false // the position may be its own image
		for s := range board.Symmetries {
			same = same || board.Transform(line.Move, s, 15, 15) == want[0]
		}
		if !same || score.Value(line.Value) != c.value {
			t.Errorf("%s: %v, want %s %d", c.name, line, c.move, c.value)
		}
	}
}
