package main

import (
	"fmt"

	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/progress"
)

// showProgress shows the standing of the match. The caller holds the tournament's lock.
func (t *tournament) showProgress() {
	if t.progress.Due(len(t.match.games) >= t.goal) {
		t.progress.Show(progressWords(t.match, t.match.sum(), t.progress, t.finished, t.goal)...)
	}
}

// progressWords returns the words of the progress line, most important first. finished is
// the number of games that this process played, goal that of all games, those of earlier
// processes included.
func progressWords(m *match, r *result, line *progress.Line, finished, goal int) []string {
	left := gamesLeft(m, r, goal)
	if m.settings.endless() {
		goal = 0
	}
	words := []string{progress.Count(r.Played, goal, "games")}
	if r.Played == 0 {
		return words
	}
	if len(r.Engines) == 2 {
		words = append(words, r.First.String())
	} else {
		words = append(words, leaders(r)...)
	}
	if t := m.settings.SPRT; t != nil {
		lower, upper := t.Bounds()
		words = append(words, fmt.Sprintf("LLR %.2f [%.2f, %.2f]", r.LLR, lower, upper))
	}
	return append(words, line.ToGo(finished, left), line.Rate(finished, "games"))
}

// gamesLeft estimates how many games remain: fewer than scheduled if a test will decide
// before at the present rate of its likelihood ratio.
func gamesLeft(m *match, r *result, goal int) float64 {
	if r.Verdict != elo.Undecided {
		return 0
	}
	left := float64(goal - r.Played)
	if t := m.settings.SPRT; t != nil && r.LLR != 0 {
		bound, upper := t.Bounds()
		if r.LLR > 0 {
			bound = upper
		}
		left = min(left, float64(r.Played)*(bound/r.LLR-1))
	}
	return left
}

// leaders returns the standing of the first engine and, if it is another, of the best.
func leaders(r *result) []string {
	e, best := r.Engines[0], r.ranked()[0]
	s := e.Score
	words := []string{fmt.Sprintf("%s %d-%d-%d Elo %+.0f ±%.0f", shorten(e.Name), s.Wins, s.Losses, s.Draws, e.Rating.Elo, e.Rating.Error)}
	if best != 0 {
		e := r.Engines[best]
		words = append(words, fmt.Sprintf("best %s %+.0f ±%.0f", shorten(e.Name), e.Rating.Elo, e.Rating.Error))
	}
	return words
}

// shorten returns a name, cut if it would fill the line.
func shorten(name string) string {
	const most = 20 // characters
	if r := []rune(name); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return name
}
