package main

import (
	"fmt"
	"math"
	"time"

	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/progress"
)

// progressEvery is the least time between two lines of progress in a file.
const progressEvery = 5 * time.Second

// showProgress shows how the match stands. It is called under the tournament's lock.
func (t *tournament) showProgress() {
	if t.progress.Due(len(t.match.games) >= t.goal) {
		t.progress.Show(progressWords(t.match, t.match.sum(), t.progress, t.finished, t.goal)...)
	}
}

// progressWords returns the words of the line of progress, most important first: finished
// games were played by this run, goal counts all games to be played, those of earlier runs
// included.
func progressWords(m *match, r *result, line *progress.Line, finished, goal int) []string {
	words := []string{fmt.Sprintf("%d/%d", r.Played, goal)}
	if m.settings.endless() {
		words[0] = fmt.Sprintf("%d games", r.Played)
	}
	if r.Played == 0 {
		return words
	}
	if len(r.Engines) == 2 {
		s := r.First
		words = append(words, fmt.Sprintf("%d-%d-%d", s.Wins, s.Losses, s.Draws), "Elo "+eloWord(r.Est))
	} else {
		words = append(words, leaders(r)...)
	}
	if t := m.settings.SPRT; t != nil {
		lower, upper := t.Bounds()
		words = append(words, fmt.Sprintf("LLR %.2f [%.2f, %.2f]", r.LLR, lower, upper))
	}
	left, guess := gamesLeft(m, r, goal)
	if d := line.ToGo(finished, left); d > 0 {
		words = append(words, "to go "+guess+progress.Span(d))
	}
	if finished > 0 {
		words = append(words, fmt.Sprintf("%.0f games/h", line.PerHour(finished)))
	}
	return words
}

// gamesLeft returns how many games are still to be played. A test whose likelihood ratio
// keeps its rate may end before the schedule does; guess is then "~".
func gamesLeft(m *match, r *result, goal int) (left float64, guess string) {
	if r.Verdict != elo.Undecided {
		return 0, ""
	}
	left = float64(goal - r.Played)
	if t := m.settings.SPRT; t != nil && r.LLR != 0 {
		bound, upper := t.Bounds()
		if r.LLR > 0 {
			bound = upper
		}
		if more := float64(r.Played) * (bound/r.LLR - 1); more < left {
			return more, "~"
		}
	}
	return left, ""
}

// leaders returns the standing of the first engine and, if it is another, of the best.
func leaders(r *result) []string {
	e, best := r.Engines[0], r.ranked()[0]
	s := e.Score
	words := []string{fmt.Sprintf("%s %d-%d-%d Elo %+.0f ±%.0f", shorten(e.Name, 20), s.Wins, s.Losses, s.Draws, e.Rating.Elo, e.Rating.Error)}
	if best != 0 {
		e := r.Engines[best]
		words = append(words, fmt.Sprintf("best %s %+.0f ±%.0f", shorten(e.Name, 20), e.Rating.Elo, e.Rating.Error))
	}
	return words
}

// eloWord writes a difference with its error, or with its interval if that is infinite.
func eloWord(e elo.Estimate) string {
	if math.IsInf(e.EloError, 0) {
		return fmt.Sprintf("%s [%s, %s]", elo.Format(e.Elo, 1), elo.Format(e.Low, 1), elo.Format(e.High, 1))
	}
	return fmt.Sprintf("%s ±%s", elo.Format(e.Elo, 1), elo.Format(e.EloError, 1))
}
