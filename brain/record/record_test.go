package record

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"tengen/brain/board"
)

func moves(t *testing.T, s string) []board.Move {
	t.Helper()
	m, err := board.ParseMoves(s, board.MaxSize, board.MaxSize)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestPSQKeepsMovesTimesAndNames(t *testing.T) {
	g := Game{Width: 20, Height: 15, Black: "pbrain-alpha.exe", White: "pbrain beta",
		Moves: moves(t, "a1t15h8"), Millis: []int{0, 250, 1}, Reason: "five"}
	var b bytes.Buffer
	if err := WritePSQ(&b, &g); err != nil {
		t.Fatal(err)
	}
	want := "Piskvorky 20x15, 11:11, 0\n1,1,0\n20,15,250\n8,8,1\npbrain-alpha.exe\npbrain beta\n0\n"
	if b.String() != want {
		t.Fatalf("got\n%s\nwant\n%s", b.String(), want)
	}
	WritePSQ(&b, &g)
	all, err := psqOf(&b)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d games, error %v; want 2", len(all), err)
	}
	for _, r := range all {
		r.Reason = "five"
		if !reflect.DeepEqual(r, g) {
			t.Errorf("read back %+v, want %+v", r, g)
		}
	}
}

// As in Piskvork's own files: no names, moves with and without a time.
func TestPSQOfPiskvorkIsRead(t *testing.T) {
	in := "Piskvorky 20x20, 11:11, 0\r\n11,11,0\r\n12,11,250\r\n12,12\r\n"
	all, err := psqOf(strings.NewReader(in))
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	if got := FormatMoves(all[0].Moves); got != "k11l11l12" {
		t.Errorf("moves %s, want k11l11l12", got)
	}
}

// Piskvork names the players in the order of its settings, and only in tournaments; the header
// says which of them began.
func TestPSQNamesOfPiskvorkAreThoseOfTheColors(t *testing.T) {
	for in, want := range map[string][2]string{
		"0\n1,1,0\nfirst\nsecond\n0\n":         {"first", "second"},
		"1\n1,1,0\nfirst\nsecond\n0\n":         {"second", "first"},
		"0\n1,1,0\n0\n":                        {},
		"1\n1,1,0\n-2\n":                       {},
		"0\n1,1,0\nfirst\nsecond\n-1\n2,Cup\n": {"first", "second"},
	} {
		all, err := psqOf(strings.NewReader("Piskvorky 15x15, 11:11, " + in))
		if err != nil || len(all) != 1 {
			t.Fatalf("%q: %v, %v", in, all, err)
		}
		if got := [2]string{all[0].Black, all[0].White}; got != want {
			t.Errorf("%q: names %q, want %q", in, got, want)
		}
	}
}

// GomocupJudge tells the result by the engines as they were paired, and drops the stone of a foul.
func TestPSQOfGomocupJudge(t *testing.T) {
	const opening, white = "8,8,0\n9,9,0\n7,7,0\n", "6,6,52\n"
	for _, test := range []struct {
		name, moves, tail string
		opening           int
		want              Outcome
	}{
		{"the last stone has won", opening + white + "5,5,61\n", "-1\n2,Cup 2026\n", 3, BlackWon},
		{"the same, paired in the other order", opening + white + "5,5,61\n", "-1\n1,Cup 2026\n", 3, BlackWon},
		{"a fault of black, who has no stone for it", opening + white, "-1\n1,Cup 2026\n", 3, WhiteWon},
		{"a stone on another", opening + white + "8,8,61\n", "-1\n1,Cup 2026\n", 3, WhiteWon},
		{"an opening of two", "8,8,0\n9,9,0\n7,7,40\n", "-1\n1,Cup 2026\n", 2, BlackWon},
		{"a draw", opening + white, "-1\n0,Cup 2026\n", 3, Drawn},
		{"a fault before the first move", opening, "-1\n2,Cup 2026\n", 3, Unknown},
		{"no verdict yet", opening + white, "-1\n", 0, Unknown},
		{"not of the judge", opening + white, "0\n1,Cup 2026\n", 0, Unknown},
	} {
		all, err := psqOf(strings.NewReader("Piskvorky 15x15, 11:11, 0\n" + test.moves + "a.zip\nb.zip\n" + test.tail))
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %v, %v", test.name, all, err)
		}
		g := all[0]
		if g.Opening != test.opening || g.Outcome != test.want || (g.Event == "Cup 2026") != (test.opening > 0) || g.Black != "a.zip" || g.White != "b.zip" {
			t.Errorf("%s: %+v, want an opening of %d and %v", test.name, g, test.opening, test.want)
		}
	}
}

func TestPSQNamesCannotForgeMoves(t *testing.T) {
	for _, name := range []string{"3,4,5", "", "7", "3,4-opening", "0.5s", "-3x", "Piskvorky 15x15, 11:11, 0", "two\nlines"} {
		g := Game{Width: 15, Height: 15, Black: name, White: "w", Moves: moves(t, "h8")}
		var b bytes.Buffer
		WritePSQ(&b, &g)
		all, err := psqOf(&b)
		if err != nil || len(all) != 1 || len(all[0].Moves) != 1 || all[0].White != "w" || unicode.IsDigit(rune(strings.TrimLeft(all[0].Black, "+-")[0])) {
			t.Errorf("name %q: read back %+v, %v", name, all, err)
		}
	}
}

func TestPSQErrorsNameTheLine(t *testing.T) {
	for in, want := range map[string]string{
		"1,1,0\n":                             "line 1",
		"Piskvorky 15x15, 11:11, 0\n16,1,0\n": "line 2: 16,1 is not on a board of 15x15",
		"Piskvorky 99x15, 11:11, 0\n":         "line 1",
	} {
		if _, err := psqOf(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", in, err, want)
		}
	}
}

func TestSGFIsTheDialectOfCGomokuCli(t *testing.T) {
	g := Game{Rule: board.Renju, Width: 15, Height: 15, Black: "A", White: "B]\\",
		Moves: moves(t, "h8i8j10h9"), Opening: 2, Millis: []int{0, 0, 12, 8},
		Outcome: WhiteWon, Reason: "five", Event: "A x B", Round: "1.7", Date: "2026.01.19"}
	var b bytes.Buffer
	if err := WriteSGF(&b, &g); err != nil {
		t.Fatal(err)
	}
	want := `(;FF[4]GM[4]GN[7]EV[A x B]DT[2026.01.19]RO[1.7]RU[4]SZ[15]PB[A]PW[B\]\\]RE[W+1]TE[five]
;B[hh]C[opening move];W[ih]C[opening move]
;B[jj]C[12ms];W[hi]C[8ms])

`
	if b.String() != want {
		t.Fatalf("got\n%s\nwant\n%s", b.String(), want)
	}
	WriteSGF(&b, &g)
	all, err := readSGF(&b)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d games, error %v; want 2", len(all), err)
	}
	for _, r := range all {
		if !reflect.DeepEqual(r, g) {
			t.Errorf("read back\n%+v, want\n%+v", r, g)
		}
	}
}

func TestSGFHasEightMovesALine(t *testing.T) {
	g := Game{Width: 15, Height: 15, Moves: moves(t, "a1b1c1a3b3c3d3e3f3g3h3i3a5b5c5d5e5f5g5h5i5"), Opening: 3}
	var b bytes.Buffer
	WriteSGF(&b, &g)
	var counts []int
	for _, line := range strings.Split(strings.TrimSpace(b.String()), "\n")[1:] {
		counts = append(counts, strings.Count(line, ";"))
	}
	if !reflect.DeepEqual(counts, []int{3, 8, 8, 2}) {
		t.Errorf("lines of %v moves, want 3 of the opening and then 8, 8, 2", counts)
	}
}

func TestSGFFollowsTheMainLine(t *testing.T) {
	all, err := readSGF(strings.NewReader("junk (;GM[4]SZ[15];B[hh](;W[ii];B[aa](;W[bb])(;W[cc]))(;W[jj]))"))
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	if got := FormatMoves(all[0].Moves); got != "h8i9a1b2" {
		t.Errorf("main line %s, want h8i9a1b2", got)
	}
}

func TestSGFSetsUpAnOpening(t *testing.T) {
	for in, want := range map[string]string{
		"(;SZ[15]AB[hh][aa]AW[ii])":            "h8i9a1",
		"(;SZ[15]AW[ii];AB[hh];B[aa];W[bb])":   "h8i9a1b2",
		"(;SZ[15]AB[hh]C[5ms];W[ii];C[hello])": "h8i9",
		"(;SZ[15]AB[hh]PL[W]AW[ii];PL[B])":     "h8i9",
		"(;SZ[15]AB[hh]AW[ii]PL[W];B[aa])":     "h8i9a1", // the moves tell better
	} {
		all, err := readSGF(strings.NewReader(in))
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %v, %v", in, all, err)
		}
		g := all[0]
		if got := FormatMoves(g.Moves); got != want || len(g.Millis) != len(g.Moves) {
			t.Errorf("%s: moves %s with %d times, want %s", in, got, len(g.Millis), want)
		}
		if stones := strings.Count(in, "[hh]") + strings.Count(in, "AW[ii]"); g.Opening < stones {
			t.Errorf("%s: an opening of %d stones, want at least %d", in, g.Opening, stones)
		}
	}
}

// The stones of a position of renju come in any order, one in which the last is a double three too.
func TestSGFSetsUpAPositionOfRenju(t *testing.T) {
	const corners = "AW[aa][oa][ao][oo])"
	for in, want := range map[string]string{
		"(;SZ[15]RU[renju]AB[gh][ih][hg][hi][hh]" + corners:                  "g8a1i8o1h7a15h8o15h9",
		"(;SZ[15]RU[free]AB[gh][ih][hg][hi][hh]" + corners:                   "g8a1i8o1h7a15h9o15h8",
		"(;SZ[15]RU[renju]AB[eh][fh][gh][hh][jh][ih]AW[aa][oa][ao][oo][ca])": "e8a1f8o1g8a15h8o15j8c1i8", // no order of six in a row
		"(;SZ[15]RU[renju]AB[gh][ih][hg][hi][hh]AW[aa][oa][ao][oo];AW[aa])":  "g8a1i8o1h7a15h9o15h8a1",   // one cell twice
	} {
		all, err := readSGF(strings.NewReader(in))
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %v, %v", in, all, err)
		}
		if g := all[0]; FormatMoves(g.Moves) != want || g.Opening != len(g.Moves) {
			t.Errorf("%s: %s, %d moves of the opening; want %s", in, FormatMoves(g.Moves), g.Opening, want)
		}
	}
}

func TestSGFErrors(t *testing.T) {
	for _, in := range []string{
		"(;SZ[99])", "(;SZ[15];B[zz])", "(;SZ[15];B[h])", "(;SZ[15]", "(;SZ", "(;B;W[hh])", "(;SZ[15];B[hh][ii];W[gg])",
		"(;SZ[15];B[hh];AW[ii])", "(;SZ[15]AB[zz])", "(;SZ[15];B[hh];AE[hh])", "(;SZ[15];QXX[hh];W[ii])",
	} {
		if all, err := readSGF(strings.NewReader(in)); err == nil {
			t.Errorf("%q: read as %+v, want an error", in, all)
		}
	}
}

func TestOpeningsInBothNotationsAreTheSame(t *testing.T) {
	// The example of the c-gomoku-cli manual, and the same stones in pos notation.
	in := "# a comment\n8,-3, 6,-4, 5,-4, 4,-3, 2,-8, -1,-5\n\ns8q7p7o8m3j6\n0,0, 1,-1, 2,2\n"
	all, err := ReadOpenings(strings.NewReader(in), 0, 20, 20)
	if err != nil || len(all) != 3 {
		t.Fatalf("%v, %v", all, err)
	}
	if !reflect.DeepEqual(all[0], all[1]) {
		t.Errorf("offsets %s, pos %s", FormatMoves(all[0]), FormatMoves(all[1]))
	}
	if got := FormatMoves(all[2]); got != "k11l10m13" {
		t.Errorf("0,0, 1,-1, 2,2 is %s, want k11l10m13", got)
	}
}

func TestBadOpeningsAreRefused(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"a stone twice", "h8i9h8", "bad move 3, h8: the cell is taken"},
		{"off the board", "h8p1", "15x15"},
		{"offset off the board", "0,0, 8,0", "not on a board"},
		{"odd count of offsets", "0,0, 1", "pairs"},
		{"not a number", "0,0, 1,x", "not a number"},
		{"game over", "a1a2b1b2c1c2d1d2e1", "ends the game"},
		{"a line without an end", strings.Repeat("h8", 1<<16), "too long"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadOpenings(strings.NewReader("h8\n"+tt.line+"\n"), 0, 15, 15)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "line 2") {
				t.Errorf("error %v, want line 2 and %q", err, tt.want)
			}
		})
	}
}

func TestCheckOpening(t *testing.T) {
	var stones [2][]board.Move // of a drawn game on 5x5
	for y := range 5 {
		for x := range 5 {
			c := (x + 2*y) % 4 / 2
			stones[c] = append(stones[c], board.At(x, y))
		}
	}
	var full []board.Move
	for i, m := range stones[0] {
		full = append(full, m)
		full = append(full, stones[1][i:min(i+1, len(stones[1]))]...)
	}
	const row = "a1a2b1b2c1c2d1d2e1"
	const cramped = "a5f4f2c6f3b1b2b3c2e4f5e6f1b6b5c4e1f6c1c3a2d1c5a1d6b4d3a6d4a3e2e3e5a4"
	tests := []struct {
		name  string
		rule  board.Rule
		size  int
		moves string
		want  string
	}{
		{"none", board.Freestyle, 15, "", ""},
		{"a row to come", board.Freestyle, 15, row[:len(row)-2], ""},
		{"a row", board.Freestyle, 15, row, "move 9, e1, ends the game"},
		{"a row that moves follow", board.Freestyle, 15, row + "h8", "move 9, e1, ends the game"},
		{"a row of a continuous game", board.Continuous, 15, row + "h8", "move 9, e1, ends the game"},
		{"three and three", board.Renju, 15, "h8a1g8a3f9a5f10a7f8", "bad move 9, f8: forbidden for black"},
		{"off the board", board.Freestyle, 6, "a1g6", "bad move 2, g6: not on the board"},
		{"one empty cell", board.Freestyle, 5, FormatMoves(full[:24]), ""},
		{"no empty cell", board.Freestyle, 5, FormatMoves(full), "25 stones fill the board"},
		{"only forbidden cells", board.Renju, 6, cramped, "move 34, a4, leaves black no legal move"},
		{"the same cells without renju", board.ExactFive, 6, cramped, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := CheckOpening(moves(t, tt.moves), tt.rule, tt.size, tt.size); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestOpeningFilesOfTheRepositoryArePlayable(t *testing.T) {
	files, err := filepath.Glob("../../testdata/openings/*.txt")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d files, %v; want at least 4", len(files), err)
	}
	for _, file := range files {
		var rule board.Rule
		size := 15
		switch name := filepath.Base(file); {
		case strings.HasPrefix(name, "renju"):
			rule = board.Renju
		case strings.HasPrefix(name, "standard"):
			rule = board.ExactFive
		case strings.Contains(name, "20"):
			size = 20
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		all, err := ReadOpenings(f, rule, size, size)
		f.Close()
		if err != nil || len(all) < 30 {
			t.Errorf("%s: %d openings, %v", file, len(all), err)
		}
	}
}

func FuzzReadSGF(f *testing.F) {
	f.Add("(;FF[4]GM[4]SZ[15]RE[B+1];B[hh]C[opening move];W[ih]C[3ms](;B[aa])(;B[bb]))")
	f.Fuzz(func(t *testing.T, s string) {
		all, err := readSGF(strings.NewReader(s))
		if err != nil {
			return
		}
		for i := range all {
			var b bytes.Buffer
			WriteSGF(&b, &all[i])
			again, err := readSGF(&b)
			if err != nil || len(again) != 1 || !reflect.DeepEqual(again[0].Moves, all[i].Moves) {
				t.Fatalf("written and read again: %+v, %v; want %+v", again, err, all[i])
			}
		}
	})
}

func FuzzReadPSQ(f *testing.F) {
	f.Add("Piskvorky 20x20, 11:11, 0\n11,11,0\n12,11,250\na\nb\n0\n")
	f.Fuzz(func(t *testing.T, s string) {
		all, err := psqOf(strings.NewReader(s))
		if err != nil {
			return
		}
		for i := range all {
			var b bytes.Buffer
			WritePSQ(&b, &all[i])
			again, err := psqOf(&b)
			if err != nil || len(again) != 1 || !reflect.DeepEqual(again[0].Moves, all[i].Moves) {
				t.Fatalf("written and read again: %+v, %v; want %+v", again, err, all[i])
			}
		}
	})
}

// psqOf returns the games of .psq records.
func psqOf(r io.Reader) ([]Game, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	games, _, err := readPSQ(string(raw))
	return games, err
}

// sgfTrees returns the games of an SGF collection.
func sgfTrees(r io.Reader) ([]*Tree, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return readSGFGames(raw, Reading{})
}

// readSGF returns the main lines of an SGF collection.
func readSGF(r io.Reader) ([]Game, error) {
	trees, err := sgfTrees(r)
	var games []Game
	for i := 0; i < len(trees) && err == nil; i++ {
		var g Game
		if g, err = trees[i].Game(); err == nil {
			games = append(games, g)
		}
	}
	return games, err
}

// Openings come in every format that games come in.
func TestOpeningsOfOtherFiles(t *testing.T) {
	lib := "\xffRenLib\xff\x03\x00" + strings.Repeat("\xff", 10) + "\x78\x00\x69\xc0\x68\x40"
	for name, test := range map[string]struct{ in, want string }{
		"blanks":           {"K10 L11 K12\nh8 i9\n", "k10l11k12 h8i9"},
		"commas":           {"h8,i9,h10\n", "h8i9h10"},
		"other blanks":     {"h8\u00a0i9\r", "h8i9"},
		"UTF-16":           {"\xff\xfeh\x008\x00i\x009\x00\n\x00h\x008\x00", "h8i9 h8"},
		"numbers":          {"1. h8 i9 2. h10\n1. h8 h9", "h8i9h10 h8h9"},
		"SGF":              {"(;GM[4]SZ[15];B[hh](;W[ii])(;W[hi];B[gg]))", "h8i9 h8h9g7"},
		"a library":        {lib, "h8i7 h8h7"},
		"games of a match": {"(;GM[4]SZ[15];B[hh]C[opening move];W[ii]C[opening move];B[gg]C[12ms])", "h8i9"},
		"a .sav":           {"15 15 2 7 7 8 8", "h8i9"},
		"offsets":          {"0,0, 1,1\n0 0 1 1\n", "h8i9 h8i9"},
		"tactics":          {"0 15 h8i9 j10 5\n", "h8i9"},
	} {
		all, err := ReadOpenings(strings.NewReader(test.in), 0, 15, 15)
		var got []string
		for _, moves := range all {
			got = append(got, FormatMoves(moves))
		}
		if err != nil || strings.Join(got, " ") != test.want {
			t.Errorf("%s: %s, %v; want %s", name, got, err, test.want)
		}
	}
	for in, want := range map[string]string{
		"(;GM[4]SZ[19];B[hh])":               "game 1: a board of 19x19, want 15x15",
		"(;GM[4]SZ[15];W[hh])":               "game 1: an opening has moves in turn",
		"(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];": "game 2",
	} {
		if _, err := ReadOpenings(strings.NewReader(in), 0, 15, 15); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
}

// Comments and names of a text of moves are as they were, whatever its moves are written with.
func TestTextsBesideMovesAreKept(t *testing.T) {
	tree := readOne(t, "[Black \"黑，方\"]\r\n[White \"白：方\"]\r\n1. Ｈ８ {中心，好棋。} Ｉ９（妙：手）\r\n２．h10（1.5ｓ）", Reading{})
	line := tree.MainLine()
	if len(line) != 4 || tree.Black != "黑，方" || tree.White != "白：方" || line[1].Comment != "中心，好棋。" || line[2].Comment != "妙：手" || line[3].Comment != "" {
		t.Errorf("%q %q %s", tree.Black, tree.White, sgfOf(t, tree))
	}
	for _, plain := range []string{"1. h8 i9", "（h8）（i9）", "h8　i9", "（1）h8（2）i9"} {
		if tree := readOne(t, plain, Reading{}); len(tree.MainLine()) != 3 {
			t.Errorf("%q: %s", plain, sgfOf(t, tree))
		}
	}
}

// A game that GM says is one of Go is read where the caller sets the rule of all games.
func TestAnotherGameIsReadIfTheRuleIsForced(t *testing.T) {
	const sabaki = "(;GM[1]FF[4]CA[UTF-8]AP[Sabaki:0.52.2]KM[6.5]SZ[15];B[hh];W[ii])"
	if _, err := Read([]byte(sabaki), Reading{Rule: board.Renju}); err == nil || !strings.Contains(err.Error(), "a game of Go") {
		t.Errorf("without force: %v", err)
	}
	tree := readOne(t, sabaki, Reading{Rule: board.Renju, Force: true})
	if tree.Rule != board.Renju || len(tree.MainLine()) != 3 || len(tree.Remarks) != 1 || !strings.Contains(tree.Remarks[0], "taken for gomoku") {
		t.Errorf("%v %s %q", tree.Rule, sgfOf(t, tree), tree.Remarks)
	}
}

// Names and results that stand beside the moves of other programs' JSON and below the tags of text.
func TestResultsOfOtherPrograms(t *testing.T) {
	for in, want := range map[string]string{
		`{"result":"B","players":{"black":"Ann","white":{"name":"Bob"}},"moves":["h8","i9"]}`: "Ann Bob B+1",
		`{"winner":2,"black":"Ann","moves":[[7,7],[0,0]]}`:                                    "Ann  W+1",
		`{"winner":"white","blackName":"Ann","history":"h8 i9"}`:                              "Ann  W+1",
		`{"result":"draw","moves":["h8"]}`:                                                    "  0",
		`{"winner":null,"moves":["h8"]}`:                                                      "  ",
		"[Black \"Ann\"]\n[Result \"black\"]\n\n1. h8 i9":                                     "Ann  B+1",
		"[Black \"Ann\"]\n[Result \"*\"]\n\n1. h8 i9":                                         "Ann  ",
		"1. h8 i9 2. h9 White wins":                                                           "  W+1",
	} {
		if tree := readOne(t, in, Reading{}); tree.Black+" "+tree.White+" "+tree.Result != want {
			t.Errorf("%s: %q %q %q, want %s", in, tree.Black, tree.White, tree.Result, want)
		}
	}
}

// Lines that look like a table are none if a comment is the first of them, or if they have other columns.
func TestNoTables(t *testing.T) {
	for _, s := range []string{
		"# rule, size, moves, wins\n4 15 h8i7h7 g8\n", "move, player\nh8,B,1\n", "x,y\n7,7\n8\n", "Black,White\nAnn,Bo\n", "| moves |\n", "time,move\n",
	} {
		if isTable(s) {
			t.Errorf("%q is a table", s)
		}
	}
	raw, err := os.ReadFile("../../testdata/files/problems.txt")
	if err != nil {
		t.Fatal(err)
	}
	if f := Detect(raw); f != Problems {
		t.Errorf("a list of positions is a %v", f)
	}
}
