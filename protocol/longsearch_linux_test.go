package protocol

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
)

var thinkFor = flag.Duration("thinkfor", 2*time.Second, "`TIME` of the search of TestLongSearch")

// TestLongSearch stops one search of two threads after a long time: the depth never falls,
// every line can be played, the hash table fills up, the memory stays below the limit, and
// the answer to STOP comes at once.
//
//	go test ./protocol -run TestLongSearch -v -timeout 0 -thinkfor 10m
func TestLongSearch(t *testing.T) {
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
	depth, mate, reports, most := 0, 0, 0, int64(0)
	for stopped := false; !stopped; {
		select {
		case line, open := <-o.lines:
			stats, _, ok := ParseMessage(line)
			if open && mate != 0 && !isChatter(line) {
				t.Logf("the search ends with a proof, %d plies deep", mate)
				return
			}
			if !open || !isChatter(line) {
				t.Fatalf("the search ends with %q", line)
			}
			if !ok {
				continue
			}
			reports++
			if stats.Depth < depth {
				t.Errorf("depth %d after depth %d", stats.Depth, depth)
			}
			depth, mate = stats.Depth, stats.Mate
			checkPV(t, b, stats.PV)
		case <-tick.C:
			most = max(most, private(t, o.pid))
		case <-end:
			stopped = true
		}
	}
	before, asked := waited(o.pid)+waited(os.Getpid()), time.Now()
	o.send(t, "STOP\n")
	got := o.answer(t)
	took := time.Since(asked)
	kept := waited(o.pid) + waited(os.Getpid()) - before
	if x, y, ok := pair(got); !ok || b.Try(x, y) != nil {
		t.Errorf("the answer is %q", got)
	}
	if took > 50*time.Millisecond+kept {
		t.Errorf("STOP was answered after %v", took)
	}
	o.send(t, "YXSHOWHASHUSAGE\n")
	usage, err := o.find("re HASH", time.Now().Add(answerLimit))
	t.Logf("%v: depth %d, %d reports, %.1f MiB at most, STOP answered after %v, %s, %v", *thinkFor, depth, reports, float64(most)/(1<<20), took, usage, err)
	if most > 100<<20 {
		t.Errorf("max_memory is 100 MiB")
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
