package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Lines of a dialogue that the page shows: the first ones and the last ones.
const (
	firstLines = 8
	lastLines  = 12
)

// WriteJSON writes the report as one object.
func (p *Report) WriteJSON(w io.Writer) error {
	raw, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(raw, '\n'))
	return err
}

// WriteText writes the report as a page, with the dialogue of what has not passed.
func (p *Report) WriteText(w io.Writer) error {
	var out bytes.Buffer
	if p.Engine != "" {
		fmt.Fprintln(&out, p.Engine)
	}
	fmt.Fprintf(&out, "%s on %s", p.Command, p.System)
	if p.Quick {
		out.WriteString(", short times")
	}
	out.WriteString("\n\n")
	wide := 0
	for _, result := range p.Results {
		wide = max(wide, len(result.title()))
	}
	for _, result := range p.Results {
		fmt.Fprintf(&out, "%s  %-*s  %s\n", result.Verdict, wide, result.title(), result.Text)
		writeDialogue(&out, result.Dialogue)
	}
	fmt.Fprintf(&out, "\n%d PASS, %d WARN, %d FAIL in %.0f s\n", p.Pass, p.Warn, p.Fail, p.Seconds)
	if ready := p.Ready(); len(ready) > 0 {
		fmt.Fprintf(&out, "Ready for %s.\n", strings.Join(ready, ", "))
	}
	_, err := w.Write(out.Bytes())
	return err
}

// title names a result.
func (r *Result) title() string { return r.Group + ": " + r.Name }

// Ready lists the leagues that were played without a failure in what concerns them, none if the engine
// fails in what concerns all.
func (p *Report) Ready() (names []string) {
	failed, played := map[string]bool{}, map[string]bool{}
	for _, result := range p.Results {
		name := result.Group
		if name == "archive" || name == "match" {
			name = result.Name
		}
		own := slices.Contains(p.Leagues, name)
		switch {
		case result.Verdict == Fail && !own:
			return nil
		case result.Verdict == Fail, result.Name == notPlayed:
			failed[name] = true
		}
		played[result.Group] = true
	}
	for _, name := range p.Leagues {
		if played[name] && !failed[name] {
			names = append(names, name)
		}
	}
	return names
}

// writeDialogue writes the beginning and the end of a dialogue, the lines of the manager after > and
// those of the engine after <.
func writeDialogue(out *bytes.Buffer, lines []Line) {
	signs := map[string]string{"manager": ">", "engine": "<", "stderr": "!", "note": "-"}
	for i, line := range lines {
		if len(lines) > firstLines+lastLines+1 && i >= firstLines && i < len(lines)-lastLines {
			if i == firstLines {
				fmt.Fprintf(out, "                 ... %d lines\n", len(lines)-firstLines-lastLines)
			}
			continue
		}
		fmt.Fprintf(out, "      %8.3f %s %s\n", line.At, signs[line.From], line.Text)
	}
}
