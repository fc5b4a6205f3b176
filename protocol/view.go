package protocol

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/protocol/wire"
)

// A view is how the manager names the cells of the board.
type view struct {
	width, height int
	yFirst        bool // row,column instead of column,row
}

func (s *server) view() view { return view{s.width, s.height, s.yFirst} }

// viewNext is the view once the commands that wait are executed: that of a line just read.
func (s *server) viewNext() view {
	v := s.view()
	v.yFirst = v.yFirst || slices.ContainsFunc(s.queue, func(t task) bool { return t.Name == showInfoName })
	return v
}

// at returns the cell that the manager calls a,b.
func (v view) at(a, b int) (board.Move, error) {
	if !v.yFirst {
		return board.AtOn(a, b, v.width, v.height)
	}
	m, err := board.AtOn(a, b, v.height, v.width) // errors name the cell as the manager does
	if err != nil {
		return board.None, err
	}
	return board.At(m.Y(), m.X()), nil
}

// fault returns an error of the engine with the name that the manager has for the cell.
func (v view) fault(err error) error {
	var cell *brain.CellError
	if errors.As(err, &cell) {
		return errors.New(cell.Text(v.move))
	}
	return err
}

// pair returns the coordinates of a cell in the order of the manager.
func (v view) pair(m board.Move) (a, b int) {
	if v.yFirst {
		return m.Y(), m.X()
	}
	return m.X(), m.Y()
}

// move is the answer to a command that asks for a move.
func (v view) move(m board.Move) string { return wire.PairText(v.pair(m)) }

// spaced names a cell with a blank between the coordinates.
func (v view) spaced(m board.Move) string {
	a, b := v.pair(m)
	return fmt.Sprintf("%d %d", a, b)
}

// moves are several moves on one line.
func (v view) moves(list []board.Move) string {
	words := make([]string, len(list))
	for i, m := range list {
		words[i] = v.move(m)
	}
	return strings.Join(words, " ")
}

// opening is the answer to SWAP2BOARD.
func (v view) opening(o brain.Opening) string {
	if o.Swap {
		return "SWAP"
	}
	return v.moves(o.Moves)
}

// forbid lists cells as two digits for the first coordinate and two for the second.
func (v view) forbid(cells []board.Move) string {
	var b strings.Builder
	b.WriteString("FORBID ")
	for _, m := range cells {
		first, second := v.pair(m)
		fmt.Fprintf(&b, "%02d%02d", first, second)
	}
	b.WriteByte('.')
	return b.String()
}

// label names a cell for people.
func (v view) label(m board.Move) string { return m.Label(v.height) }

// otherOwner returns what is wrong with one more stone of a list: its cell has another owner there. A
// line that is there twice changes nothing.
func (v view) otherOwner(list []brain.Stone, s brain.Stone) (reason string) {
	for _, before := range list {
		if before.Move == s.Move && before.Owner != s.Owner {
			return fmt.Sprintf("the cell %s has the owners %d and %d", v.move(s.Move), before.Owner, s.Owner)
		}
	}
	return ""
}

// stone parses a line of a list: "a,b,owner" as BOARD has it, or "a,b" as SWAP2BOARD has. The
// reason is empty if the line is right and the cell is on the board.
func (v view) stone(line string, owner bool) (s brain.Stone, reason string) {
	fields := strings.Split(strings.Trim(line, " \t\r\n"), ",")
	want, usage := 3, "column,row,owner as in 7,7,1"
	if !owner {
		want, usage = 2, "column,row as in 7,7"
	}
	if !owner && len(fields) == 3 {
		fields = fields[:2] // an owner is allowed and ignored
	}
	if len(fields) != want {
		return s, "want " + usage + " or DONE, got " + wire.Quote(line, 40)
	}
	var n [3]int
	for i, field := range fields {
		var err error
		if n[i], err = wire.ParseNumber(field); err != nil {
			return s, "want " + usage + " or DONE, got " + wire.Quote(line, 40)
		}
	}
	if owner && (n[2] < int(brain.Own) || n[2] > int(brain.Blocked)) {
		return s, "owner " + strconv.Itoa(n[2]) + " is not 1, 2 or 3 in " + wire.Quote(line, 40)
	}
	m, err := v.at(n[0], n[1])
	if err != nil {
		return s, err.Error()
	}
	return brain.Stone{Move: m, Owner: brain.Owner(n[2])}, ""
}
