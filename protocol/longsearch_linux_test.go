package protocol

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/longtest"
	"tengen/protocol/wire"
)

var (
	thinkFor  = flag.Duration("thinkfor", time.Second, "`TIME` of the search of TestLongSearch")
	longGames = flag.Int("longgames", 1, "`GAMES` of TestLongGames")
	longFirst = flag.Uint64("longfirst", 0, "`NUMBER` of the first of them, so that several programs play different ones")
	longPlies = flag.Int("longplies", 6, "`PLIES` after which such a game ends, 0 for none")
	longTurn  = flag.Duration("longturn", 100*time.Millisecond, "`TIME` of a move in it")
)

// A watched search is what its lines have shown so far. They are checked as they come: the depth
// falls only where another move is the best, since that before loses, and every line can be played.
type watched struct {
	depth, mate, reports int
	best                 string
}

func (w *watched) take(t *testing.T, b *board.Board, line string) {
	t.Helper()
	stats, _, ok := wire.ParseMessage(line)
	if !ok {
		return
	}
	w.reports++
	best, _, _ := strings.Cut(stats.PV, " ")
	if stats.Depth < w.depth && best == w.best {
		t.Errorf("depth %d of %s after depth %d", stats.Depth, best, w.depth)
	}
	w.depth, w.mate, w.best = stats.Depth, stats.Mate, best
	checkPV(t, b, stats.PV)
}

// TestLongSearch stops one search of two threads after a long time: the depth of a move never falls,
// every line can be played, the hash table fills up, the memory stays below the limit, and
// the answer to STOP comes at once.
//
//	go test ./protocol -run TestLongSearch -v -timeout 0 -thinkfor 10m
func TestLongSearch(t *testing.T) {
	longtest.Here(t)
	t.Parallel()
	o := newRun(t, "usedatabase 0", fmt.Sprintf("max_memory %d", 100<<20), "thread_num 2", "timeout_turn 0", "timeout_match 0")
	b, err := board.New(board.Freestyle, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	moves, err := board.ParseMoves("h8i9i7g9", 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i, m := range moves {
		b.Play(m)
		fmt.Fprintf(&text, "%d,%d,%d\n", m.X(), m.Y(), 1+i%2)
	}
	o.send(t, "INFO timeout_turn 2147483647\nINFO timeout_match 2147483647\nINFO time_left 2147483647\nINFO max_depth 200\nBOARD\n"+text.String()+"DONE\n")
	end := time.After(*thinkFor)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	var w watched
	most := int64(0)
	for stopped := false; !stopped; {
		select {
		case line, open := <-o.lines:
			if open && w.mate != 0 && !isChatter(line) {
				t.Logf("the search ends with a proof, %d plies deep", w.mate)
				return
			}
			if !open || !isChatter(line) {
				t.Fatalf("the search ends with %q", line)
			}
			w.take(t, b, line)
		case <-tick.C:
			most = max(most, private(t, o.pid))
		case <-end:
			stopped = true
		}
	}
	before, asked := waits(o.pid, os.Getpid()), time.Now()
	o.send(t, "STOP\n")
	got := o.answer(t)
	took := time.Since(asked)
	kept := since(before, waits(o.pid, os.Getpid())).all
	if x, y, ok := wire.ParsePair(got); !ok || b.Try(x, y) != nil {
		t.Errorf("the answer is %q", got)
	}
	if took > 50*time.Millisecond+kept {
		t.Errorf("STOP was answered after %v", took)
	}
	o.send(t, "YXSHOWHASHUSAGE\n")
	usage, err := o.find("re HASH", time.Now().Add(answerLimit))
	t.Logf("%v: depth %d, %d reports, %.1f MiB at most, STOP answered after %v, %s, %v", *thinkFor, w.depth, w.reports, float64(most)/(1<<20), took, usage, err)
	if most > 100<<20 {
		t.Errorf("max_memory is 100 MiB")
	}
}

// TestLongGames plays games of one process with itself, a long time and two threads for each move:
// the depth of a move never falls, every line can be played, the memory stays below the limit
// and does not grow, and no move is later than its limit unless the system
// kept the engine waiting for longer than that.
//
//	go test ./protocol -run TestLongGames -v -timeout 0 -longgames 20 -longplies 0 -longturn 10s
func TestLongGames(t *testing.T) {
	longtest.Here(t)
	t.Parallel()
	var r timed
	deepest, least, reports := 0, 1000, 0
	var half, most int64 // MiB held after the first half of the games, and at most
	o := newRun(t, "usedatabase 0", fmt.Sprintf("max_memory %d", 100<<20), "thread_num 2", fmt.Sprintf("timeout_turn %d", longTurn.Milliseconds()))
	for seed := range uint64(*longGames) {
		random := rand.New(rand.NewPCG(*longFirst+seed, 20))
		b, err := board.New(board.Freestyle, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 + random.IntN(3) {
			if m := board.At(5+random.IntN(5), 5+random.IntN(5)); b.Cell(m) == board.Empty {
				b.Play(m)
			}
		}
		given := b.Ply()
		for *longPlies == 0 || b.Ply()-given < *longPlies {
			if v, _ := b.Verdict(); v != board.Unfinished {
				break
			}
			var text strings.Builder
			for i, m := range b.Moves() {
				fmt.Fprintf(&text, "%d,%d,%d\n", m.X(), m.Y(), 2-(b.Ply()-i+1)%2)
			}
			before, asked := waits(o.pid, os.Getpid()), time.Now()
			o.send(t, "BOARD\n"+text.String()+"DONE\n")
			var w watched
			line := ""
			for {
				var open bool
				if line, open = <-o.lines; !open {
					t.Fatal("the program has ended")
				}
				if !isChatter(line) {
					break
				}
				w.take(t, b, line)
			}
			r.note(time.Since(asked), *longTurn, since(before, waits(o.pid, os.Getpid())), b.Ply() == given)
			x, y, ok := wire.ParsePair(line)
			if !ok || b.Try(x, y) != nil {
				t.Fatalf("game %d, ply %d: the answer is %q", *longFirst+seed, b.Ply(), line)
			}
			b.Play(board.At(x, y))
			if w.mate == 0 && w.reports > 0 {
				deepest, least = max(deepest, w.depth), min(least, w.depth)
			}
			reports += w.reports
			most = max(most, private(t, o.pid))
		}
		if seed == uint64(*longGames-1)/2 {
			half = most
		}
	}
	t.Logf("%d games, %d moves of %v: %d late, %d of them kept waiting by the system; depth %d to %d, %d reports; %.1f MiB in the first half, %.1f in all",
		*longGames, r.moves, *longTurn, r.late, r.kept, least, deepest, reports, float64(half)/(1<<20), float64(most)/(1<<20))
	if r.late > r.kept {
		t.Errorf("%d late moves", r.late-r.kept)
	}
	if most > 100<<20 {
		t.Errorf("max_memory is 100 MiB")
	}
	if *longGames > 1 && *longTurn >= 10*time.Second && grown(float64(half)/(1<<20), float64(most)/(1<<20)) {
		t.Errorf("the process has grown")
	}
}

// checkPV plays the principal variation.
func checkPV(t *testing.T, b *board.Board, pv string) {
	t.Helper()
	b = b.Clone()
	if pv == "" {
		t.Error("no line")
	}
	for _, word := range strings.Fields(pv) {
		row, err := strconv.Atoi(word[1:])
		m, off := board.AtOn(int(word[0]-'a'), 15-row, 15, 15)
		if v, _ := b.Verdict(); err != nil || off != nil || v != board.Unfinished || !b.Legal(m) {
			t.Errorf("the line %q cannot be played", pv)
			return
		}
		b.Play(m)
	}
}
