package record

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tengen/brain/board"
)

// isSAV reports whether a text begins as a .sav file does.
func isSAV(s string) bool {
	s = strings.TrimLeft(s, " \t\n")
	f := strings.Fields(s[:min(len(s), 64)])
	if len(f) < 3 {
		return false
	}
	for _, w := range f[:3] {
		if strings.Trim(w, "0123456789") != "" {
			return false
		}
	}
	return true
}

// readSAV reads a game of Yixin-Board: height and width of the board, the number of moves,
// and row and column of each, from the top left. What stands behind those moves is left out, and if
// there are fewer the game ends there, as Yixin-Board reads it.
// Source: Yixin-Board, .sav.
func readSAV(s string) ([]*Tree, error) {
	words := strings.Fields(s)
	number := func(i int) (int, error) {
		n, err := strconv.Atoi(words[i])
		if err != nil {
			return 0, fmt.Errorf("%.40q is not a number", words[i])
		}
		return n, nil
	}
	var head [3]int
	for i := range head {
		var err error
		if head[i], err = number(i); err != nil {
			return nil, err
		}
	}
	height, width, moves := head[0], head[1], head[2]
	if !board.ValidSize(width, height) {
		return nil, fmt.Errorf("a board of %dx%d, want sides of %d to %d", width, height, board.MinSize, board.MaxSize)
	}
	if moves > width*height {
		return nil, errors.New("more moves than cells")
	}
	g := Game{Width: width, Height: height}
	for i := 3; i+1 < len(words) && len(g.Moves) < moves; i += 2 {
		y, err := number(i)
		if err != nil {
			return nil, err
		}
		x, err := number(i + 1)
		if err != nil {
			return nil, err
		}
		m, err := board.AtOn(x, y, width, height)
		if err != nil {
			return nil, fmt.Errorf("move %d: row %d, column %d is not on a board of %dx%d, where they count from 0", len(g.Moves)+1, y, x, width, height)
		}
		g.Moves = append(g.Moves, m)
	}
	var said remarks
	if len(g.Moves) < moves {
		said.add("%d moves are announced, %d follow", moves, len(g.Moves))
	} else if behind := len(words) - 3 - 2*moves; behind == 1 {
		return nil, fmt.Errorf("%d moves are announced, and %d numbers are not pairs", moves, 2*moves+1)
	} else if behind > 0 {
		said.add("%d moves are announced: %d numbers behind them are left out", moves, behind)
	}
	if moves > 0 && len(g.Moves) == 0 {
		return nil, fmt.Errorf("%d moves are announced, none follows", moves)
	}
	t := treeOf(&g)
	if err := t.check(&said); err != nil {
		return nil, err
	}
	t.Remarks = said.all()
	return []*Tree{t}, nil
}
