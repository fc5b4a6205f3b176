package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An open three of black, black to move: the open four wins in 3 plies.
const openThree = "h8a1h9a3h10a5"

func TestSolve(t *testing.T) {
	tests := []struct {
		name  string
		input string
		args  []string
		says  []string // on standard output, one a line
	}{
		{"a win", "", []string{openThree}, []string{"black wins in 3 plies: h"}},
		{"with blanks", "", []string{"h8 a1"}, []string{"black has no win"}},
		{"a line with blanks", "h8 a1 h9  a3\th10 a5\n", nil, []string{"black wins in 3 plies: h"}},
		{"decided at once", "", []string{"-search=false", openThree}, []string{"black wins in 3 plies: h11 h7 h12 (1 node, "}},
		{"none", "", []string{"h8"}, []string{"white has no win by continuous threats"}},
		{"by fours alone", "", []string{"-kind", "vcf", openThree, "h8"}, []string{"black wins in 3 plies", "white has no win by continuous fours"}},
		{"from standard input", "\n# a comment\n" + openThree + "\r\n-\n", nil, []string{"black wins", "black has no win"}},
		{"from a file of Windows", "\ufeff" + openThree + "\r\n", nil, []string{"black wins"}},
		{"a long comment", "#" + strings.Repeat(" x", 1<<16) + "\n-\n", nil, []string{"black has no win"}},
		{"all was tried", "", []string{"h8i9h9j9"}, []string{"black has no win by continuous threats"}},
		{"another size", "", []string{"-size", "20x12", "t12"}, []string{"white has no win"}},
		{"renju", "", []string{"-rule", "4", "-kind", "vcf", "f8a1g8c1h8e1k8g1"}, []string{"black wins in 3 plies"}},
		{"the moves that hold", "", []string{"-defend", "h8a1h9a3h10"}, []string{"black threatens to win in 3 plies", "2 moves hold, as far as is known: h7 h11", "h12 loses to h7 h6 h11", "every other move loses to the threat"}},
		{"one move holds", "", []string{"-defend", "h8h7h9a3h10a5h11"}, []string{"black threatens to win in 1 ply:", "1 move holds, as far as is known: h12", "every other move loses to the threat"}},
		{"nothing to hold against", "", []string{"-defend", "h8"}, []string{"black threatens no win by continuous threats"}},
		{"no move holds", "", []string{"-defend", "h8a1h9a3h10a5h7"}, []string{"black threatens to win in 1 ply:", "no move holds", "h6 loses to h11", "every other move loses to the threat"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out, errs, status := engine(t, test.input, append([]string{"solve", "-time", "2s"}, test.args...)...)
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			if errs != "" || status != 0 || len(lines) != len(test.says) {
				t.Fatalf("status %d, errors %q, output\n%s", status, errs, out)
			}
			for i, want := range test.says {
				if !strings.HasPrefix(lines[i], want) {
					t.Errorf("line %d is %q, want %q", i+1, lines[i], want)
				}
			}
		})
	}
}

func TestSolveJSON(t *testing.T) {
	name := filepath.Join(t.TempDir(), "positions.txt")
	if err := os.WriteFile(name, []byte(openThree+"\nh8\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, errs, status := engine(t, "", "solve", "-json", "-file", name)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if errs != "" || status != 0 || len(lines) != 2 {
		t.Fatalf("status %d, errors %q, output\n%s", status, errs, out)
	}
	for i, want := range []string{"win", "none"} {
		var a map[string]any
		if err := json.Unmarshal([]byte(lines[i]), &a); err != nil {
			t.Fatal(err)
		}
		for _, field := range []string{"pos", "result", "plies", "line", "nodes", "ms"} {
			if _, ok := a[field]; !ok {
				t.Errorf("no field %s in %s", field, lines[i])
			}
		}
		if a["result"] != want || (a["plies"] == float64(3)) != (want == "win") {
			t.Errorf("got %s, want %s", lines[i], want)
		}
	}
}

// TestSolveDefendJSON: holds is there with a win of the opponent only, and the help explains every
// field.
func TestSolveDefendJSON(t *testing.T) {
	help, _, _ := engine(t, "", "help", "solve")
	_, help, _ = strings.Cut(help, "-json prints")
	help, _, _ = strings.Cut(help, "\nFlags:")
	explained := strings.FieldsFunc(help, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' })
	for pos, want := range map[string]map[string]any{
		"h8a1h9a3h10":     {"result": "win", "plies": 3.0, "holds": "h7h11"},
		"h8a1h9a3h10a5h7": {"result": "win", "plies": 1.0, "holds": ""},
		"h8":              {"result": "none", "limit": nil, "plies": 0.0, "line": "", "holds": nil},
	} {
		out, errs, status := engine(t, "", "solve", "-json", "-defend", pos)
		var got map[string]any
		if err := json.Unmarshal([]byte(lines(t, out, errs, status)[0]), &got); err != nil {
			t.Fatal(err)
		}
		for field, value := range want {
			if got[field] != value {
				t.Errorf("%s: %s is %v, want %v", pos, field, got[field], value)
			}
		}
		for field := range got {
			if !slices.Contains(explained, field) {
				t.Errorf("the help does not explain %s", field)
			}
		}
	}
}

// As with analyze, one bad position of many does not end the run.
func TestSolveLeavesOutBadArguments(t *testing.T) {
	out, errs, status := engine(t, "", "solve", "-json", "-time", "1s", "h8", "h8h8", "h8i9")
	if status != 2 || strings.Count(out, "\n") != 2 || !strings.Contains(errs, `"h8h8": move 2, h8, is on a stone`) {
		t.Errorf("status %d, output %q, error %q", status, out, errs)
	}
}

// Whatever holds a position can be solved, with flags on either side of it.
func TestSolveReadsFiles(t *testing.T) {
	const win = "black wins in 3 plies"
	sgf := file(t, "game.sgf", "(;GM[4]SZ[15];B[hh];W[aa];B[hi];W[ac];B[hj];W[ae];B[oo];W[oa])")
	var drawn strings.Builder
	for y := range 15 {
		row := strings.Repeat(". ", 15)
		if stones := (map[int]string{0: "O . . . . . . . . . . . . . .", 2: "O . . . . . . . . . . . . . .", 4: "O . . . . . . . . . . . . . ."})[y]; stones != "" {
			row = stones
		} else if y >= 7 && y <= 9 {
			row = ". . . . . . . X . . . . . . ."
		}
		drawn.WriteString(strings.TrimSpace(row) + "\n")
	}
	for name, test := range map[string]struct {
		input string
		args  []string
	}{
		"a game":           {"", []string{sgf, "-after", "6"}},
		"standard input":   {"(;GM[4]SZ[15];B[hh];W[aa];B[hi];W[ac];B[hj];W[ae])", nil},
		"a drawn board":    {drawn.String(), nil},
		"tactics":          {"# rule, size, moves, wins, plies\n0 15 h8a1h9a3h10a5 h7h11 3\n", nil},
		"-file with SGF":   {"", []string{"-after", "6", "-file", sgf}},
		"set-up stones":    {"(;GM[4]SZ[15]AB[hh][hi][hj]AW[aa][ac]PL[B])", nil},
		"another encoding": {"\xff\xfeh\x008\x00a\x001\x00h\x009\x00a\x003\x00h\x001\x000\x00a\x005\x00", nil},
	} {
		out, errs, status := engine(t, test.input, append([]string{"solve", "-time", "5s"}, test.args...)...)
		if status != 0 || errs != "" || !strings.HasPrefix(out, win) {
			t.Errorf("%s: status %d, errors %q, output %s", name, status, errs, out)
		}
	}
	out, errs, status := engine(t, "", "solve", "-json", "-time", "2s", "-after", "6", sgf)
	if status != 0 || errs != "" || !strings.Contains(out, `"pos":"h8a1h9a3h10a5"`) || !strings.Contains(out, `"plies":3`) {
		t.Errorf("status %d, errors %q, output %s", status, errs, out)
	}
}

func TestSolveNamesWhatIsWrong(t *testing.T) {
	long := strings.Repeat("h8", 1<<15)
	tests := []struct {
		name  string
		input string
		args  []string
		says  string
	}{
		{"a taken cell", "", []string{"h8i9h8"}, "move 3, h8, is on a stone"},
		{"off the board", "", []string{"h8p1"}, `bad move at "p1"`},
		{"no move", "", []string{"88"}, `"88" is neither a position such as h8i9j7 nor a file`},
		{"forbidden", "", []string{"-rule", "4", "h8a1h9a3f7a5g7a7h7"}, "bad move 9, h7: forbidden for black"},
		{"on after the end", "", []string{"h8a1h9a3h10a5h11a7h12a9"}, "bad move 10, a9: the game is over"},
		{"the end", "", []string{"h8a1h9a3h10a5h11a7h12"}, "the game is over"},
		{"the line of a file", "h8\n\nh8h8\n", nil, `standard input, line 3: "h8h8": move 2`},
		{"a long line", "h8\n" + long + "\n", nil, `standard input, line 2: "h8h8`},
		{"an argument that is long", "", []string{long}, "h8h8"},
		{"a file of something else", "h8\n\x1b[31m\x00\n", nil, `standard input, line 2: "\x1b[31m\x00": want moves`},
		{"nothing", "", nil, "standard input: there is no position"},
		{"blanks", " \n# c\n\n", nil, "standard input: there is no position"},
		{"no file", "", []string{"-file", "no such file"}, "no such file"},
		{"an unknown kind", "", []string{"-kind", "vc2", "h8"}, "want vcf or vct"},
		{"no time", "", []string{"-time", "0s", "h8"}, "-time"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, errs, status := engine(t, test.input, append([]string{"solve"}, test.args...)...)
			if status != 2 || strings.Count(errs, "\n") != 1 || len(errs) > 300 || !strings.Contains(errs, test.says) {
				t.Errorf("status %d, want 2; error %q, want one line that says %q", status, errs, test.says)
			}
		})
	}
}

// TestSolveTellsALimit: that a search was cut short is not told as that there is no win.
func TestSolveTellsALimit(t *testing.T) {
	const pos = "h4i3h5g5i5i6f6j6g6f7h6g7e7h7j7i7g8d8h8f8" // won by a quiet move, in a second or more
	for flag, want := range map[string]string{"": "no win of black was found within 1ms", "-json": `"result":"unknown","limit":"time"`} {
		args := []string{"solve", "-rule", "4", "-time", "1ms", pos}
		if flag != "" {
			args = append(args, flag)
		}
		out, errs, status := engine(t, "", args...)
		if status != 0 || errs != "" || !strings.Contains(out, want) {
			t.Errorf("%q: status %d, %q, %q, want %q", args, status, out, errs, want)
		}
	}
}

// TestTheReplyToAFourThatNobodyMayStop: where Black's only block is forbidden, the line goes on with a
// move near the game, not in the corner.
func TestTheReplyToAFourThatNobodyMayStop(t *testing.T) {
	const pos = "c8d8h5e8h6f8h7b15h9o15h10" // g8 makes a four, whose block h8 is an overline
	for _, kind := range []string{"vcf", "vct"} {
		out, errs, status := engine(t, "", "solve", "-rule", "4", "-json", "-kind", kind, pos)
		if status != 0 || errs != "" || !strings.Contains(out, `"line":"g8`) || strings.Contains(out, "a1") || strings.Contains(out, "a15") {
			t.Errorf("%s: status %d, %q, %q", kind, status, out, errs)
		}
	}
}
