package wire

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tengen/brain/board"
)

// MoveText names a cell as the protocol does: column and row, from 0.
func MoveText(m board.Move) string { return PairText(m.X(), m.Y()) }

// PairText is two coordinates as the protocol writes them.
func PairText(x, y int) string { return strconv.Itoa(x) + "," + strconv.Itoa(y) }

// ParsePair parses "x,y", with white space anywhere except inside a number, see ParseNumber. The numbers may be
// negative or off the board.
func ParsePair(s string) (x, y int, ok bool) {
	a, b, found := strings.Cut(s, ",")
	if !found {
		return 0, 0, false
	}
	x, errX := ParseNumber(a)
	y, errY := ParseNumber(b)
	return x, y, errX == nil && errY == nil
}

// ErrorLine is the answer to a command that fails. Like UnknownLine and MessageLine it is one line in
// printable ASCII without the line end.
func ErrorLine(text string) string { return "ERROR " + Printable(text) }

// UnknownLine is the answer to an unknown command.
func UnknownLine(word string) string { return "UNKNOWN command " + Quote(word, 40) }

// MessageLine is a text for the user of the manager.
func MessageLine(text string) string { return "MESSAGE " + Printable(text) }

// IsWord reports whether s is the keyword, ignoring case.
func IsWord(s, keyword string) bool {
	return len(s) == len(keyword) && strings.EqualFold(s, keyword) // all keywords are ASCII
}

// IsRefusal reports whether a line is ERROR or UNKNOWN.
func IsRefusal(line string) bool {
	word, _ := CutWord(line)
	return IsWord(word, "ERROR") || IsWord(word, "UNKNOWN")
}

// Tight removes the white space around commas.
func Tight(s string) string {
	parts := strings.Split(s, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return strings.Join(parts, ",")
}

// upper is strings.ToUpper for ASCII only: other letters may have ASCII upper cases.
func upper(s string) string {
	b := []byte(s)
	for i, ch := range b {
		if 'a' <= ch && ch <= 'z' {
			b[i] = ch - 'a' + 'A'
		}
	}
	return string(b)
}

// Quote quotes a text of the other side in printable ASCII. It leaves out what exceeds the given
// number of bytes.
func Quote(s string, most int) string {
	s = strings.Trim(s, " \t\r\n")
	if len(s) > most {
		for most > 0 && !utf8.RuneStart(s[most]) {
			most-- // no half of a letter
		}
		s = s[:most] + "..."
	}
	return strconv.QuoteToASCII(s)
}

// maxText is how much of a text Printable keeps: Piskvork reads at most 8000 bytes of a line.
const maxText = 1000

// Printable replaces what is not printable ASCII by question marks, and truncates long text.
func Printable(s string) string {
	b := []byte(s)
	if len(b) > maxText {
		b = b[:maxText]
	}
	for i, ch := range b {
		if ch < ' ' || ch > '~' {
			b[i] = '?'
		}
	}
	return string(b)
}
