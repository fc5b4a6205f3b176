package main

import (
	"fmt"
	"io"
	"time"

	"tengen/brain/opening"
)

// A timeUse is how an engine used its time in the moves it played. A move for which it lost
// the game is not one of them: it came later than the tolerance allows.
type timeUse struct {
	moves   int
	late    int           // after the limit, within the tolerance
	latest  time.Duration // after the limit; negative before it
	used    time.Duration
	allowed time.Duration // limits of the moves, or of the games with their increments
}

// timeUse returns how an engine, by its place in the settings, used its time in all games.
func (m *match) timeUse(place int) timeUse {
	e := &m.settings.Engines[place]
	u := timeUse{latest: -1 << 62}
	rule, _ := opening.Parse(m.settings.Opening) // Free for none
	charged := rule != opening.Free && e.chooses(rule) == byCommand
	for _, g := range m.games {
		if g.Black == e.Name {
			u.add(e, g, 0, charged)
		} else if g.White == e.Name {
			u.add(e, g, 1, charged)
		}
	}
	return u
}

// add adds the moves of a game that were played by the side, 0 for Black, and its choices in the opening if
// they are charged to the clock.
func (u *timeUse) add(e *engine, g *gameRecord, side int, charged bool) {
	left := e.TC.Match
	u.allowed += left
	var times []float64
	if c := g.Chosen; c != nil && charged {
		for i, ms := range c.Time {
			if c.by(e.Name, i) {
				times = append(times, ms)
			}
		}
	}
	for i, ms := range g.Time {
		if (g.Opening+i)%2 == side {
			times = append(times, ms)
		}
	}
	for _, ms := range times {
		took, limit := time.Duration(ms*float64(time.Millisecond)), e.turnLimit(left)
		u.moves++
		u.used += took
		u.latest = max(u.latest, took-limit)
		if took > limit {
			u.late++
		}
		left += e.TC.Increment - took
		u.allowed += e.TC.Increment
		if e.TC.Match == 0 {
			u.allowed += limit
		}
	}
}

// writeTimeUse prints a line for each engine that has a clock.
func writeTimeUse(w io.Writer, m *match) {
	for i := range m.settings.Engines {
		e := &m.settings.Engines[i]
		u := m.timeUse(i)
		if e.TC == (timeControl{}) || u.moves == 0 {
			continue
		}
		fmt.Fprintf(w, "%s used %.0f %% of its time: %d moves, %d late", e.Name, 100*u.used.Seconds()/u.allowed.Seconds(), u.moves, u.late)
		if u.late > 0 {
			fmt.Fprintf(w, " by up to %.1f ms", 1000*u.latest.Seconds())
		} else {
			fmt.Fprintf(w, ", the closest %.1f ms before its limit", -1000*u.latest.Seconds())
		}
		fmt.Fprintln(w)
	}
}
