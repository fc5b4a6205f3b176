package protocol

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"tengen/brain"
	"tengen/brain/board"
)

// The functions in this file return one line in printable ASCII, without the line end.

// moveLine names a cell as the protocol does: column and row, from 0.
func moveLine(m board.Move) string {
	return strconv.Itoa(m.X()) + "," + strconv.Itoa(m.Y())
}

// aboutLine describes the engine. It must begin with name in lower case: qpiskvork does not
// recognize the answer if its first letter is another.
func aboutLine() string {
	return fmt.Sprintf(`name="%s", version="%s", author="%s", country="%s"`,
		brain.Name, brain.Version, brain.Author, brain.Country)
}

// errorLine and messageLine make their text printable.
func errorLine(text string) string   { return "ERROR " + plain(text) }
func unknownLine(word string) string { return "UNKNOWN command " + quote(word, 40) }
func messageLine(text string) string { return "MESSAGE " + plain(text) }

// info reports the progress of a search: the number of the line if there are several, the depth
// and selective depth in plies, the value for the side to move, and the principal variation, see
// label. The last line of a move also has the number of beta cutoffs, and the share of them by
// the first move searched.
func (v view) info(i brain.Info, last bool) string {
	var b strings.Builder
	b.WriteString("MESSAGE ")
	if i.Lines > 1 {
		fmt.Fprintf(&b, "line %d/%d ", i.Line+1, i.Lines)
	}
	fmt.Fprintf(&b, "depth %d-%d eval %s nodes %d", i.Depth, i.SelDepth, brain.ScoreText(i.Score), i.Nodes)
	if ms := i.Elapsed.Milliseconds(); ms > 0 {
		fmt.Fprintf(&b, " nps %d", i.Speed())
	}
	fmt.Fprintf(&b, " time %d", i.Elapsed.Milliseconds())
	if len(i.PV) > 0 {
		b.WriteString(" pv")
		for _, m := range i.PV {
			b.WriteByte(' ')
			b.WriteString(v.label(m))
		}
	}
	if last {
		fmt.Fprintf(&b, " cutoffs %d first %d%%", i.Cutoffs, i.First*100/max(i.Cutoffs, 1))
	}
	return b.String()
}

// quote quotes what the other side has sent, in printable ASCII and without what goes beyond
// the given number of bytes.
func quote(s string, most int) string {
	s = strings.Trim(s, " \t\r\n")
	if len(s) > most {
		for most > 0 && !utf8.RuneStart(s[most]) {
			most-- // no half of a letter
		}
		s = s[:most] + "..."
	}
	return strconv.QuoteToASCII(s)
}

// plain replaces what is not printable ASCII by question marks and truncates long text:
// Piskvork reads at most 8000 bytes of a line.
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
