package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A game with all that SGF can hold.
const wholeGame = "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[Taraguchi-10]PB[黑方]PW[Bob]RE[B+Resign]EV[Open]DT[2026-11-22]\n" +
	";B[hh]LB[ii:A]C[first]\n(;W[ig]CR[hh];B[hg])\n(;W[gg]N[named]XQ[1]))\n\n"

// What is converted to a format that keeps it and back again is as it was.
func TestConvertThereAndBack(t *testing.T) {
	dir := t.TempDir()
	in := file(t, "in.sgf", wholeGame)
	for _, to := range []string{"sgf", "json"} {
		out := filepath.Join(dir, "whole."+to)
		if stdout, errs, status := engine(t, "", "convert", in, "-o", out); status != 0 || stdout+errs != "" {
			t.Fatalf("%s: status %d, %q, %q", to, status, stdout, errs)
		}
		if back, errs, status := engine(t, "", "convert", "-to", "sgf", out); status != 0 || errs != "" || back != wholeGame {
			t.Errorf("%s: status %d, errors %q, got back\n%s", to, status, errs, back)
		}
	}
	for to, lost := range map[string]string{
		"lib":  "event and date (1 game), marks (1 game), names (1 game), names of positions (1 game), other properties (1 game), the result (1 game), the rule (1 game)",
		"psq":  "comments (1 game), event and date (1 game), labels (1 game), marks (1 game)",
		"pos":  "variations (1 game)",
		"txt":  "variations (1 game)",
		"link": "the rule (1 game)",
	} {
		out := filepath.Join(dir, "main."+to)
		_, errs, status := engine(t, "", "convert", "-o", out, in)
		if status != 0 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "left out, as "+to+" cannot keep it: ") || !strings.Contains(errs, lost) {
			t.Errorf("%s: status %d, errors %q, want %q", to, status, errs, lost)
		}
		back, errs, status := engine(t, "", "convert", "-to", "pos", out)
		if back != "h8i7h7\n" || status != 0 {
			t.Errorf("%s: status %d, errors %q, got back %q", to, status, errs, back)
		}
	}
	if psq, err := os.ReadFile(filepath.Join(dir, "main.psq")); err != nil || string(psq) != "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n8,7,0\n黑方\nBob\n0\n" {
		t.Errorf("%s, %v", psq, err)
	}
	if back, _, _ := engine(t, "", "convert", "-to", "sgf", filepath.Join(dir, "main.lib")); !strings.Contains(back, ";B[hh]LB[ii:A]C[first]\n(;W[ig];B[hg])\n(;W[gg]))") {
		t.Errorf("of a library: %s", back)
	}
}

// Several files become one, and one becomes several; a library has all games in one tree.
func TestConvertSeveral(t *testing.T) {
	dir := t.TempDir()
	in := file(t, "in.sgf", "(;GM[4]SZ[15];B[hh];W[ii])(;GM[4]SZ[15];B[hh];W[gg])")
	if out, errs, status := engine(t, "Piskvorky 15x15, 11:11, 0\n8,8,0\n8,9,0\n-1\n", "convert", "-to", "lib", in, "-"); status != 0 || errs != "" || !strings.HasSuffix(out, "\x00\x00\x78\x00\x89\xc0\x67\xc0\x88\x40") {
		t.Errorf("status %d, errors %q, %q", status, errs, out)
	}
	name := filepath.Join(dir, "game-%d.psq")
	if out, errs, status := engine(t, "", "convert", in, "-o", name); status != 0 || out+errs != "" {
		t.Errorf("status %d, output %q, errors %q", status, out, errs)
	}
	for n, want := range map[string]string{"game-1.psq": "9,9,0", "game-2.psq": "7,7,0"} {
		if raw, err := os.ReadFile(filepath.Join(dir, n)); err != nil || !strings.Contains(string(raw), want) {
			t.Errorf("%s: %q, %v", n, raw, err)
		}
	}
}

// No file is replaced, and what cannot be read or written is reported, as by the other commands.
func TestConvertRefuses(t *testing.T) {
	in := file(t, "in.sgf", "(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[zz])(;GM[4]SZ[15];W[hh])")
	for name, test := range map[string]struct {
		args      []string
		out, says string
		lines     int
	}{
		"the file itself":  {[]string{in, "-o", in}, "", "in.sgf exists, and no file is replaced", 1},
		"no format":        {[]string{in}, "", "the format is missing: want -to FORMAT or an ending of -o, one of json,", 1},
		"no ending":        {[]string{in, "-o", filepath.Join(t.TempDir(), "x")}, "", "the format is missing: want -to FORMAT", 1},
		"a bare point":     {[]string{in, "-o", filepath.Join(t.TempDir(), "x.")}, "", "the format is missing: want -to FORMAT", 1},
		"another format":   {[]string{in, "-o", filepath.Join(t.TempDir(), "x.xyz")}, "", `"xyz" is no format`, 1},
		"a missing file":   {[]string{"gone.sgf", "-to", "sgf"}, "", `"gone.sgf" is neither a position such as h8i9j7 nor a file`, 1},
		"a picture":        {[]string{filesOf + "/picture.sgf", "-to", "sgf"}, "", "a picture, not a game", 1},
		"games of a file":  {[]string{in, "-to", "pos"}, "h8\n", "game 2: B: point", 2},
		"one of two files": {[]string{"gone.sgf", "h8i9", "-to", "txt"}, "h8i9\n", `"gone.sgf" is neither`, 1},
		"nothing":          {[]string{file(t, "w.sgf", "(;GM[4]SZ[15];W[hh])"), "-to", "psq"}, "", "a pass", 2},
	} {
		out, errs, status := engine(t, "", append([]string{"convert"}, test.args...)...)
		if status != 2 || out != test.out || !strings.Contains(errs, test.says) || strings.Count(errs, "\n") != test.lines {
			t.Errorf("%s: status %d, output %q, errors %q; want %q", name, status, out, errs, test.says)
		}
	}
	if raw, err := os.ReadFile(in); err != nil || !strings.Contains(string(raw), "W[hh]") {
		t.Errorf("%q, %v", raw, err)
	}
}

// A database gets the positions of games, and gives the tree of what it knows under a rule.
func TestConvertDatabases(t *testing.T) {
	db := filepath.Join(t.TempDir(), "all.db")
	in := file(t, "in.sgf", "(;GM[4]SZ[15]RU[renju];B[hh]C[center](;W[ii])(;W[gg]))")
	if out, errs, status := engine(t, "", "convert", in, "-o", db); status != 0 || out+errs != "" {
		t.Fatalf("status %d, output %q, errors %q", status, out, errs)
	}
	out, errs, status := engine(t, "", "convert", db, "-rule", "renju", "-to", "sgf")
	if status != 0 || errs != "" || !strings.Contains(out, "RU[renju]") || !strings.Contains(out, ";B[hh]C[center]") || strings.Count(out, ";W[") != 1 { // two are one by symmetry
		t.Errorf("status %d, errors %q, output %s", status, errs, out)
	}
	for _, args := range [][]string{{"convert", db, "-to", "sgf"}, {"convert", in, "-to", "db"}, {"convert", in, "-o", db}} {
		if out, errs, status := engine(t, "", args...); status != 2 || out != "" || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: status %d, output %q, errors %q", args, status, out, errs)
		}
	}
}

// A library becomes a database without a tree between them: also one with more moves than a tree may
// have, one that is cut off, and several with other games.
func TestConvertLibrariesToADatabase(t *testing.T) {
	dir := t.TempDir()
	lib := filepath.Join(dir, "two.lib")
	if _, errs, status := engine(t, "", "convert", "-o", lib, file(t, "in.sgf", "(;GM[4]SZ[15];B[hh](;W[ii])(;W[gg]C[good]))")); status != 0 || errs != "" {
		t.Fatal(status, errs)
	}
	raw, err := os.ReadFile(lib)
	if err != nil {
		t.Fatal(err)
	}
	cut := file(t, "cut.lib", string(raw[:20])+"\x00\x00\x78\x00\x9a\x00")
	db := filepath.Join(dir, "x.db")
	_, errs, status := engine(t, "", "convert", "-rule", "renju", "-o", db, lib, cut, file(t, "more.sgf", "(;GM[4]RU[renju]SZ[15];B[hh];W[hg])"))
	if status != 0 || errs != "pbrain-tengen: "+cut+": the library is cut off behind its last move\n" {
		t.Errorf("status %d, errors %q", status, errs)
	}
	back, errs, status := engine(t, "", "convert", "-rule", "renju", "-to", "sgf", db)
	if status != 0 || errs != "" || strings.Count(back, ";W[") != 3 || !strings.Contains(back, "C[good]") || strings.Count(back, ";B[") != 1 {
		t.Errorf("status %d, errors %q, %s", status, errs, back)
	}
	if _, errs, status = engine(t, "", "convert", "-rule", "caro", "-o", filepath.Join(dir, "y.db"), lib); status != 2 || strings.Count(errs, "two.lib") != 1 {
		t.Errorf("caro: status %d, errors %q", status, errs)
	}
	if left, err := os.ReadDir(dir); len(left) != 2 || err != nil {
		t.Errorf("%d files, %v; want the library and the database", len(left), err)
	}
}

// The games of a database of people become one for the explorer, with their results beside the moves.
func TestConvertResults(t *testing.T) {
	db := filepath.Join(t.TempDir(), "x.db")
	in := file(t, "in.sgf", "(;GM[4]RU[renju]SZ[15]RE[B+];B[hh];W[ig];B[hg])(;GM[4]RU[renju]SZ[15]RE[W+];B[hh];W[gg];B[aa])(;GM[4]RU[renju]SZ[15];B[hh];W[hg])")
	if _, errs, status := engine(t, "", "convert", "-results", "2", "-o", db, in); status != 0 || !strings.Contains(errs, "left out") {
		t.Errorf("status %d, errors %q", status, errs)
	}
	back, errs, status := engine(t, "", "convert", "-rule", "renju", "-to", "sgf", db)
	if status != 0 || errs != "" || !strings.Contains(back, "LB[hh:+1=0-1]") || strings.Count(back, ":+1=0-1]") != 2 {
		t.Errorf("status %d, errors %q, %s", status, errs, back)
	}
	if _, errs, status = engine(t, "", "convert", "-results", "2", "-to", "sgf", in); status != 2 || !strings.Contains(errs, "want -to db") {
		t.Errorf("status %d, errors %q", status, errs)
	}
}

// Of a database of games those of a player or an event are read. The others have no fault to tell.
func TestGamesOfAPlayer(t *testing.T) {
	var rif strings.Builder
	rif.WriteString(`<database><rules><rule id="1" name="RIF" category="1"/></rules>
<players><player id="1" name="Ann" surname="Aas"/><player id="2" name="Bo" surname="Bee"/><player id="3" name="Cy" surname="Cee"/></players>
<tournaments><tournament id="1" name="Summer Open"/><tournament id="2" name="Winter Cup"/></tournaments><games>
`)
	for _, g := range []struct{ black, white, event, result, moves string }{
		{"1", "2", "1", "1", "h8 i9 h9 g8"},
		{"2", "3", "1", "0", "h8 h9 h8"},
		{"3", "1", "2", "0.5", "h8 i9 h9 g9 i8"},
		{"2", "3", "2", "0", "h8 h9 j9"},
	} {
		fmt.Fprintf(&rif, "<game black=%q white=%q tournament=%q bresult=%q rule=\"1\"><move>%s</move></game>\n", g.black, g.white, g.event, g.result, g.moves)
	}
	in := file(t, "games.rif", rif.String()+"</games></database>")
	for _, tt := range []struct {
		args   []string
		want   string
		status int
		errs   string
	}{
		{[]string{"-player", "aas ann"}, "h8i7h7g8\nh8i7h7g7i8\n", 0, ""},
		{[]string{"-player", "Ann", "-event", "cup"}, "h8i7h7g7i8\n", 0, ""},
		{[]string{"-event", "winter"}, "h8i7h7g7i8\nh8h7j7\n", 0, ""},
		{[]string{"-player", "bee", "-event", "open"}, "h8i7h7g8\n", 2, "game 2: move 3, h8, is on a stone"},
		{[]string{"-player", "Zoe"}, "", 2, "games.rif: there is no game of -player and -event"},
	} {
		out, errs, status := engine(t, "", append([]string{"convert", "-to", "pos", in}, tt.args...)...)
		if out != tt.want || status != tt.status || !strings.Contains(errs, tt.errs) || tt.errs == "" && strings.Contains(errs, "game ") && !strings.Contains(errs, "left out") {
			t.Errorf("%q: %q, status %d, errors %q", tt.args, out, status, errs)
		}
	}
	db := filepath.Join(t.TempDir(), "ann.db")
	if _, errs, status := engine(t, "", "convert", "-player", "ann", "-results", "4", "-o", db, in); status != 0 || !strings.Contains(errs, "left out") {
		t.Errorf("status %d, errors %q", status, errs)
	}
	back, errs, status := engine(t, "", "convert", "-rule", "renju", "-to", "sgf", db)
	if status != 0 || !strings.Contains(back, "LB[hh:+1=1-0]") || !strings.Contains(back, "+0=0-1") || strings.Contains(back, "[gj]") {
		t.Errorf("status %d, errors %q, %s", status, errs, back)
	}
	for _, command := range []string{"analyze", "review", "solve"} {
		if out, errs, status := engine(t, "", command, "-player", "Zoe", in); out != "" || status != 2 || !strings.HasSuffix(errs, "games.rif: there is no game of -player and -event\n") {
			t.Errorf("%s: %q, status %d, errors %q", command, out, status, errs)
		}
	}
	// Lines of JSON are games with names too.
	lines, _, _ := engine(t, "", "convert", "-to", "json", "-player", "ann", in)
	if out, errs, status := engine(t, lines, "convert", "-to", "pos", "-event", "open", "-"); out != "h8i7h7g8\n" || status != 0 {
		t.Errorf("%q, status %d, errors %q", out, status, errs)
	}
}
