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
	return parseLines(r, parseTactic)
}

func parseTactic(number int, line string) (Tactic, error) {
	t := Tactic{Line: number}
	f := strings.Fields(line)
	if len(f) != 5 {
		return t, fmt.Errorf("%d fields, want five: rule, size, moves, winning moves, plies", len(f))
	}
	var b *board.Board
	var err error
	if t.Rule, t.Size, t.Moves, b, err = parsePosition(f); err != nil {
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
	t.Plies, err = parsePlies(f[4])
	return t, err
}

// parsePosition returns what the first three fields say, the rule, the size and the moves, and the
// board after the moves.
func parsePosition(f []string) (rule board.Rule, size int, moves []board.Move, b *board.Board, err error) {
	n, err := strconv.ParseUint(f[0], 10, 8)
	if rule = board.Rule(n); err != nil || !rule.Valid() {
		return 0, 0, nil, nil, fmt.Errorf("rule %.40q is not a rule of the protocol", f[0])
	}
	if size, err = strconv.Atoi(f[1]); err != nil || !board.ValidSize(size, size) {
		return 0, 0, nil, nil, fmt.Errorf("size %.40q is not between %d and %d", f[1], board.MinSize, board.MaxSize)
	}
	if f[2] != "-" {
		if moves, err = board.ParseMoves(f[2], size, size); err != nil {
			return 0, 0, nil, nil, err
		}
	}
	b, err = opened(moves, rule, size, size)
	return rule, size, moves, b, err
}

// parsePlies returns the plies of a win.
func parsePlies(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n%2 == 0 {
		return 0, fmt.Errorf("plies %.40q are not odd and positive: the side to move makes the five", s)
	}
	return n, nil
}
