package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/cmd/internal/flags"
)

// played returns the moves that the log has for a game, and the two commands before the first of them.
func played(t *testing.T, log string, game int) (moves string, commands []string) {
	t.Helper()
	line := regexp.MustCompile(fmt.Sprintf(`(?m)^%d [0-9]+\.[0-9]{3} ([<>]) [ab]: (.*)$`, game))
	answer := regexp.MustCompile(`^([0-9]+),([0-9]+)$`)
	for _, found := range line.FindAllStringSubmatch(log, -1) {
		if found[1] == ">" {
			commands = append(commands, found[2])
			continue
		}
		if xy := answer.FindStringSubmatch(found[2]); xy != nil {
			var x, y int
			fmt.Sscan(xy[1], &x)
			fmt.Sscan(xy[2], &y)
			moves += board.At(x, y).String()
		}
	}
	return moves, commands
}

func TestTheLogHasEveryGame(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log.txt")
	s := settings{Engines: []engine{fake(t, "a", "chatter", "1"), fake(t, "b", "", "2")}, Openings: testOpenings, Games: 6}
	for run := 1; run <= 2; run++ { // the second is added to the first
		tr := newTournament(t, s, flags.Shard{}, 2)
		l, err := openLog(name, tr.match.id())
		if err != nil {
			t.Fatal(err)
		}
		l.failed = tr.giveUp
		tr.log = l
		if err := tr.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		l.file.Close()
		raw, _ := os.ReadFile(name)
		parts := strings.Split(string(raw), logStart)
		if len(parts) != run+1 || parts[0] != "" {
			t.Fatalf("%d runs, %d headers", run, len(parts)-1)
		}
		for n, g := range tr.match.games {
			moves, commands := played(t, parts[run], n)
			if opening := s.Openings[(n-1)/2]; opening+moves != g.Moves {
				t.Errorf("game %d was %s, the log has %s after %s", n, g.Moves, moves, opening)
			}
			for _, want := range []string{"START 15", "INFO rule 0", "BOARD", "DONE"} {
				if count := len(commands) - len(slices.DeleteFunc(slices.Clone(commands), func(c string) bool { return c == want })); count != 2 {
					t.Errorf("game %d: %q was sent %d times", n, want, count)
				}
			}
		}
		if !strings.Contains(parts[run], " < a: DEBUG more\n") {
			t.Error("the log lacks the words of an engine")
		}
	}
}

func TestTheLogOverwritesNothing(t *testing.T) {
	dir := t.TempDir()
	journal := filepath.Join(dir, "m.jsonl")
	os.WriteFile(journal, []byte(journalStart), 0o644)
	if _, err := openLog(journal, "x"); err == nil || !strings.Contains(err.Error(), "exists and is something else") {
		t.Errorf("a journal as the log: %v", err)
	}
	if raw, _ := os.ReadFile(journal); string(raw) != journalStart {
		t.Errorf("the journal is now %q", raw)
	}
	if _, _, err := parseMatch([]string{"-engine", "true", "-engine", "name=b,cmd=true", "-journal", journal, "-log", journal}, nil); err == nil {
		t.Error("one file for journal and log is taken")
	}
	if _, _, err := parseMatch([]string{"-engine", "true", "-engine", "name=b,cmd=true", "-log", dir}, nil); err == nil {
		t.Error("a directory is taken for the log")
	}
}
