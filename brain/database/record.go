package database

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tengen/brain/board"
	"tengen/brain/winrate"
)

// A Label is what is known of a position. Win and Loss are those of the player who has moved
// into it, so that a move to a position labeled Win wins.
type Label int8

const (
	Null  Label = 0   // the record has only its key
	None  Label = -1  // nothing
	Force Label = '!' // the move into this position is to be played
	Win   Label = 'w'
	Loss  Label = 'l'
	Draw  Label = 'd'
	Block Label = 'x' // the move into this position is not to be considered
)

// Folded returns the label in the case of the constants.
func (l Label) Folded() Label {
	if l >= 'A' && l <= 'Z' {
		l += 'a' - 'A'
	}
	return l
}

// Decided reports whether the label is a result.
func (l Label) Decided() bool {
	l = l.Folded()
	return l == Win || l == Loss || l == Draw
}

// A Bound says how Value bounds the true value.
type Bound uint8

const (
	NoBound Bound = iota
	Upper         // the true value is at most Value
	Lower         // the true value is at least Value
	Exact
)

var boundNames = [...]string{"none", "upper", "lower", "exact"}

func (b Bound) String() string { return boundNames[b&3] }

// Values of a Record.
const (
	MaxValue = 30000          // a win on the spot; a win in n plies is MaxValue-n
	MinWin   = MaxValue - 500 // a win of which the number of plies is not known; that of greater values is
	MaxEval  = 6000           // the greatest value that is no win
)

// A Record is what a database knows of a position. Value is for the side to move, in points:
// 200 win 73% of the games.
type Record struct {
	Label Label
	Value int16
	depth int16 // depth<<2 | bound
	text  string
}

// NewRecord returns a record without text. The depth is in plies.
func NewRecord(l Label, value, depth int, b Bound) Record {
	value = min(max(value, -MaxValue), MaxValue)
	depth = min(max(depth, 0), math.MaxInt16>>2)
	return Record{Label: l, Value: int16(value), depth: int16(depth<<2 | int(b&3))}
}

// Searched returns what a search to that depth, in plies, has found for the side to move: a value
// in points or, if plies is not 0, a win in that number of plies, a loss if it is negative.
func Searched(value, plies, depth int) Record {
	switch {
	case plies > 0:
		return NewRecord(Loss, MaxValue-plies, depth, Exact) // the label is that of the player who has moved
	case plies < 0:
		return NewRecord(Win, -MaxValue-plies, depth, Exact)
	}
	return NewRecord(None, min(max(value, -MaxEval), MaxEval), depth, Exact)
}

// Distance returns in how many plies the game ends if the record is a win or a loss and knows it.
// A value beyond MaxValue, which a file may have, tells none.
func (r Record) Distance() (plies int, ok bool) {
	l, value := r.Label.Folded(), int(r.Value)
	plies = MaxValue - max(value, -value)
	if plies >= 0 && (l == Loss && value > MinWin || l == Win && value < -MinWin) {
		return plies, true
	}
	return 0, false
}

// Depth returns the depth in plies of the search for Value.
func (r Record) Depth() int { return int(r.depth) >> 2 }

// Bound returns what Value is.
func (r Record) Bound() Bound { return Bound(r.depth & 3) }

// The text of a record is the comment, in which a byte 8 may stand for a line end. If cells
// of the board have texts, they come first, as a head, a line for each of column and row as
// digits of base 36 and the text, and a byte 8.
const (
	boardTextHead = "@BTXT@"
	separator     = "\b"
	maxText       = math.MaxUint16 - 5 // bytes; the file has a length of 16 bits
)

// split returns the lines of the board texts and the rest of the text.
func (r Record) split() (lines []string, comment string) {
	rest, ok := strings.CutPrefix(r.text, boardTextHead)
	if !ok {
		return nil, r.text
	}
	head, comment, _ := strings.Cut(rest, separator)
	for _, line := range strings.Split(head, "\n") {
		if line = strings.TrimRight(line, "\x00"); len(line) > 2 {
			lines = append(lines, line)
		}
	}
	return lines, comment
}

// join is the inverse of split.
func (r Record) join(lines []string, comment string) Record {
	r.text = comment
	if len(lines) > 0 || strings.HasPrefix(comment, boardTextHead) {
		r.text = boardTextHead + strings.Join(lines, "\n")
		if comment != "" {
			r.text += separator + comment
		}
	}
	r.text = clip(r.text)
	return r.labeled()
}

// clip returns what a file can hold of a text, without a part of a letter at the end.
func clip(text string) string {
	if len(text) <= maxText {
		return text
	}
	n := maxText
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// labeled returns r with the label None instead of Null if it has more than its key.
func (r Record) labeled() Record {
	if r.Label == Null && r != (Record{}) {
		r.Label = None
	}
	return r
}

// blank reports whether nothing is known but a text.
func (r Record) blank() bool {
	return (r.Label == Null || r.Label == None) && r.Value == 0 && r.depth == 0
}

// Comment returns the comment, with lines that end in "\n".
func (r Record) Comment() string {
	_, comment := r.split()
	return strings.ReplaceAll(strings.ReplaceAll(comment, separator, "\n"), "\x00", "")
}

// WithComment returns r with another comment. White space around it is dropped, and what is
// beyond 64 KiB.
func (r Record) WithComment(s string) Record {
	lines, _ := r.split()
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\x00", "")
	return r.join(lines, strings.TrimSpace(s))
}

// A cellText is a text on a cell of a key.
type cellText struct {
	at   point
	text string
}

func (r Record) cells() []cellText {
	lines, _ := r.split()
	var all []cellText
	for _, line := range lines {
		x, y := ofDigit(line[0]), ofDigit(line[1])
		if x >= 0 && y >= 0 {
			all = append(all, cellText{point(x<<8 | y), line[2:]})
		}
	}
	return all
}

// withCell returns r with the text on the cell, or without one if it is empty. Texts have no
// white space.
func (r Record) withCell(at point, text string) Record {
	lines, comment := r.split()
	head := string([]byte{digit(int(at >> 8)), digit(int(at & 255))})
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, head) })
	text = strings.Map(func(c rune) rune {
		if c < ' ' || unicode.IsSpace(c) {
			return -1
		}
		return c
	}, text)
	if text != "" {
		lines = append(lines, head+text)
	}
	return r.join(lines, comment)
}

// digit gives the digits of columns and rows: those of base 36.
func digit(n int) byte { return "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[n] }

// ofDigit is the inverse of digit, -1 for what no column or row of a board has.
func ofDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'A' && c < 'A'+board.MaxSize-10:
		return int(c-'A') + 10
	}
	return -1
}

// steps returns the plies to the end of a result, the move into the position included, as front
// ends count them; 0 if they are not known.
func (r Record) steps() int {
	if plies, ok := r.Distance(); ok {
		return plies + 1
	}
	return 0
}

// Display returns what front ends draw on the cell of the move into the position: the label,
// the number of plies or * behind that of a result, or the winning chance in percent of the
// player who moves there.
func (r Record) Display() string {
	switch l, steps := r.Label.Folded(), r.steps(); {
	case steps != 0:
		return fmt.Sprintf("%c%d", r.Label, steps)
	case l == Win, l == Loss:
		return fmt.Sprintf("%c*", r.Label)
	case l > 0:
		return string(rune(r.Label))
	case l == None && r.Bound() == Exact:
		return fmt.Sprintf("%d%%", min(int(100*winrate.Of(float64(-int(r.Value)))), 99))
	}
	return ""
}

// better reports whether a record found anew is worth more than the old one: a result more
// than none, a shorter way to a result or an exact one more than another, and without a result a
// value at least as deep, where an exact one counts four plies more. A blank record is worth nothing.
func better(found, old Record) bool {
	if found.blank() || old.blank() {
		return !found.blank()
	}
	if a, b := found.Label.Decided(), old.Label.Decided(); a != b {
		return a
	} else if a {
		rank := func(r Record) int {
			n := 2 * max(int(r.Value), -int(r.Value))
			if r.Bound() == Exact {
				n++
			}
			return n
		}
		return found.Label.Folded() != old.Label.Folded() || rank(found) > rank(old)
	}
	rank := func(r Record) int {
		if r.Bound() == Exact {
			return r.Depth() + 4
		}
		return r.Depth()
	}
	return rank(found) >= rank(old)
}

// improvedBy returns r with what found knows better, and the comment and texts on cells that r
// misses. A label that is no result, which a person has set, stays if found has none.
func (r Record) improvedBy(found Record) Record {
	next := r
	if better(found, r) {
		next = found
		if found.Label <= 0 && r.Label > 0 {
			next.Label = r.Label
		}
	}
	return next.withText(r, found)
}

// withText returns r with the comment and the texts on cells of a, and where those are
// missing of b.
func (r Record) withText(a, b Record) Record {
	lines, comment := a.split()
	others, more := b.split()
	if comment == "" {
		comment = more
	}
	for _, line := range others {
		if !slices.ContainsFunc(lines, func(l string) bool { return l[:2] == line[:2] }) {
			lines = append(lines, line)
		}
	}
	return r.join(lines, comment)
}
