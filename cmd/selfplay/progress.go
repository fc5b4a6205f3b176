package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"tengen/cmd/internal/longrun"
)

// A progress tells people how a run goes: one line that is rewritten on a terminal, else
// a line a minute.
type progress struct {
	out      io.Writer
	terminal bool
	columns  func() int // of the terminal, 0 if it does not say
	what     string     // is made
	goal     int        // endless if only until ends it
	done     int        // of goal, those of earlier runs included

	began     time.Time
	until     time.Time // when time ends the run, or zero
	here      int       // made by this run
	positions int       // made by this run
	last      time.Time
	width     int // of the line on the terminal
}

func newProgress(f *os.File, what string, goal, done int) *progress {
	columns := func() int { return longrun.Columns(f) }
	return &progress{out: f, terminal: longrun.IsTerminal(f), columns: columns, what: what, goal: goal, done: done, began: time.Now()}
}

// finished is told of n more, with so many positions.
func (p *progress) finished(n, positions int, now time.Time) {
	p.done += n
	p.here += n
	p.positions += positions
	every := time.Minute
	if p.terminal {
		every = time.Second / 4
	}
	if now.Sub(p.last) < every && p.done < p.goal {
		return
	}
	p.last = now
	line := p.line(now)
	if !p.terminal {
		fmt.Fprintln(p.out, line)
		return
	}
	if n := p.columns(); n > 0 && len(line) >= n {
		line = line[:n-1] // a line that wraps could not be written over
	}
	pad := max(p.width-len(line), 0)
	p.width = len(line)
	fmt.Fprint(p.out, "\r"+line+strings.Repeat(" ", pad))
}

// line tells what is done, for how long it will go on, and how fast: what may be cut off
// on a narrow terminal comes last.
func (p *progress) line(now time.Time) string {
	spent := now.Sub(p.began)
	hours := max(spent, time.Millisecond).Hours()
	rate := func(n int) string { return fmt.Sprintf("%.0f", float64(n)/hours) }
	line := fmt.Sprintf("%d of %d %s, ", p.done, p.goal, p.what)
	if p.goal == endless {
		line = fmt.Sprintf("%d %s, ", p.done, p.what)
	}
	if p.done < p.goal && p.here > 0 {
		left := p.until.Sub(now)
		if games := float64(spent) / float64(p.here) * float64(p.goal-p.done); p.until.IsZero() || games < float64(left) {
			left = time.Duration(games)
		}
		line += left.Round(time.Second).String() + " to go, "
	} else {
		line += spent.Round(time.Second).String() + " spent, "
	}
	if p.positions == 0 {
		return line + rate(p.here) + " an hour"
	}
	return line + fmt.Sprintf("%s %s and %s positions an hour, %d positions", rate(p.here), p.what, rate(p.positions), p.positions)
}

// end leaves the terminal on a fresh line.
func (p *progress) end() {
	if p.terminal && p.width > 0 {
		fmt.Fprintln(p.out)
		p.width = 0
	}
}
