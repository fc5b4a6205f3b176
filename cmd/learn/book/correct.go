package book

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"tengen/brain/atomicfile"
	"tengen/brain/board"
	"tengen/brain/book"
)

// correct writes the findings into the files. Positions keep their place, and nothing else in a file
// changes except the first line, which says that it was corrected.
func (k *checker) correct(names []string) error {
	note := fmt.Sprintf(", corrected by searches of %d nodes", k.nodes)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var out strings.Builder
		if err := book.ReadText(bytes.NewReader(text), func(e *book.Entry) error {
			line := e.Text
			if e.Board == nil {
				if content := strings.TrimSpace(line); e.Number == 1 && content != "" && !strings.Contains(content, note) {
					line = content + note + "\n"
				}
			} else if f, ok := k.found[book.Format(e.Board, nil)]; ok {
				lines, err := f.corrected(e.Lines, k.within)
				if err != nil {
					return err
				}
				line = book.Format(e.Board, lines) + "\n"
			}
			out.WriteString(line)
			return nil
		}); err != nil {
			return fmt.Errorf("%s: %w", name, err)
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
