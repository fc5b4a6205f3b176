package record

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tengen/brain/board"
)

// A Tactic is a position in which the side to move has a proven win.
type Tactic struct {
	Rule  board.Rule
	Size  int          // cells of a side, board.MinSize to board.MaxSize
	Moves []board.Move // as played, Black first; the board is square
	Wins  []board.Move // every move known to win, at least one, all legal
	Plies int          // to the five of the shortest win known, odd
	Line  int          // in its file, from 1
}

// ReadTactics reads a file of tactics, one a line in five fields separated by spaces:
//
//	RULE SIZE MOVES WINS PLIES
//	0 15 h8i9h9h7g9i10 j8g8 17
//
// RULE is the number of the protocol, MOVES and WINS are in pos notation, and "-" is the
// empty board. Empty lines and lines that begin with # are skipped. MOVES must pass
// CheckOpening, and WINS must be legal and are not verified to win. Errors name the line.
func ReadTactics(r io.Reader) ([]Tactic, error) {
	var all []Tactic
	err := eachLine(r, func(number int, line string) error {
		t, err := parseTactic(line)
		t.Line = number
		all = append(all, t)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

func parseTactic(line string) (Tactic, error) {
	var t Tactic
	f := strings.Fields(line)
	if len(f) != 5 {
		return t, fmt.Errorf("%d fields, want five: rule, size, moves, winning moves, plies", len(f))
	}
	var err error
	if t.Rule, err = parseRule(f[0]); err != nil {
		return t, err
	}
	if t.Size, err = strconv.Atoi(f[1]); err != nil || !board.ValidSize(t.Size, t.Size) {
		return t, fmt.Errorf("size %.40q is not between %d and %d", f[1], board.MinSize, board.MaxSize)
	}
	if f[2] != "-" {
		if t.Moves, err = board.ParseMoves(f[2], t.Size, t.Size); err != nil {
			return t, err
		}
	}
	b, err := opened(t.Moves, t.Rule, t.Size, t.Size)
	if err != nil {
		return t, err
	}
	if t.Wins, err = board.ParseMoves(f[3], t.Size, t.Size); err != nil {
		return t, fmt.Errorf("winning moves: %w", err)
	}
	if len(t.Wins) == 0 {
		return t, fmt.Errorf("no winning move")
	}
	for i, m := range t.Wins {
		if err := b.Try(m.X(), m.Y()); err != nil {
			return t, fmt.Errorf("winning move %v: %w", m, err)
		}
		if slices.Contains(t.Wins[:i], m) {
			return t, fmt.Errorf("winning move %v is listed twice", m)
		}
	}
	if t.Plies, err = strconv.Atoi(f[4]); err != nil || t.Plies < 1 || t.Plies%2 == 0 {
		return t, fmt.Errorf("plies %.40q are not odd and positive: the side to move makes the five", f[4])
	}
	return t, nil
}

func parseRule(s string) (board.Rule, error) {
	n, err := strconv.ParseUint(s, 10, 8)
	if err != nil || !board.Rule(n).Valid() {
		return 0, fmt.Errorf("rule %.40q is not a rule of the protocol", s)
	}
	return board.Rule(n), nil
}
