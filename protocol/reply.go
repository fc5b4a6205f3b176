package protocol

import (
	"fmt"
	"strconv"
	"strings"

	"tengen/brain"
	"tengen/brain/board"
)

// Every function here gives one line without its end, in printable ASCII.

// moveLine is the answer to a command that asks for a move.
func moveLine(m board.Move) string {
	return strconv.Itoa(m.X()) + "," + strconv.Itoa(m.Y())
}

// openingLine is the answer to SWAP2BOARD.
func openingLine(o brain.Opening) string {
	if o.Swap {
		return "SWAP"
	}
	words := make([]string, len(o.Moves))
	for i, m := range o.Moves {
		words[i] = moveLine(m)
	}
	return strings.Join(words, " ")
}

// forbidLine lists cells as two digits for the column and two for the row.
func forbidLine(cells []board.Move) string {
	var b strings.Builder
	b.WriteString("FORBID ")
	for _, m := range cells {
		fmt.Fprintf(&b, "%02d%02d", m.X(), m.Y())
	}
	b.WriteByte('.')
	return b.String()
}

// aboutLine names the engine. Its first word has to be name in lower case: qpiskvork
// takes a line that begins with another letter for something else.
func aboutLine() string {
	return fmt.Sprintf(`name="%s", version="%s", author="%s", country="%s"`,
		brain.Name, brain.Version, brain.Author, brain.Country)
}

// errorLine and messageLine make their text one printable line.
func errorLine(text string) string   { return "ERROR " + plain(text) }
func unknownLine(word string) string { return "UNKNOWN command " + quote(word) }
func messageLine(text string) string { return "MESSAGE " + plain(text) }

// infoLine tells how far a search is: the line first if there are several, depth and
// greatest depth in plies, the value for the side to move, and the best line in
// letters for columns and numbers from 1 for rows. The last of a move has the beta
// cut-offs too, and the share of them that the first move tried made.
func infoLine(i brain.Info, last bool) string {
	var b strings.Builder
	b.WriteString("MESSAGE ")
	if i.Lines > 1 {
		fmt.Fprintf(&b, "line %d/%d ", i.Line+1, i.Lines)
	}
	fmt.Fprintf(&b, "depth %d-%d eval %s nodes %d", i.Depth, i.SelDepth, brain.ScoreText(i.Score), i.Nodes)
	if ms := i.Elapsed.Milliseconds(); ms > 0 {
		fmt.Fprintf(&b, " nps %d", int64(float64(i.Nodes)/i.Elapsed.Seconds()))
	}
	fmt.Fprintf(&b, " time %d", i.Elapsed.Milliseconds())
	if len(i.PV) > 0 {
		b.WriteString(" pv")
		for _, m := range i.PV {
			b.WriteByte(' ')
			b.WriteString(m.String())
		}
	}
	if last {
		fmt.Fprintf(&b, " cutoffs %d first %d%%", i.Cutoffs, i.First*100/max(i.Cutoffs, 1))
	}
	return b.String()
}

// quote puts a word of the manager in quotes, shortened and in printable ASCII.
func quote(s string) string {
	s = strings.Trim(s, " \t\r\n")
	if len(s) > 40 {
		s = s[:40] + "..."
	}
	return strconv.QuoteToASCII(s)
}

// plain replaces what is not printable ASCII and cuts what no manager would read:
// Piskvork keeps 8000 bytes of a line.
func plain(s string) string {
	b := []byte(s)
	if len(b) > 1000 {
		b = b[:1000]
	}
	for i, ch := range b {
		if ch < ' ' || ch > '~' {
			b[i] = '?'
		}
	}
	return string(b)
}
