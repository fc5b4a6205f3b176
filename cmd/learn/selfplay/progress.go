package selfplay

import (
	"fmt"
	"io"
	"time"

	"tengen/cmd/internal/progress"
)

// line returns a line of progress, nil to be quiet.
func line(out io.Writer, quiet bool) *progress.Line {
	if quiet {
		return nil
	}
	return progress.New(out, time.Minute)
}

// A counter counts what is made and shows it.
type counter struct {
	line *progress.Line
	what string // is made
	goal int    // Endless if only the time ends it
	done int    // of goal, those of earlier runs included

	until     time.Time // when time ends the run, or zero
	here      int       // made by this run
	positions int       // made by this run
}

// finished counts one more, with so many positions.
func (c *counter) finished(positions int) {
	c.done++
	c.here++
	c.positions += positions
	if !c.line.Due(c.done == c.goal) {
		return
	}
	words := []string{fmt.Sprintf("%d/%d %s", c.done, c.goal, c.what)}
	if c.goal == Endless {
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
