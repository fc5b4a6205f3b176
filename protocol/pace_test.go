package protocol

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tengen/brain"
	"tengen/brain/board"
)

// A stamped writer notes what is written after how many milliseconds.
type stamped struct {
	start time.Time
	lines []string
}

func (w *stamped) Write(p []byte) (int, error) {
	ms := time.Since(w.start).Milliseconds()
	for line := range strings.Lines(string(p)) {
		w.lines = append(w.lines, fmt.Sprintf("%d %s", ms, strings.TrimSpace(line)))
	}
	return len(p), nil
}

// only returns the lines that match, as the format makes them of the groups.
func (w *stamped) only(pattern, format string) string {
	var list []string
	re := regexp.MustCompile(pattern)
	for _, line := range w.lines {
		if re.MatchString(line) {
			list = append(list, re.ReplaceAllString(line, format))
		}
	}
	return strings.Join(list, " ")
}

// An iteration ends at a time in milliseconds.
type iteration struct {
	at    int
	lines int // 0 for an event: another move is the best
}

// paced runs a search whose iterations, of depth 1 and so on, end at these times, on a clock
// that does not wait.
func paced(t *testing.T, dialect bool, detail int, list ...iteration) *stamped {
	w := &stamped{}
	synctest.Test(t, func(t *testing.T) {
		w.start = time.Now()
		f := &fake{}
		f.think = func(_ context.Context, report func(brain.Info)) {
			for i, it := range list {
				time.Sleep(time.Until(w.start.Add(time.Duration(it.at) * time.Millisecond)))
				if it.lines == 0 {
					f.queries[0].Watch(brain.RootEvent{Kind: brain.MoveIsBest, Move: board.At(1, i)})
				}
				for line := range it.lines {
					report(brain.Info{Depth: i + 1, Line: line, Lines: it.lines, PV: []board.Move{board.At(7, 7)}})
				}
			}
			time.Sleep(time.Until(w.start.Add(3 * time.Second)))
		}
		in := fmt.Sprintf("INFO show_detail %d\nSTART 15\nTURN 1,1\n", detail)
		if dialect {
			in = "RELOADCONFIG\n" + in
		}
		if err := Serve(t.Context(), strings.NewReader(in), w, f); err != nil {
			t.Error(err)
		}
	})
	return w
}

const (
	messages = `^(\d+) MESSAGE (?:line (\d).*? )?depth (\d+).*`
	blocks   = `^(\d+) INFO (PV|DEPTH) (\d+)$`
)

// The newest iteration is shown, at the latest when the gap is over.
func TestThePaceOfLines(t *testing.T) {
	single := []iteration{{10, 1}, {100, 1}, {200, 1}, {250, 1}, {700, 1}, {710, 1}, {2000, 1}}
	for _, tt := range []struct {
		name    string
		dialect bool
		list    []iteration
		want    string
	}{
		{"the dialect, at once", true, single, "10:1/ 310:4/ 700:5/ 1000:6/ 2000:7/ 3000:3/"},
		{"another manager, after the gap", false, single, "300:4/ 700:5/ 1000:6/ 2000:7/ 3000:3/"},
		{"a quick search", false, []iteration{{10, 1}}, "300:1/ 3000:3/"},
		{"whole iterations", true, []iteration{{10, 2}, {100, 2}, {650, 2}, {1130, 2}, {2500, 2}}, "10:1/1 10:1/2 1010:3/1 1010:3/2 2010:4/1 2010:4/2 3000:3/"},
		{"nothing new", true, []iteration{{10, 1}, {2000, 1}}, "10:1/ 2000:2/ 3000:3/"},
	} {
		w := paced(t, tt.dialect, 0, tt.list...)
		if got := w.only(messages, "$1:$3/$2"); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// INFO lines keep the pace of the MESSAGE lines: a lost position has hundreds of iterations in a
// moment, of up to twenty lines each.
func TestThePaceOfInfoLines(t *testing.T) {
	w := paced(t, true, detailLines, iteration{10, 1}, iteration{20, 1}, iteration{30, 1}, iteration{1000, 1})
	if got, want := w.only(blocks, "$1:$2=$3"), "10:PV=0 10:DEPTH=1 310:PV=0 310:DEPTH=3 1000:PV=0 1000:DEPTH=4 3000:PV=0 3000:DEPTH=3"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := w.only(messages, "$1:$3"), "10:1 310:3 1000:4 3000:3"; got != want {
		t.Errorf("for people %s, want %s", got, want)
	}
	var lost []iteration
	for i := range 200 {
		lost = append(lost, iteration{10 + i, 20})
	}
	w = paced(t, true, detailLines, lost...)
	if got, want := len(w.lines)-2, (20+20+1)*13; got > want { // without OK and the move: the first, the last, the answer
		t.Errorf("%d lines of a lost position in 3 s, want %d at most", got, want)
	}
	if got := w.only(`^(\d+) INFO DEPTH 200$`, "$1"); strings.Count(got, "1010") != 20 {
		t.Errorf("the last iteration is shown at %s, want 20 lines at 1010", got)
	}
}

// What is drawn does not go back to a move that is no longer the best.
func TestLateLinesDrawNothingOld(t *testing.T) {
	const best = `^(\d+) MESSAGE REALTIME BEST (\d+,\d+)$`
	w := paced(t, true, detailRoot, iteration{10, 1}, iteration{350, 0}, iteration{400, 1}, iteration{410, 1})
	if got, want := w.only(best, "$1:$2"), "10:7,7 350:1,1 400:7,7 700:7,7"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	w = paced(t, true, detailRoot, iteration{400, 1}, iteration{410, 1}, iteration{420, 0})
	if got, want := w.only(best, "$1:$2"), "400:7,7 420:1,2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := w.only(messages, "$1:$3"), "400:1 700:2 3000:3"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// An iteration of which some lines have come does not push out the one before it.
func TestAHalfIterationWaits(t *testing.T) {
	start := time.Now()
	after := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	var p pace
	shown := func(depth, line, ms int) bool {
		return p.admits(brain.Info{Depth: depth, Line: line, Lines: 2}, after(ms))
	}
	if !shown(1, 0, 0) || !shown(1, 1, 900) || shown(2, 0, 910) || shown(2, 1, 920) || shown(3, 0, 990) {
		t.Fatalf("the first iteration is shown and no other: %+v", p)
	}
	if wait, ok := p.wait(after(990)); !ok || wait != 10*time.Millisecond {
		t.Errorf("due in %v, %v", wait, ok)
	}
	depths := func(list []brain.Info) (n []int) {
		for _, i := range list {
			n = append(n, i.Depth)
		}
		return n
	}
	if got := depths(p.release(after(1000))); !slices.Equal(got, []int{2, 2}) {
		t.Errorf("depths %v are shown, want 2 twice", got)
	}
	if _, ok := p.wait(after(1000)); ok {
		t.Error("half an iteration is due")
	}
	if shown(3, 1, 1010) {
		t.Error("half an iteration is shown")
	}
	if got := depths(p.release(after(2000))); !slices.Equal(got, []int{3, 3}) {
		t.Errorf("depths %v are shown, want 3 twice", got)
	}
}
