package record

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"tengen/brain/board"
)

var negative = regexp.MustCompile(`(?:^|[\s,(])-\d`)

// pairs reads moves as pairs of numbers, column and row. They count from 0, as in the protocol, if there
// is a 0 or the first one is the center so, and from 1 if there is the last number of the board or the
// first pair is the center so. Otherwise nobody can tell. With a negative number they are offsets from the
// center, as openings of Gomocup have them.
func (p *moveReader) pairs(s string) error {
	if p.offsets || negative.MatchString(s) {
		moves, err := parseOffsets(s, p.width, p.height)
		for i := 0; i < len(moves) && err == nil; i++ {
			err = p.add(moves[i])
		}
		p.paired = true
		p.said.add("pairs of numbers are taken for columns and rows from the center, rows downwards")
		return err
	}
	var n []int
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }) {
		v, err := strconv.Atoi(f)
		if err != nil {
			return fmt.Errorf("%.20q is no number", f)
		}
		n = append(n, v)
	}
	if len(n)%2 != 0 {
		return fmt.Errorf("%d numbers are not pairs", len(n))
	}
	first := -1
	for i, v := range n {
		side := p.width
		if i&1 == 1 {
			side = p.height
		}
		switch {
		case v == 0:
			first = 0
		case v == side && first < 0:
			first = 1
		}
	}
	if first < 0 && len(n) > 0 {
		switch x, y := n[0], n[1]; {
		case x == p.width/2 && y == p.height/2:
			first = 0
		case x == p.width/2+1 && y == p.height/2+1:
			first = 1
		default:
			return errors.New("pairs of numbers count from 0 or from 1, which these do not tell: write letters and numbers, as in h8i9")
		}
	}
	for i := 0; i < len(n); i += 2 {
		m, err := board.AtOn(n[i]-first, n[i+1]-first, p.width, p.height)
		if err != nil {
			return fmt.Errorf("%d,%d: %w", n[i], n[i+1], err)
		}
		if err := p.add(m); err != nil {
			return err
		}
	}
	p.paired = true
	p.said.add("pairs of numbers are taken for columns and rows from %d, rows from the top", first)
	return nil
}

// numberedPair matches a line with the number of a move and a pair of numbers behind it, perhaps with words
// around the first, as logs of programs have them: "Move 1: black (7, 7)".
var numberedPair = regexp.MustCompile(`(?:^|[\s#第])(\d{1,3})[^\d,;]{1,16}?[\[(]?(\d{1,2})\s*[,;]\s*(\d{1,2})\s*[\])]?$`)

// leastNumbered is how many such lines are a game.
const leastNumbered = 3

// numberedPairs returns the pairs of each game of such lines, where the numbers follow each other from 1, and the
// other lines. It returns nothing if the numbers do not.
func numberedPairs(s string) (games []string, beside string) {
	next := 1
	var left []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		m := numberedPair.FindStringSubmatch(line)
		if m == nil {
			left = append(left, line)
			continue
		}
		n, _ := strconv.Atoi(m[1])
		switch {
		case n == 1 && (next == 1 || next > leastNumbered):
			games = append(games, "")
		case n != next || n == 1:
			return nil, ""
		}
		games[len(games)-1] += m[2] + "," + m[3] + " "
		next = n + 1
	}
	if next <= leastNumbered {
		return nil, ""
	}
	return games, strings.Join(left, " ")
}

// isNumberedPairs reports whether a text has such games.
func isNumberedPairs(s string) bool {
	games, _ := numberedPairs(s)
	return len(games) > 0
}

// readNumberedPairs reads them.
func readNumberedPairs(s string, o Reading) ([]*Tree, error) {
	games, beside := numberedPairs(s)
	var trees []*Tree
	for _, pairs := range games {
		p := moveReader{width: cmp.Or(o.Width, textSize), height: cmp.Or(o.Height, textSize)}
		if err := p.pairs(pairs); err != nil {
			return nil, err
		}
		if beside != "" {
			p.said.add("text beside the moves is left out: %.40q", beside)
		}
		t, err := p.tree()
		if err != nil {
			return nil, err
		}
		trees = append(trees, t)
	}
	return trees, nil
}
