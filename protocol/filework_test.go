package protocol

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/brain"
)

// hears reads lines until there was one that begins with each of the texts, in their order. Others are
// passed over if they may precede an answer.
func (o *opponent) hears(t *testing.T, texts ...string) {
	t.Helper()
	limit := time.After(answerLimit)
	var heard []string
	for len(texts) > 0 {
		select {
		case line, open := <-o.lines:
			heard = append(heard, line)
			switch {
			case open && strings.HasPrefix(line, texts[0]):
				texts = texts[1:]
			case !open || !isChatter(line):
				t.Fatalf("want %q, got\n%s", texts[0], strings.Join(heard, "\n"))
			}
		case <-limit:
			t.Fatalf("no %q, only\n%s", texts[0], strings.Join(heard, "\n"))
		}
	}
}

// A gate is a function that waits until it is let go, or its context ends.
type gate chan struct{}

func (g gate) pass(ctx context.Context) error {
	select {
	case <-g:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// withClock is a fake whose moves have a limit of time, but for these are not limited.
func withClock(turn time.Duration) *fake {
	return &fake{opts: brain.Options{Turn: turn, Match: brain.NoLimit, Left: brain.NoLimit}}
}

// emptyFile returns the name of an empty file.
func emptyFile(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "table")
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// A search without a clock waits for the table that is read.
func TestASearchWaitsForTheTable(t *testing.T) {
	g := make(gate)
	f := withClock(brain.NoLimit)
	f.loading = g.pass
	k := newTalk(t, f)
	k.say("START 5\nYXHASHLOAD " + emptyFile(t) + "\nTURN 2,2\nABOUT\n")
	k.out.hears(t, "OK", "name=")
	close(g)
	k.out.hears(t, "MESSAGE HASH LOAD 12 entries", "0,0")
	k.say("END\n")
	<-k.out.gone
	if got := f.asked(); !strings.HasSuffix(got, "load; play c3; think 1") {
		t.Error(got)
	}
}

// A search with a clock does not, and is asked in time. The table is read after it, and what concerns the
// table stays in order.
func TestATableGivesWayToAClock(t *testing.T) {
	f := withClock(100 * time.Millisecond)
	loads := 0
	f.loading = func(ctx context.Context) error {
		if loads++; loads == 1 {
			<-ctx.Done()
		}
		return ctx.Err()
	}
	k := newTalk(t, f)
	dump := filepath.Join(t.TempDir(), "dump")
	sent := time.Now()
	k.say("START 5\nYXHASHLOAD " + emptyFile(t) + "\nYXHASHDUMP " + dump + "\nYXHASHCLEAR\nYXBLOCKRESET\nTURN 2,2\nYXHASHDUMP " + dump + "2\n")
	k.out.hears(t, "OK", "0,0", "MESSAGE HASH LOAD", "MESSAGE HASH DUMP", "MESSAGE HASH DUMP")
	k.say("END\n")
	<-k.out.gone
	_, calls, _ := strings.Cut(f.asked(), "; load; ")
	calls = strings.ReplaceAll(calls, "; dumped", "") // at any time
	if want := "unblock false; play c3; think 1; load; dump; forget; dump"; calls != want {
		t.Errorf("after the first load: %s, want %s", calls, want)
	}
	if start := f.starts[0]; start.Before(sent) || start.Sub(sent) > answerLimit {
		t.Errorf("the time of the move begins %v after the command", start.Sub(sent))
	}
}

// What a manager may send while a table is read that has no end, and what it hears.
func TestATableThatIsReadBlocksNothing(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     []string
	}{
		{"STOP", "ABOUT\nSTOP\nTURN 2,2\n", []string{"name=", "MESSAGE nothing is read from ", "0,0"}},
		{"a search and STOP", "TURN 2,2\nSTOP\nABOUT\nSTOP\n", []string{"name=", "0,0", "MESSAGE nothing is read from "}},
		{"STOP twice", "TURN 2,2\nSTOP\nSTOP\n", []string{"0,0", "MESSAGE nothing is read from "}},
		{"START", "TURN 2,2\nSTART 6\nTURN 2,2\n", []string{"MESSAGE nothing is read from ", "OK", "0,0"}},
		{"RESTART", "RESTART\nABOUT\n", []string{"MESSAGE nothing is read from ", "OK", "name="}},
		{"a dump of it and START", "YXHASHDUMP none\nSTART 6\n", []string{"MESSAGE nothing is read from ", "MESSAGE nothing is written to none: ", "OK"}},
		{"timeout_turn", "INFO timeout_turn 0\nABOUT\nSTOP\n", []string{"name=", "MESSAGE nothing is read from "}},
		{"a question", "YXQUERYDATABASEONE\n2,2\nDONE\nSTOP\n", []string{"MESSAGE nothing is read from ", "MESSAGE DATABASE ONE 0"}},
		{"END", "TURN 2,2\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := withClock(brain.NoLimit)
			f.loading = make(gate).pass
			k := newTalk(t, f)
			k.say("START 5\nYXHASHLOAD " + emptyFile(t) + "\n" + test.in)
			k.out.hears(t, append([]string{"OK", "MESSAGE reading "}, test.want...)...)
			k.say("END\n")
			if err := k.out.leaves(time.Now().Add(answerLimit)); err != nil {
				t.Error(err)
			}
		})
	}
}

// A dump goes on while moves are made and games begin, is stopped by STOP, and END waits for it.
func TestADumpGoesOnInTheBackground(t *testing.T) {
	name := filepath.Join(t.TempDir(), "table")
	for _, end := range []string{"STOP", "END", "the end of input"} {
		g := make(gate)
		f := withClock(20 * time.Millisecond)
		f.dumping = g.pass
		k := newTalk(t, f)
		k.say("START 5\nYXHASHDUMP " + name + "\nABOUT\nTURN 2,2\n")
		k.out.hears(t, "OK", "MESSAGE writing "+name, "name=", "0,0")
		k.say("START 6\nTURN 2,2\n")
		k.out.hears(t, "OK", "0,0")
		if end == "STOP" {
			k.say("STOP\n")
			k.out.hears(t, "MESSAGE nothing is written to "+name)
			k.say("END\n")
		} else {
			if end == "END" {
				k.say("YXHASHLOAD " + name + "\nYXHASHDUMP " + name + "2\nTURN 3,3\nEND\n")
			} else {
				k.out.in.Close()
			}
			close(g)
			k.out.hears(t, "MESSAGE HASH DUMP 12 entries")
		}
		if err := k.out.leaves(time.Now().Add(answerLimit)); err != nil {
			t.Error(err)
		}
		for _, file := range []string{name, name + "2"} {
			raw, err := os.ReadFile(file)
			if want := map[bool]string{true: "\x01"}[end == "END" || end == "the end of input" && file == name]; string(raw) != want {
				t.Errorf("%s: %s has %q, %v", end, file, raw, err)
			}
			os.Remove(file)
		}
		calls := strings.Split(f.asked(), "; ")
		count := func(call string) int {
			return len(slices.DeleteFunc(slices.Clone(calls), func(c string) bool { return c != call }))
		}
		if count("dump") == 0 || count("dump") != count("dumped") {
			t.Errorf("%s: not every dump has let the table go: %v", end, calls)
		}
	}
}

// What changes the database or writes files is executed though it waits behind a search when the
// conversation or the game ends.
func TestEditsThatWaitAreNotLost(t *testing.T) {
	for _, end := range []string{"END\n", "START 6\nEND\n"} {
		dir := t.TempDir()
		base, text, table := filepath.Join(dir, "x.db"), filepath.Join(dir, "x.txt"), filepath.Join(dir, "x.table")
		f := withClock(brain.NoLimit)
		f.think = untilStopped
		k := newTalk(t, f)
		k.say("START 5\nYXSETDATABASE\n" + base + "\nTURN 2,2\nYXEDITTEXTDATABASE \"kept\"\n2,2\nDONE\nYXDBTOTXTALL\n" + text +
			"\nYXHASHDUMP\n" + table + "\nTURN 3,3\n" + end)
		<-k.out.gone
		if got := files(t, dir); got != "x.db x.table x.txt" {
			t.Errorf("after %q there are %s", end, got)
		}
		if raw, err := os.ReadFile(text); !strings.Contains(string(raw), "kept") {
			t.Errorf("after %q: %q, %v", end, raw, err)
		}
		if got := f.asked(); strings.Count(got, "think") != 1 {
			t.Errorf("after %q: %s", end, got)
		}
	}
}
