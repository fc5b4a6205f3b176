package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/brain/record"
)

// renjuGames returns the moves of the first n games of testdata/threat/games in renju.
func renjuGames(t *testing.T, n int) (list []string) {
	t.Helper()
	raw, err := os.ReadFile("../../testdata/threat/games/renju-15.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "4" && len(list) < n {
			list = append(list, f[2])
		}
	}
	return list
}

// TestPuzzles: the puzzles of games, each once, as text that record reads, as a deck and as a page.
func TestPuzzles(t *testing.T) {
	moves := renjuGames(t, 3)
	dir := t.TempDir()
	text := file(t, "games.txt", strings.Join(append(moves, moves[1]), "\n")+"\n")
	deck, sheet := filepath.Join(dir, "deck.json"), filepath.Join(dir, "sheet.html")
	out, errs, status := engine(t, "", "puzzles", "-quiet", "-rule", "renju", "-deck", deck, "-html", sheet, text)
	if errs != "" || status != 0 {
		t.Fatalf("status %d, errors %q", status, errs)
	}
	list, err := record.ReadPuzzles(strings.NewReader(out))
	if err != nil || len(list) < 3 {
		t.Fatalf("%d puzzles, %v\n%s", len(list), err, out)
	}
	if strings.Count(out, "in the proof, ") != len(list) || !strings.Contains(out, "games.txt, line 2, after ") || strings.Contains(out, "line 4") {
		t.Errorf("the comments are not as they should be\n%s", out)
	}
	raw, err := os.ReadFile(deck)
	if err != nil {
		t.Fatal(err)
	}
	var d struct{ Puzzles []deckJSON }
	if err := json.Unmarshal(raw, &d); err != nil || len(d.Puzzles) != len(list) {
		t.Fatalf("%d puzzles in the deck, %v", len(d.Puzzles), err)
	}
	for i, p := range d.Puzzles {
		q := list[i]
		if p.Moves != record.FormatMoves(q.Moves) || p.Rule != q.Rule || p.Width != q.Size || p.Plies != q.Plies || p.Level != q.Level || q.Level == 0 || len(p.Wins) != 1 || p.Wins[0] != q.First.String() || !strings.HasPrefix(p.Line, p.Wins[0]) {
			t.Errorf("puzzle %d: %+v in the deck, %+v in the text", i+1, p, q)
		}
		if i > 0 && p.Level < d.Puzzles[i-1].Level {
			t.Errorf("puzzle %d has level %d after %d", i+1, p.Level, d.Puzzles[i-1].Level)
		}
	}
	if raw, err = os.ReadFile(sheet); err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	first, last := list[0].First.Label(15), list[len(list)-1].First.Label(15)
	if !strings.HasPrefix(page, sheetStart) || strings.Count(page, "<figure>") != len(list) || strings.Count(page, "<section>") != (len(list)+perPage-1)/perPage ||
		strings.Count(page, "<li>") != len(list) || !strings.Contains(page, "<li>"+first+" ") || !strings.Contains(page, "<li>"+last+" ") {
		t.Errorf("the page lacks something\n%.2000s", page)
	}
	if stones := strings.Count(page, `<circle class="black"`) + strings.Count(page, `<circle class="white"`); stones != countMoves(list) {
		t.Errorf("%d stones on the page, want %d", stones, countMoves(list))
	}

	journal := file(t, "match.jsonl", `{"game":7,"moves":"`+moves[1]+`","rule":4,"size":15,"opening":3}`+"\n")
	again, errs, status := engine(t, "", "puzzles", "-quiet", "-most", "1", journal)
	one, err := record.ReadPuzzles(strings.NewReader(again))
	if status != 0 || errs != "" || err != nil || len(one) == 0 || !strings.Contains(again, "match.jsonl, game 7, after ") {
		t.Errorf("status %d, errors %q, %v, output\n%s", status, errs, err, again)
	}
}

func countMoves(list []record.Puzzle) (n int) {
	for _, p := range list {
		n += len(p.Moves)
	}
	return n
}

// TestPuzzlesRefuse: what cannot be used is named in one line, and nothing is overwritten.
func TestPuzzlesRefuse(t *testing.T) {
	game := file(t, "game.txt", "h8i9\n")
	mine := file(t, "mine.html", "<p>mine</p>")
	tests := []struct {
		name string
		args []string
		says string
	}{
		{"no games", nil, "GAMES... is missing"},
		{"no file", []string{"no such file"}, "neither a position"},
		{"a file of something else", []string{file(t, "x.jsonl", "{}\n")}, "is no game of a journal"},
		{"a page that is something else", []string{"-html", mine, game}, "exists and is something else"},
		{"a deck over the games", []string{"-deck", game, game}, "would overwrite"},
		{"one file for both", []string{"-deck", filepath.Join(t.TempDir(), "x"), "-html", "x", "-most", "-1", game}, "-most"},
	}
	for _, test := range tests {
		out, errs, status := engine(t, "", append([]string{"puzzles"}, test.args...)...)
		if status != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, test.says) {
			t.Errorf("%s: status %d, output %q, errors %q", test.name, status, out, errs)
		}
	}
	if raw, err := os.ReadFile(mine); err != nil || string(raw) != "<p>mine</p>" {
		t.Errorf("%q, %v", raw, err)
	}
}
