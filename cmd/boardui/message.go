package main

import (
	"path/filepath"
	"strings"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/protocol"
)

// A report is what an engine tells of a line it looks at.
type report struct {
	Line   int    `json:"line,omitempty"` // 1 is the best
	Depth  int    `json:"depth,omitempty"`
	Deep   int    `json:"deep,omitempty"` // plies of the longest line looked at
	Nodes  int64  `json:"nodes,omitempty"`
	Scored bool   `json:"scored,omitempty"` // Score and Mate were told
	Score  int    `json:"score"`            // for the side that moves
	Mate   int    `json:"mate,omitempty"`   // plies to a win, negative to a loss
	PV     string `json:"pv,omitempty"`     // pos notation

	words []string // of PV, not yet compared with the board
}

// newReport is what an engine said about its line of the given number, 1 for the best.
func newReport(s protocol.Stats, line int) report {
	return report{
		Line: line, Depth: s.Depth, Deep: s.SelDepth, Nodes: s.Nodes,
		Scored: s.Scored, Score: s.Eval, Mate: s.Mate,
		words: strings.Fields(strings.ToLower(s.PV)),
	}
}

// check compares the best line with the board and keeps what can be played of it. Some
// engines number rows from the bottom: if first is not None the line has to begin with
// it, upside down if need be, and is dropped if it does not.
func (r *report) check(b *board.Board, first board.Move) {
	line := readLine(r.words, b, false)
	if first != board.None && (len(line) == 0 || line[0] != first) {
		line = readLine(r.words, b, true)
		if len(line) == 0 || line[0] != first {
			line = nil
		}
	}
	n := 0
	for n < len(line) && b.Try(line[n].X(), line[n].Y()) == nil {
		b.Play(line[n])
		n++
	}
	for range n {
		b.Undo()
	}
	r.PV = record.FormatMoves(line[:n])
}

// readLine reads words as moves up to the first that is none.
func readLine(words []string, b *board.Board, flip bool) []board.Move {
	var line []board.Move
	for _, w := range words {
		m, err := board.ParseMoves(w, b.Width(), b.Height())
		if err != nil || len(m) != 1 || len(line) == maxPV {
			break
		}
		at := m[0]
		if flip {
			at = board.At(at.X(), b.Height()-1-at.Y())
		}
		line = append(line, at)
	}
	return line
}

// aboutName takes the name from the answer to ABOUT: name="Pela", version=...
func aboutName(line string) string {
	_, rest, found := strings.Cut(line, "name=")
	if !found {
		return ""
	}
	rest = strings.TrimSpace(rest)
	if quoted, ok := strings.CutPrefix(rest, `"`); ok {
		rest, _, _ = strings.Cut(quoted, `"`)
	} else {
		rest, _, _ = strings.Cut(rest, ",")
	}
	rest = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, rest)
	if runes := []rune(strings.TrimSpace(rest)); len(runes) > 40 {
		return string(runes[:40])
	} else {
		return string(runes)
	}
}

// programName is what a command line calls its program, without folder, pbrain-, .exe and .sh.
func programName(command string) string {
	words, err := protocol.SplitCommand(command)
	if err != nil || len(words) == 0 {
		return command
	}
	name := filepath.Base(words[0])
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".exe"), ".sh")
	return strings.TrimPrefix(name, "pbrain-")
}
