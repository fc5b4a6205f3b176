package record

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"

	"tengen/brain/board"
)

// Positions in the JSON of other programs are boards, as lists of rows of cells or rows as drawn, or lists
// of the stones of each color. A board beside moves is the one behind them: it tells how their points count.

// Names of the members that are read.
var (
	appBoards = []string{"board", "grid", "cells", "stones", "board_state", "boardState", "boardData", "initialBoard"}
	appStones = [][2]string{{"black", "white"}, {"blackStones", "whiteStones"}, {"blacks", "whites"}}
	appSides  = []string{"side", "sideToMove", "side_to_move", "toMove", "to_move", "turn", "nextPlayer", "next_player", "currentPlayer", "current_player"}
)

var (
	errNoStones = errors.New("the board of the JSON has no stones")
	errCaptures = errors.New("this is a game with captures, which no rule here has")
)

// hasCaptures reports whether an object says that stones are taken.
func hasCaptures(v map[string]any) bool {
	settings, _ := v["settings"].(map[string]any)
	return v["enableCapture"] == true || settings["enableCapture"] == true
}

// position returns what reads the position of an object, if it has one.
func (r *appReader) position(v map[string]any) (func() (*Tree, error), bool) {
	side := board.Empty
	for _, name := range appSides {
		if c, ok := appColor(v[name]); ok {
			if _, number := v[name].(json.Number); !number || name != "turn" {
				side = c
				break
			}
		}
	}
	read := func(position func() (*Tree, error)) func() (*Tree, error) {
		return func() (*Tree, error) {
			t, err := position()
			if err != nil {
				return nil, err
			}
			if len(t.Root.Setup) == 0 {
				return nil, errNoStones
			}
			if t.Root.Side == board.Empty {
				t.Root.Side = side
			}
			t.about(v)
			return t, nil
		}
	}
	for _, names := range appStones {
		black, ok1 := v[names[0]].([]any)
		white, ok2 := v[names[1]].([]any)
		if ok1 && ok2 && isPoints(append(black[:len(black):len(black)], white...)) {
			return read(func() (*Tree, error) { return r.stones(v, black, white) }), true
		}
	}
	for _, name := range appBoards {
		beside := ""
		if side < board.Wall {
			beside = side.String() + " to move"
		}
		if position, ok := drawnBoard(v[name], beside); ok {
			return read(position), true
		}
	}
	return nil, false
}

// stones returns the position of two lists of stones.
func (r *appReader) stones(v map[string]any, lists ...[]any) (*Tree, error) {
	t := NewTree(r.sideOf(v), 0)
	for _, name := range appBoards {
		if position, ok := drawnBoard(v[name], ""); ok {
			if drawn, err := position(); err == nil {
				t.Width, t.Root.Marks = drawn.Width, drawn.Root.Marks
				break
			}
		}
	}
	side := t.Width
	t.Height = side
	for c, list := range lists {
		for _, value := range list {
			p, _ := pointOf(value)
			m, err := pointOrder{}.at(p, side)
			if err == nil && m == board.None {
				err = errors.New("a pass among the stones")
			}
			if err != nil {
				return nil, err
			}
			t.Root.Setup = append(t.Root.Setup, Stone{m, board.Color(c)})
		}
	}
	return t, nil
}

// drawnBoard returns what reads the position of a list of rows from the top, each a list of cells or a text
// that is a row of a drawn board, or of one text with all rows. What is drawn beside it tells whose move it is.
func drawnBoard(v any, beside string) (func() (*Tree, error), bool) {
	if text, ok := v.(string); ok {
		return textBoard(unrolled(text), beside)
	}
	rows, _ := v.([]any)
	if len(rows) < board.MinSize || len(rows) > board.MaxSize {
		return nil, false
	}
	if _, ok := rows[0].(string); ok {
		var text strings.Builder
		for _, row := range rows {
			s, ok := row.(string)
			if !ok || strings.Contains(s, "\n") {
				return nil, false
			}
			text.WriteString(s + "\n")
		}
		return textBoard(text.String(), beside)
	}
	return cellBoard(rows)
}

// textBoard returns what reads the position of rows as drawn, a line each.
func textBoard(text, beside string) (func() (*Tree, error), bool) {
	text = strings.TrimSpace(text)
	boards, _, odd := drawings(text)
	if len(boards) != 1 || odd != "" || len(boards[0]) != strings.Count(text, "\n")+1 {
		return nil, false
	}
	return func() (*Tree, error) { return drawnTree(boards[0], beside) }, true
}

// cellBoard returns what reads the position of a list of rows, each a list of cells: 0 or nothing for an empty
// one, a color as in a point for a stone, alone or in an object.
func cellBoard(rows []any) (func() (*Tree, error), bool) {
	first, _ := rows[0].([]any)
	if !board.ValidSize(len(first), len(rows)) {
		return nil, false
	}
	t := NewTree(len(first), len(rows))
	for y, row := range rows {
		cells, _ := row.([]any)
		if len(cells) != len(first) {
			return nil, false
		}
		for x, cell := range cells {
			if object, ok := cell.(map[string]any); ok {
				cell = "?"
				for _, name := range []string{"stone", "color", "player", "value"} {
					if inner, ok := object[name]; ok {
						cell = inner
						break
					}
				}
			}
			c, ok := appColor(cell)
			if ok {
				t.Root.Setup = append(t.Root.Setup, Stone{board.At(x, y), c})
				continue
			}
			switch cell := cell.(type) {
			case nil:
			case json.Number:
				ok = cell.String() == "0"
			case string:
				ok = strings.Trim(cell, " .-_+") == "" || cell == "empty" || cell == "none"
			}
			if !ok && cell != nil {
				return nil, false
			}
		}
	}
	return func() (*Tree, error) { return t, nil }, true
}

// A pointOrder says how points count.
type pointOrder struct {
	first   int  // of pairs of numbers, 0 or 1, and of rows behind letters if they count from the top
	skipI   bool // the letters of columns leave out i
	swapped bool // pairs are rows and columns, and rows behind letters count from the top
}

// at returns the move of a point on a board of side cells a side.
func (o pointOrder) at(p jsonPoint, side int) (board.Move, error) {
	switch {
	case p.pass:
		return board.None, nil
	case p.row:
		if o.skipI && p.x > 'i'-'a' {
			p.x--
		}
		if o.swapped {
			return board.AtOn(p.x, p.y-o.first, side, side)
		}
		return board.AtOn(p.x, side-p.y, side, side)
	case p.index:
		return board.AtOn(p.x%side, p.x/side, side, side)
	case o.swapped:
		p.x, p.y = p.y, p.x
	}
	return board.AtOn(p.x-o.first, p.y-o.first, side, side)
}

// lettersSkipI reports whether the letters of columns leave out i, as one is behind the last column and
// none is i.
func lettersSkipI(points []jsonPoint, side int) bool {
	behind := false
	for _, p := range points {
		if p.row && p.x == 'i'-'a' {
			return false
		}
		behind = behind || p.row && p.x == side
	}
	return behind
}

// orderOfBoard returns how the points of an object count: order, or another way in which they are the stones
// of a board that stands beside them. Known says that a board tells it, and differs that it has other stones.
func orderOfBoard(points []jsonPoint, v map[string]any, order pointOrder, side int) (found pointOrder, known, differs bool) {
	var want map[board.Move]board.Color
	for _, name := range appBoards {
		if position, ok := drawnBoard(v[name], ""); ok {
			if t, err := position(); err == nil && t.Width == side && t.Height == side && len(t.Root.Setup) > 0 {
				want = map[board.Move]board.Color{}
				for _, stone := range t.Root.Setup {
					want[stone.At] = stone.Color
				}
				break
			}
		}
	}
	if want == nil {
		return order, false, false
	}
	for _, skipI := range []bool{order.skipI, true, false} {
		for _, swapped := range []bool{false, true} {
			for _, first := range []int{order.first, 1 - order.first} {
				o := pointOrder{first, skipI, swapped}
				if maps.Equal(o.stones(points, side), want) {
					return o, true, false
				}
			}
		}
	}
	return order, false, true
}

// stones returns the stones of points that are moves in turn, or nil if one is off the board.
func (o pointOrder) stones(points []jsonPoint, side int) map[board.Move]board.Color {
	stones := map[board.Move]board.Color{}
	for i, p := range points {
		c := board.Color(i & 1)
		if p.color < board.Wall {
			c = p.color
		}
		m, err := o.at(p, side)
		if err != nil {
			return nil
		}
		if m != board.None {
			stones[m] = c
		}
	}
	return stones
}
