package protocol

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"tengen/protocol/wire"
)

// newRun starts the program with a game on a board of 15 and the given INFO.
func newRun(t *testing.T, info ...string) *opponent {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	o := newProgram(t, path)
	t.Cleanup(o.close)
	o.send(t, "START 15\n")
	if got := o.answer(t); got != "OK" {
		t.Fatalf("START gives %q", got)
	}
	for _, line := range info {
		o.send(t, "INFO "+line+"\n")
	}
	return o
}

func (o *opponent) send(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(o.in, text); err != nil {
		t.Fatal(err)
	}
}

func (o *opponent) answer(t *testing.T) string {
	t.Helper()
	line, err := o.next(time.Now().Add(answerLimit))
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// A game of 60 plies by TURN: every answer is one line, and a free cell of the board.
func TestProgramAnswersEachTurnOnce(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{"0", "1", "4", "8"} {
		o := newRun(t, "rule "+rule, "max_node 300")
		taken := map[[2]int]bool{}
		for i := range 30 {
			ours := [2]int{i * 7 % 15, i * 4 % 15}
			for taken[ours] {
				ours[0] = (ours[0] + 1) % 15
			}
			taken[ours] = true
			o.send(t, fmt.Sprintf("TURN %d,%d\n", ours[0], ours[1]))
			got := o.answer(t)
			x, y, ok := wire.ParsePair(got)
			if !ok || got != fmt.Sprintf("%d,%d", x, y) || min(x, y) < 0 || max(x, y) > 14 || taken[[2]int{x, y}] {
				t.Fatalf("rule %s, move %d: got %q", rule, i, got)
			}
			taken[[2]int{x, y}] = true
		}
		o.send(t, "END\n")
		if err := o.leaves(time.Now().Add(answerLimit)); err != nil {
			t.Errorf("rule %s: %v", rule, err)
		}
	}
}

// Two hundred INFO lines while the engine thinks: the search continues, and the next move
// obeys the last limits.
func TestProgramTakesInfoWhileItThinks(t *testing.T) {
	t.Parallel()
	o := newRun(t, "timeout_turn 1000", "usedatabase 0")
	start := time.Now()
	o.send(t, "TURN 7,7\n")
	for i := range 100 {
		o.send(t, fmt.Sprintf("INFO time_left %d\nINFO evaluate 3,4\n", 100000-i))
	}
	o.send(t, "INFO timeout_turn 3600000\nINFO max_node 500\nABOUT\n")
	if got := o.answer(t); !strings.HasPrefix(got, "name=") {
		t.Fatalf("got %q before the answer to ABOUT", got)
	}
	if _, _, ok := wire.ParsePair(o.answer(t)); !ok {
		t.Fatal("no move")
	}
	if d := time.Since(start); d < 800*time.Millisecond {
		t.Errorf("a move of 1 s came after %v", d)
	}
	o.send(t, "TURN 0,0\n")
	if _, _, ok := wire.ParsePair(o.answer(t)); !ok {
		t.Error("no move within a limit of nodes")
	}
}

// Lines longer than any command.
func TestProgramTakesLongLines(t *testing.T) {
	t.Parallel()
	o := newRun(t, "max_node 300")
	long := strings.Repeat("A", 100_000)
	o.send(t, long+"\nTURN 7,7"+strings.Repeat(" ", 100_000)+"\n")
	if got := o.answer(t); !strings.HasPrefix(got, "UNKNOWN ") {
		t.Errorf("got %.80q", got)
	}
	if _, _, ok := wire.ParsePair(o.answer(t)); !ok {
		t.Error("no move")
	}
	o.send(t, "FOO "+long+"\nABOUT\n")
	for _, want := range []string{"UNKNOWN ", "name="} {
		if got := o.answer(t); !strings.HasPrefix(got, want) {
			t.Errorf("got %.80q, want %s", got, want)
		}
	}
}
