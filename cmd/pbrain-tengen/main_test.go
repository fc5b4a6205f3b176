package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/cmd/internal/flags"
)

// The test binary runs as the engine if the environment says so.
func TestMain(m *testing.M) {
	if os.Getenv("BE_THE_ENGINE") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// engine runs the program with input and returns what it wrote and its exit status.
func engine(t *testing.T, input string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), "BE_THE_ENGINE=1")
	cmd.Stdin = strings.NewReader(input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		status = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), status
}

// converse starts cmd for a conversation.
func converse(t *testing.T, cmd *exec.Cmd) (in io.WriteCloser, out io.Reader) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if out, err = cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return in, out
}

// write makes a file of tables for rule and returns its name.
func write(t *testing.T, rule board.Rule, damage func([]byte) []byte) string {
	t.Helper()
	one := eval.ByHand(rule)
	for i := range one.Sides[0].Cells {
		one.Sides[0].Cells[i] = int16(i % 17) // tables that change the search
	}
	raw, err := one.Save(nil)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "some.tab")
	if err := os.WriteFile(name, damage(raw), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func whole(raw []byte) []byte { return raw }

func TestTablesThatCannotBeUsedEndTheProgram(t *testing.T) {
	tests := []struct {
		name string
		args []string
		says string
	}{
		{"a cut file", []string{"-tables", write(t, 0, func(raw []byte) []byte { return raw[:len(raw)-1] })}, "cut short"},
		{"a changed byte", []string{"-tables", write(t, 0, func(raw []byte) []byte { raw[5000]++; return raw })}, "checksum"},
		{"an empty file", []string{"-tables", write(t, 0, func([]byte) []byte { return nil })}, "empty"},
		{"a good file and a bad one", []string{"-tables", write(t, 0, whole), "-tables", write(t, 4, func(raw []byte) []byte { return raw[1:] })}, "not a file of tables"},
		{"no file", []string{"-tables", filepath.Join(t.TempDir(), "none.tab")}, "none.tab"},
		{"no name", []string{"-tables"}, "needs an argument"},
		{"before bench too", []string{"-tables", t.TempDir(), "bench"}, "-tables"},
		{"no network", []string{"-net", write(t, 0, whole)}, "not a file of a network"},
		{"no network", []string{"-net", filepath.Join(t.TempDir(), "none.nnue")}, "none.nnue"},
		{"two files for a rule", []string{"-tables", write(t, 0, whole), "-tables", write(t, 0, whole)}, "rule 0 is evaluated by -tables "},
		{"no effect", []string{"-net", "none", "solve"}, "have no effect on solve"},
		{"an unknown flag", []string{"-table", "x"}, "-table"},
		{"an unknown command", []string{"benhc"}, `unknown command "benhc"`},
		{"an argument of bench", []string{"bench", "x"}, `unknown argument "x"`},
		{"a flag of bench", []string{"bench", "-x"}, "-x"},
		{"no profile", []string{"bench", "-cpuprofile", t.TempDir()}, "-cpuprofile: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out, errs, status := engine(t, "START 15\nEND\n", test.args...)
			if out != "" || status != 2 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, test.says) {
				t.Errorf("status %d, want 2; output %q, want none; error %q, want one line that says %q", status, out, errs, test.says)
			}
		})
	}
}

// The tables named are those searched with, for their rule alone.
func TestTablesNamedArePlayedBy(t *testing.T) {
	think := func(rule board.Rule, args ...string) string {
		t.Helper()
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("BE_THE_ENGINE", "1")
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, exe, args...)
		in, out := converse(t, cmd)
		fmt.Fprintf(in, "START 15\nINFO usedatabase 0\nINFO rule %d\nINFO max_node 300\nBOARD\n7,7,1\n8,8,2\n6,8,1\n8,6,2\nDONE\n", rule)
		var said string
		for lines := bufio.NewScanner(out); lines.Scan(); {
			line := lines.Text()
			if strings.HasPrefix(line, "MESSAGE depth") {
				said, _, _ = strings.Cut(line, " time ") // speed and time vary, and there is no speed in no time
				said, _, _ = strings.Cut(said, " nps ")
			} else if said != "" {
				break // the move: what was said last before it does not depend on the time
			}
		}
		fmt.Fprintln(in, "END")
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		return said
	}
	name := write(t, board.ExactFive, whole)
	if got, bare := think(board.ExactFive, "-tables", name), think(board.ExactFive); got == bare {
		t.Errorf("the tables change nothing: %q", got)
	}
	if got, bare := think(board.Freestyle, "-tables", name), think(board.Freestyle); got != bare {
		t.Errorf("tables for exactly five change freestyle: %q and %q", got, bare)
	}
}

// A manager that is gone, and reads no more, has sent no END, but the database is kept.
func TestTheDatabaseOutlivesTheManager(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("BE_THE_ENGINE", "1")
	name := filepath.Join(t.TempDir(), "a.db")
	cmd := exec.Command(exe)
	in, out := converse(t, cmd)
	fmt.Fprintf(in, "START 15\nYXSETDATABASE\n%s\nYXEDITTVDDATABASE 7 119 0 0\n7,7\nDONE\n", name)
	for lines := bufio.NewScanner(out); lines.Scan() && !strings.Contains(lines.Text(), "DATABASE ONE"); {
	}
	out.(io.Closer).Close()
	fmt.Fprintln(in, "ABOUT")
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("it ends with %v, want status 1", err)
	}
	if info, err := os.Stat(name); err != nil || info.Size() == 0 {
		t.Errorf("the database is not saved: %v", err)
	}
}

// A script that keeps what a command prints learns from its status that nothing was kept.
// The searches of bench have no evaluation here, so that they fail at once.
func TestOutputThatCannotBeWritten(t *testing.T) {
	stdout, err := os.Open(os.DevNull) // for reading
	if err != nil {
		t.Fatal(err)
	}
	defer stdout.Close()
	for _, line := range []string{
		"analyze -nodes 10 h8", "review -nodes 10 h8h9", "solve h8", "bench", "version", "completion bash", "help", "help bench", "help protocol",
	} {
		args := strings.Fields(line)
		r := invocation{ctx: t.Context(), stdin: strings.NewReader(""), stdout: stdout, stderr: os.Stderr}
		if err := commandOf(args[0]).start(r, args[1:]); err == nil || errors.Is(err, flags.ErrUsage) {
			t.Errorf("%s: %v, want an error of the output", line, err)
		}
	}
}

func TestNoGreetingThroughPipes(t *testing.T) {
	if out, _, _ := engine(t, "ABOUT\nEND\n"); !strings.HasPrefix(out, "name=") {
		t.Errorf("the engine begins with %q", out)
	}
}

// TestNamesThatPeopleType: other spellings of a command do what it does.
func TestNamesThatPeopleType(t *testing.T) {
	for other, name := range map[string]string{"-version": "version", "--version": "version", "analyse": "analyze"} {
		args := []string{}
		if name == "analyze" {
			args = []string{"-help"}
		}
		got, errs, status := engine(t, "", append([]string{other}, args...)...)
		want, _, _ := engine(t, "", append([]string{name}, args...)...)
		if status != 0 || errs != "" || got != want || got == "" {
			t.Errorf("%s: status %d, %q, %q; want %q", other, status, got, errs, want)
		}
	}
}
