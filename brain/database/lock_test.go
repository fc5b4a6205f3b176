package database

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tengen/brain/atomicfile"
	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

var rounds = flag.Int("rounds", 20, "number of times that some writers save one file at the same moment")

// positionOf returns a position of its own for each round of each writer.
func positionOf(t testing.TB, writer, round int) *board.Board {
	return boardtest.After(t, 0, 15, fmt.Sprintf("%v%v", board.At(writer+1, 14), board.At(round%15, round/15)))
}

func comments(t testing.TB, name string, boards ...*board.Board) (all []string) {
	t.Helper()
	d, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range boards {
		r, ok := d.Get(b)
		if ok && r.Comment() == "" {
			t.Error("a record without its comment")
		}
		all = append(all, r.Comment())
	}
	return all
}

// TestWritersAtOnceLoseNothing: two to four programs with one file save at the same moment, again
// and again, each a record of its own and without the record of its round before. One that all of
// them change is that of one of them.
func TestWritersAtOnceLoseNothing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.db")
	shared := boardtest.After(t, 0, 15, "h8")
	var writers []*Database
	for round := range *rounds {
		n := 2 + round%3
		for len(writers) < n {
			d, err := Load(name)
			if err != nil {
				t.Fatal(err)
			}
			writers = append(writers, d)
		}
		var all sync.WaitGroup
		start := make(chan struct{})
		for i, d := range writers[:n] {
			all.Go(func() {
				d.SetComment(positionOf(t, i, round), "kept")
				if round > 0 {
					d.Delete(positionOf(t, i, round-1))
				}
				d.SetComment(shared, fmt.Sprint("of ", i))
				<-start
				if err := d.Save(name); err != nil || d.Changed() {
					t.Errorf("round %d: %v, changed %v", round, err, d.Changed())
				}
			})
		}
		close(start)
		all.Wait()
		want, boards := []string{}, []*board.Board{shared}
		for i := range n {
			boards = append(boards, positionOf(t, i, round), positionOf(t, i, max(round-1, 0)))
			want = append(want, "kept", map[bool]string{true: "kept"}[round == 0])
		}
		got := comments(t, name, boards...)
		if strings.Join(got[1:], ",") != strings.Join(want, ",") || !strings.HasPrefix(got[0], "of ") {
			t.Fatalf("round %d of %d writers: the records are %q, want %q", round, n, got, want)
		}
	}
	if left, err := filepath.Glob(name + "*"); err != nil || len(left) != 1 {
		t.Errorf("beside the database lie %q, %v", left, err)
	}
}

// A writer is another process with a database. It answers each line that it gets.
type writer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startWriter(t *testing.T, name string) *writer {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestProcessesAtOnceLoseNothing$")
	cmd.Env = append(os.Environ(), "TENGEN_TEST_WRITE="+name)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	w := &writer{cmd, in, bufio.NewReader(out)}
	t.Cleanup(func() { in.Close(); cmd.Process.Kill(); cmd.Wait() })
	return w
}

func (w *writer) tell(line string) { fmt.Fprintln(w.in, line) }

func (w *writer) answer(t *testing.T) {
	t.Helper()
	if line, err := w.out.ReadString('\n'); line != "ok\n" {
		t.Fatalf("a writer answers %q, %v", line, err)
	}
}

// write is what a writer does: "1 5" saves the record of writer 1 in round 5, "lock" takes the lock
// for ever.
func write(t *testing.T, name string) {
	d, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); fmt.Println("ok") {
		if in.Text() == "lock" {
			if _, err := lock(name); err != nil {
				t.Fatal(err)
			}
			continue
		}
		var i, round int
		fmt.Sscan(in.Text(), &i, &round)
		d.SetComment(positionOf(t, i, round), "kept")
		if err := d.Save(name); err != nil {
			t.Fatal(err)
		}
	}
}

// TestProcessesAtOnceLoseNothing is the same for processes, one of which is killed while it holds
// the lock.
func TestProcessesAtOnceLoseNothing(t *testing.T) {
	if name := os.Getenv("TENGEN_TEST_WRITE"); name != "" {
		write(t, name)
		os.Exit(0)
	}
	const n = 3
	name := filepath.Join(t.TempDir(), "x.db")
	var writers []*writer
	for range n {
		writers = append(writers, startWriter(t, name))
	}
	var boards []*board.Board
	for round := range *rounds {
		for i, w := range writers {
			w.tell(fmt.Sprint(i, " ", round))
			boards = append(boards, positionOf(t, i, round))
		}
		for _, w := range writers {
			w.answer(t)
		}
	}
	for i, c := range comments(t, name, boards...) {
		if c != "kept" {
			t.Errorf("the record of writer %d in round %d is lost", i%n, i/n)
		}
	}

	killed := writers[0]
	killed.tell("lock")
	killed.answer(t)
	writers[1].tell(fmt.Sprint(1, " ", *rounds))
	time.Sleep(20 * time.Millisecond)
	if got := comments(t, name, positionOf(t, 1, *rounds)); got[0] != "" {
		t.Error("the lock keeps nobody from writing")
	}
	start := time.Now()
	killed.cmd.Process.Kill()
	writers[1].answer(t)
	if took := time.Since(start); took > lockWait/2 {
		t.Errorf("a killed writer blocks another one for %v", took)
	}
	if got := comments(t, name, positionOf(t, 1, *rounds)); got[0] != "kept" {
		t.Error("what was saved after the other was killed is lost")
	}
}

// The lock of systems without locks keeps others away, too, and one that a dead program has left
// goes.
func TestPlainLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	unlock, err := tryPlainLock(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tryPlainLock(name); !errors.Is(err, errHeld) {
		t.Errorf("locked twice: %v", err)
	}
	unlock()
	if _, err = tryPlainLock(name); err != nil {
		t.Errorf("after the lock is free: %v", err)
	}
	long := time.Now().Add(-2 * lockAbandoned)
	if err := os.Chtimes(name, long, long); err != nil {
		t.Fatal(err)
	}
	if _, err = tryPlainLock(name); !errors.Is(err, errHeld) {
		t.Errorf("an abandoned lock is taken at once: %v", err)
	}
	if _, err = tryPlainLock(name); err != nil {
		t.Errorf("an abandoned lock stays: %v", err)
	}
	if _, err := tryPlainLock(filepath.Join(name, "y")); err == nil || errors.Is(err, errHeld) {
		t.Errorf("a lock in a folder that is not there: %v", err)
	}
}

// What a failed Save has not written is still to be saved, with what another program has written
// meanwhile.
func TestAFailedSaveKeepsWhatWasChanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.db")
	first, second := tree(t, "h8"), New()
	if err := first.Save(name); err != nil {
		t.Fatal(err)
	}
	second, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	first.SetComment(positionOf(t, 0, 0), "of the first")
	second.SetComment(positionOf(t, 1, 0), "of the second")
	second.Delete(boardtest.After(t, 0, 15, "h8"))
	if err := first.Save(name); err != nil {
		t.Fatal(err)
	}
	// A folder in the place of the file beside it, and of all others, lets no writer begin.
	for i := range 110 {
		beside := name + atomicfile.Suffix
		if i > 0 {
			beside = fmt.Sprintf("%s.%d%s", name, i+1, atomicfile.Suffix)
		}
		if err := os.Mkdir(beside, 0o777); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(beside)
	}
	if err := second.Save(name); err == nil || !second.Changed() {
		t.Fatalf("%v, changed %v", err, second.Changed())
	}
	left, err := filepath.Glob(name + "*" + atomicfile.Suffix)
	for _, folder := range left {
		err = errors.Join(err, os.Remove(folder))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Save(name); err != nil || second.Changed() {
		t.Fatalf("%v, changed %v", err, second.Changed())
	}
	got := comments(t, name, positionOf(t, 0, 0), positionOf(t, 1, 0))
	d, _ := Load(name)
	if _, ok := d.Get(boardtest.After(t, 0, 15, "h8")); ok || got[0] != "of the first" || got[1] != "of the second" {
		t.Errorf("after a second Save: %q, a deleted record is there: %v", got, ok)
	}
}

// While a database is saved, here as long as another program has the lock of its file, it can be read and
// a search can note what it has found, which is not lost.
func TestSearchesDoNotWaitForASave(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.db")
	b, found := boardtest.After(t, 0, 15, "h8"), boardtest.After(t, 0, 15, "h8i9")
	d := New()
	d.SetComment(b, "kept")
	unlock, err := lock(name)
	if err != nil {
		t.Fatal(err)
	}
	saved := make(chan error, 1)
	go func() { saved <- d.Save(name) }()
	for d.saving.TryLock() { // it has not begun
		d.saving.Unlock()
		time.Sleep(time.Millisecond)
	}
	done := make(chan string, 1)
	go func() {
		d.Found(found, NewRecord(Win, 0, 20, Exact))
		r, _ := d.Get(b)
		done <- r.Comment()
	}()
	select {
	case got := <-done:
		if got != "kept" {
			t.Errorf("the comment is %q", got)
		}
	case err := <-saved:
		t.Fatal("the save has not waited: ", err)
	case <-time.After(lockWait / 2):
		t.Error("a search waits for the save")
	}
	unlock()
	if err := <-saved; err != nil {
		t.Fatal(err)
	}
	if r, ok := d.Get(found); !ok || r.Label != Win || !d.Changed() {
		t.Errorf("what was found meanwhile: %v, %v; to be saved: %v", r, ok, d.Changed())
	}
}
