package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/cmd/internal/query"
)

// lines splits the output of a command that has to succeed.
func lines(t *testing.T, out, errs string, status int) []string {
	t.Helper()
	if errs != "" || status != 0 {
		t.Fatalf("status %d, errors %q, output\n%s", status, errs, out)
	}
	return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
}

// file writes a file and returns its name.
func file(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

const (
	// A game after two moves and a finished one; g12 in SGF is column 7, row 12 from the top.
	twoGames = "(;GM[4]SZ[15];B[hh];W[gl])\n(;GM[4]SZ[15]RU[4];B[hh];W[aa];B[ih];W[ab];B[jh];W[ac];B[kh];W[ad];B[lh])\n"
	onePSQ   = "Piskvorky 20x15, 11:11, 0\n8,8,0\n7,12,5\none\ntwo\n0\n"
)

func TestAnalyzeJSON(t *testing.T) {
	text := file(t, "games.txt", "# two games\nh8g12\n\n-\n")
	tests := []struct {
		name  string
		input string
		args  []string
		pos   []string
	}{
		{"an argument", "", []string{"h8g12"}, []string{"h8g12"}},
		{"the empty board", "", []string{"-"}, []string{"-"}},
		{"lines of standard input", "h8g12\r\n# no position\n\nh8", nil, []string{"h8g12", "h8"}},
		{"a file of moves", "", []string{text}, []string{"h8g12", "-"}},
		{"numbered moves", "1. h8 g12\n2. i9\n", nil, []string{"h8g12i9"}},
		{"a link, with rows from the bottom", "", []string{"https://gomocalc.com/#/h8g12"}, []string{"h8g4"}},
		{"SGF", twoGames, nil, []string{"h8g12", "h8a1i8a2j8a3k8a4l8"}},
		{"a file of Piskvork", "", []string{file(t, "g.psq", onePSQ)}, []string{"h8g12"}},
		{"the first moves", "", []string{"-after", "3", "h8g12i9j10", "h8"}, []string{"h8g12i9", "h8"}},
		{"the moves before a foul", "", []string{"-rule", "4", "-after", "8", "h8a1h9a3f7a5g7a7h7"}, []string{"h8a1h9a3f7a5g7a7"}},
		{"the moves before the end", "h8a1h9a3h10a5h11a7h12a9", []string{"-after", "0"}, []string{"-"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out, errs, status := engine(t, test.input, append([]string{"analyze", "-json", "-depth", "3"}, test.args...)...)
			got := lines(t, out, errs, status)
			if len(got) != len(test.pos) {
				t.Fatalf("%d lines, want %d:\n%s", len(got), len(test.pos), out)
			}
			for i, line := range got {
				var a query.Analysis
				if err := json.Unmarshal([]byte(line), &a); err != nil {
					t.Fatal(err)
				}
				if a.Pos != test.pos[i] || (a.Over == "") == (a.Move == "") || a.Over == "" && (len(a.Lines) != 1 || a.Lines[0].Depth != 3 || a.Nodes == 0) || a.Over != "" && a.Lines != nil || !strings.Contains(line, `"nodes":`) || !strings.Contains(line, `"ms":`) {
					t.Errorf("want %s, got %s", test.pos[i], line)
				}
			}
		})
	}
}

func TestAnalyzeLines(t *testing.T) {
	// Black wins by an open four on either side of the row.
	out, errs, status := engine(t, "", "analyze", "-json", "-multipv", "3", "-depth", "6", openThree, "h8")
	var a query.Analysis
	if err := json.Unmarshal([]byte(lines(t, out, errs, status)[0]), &a); err != nil {
		t.Fatal(err)
	}
	if len(a.Lines) != 3 || a.Move != a.Lines[0].Move || a.Side != "black" || a.Moves != 6 {
		t.Fatalf("got %s", out)
	}
	for i, l := range a.Lines[:2] {
		if l.Mate == nil || *l.Mate != 3 || l.Score != nil || l.WinRate != 1 || l.Move != "h7" && l.Move != "h11" {
			t.Errorf("line %d is %+v, want a win in 3 plies", i+1, l)
		}
	}
	if l := a.Lines[2]; (l.Score == nil) == (l.Mate == nil) || !strings.HasPrefix(l.Line, l.Move) {
		t.Errorf("the third line is %+v", l)
	}
	text, errs, status := engine(t, "", "analyze", "-multipv", "3", "-depth", "6", openThree)
	all := strings.Join(lines(t, text, errs, status), "\n")
	for _, want := range []string{openThree + " (freestyle, 15x15)", "black is to move", "+M3", "100%"} {
		if !strings.Contains(all, want) {
			t.Errorf("the table lacks %q:\n%s", want, all)
		}
	}
}

// TestAnalyzeLabels: for people rows count from the bottom, whatever the file counts, and
// labels that were typed keep their meaning.
func TestAnalyzeLabels(t *testing.T) {
	out, errs, status := engine(t, twoGames, "analyze", "-depth", "2")
	if got := lines(t, out, errs, status)[0]; got != "h8g4 (freestyle, 15x15)" {
		t.Errorf("a game of SGF is shown as %s", got)
	}
	if !strings.Contains(out, "the game is over: black has won") {
		t.Errorf("the finished game:\n%s", out)
	}
	// A link keeps its labels, and so do the moves on the line after it.
	out, errs, status = engine(t, "https://example.org/v1.0/#/h8g12\nh8g12\n", "analyze", "-depth", "2")
	if lines(t, out, errs, status); strings.Count(out, "h8g12 (freestyle, 15x15)") != 2 {
		t.Errorf("a link and moves are shown as\n%s", out)
	}
	for _, format := range []string{"-json=false", "-json"} {
		out, errs, status := engine(t, "", "analyze", format, "-depth", "5", "h8a1h9a3h10a5h11a7")
		if lines(t, out, errs, status); !strings.Contains(out, "h7") && !strings.Contains(out, "h12") {
			t.Errorf("%s: the five is on h7 or h12:\n%s", format, out)
		}
	}
}

// TestAnalyzeSearchesTheSame: the rows of labels differ with -json, what is searched does not.
func TestAnalyzeSearchesTheSame(t *testing.T) {
	const moves = "h8i9i7g9h10h9k12"
	for name, text := range map[string]string{
		"moves":    moves,
		"numbers":  "1. h8 i9 2. i7 g9 3. h10 h9 4. k12",
		"a source": "# from https://example.org/\n1. h8 i9 2. i7 g9\n3. h10 h9 4. k12\n",
		"a link":   "https://gomocalc.com/#/" + moves,
		"SGF":      "(;GM[4]SZ[15];B[hh];W[ii];B[ig];W[gi];B[hj];W[hi];B[kl])",
		"Piskvork": "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n9,7,0\n7,9,0\n8,10,0\n8,9,0\n11,12,0\none\ntwo\n0\n",
		"of Yixin": "15\n15\n7\n7 7\n8 8\n6 8\n8 6\n9 7\n8 7\n11 10\n",
	} {
		args := []string{"-depth", "8", "-multipv", "2"}
		out, errs, status := engine(t, text, append([]string{"analyze", "-json"}, args...)...)
		var a query.Analysis
		if err := json.Unmarshal([]byte(lines(t, out, errs, status)[0]), &a); err != nil {
			t.Fatal(err)
		}
		out, errs, status = engine(t, text, append([]string{"analyze"}, args...)...)
		lines(t, out, errs, status)
		if want := fmt.Sprintf("\n%d nodes in ", a.Nodes); !strings.Contains(out, want) {
			t.Errorf("%s: with -json %d nodes, without\n%s", name, a.Nodes, out)
		}
		for _, l := range a.Lines {
			list, err := board.ParseMoves(l.Line, 15, 15)
			if err != nil {
				t.Fatal(err)
			}
			line := spaced(list)
			if name != "moves" && name != "numbers" && name != "a source" {
				line = ""
				for _, m := range list {
					line += " " + m.Label(15)
				}
			}
			if !strings.Contains(out, line+"\n") {
				t.Errorf("%s: with -json the line %s, without\n%s", name, line, out)
			}
		}
	}
}

func TestAnalyzeRepeats(t *testing.T) {
	var first string
	for range 2 {
		out, errs, status := engine(t, "", "analyze", "-nodes", "3000", "h8i9i7", "h8h9")
		got := strings.Join(lines(t, out, errs, status), "\n")
		var kept []string
		for _, line := range strings.Split(got, "\n") {
			nodes, _, _ := strings.Cut(line, " nodes in ") // times vary
			kept = append(kept, nodes)
		}
		got = strings.Join(kept, "\n")
		if first == "" {
			first = got
		} else if got != first {
			t.Errorf("first\n%s\nthen\n%s", first, got)
		}
	}
}

// Too little memory for the threads is reported, and the search goes on with the least table.
func TestAnalyzeInLittleMemory(t *testing.T) {
	t.Setenv("GOMAXPROCS", "20")
	out, errs, status := engine(t, "", "analyze", "-threads", "40", "-memory", "50", "-depth", "2", "h8", "h8i9")
	if status != 0 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "too little") || strings.Count(out, " nodes in ") != 2 {
		t.Errorf("status %d, errors %q, output\n%s", status, errs, out)
	}
}

// More threads than the limit of the machine are not started, which one line says.
func TestTooManyThreads(t *testing.T) {
	t.Setenv("GOMAXPROCS", "2")
	for _, args := range [][]string{{"analyze", "h8", "h8i9"}, {"review", "h8i9i7"}} {
		out, errs, status := engine(t, "", append([]string{args[0], "-threads", "40", "-depth", "2"}, args[1:]...)...)
		if status != 0 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "thread_num 40: using 4, the limit on this machine") {
			t.Errorf("%s: status %d, errors %q, output\n%s", args[0], status, errs, out)
		}
	}
}

// One bad line of many is named, and does not end a run that may have taken hours.
func TestBadPositionsAreLeftOut(t *testing.T) {
	const sgf = "(;SZ[15];B[hh];W[ig])(;SZ[15]RU[2];B[hh])(;SZ[15];B[hh];W[ig];B[jf])"
	for _, test := range []struct {
		command, input string
		pos, says      []string
	}{
		{"solve", "h8\nh8h8\nh8i9\nhello\n", []string{"h8", "h8i9"}, []string{"line 2: \"h8h8\"", "line 4: \"hello\""}},
		{"analyze", "h8\nh8h8\nh8i9\nhello\n", []string{"h8", "h8i9"}, []string{"line 2: \"h8h8\"", "line 4: \"hello\""}},
		{"analyze", sgf, []string{"h8i7", "h8i7j6"}, []string{"game 2: continuous"}},
		{"analyze", "(;SZ[15];B[hh];W[ig])(;SZ[15];B[hh];W[zz])(;SZ[15]", []string{"h8i7"}, []string{"game 2: W: point \"zz\"", "game 3: the game tree is not closed"}},
		{"solve", "h8h8\nh8\n", nil, []string{"line 1: \"h8h8\""}},
		{"analyze", "h8h8\nh8\n", nil, []string{"line 1: \"h8h8\""}},
	} {
		args := []string{test.command, "-json", "-time", "50ms"}
		out, errs, status := engine(t, test.input, args...)
		var pos []string
		for line := range strings.Lines(out) {
			var a query.Analysis
			if err := json.Unmarshal([]byte(line), &a); err != nil {
				t.Fatal(err)
			}
			pos = append(pos, a.Pos)
		}
		if status != 2 || !slices.Equal(pos, test.pos) || strings.Count(errs, "\n") != len(test.says) {
			t.Errorf("%s %.20q: status %d, positions %q, errors %q", test.command, test.input, status, pos, errs)
		}
		for _, says := range test.says {
			if !strings.Contains(errs, says) {
				t.Errorf("%s %.20q: errors %q, want %s", test.command, test.input, errs, says)
			}
		}
	}
}

// One bad file or position of many does not end the run either.
func TestBadFilesAreLeftOut(t *testing.T) {
	good, bad := file(t, "good.txt", "h8\n"), file(t, "bad.txt", "hello\n")
	args := []string{"analyze", "-json", "-depth", "1", good, bad, t.TempDir(), "missing.sgf", "h8h8", "h8i9"}
	out, errs, status := engine(t, "", args...)
	if status != 2 || strings.Count(out, "\n") != 2 || !strings.Contains(out, `"h8i9"`) || strings.Count(errs, "\n") != 4 || !strings.Contains(errs, "bad.txt: this is neither") {
		t.Errorf("status %d, errors %q, output\n%s", status, errs, out)
	}
	args[4], args[5] = bad, good
	if out, errs, status = engine(t, "", args...); status != 2 || out != "" || strings.Count(errs, "\n") != 1 {
		t.Errorf("the first file is bad: status %d, errors %q, output\n%s", status, errs, out)
	}
}

// What follows a line without end is not taken for the end of the file.
func TestALineWithoutEnd(t *testing.T) {
	in := strings.NewReader("h8\n" + strings.Repeat("a", maxFile+1<<16) + "\nh8i9\n")
	err := eachLine(in, "endless", func(string, string) error { return nil }, nil)
	if err == nil || !strings.Contains(err.Error(), "endless: more than 32 MiB") {
		t.Errorf("error %v", err)
	}
}

func TestAnalyzeNamesWhatIsWrong(t *testing.T) {
	long := strings.Repeat("h8", 5000)
	tests := []struct {
		name  string
		input string
		args  []string
		says  string
	}{
		{"a taken cell", "", []string{"h8i9h8"}, `"h8i9h8": move 3, h8, is on a stone`},
		{"off the board", "", []string{"h8p1"}, `"h8p1": bad move at "p1"`},
		{"a long one", "", []string{long}, "more moves than cells"},
		{"neither", "", []string{"game.psq"}, `"game.psq" is neither a position such as h8i9j7 nor a file`},
		{"a missing file", "", []string{"e5.sgf"}, `"e5.sgf" is neither a position such as h8i9j7 nor a file`},
		{"one in a folder", "", []string{"e5/game"}, `"e5/game" is neither a position such as h8i9j7 nor a file`},
		{"a bad link", "", []string{"https://gomocalc.com/#/h8h8"}, `move 2, h8, is on a stone`},
		{"a directory", "", []string{t.TempDir()}, "directory"},
		{"forbidden before the last", "", []string{"-rule", "4", "h8a1h9a3f7a5g7a7h7a9"}, "bad move 9, h7: forbidden for black"},
		{"on after the end", "", []string{"h8a1h9a3h10a5h11a7h12a9"}, "bad move 10, a9: the game is over"},
		{"a line", "h8\n\nh8h8\n", []string{"-time", "10ms"}, `standard input, line 3: "h8h8": move 2`},
		{"not a game", "hello, world\n", nil, "standard input: this is neither"},
		{"a continuous game", "(;GM[4]SZ[15]RU[2];B[hh])", nil, "standard input: continuous games are not analyzed"},
		{"cut SGF", "(;GM[4]SZ[15];B[h", nil, "standard input: "},
		{"nothing", "", nil, "standard input: there is no position"},
		{"blanks", " \n# c\n\n", nil, "standard input: there is no position"},
		{"no time", "", []string{"-time", "-1s", "h8"}, "-time -1s"},
		{"no thread", "", []string{"-threads", "0", "h8"}, "want a number of 1"},
		{"no line", "", []string{"-multipv", "0", "h8"}, "-multipv"},
		{"an unknown flag", "", []string{"-jsn", "h8"}, "-jsn"},
		{"an unknown flag at the end", "", []string{"h8", "-jsn"}, "-jsn"},
		{"an unknown encoding", "", []string{"-encoding", "klingon", filesOf + "/big5.sgf"}, "unknown encoding"},
		{"another encoding", "", []string{"-encoding", "utf-8", filesOf + "/big5.sgf"}, "not in UTF-8"},
	}
	for _, command := range []string{"analyze", "review"} {
		for _, test := range tests {
			args := append([]string{command}, test.args...)
			if command == "review" {
				if test.name == "no line" || test.name == "a line" {
					continue // review has no -multipv, one argument, and reads games, not lines
				}
				if len(test.args) == 0 {
					args = append(args, "-")
				}
			}
			_, errs, status := engine(t, test.input, args...)
			if status != 2 || strings.Count(errs, "\n") != 1 || len(errs) > 300 || !strings.Contains(errs, test.says) {
				t.Errorf("%s, %s: status %d, want 2; error %q, want one line that says %q", command, test.name, status, errs, test.says)
			}
		}
	}
}
