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

// A book that cannot be read is an error that names it, and the old one stays.
func TestBookCannotBeRead(t *testing.T) {
	e := withBook(t, "0 15 h8 c3 7\n", "max_node", "200")
	for _, text := range []string{"", "nonsense"} {
		name := filepath.Join(t.TempDir(), "broken.txt")
		if text != "" {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Set("book", name); err == nil || !strings.Contains(err.Error(), name) || !strings.HasSuffix(err.Error(), ", the book stays") {
			t.Errorf("%v", err)
		}
	}
	if err := e.Play(board.At(7, 7)); err != nil {
		t.Fatal(err)
	}
	thought := think(t, e)
	if len(thought.Notes) != 0 || len(thought.Infos) != 1 || thought.Infos[0].Score != 7 {
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
	}{{NoLimit, 0, false}, {time.Second, 0, true}, {NoLimit, 500, true}} {
		e := withBook(t, "0 15 h8 c3 7\n")
		if err := e.Play(board.At(7, 7)); err != nil {
			t.Fatal(err)
		}
		o := e.Options()
		o.Endless, o.Turn, o.Match, o.Left, o.Nodes = true, c.turn, NoLimit, NoLimit, c.nodes
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		thought, err := e.Think(ctx, Query{Options: &o})
		cancel()
		if err != nil || len(thought.Infos) == 0 || (thought.Infos[0].Nodes == 0) != c.played {
			t.Errorf("a turn of %v, %d nodes: %+v, %v", c.turn, c.nodes, thought, err)
		}
	}
}
