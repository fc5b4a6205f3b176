//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// overheard is the -engine value of a fake engine whose input is also written to a file.
func overheard(t *testing.T, name, mode string) (spec, log string) {
	t.Helper()
	dir := t.TempDir()
	log, script := filepath.Join(dir, "log"), filepath.Join(dir, "tee.sh")
	if err := os.WriteFile(script, []byte("tee -a \"$1\" | \"$2\" engine \"$3\" 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return "name=" + name + ",cmd=sh '" + script + "' '" + log + "' '" + exe + "' '" + mode + "'", log
}

// The manager's lines are those of a match: a new game for each position, all limits
// before the board, stones as the side to move sees them.
func TestEveryPositionIsANewGame(t *testing.T) {
	t.Parallel()
	file := suiteFile(t, "f.txt", "4 15 "+openFour+" g8 1\n1 20 h8i9h9 k10 9\n")
	spec, log := overheard(t, "x", "well")
	cmd, _, stderr := arena(t, "suite", "-engine", spec+",tc=0/3,tolerance=20,nodes=77", file)
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	raw, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for _, want := range []string{
		"START 15\n", "INFO timeout_turn 3000\n", "INFO rule 4\n", "INFO max_node 77\n",
		"BOARD\n7,7,1\n0,0,2\n", "DONE\n", "START 20\n", "INFO rule 1\n", "BOARD\n7,7,2\n8,8,1\n7,8,2\nDONE\n",
	} {
		_, rest, ok := strings.Cut(text, want)
		if !ok {
			t.Fatalf("the lines lack %q, or it comes too early:\n%s", want, raw)
		}
		text = rest
	}
}

func TestASignalEndsASuite(t *testing.T) {
	t.Parallel()
	spec, log := overheard(t, "x", "mute")
	cmd, stdout, stderr := arena(t, "suite", "-engine", spec, "-v", suiteFile(t, "f.txt", twoSolved))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 600 { // a minute
		if raw, _ := os.ReadFile(log); strings.Contains(string(raw), "DONE") {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	cmd.Process.Signal(os.Interrupt)
	start := time.Now()
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 || time.Since(start) > 30*time.Second {
		t.Errorf("status %d after %v, want 130 soon; stderr %q", code, time.Since(start), stderr)
	}
	if stdout.Len() > 0 {
		t.Errorf("a position was counted that was not played: %s", stdout)
	}
}

func TestASignalEndsAProcessThatReplacedAnotherInASuite(t *testing.T) {
	t.Parallel()
	games := filepath.Join(t.TempDir(), "games")
	cmd, _, stderr := arena(t, "suite", "-engine", spec(t, "x", "one game, then mute", games)+",tc=0/60", suiteFile(t, "f.txt", twoSolved))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); gamesBegun(games) < 2 && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(300 * time.Millisecond) // until it thinks
	cmd.Process.Signal(os.Interrupt)
	start := time.Now()
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 || time.Since(start) > 30*time.Second {
		t.Errorf("status %d after %v, want 130 soon; stderr %q", code, time.Since(start), stderr)
	}
}

func TestNoPositionIsLostByAShortageOfTheMachine(t *testing.T) {
	t.Parallel()
	var args []string
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		args = append(args, "-engine", spec(t, name, "", "1"))
	}
	cmd, stdout, stderr := arena(t, append(append([]string{"suite"}, args...), suiteFile(t, "f.txt", twoSolved))...)
	// Eight engines need 16 pipes.
	cmd.Args = append([]string{"sh", "-c", `ulimit -n 16; exec "$0" "$@"`}, cmd.Args...)
	cmd.Path = "/bin/sh"
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 1 || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), "too many open files") {
		t.Errorf("status %d, stderr %q, stdout %q; want 1 and a line that says why", code, stderr, stdout)
	}
}

// There are as many questions as there are moves.
func TestNobodyIsAskedForAMoveOfAGameThatIsOver(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, a, b, reason string
		args               []string
	}{
		{"by a five", "", "", "five", nil},
		{"by the number of stones", "", "", "draw", []string{"-drawafter", "9"}},
		{"by an illegal move", "", "occupied@3", "illegal", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, logA := overheard(t, "a", tt.a)
			b, logB := overheard(t, "b", tt.b)
			journal := filepath.Join(t.TempDir(), "j")
			cmd, _, stderr := arena(t, append([]string{"-engine", a, "-engine", b, "-journal", journal, "-quiet"}, tt.args...)...)
			cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != 0 && tt.reason != "illegal" {
				t.Fatalf("status %d: %s", code, stderr)
			}
			m, _, err := loadJournals([]string{journal})
			if err != nil {
				t.Fatal(err)
			}
			moves := 0
			for _, g := range m.sorted() {
				if g.Reason != tt.reason {
					t.Errorf("game %d ended by %s: %s", g.Game, g.Reason, g.Detail)
				}
				if moves += len(g.Time); g.Reason == "illegal" {
					moves++ // which is not in the record
				}
			}
			asked := 0
			for _, log := range []string{logA, logB} {
				raw, err := os.ReadFile(log)
				if err != nil {
					t.Fatal(err)
				}
				for line := range strings.Lines(string(raw)) {
					word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
					if word == "BEGIN" || word == "TURN" || word == "DONE" {
						asked++
					}
				}
			}
			if asked != moves || moves == 0 {
				t.Errorf("%d questions for %d moves", asked, moves)
			}
		})
	}
}
