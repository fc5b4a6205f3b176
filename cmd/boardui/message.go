package main

import (
	"path/filepath"
	"strings"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/protocol/client"
	"tengen/protocol/wire"
)

// A report is an engine's evaluation of one of its lines.
type report struct {
	Line   int    `json:"line,omitempty"` // from 1 for the best
	Depth  int    `json:"depth,omitempty"`
	Deep   int    `json:"deep,omitempty"` // plies of the longest line searched
	Nodes  int64  `json:"nodes,omitempty"`
	Speed  int64  `json:"speed,omitempty"`  // nodes a second
	Scored bool   `json:"scored,omitempty"` // Score and Mate are known
	Score  int    `json:"score"`            // for the side to move
	Mate   int    `json:"mate,omitempty"`   // plies to a win, negative to a loss
	PV     string `json:"pv,omitempty"`     // pos notation
	Tables bool   `json:"tables,omitempty"` // without its network, since that could not be loaded

	words []string // of PV, not checked yet
}

// noNetwork begins the MESSAGE of an engine that plays without the network of the rule and board, since it
// could not be loaded: by tables, or on a large board by the network of small ones. An engine that has its
// networks within itself never says so.
const noNetwork = "MESSAGE no network"

// newReport returns the report of a line of stats.
func newReport(s wire.Stats, line int) report {
	return report{
		Line: line, Depth: s.Depth, Deep: s.SelDepth, Nodes: s.Nodes, Speed: s.Speed,
		Scored: s.Scored, Score: s.Eval, Mate: s.Mate,
		words: strings.Fields(strings.ToLower(s.PV)),
	}
}

// check sets PV to the legal part of the line. Engines number rows from the bottom, as people
// do, but some from the top: if first is not None, the line must begin with it, may be
// mirrored for that, and is dropped if that does not help.
func (r *report) check(b *board.Board, first board.Move) {
	line := readLine(r.words, b, true)
	if first != board.None && (len(line) == 0 || line[0] != first) {
		line = readLine(r.words, b, false)
		if len(line) == 0 || line[0] != first {
			line = nil
		}
	}
	ply := b.Ply()
	b.PlayAll(line) // as far as it is legal
	n := b.Ply() - ply
	for range n {
		b.Undo()
	}
	r.PV = record.FormatMoves(line[:n])
}

// readLine returns the moves at the start of words, with flip mirrored vertically.
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

// aboutName returns the name in an answer to ABOUT: name="Pela", version=...
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

// programName returns the name of the program in a command line, without directory, pbrain-,
// .exe and .sh.
func programName(command string) string {
	words, err := client.SplitCommand(command)
	if err != nil || len(words) == 0 {
		return command
	}
	name := filepath.Base(words[0])
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".exe"), ".sh")
	return strings.TrimPrefix(name, "pbrain-")
}
