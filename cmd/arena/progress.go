package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"
)

// A progress tells people how a tournament goes: one line that is rewritten on a
// terminal, else a line now and then. It is called under the tournament's lock.
type progress struct {
	out      io.Writer
	terminal bool
	every    time.Duration // least time between two lines
	match    *match
	goal     int // games of this run and shard, those of earlier runs included
	now      func() time.Time

	began time.Time
	done  int // games this run finished
	last  time.Time
	width int // of the line on the terminal
}

func newProgress(f *os.File, m *match, goal int) *progress {
	p := &progress{out: f, terminal: isTerminal(f), every: 5 * time.Second, match: m, goal: goal, now: time.Now}
	if p.terminal {
		p.every = 200 * time.Millisecond
	}
	p.began = p.now()
	return p
}

// isTerminal reports whether f is a character device other than the null device.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// finished is told of every game.
func (p *progress) finished(*gameRecord) {
	p.done++
	now := p.now()
	if now.Sub(p.last) < p.every && len(p.match.games) < p.goal {
		return
	}
	p.last = now
	p.show(p.line(p.match.sum(), now))
}

func (p *progress) show(line string) {
	if !p.terminal {
		fmt.Fprintln(p.out, line)
		return
	}
	pad := max(p.width-len(line), 0)
	p.width = len(line)
	fmt.Fprint(p.out, "\r"+line+strings.Repeat(" ", pad))
}

// end leaves the terminal on a fresh line.
func (p *progress) end() {
	if p.terminal && p.width > 0 {
		fmt.Fprintln(p.out)
		p.width = 0
	}
}

// Write lets chatter pass without breaking the line.
func (p *progress) Write(b []byte) (int, error) {
	if p.terminal && p.width > 0 {
		fmt.Fprint(p.out, "\r"+strings.Repeat(" ", p.width)+"\r")
		p.width = 0
	}
	return p.out.Write(b)
}

func (p *progress) line(r *result, now time.Time) string {
	words := []string{fmt.Sprintf("%d/%d", r.Played, p.goal)}
	if len(r.Engines) == 2 {
		words = append(words, fmt.Sprintf("%d-%d-%d", r.First.Wins, r.First.Losses, r.First.Draws), eloText(r.Est))
	} else {
		best := 0
		for i := range r.Engines {
			if r.Engines[i].Rating.Elo > r.Engines[best].Rating.Elo {
				best = i
			}
		}
		e := r.Engines[0]
		words = append(words, fmt.Sprintf("%s %d-%d-%d %+.0f", e.Name, e.Score.Wins, e.Score.Losses, e.Score.Draws, e.Rating.Elo),
			fmt.Sprintf("first %s %+.0f ±%.0f", r.Engines[best].Name, r.Engines[best].Rating.Elo, r.Engines[best].Rating.Error))
	}
	if t := p.match.settings.SPRT; t != nil {
		lower, upper := t.bounds()
		words = append(words, fmt.Sprintf("LLR %.2f [%.2f, %.2f]", r.LLR, lower, upper))
	}
	if spent := now.Sub(p.began); p.done > 0 && spent > 0 {
		hourly := float64(p.done) / spent.Hours()
		words = append(words, fmt.Sprintf("%.0f games/h", hourly))
		if left := p.goal - r.Played; left > 0 {
			words = append(words, "to go "+span(time.Duration(float64(left)/hourly*float64(time.Hour))))
		}
	}
	return strings.Join(words, " | ")
}

// span writes a duration as people do, without needless digits.
func span(d time.Duration) string {
	switch {
	case d > 1000*time.Hour:
		return "long"
	case d >= time.Hour:
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	case d >= time.Minute:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%ds", int(d.Seconds()))
}

func eloText(e estimate) string {
	return fmt.Sprintf("Elo %s ±%s", number(e.Elo, 1), number(e.EloError, 1))
}

// number writes a float that may be infinite.
func number(x float64, digits int) string {
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	case math.IsNaN(x):
		return "?"
	}
	return fmt.Sprintf("%.*f", digits, x)
}
