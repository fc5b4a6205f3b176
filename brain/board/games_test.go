//go:build e2e && linux

package board_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/protocol/client"
)

var (
	games = flag.Int("games", 10, "games of the engine against itself in TestGames")
	late  = flag.Duration("late", 5*time.Second, "how late an answer may come in TestGames; 20ms on an idle machine")
)

const (
	turnLimit   = 50 * time.Millisecond
	memoryLimit = 350 << 20 // bytes, what the protocol's managers usually allow
)

// TestGames builds the engine and plays it against itself through the protocol at 50 ms a
// move, all rules and sizes 15 and 20 mixed, from the empty board and from random stones.
// The slow twin checks every move; the time of every answer, first moves included, and the
// peak memory of every process are limited. The full test, for an idle machine:
//
//	go test -tags e2e -run TestGames -v ./brain/board -games 200 -late 20ms -timeout 1h
func TestGames(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "pbrain-tengen")
	if out, err := exec.Command("go", "build", "-o", exe, "tengen/cmd/pbrain-tengen").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	rules := []board.Rule{board.Freestyle, board.ExactFive, board.Renju, board.Caro, board.Caro | board.ExactFive}
	r := rand.New(rand.NewPCG(2026, 11))
	var times []time.Duration
	var most int64
	for i := range *games {
		rule, size := rules[i%len(rules)], []int{15, 20}[i/len(rules)%2]
		g := game{t: t, name: fmt.Sprintf("game %d, %v, %dx%d", i, rule, size, size), size: size,
			twin: board.NewSlowBoard(rule, size, size)}
		for n := r.IntN(6); len(g.moves) < n; {
			x, y := size/2-3+r.IntN(7), size/2-3+r.IntN(7)
			if g.twin.Legal(x, y) && !g.twin.Wins(x, y) {
				g.put(x, y)
			}
		}
		for c := range g.engines {
			g.engines[c] = launch(t, exe, rule, size)
		}
		times = append(times, g.play()...)
		for _, c := range g.engines {
			most = max(most, peak(t, c.Pid()))
			if err := c.Close(); err != nil {
				t.Errorf("%s: %v", g.name, err)
			}
		}
	}
	if len(times) == 0 {
		t.Fatal("no move was played")
	}
	slices.Sort(times)
	t.Logf("%d games, %d moves at %v: median %v, 99%% within %v, slowest %v; at most %d MiB a process",
		*games, len(times), turnLimit, times[len(times)/2], times[len(times)*99/100], times[len(times)-1], most>>20)
	if slowest := times[len(times)-1]; slowest > turnLimit+*late {
		t.Errorf("an answer took %v", slowest)
	}
	if most > memoryLimit {
		t.Errorf("a process took %d MiB", most>>20)
	}
}

func launch(t *testing.T, exe string, rule board.Rule, size int) *client.Client {
	t.Helper()
	c, err := client.Launch(client.Program{Args: []string{exe}}, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Kill)
	if err := c.Start(size, size, time.Minute); err != nil {
		t.Fatal(err)
	}
	for _, info := range [][2]string{
		{"max_memory", fmt.Sprint(memoryLimit)}, {"rule", fmt.Sprint(uint8(rule))},
		{"timeout_match", "0"}, {"timeout_turn", fmt.Sprint(turnLimit.Milliseconds())}, {"time_left", "2147483647"},
	} {
		if err := c.Info(info[0], info[1]); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// peak returns the most memory that the process has had resident, in bytes.
func peak(t *testing.T, pid int) int64 {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		var kib int64
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 {
			return kib << 10
		}
	}
	t.Fatal("/proc has no VmHWM")
	return 0
}

// A game is a game in progress.
type game struct {
	t       *testing.T
	name    string
	size    int
	twin    board.SlowBoard
	moves   [][2]int
	engines [2]*client.Client // black, white
	asked   [2]bool           // the engine has the position
}

func (g *game) put(x, y int) {
	g.twin.Play(x, y)
	g.moves = append(g.moves, [2]int{x, y})
}

// play plays to the end and returns how long each answer took.
func (g *game) play() (times []time.Duration) {
	for !g.twin.Full() {
		reply, err := g.ask(len(g.moves) % 2)
		if err != nil {
			g.t.Fatalf("%s, move %d: %v", g.name, len(g.moves)+1, err)
		}
		times = append(times, reply.Elapsed)
		if reply.Elapsed > turnLimit+20*time.Millisecond {
			g.t.Logf("%s, move %d: %v; the engine says %v, %d nodes, depth %d",
				g.name, len(g.moves)+1, reply.Elapsed, reply.Stats.Time, reply.Stats.Nodes, reply.Stats.Depth)
		}
		if !g.twin.Legal(reply.X, reply.Y) {
			g.t.Fatalf("%s, move %d: %d,%d is not legal after %v", g.name, len(g.moves)+1, reply.X, reply.Y, g.moves)
		}
		five := g.twin.Wins(reply.X, reply.Y)
		g.put(reply.X, reply.Y)
		if five {
			break
		}
	}
	return times
}

func (g *game) ask(side int) (client.Reply, error) {
	const patience = time.Minute
	c := g.engines[side]
	if g.asked[side] {
		last := g.moves[len(g.moves)-1]
		return c.Turn(board.At(last[0], last[1]), patience)
	}
	g.asked[side] = true
	if len(g.moves) == 0 {
		return c.Begin(patience)
	}
	var moves []board.Move
	for _, m := range g.moves {
		moves = append(moves, board.At(m[0], m[1]))
	}
	return c.Board(moves, patience)
}
