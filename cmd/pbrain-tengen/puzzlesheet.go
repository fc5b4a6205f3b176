package main

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"tengen/brain/board"
)

// sheetTemplate is the page to print.
var sheetTemplate = template.Must(template.ParseFS(pageFiles, "page/puzzles.html"))

// perPage is how many puzzles stand on a page.
const perPage = 6

// A sheetPuzzle is a puzzle as the page shows it.
type sheetPuzzle struct {
	Number   int
	Side     string
	Rule     string
	Level    int
	Board    template.HTML
	Solution string
	Source   string
}

// sheet writes the puzzles as a page to print.
func (p *puzzleFinder) sheet(w io.Writer) error {
	var data struct {
		Pages     [][]sheetPuzzle
		Solutions []sheetPuzzle
	}
	for i, one := range p.found {
		b, err := one.board(one.After)
		if err != nil {
			return err
		}
		var line []string
		for _, m := range one.Line {
			line = append(line, m.Label(one.height))
		}
		s := sheetPuzzle{
			Number: i + 1, Side: b.Side().String(), Rule: one.rule.String(), Level: one.Level,
			Board: template.HTML(diagram(b)), Solution: strings.Join(line, " "), Source: one.name,
		}
		if i%perPage == 0 {
			data.Pages = append(data.Pages, nil)
		}
		last := &data.Pages[len(data.Pages)-1]
		*last = append(*last, s)
		data.Solutions = append(data.Solutions, s)
	}
	if _, err := io.WriteString(w, sheetStart+"\n"); err != nil {
		return err
	}
	return sheetTemplate.Execute(w, data)
}

// Measures of a diagram, in units of SVG.
const (
	cellUnits  = 20
	marginUnit = 26
)

// diagram draws a position as SVG: lines, labels with rows from the bottom, stones, the last with a
// dot.
func diagram(b *board.Board) string {
	w, h := b.Width(), b.Height()
	at := func(n int) int { return marginUnit + n*cellUnits }
	var s strings.Builder
	fmt.Fprintf(&s, `<svg viewBox="0 0 %d %d" role="img">`, at(w-1)+marginUnit, at(h-1)+marginUnit)
	s.WriteString(`<path class="lines" d="`)
	for x := range w {
		fmt.Fprintf(&s, "M%d %dV%d", at(x), at(0), at(h-1))
	}
	for y := range h {
		fmt.Fprintf(&s, "M%d %dH%d", at(0), at(y), at(w-1))
	}
	s.WriteString(`"/>`)
	for x := range w {
		fmt.Fprintf(&s, `<text x="%d" y="%d">%c</text>`, at(x), at(h-1)+marginUnit-6, 'a'+x)
	}
	for y := range h {
		fmt.Fprintf(&s, `<text x="%d" y="%d">%d</text>`, marginUnit/2-2, at(y)+4, h-y)
	}
	for y := range h {
		for x := range w {
			m := board.At(x, y)
			c := b.Cell(m)
			if c != board.Black && c != board.White {
				continue
			}
			fmt.Fprintf(&s, `<circle class="%v" cx="%d" cy="%d" r="9"/>`, c, at(x), at(y))
			if m == b.Back(1) {
				fmt.Fprintf(&s, `<circle class="last" cx="%d" cy="%d" r="2.5"/>`, at(x), at(y))
			}
		}
	}
	s.WriteString("</svg>")
	return s.String()
}
