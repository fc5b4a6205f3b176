package tables

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/cmd/internal/evalflags"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/resume"
)

// The test binary runs as the trainer if the environment says so.
func TestMain(m *testing.M) {
	if os.Getenv("BE_THE_TRAINER") != "" {
		os.Exit(flags.Status(os.Stderr, "tables", Run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)))
	}
	os.Exit(m.Run())
}

func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Env = append(os.Environ(), "BE_THE_TRAINER=1")
	return cmd
}

// A run killed in the middle of each fit and started again ends in the same tables.
func TestAKilledRunContinues(t *testing.T) {
	dir := t.TempDir()
	games := filepath.Join(dir, "games.tgs")
	writeGames(t, games, board.Freestyle, 2, 60)
	args := func(name string) []string {
		return []string{"-o", filepath.Join(dir, name), "-epochs", "6", "-batch", "50", games}
	}
	if out, err := command(t, args("whole.tab")...).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	for _, until := range []string{"values epoch   3", "order  epoch   2"} {
		cmd := command(t, args("killed.tab")...)
		out, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		met := false
		for lines := bufio.NewScanner(out); !met && lines.Scan(); {
			met = strings.HasPrefix(lines.Text(), until)
		}
		if !met {
			t.Fatalf("no line %q", until)
		}
		cmd.Process.Kill()
		cmd.Wait()
		if _, err := os.Stat(filepath.Join(dir, "killed.tab")); err == nil {
			t.Fatal("there are tables before the end")
		}
	}
	out, err := command(t, args("killed.tab")...).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "continuing from") {
		t.Fatalf("%v, output %s", err, out)
	}
	whole, _ := os.ReadFile(filepath.Join(dir, "whole.tab"))
	killed, _ := os.ReadFile(filepath.Join(dir, "killed.tab"))
	if len(whole) == 0 || !bytes.Equal(whole, killed) {
		t.Errorf("tables of %d bytes without a break, other tables of %d with two", len(whole), len(killed))
	}
	left, err := filepath.Glob(filepath.Join(dir, "killed*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range left {
		if base := filepath.Base(name); base != "killed.tab" && base != "killed.tab.svg" {
			t.Errorf("%s is left over", base)
		}
	}
}

func TestACheckpointThatDoesNotFitIsRefused(t *testing.T) {
	dir := t.TempDir()
	games, saves := filepath.Join(dir, "games.tgs"), filepath.Join(dir, "out.tab.checkpoint")
	writeGames(t, games, board.Freestyle, 3, 20)
	fit := func(args ...string) error {
		return Run(context.Background(), append(args, "-o", filepath.Join(dir, "out.tab"), "-epochs", "1", games), io.Discard, io.Discard)
	}
	if err := resume.SaveCheckpoint(saves, "something else", &checkpoint{}); err != nil {
		t.Fatal(err)
	}
	if err := fit(); err == nil || !strings.Contains(err.Error(), "another run") {
		t.Errorf("a checkpoint of another run: %v", err)
	}
	raw, err := os.ReadFile(saves)
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)/2]++
	for what, damaged := range map[string][]byte{"is damaged": raw, "not a checkpoint": []byte("TENG")} {
		if err := os.WriteFile(saves, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := fit(); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want an error that says %q", err, what)
		}
	}
	if err := os.Remove(saves); err != nil {
		t.Fatal(err)
	}
	if err := fit(); err != nil {
		t.Error(err)
	}
}

func TestCommandLines(t *testing.T) {
	dir := t.TempDir()
	games, out := filepath.Join(dir, "games.tgs"), filepath.Join(dir, "out.tab")
	writeGames(t, games, board.Freestyle, 4, 10)
	cut := filepath.Join(dir, "cut.tgs")
	raw, err := os.ReadFile(games)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, raw[:len(raw)-9], 0o666); err != nil {
		t.Fatal(err)
	}
	renju := filepath.Join(dir, "renju.tgs")
	writeGames(t, renju, board.Renju, 5, 3)
	tests := []struct {
		name  string
		args  []string
		usage bool // status 2, not 1
		says  string
	}{
		{"nothing at all", nil, true, "a file of games is missing"},
		{"no place for the tables", []string{games}, true, "-o"},
		{"an unknown option", []string{"-outt", out, games}, true, "outt"},
		{"an unknown rule", []string{"-o", out, "-rule", "12", games}, true, "-rule: want"},
		{"a mix beyond 1", []string{"-o", out, "-mix", "1.5", games}, true, "-mix: want"},
		{"no validation", []string{"-o", out, "-validate", "0", games}, true, "-validate: want"},
		{"standing still", []string{"-o", out, "-rate", "0", games}, true, "-rate: want"},
		{"a start that is no file of tables", []string{"-o", out, "-start", games, renju}, true, "not a file of tables"},
		{"a file that is not there", []string{"-o", out, filepath.Join(dir, "none.tgs")}, true, "none.tgs"},
		{"a file cut short", []string{"-o", out, cut}, true, "cut.tgs"},
		{"no samples", []string{"-o", out, filepath.Join(dir, "main.go")}, true, "main.go"},
		{"two rules", []string{"-o", out, games, renju}, true, "-rule"},
		{"a rule without games", []string{"-o", out, "-rule", "8", games}, false, "0 games of rule 8"},
		{"a start that is not there", []string{"-o", out, "-start", "none.tab", games}, true, "none.tab"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := Run(context.Background(), test.args, io.Discard, io.Discard)
			if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %q, want one line that says %q", err, test.says)
			}
			if errors.Is(err, flags.ErrUsage) != test.usage {
				t.Errorf("%v: a wrong command line: %v, want %v", err, !test.usage, test.usage)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("there are tables")
			}
		})
	}
	var help bytes.Buffer
	if err := Run(context.Background(), []string{"-h"}, &help, io.Discard); !errors.Is(err, flag.ErrHelp) || !strings.Contains(help.String(), "-validate") {
		t.Errorf("help: %v, %q", err, help.String())
	}
	cmd := command(t, "-o")
	var said bytes.Buffer
	cmd.Stderr = &said
	if cmd.Run(); cmd.ProcessState.ExitCode() != 2 || strings.Count(said.String(), "\n") != 1 {
		t.Errorf("status %d and %q, want 2 and one line", cmd.ProcessState.ExitCode(), said.String())
	}
}

// The tables say what they come from, can be told apart, and can be started from.
func TestTheTablesTellTheirOrigin(t *testing.T) {
	dir := t.TempDir()
	both := filepath.Join(dir, "both.tgs")
	one, two := filepath.Join(dir, "renju.tgs"), filepath.Join(dir, "caro.tgs")
	writeGames(t, one, board.Renju, 6, 30)
	writeGames(t, two, board.Caro, 7, 30)
	var all []byte
	for _, name := range []string{one, two} {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, raw...)
	}
	if err := os.WriteFile(both, all, 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out.tab")
	if err := Run(context.Background(), []string{"-o", out, "-rule", "4", "-epochs", "2", "-seed", "77", both}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	tables, err := evalflags.LoadTables(out)
	if err != nil || len(tables) != 1 || tables[0].Rule != board.Renju {
		t.Fatalf("%v, %v", tables, err)
	}
	for _, want := range []string{"games: 30,", "both.tgs", "games by lot", "seed: 77", "epoch", "loss", "commit:", "start: engine"} {
		if !strings.Contains(tables[0].Origin, want) {
			t.Errorf("%q is missing in\n%s", want, tables[0].Origin)
		}
	}
	if *tables[0].Sides[0] == *tables[0].Sides[1] || *tables[0].Sides[0] == *eval.ByHand(board.Renju).Sides[0] {
		t.Error("black's tables are white's, or those it started from")
	}
	if raw, err := os.ReadFile(filepath.Join(dir, "out.tab.svg")); err != nil || !bytes.Contains(raw, []byte("polyline")) {
		t.Errorf("no curve: %v", err)
	}
	again := filepath.Join(dir, "again.tab")
	if err := Run(context.Background(), []string{"-o", again, "-start", out, "-rule", "4", "-epochs", "0", both}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	same, err := evalflags.LoadTables(again)
	if err != nil || *same[0].Sides[0] != *tables[0].Sides[0] || *same[0].Sides[1] != *tables[0].Sides[1] {
		t.Errorf("no epochs from a start give other tables than the start: %v", err)
	}
}

// The games may be in more files than the tables have room to name.
func TestGamesInManyFiles(t *testing.T) {
	dir := t.TempDir()
	files := []string{filepath.Join(dir, "first.tgs")}
	writeGames(t, files[0], board.Freestyle, 6, 30)
	for i := range 400 {
		name := filepath.Join(dir, strings.Repeat("x", 200)+fmt.Sprint(i))
		writeGames(t, name, board.Freestyle, 1, 0)
		files = append(files, name)
	}
	out := filepath.Join(dir, "out.tab")
	if err := Run(context.Background(), append([]string{"-o", out, "-epochs", "0"}, files...), io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	tables, err := evalflags.LoadTables(out)
	if err != nil {
		t.Fatal(err)
	}
	if o := tables[0].Origin; !strings.Contains(o, "first.tgs") || !strings.Contains(o, "and 301 more files") {
		t.Errorf("%.200s", o)
	}
}
