// Package progress shows the progress of a long run in one line, which is rewritten in
// place on a terminal and printed from time to time elsewhere.
package progress

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	defaultColumns = 80 // of a terminal, unless COLUMNS says otherwise
	rewriteEvery   = 200 * time.Millisecond
	printEvery     = 30 * time.Second // where it is no terminal
	maxShare       = 20               // showing the line takes at most 1/maxShare of the time
)

// A Line is the progress of one run. It is not safe for concurrent use. Of a nil Line, which
// quiet runs have, Due and Terminal are false, and Show, Step, Write and End do nothing.
type Line struct {
	out      io.Writer
	terminal bool
	columns  int
	every    time.Duration // least time between two lines

	Ends time.Time // when time ends the run, zero if it does not

	began time.Time
	asked time.Time // when Due was called before Show
	next  time.Time // when the line is due again
	text  string    // now on the terminal
}

// New returns a line that is shown on out, at most five times a second on a terminal, else at
// most twice a minute. It returns nil if quiet is set.
func New(out io.Writer, quiet bool) *Line {
	if quiet {
		return nil
	}
	l := &Line{out: out, every: printEvery, columns: defaultColumns, began: time.Now()}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 1 {
		l.columns = n
	}
	if f, ok := out.(*os.File); ok && IsTerminal(f) {
		l.terminal, l.every = true, rewriteEvery
	}
	return l
}

// IsTerminal reports whether f is a character device other than the null device.
func IsTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// Terminal reports whether the line is rewritten in place.
func (l *Line) Terminal() bool { return l != nil && l.terminal }

// Due reports whether it is time to call Show again. The last line of a run is always due.
func (l *Line) Due(last bool) bool {
	if l == nil {
		return false
	}
	l.asked = time.Now()
	return last || !l.asked.Before(l.next)
}

// Step shows, if the line is due, that done of goal things are done, here of them since New:
// the count, the words, the estimated remaining time and the speed. goal is 0 if there is
// none.
func (l *Line) Step(what string, done, goal, here int, words ...string) {
	if l.Due(done == goal) {
		words = append([]string{Count(done, goal, what)}, words...)
		l.Show(append(words, l.ToGo(here, float64(goal-done)), l.Rate(here, what))...)
	}
}

// Show shows the words that are not empty, most important first. On a terminal it omits the
// words that do not fit.
func (l *Line) Show(words ...string) {
	if l == nil {
		return
	}
	words = slices.DeleteFunc(slices.Clone(words), func(s string) bool { return s == "" })
	if !l.terminal {
		fmt.Fprintln(l.out, strings.Join(words, " | "))
	} else {
		old := utf8.RuneCountInString(l.text)
		// The last column stays free: some terminals wrap as soon as it is written.
		l.text = fit(words, l.columns-1)
		fmt.Fprint(l.out, "\r"+l.text+strings.Repeat(" ", max(old-utf8.RuneCountInString(l.text), 0)))
	}
	now, cost := time.Now(), time.Duration(0)
	if !l.asked.IsZero() {
		cost, l.asked = now.Sub(l.asked), time.Time{}
	}
	l.next = now.Add(max(l.every, maxShare*cost))
}

// fit joins as many words as fit into width columns, and cuts the first if it is too wide.
func fit(words []string, width int) string {
	for n := len(words); n > 1; n-- {
		if s := strings.Join(words[:n], " | "); utf8.RuneCountInString(s) <= width {
			return s
		}
	}
	first := []rune(strings.Join(words[:min(1, len(words))], ""))
	return string(first[:min(len(first), width)])
}

// Write prints other output above the line. It makes Line an io.Writer for messages; each
// call has to end with a newline.
func (l *Line) Write(b []byte) (int, error) {
	if l == nil {
		return len(b), nil
	}
	if l.text == "" {
		return l.out.Write(b)
	}
	blank := strings.Repeat(" ", utf8.RuneCountInString(l.text))
	if _, err := io.WriteString(l.out, "\r"+blank+"\r"+string(b)+l.text); err != nil {
		return 0, err
	}
	return len(b), nil
}

// End leaves the cursor of a terminal on a new line.
func (l *Line) End() {
	if l != nil && l.text != "" {
		fmt.Fprintln(l.out)
		l.text = ""
	}
}

// Count formats "12/20 games", or "12 games" if goal is 0.
func Count(done, goal int, what string) string {
	if goal == 0 {
		return fmt.Sprintf("%d %s", done, what)
	}
	return fmt.Sprintf("%d/%d %s", done, goal, what)
}

// Rate formats the speed at done things since New, such as "120 games/h", or "" if it is not
// known yet.
func (l *Line) Rate(done int, what string) string {
	if done == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f %s/h", l.perHour(done), what)
}

func (l *Line) perHour(done int) float64 {
	return float64(done) / max(time.Since(l.began), time.Millisecond).Hours()
}

// ToGo formats the remaining time for left things at the speed of done since New, at most
// until Ends, such as "to go 2m05s", or "" if nothing is left or the time is not known yet. A
// negative left is not known.
func (l *Line) ToGo(done int, left float64) string {
	if left == 0 {
		return ""
	}
	var d time.Duration
	if done > 0 && left > 0 {
		d = time.Duration(min(left/l.perHour(done)*float64(time.Hour), 1e18))
	}
	if until := time.Until(l.Ends); !l.Ends.IsZero() && (d == 0 || until < d) {
		d = until
	}
	if d <= 0 {
		return ""
	}
	return "to go " + Span(d)
}

// Span formats a duration in at most two units: "38s", "2m05s", "3h12m"; "long" for more than
// a thousand hours.
func Span(d time.Duration) string {
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
