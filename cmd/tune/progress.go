package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"tengen/cmd/internal/longrun"
)

// A progress tells people how a run goes: a few lines that are rewritten on a terminal,
// else one line now and then. Not safe for concurrent use. A nil one is silent.
type progress struct {
	out      io.Writer
	terminal bool
	every    time.Duration // least time between two showings
	now      func() time.Time
	total    int // pairs of this process

	began time.Time
	done  int // pairs
	last  time.Time
	lines int // on the terminal
}

func newProgress(f *os.File, total int) *progress {
	p := &progress{out: f, terminal: longrun.IsTerminal(f), every: 30 * time.Second, now: time.Now, total: total}
	if p.terminal {
		p.every = 200 * time.Millisecond
	}
	p.began = p.now()
	return p
}

// pair is told of every pair that was played; before gives the words that come first,
// after those that come last.
func (p *progress) pair(before, after func() []string) {
	if p == nil {
		return
	}
	p.done++
	now := p.now()
	if now.Sub(p.last) < p.every && p.done < p.total {
		return
	}
	p.last = now
	words := before()
	if spent := now.Sub(p.began); spent > 0 {
		hourly := float64(p.done) / spent.Hours()
		words = append(words, fmt.Sprintf("%.0f pairs/h", hourly))
		if left := p.total - p.done; left > 0 {
			words = append(words, "to go "+span(time.Duration(float64(left)/hourly*float64(time.Hour))))
		}
	}
	p.show(append(words, after()...))
}

func (p *progress) show(words []string) {
	if !p.terminal {
		fmt.Fprintln(p.out, strings.Join(words, " | "))
		return
	}
	lines := wrap(words, 78)
	if p.lines > 0 {
		fmt.Fprintf(p.out, "\x1b[%dA\x1b[J", p.lines) // back to the first line, all below erased
	}
	fmt.Fprintln(p.out, strings.Join(lines, "\n"))
	p.lines = len(lines)
}

// wrap puts words on lines of at most so many columns.
func wrap(words []string, columns int) []string {
	var lines []string
	for _, w := range words {
		last := len(lines) - 1
		if last >= 0 && len(lines[last])+3+len(w) <= columns {
			lines[last] += " | " + w
		} else {
			lines = append(lines, w)
		}
	}
	return lines
}

// span writes a duration without needless digits.
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
