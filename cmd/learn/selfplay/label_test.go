package selfplay

import (
	"bytes"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/score"
	"tengen/brain/search"
	"tengen/cmd/learn/match"
)

// Labels are the values of searches of that many nodes from an empty table, of positions from after
// the opening, the same with any number of workers and after a kill.
func TestLabels(t *testing.T) {
	dir := t.TempDir()
	name := func(s string) string { return filepath.Join(dir, s) }
	must(t, small(name("a.tgs"), "-games", "4")...)
	label := func(out string, more ...string) []string {
		return append(append([]string{"label", "-o", name(out), "-nodes", "300", "-positions", "3", "-hash", "1", "-quiet"}, more...), name("a.tgs"))
	}
	must(t, label("l.tgs", "-concurrency", "1")...)
	from, got := games(t, name("a.tgs")), games(t, name("l.tgs"))
	if len(got) != len(from) {
		t.Fatalf("%d games of %d", len(got), len(from))
	}
	player := match.Default()
	pool := player.NewPool(1)
	labels := 0
	for i, g := range got {
		if n := g.Positions(); n == 0 || n > 3 || len(g.Plies) != len(from[i].Plies) {
			t.Errorf("game %d: %d labels, %d plies, want %d", i, n, len(g.Plies), len(from[i].Plies))
		}
		b, err := board.New(g.Rule, g.Width, g.Height)
		if err != nil {
			t.Fatal(err)
		}
		for ply, p := range g.Plies {
			if p.Move != from[i].Plies[ply].Move {
				t.Fatalf("game %d has another move at ply %d", i, ply)
			}
			if p.Searched() {
				labels++
				pool.Clear()
				want := pool.Search(t.Context(), b, search.Limits{Nodes: 300}, nil)
				if p.Best != want.Move || score.Value(p.Value) != want.Info.Score || ply < g.Opening {
					t.Errorf("game %d, ply %d: %v %d, want %v %d", i, ply, p.Best, p.Value, want.Move, want.Info.Score)
				}
			}
			b.Play(p.Move)
		}
	}
	if labels < 8 {
		t.Errorf("%d labels", labels)
	}
	raw := read(t, name("l.tgs"))
	write(t, name("cut.tgs"), raw[:len(raw)*2/3])
	must(t, label("cut.tgs", "-concurrency", "3")...)
	if !bytes.Equal(read(t, name("cut.tgs")), raw) {
		t.Error("a file cut short is continued to another one")
	}
	if status, _, stderr := obey(t, label("l.tgs", "-nodes", "301")...); status != 2 || !strings.Contains(stderr, "its games have other settings: nodes was 300 and is now 301") {
		t.Errorf("other nodes: status %d, %s", status, stderr)
	}
	must(t, small(name("b.tgs"), "-games", "4", "-seed", "2")...)
	write(t, name("a.tgs"), read(t, name("b.tgs")))
	if status, _, stderr := obey(t, label("l.tgs")...); status != 2 || !strings.Contains(stderr, "game 0 differs from the one in the files to label") {
		t.Errorf("other games: status %d, %s", status, stderr)
	}
}

// Games to label come from journals of arena, SGF and other files; a rule that the file does not say
// has to be given.
func TestGamesToLabel(t *testing.T) {
	dir := t.TempDir()
	name := func(s string) string { return filepath.Join(dir, s) }
	moves, err := board.ParseMoves("h8i9j7g10k9f6l8", 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	write(t, name("m.jsonl"), []byte(`{"game":1,"result":"1-0","moves":"h8i9j7g10k9f6l8","opening":3,"rule":4,"size":15,"settings":{"x":1}}
{"game":2,"result":"0-1","moves":"h8i9j7g10k9f6","opening":3,"rule":0,"size":15}
{"game":3,"resu`))
	var sgf bytes.Buffer
	if err := record.WriteSGF(&sgf, &record.Game{Rule: board.Renju, Width: 15, Height: 15, Moves: moves, Opening: 3, Outcome: record.BlackWon}); err != nil {
		t.Fatal(err)
	}
	write(t, name("x.sgf"), sgf.Bytes())
	write(t, name("moves.txt"), []byte("h8i9j7g10k9f6l8\n"))
	label := func(out string, files ...string) []string {
		return append([]string{"label", "-o", name(out), "-nodes", "50", "-hash", "1", "-quiet"}, files...)
	}
	must(t, label("l.tgs", name("m.jsonl"), name("x.sgf"))...)
	var got []string
	for _, g := range games(t, name("l.tgs")) {
		got = append(got, fmt.Sprintf("%d: rule %d, %v, opening of %d, %d plies", g.Number, g.Rule, g.Outcome, g.Opening, len(g.Plies)))
		if g.Positions() == 0 || g.Positions() > len(g.Plies)-3 {
			t.Errorf("game %d: %d labels of %d plies", g.Number, g.Positions(), len(g.Plies))
		}
	}
	want := []string{"0: rule 4, 1-0, opening of 3, 7 plies", "1: rule 0, 0-1, opening of 3, 6 plies", "2: rule 4, 1-0, opening of 3, 7 plies"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	write(t, name("large.jsonl"), []byte(`{"game":1,"result":"1-0","moves":"h8i9j7g10k9f6l8","opening":3,"rule":0,"size":20}`))
	must(t, label("n.tgs", name("m.jsonl"), name("large.jsonl"))...)
	about, by := must(t, "info", name("n.tgs")), match.Default().Evaluation
	for _, origin := range []string{by.Origin(board.Renju, 15, 15), by.Origin(board.Freestyle, 15, 15), by.Origin(board.Freestyle, 20, 20)} {
		if first, _, _ := strings.Cut(origin, "\n"); strings.Count(about, first) != 1 {
			t.Errorf("%q is not named once: %s", first, about)
		}
	}
	if status, _, stderr := obey(t, label("m.tgs", name("moves.txt"))...); status != 2 || !strings.Contains(stderr, "the file does not say which rule was played") {
		t.Errorf("no rule: status %d, %s", status, stderr)
	}
	must(t, label("m.tgs", "-rule", "renju", name("moves.txt"))...)
	if g := games(t, name("m.tgs")); len(g) != 1 || g[0].Rule != board.Renju || len(g[0].Plies) != 7 {
		t.Errorf("%+v", g)
	}
	write(t, name("bad.jsonl"), []byte(`{"game":7,"result":"1-0","moves":"h8h8","opening":0,"rule":4,"size":15}`))
	if status, _, stderr := obey(t, label("b.tgs", name("bad.jsonl"))...); status != 2 || strings.Count(stderr, "\n") != 1 {
		t.Errorf("an illegal game: status %d, %s", status, stderr)
	}
}
