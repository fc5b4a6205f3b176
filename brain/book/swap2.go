package book

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"

	"tengen/brain/board"
)

type place struct {
	rule board.Rule
	size int
}

var proposals = sync.OnceValue(func() map[place][][]board.Move {
	all := map[place][][]board.Move{}
	err := each("swap2", func(file string, r io.Reader) error {
		name, _, _ := strings.Cut(file, ".")
		name, side, _ := strings.Cut(name, "-")
		rule, ok := board.RuleNamed(name)
		p := place{rule: rule}
		if _, err := fmt.Sscan(side, &p.size); err != nil || !ok {
			return fmt.Errorf("the name is not RULE-SIZE.txt")
		}
		for in := bufio.NewScanner(r); in.Scan(); {
			moves, err := board.ParseMoves(in.Text(), p.size, p.size)
			if err != nil {
				return err
			}
			if len(moves) != 3 {
				return fmt.Errorf("%q has %d stones, want three", in.Text(), len(moves))
			}
			all[p] = append(all[p], moves)
		}
		return nil
	})
	if err != nil {
		panic(err) // a test reads them too
	}
	return all
})

// Proposals returns three stones each, black, white and black, after which neither color is
// better: more than a hundred for freestyle, standard and renju on boards of 15x15 and 20x20,
// none for others. They must not be changed.
func Proposals(rule board.Rule, width, height int) [][]board.Move {
	if width != height {
		return nil
	}
	return proposals()[place{rule, width}]
}
