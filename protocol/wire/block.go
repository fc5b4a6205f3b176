package wire

import (
	"strings"

	"tengen/brain/board"
)

// Block returns the lines of a command with a list of moves. With owners, each line says whose
// move it was: the engine's or the opponent's. The engine plays the next move. A pass, board.None,
// counts as a move but has no line.
func Block(name string, moves []board.Move, owners bool) string {
	var b strings.Builder
	b.WriteString(name + "\n")
	for i, m := range moves {
		if m == board.None {
			continue
		}
		b.WriteString(MoveText(m))
		switch {
		case !owners:
		case (len(moves)-i)%2 == 0:
			b.WriteString(",1")
		default:
			b.WriteString(",2")
		}
		b.WriteByte('\n')
	}
	b.WriteString("DONE\n")
	return b.String()
}
