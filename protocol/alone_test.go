package protocol

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"tengen/brain"
	"tengen/brain/board"
)

// A dialog talks to Serve with a real engine.
type dialog struct {
	t     *testing.T
	in    io.WriteCloser
	lines chan string
}

func newDialog(t *testing.T) *dialog {
	r, in := io.Pipe()
	out, w := io.Pipe()
	d := &dialog{t, in, make(chan string, 100)}
	go func() {
		Serve(t.Context(), r, w, brain.New(brain.Config{}))
		w.Close()
	}()
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			d.lines <- s.Text()
		}
		close(d.lines)
	}()
	t.Cleanup(func() { in.Close() })
	return d
}

func (d *dialog) say(format string, args ...any) { fmt.Fprintf(d.in, format+"\n", args...) }

// answer returns the next line that is no message, or "" if none comes.
func (d *dialog) answer(wait time.Duration) string {
	timeout := time.After(wait)
	for {
		select {
		case line := <-d.lines:
			if !strings.HasPrefix(line, "MESSAGE") {
				return line
			}
		case <-timeout:
			return ""
		}
	}
}

// move returns the next answer as a cell that was free before.
func (d *dialog) move(taken map[board.Move]bool) board.Move {
	d.t.Helper()
	line := d.answer(30 * time.Second)
	var x, y int
	if n, _ := fmt.Sscanf(line, "%d,%d", &x, &y); n != 2 {
		d.t.Fatalf("answer %q after %d stones", line, len(taken))
	}
	m := board.At(x, y)
	if x < 0 || y < 0 || x > 5 || y > 5 || taken[m] {
		d.t.Fatalf("%q is not a free cell", line)
	}
	taken[m] = true
	return m
}

const silence = 4 * aloneWait

// begun passes over the answers to START and ABOUT.
func (d *dialog) begun() {
	d.t.Helper()
	for _, want := range []string{"OK", aboutLine()} {
		if line := d.answer(10 * time.Second); line != want {
			d.t.Fatalf("got %q, want %q", line, want)
		}
	}
}

// TestContinuousAlone plays a game as qpiskvork drives it: ABOUT, BEGIN, and then INFO time_left
// for every move of either color, until the board is full.
func TestContinuousAlone(t *testing.T) {
	t.Parallel()
	d := newDialog(t)
	d.say("START 6\nABOUT\nINFO timeout_turn 20\nINFO rule 2\nINFO time_left 60000\nBEGIN")
	d.begun()
	taken := map[board.Move]bool{}
	d.move(taken)
	if line := d.answer(silence); line != "" {
		t.Fatalf("%q without INFO", line)
	}
	for len(taken) < 36 {
		d.say("INFO time_left 60000")
		d.move(taken)
	}
	d.say("INFO time_left 60000")
	if line := d.answer(silence); line != "" {
		t.Errorf("%q on a full board", line)
	}
	d.say("START 6\nABOUT")
	if line := d.answer(10 * time.Second); line != "OK" {
		t.Errorf("START is answered by %q", line)
	}
}

// The same after BOARD.
func TestContinuousAloneAfterBoard(t *testing.T) {
	t.Parallel()
	d := newDialog(t)
	d.say("START 6\nABOUT\nINFO timeout_turn 20\nINFO rule 2\nBOARD\n1,1,1\n2,2,2\nDONE")
	d.begun()
	taken := map[board.Move]bool{board.At(1, 1): true, board.At(2, 2): true}
	d.move(taken)
	for range 2 {
		d.say("INFO time_left 60000")
		d.move(taken)
	}
}

// TestContinuousTurns plays a game as Piskvork drives it, INFO time_left and TURN for the
// moves of the opponent, who takes the first free cell, until the board is full.
func TestContinuousTurns(t *testing.T) {
	d := newDialog(t)
	d.say("START 6\nABOUT\nINFO timeout_turn 20\nINFO rule 2\nINFO time_left 60000\nBEGIN")
	d.begun()
	taken := map[board.Move]bool{}
	d.move(taken)
	for len(taken) < 36 {
		m := board.At(0, 0)
		for i := 0; taken[m]; i++ {
			m = board.At(i%6, i/6)
		}
		taken[m] = true
		d.say("INFO time_left 60000\nTURN %d,%d", m.X(), m.Y())
		if len(taken) < 36 {
			d.move(taken)
		}
	}
	if line := d.answer(10 * time.Second); !strings.HasPrefix(line, "ERROR") {
		t.Errorf("TURN to a full board is answered by %q", line)
	}
}

// TestContinuousAloneWaitsOnce: once the engine has moved for the other color, it waits no more
// before it does so again. The machine may delay answers, but not all.
func TestContinuousAloneWaitsOnce(t *testing.T) {
	d := newDialog(t)
	d.say("START 6\nABOUT\nINFO timeout_turn 1\nINFO rule 2\nINFO time_left 60000\nBEGIN")
	d.begun()
	taken, fastest := map[board.Move]bool{}, time.Hour
	d.move(taken)
	for len(taken) < 36 {
		start := time.Now()
		d.say("INFO time_left 60000")
		d.move(taken)
		if took := time.Since(start); len(taken) == 2 && took < aloneWait {
			t.Errorf("the first answer came after %v", took)
		} else {
			fastest = min(fastest, took)
		}
	}
	if fastest >= aloneWait {
		t.Errorf("the fastest answer took %v", fastest)
	}
}

// A command that comes while the engine already searches for the other color: the move is
// dropped, and its cell is free.
func TestContinuousLateTurn(t *testing.T) {
	t.Parallel()
	d := newDialog(t)
	d.say("START 6\nABOUT\nINFO timeout_turn 5000\nINFO rule 2\nINFO time_left 60000\nBEGIN")
	d.begun()
	taken := map[board.Move]bool{}
	d.move(taken)
	d.say("INFO time_left 60000")
	time.Sleep(2 * aloneWait)
	d.say("INFO timeout_turn 20\nTURN 0,0")
	taken[board.At(0, 0)] = true
	d.move(taken)
	if line := d.answer(silence); line != "" {
		t.Errorf("a second answer %q", line)
	}
	d.say("INFO time_left 60000")
	if line := d.answer(silence); line != "" {
		t.Errorf("%q for both colors, though the other one moves by TURN", line)
	}
}

// In other games INFO time_left has no answer.
func TestNotAlone(t *testing.T) {
	t.Parallel()
	d := newDialog(t)
	d.say("START 6\nABOUT\nINFO timeout_turn 20\nINFO time_left 60000\nBEGIN")
	d.begun()
	d.move(map[board.Move]bool{})
	d.say("INFO time_left 60000")
	if line := d.answer(silence); line != "" {
		t.Errorf("%q", line)
	}
}

// Piskvork, which never sends ABOUT, tells new limits in the middle of a game when its user sets
// them: that is no question.
func TestContinuousLimitsAreNoQuestion(t *testing.T) {
	t.Parallel()
	d := newDialog(t)
	d.say("START 6\nINFO timeout_turn 20\nINFO rule 2\nINFO time_left 60000\nBEGIN")
	if line := d.answer(10 * time.Second); line != "OK" {
		t.Fatal(line)
	}
	taken := map[board.Move]bool{}
	d.move(taken)
	d.say("INFO timeout_match 90000\nINFO time_left 89000")
	if line := d.answer(silence); line != "" {
		t.Errorf("%q", line)
	}
	d.say("INFO time_left 88000\nTURN 0,0")
	taken[board.At(0, 0)] = true
	d.move(taken)
}
