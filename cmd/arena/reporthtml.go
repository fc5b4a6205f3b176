package main

import (
	"fmt"
	"html"
	"strings"

	"tengen/cmd/internal/elo"
)

// The parts of the report in HTML. A markup is built by add, which escapes all that it is given; only
// its formats are HTML. Package html/template would do that too, but links so much that a program
// without an engine becomes half as large again.
type markup struct{ strings.Builder }

func (b *markup) add(format string, args ...any) {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = html.EscapeString(text)
		}
	}
	fmt.Fprintf(b, format, args...)
}

// facts are the result in big numbers, if the page has them.
func (p *page) facts() string {
	if len(p.Facts) == 0 {
		return ""
	}
	var b markup
	b.add("<section class=\"facts\" aria-label=\"Result\">\n")
	for _, f := range p.Facts {
		b.add("<div class=\"card\"><h2>%s</h2><p class=\"big\">%s</p><p class=\"note\">%s</p></div>\n", f.Name, f.Value, f.Note)
	}
	b.add("</section>\n")
	return b.String()
}

// test is the state of the sequential test, if there is one.
func (p *page) test() string {
	if p.Test == "" {
		return ""
	}
	var b markup
	b.add("<section>\n<h2>Sequential test</h2>\n<p class=\"note\">%s</p>\n</section>\n", p.Test)
	return b.String()
}

// standings are the rows of the engines, from the best on.
func (p *page) standings() string {
	var b markup
	b.add("<thead><tr><th>#</th><th class=\"left\">Engine</th>")
	if p.Cross {
		b.add("<th>Elo</th><th>95 %%</th>")
	}
	b.add("<th>Points</th><th>Share</th><th>Games</th><th>Won</th><th>Lost</th><th>Drawn</th>")
	for _, kind := range p.Failures {
		b.add("<th title=\"lost by %s\">%s</th>", kind, kind)
	}
	b.add("</tr></thead>\n<tbody>")
	for _, r := range p.Rows {
		b.add("\n<tr><td>%d</td><td class=\"left\"><strong>%s</strong><small>%s</small></td>", r.Rank, r.Name, r.Limits)
		if p.Cross {
			b.add("<td class=\"strong\">%s</td><td>± %.0f</td>", signed(r.Rating.Elo), r.Rating.Error)
		}
		b.add("<td>%s</td><td>%s</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td>", points(r.Score), r.Share, r.Score.Games(), r.Score.Wins, r.Score.Losses, r.Score.Draws)
		for _, kind := range p.Failures {
			if n := r.standing.Failures[kind]; n > 0 {
				b.add("<td class=\"fail\">%d</td>", n)
			} else {
				b.add("<td></td>")
			}
		}
		b.add("</tr>")
	}
	b.add("\n</tbody></table></div>\n")
	if len(p.Failures) > 0 {
		b.add("<p class=\"note\">The last columns count games lost by a failure of the program.</p>")
	}
	return b.String()
}

// crosstable is the score of each engine against each other, if there are more than two.
func (p *page) crosstable() string {
	if !p.Cross {
		return ""
	}
	var b markup
	b.add("<section>\n<h2>Crosstable</h2>\n<div class=\"scroll\"><table id=\"cross\">\n<thead><tr><th>#</th><th class=\"left\">Engine</th>")
	for _, r := range p.Rows {
		b.add("<th title=\"%s\">%d</th>", r.Name, r.Rank)
	}
	b.add("</tr></thead>\n<tbody>")
	for i, r := range p.Rows {
		b.add("\n<tr><td>%d</td><td class=\"left\"><strong>%s</strong></td>", r.Rank, r.Name)
		for j, score := range r.Against {
			switch {
			case i == j:
				b.add("<td class=\"self\"></td>")
			case score.Games() == 0:
				b.add("<td>–</td>")
			default:
				e := score.Estimate()
				b.add("<td class=\"%s\" title=\"%d won, %d lost, %d drawn; Elo %s, 95 %%%%: %s to %s\">%s<small>of %d</small></td>",
					better(score), score.Wins, score.Losses, score.Draws, signed(e.Elo), signed(e.Low), signed(e.High), points(score), score.Games())
			}
		}
		b.add("</tr>")
	}
	b.add("\n</tbody></table></div>\n</section>\n")
	return b.String()
}

// better is the class of a cell of the crosstable.
func better(s elo.Score) string {
	switch {
	case s.Wins > s.Losses:
		return "good"
	case s.Wins < s.Losses:
		return "bad"
	}
	return "even"
}

// setupList says how the match was played.
func (p *page) setupList() string {
	var b markup
	for _, f := range p.Setup {
		b.add("<div><dt>%s</dt><dd>%s</dd></div>", f.Name, f.Value)
	}
	return b.String()
}
