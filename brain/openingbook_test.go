package brain

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/book"
	"tengen/brain/database"
	"tengen/brain/search"
)

// withBook returns an engine with a game and the book that text is.
func withBook(t *testing.T, text string, options ...string) *Engine {
	t.Helper()
	name := filepath.Join(t.TempDir(), "book file.txt")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return newGame(t, 15, 15, append([]string{"book", name}, options...)...)
}

func TestBookIsPlayed(t *testing.T) {
	const text = "# a book\n0 15 h8 c3 7 m13 -50\n4 15 h8 i9 0\n"
	for _, c := range []struct {
		name    string
		options []string
		first   string
		played  bool
	}{
		{"known", nil, "h8", true},
		{"not known", nil, "j8", false},
		{"switched off", []string{"usedatabase", "0"}, "h8", false},
		{"off and on", []string{"usedatabase", "0", "usedatabase", "1"}, "h8", true},
		{"another rule", []string{"rule", "1"}, "h8", false},
		{"a weaker player", []string{"strength", "50"}, "h8", false},
		{"a style", []string{"style", "40"}, "h8", false},
		{"a win by threats", []string{"checkmate", "1"}, "h8", false},
		{"no book after all", []string{"book", "none"}, "h8", false},
	} {
		e := withBook(t, text, append([]string{"max_node", "200"}, c.options...)...)
		if err := e.Play(cells(t, c.first)[0]); err != nil {
			t.Fatal(err)
		}
		thought := think(t, e)
		// The position is its own mirror image: c3 and its images are one move.
		played := false
		for s := range board.Symmetries {
			played = played || board.Transform(thought.Move, s, 15, 15) == cells(t, "c3")[0]
		}
		if played != c.played {
			t.Errorf("%s: %v", c.name, thought.Move)
		}
		if played && (len(thought.Infos) != 1 || thought.Infos[0].Score != 7 || thought.Infos[0].PV[0] != thought.Move) {
			t.Errorf("%s: %+v", c.name, thought.Infos)
		}
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
		e := withBook(t, "0 15 h8i9 c4 7\n", "max_node", "200", "usedatabase", "1")
		set(t, e, "h8i9")
		d := database.New()
		if c.known != "" {
			know(t, d, c.known, c.label, 0, 0)
		}
		e.UseDatabase(d)
		if line, ok := e.fromBook(e.Options()); ok != c.played {
			t.Errorf("%s: the book has %+v", c.name, line)
		}
	}
}

// What the book knows of the positions after its moves counts more than the moves' own values.
func TestBookBacksValuesUp(t *testing.T) {
	for _, c := range []struct {
		name, text string
		move       string // as in the text; empty if the engine searches
		value      search.Value
	}{
		{"refuted", "0 15 h8 c4 7 d6 -30\n0 15 h8c4 e5 40\n", "d6", -30},
		{"better than it seemed", "0 15 h8 c4 7 d6 -30\n0 15 h8d6 e5 -90\n", "d6", 90},
		{"two plies later", "0 15 h8 c4 7 d6 -30\n0 15 h8c4 e5 -20 f4 -40\n0 15 h8c4e5 a1 -100\n", "d6", -30},
		{"another order of stones", "0 15 h8c4k5 d6 7 e9 0\n0 15 k5c4h8d6 e5 40\n", "e9", 0},
		{"a win", "0 15 h8 c4 7 d6 -30\n0 15 h8d6 e5 -29990\n", "d6", search.WinIn(11)},
		{"what refutes it is not known", "0 15 h8 c4 7 d6 -30\n0 15 h8d6 e5 20\n0 15 h8d6e5 a1 29990\n", "d6", 40},
		{"all refuted", "0 15 h8 c4 7 d6 5\n0 15 h8c4 e5 90\n0 15 h8d6 e5 80\n", "", 0},
		{"bad", "0 15 h8 c4 -200 d6 -210\n", "c4", -200},
		{"worse", "0 15 h8 c4 -201 d6 -210\n", "", 0},
	} {
		e := withBook(t, c.text, "max_node", "200")
		for _, m := range cells(t, strings.Fields(c.text)[2]) {
			if err := e.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		thought := think(t, e)
		last := thought.Infos[len(thought.Infos)-1]
		if c.move == "" {
			if last.Nodes == 0 {
				t.Errorf("%s: %v from the book", c.name, thought.Move)
			}
			continue
		}
		same := false // the position may be its own image
		for s := range board.Symmetries {
			same = same || board.Transform(thought.Move, s, 15, 15) == cells(t, c.move)[0]
		}
		if !same || last.Score != c.value || last.Nodes != 0 {
			t.Errorf("%s: %v %d, want %s %d", c.name, thought.Move, last.Score, c.move, c.value)
		}
	}
}

// A book that cannot be read is named in a note, and the old one stays.
func TestBookCannotBeRead(t *testing.T) {
	e := withBook(t, "0 15 h8 c3 7\n", "max_node", "200")
	for _, text := range []string{"", "nonsense"} {
		name := filepath.Join(t.TempDir(), "broken.txt")
		if text != "" {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		e.Set("book", name)
	}
	if err := e.Play(board.At(7, 7)); err != nil {
		t.Fatal(err)
	}
	thought := think(t, e)
	if len(thought.Notes) != 2 || len(thought.Infos) != 1 || thought.Infos[0].Score != 7 {
		t.Errorf("%+v", thought)
	}
}

// Set may change the book during a search, which goes on with the one it began with.
func TestBookChangesDuringASearch(t *testing.T) {
	e := withBook(t, "0 15 h8 c3 7\n", "max_node", "1")
	if err := e.Play(board.At(7, 7)); err != nil {
		t.Fatal(err)
	}
	known := e.openingBook()
	o := e.Options()
	end := time.Now().Add(100 * time.Millisecond)
	var changes sync.WaitGroup
	changes.Go(func() {
		for time.Now().Before(end) {
			for _, k := range []*book.Book{{}, known} {
				e.mu.Lock()
				e.book = k
				e.mu.Unlock()
			}
		}
	})
	for time.Now().Before(end) {
		if line, ok := e.fromBook(o); ok && line.Value != 7 {
			t.Errorf("%+v", line)
		}
	}
	changes.Wait()
}

// Among moves that are about as good chance decides, if time is the limit.
func TestBookVaries(t *testing.T) {
	seen := map[board.Move]bool{}
	e := withBook(t, "0 15 h8i9 a1 10 b5 8 c7 -20\n", "timeout_turn", "1000")
	for range 60 {
		if err := e.Restart(); err != nil {
			t.Fatal(err)
		}
		for _, m := range cells(t, "h8i9") {
			if err := e.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		seen[think(t, e).Move] = true
		time.Sleep(time.Microsecond)
	}
	if len(seen) != 2 || seen[cells(t, "c7")[0]] {
		t.Errorf("played %v", seen)
	}
}

// Proposals of swap2 come from the lists where there are some, in different turns.
func TestProposalsVary(t *testing.T) {
	seen := map[[3]board.Move]bool{}
	e := newGame(t, 15, 15, "timeout_turn", "1000")
	start := time.Now()
	for range 20 {
		o := swap2Step(t, e, "")
		seen[[3]board.Move(o.Moves)] = true
	}
	if len(seen) < 15 {
		t.Errorf("%d proposals in 20", len(seen))
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("20 proposals took %v", d)
	}
}

// A query for best lines is searched, whatever the book knows.
func TestBookIsNotAnalysis(t *testing.T) {
	e := withBook(t, "0 15 h8 c3 7\n", "max_node", "500")
	if err := e.Play(board.At(7, 7)); err != nil {
		t.Fatal(err)
	}
	for _, q := range []Query{{Lines: 2}, {Study: true}} {
		thought, err := e.Think(context.Background(), q)
		if err != nil || len(thought.Infos) == 0 || thought.Infos[0].Nodes == 0 {
			t.Errorf("%+v: %+v, %v", q, thought, err)
		}
		if err := e.TakeBack(thought.Move); err != nil {
			t.Fatal(err)
		}
	}
}

// What is searched until it is stopped is not played from the book; with a limit it is, whatever
// front end asks.
func TestBookEndsNoEndlessSearch(t *testing.T) {
	for _, c := range []struct {
		turn   time.Duration
		nodes  int64
		played bool
	}{{search.NoLimit, 0, false}, {time.Second, 0, true}, {search.NoLimit, 500, true}} {
		e := withBook(t, "0 15 h8 c3 7\n")
		if err := e.Play(board.At(7, 7)); err != nil {
			t.Fatal(err)
		}
		o := e.Options()
		o.Endless, o.Turn, o.Match, o.Left, o.Nodes = true, c.turn, search.NoLimit, search.NoLimit, c.nodes
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		thought, err := e.Think(ctx, Query{Options: &o})
		cancel()
		if err != nil || len(thought.Infos) == 0 || (thought.Infos[0].Nodes == 0) != c.played {
			t.Errorf("a turn of %v, %d nodes: %+v, %v", c.turn, c.nodes, thought, err)
		}
	}
}
