package protocol

import (
	"os"
	"testing"
	"time"

	"tengen/brain/board"
)

func TestPipesAreReadAndWrittenWithoutWaiting(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b := make([]byte, 100)
	if !canWait(r) || !canWait(w) {
		t.Fatal("canWait reports false for a pipe")
	}
	if n, again, err := readNow(r, b); n != 0 || !again || err != nil {
		t.Errorf("an empty pipe gives %d, %v, %v", n, again, err)
	}
	if wait(r, time.Millisecond) {
		t.Error("an empty pipe is ready")
	}
	if n := writeNow(w, "some words"); n != 10 {
		t.Errorf("%d of 10 bytes are written", n)
	}
	if !wait(r, long) {
		t.Error("a pipe with data is not ready")
	}
	if n, again, err := readNow(r, b); n != 10 || again || err != nil || string(b[:n]) != "some words" {
		t.Errorf("got %q, %v, %v", b[:n], again, err)
	}
	total := 0
	for n := 1; n > 0; total += n {
		if n = writeNow(w, string(make([]byte, 10000))); total > 64<<20 {
			t.Fatal("a pipe is never full")
		}
	}
	for n := range total { // after closing one end, the data is still there
		if n == 0 {
			w.Close()
		}
		k, _, err := readNow(r, b)
		if total -= k; err != nil || total == 0 {
			break
		}
	}
	if n, again, err := readNow(r, b); total != 0 || n != 0 || again || err == nil {
		t.Errorf("at its end a pipe gives %d, %v, %v with %d bytes left", n, again, err, total)
	}
	if n := writeNow(w, "x"); n != 0 {
		t.Errorf("a closed pipe takes %d bytes", n)
	}
}

func TestBlockingPipesAreNotReadDirectly(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	r.Fd() // makes it blocking
	if canWait(r) {
		t.Error("canWait reports true for a blocking pipe")
	}
}

func TestClientDropsAnAnswerThatWasNotAskedFor(t *testing.T) {
	c := launch(t, "good", nil)
	c.SendBegin(long)
	if !wait(c.stdout, long) {
		t.Fatal("no answer")
	}
	if r, err := c.Turn(board.At(7, 7), long); err != nil || r.X != 1 {
		t.Errorf("got %+v, %v, want the second answer", r, err)
	}
}
