package main

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tengen/cmd/internal/flags"
)

// randomModes is what the engine of the long test does, with weights. Ways that cost time
// are rare, so that the test is fast. Those that end by the clock have a part of their
// own, with a limit that the others could miss on a busy machine; it is played when they
// are done, since their floods make any machine busy.
var randomModes = []struct {
	mode   string
	weight int
	reason string
}{
	{"flood of lines", 1, "protocol"},
	{"flood without lines", 1, "protocol"},
	{"takes memory", 1, "memory"},
	{"child takes memory", 1, "memory"},
	{"closes its output", 2, "crash"},
	{"ERROR to START", 6, "protocol"},
	{"exits at once", 6, "crash"},
	{"exits at START", 6, "crash"},
	{"exits", 8, "crash"},
	{"exits after the move", 8, "crash"},
	{"occupied", 8, "illegal"},
	{"off the board", 8, "illegal"},
	{"negative", 8, "illegal"},
	{"forbidden", 8, "forbidden"}, // as black; as white it has no way to
	{"garbage", 8, "protocol"},
	{"comma", 8, "protocol"},
	{"ERROR", 8, "protocol"},
	{"UNKNOWN", 8, "protocol"},
	{"chatter", 4, ""},
	{"leaves children", 4, ""},
	{"", 4, ""},
}

var clockModes = []string{"no OK", "mute", "late", ""}

const (
	parts = 5 // of the test, each a tournament of its own
	games = 30
)

// clockGame reports whether the game is in the last part, which is about the clock. Most
// games of that part are played by an engine that does nothing wrong.
func clockGame(game int) bool { return game >= (parts-1)*games }

// randomMode chooses what happens in a game and at which of the engine's own moves.
func randomMode(game int) (string, int) {
	rng := rand.New(rand.NewPCG(56, uint64(game))) // of 120 games each mode has some
	if clockGame(game) {
		if game%10 == 7 {
			return clockModes[game/10%3], 1 + rng.IntN(2)
		}
		return "", 1
	}
	total := 0
	for _, m := range randomModes {
		total += m.weight
	}
	n := rng.IntN(total)
	for _, m := range randomModes {
		if n -= m.weight; n < 0 {
			if m.mode == "forbidden" || m.mode == "exits after the move" {
				return m.mode, 1 // while the point of the opening is there and no five is near
			}
			return m.mode, 1 + rng.IntN(2)
		}
	}
	panic("unreachable")
}

// gamesBegun counts the games by the length of a file, past a number in its name, so
// that several engines can play different games. gameBegins adds one and returns the
// count before.
func gamesBegun(file string) int {
	first, _ := strconv.Atoi(strings.TrimPrefix(filepath.Ext(file), "."))
	info, err := os.Stat(file)
	if err != nil {
		return first
	}
	return first + int(info.Size())
}

func gameBegins(file string) int {
	n := gamesBegun(file)
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		panic(err)
	}
	f.Write([]byte("."))
	f.Close()
	return n
}

func TestGamesWithAnEngineThatFailsAtRandom(t *testing.T) {
	// Open whatever the runtime opens lazily, then count.
	play1(t, settings{Engines: []engine{fake(t, "a", "", "1"), fake(t, "b", "", "2")}})
	files := openFiles()
	memory := showsMemory()
	dir := t.TempDir()
	var wait sync.WaitGroup
	runs := make([]*tournament, parts)
	for p := range parts {
		bad := fake(t, "bad", "random", filepath.Join(dir, "games."+strconv.Itoa(p*games)))
		if clockGame(p * games) {
			bad.TC, bad.Tolerance, bad.okLimit = timeControl{Turn: 300 * time.Millisecond}, 400*time.Millisecond, time.Second
		}
		bad.Memory = memoryLimit
		runs[p] = newTournament(t, settings{
			Engines: []engine{bad, fake(t, "good", "", "2")}, Games: games, Rule: 4,
			// h8 is a double three for black, who moves next; a five is three moves away.
			Openings: []string{"h6a15h7c15f8e15g8g15"},
		}, flags.Shard{}, 1)
		if clockGame(p * games) {
			wait.Wait()
		}
		wait.Go(func() {
			if err := runs[p].run(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	seen := map[string]int{}
	for p, tr := range runs {
		for n := 1; n <= games; n++ {
			g := tr.match.games[n]
			if g == nil {
				t.Errorf("part %d game %d has no verdict", p, n)
				continue
			}
			mode, at := randomMode(p*games + n - 1)
			want := ""
			if slices.Contains(clockModes[:3], mode) {
				want = "timeout"
			}
			for _, m := range randomModes {
				if m.mode == mode {
					want = m.reason
				}
			}
			if mode == "forbidden" && g.White == "bad" || want == "memory" && !memory {
				want = ""
			}
			seen[mode]++
			switch {
			case want == "" && failed(g.Reason), want != "" && (g.Reason != want || g.loser() != "bad"):
				t.Errorf("part %d game %d, told %q at its move %d: %s lost by %s (%s), want %q", p, n, mode, at, g.loser(), g.Reason, g.Detail, want)
			}
		}
		if left := marked(tr.tag + "."); len(left) > 0 {
			t.Errorf("processes %v are left", left)
		}
	}
	for _, mode := range clockModes {
		if seen[mode] == 0 {
			t.Errorf("mode %q never came", mode)
		}
	}
	for _, m := range randomModes {
		if seen[m.mode] == 0 {
			t.Errorf("mode %q never came", m.mode)
		}
	}
	if now := openFiles(); now > files {
		t.Errorf("%d files are open, %d were before", now, files)
	}
	if n := children(); n > 0 {
		t.Errorf("%d child processes are left", n)
	}
}
