package protocol

import (
	"time"

	"tengen/brain"
)

// A pace lets a few lines of a search a second through, those of a search for several lines
// by whole iterations. What comes too soon waits, in the place of what has waited before, until
// it is due.
type pace struct {
	last    time.Time    // when an iteration was shown; the zero time lets the first through at once
	open    bool         // the lines of the present iteration are shown as they come
	coming  []brain.Info // of the present iteration, if they wait
	waiting []brain.Info // of the newest iteration that has ended and was not shown
	stale   bool         // another move has become the best since then
}

// paceGap is the minimum between two iterations of a search for the given number of lines.
func paceGap(lines int) time.Duration {
	if lines > 1 {
		return batchGap
	}
	return messageGap
}

// admits reports whether the line is to be shown now. Otherwise it waits for release.
func (p *pace) admits(i brain.Info, now time.Time) bool {
	if i.Line == 0 {
		p.coming = nil
		if p.open = now.Sub(p.last) >= paceGap(i.Lines); p.open {
			p.last, p.waiting = now, nil
		}
	}
	if p.open {
		return true
	}
	if p.coming = append(p.coming, i); i.Line >= i.Lines-1 {
		p.waiting, p.coming, p.stale = p.coming, nil, false
	}
	return false
}

// wait returns how long it is until release has something to show, and whether it will.
func (p *pace) wait(now time.Time) (time.Duration, bool) {
	if len(p.waiting) == 0 {
		return 0, false
	}
	return max(p.last.Add(paceGap(p.waiting[0].Lines)).Sub(now), 0), true
}

// release returns the lines that have waited, which are to be shown now.
func (p *pace) release(now time.Time) []brain.Info {
	list := p.waiting
	p.last, p.waiting = now, nil
	return list
}
