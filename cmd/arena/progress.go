package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"tengen/cmd/internal/longrun"
)

// A progress tells people how a tournament goes: one line that is rewritten on a
// terminal and never wider than it, else a line now and then. It is called under the
// tournament's lock.
type progress struct {
	out      io.Writer
	terminal bool
	columns  func() int    // of the terminal, 0 if it does not say
	every    time.Duration // least time between two lines
	match    *match
	goal     int // games of this run and shard, those of earlier runs included
	now      func() time.Time

	began time.Time
	done  int // games this run finished
	next  time.Time
	text  string // the line on the terminal
}

// defaultColumns is what a terminal is taken for that does not say.
const defaultColumns = 80

func newProgress(f *os.File, m *match, goal int) *progress {
	p := &progress{out: f, terminal: longrun.IsTerminal(f), every: 5 * time.Second, match: m, goal: goal, now: time.Now}
	p.columns = func() int { return longrun.Columns(f) }
	if p.terminal {
		p.every = 200 * time.Millisecond
	}
	p.began = p.now()
	return p
}

// begin shows on a terminal where an earlier run stopped: the first game may take long.
func (p *progress) begin() {
	if p.terminal {
		p.show(p.words(p.match.sum(), p.now()))
	}
}

// finished is told of every game.
func (p *progress) finished(*gameRecord) {
	p.done++
	now := p.now()
	if now.Before(p.next) && len(p.match.games) < p.goal {
		return
	}
	p.show(p.words(p.match.sum(), now))
	// Counting a long match takes a while; it shall not take more than a twentieth of ours.
	p.next = now.Add(max(p.every, 20*p.now().Sub(now)))
}

func (p *progress) show(words []word) {
	if !p.terminal {
		fmt.Fprintln(p.out, join(words, " | ", false))
		return
	}
	width := p.columns()
	if width <= 0 {
		width = defaultColumns
	}
	// The last column stays free, where some terminals go on to the next line.
	text := fit(words, max(width-1, 1))
	pad := max(utf8.RuneCountInString(p.text)-utf8.RuneCountInString(text), 0)
	if utf8.RuneCountInString(p.text) >= width {
		pad = 0 // it has become narrower, what was there has wrapped
	}
	p.text = text
	fmt.Fprint(p.out, "\r"+text+strings.Repeat(" ", pad))
}

// end leaves the terminal on a fresh line.
func (p *progress) end() {
	if p.text != "" {
		fmt.Fprintln(p.out)
		p.text = ""
	}
}

// Write lets a line of chatter pass above the line of progress.
func (p *progress) Write(b []byte) (int, error) {
	if p.text == "" {
		return p.out.Write(b)
	}
	line := "\r" + strings.Repeat(" ", utf8.RuneCountInString(p.text)) + "\r" + string(b) + p.text
	if _, err := io.WriteString(p.out, line); err != nil {
		return 0, err
	}
	return len(b), nil
}

// A word is one piece of the line, as long as one likes it and as short as it can be.
type word struct {
	long, short string
	spare       bool // may be left out where there is no room
}

func join(words []word, between string, short bool) string {
	var parts []string
	for _, w := range words {
		if short {
			parts = append(parts, w.short)
		} else {
			parts = append(parts, w.long)
		}
	}
	return strings.Join(parts, between)
}

// fit writes the words into at most width columns: in full, else in short, else without
// what can be spared, the last first, else cut off.
func fit(words []word, width int) string {
	room := func(s string) bool { return utf8.RuneCountInString(s) <= width }
	if s := join(words, " | ", false); room(s) {
		return s
	}
	for i := len(words); ; i-- {
		s := join(words, "  ", true)
		if !room(s) {
			s = join(words, " ", true)
		}
		if room(s) {
			return s
		}
		for i > 0 && !words[i-1].spare {
			i--
		}
		if i == 0 {
			return string([]rune(s)[:width])
		}
		words = append(words[:i-1:i-1], words[i:]...)
	}
}

// words tells how the match stands.
func (p *progress) words(r *result, now time.Time) []word {
	games := fmt.Sprintf("%d/%d", r.Played, p.goal)
	words := []word{{long: games, short: games}}
	if p.match.settings.endless() {
		games = fmt.Sprint(r.Played)
		words = []word{{long: games + " games", short: games}}
	}
	if r.Counted == 0 {
		return words
	}
	if len(r.Engines) == 2 {
		s := fmt.Sprintf("%d-%d-%d", r.First.Wins, r.First.Losses, r.First.Draws)
		words = append(words, word{long: s, short: s}, eloWord(r.Est))
	} else {
		words = append(words, leaders(r)...)
	}
	if t := p.match.settings.SPRT; t != nil {
		lower, upper := t.bounds()
		words = append(words, word{
			long:  fmt.Sprintf("LLR %.2f [%.2f, %.2f]", r.LLR, lower, upper),
			short: fmt.Sprintf("LLR %.2f[%.2f,%.2f]", r.LLR, lower, upper),
		})
	}
	if spent := now.Sub(p.began); p.done > 0 && spent > 0 {
		hourly := float64(p.done) / spent.Hours()
		words = append(words, word{fmt.Sprintf("%.0f games/h", hourly), fmt.Sprintf("%.0f/h", hourly), true})
		if left, guess := p.left(r); left > 0 {
			text := span(time.Duration(min(left/hourly*float64(time.Hour), 1e18)))
			if guess {
				text = "~" + text
			}
			words = append(words, word{"to go " + text, text, false})
		}
	}
	return words
}

// left tells how many games are still to be played; a test that moves as it did so far
// may end before the schedule does.
func (p *progress) left(r *result) (games float64, guess bool) {
	if r.Verdict != goOn {
		return 0, false
	}
	games = float64(p.goal - r.Played)
	if t := p.match.settings.SPRT; t != nil && r.LLR != 0 {
		lower, upper := t.bounds()
		bound := upper
		if r.LLR < 0 {
			bound = lower
		}
		if more := float64(r.Played) * (bound/r.LLR - 1); more < games {
			return more, true
		}
	}
	return games, false
}

// leaders names the first engine, on whose account tournaments are played, and the best.
func leaders(r *result) []word {
	best := r.ranked()[0]
	e := r.Engines[0]
	record := fmt.Sprintf(" %d-%d-%d", e.Score.Wins, e.Score.Losses, e.Score.Draws)
	elo := fmt.Sprintf(" %+.0f ±%.0f", e.Rating.Elo, e.Rating.Error)
	words := []word{{
		long:  shorten(e.Name, 24) + record + " Elo" + elo,
		short: shorten(e.Name, 12) + record + elo,
	}}
	if best != 0 {
		e := r.Engines[best]
		elo := fmt.Sprintf(" %+.0f ±%.0f", e.Rating.Elo, e.Rating.Error)
		words = append(words, word{"best " + shorten(e.Name, 24) + elo, shorten(e.Name, 12) + elo, true})
	}
	return words
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

// eloWord gives the difference and its interval, by both ends where one lies at infinity.
func eloWord(e estimate) word {
	if math.IsInf(e.EloError, 0) {
		return word{
			long:  fmt.Sprintf("Elo %s [%s, %s]", number(e.Elo, 1), number(e.Low, 1), number(e.High, 1)),
			short: fmt.Sprintf("Elo %s[%s,%s]", number(e.Elo, 0), number(e.Low, 0), number(e.High, 0)),
		}
	}
	return word{
		long:  fmt.Sprintf("Elo %s ±%s", number(e.Elo, 1), number(e.EloError, 1)),
		short: fmt.Sprintf("Elo %s±%s", number(e.Elo, 0), number(e.EloError, 0)),
	}
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
	s := fmt.Sprintf("%.*f", digits, x)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-") // a zero has no sign
	}
	return s
}
