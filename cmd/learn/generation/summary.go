package generation

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
)

// readLosses finds in what the trainer tells the loss of the tables it began with and
// of those it made.
func readLosses(log []byte) (*losses, error) {
	l := &losses{}
	for line := range strings.Lines(string(log)) {
		line = strings.TrimSpace(line)
		var x float64
		switch {
		case strings.HasPrefix(line, "values epoch   0 ") && l.Before == 0:
			_, rest, _ := strings.Cut(line, "validation ")
			fmt.Sscan(rest, &l.Before)
		case strings.HasPrefix(line, "rounded: values "):
			if n, _ := fmt.Sscanf(line, "rounded: values %f", &x); n == 1 {
				l.After = x
			}
		case strings.Contains(line, " games (") && strings.Contains(line, " teach values"):
			_, rest, _ := strings.Cut(line, ": ")
			l.Samples, _, _ = strings.Cut(rest, ";")
		}
	}
	if l.Before == 0 || l.After == 0 {
		return nil, fmt.Errorf("the trainer has told no losses: was it changed?")
	}
	return l, nil
}

// readResult reads the summary of a match.
func readResult(text string) (*result, error) {
	r, found := &result{}, 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "match "):
			_, rest, _ := strings.Cut(line, ": ")
			n, _ := fmt.Sscan(rest, &r.Played)
			found += n
		case strings.HasPrefix(line, "new against old: "):
			n, _ := fmt.Sscanf(line, "new against old: +%d -%d =%d", &r.Wins, &r.Losses, &r.Draws)
			found += n
		case strings.HasPrefix(line, "Elo "):
			r.Elo, _, _ = strings.Cut(line, ", normalised")
			found++
		case strings.Contains(line, " lost "):
			r.Forfeits = append(r.Forfeits, line)
		}
	}
	if found != 5 {
		return nil, fmt.Errorf("arena has told no result: was it changed?")
	}
	return r, nil
}

// summary tells what came of generation n.
func (r *generator) summary(out io.Writer, n int, g *generation) error {
	w := &bytes.Buffer{}
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "  %-9s %s\n", what, fmt.Sprintf(format, args...))
	}
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)).Round(time.Second) }
	path := func(ending string) string { return filepath.Join(r.dir, r.name(n, ending)) }
	old := map[string]string{"default": "the engine's own", "hand": "set by hand", "zero": "zeros"}[r.start]
	switch {
	case n > 0:
		old = r.name(n-1, "tab")
	case old == "":
		old = r.start
	}
	m := g.Result
	fmt.Fprintf(w, "generation %d of %s on %dx%d, %d nodes a move\n", n+1, ruleNames[r.rule], r.size, r.size, r.nodes)
	line("games", "%d in %v: %d positions, %.0f an hour", g.Games, seconds(g.Play), g.Positions, float64(g.Positions)/max(g.Play, 1e-3)*3600)
	line("training", "%v: loss in validation %.5f before, %.5f after; %s", seconds(g.Train), g.Losses.Before, g.Losses.After, g.Losses.Samples)
	line("match", "%d of %d games in %v, new against old (%s): +%d -%d =%d, %s", m.Played, g.Planned, seconds(g.Match), old, m.Wins, m.Losses, m.Draws, m.Elo)
	for _, f := range m.Forfeits {
		line("forfeits", "%s", f)
	}
	line("tables", "%s; losses %s, games of the match %s", path("tab"), path("svg"), path("jsonl"))
	line("try them", "%s -tables %s", filepath.Join(r.dir, filepath.FromSlash(program("pbrain-tengen"))), path("tab"))
	line("build in", "cp %s brain/eval/tables/%s.tab, then build as ever", path("tab"), ruleNames[r.rule])
	_, err := out.Write(w.Bytes())
	return err
}
