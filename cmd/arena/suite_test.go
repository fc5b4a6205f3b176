package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
)

// In the positions of these tests the side to move has an open four, and the fake engine
// takes the first end of it, g8. The second line does not count that as a win.
const (
	openFour  = "h8a1i8a3j8a5k8a7"
	twoSolved = "# two positions\n0 15 " + openFour + " g8l8 1\n\n0 15 " + openFour + " l8 1\n"
)

func suiteFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheSuiteCountsWinningMoves(t *testing.T) {
	t.Parallel()
	first := suiteFile(t, "first.txt", twoSolved)
	second := suiteFile(t, "second.txt", "4 15 "+openFour+" g8 1\n")
	cmd, stdout, stderr := arena(t, "suite", "-engine", spec(t, "good", "chatter", "1"), "-engine", spec(t, "bad", "exits at once", "1"),
		"-each", "tc=0/2,tolerance=10", "-v", first, second)
	if cmd.Run(); cmd.ProcessState.ExitCode() != 1 || stderr.String() != "arena: bad failed in every position\n" {
		t.Fatalf("status %d, standard error %q", cmd.ProcessState.ExitCode(), stderr)
	}
	got := strings.Split(strings.TrimSpace(stdout.String()), "\n")
	want := []string{
		"first.txt:2: good g8 in | solved", "first.txt:2: bad none in | failed by crash",
		"first.txt:4: good g8 in | missed, wins: l8", "first.txt:4: bad none in | failed by crash",
		"second.txt:1: good g8 in | solved", "second.txt:1: bad none in | failed by crash",
		"file | engine | solved | percent | mean s | max s | failed",
		"first.txt | good | 1/2 | 50.0 | 0", "first.txt | bad | 0/2 | 0.0 | 0.000 | 0.000 | 2",
		"second.txt | good | 1/1 | 100.0 | 0", "second.txt | bad | 0/1 | 0.0 | 1",
		"all files | good | 2/3 | 66.7 | 0", "all files | bad | 0/3 | 0.0 | 3",
	}
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d:\n%s", len(got), len(want), stdout)
	}
	for i, line := range got {
		for rest, part := line, ""; want[i] != ""; {
			part, want[i], _ = strings.Cut(want[i], " | ")
			_, after, ok := strings.Cut(rest, part)
			if !ok {
				t.Errorf("line %d is %q, lacks %q", i+1, line, part)
			}
			rest = after
		}
	}
}

// Whatever an engine does in the second position, the third is asked as usual.
func TestAFailingEngineLosesItsPositionNotTheRun(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ mode, reason string }{
		{"mute", "timeout"},
		{"exits", "crash"},
		{"closes its output", "crash"},
		{"garbage", "protocol"},
		{"occupied", "illegal"},
		{"off the board", "illegal"},
	} {
		t.Run(tt.mode, func(t *testing.T) {
			t.Parallel()
			e := fake(t, "x", tt.mode, "1")
			e.TC, e.Tolerance = timeControl{Turn: 300 * time.Millisecond}, 0
			if tt.mode != "mute" {
				e.TC.Turn = 20 * time.Second
			}
			var out bytes.Buffer
			files, err := readSuite([]string{suiteFile(t, "f.txt", twoSolved)})
			if err != nil {
				t.Fatal(err)
			}
			s := &suite{engines: []engine{e, fake(t, "y", "", "1")}, files: files, stdout: &out, verbose: true}
			if err := s.run(t.Context(), newTag()); err == nil || err.Error() != "x failed in every position" {
				t.Error(err)
			}
			for _, want := range []string{"f.txt:2: x", "f.txt:4: x"} {
				_, line, ok := strings.Cut(out.String(), want)
				line, _, _ = strings.Cut(line, "\n")
				if !ok || !strings.Contains(line, "failed by "+tt.reason) {
					t.Errorf("%s%s; want failed by %s", want, line, tt.reason)
				}
			}
			if !strings.Contains(out.String(), "f.txt:2: y g8") || !strings.Contains(out.String(), "1/2") {
				t.Errorf("the other engine is disturbed:\n%s", &out)
			}
		})
	}
}

func TestAForbiddenAnswerFails(t *testing.T) {
	t.Parallel()
	// Black to move may not make two threes on h8; the list does not know better.
	file := suiteFile(t, "f.txt", "4 15 g8a1i8a3h7a5h9a7 j10 9\n")
	cmd, stdout, stderr := arena(t, "suite", file, "-engine", spec(t, "x", "forbidden", "1"), "-each", "tc=0/20", "-v") // flags may follow files
	if cmd.Run(); cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("status %d, want 1: %s", cmd.ProcessState.ExitCode(), stderr)
	}
	if !strings.Contains(stdout.String(), "failed by forbidden: h8") {
		t.Errorf("standard output lacks the failure:\n%s", stdout)
	}
}

func TestASuiteThatCannotRunIsOneLineAndStatusTwo(t *testing.T) {
	good := suiteFile(t, "good.txt", twoSolved)
	bad := suiteFile(t, "bad.txt", "# of a file\n0 15 "+openFour+" h8 1\n")
	none := suiteFile(t, "none.txt", "# nothing\n")
	x := []string{"suite", "-engine", spec(t, "x", "", "1")}
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"nothing", x[:1], "an engine"},
		{"no file", x, "a file"},
		{"a missing file", append(x[:3:3], good+".not"), "good.txt.not"},
		{"a bad line", append(x[:3:3], good, bad), "bad.txt: line 2: winning move h8"},
		{"no position", append(x[:3:3], none), "no position"},
		{"an engine twice", append(x[:3:3], x[1], x[2], good), "name"},
		{"an unknown flag", append(x[:3:3], "-frobnicate", good), "frobnicate"},
		{"an unknown setting", append(x[:3:3], "-each", "colour=red", good), "colour"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd, stdout, stderr := arena(t, tt.args...)
			cmd.Run()
			text := stderr.String()
			if code := cmd.ProcessState.ExitCode(); code != 2 || strings.Count(text, "\n") != 1 || !strings.Contains(text, tt.want) || stdout.Len() > 0 {
				t.Errorf("status %d, stderr %q, stdout %q; want 2 and one line with %q on stderr", code, text, stdout, tt.want)
			}
		})
	}
}

func TestTheSuitesOfTheRepositoryAreSound(t *testing.T) {
	for _, rule := range []board.Rule{board.Freestyle, board.ExactFive, board.Renju} {
		name := rule.FileName()
		files, err := readSuite([]string{"../../testdata/tactics/" + name + "-15.txt"})
		if err != nil {
			t.Error(err)
			continue
		}
		all := files[0].tactics
		if len(all) != 20 {
			t.Errorf("%s: %d positions, want 20", name, len(all))
		}
		for _, p := range all {
			if p.Rule != rule || p.Size != 15 || p.Plies < 9 || p.Plies > 40 {
				t.Errorf("%s line %d: rule %d, size %d, %d plies", name, p.Line, p.Rule, p.Size, p.Plies)
			}
		}
	}
}
