package opening

import (
	"fmt"
	"strconv"
	"strings"

	"tengen/brain/board"
)

// A Choice is one decision of one player.
type Choice struct {
	Action Action
	Move   board.Move // of Put, Offer and Pick
	Number int        // of Declare
}

// String gives the choice in the form that ParseChoice reads: "put h8", "swap", "declare 4".
// Cells are in pos notation, rows counted from the top.
func (c Choice) String() string {
	switch {
	case c.Action.OnCell():
		return c.Action.String() + " " + c.Move.String()
	case c.Action == Declare:
		return c.Action.String() + " " + strconv.Itoa(c.Number)
	}
	return c.Action.String()
}

// ParseChoice reads a choice on a board of the given size.
func ParseChoice(text string, width, height int) (Choice, error) {
	f := strings.Fields(strings.ToLower(text))
	for a, name := range actionNames {
		if len(f) == 0 || f[0] != name {
			continue
		}
		c := Choice{Action: Action(a)}
		switch {
		case c.Action.OnCell():
			if len(f) != 2 {
				return c, fmt.Errorf("%s wants one cell, as in %q", name, name+" h8")
			}
			moves, err := board.ParseMoves(f[1], width, height)
			if err != nil {
				return c, err
			}
			if len(moves) != 1 {
				return c, fmt.Errorf("%s wants one cell, got %d", name, len(moves))
			}
			c.Move = moves[0]
		case c.Action == Declare:
			if len(f) != 2 {
				return c, fmt.Errorf("declare wants a number, as in %q", "declare 4")
			}
			n, err := strconv.Atoi(f[1])
			if err != nil {
				return c, fmt.Errorf("declare wants a number, got %q", f[1])
			}
			c.Number = n
		case len(f) != 1:
			return c, fmt.Errorf("%s stands alone, got %q", name, text)
		}
		return c, nil
	}
	return Choice{}, fmt.Errorf("choice %q is not known, want %s", text, strings.Join(actionNames[:], ", "))
}

// actionList names actions for an error.
func actionList(list []Action) string {
	var names []string
	for _, a := range list {
		names = append(names, a.String())
	}
	return strings.Join(names, ", ")
}
