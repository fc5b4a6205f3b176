package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/sample"
	"tengen/cmd/internal/flags"
)

// exported writes the journal of a match and exports it with a flag, and returns the file.
func exported(t *testing.T, m *match, flag, name string) []byte {
	t.Helper()
	dir := t.TempDir()
	journal, name := filepath.Join(dir, "j"), filepath.Join(dir, name)
	if err := m.write(journal); err != nil {
		t.Fatal(err)
	}
	for range 2 { // over its own file, too
		if err := runExport([]string{flag, name, journal}, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// What programs for ratings read: the result of PGN is that of White.
const wantPGN = `[Event "freestyle 15x15"]
[Site "?"]
[Date "2026.05.06"]
[Round "1.1"]
[White "a \"b\" \\"]
[Black "e1"]
[Result "0-1"]
[PlyCount "11"]
[Termination "normal"]

0-1

[Event "freestyle 15x15"]
[Site "?"]
[Date "2026.05.06"]
[Round "1.2"]
[White "e1"]
[Black "a \"b\" \\"]
[Result "1/2-1/2"]
[PlyCount "11"]
[Termination "adjudication"]

1/2-1/2

[Event "freestyle 15x15"]
[Site "?"]
[Date "2026.05.06"]
[Round "1.3"]
[White "a \"b\" \\"]
[Black "e1"]
[Result "1-0"]
[PlyCount "11"]
[Termination "rules infraction"]

1-0

`

func TestExportForRatings(t *testing.T) {
	m := reportMatch(2)
	const quoted = `a "b" \`
	m.settings.Engines[1].Name, m.settings.Openings = quoted, nil
	m.use(m.settings)
	delete(m.games, 4)
	for i, as := range [][4]string{{"e1", quoted, "1-0", "five"}, {quoted, "e1", "1/2-1/2", "adjudication"}, {"e1", quoted, "0-1", "illegal"}} {
		g := m.games[i+1]
		g.Black, g.White, g.Result, g.Reason, g.Match = as[0], as[1], as[2], as[3], m.id()
	}
	if got := exported(t, m, "-pgn", "all.pgn"); string(got) != wantPGN {
		t.Errorf("it writes\n%s", got)
	}
}

// The values of the engines come back from the samples, for the moves that they played; games lost by a
// failure are no samples.
func TestExportOfSamples(t *testing.T) {
	m := reportMatch(3) // game 5 and 10 are lost by time
	raw := exported(t, m, "-samples", "all.tgs")
	r, err := sample.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if r.Origin() != "arena e1, e2, e3" {
		t.Errorf("origin %q", r.Origin())
	}
	want := []int16{sample.NoValue, sample.NoValue, sample.NoValue, 10, -9, sample.NoValue, 300, 29993, -29994, 29995, -29996}
	n := 0
	for _, g := range m.sorted() {
		if g.Reason == "timeout" {
			continue
		}
		n++
		var s sample.Game
		if err := r.Read(&s); err != nil {
			t.Fatal(err)
		}
		if int(s.Number) != g.Game-1 || s.Outcome != record.ParseOutcome(g.Result) || s.Opening != 3 || len(s.Plies) != len(want) || s.Rule != board.Freestyle || s.Width != 15 {
			t.Fatalf("game %d is %+v", g.Game, s)
		}
		moves := ""
		for i, p := range s.Plies {
			moves += p.Move.String()
			if p.Value != want[i] || p.Searched() != (p.Best == p.Move) {
				t.Errorf("game %d, ply %d: %+v, want the value %d", g.Game, i, p, want[i])
			}
		}
		if moves != g.Moves {
			t.Errorf("game %d has the moves %s", g.Game, moves)
		}
	}
	if err := r.Read(&sample.Game{}); err != io.EOF || n != 10 {
		t.Errorf("%d games, then %v", n, err)
	}
}

func TestExportRefusesBadNames(t *testing.T) {
	dir := t.TempDir()
	journal := filepath.Join(dir, "j")
	if err := reportMatch(2).write(journal); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		".tgs":            {"-samples", filepath.Join(dir, "x.bin")},
		"written twice":   {"-pgn", filepath.Join(dir, "x"), "-sgf", filepath.Join(dir, "x")},
		"does not exist":  {"-pgn", filepath.Join(dir, "no", "x")},
		"is a directory":  {"-pgn", dir},
		"would overwrite": {"-pgn", journal},
	} {
		if err := runExport(append(args, journal), io.Discard); !errors.Is(err, flags.ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", args, err, want)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 1 {
		t.Errorf("files %q", files)
	}
}
