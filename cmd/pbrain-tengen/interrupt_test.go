//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/cmd/internal/query"
)

// interrupt starts the program, with an input that does not end, and interrupts it after half a
// second by a signal that another one follows at once, as from a shell and the system. If that was
// too early, as the program had not come so far that the output is enough, it tries again with more
// time. It returns the output, the errors and the status.
func interrupt(t *testing.T, enough func(stdout string) bool, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	for wait := time.Second / 2; ; wait *= 3 {
		stdout, stderr, status = interruptAfter(t, wait, args...)
		if status != -1 && enough(stdout) || wait > 30*time.Second {
			return stdout, stderr, status
		}
	}
}

func interruptAfter(t *testing.T, wait time.Duration, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), "BE_THE_ENGINE=1")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(wait)
	for _, s := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		if err := cmd.Process.Signal(s); err != nil {
			cmd.Process.Kill()
			cmd.Wait()
			t.Fatal(err)
		}
	}
	cmd.Wait()
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func nothing(string) bool     { return true }
func something(s string) bool { return s != "" }

func TestAnalyzeInterrupted(t *testing.T) {
	t.Parallel()
	out, errs, status := interrupt(t, something, "analyze", "-json", "-time", "10m", "h8i9i7", "h8")
	var a query.Analysis
	if err := json.Unmarshal([]byte(out), &a); err != nil { // one line: the second was not begun
		t.Fatalf("%v: %q, errors %q", err, out, errs)
	}
	if status != 130 || errs != "pbrain-tengen: interrupted\n" || !a.Interrupted || a.Move == "" || a.Ms > 60000 {
		t.Errorf("status %d, errors %q, output %s", status, errs, out)
	}
}

// An interrupt also ends the wait for a position.
func TestInterruptedWhileItReads(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"analyze", "solve"} {
		out, errs, status := interrupt(t, nothing, command)
		if status != 130 || errs != "pbrain-tengen: interrupted\n" || out != "" {
			t.Errorf("%s: status %d, errors %q, output %s", command, status, errs, out)
		}
	}
}

// A signal is END to the engine: the database is kept. One that ignores interrupts, as a manager
// may start it, goes on.
func TestTheDatabaseOutlivesASignal(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("BE_THE_ENGINE", "1")
	for _, test := range []struct {
		signal os.Signal
		ends   bool
	}{{syscall.SIGTERM, true}, {syscall.SIGQUIT, true}, {os.Interrupt, false}} {
		t.Run(test.signal.String(), func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "a.db")
			cmd := exec.Command("sh", "-c", `trap "" INT; exec "$0"`, exe)
			in, out := converse(t, cmd)
			defer cmd.Process.Kill()
			lines := bufio.NewScanner(out)
			hear := func(what string) bool {
				for lines.Scan() {
					if strings.Contains(lines.Text(), what) {
						return true
					}
				}
				return false
			}
			fmt.Fprintf(in, "START 15\nYXSETDATABASE\n%s\nYXEDITTVDDATABASE 7 119 0 0\n7,7\nDONE\nTURN 7,7\n", name)
			hear("DATABASE ONE")
			// As from a shell and the system it comes again, also while the database is saved.
			for begun := time.Now(); time.Since(begun) < 100*time.Millisecond; {
				if err := cmd.Process.Signal(test.signal); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Millisecond)
			}
			if !test.ends {
				fmt.Fprintln(in, "ABOUT")
				if !hear("name=") {
					t.Error("it has ended")
				}
				fmt.Fprintln(in, "END")
			}
			for lines.Scan() { // to the end
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("it ends with %v", err)
			}
			if info, err := os.Stat(name); err != nil || info.Size() == 0 {
				t.Errorf("the database is not saved: %v", err)
			}
		})
	}
}

func TestReviewInterrupted(t *testing.T) {
	t.Parallel()
	judged := func(out string) bool {
		var r reviewJSON
		return json.Unmarshal([]byte(out), &r) == nil && len(r.Moves) > 0 && r.Moves[len(r.Moves)-1].Class != "unjudged"
	}
	// White lets fours pass: the last positions are searched at once, those before them are not.
	out, errs, status := interrupt(t, judged, "review", "-json", "-time", "10m", "h8i9i7g8"+"a1a3h7a5h9a7h6a9h10")
	var r reviewJSON
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v: %q, status %d, errors %q", err, out, status, errs)
	}
	moves, err := board.ParseMoves(r.Pos, 15, 15)
	if err != nil || record.FormatMoves(moves) != r.Pos {
		t.Fatal(r.Pos, err)
	}
	if status != 130 || r.From <= 0 || r.From >= len(moves) || r.Moves[r.From-1].Class != "unjudged" || r.Moves[r.From].Class == "unjudged" {
		t.Errorf("status %d, errors %q, from move %d: %s", status, errs, r.From, out)
	}
}
