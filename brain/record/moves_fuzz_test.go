package record

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
)

// peopleFiles are the files as people have them.
func peopleFiles(t testing.TB) (files [][]byte) {
	t.Helper()
	names, err := filepath.Glob("../../testdata/files/*.*")
	if err != nil || len(names) < 50 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, raw)
	}
	return files
}

// FuzzMoves: whatever is made of a file, no move of a game is one that is not in its text.
func FuzzMoves(f *testing.F) {
	for _, raw := range peopleFiles(f) {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		trees, err := Read(raw, Reading{})
		if err != nil && len(trees) == 0 {
			return
		}
		if bytes.HasPrefix(raw, []byte("\x1f\x8b")) {
			if raw, err = unpacked(raw); err != nil {
				t.Fatal(err)
			}
		}
		if formatOfBytes(raw) == Zip {
			return // the texts are packed
		}
		for _, tree := range trees {
			if tree == nil {
				continue
			}
			text := ""
			if tree.Format != RenLib {
				s, err := decode(raw, "")
				if err != nil {
					t.Fatal(err)
				}
				_, text = recognized(s.s)
				text = strings.ToLower(folded(text))
				if tree.Format == SGF {
					both := ""
					for _, part := range parts(raw) { // in encodings of their own
						s, _ := decode(part, "")
						both += s.s
					}
					text = strings.ReplaceAll(strings.Join(strings.Fields(strings.ToLower(both)), ""), `\`, "")
				}
			}
			for _, n := range tree.MainLine() {
				if n.Color < board.Wall && n.Move != board.None && !isIn(n.Move, tree, text, raw) {
					t.Fatalf("%v, format %v: the move %v is not in %q", tree.MainLine()[0].Comment, tree.Format, n.Move, raw)
				}
			}
		}
	})
}

// isIn reports whether a move is in a text, as its format writes it.
func isIn(m board.Move, t *Tree, text string, raw []byte) bool {
	fromBottom := fmt.Sprintf("%c%d", 'a'+m.X(), t.Height-m.Y())
	digits := func(x, y int) bool {
		// Numbers may have zeros before them, signs and anything between them.
		return strings.Contains(text, fmt.Sprint(x)) && strings.Contains(text, fmt.Sprint(y))
	}
	switch t.Format {
	case RenLib:
		return bytes.IndexByte(raw, byte(m.Y()<<4|m.X()+1)) >= 0
	case SGF:
		return strings.Contains(text, sgfLetters(m)) || strings.Contains(text, fromBottom) || strings.Contains(text, fmt.Sprintf("%c0%d", 'a'+m.X(), t.Height-m.Y())) || strings.Contains(text, fmt.Sprintf("%c+%d", 'a'+m.X(), t.Height-m.Y()))
	case PSQ:
		return digits(m.X()+1, m.Y()+1)
	case SAV, Session:
		return digits(m.X(), m.Y())
	case Pairs:
		return digits(m.X(), m.Y()) || digits(m.X()+1, m.Y()+1) || digits(m.X()-t.Width/2, m.Y()-t.Height/2) || strings.Contains(text, sgfLetters(m))
	case BinaryPos:
		return bytes.IndexByte(raw[1:], byte(15*m.Y()+m.X())) >= 0
	case WZQ:
		return bytes.IndexByte(raw, byte(15*m.X()+m.Y())) >= 0
	case BUF:
		return m == board.At(7, 7) || bytes.IndexByte(raw, byte(15*m.Y()+m.X()+1)) >= 0
	case RDF:
		return strings.Contains(text, sgfLetters(m))
	case REC:
		return digits(m.X(), m.Y())
	case BDT:
		return strings.Contains(text, fmt.Sprintf("%x%x", m.X()+1, 15-m.Y()))
	case RIF, RenJS:
		return hasLabel(text, m.X(), t.Height-m.Y())
	case Link:
		return strings.Contains(text, fmt.Sprintf("%x%x", m.X(), m.Y())) || hasLabel(text, m.X(), t.Height-m.Y()) || digits(m.X(), m.Y()) || digits(m.X()+1, m.Y()+1)
	case MoveList:
		if isTable(text) && strings.Contains(text, string(rune('a'+m.X()))) && strings.Contains(text, fmt.Sprint(m.Y()+1)) {
			return true // letters and numbers may have columns of their own
		}
		return hasLabel(text, m.X(), m.Y()+1) || slices.Contains(t.Remarks, withoutI) && m.X() >= 'i'-'a' && hasLabel(text, m.X()+1, m.Y()+1)
	case AppJSON:
		return hasLabel(text, m.X(), t.Height-m.Y()) || slices.Contains(t.Remarks, withoutI) && m.X() >= 'i'-'a' && hasLabel(text, m.X()+1, t.Height-m.Y()) ||
			hasBoard(text) && (hasLabel(text, m.X(), m.Y()) || hasLabel(text, m.X(), m.Y()+1) || hasLabel(text, m.X()+1, m.Y()) || hasLabel(text, m.X()+1, m.Y()+1)) ||
			digits(m.X(), m.Y()) || digits(m.X()+1, m.Y()+1) || strings.Contains(text, fmt.Sprint(t.Width*m.Y()+m.X())) || strings.Contains(text, `\u`)
	case JSON, Problems:
		return hasLabel(text, m.X(), m.Y()+1)
	}
	return true
}

// hasBoard reports whether a text has a board, which may tell how the moves beside it count.
func hasBoard(text string) bool {
	return slices.ContainsFunc(appBoards, func(name string) bool { return strings.Contains(text, strings.ToLower(name)) })
}

// hasLabel reports whether a text has a letter and a number, which may have zeros before it.
func hasLabel(text string, x, row int) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != byte('a'+x) {
			continue
		}
		rest := strings.TrimLeft(text[i+1:], "0")
		if strings.HasPrefix(rest, fmt.Sprint(row)) {
			return true
		}
	}
	return strings.Contains(text, "%") // of an address
}
