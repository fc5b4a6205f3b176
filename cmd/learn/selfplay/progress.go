package selfplay

import (
	"fmt"
	"io"
	"time"

	"tengen/cmd/internal/progress"
)

// A counter tells people how a run goes.
type counter struct {
	line *progress.Line
	what string // is made
	goal int    // endless if only until ends it
	done int    // of goal, those of earlier runs included

	until     time.Time // when time ends the run, or zero
	here      int       // made by this run
	positions int       // made by this run
}

func newCounter(out io.Writer, quiet bool, what string, goal, done int) *counter {
	c := &counter{what: what, goal: goal, done: done}
	if !quiet {
		c.line = progress.New(out, time.Minute)
	}
	return c
}

// finished is told of one more, with so many positions.
func (c *counter) finished(positions int) {
	c.done++
	c.here++
	c.positions += positions
	if !c.line.Due(c.done == c.goal) {
		return
	}
	words := []string{fmt.Sprintf("%d/%d %s", c.done, c.goal, c.what)}
	if c.goal == endless {
		words[0] = fmt.Sprintf("%d %s", c.done, c.what)
	}
	left := c.line.ToGo(c.here, float64(c.goal-c.done))
	if !c.until.IsZero() {
		left = min(left, time.Until(c.until))
	}
	if left > 0 {
		words = append(words, "to go "+progress.Span(left))
	}
	words = append(words, fmt.Sprintf("%.0f %s/h", c.line.PerHour(c.here), c.what))
	if c.positions > 0 {
		words = append(words, fmt.Sprintf("%.0f positions/h", c.line.PerHour(c.positions)))
	}
	c.line.Show(words...)
}
