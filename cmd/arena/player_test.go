package main

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tengen/cmd/internal/flags"
)

// An engine gets its limits before every game, and the time left for the game before every move: less
// what it used, plus the increment.
func TestLimitsAreTold(t *testing.T) {
	dir := t.TempDir()
	a := fake(t, "a", "notes INFO", filepath.Join(dir, "a"))
	a.TC, a.Hang = timeControl{Match: 2 * time.Second, Turn: time.Second, Increment: 100 * time.Millisecond}, 0
	a.Nodes, a.Depth, a.Threads, a.Info = 77, 5, 2, [][2]string{{"key", "some words"}}
	b := fake(t, "b", "notes INFO", filepath.Join(dir, "b"))
	tr := newTournament(t, settings{Engines: []engine{a, b}, DrawAfter: 9}, flags.Shard{}, 1)
	if err := tr.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, told := range map[string]string{
		"a": "max_memory 367001600\ntimeout_match 2000\ntimeout_turn 1000\ntime_increment 100\ngame_type 2\nrule 0\nmax_depth 5\nmax_node 77\nthread_num 2\nkey some words\n",
		"b": "max_memory 367001600\ntimeout_match 0\ntimeout_turn 5000\ntime_left 2147483647\ngame_type 2\nrule 0\n",
	} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(string(raw), told)
		if len(parts) != 3 || parts[0] != "" || name == "b" && parts[1]+parts[2] != "" {
			t.Errorf("%s was told\n%swant in both games\n%s", name, raw, told)
			continue
		}
		if name == "b" {
			continue
		}
		for n, lines := range parts[1:] {
			if left := clock(tr.match.games[n+1], name); !agrees(lines, left) {
				t.Errorf("game %d: a was told\n%swant %v", n+1, lines, left)
			}
		}
	}
}

// clock returns what an engine of TestLimitsAreTold has left before its moves, in milliseconds.
func clock(g *gameRecord, name string) (all []float64) {
	left := 2000.0
	for i, ms := range g.Time {
		if (i%2 == 0) == (g.Black == name) {
			all = append(all, left)
			left += 100 - ms
		}
	}
	return all
}

// agrees reports whether the lines are those of time_left with the numbers, of which the journal
// has microseconds and an engine gets milliseconds.
func agrees(lines string, left []float64) bool {
	told := strings.Fields(strings.ReplaceAll(lines, "time_left ", ""))
	if len(told) != len(left) {
		return false
	}
	for i, text := range told {
		n, err := strconv.Atoi(text)
		if err != nil || float64(n) != math.Floor(left[i]) && float64(n) != math.Floor(left[i]-0.01) {
			return false
		}
	}
	return true
}

// The time for the game ends it, however short the moves are.
func TestAGameIsLostByItsClock(t *testing.T) {
	a := fake(t, "a", "slow", "1") // 5 ms for a move
	a.TC, a.Hang, a.Tolerance = timeControl{Match: 30 * time.Millisecond}, 0, 10*time.Millisecond
	a.okLimit = 10 * time.Second
	m := play1(t, settings{Engines: []engine{a, fake(t, "b", "", "2")}, DrawAfter: 40})
	for _, g := range m.sorted() {
		if g.loser() != "a" || g.Reason != "timeout" {
			t.Errorf("game %d: %s lost by %s (%s) after %d moves", g.Game, g.loser(), g.Reason, g.Detail, len(g.Time))
		}
	}
}

// TestAMoveBehindAnError: other managers pass over the error.
func TestAMoveBehindAnError(t *testing.T) {
	a := fake(t, "a", "refuses and plays", "1")
	a.patience = time.Minute
	b := fake(t, "b", "", "2")
	for _, g := range play1(t, settings{Engines: []engine{a, b}, DrawAfter: 9}).sorted() {
		if failed(g.Reason) {
			t.Errorf("game %d: %s lost by %s: %s", g.Game, g.loser(), g.Reason, g.Detail)
		}
	}
}
