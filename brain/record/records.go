package record

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"tengen/brain/board"
	"tengen/brain/record/charset"
)

// Small records of older programs, as importers know them; no writer of theirs was seen. All but .rec are
// of a board of 15x15 with rows from the top.

// nameOf returns a name of a binary record, "" if it has control characters.
func nameOf(raw []byte) (string, charset.Encoding) {
	e, _ := charset.Guess(raw)
	s, _ := e.Decode(raw)
	if strings.ContainsFunc(s, unicode.IsControl) {
		return "", e
	}
	return strings.TrimSpace(s), e
}

// isWZQ reports whether a file is a game of Base City (.wzq).
func isWZQ(raw []byte) bool {
	_, err := readWZQ(raw)
	return err == nil
}

// isBinary reports whether a character cannot stand in a text.
func isBinary(r rune) bool {
	return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == unicode.ReplacementChar
}

const (
	wzqMost  = 1024 // bytes of a file
	wzqNames = 10   // bytes before the names
	wzqH8    = 0x70 // the first move, h8
)

var errWZQ = errors.New("not a game of Base City")

// readWZQ reads a game of Base City: ten bytes, the names with their lengths before them, and the moves
// from h8 on, each 15*column+row. A zero between them is skipped. Behind four moves stand two fifth moves and
// the one of them that was struck out.
// Source: RenLib, .wzq.
func readWZQ(raw []byte) (*Tree, error) {
	if len(raw) > wzqMost || len(raw) < wzqNames+3 || bytes.IndexFunc(raw, isBinary) < 0 {
		return nil, errWZQ
	}
	rest := raw[wzqNames:]
	var names [2]string
	for i := range names {
		n := int(rest[0])
		if n == 0 || n > 40 || len(rest) < n+2 {
			return nil, errWZQ
		}
		if names[i], _ = nameOf(rest[1 : 1+n]); names[i] == "" {
			return nil, errWZQ
		}
		rest = rest[1+n:]
	}
	k := bytes.IndexByte(rest, wzqH8)
	if k < 0 || k > 8 {
		return nil, errWZQ
	}
	var moves []board.Move
	for _, c := range rest[k:] {
		if c == 0 {
			continue
		}
		if int(c) >= LibSize*LibSize {
			return nil, errWZQ
		}
		moves = append(moves, board.At(int(c)/LibSize, int(c)%LibSize))
	}
	var said remarks
	if len(moves) > 6 && moves[6] != moves[4] && moves[6] != moves[5] {
		return nil, errWZQ
	} else if len(moves) > 6 {
		fifth := moves[4]
		if moves[6] == moves[4] {
			fifth = moves[5]
		}
		said.add("fifth move struck out: %s", moves[6].Label(LibSize))
		moves = append(append(moves[:4:4], fifth), moves[7:]...)
	}
	if err := distinct(moves); err != nil {
		return nil, errWZQ
	}
	t := treeOf(&Game{Width: LibSize, Height: LibSize, Black: names[0], White: names[1], Moves: moves})
	t.Format, t.Remarks = WZQ, said.all()
	return t, nil
}

const (
	bufGame  = 256 // bytes of a game
	bufNames = 15  // bytes of a name
	bufFlag  = 100 // what is added to a letter of the names that is a flag too
)

// isBUF reports whether a file is games of Datafree (.buf).
func isBUF(raw []byte) bool {
	if len(raw) == 0 || len(raw)%bufGame != 0 {
		return false
	}
	for ; len(raw) > 0; raw = raw[bufGame:] {
		if _, err := bufTree(raw[:bufGame]); err != nil {
			return false
		}
	}
	return true
}

var errBUF = errors.New("not a game of Datafree")

// readBUF reads games of Datafree.
func readBUF(raw []byte) ([]*Tree, error) {
	var trees []*Tree
	items := 0
	for ; len(raw) > 0; raw = raw[bufGame:] {
		t, err := bufTree(raw[:bufGame])
		if err != nil {
			return nil, err
		}
		if items += t.lineLength() + treeItems; items > maxItems {
			return nil, errItems
		}
		trees = append(trees, t)
	}
	return trees, nil
}

// bufTree reads a game of Datafree: two names of 15 bytes, then the moves up to a 0, each 1+15*row+column.
// A letter of the names from 128 on is 100 too large, and a flag by its place. If the first move is not
// h8 it is the offered fifth, and h8 comes before the others.
// Source: RenLib, .buf.
func bufTree(raw []byte) (*Tree, error) {
	names := bytes.Clone(raw[:2*bufNames])
	flag := func(i int) bool { return raw[i] >= 0x80 }
	for i, c := range names {
		if c >= 0x80 {
			names[i] = c - bufFlag
		}
		if c := names[i]; c < ' ' && c != 0 || c >= 0x7f {
			return nil, errBUF
		}
	}
	var moves []board.Move
	line := bytes.TrimRight(raw[2*bufNames:], "\x00")
	for _, c := range line {
		if c == 0 {
			return nil, errBUF // a text of two bytes a letter has them between
		}
		if int(c) > LibSize*LibSize {
			return nil, errBUF
		}
		moves = append(moves, board.At((int(c)-1)%LibSize, (int(c)-1)/LibSize))
	}
	name := func(raw []byte) string { return strings.TrimSpace(strings.ReplaceAll(string(raw), "\x00", " ")) }
	g := Game{Width: LibSize, Height: LibSize, Black: name(names[:bufNames]), White: name(names[bufNames:])}
	if len(moves) == 0 || g.Black+g.White == "" {
		return nil, errBUF
	}
	var said remarks
	if h8 := board.At(7, 7); moves[0] != h8 {
		said.add("fifth move offered: %s", moves[0].Label(LibSize))
		moves[0] = h8
	}
	if g.Moves = moves; distinct(moves) != nil {
		return nil, errBUF
	}
	switch {
	case flag(25):
		g.Outcome = Drawn
	case flag(28):
		g.Outcome = BlackWon
	default:
		g.Outcome = WhiteWon
	}
	if flag(29) {
		said.add("the players exchanged colors")
	}
	t := treeOf(&g)
	t.Format, t.Remarks = BUF, said.all()
	if flag(24) {
		t.Reason = "time"
	}
	return t, nil
}

// A game of RDF is, behind :RDFA and a colon, groups of a number and a point up to a !. A5 is the offered
// fifth move.
var (
	rdfGame = regexp.MustCompile(`:RDFA[^:!]*:((?:\d{2}[A-O]{2}|A5[a-o]{2})+)!`)
	rdfMove = regexp.MustCompile(`(\d{2})([A-O]{2})|A5([a-o]{2})`)
)

// readRDF reads games of RDF: the letters of columns, and of rows from the top.
// Source: RenLib, .rdf.
func readRDF(s string) ([]*Tree, error) {
	var trees []*Tree
	broken := BrokenGames{}
	items := 0
	for _, game := range rdfGame.FindAllStringSubmatch(s, -1) {
		g := Game{Width: LibSize, Height: LibSize}
		var said remarks
		var err error
		for _, m := range rdfMove.FindAllStringSubmatch(game[1], -1) {
			at := strings.ToUpper(m[2] + m[3])
			move := board.At(int(at[0]-'A'), int(at[1]-'A'))
			if m[3] != "" {
				said.add("fifth move offered: %s", move.Label(LibSize))
				continue
			}
			if n, _ := strconv.Atoi(m[1]); n != len(g.Moves)+1 && err == nil {
				err = fmt.Errorf("the number %d stands before move %d", n, len(g.Moves)+1)
			}
			g.Moves = append(g.Moves, move)
		}
		if items += len(g.Moves) + treeItems; items > maxItems {
			return nil, errItems
		}
		if err == nil {
			err = distinct(g.Moves)
		}
		var t *Tree
		if err != nil {
			broken[len(trees)] = err
		} else {
			t = treeOf(&g)
			t.Remarks = said.all()
		}
		trees = append(trees, t)
	}
	return trees, broken.orNil()
}

// A game of Piskvork's older .rec is the names of the players, the first one that of Black, moves with
// their times, columns and rows from 0, and the code of the end.
var recGame = regexp.MustCompile(`^\s*([^\n,]*[^\n,\d\s-][^\n,]*)\n([^\n,]*[^\n,\d\s-][^\n,]*)\n((?:[ \t]*\d{1,2}[ \t]*,[ \t]*\d{1,2}[ \t]*,[ \t]*\d+[ \t]*\n)+)\s*(-?\d+)\s*$`)

// recSize is the least side of a board of .rec, which does not tell it.
const recSize = 20

// isREC reports whether a text is a game of Piskvork in the form of .rec.
func isREC(s string) bool { return len(s) < maxREC && recGame.MatchString(s) }

// maxREC is more bytes than a game has.
const maxREC = 32 << 10

// readREC reads such a game.
// Source: Piskvork, saveRec.
func readREC(s string) (*Tree, error) {
	m := recGame.FindStringSubmatch(s)
	if m == nil {
		return nil, errors.New("not a game of Piskvork in the form of .rec")
	}
	g := Game{Width: recSize, Height: recSize, Black: strings.TrimSpace(m[1]), White: strings.TrimSpace(m[2])}
	for line := range strings.Lines(m[3]) {
		f := strings.Split(line, ",")
		var n [3]int
		for i := range n {
			n[i], _ = strconv.Atoi(strings.TrimSpace(f[i]))
		}
		for n[0] >= g.Width || n[1] >= g.Height {
			if g.Width >= board.MaxSize {
				return nil, fmt.Errorf("%d,%d is not on a board of %dx%d", n[0], n[1], g.Width, g.Height)
			}
			g.Width, g.Height = g.Width+1, g.Height+1
		}
		g.Moves, g.Millis = append(g.Moves, board.At(n[0], n[1])), append(g.Millis, n[2])
	}
	if err := distinct(g.Moves); err != nil {
		return nil, err
	}
	t := treeOf(&g)
	t.Remarks = []string{fmt.Sprintf("no size: %dx%d assumed", g.Width, g.Height)}
	return t, nil
}
