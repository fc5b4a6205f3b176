package brain

import (
	"context"
	"reflect"
	"strconv"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/score"
	"tengen/brain/search"
)

// set plays the moves of pos on the board of e.
func set(t *testing.T, e *Engine, pos string) {
	t.Helper()
	moves, err := board.ParseMoves(pos, e.board.Width(), e.board.Height())
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Setup(nil); err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		if err := e.Play(m); err != nil {
			t.Fatal(err)
		}
	}
}

func analyze(t *testing.T, e *Engine, q Query) Thought {
	t.Helper()
	thought, err := e.Think(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return thought
}

func TestAQueryWatchesTheRoot(t *testing.T) {
	e := newGame(t, 15, 15, "max_node", "2000")
	set(t, e, "h8i9")
	seen := map[search.RootEventKind]bool{}
	var best board.Move
	got := analyze(t, e, Query{Watch: func(r RootEvent) {
		if seen[r.Kind] = true; r.Kind == MoveIsBest {
			best = r.Move
		}
	}})
	if !seen[IterationBegins] || !seen[MoveBegins] || !seen[MoveEnds] || best != got.Move {
		t.Errorf("plays %v, the last event of a best move has %v; kinds %v", got.Move, best, seen)
	}
}

// TestStudies: a study without a clock searches otherwise than a game, and no other search does.
func TestStudies(t *testing.T) {
	for _, tt := range []struct {
		info  []string
		other bool
	}{
		{nil, true},
		{[]string{"timeout_turn", "60000"}, false},
		{[]string{"rule", "2"}, false},
	} {
		var found [2]Thought
		for i, study := range []bool{false, true} {
			e := newGame(t, 15, 15, append([]string{"max_node", "4000"}, tt.info...)...)
			set(t, e, "f9g9e7e9b12f6h8g10g11f7g6h10e10d11i10i11j12f5f4e5d5d8j9b6c7d4")
			found[i] = analyze(t, e, Query{Study: study})
			if len(found[i].Infos) > 0 {
				found[i].Infos[0].Elapsed = 0
			}
		}
		if same := reflect.DeepEqual(found[0], found[1]); same == tt.other {
			t.Errorf("%v: the same: %v", tt.info, same)
		}
	}
}

// TestLevelsAreNoStudies: they are made for the values of a game.
func TestLevelsAreNoStudies(t *testing.T) {
	o := DefaultOptions()
	if !o.studies() {
		t.Error("at full strength there is no study")
	}
	if o.Strength = FullStrength - 1; o.studies() {
		t.Error("there is a study below full strength")
	}
}

func TestEndlessSearchesAreStopped(t *testing.T) {
	e := newGame(t, 15, 15)
	set(t, e, "h8i9i7")
	o := e.Options()
	o.Endless = true
	if l := e.limits(o, 0); l.Hard != 0 || l.Soft != 0 || l.Nodes != 0 || l.Depth != 0 {
		t.Errorf("limits %+v", l)
	}
	// A proven win does not end it if more lines are asked for.
	set(t, e, "h8a1i8a3j8a5")
	ctx, cancel := context.WithCancel(context.Background())
	deep := 0
	thought, err := e.Think(ctx, Query{Options: &o, Lines: 5, Report: func(i Info) {
		if deep = max(deep, i.Depth); i.Depth >= 5 && i.Line == 4 {
			cancel()
		}
	}})
	if err != nil || deep < 5 || len(thought.Infos) != 5 || thought.Infos[0].Score != score.WinIn(3) {
		t.Errorf("depth %d, %d lines, %v", deep, len(thought.Infos), err)
	}
}

// TestEndlessLines: an analysis of several lines without limits ends only when it is stopped,
// though all its lines are won.
func TestEndlessLines(t *testing.T) {
	e := newGame(t, 15, 15)
	set(t, e, "h8h7i8a1j8a15")
	o := e.Options()
	o.Endless = true
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	deep := make(chan bool, score.Win)
	over := make(chan Thought, 1)
	go func() {
		r, err := e.Think(ctx, Query{Options: &o, Lines: 2, Report: func(i Info) {
			if i.Line == 1 && i.Depth >= 100 {
				deep <- true
			}
		}})
		if err != nil {
			t.Error(err)
		}
		over <- r
	}()
	for range 5 { // deeper than a search goes, soon after
		<-deep
	}
	select {
	case r := <-over:
		t.Errorf("ends with %+v", r)
	case <-time.After(200 * time.Millisecond):
		cancel()
		if r := <-over; len(r.Infos) != 2 || r.Infos[1].Score != score.WinIn(3) {
			t.Errorf("%+v", r)
		}
	}
}

// TestLinesOfADepthEnd: an analysis of several lines with a limit of depth ends, though no search
// goes as deep.
func TestLinesOfADepthEnd(t *testing.T) {
	e := newGame(t, 15, 15, "max_depth", "150")
	set(t, e, "h8h7i8a1j8a15")
	o := e.Options()
	o.Endless = true
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	thought, err := e.Think(ctx, Query{Options: &o, Lines: 2})
	if err != nil || ctx.Err() != nil || len(thought.Infos) != 2 {
		t.Errorf("%+v, %v, %v", thought, err, ctx.Err())
	}
}

// TestNodesOfLines: the nodes of several lines are all that were searched, also after the last whole
// iteration.
func TestNodesOfLines(t *testing.T) {
	const limit = 3000
	e := newGame(t, 15, 15, "max_node", strconv.Itoa(limit))
	set(t, e, "h8i9j10")
	for _, lines := range []int{1, 2, 5} {
		for _, i := range analyze(t, e, Query{Lines: lines}).Infos {
			if i.Nodes != limit {
				t.Errorf("line %d of %d: %d nodes of %d", i.Line, lines, i.Nodes, limit)
			}
		}
	}
}
