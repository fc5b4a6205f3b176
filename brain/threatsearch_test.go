package brain

import (
	"context"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/score"
)

// TestThreatsAlone: INFO checkmate finds a win with fewer nodes than the search needs, its
// line ends in a five, and a position without a win gets a move and a note.
func TestThreatsAlone(t *testing.T) {
	const pos = "i13j11g12i11k11j12j10k12l12i9i10h10g9j13h11j9l11m14j14g11f12l13n15m13k13m11m10n11m12f13k7l10k9k8f9e12"
	e := newGame(t, 15, 15, "max_node", "31000")
	set(t, e, pos)
	if r := analyze(t, e, Query{}); r.Infos[0].Score >= score.WinFloor {
		t.Fatalf("the search finds the win by itself: %+v", r.Infos[0])
	}
	e.Set("checkmate", "1")
	if err := e.NewGame(15, 15); err != nil {
		t.Fatal(err)
	}
	set(t, e, pos)
	b := e.board.Clone()
	var told []Info
	r, err := e.Think(context.Background(), Query{Report: func(i Info) { told = append(told, i) }})
	if err != nil || len(r.Infos) != 1 || len(r.Notes) > 0 || len(told) != 1 {
		t.Fatalf("%+v, %v, told %d", r, err, len(told))
	}
	i := r.Infos[0]
	if i.Score != score.WinIn(len(i.PV)) || i.PV[0] != r.Move || i.Nodes <= 0 || i.Nodes > 31_000 {
		t.Errorf("the win is %+v", i)
	}
	for _, m := range i.PV {
		if v, _ := b.Verdict(); v != board.Unfinished || !b.Legal(m) {
			t.Fatalf("%v cannot be played: %v", m, i.PV)
		}
		b.Play(m)
	}
	if v, _ := b.Verdict(); v == board.Unfinished {
		t.Errorf("no five at the end of %v", i.PV)
	}

	for _, limit := range []string{"1", "3000"} {
		e.Set("max_node", limit)
		set(t, e, "h8")
		if r = analyze(t, e, Query{Lines: 2}); len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "no win by threats") || r.Move == board.None {
			t.Errorf("max_node %s: %+v", limit, r)
		}
	}
	// Without limits the search for a move is a short one, and a stop ends all.
	e.Set("max_node", "0")
	o := e.Options()
	o.Endless = true
	set(t, e, "h8")
	if r, err = e.Think(context.Background(), Query{Options: &o}); err != nil || !strings.Contains(r.Notes[0], "all of them") || r.Infos[0].Nodes > 40_000 {
		t.Errorf("without limits: %+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	set(t, e, pos)
	if r, err = e.Think(ctx, Query{Options: &o}); err != nil || r.Move == board.None {
		t.Errorf("stopped: %+v, %v", r, err)
	}
	// A blocked move is not played, whatever it wins.
	set(t, e, pos)
	e.Set("max_node", "2000")
	e.Block(i.PV[0], true)
	if r = analyze(t, e, Query{}); r.Move == i.PV[0] {
		t.Errorf("the blocked move %v is played", r.Move)
	}
	// Then no win is looked for, and the search for a move is as short.
	e.Set("max_node", "0")
	for _, lines := range []int{1, 2} {
		if r, err = e.Think(t.Context(), Query{Options: &o, Lines: lines}); err != nil || len(r.Notes) != 1 || r.Infos[0].Nodes > 40_000 {
			t.Errorf("with a blocked move and %d lines: %+v, %v", lines, r, err)
		}
	}
}

// TestThreatsInLittleMemory: without memory for the solver no win is looked for, which a note says.
func TestThreatsInLittleMemory(t *testing.T) {
	for memory, want := range map[string]string{"83886080": "there is too little memory to look for wins by threats", "134217728": "no win by threats"} {
		e := newGame(t, 15, 15, "checkmate", "1", "max_node", "2000", "max_memory", memory)
		set(t, e, "h8")
		if r := think(t, e); len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], want) || r.Move == board.None {
			t.Errorf("max_memory %s: %v, %v", memory, r.Move, r.Notes)
		}
	}
}

// TestThreatsToADepth: a depth alone ends the search for a win, too. The position has
// more threats than the solver can try, so that nothing else ends the search.
func TestThreatsToADepth(t *testing.T) {
	e := newGame(t, 15, 15, "checkmate", "1", "max_depth", "2")
	set(t, e, "k8j8n5l9k7l7j6k9m9l8l10j10i11k11i9k5l6i8h9f9f8j11j9k12k10j13j12h10l11h5g7i6g5e7e6g8h7f10g4g10i10e10d10e9")
	r, err := e.Think(t.Context(), Query{})
	if err != nil || len(r.Notes) != 1 || strings.Contains(r.Notes[0], "all of them have been tried") {
		t.Errorf("the position is to have more threats than are tried: %v, %v", r.Notes, err)
	}
}
