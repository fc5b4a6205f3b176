package main

import (
	"bytes"
	"testing"
	"time"
)

func TestTimeUse(t *testing.T) {
	const ms = time.Millisecond
	s := &settings{Games: 2, Rounds: 1, Engines: []engine{
		{Name: "a", TC: timeControl{Turn: 100 * ms}},
		{Name: "b", TC: timeControl{Match: 1000 * ms, Increment: 50 * ms}},
		{Name: "c"},
	}}
	m := newMatch(s)
	m.games[1] = &gameRecord{Game: 1, Black: "a", White: "b", Opening: 1, Time: []float64{600, 90, 440, 100.5, 20}}
	m.games[2] = &gameRecord{Game: 2, Black: "b", White: "a", Opening: 2, Time: []float64{100, 80}}
	var out bytes.Buffer
	writeTimeUse(&out, m)
	// Of b's 1000+150 ms: 600 of 1000, 440 of 450, 20 of 60.
	want := "a used 90 % of its time: 3 moves, 1 late by up to 0.5 ms\n" +
		"b used 53 % of its time: 4 moves, 0 late, the closest 10.0 ms before its limit\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// Choices count where they are charged to the clock: those by a command, of the engine that was asked.
func TestTimeUseOfChoices(t *testing.T) {
	c := &chosen{First: "a", Time: []float64{10, 20, 30}, Asked: []string{"a", "b", "b"}}
	old := &chosen{First: "a", Time: []float64{10, 20, 30}}
	for _, tt := range []struct {
		choose string
		c      *chosen
		want   [2]int
	}{{"", c, [2]int{1, 2}}, {byCommand, c, [2]int{1, 2}}, {bySearches, c, [2]int{}}, {"", old, [2]int{2, 1}}} {
		s := &settings{Games: 2, Rounds: 1, Opening: "swap2", Engines: []engine{{Name: "a", Choose: tt.choose}, {Name: "b", Choose: tt.choose}}}
		m := newMatch(s)
		m.games[1] = &gameRecord{Game: 1, Black: "b", White: "a", Chosen: tt.c}
		for i, want := range tt.want {
			if got := m.timeUse(i).moves; got != want {
				t.Errorf("choose %q: %s made %d choices, want %d", tt.choose, s.Engines[i].Name, got, want)
			}
		}
	}
}
