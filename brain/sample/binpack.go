package sample

import (
	"errors"
	"fmt"
	"io"

	"tengen/brain/board"
)

// A .binpack file is a list of games, little-endian, fields from the low bit:
//
//	u32   board size 5 bits, rule 3, result 4, stones at the end 10, stones of the opening 10
//	u32   tag 14 bits, number of lines 18
//	u16   for each stone of the opening: its move, Black first
//	u32   for each line: first 1 bit, last 1, no value 1, pass 1, reserved 2, move 10, value i16
//
// The result is for the side to move after the opening. A move is x<<5 | y. The lines from a
// first to a last belong to one position: the first is the move played. Values are for the
// side to move.
// Source: c-gomoku-cli and Rapfi, sample format binpack.
const (
	packFirst   = 1 << 0
	packLast    = 1 << 1
	packNoValue = 1 << 2
	packPass    = 1 << 3
	packFlags   = 6 // bits of flags below the move
)

// writeBinpack writes g in one Write. The opening ends at its first pass or value. If the
// move played is not the best, the best follows as a second line with the value, and the
// move played has the value less one, an upper bound. A best move without a value, the
// other lines of a search and the number of the game are lost. Errors: a game without a result or plies to write, on a
// board that is not square or under another rule than 0, 1 and 4; or one of w.
func writeBinpack(w io.Writer, g *Game) error {
	if err := checkGame(g); err != nil {
		return err
	}
	opening := 0
	for opening < g.Opening && g.Plies[opening].Move != board.None && !g.Plies[opening].Searched() {
		opening++
	}
	result, err := encodeResult(g.Outcome, opening)
	if err != nil {
		return err
	}
	var lines []byte
	line := func(flags uint16, m board.Move, value int16) {
		if m != board.None {
			flags |= encodeMove(m) << packFlags
		}
		lines = le.AppendUint16(le.AppendUint16(lines, flags), uint16(value))
	}
	stones := opening
	for _, p := range g.Plies[opening:] {
		flags := uint16(packFirst | packLast)
		if p.Move == board.None {
			flags |= packPass
		} else {
			stones++
		}
		switch {
		case !p.Searched():
			line(flags|packNoValue, p.Move, 0)
		case p.Best == p.Move || p.Best == board.None:
			line(flags, p.Move, p.Value)
		default:
			line(flags&^packLast, p.Move, p.Value-1)
			line(packLast, p.Best, p.Value)
		}
	}
	if len(lines) == 0 {
		return errors.New("a game without moves after its opening")
	}
	out := le.AppendUint32(nil, uint32(g.Width)|uint32(g.Rule)<<5|result<<8|uint32(stones)<<12|uint32(opening)<<22)
	out = le.AppendUint32(out, uint32(len(lines)/4)<<14)
	for _, p := range g.Plies[:opening] {
		out = le.AppendUint16(out, encodeMove(p.Move))
	}
	_, err = w.Write(append(out, lines...))
	return err
}

// A binpackReader reads a .binpack file.
type binpackReader struct {
	in    itemReader
	games uint32
}

// newBinpackReader returns a reader of r, which should be buffered: it is read in small
// pieces.
func newBinpackReader(r io.Reader) *binpackReader {
	return &binpackReader{in: itemReader{r: r, what: "game"}}
}

// Read reads the next game into g, whose Plies it reuses. Of several lines of a position the
// one with the highest value is the best move. It returns io.EOF at the end; other errors
// name the game and its offset.
func (b *binpackReader) Read(g *Game) error {
	return b.in.item(func(read func(n int) ([]byte, error)) error {
		head, err := read(8)
		if err != nil {
			return err
		}
		h, lines := le.Uint32(head), int(le.Uint32(head[4:])>>14)
		opening := int(h >> 22)
		*g = Game{Number: b.games, Rule: board.Rule(h >> 5 & 7), Width: int(h & 31), Height: int(h & 31),
			Opening: opening, Plies: g.Plies[:0], Lines: g.Lines[:0]}
		if err := checkRuleAndSize(g.Rule, g.Width); err != nil {
			return err
		}
		if g.Outcome, err = decodeResult(h>>8&15, opening); err != nil {
			return err
		}
		if opening > g.Width*g.Height {
			return fmt.Errorf("an opening of %d stones on a board of %dx%d", opening, g.Width, g.Height)
		}
		body, err := read(2 * opening)
		if err != nil {
			return err
		}
		for ; len(body) > 0; body = body[2:] {
			m, err := decodeMove(le.Uint16(body), g.Width)
			if err != nil {
				return err
			}
			g.Plies = append(g.Plies, Ply{Move: m, Value: NoValue})
		}
		open := false // the position has more lines
		for range lines {
			line, err := read(4)
			if err != nil {
				return err
			}
			if open, err = g.packLine(le.Uint16(line), int16(le.Uint16(line[2:])), open); err != nil {
				return fmt.Errorf("ply %d: %w", len(g.Plies), err)
			}
			if len(g.Plies) > maxPlies {
				break // Check returns the error
			}
		}
		if open {
			return errors.New("the last position has no last line")
		}
		b.games++
		return g.Check()
	})
}

// packLine adds a line to the game and reports whether its position has more lines.
func (g *Game) packLine(w uint16, value int16, open bool) (bool, error) {
	p := Ply{Value: NoValue}
	if w&packPass == 0 {
		var err error
		if p.Move, err = decodeMove(w>>packFlags, g.Width); err != nil {
			return false, err
		}
	}
	if w&packNoValue == 0 {
		p.Value, p.Best = max(value, NoValue+1), p.Move
	}
	switch first := w&packFirst != 0; {
	case first == open:
		return false, errors.New("a position without a first line, or with two")
	case first:
		g.Plies = append(g.Plies, p)
	default:
		if last := &g.Plies[len(g.Plies)-1]; p.Searched() && p.Value > last.Value {
			last.Value, last.Best = p.Value, p.Best
		}
	}
	return w&packLast == 0, nil
}
