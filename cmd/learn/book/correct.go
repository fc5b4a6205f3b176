package book

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"tengen/brain/board"
	"tengen/brain/book"
	"tengen/brain/record/atomicfile"
)

// correct writes what was found into the files: positions keep their place, all else of a file
// stays as it is but for its first line, which says what was done.
func (k *checker) correct(names []string) error {
	note := fmt.Sprintf(", corrected by searches of %d nodes", k.nodes)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var out strings.Builder
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			content := strings.TrimSpace(line)
			switch {
			case content == "":
			case content[0] == '#':
				if n == 1 && !strings.Contains(content, note) {
					line = content + note + "\n"
				}
			default:
				b, lines, err := book.Parse(content)
				if err != nil {
					return fmt.Errorf("%s: line %d: %w", name, n, err)
				}
				if f, ok := k.found[book.Format(b, nil)]; ok {
					if lines, err = f.corrected(lines, k.within); err != nil {
						return err
					}
					line = book.Format(b, lines) + "\n"
				}
			}
			out.WriteString(line)
		}
		if err := atomicfile.Write(name, []byte(out.String())); err != nil {
			return err
		}
	}
	return nil
}

// corrected returns lines with the values found, the best first, and without those more than
// spread points worse. Moves that were not searched keep their distance from the move that was
// played, and are worse than the best.
func (f *finding) corrected(lines []book.Line, spread int) ([]book.Line, error) {
	moves, err := board.ParseMoves(f.Played+f.Best, board.MaxSize, board.MaxSize)
	if err != nil || len(moves) != 2 {
		return nil, fmt.Errorf("%s: no moves are %q and %q", f.Position, f.Played, f.Best)
	}
	played, best := book.Line{Move: moves[0], Value: f.Least}, book.Line{Move: moves[1], Value: f.Value}
	top, shift := max(f.Value, f.Least), 0
	after := []book.Line{played}
	if best.Move != played.Move {
		after = append(after, best)
	}
	for _, l := range lines {
		if l.Move == played.Move {
			shift = played.Value - l.Value
		}
	}
	for _, l := range lines {
		if l.Move != played.Move && l.Move != best.Move {
			after = append(after, book.Line{Move: l.Move, Value: min(l.Value+shift, top-1)})
		}
	}
	after = slices.DeleteFunc(after, func(l book.Line) bool { return l.Value < top-spread })
	slices.SortStableFunc(after, func(a, b book.Line) int { return b.Value - a.Value })
	return after, nil
}
