// Package sample reads and writes training samples: games with the value and the best move of
// a search for each position. Its own format is .tgs; the formats .bin and .binpack of
// c-gomoku-cli are there to exchange games with other trainers.
package sample

import (
	"errors"
	"fmt"
	"slices"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/score"
)

// NoValue is the Value of a ply that was not searched.
const NoValue int16 = -1 << 15

// A Ply is one ply of a game, with the result of a search of the position before it.
type Ply struct {
	Move  board.Move // played; None is a pass
	Best  board.Move // the best move of the search, None if not known; not Move if that was chosen at random
	Value int16      // score.Value for the side to move, wins and losses with their distance; NoValue if there was no search
}

// ValueOf returns the Value of a search that an engine reports: points, or if mate is not zero a win proven
// in mate plies, or a loss if it is negative.
func ValueOf(points, mate int) int16 {
	switch {
	case mate > 0:
		return int16(max(score.WinIn(min(mate, int(score.Win))), score.WinFloor))
	case mate < 0:
		return -ValueOf(0, -mate)
	}
	const most = int(score.WinFloor) - 1
	return int16(max(-most, min(points, most)))
}

// Searched reports whether p has a value.
func (p Ply) Searched() bool { return p.Value != NoValue }

// A Line is one of the best moves of a search of several lines, with its value.
type Line struct {
	Ply   uint16     // index in Plies
	Move  board.Move // never None
	Value int16      // as that of a Ply
}

// MaxLines is the greatest number of lines of a ply.
const MaxLines = 32

// A Game is one game of the training data. The position of ply i is the one after
// Plies[:i], Black first, so a game of n plies has up to n positions.
type Game struct {
	Number        uint32 // of the game in its run, from 0; different for games of one origin
	Rule          board.Rule
	Width, Height int // cells
	Outcome       record.Outcome
	Opening       int // how many of Plies are the opening, 0 <= Opening <= len(Plies)
	Plies         []Ply
	Lines         []Line // of searched plies, by ply and then best first; of most plies there are none
}

// Clone returns a copy of g that shares no memory with it.
func (g *Game) Clone() *Game {
	c := *g
	c.Plies, c.Lines = slices.Clone(g.Plies), slices.Clone(g.Lines)
	return &c
}

// LinesOf returns the lines of a ply, in time logarithmic in len(g.Lines).
func (g *Game) LinesOf(ply int) []Line {
	from, _ := slices.BinarySearchFunc(g.Lines, ply, func(l Line, ply int) int { return int(l.Ply) - ply })
	to := from
	for to < len(g.Lines) && int(g.Lines[to].Ply) == ply {
		to++
	}
	return g.Lines[from:to]
}

// Positions returns the number of plies that have a value.
func (g *Game) Positions() int {
	n := 0
	for _, p := range g.Plies {
		if p.Searched() {
			n++
		}
	}
	return n
}

// maxPlies is the length of the longest game: every cell of the largest board, and a pass
// before each.
const maxPlies = 2 * board.MaxSize * board.MaxSize

// Check returns an error unless g can be a game: rule, sides and lengths are in range, every move
// and best move is on an empty cell, and so are the moves of lines, which belong to searched plies. Rows, forbidden points and the outcome are
// not checked. It takes a few nanoseconds a ply.
func (g *Game) Check() error {
	switch {
	case !g.Rule.Valid():
		return fmt.Errorf("unknown rule %d", g.Rule)
	case !board.ValidSize(g.Width, g.Height):
		return fmt.Errorf("board %dx%d is not supported, want sides of %d to %d", g.Width, g.Height, board.MinSize, board.MaxSize)
	case g.Outcome > record.Drawn:
		return fmt.Errorf("unknown outcome %d", g.Outcome)
	case len(g.Plies) > maxPlies:
		return fmt.Errorf("%d plies are more than %d", len(g.Plies), maxPlies)
	case g.Opening < 0 || g.Opening > len(g.Plies):
		return fmt.Errorf("an opening of %d plies in a game of %d", g.Opening, len(g.Plies))
	}
	var taken [board.MaxSize]uint32
	empty := func(m board.Move) error {
		if _, err := board.AtOn(m.X(), m.Y(), g.Width, g.Height); err != nil {
			return err
		}
		if taken[m.Y()]>>m.X()&1 != 0 {
			return fmt.Errorf("%v is on a stone", m)
		}
		return nil
	}
	lines := g.Lines
	for i, p := range g.Plies {
		for _, m := range [...]board.Move{p.Best, p.Move} {
			if m == board.None {
				continue
			}
			if err := empty(m); err != nil {
				return fmt.Errorf("ply %d: %w", i+1, err)
			}
		}
		n := 0
		for ; n < len(lines) && int(lines[n].Ply) == i; n++ {
			l := lines[n]
			switch err := empty(l.Move); {
			case err != nil:
				return fmt.Errorf("ply %d, line %d: %w", i+1, n+1, err)
			case n == MaxLines || l.Value == NoValue || !p.Searched():
				return fmt.Errorf("ply %d, line %d: too many lines, or one without a value", i+1, n+1)
			case slices.ContainsFunc(lines[:n], func(o Line) bool { return o.Move == l.Move }):
				return fmt.Errorf("ply %d, line %d: %v is in two lines", i+1, n+1, l.Move)
			}
		}
		lines = lines[n:]
		if p.Move != board.None {
			taken[p.Move.Y()] |= 1 << p.Move.X()
		}
	}
	if len(lines) > 0 {
		return fmt.Errorf("a line of ply %d is out of order, or there is no such ply", int(lines[0].Ply)+1)
	}
	return nil
}

// Bits of a ply in a sample file. The cell is y*width+x.
const (
	plyCell  = 1<<9 - 1
	plyPass  = plyCell // no cell has this number: 22*22 is less
	plyValue = 1 << 9  // the value follows
	plyBest  = 1 << 10 // the best move was played
	plyOther = 1 << 11 // the best move follows, after the value
	plyLines = 1 << 12 // lines follow: their number u8, and for each its cell u16 and its value i16
	plyBits  = 1<<13 - 1
)

// gameHead is the number of bytes of a game without its plies.
const gameHead = 4 + 4 + 2 + 2

// appendGame appends g as in a block: number u32; rule, width, height, outcome u8; length
// of opening and plies u16; then for each ply a u16 of cell and flags, and as the flags
// say an i16 of the value, a u16 of the best move and the lines. All is little-endian, and most plies
// take four bytes. g must pass Check. Readers from before there were lines refuse plies that have some.
func appendGame(dst []byte, g *Game) []byte {
	dst = le.AppendUint32(dst, g.Number)
	dst = append(dst, byte(g.Rule), byte(g.Width), byte(g.Height), byte(g.Outcome))
	dst = le.AppendUint16(dst, uint16(g.Opening))
	dst = le.AppendUint16(dst, uint16(len(g.Plies)))
	cell := func(m board.Move) uint16 { return uint16(m.Y()*g.Width + m.X()) }
	rest := g.Lines
	for i, p := range g.Plies {
		n := 0
		for n < len(rest) && int(rest[n].Ply) == i {
			n++
		}
		lines := rest[:n]
		rest = rest[n:]
		w := uint16(plyPass)
		if p.Move != board.None {
			w = cell(p.Move)
		}
		if p.Searched() {
			w |= plyValue
		}
		switch {
		case p.Best == board.None:
		case p.Best == p.Move:
			w |= plyBest
		default:
			w |= plyOther
		}
		if len(lines) > 0 {
			w |= plyLines
		}
		dst = le.AppendUint16(dst, w)
		if w&plyValue != 0 {
			dst = le.AppendUint16(dst, uint16(p.Value))
		}
		if w&plyOther != 0 {
			dst = le.AppendUint16(dst, cell(p.Best))
		}
		if len(lines) > 0 {
			dst = append(dst, byte(len(lines)))
			for _, l := range lines {
				dst = le.AppendUint16(le.AppendUint16(dst, cell(l.Move)), uint16(l.Value))
			}
		}
	}
	return dst
}

var errShort = errors.New("the game is truncated")

// parseGame parses the first game of src into g, whose Plies and Lines it reuses, and returns the
// rest of src.
func parseGame(src []byte, g *Game) (rest []byte, err error) {
	if len(src) < gameHead {
		return nil, errShort
	}
	plies, lines := g.Plies[:0], g.Lines[:0]
	*g = Game{
		Number: le.Uint32(src),
		Rule:   board.Rule(src[4]), Width: int(src[5]), Height: int(src[6]), Outcome: record.Outcome(src[7]),
		Opening: int(le.Uint16(src[8:])),
	}
	n := int(le.Uint16(src[10:]))
	src = src[gameHead:]
	if len(src) < 2*n {
		return nil, errShort
	}
	if !board.ValidSize(g.Width, g.Height) { // the cells below need a width
		return nil, g.Check()
	}
	cell := func(w uint16) (board.Move, bool) {
		return board.At(int(w)%g.Width, int(w)/g.Width), int(w) < g.Width*g.Height
	}
	for i := range n {
		if len(src) < 2 {
			return nil, errShort
		}
		w := le.Uint16(src)
		src = src[2:]
		p, ok := Ply{Value: NoValue}, true
		if w&plyCell != plyPass {
			p.Move, ok = cell(w & plyCell)
		}
		if !ok || w&^plyBits != 0 || w&plyBest != 0 && (w&plyOther != 0 || p.Move == board.None) {
			return nil, fmt.Errorf("ply %d: %#04x is not a ply on a board of %dx%d", i+1, w, g.Width, g.Height)
		}
		if w&plyValue != 0 {
			if len(src) < 2 {
				return nil, errShort
			}
			p.Value = int16(le.Uint16(src))
			src = src[2:]
			if p.Value == NoValue {
				return nil, fmt.Errorf("ply %d: the value is the one of plies without a search", i+1)
			}
		}
		switch {
		case w&plyBest != 0:
			p.Best = p.Move
		case w&plyOther != 0:
			if len(src) < 2 {
				return nil, errShort
			}
			p.Best, ok = cell(le.Uint16(src))
			src = src[2:]
			if !ok || p.Best == p.Move {
				return nil, fmt.Errorf("ply %d: wrong best move", i+1)
			}
		}
		if w&plyLines != 0 {
			if len(src) < 1 || len(src) < 1+4*int(src[0]) {
				return nil, errShort
			}
			k := int(src[0])
			if k == 0 || k > MaxLines {
				return nil, fmt.Errorf("ply %d: %d lines, want 1 to %d", i+1, k, MaxLines)
			}
			for src = src[1:]; k > 0; k-- {
				m, ok := cell(le.Uint16(src))
				if !ok {
					return nil, fmt.Errorf("ply %d: a line off the board", i+1)
				}
				lines = append(lines, Line{uint16(i), m, int16(le.Uint16(src[2:]))})
				src = src[4:]
			}
		}
		plies = append(plies, p)
	}
	g.Plies, g.Lines = plies, lines
	return src, g.Check()
}
