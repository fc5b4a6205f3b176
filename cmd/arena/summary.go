package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"tengen/cmd/internal/elo"
)

// writeSummary prints the result of a match in a fixed form that scripts can read.
func writeSummary(out io.Writer, m *match, r *result) error {
	w := &bytes.Buffer{}
	s := m.settings
	fmt.Fprintf(w, "match %s: %d", m.id(), r.Played)
	if !s.endless() {
		fmt.Fprintf(w, " of %d", r.Total)
	}
	fmt.Fprint(w, " games")
	if r.Beyond > 0 {
		fmt.Fprintf(w, ", %d after the verdict not counted", r.Beyond)
	}
	fmt.Fprintln(w)
	if r.Repeated > 0 {
		fmt.Fprintf(w, "pairs that repeat earlier ones move for move, not counted: %d; more openings or -symmetries make others\n", r.Repeated)
	}
	if len(s.Engines) == 2 {
		f, e := r.First, r.First.Estimate()
		fmt.Fprintf(w, "%s against %s: +%d -%d =%d\n", s.Engines[0].Name, s.Engines[1].Name, f.Wins, f.Losses, f.Draws)
		fmt.Fprintf(w, "pairs %s (0, 1/2, 1, 3/2, 2 points)\n", f.PairsString())
		fmt.Fprintf(w, "Elo %s +/- %s [%s, %s], normalised %s +/- %s\n", elo.Format(e.Elo, 2), elo.Format(e.EloError, 2),
			elo.Format(e.Low, 2), elo.Format(e.High, 2), elo.Format(e.NElo, 2), elo.Format(e.NEloError, 2))
		fmt.Fprintf(w, "LOS %.2f %%, draws %.2f %%\n", 100*e.LOS, 100*e.DrawRatio)
	} else {
		writeTable(w, r)
		writePairings(w, r)
	}
	if t := s.SPRT; t != nil {
		fmt.Fprintln(w, testLine(t, r))
	}
	for i, e := range r.Engines {
		if text := failures(e); text != "" {
			fmt.Fprintf(w, "%s lost %s\n", e.Name, text)
		}
		if g := e.First; g != nil {
			fmt.Fprintf(w, "  first in game %d, by %s: %s\n", g.Game, g.Reason, g.Detail)
			if text := s.Engines[i].remedy(g, s.Opening); text != "" {
				fmt.Fprintf(w, "  %s\n", text)
			}
		}
	}
	writeChoices(w, m)
	writeTimeUse(w, m)
	_, err := out.Write(w.Bytes())
	return err
}

// testLine tells the state of a test.
func testLine(t *elo.SPRT, r *result) string {
	unit := "Elo"
	if t.Normalised {
		unit = "normalised Elo"
	}
	lower, upper := t.Bounds()
	return fmt.Sprintf("SPRT [%g, %g] %s: LLR %.2f [%.2f, %.2f], %v", t.Elo0, t.Elo1, unit, r.LLR, lower, upper, r.Verdict)
}

// failures counts an engine's losses by time, crash, protocol and so on.
func failures(e standing) string {
	var words []string
	for _, reason := range append(slices.Clip(failureKinds), "adjudication") {
		if n := e.Failures[reason]; n > 0 {
			words = append(words, fmt.Sprintf("%d by %s", n, reason))
		}
	}
	return strings.Join(words, ", ")
}

// writeTable prints standings and crosstable for three engines and more. A cell has the
// points of the row's engine against the column's, and the number of their games.
func writeTable(w io.Writer, r *result) {
	order := r.ranked()
	wide := 4
	for _, e := range r.Engines {
		wide = max(wide, len([]rune(e.Name)))
	}
	fmt.Fprintf(w, "%4s  %-*s %8s %6s %7s %6s %6s %6s %6s", "rank", wide, "name", "Elo", "+/-", "points", "games", "win", "loss", "draw")
	for k := range order {
		fmt.Fprintf(w, " %10d", k+1)
	}
	fmt.Fprintln(w)
	for k, i := range order {
		e := r.Engines[i]
		fmt.Fprintf(w, "%4d  %-*s %8s %6s %7s %6d %6d %6d %6d", k+1, wide, e.Name, elo.Format(e.Rating.Elo, 1), elo.Format(e.Rating.Error, 1),
			points(e.Score), e.Score.Games(), e.Score.Wins, e.Score.Losses, e.Score.Draws)
		for _, j := range order {
			cell := "-"
			if c := r.Cross[i][j]; c.Games() > 0 {
				cell = fmt.Sprintf("%s/%d", points(c), c.Games())
			}
			fmt.Fprintf(w, " %10s", cell)
		}
		fmt.Fprintln(w)
	}
}

// writePairings prints a line for each two engines that met, the one of the higher rank first.
func writePairings(w io.Writer, r *result) {
	order := r.ranked()
	for k, i := range order {
		for _, j := range order[k+1:] {
			c := r.Cross[i][j]
			if c.Games() == 0 {
				continue
			}
			e := c.Estimate()
			fmt.Fprintf(w, "%s against %s: +%d -%d =%d, pairs %s, Elo %s +/- %s [%s, %s]\n", r.Engines[i].Name, r.Engines[j].Name,
				c.Wins, c.Losses, c.Draws, c.PairsString(),
				elo.Format(e.Elo, 1), elo.Format(e.EloError, 1), elo.Format(e.Low, 1), elo.Format(e.High, 1))
		}
	}
}

func points(s elo.Score) string { return fmt.Sprintf("%g", s.Points()) }
