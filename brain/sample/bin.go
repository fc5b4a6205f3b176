package sample

import (
	"errors"
	"fmt"
	"io"

	"tengen/brain/board"
	"tengen/brain/record"
)

// A .bin file has one entry for each position:
//
//	u16   result 2 bits, ply 9 bits, board size 5 bits
//	u16   rule 3 bits, move 13 bits
//	u16   for each of ply moves that led to the position, Black first
//
// little-endian, fields from the low bit. The result is for the side to move: 0 lost,
// 1 drawn, 2 won. A move is x<<5 | y, from the top left. There are no values.
// Source: c-gomoku-cli, sample format bin.
const (
	resultLost  = 0
	resultDrawn = 1
	resultWon   = 2
)

// encodeMove returns a move as .bin and .binpack write it. decodeMove is its inverse.
func encodeMove(m board.Move) uint16 {
	return uint16(m.X()<<5 | m.Y())
}

func decodeMove(w uint16, size int) (board.Move, error) {
	return board.AtOn(int(w>>5), int(w&31), size, size)
}

// encodeResult returns the outcome for the side to move after ply plies.
func encodeResult(o record.Outcome, ply int) (uint32, error) {
	switch {
	case o == record.Drawn:
		return resultDrawn, nil
	case o == record.BlackWon && ply%2 == 0, o == record.WhiteWon && ply%2 == 1:
		return resultWon, nil
	case o == record.BlackWon, o == record.WhiteWon:
		return resultLost, nil
	}
	return 0, errors.New("the format has no games without a result")
}

func decodeResult(result uint32, ply int) (record.Outcome, error) {
	switch {
	case result == resultDrawn:
		return record.Drawn, nil
	case result > resultWon:
		return record.Unknown, fmt.Errorf("unknown result %d", result)
	case (result == resultWon) == (ply%2 == 0):
		return record.BlackWon, nil
	}
	return record.WhiteWon, nil
}

// checkGame returns an error unless .bin and .binpack can represent g.
func checkGame(g *Game) error {
	if err := g.Check(); err != nil {
		return err
	}
	if g.Width != g.Height {
		return fmt.Errorf("the format has no boards of %dx%d", g.Width, g.Height)
	}
	return checkRuleAndSize(g.Rule, g.Width)
}

// checkRuleAndSize returns an error unless the rule is freestyle, standard or renju, and the
// size is one of the board package.
func checkRuleAndSize(rule board.Rule, size int) error {
	switch rule {
	case board.Freestyle, board.ExactFive, board.Renju:
	default:
		return fmt.Errorf("the format has no rule %d", rule)
	}
	if !board.ValidSize(size, size) {
		return fmt.Errorf("board size %d is not supported, want %d to %d", size, board.MinSize, board.MaxSize)
	}
	return nil
}

// writeBin writes an entry for every ply of g after the opening, in one Write. Values,
// best moves and lines are lost. Errors: a game without a result, with a pass, on a board that is
// not square or under another rule than 0, 1 and 4; or one of w.
func writeBin(w io.Writer, g *Game) error {
	if err := checkGame(g); err != nil {
		return err
	}
	var out, path []byte
	for i, p := range g.Plies {
		if p.Move == board.None {
			return errors.New("the format has no passes")
		}
		m := encodeMove(p.Move)
		if i >= g.Opening {
			result, err := encodeResult(g.Outcome, i)
			if err != nil {
				return err
			}
			out = le.AppendUint16(out, uint16(result)|uint16(i)<<2|uint16(g.Width)<<11)
			out = le.AppendUint16(out, uint16(g.Rule)|m<<3)
			out = append(out, path...)
		}
		path = le.AppendUint16(path, m)
	}
	_, err := w.Write(out)
	return err
}

// A binReader reads a .bin file and joins consecutive entries of a game.
type binReader struct {
	in    itemReader
	ahead binEntry // the first entry of the next game
	full  bool     // ahead has been read
	games uint32
}

type binEntry struct {
	rule    board.Rule
	size    int
	outcome record.Outcome
	moves   []board.Move // to the position, then the one played in it
}

// newBinReader returns a reader of r, which should be buffered: it is read in small pieces.
func newBinReader(r io.Reader) *binReader { return &binReader{in: itemReader{r: r, what: "entry"}} }

// Read reads the next game into g, whose Plies it reuses: an entry and all that continue
// it. Number counts the games, Opening is the ply of the first entry. It returns io.EOF at
// the end; other errors name the entry and its offset.
func (b *binReader) Read(g *Game) error {
	if !b.full {
		if err := b.entry(&b.ahead); err != nil {
			return err
		}
	}
	first := b.ahead
	b.full = false
	*g = Game{Number: b.games, Rule: first.rule, Width: first.size, Height: first.size,
		Outcome: first.outcome, Opening: len(first.moves) - 1, Plies: g.Plies[:0], Lines: g.Lines[:0]}
	b.games++
	for _, m := range first.moves {
		g.Plies = append(g.Plies, Ply{Move: m, Value: NoValue})
	}
	for {
		b.ahead.moves = nil
		if err := b.entry(&b.ahead); err != nil {
			return nil // the next Read returns the error
		}
		if !b.ahead.follows(g) {
			b.full = true
			return nil
		}
		g.Plies = append(g.Plies, Ply{Move: b.ahead.moves[len(g.Plies)], Value: NoValue})
	}
}

// follows reports whether e is the position after g.
func (e *binEntry) follows(g *Game) bool {
	if e.rule != g.Rule || e.size != g.Width || e.outcome != g.Outcome || len(e.moves) != len(g.Plies)+1 {
		return false
	}
	for i, p := range g.Plies {
		if e.moves[i] != p.Move {
			return false
		}
	}
	return true
}

func (b *binReader) entry(e *binEntry) error {
	return b.in.item(func(read func(n int) ([]byte, error)) error {
		head, err := read(4)
		if err != nil {
			return err
		}
		w, v := uint32(le.Uint16(head)), le.Uint16(head[2:])
		ply := int(w >> 2 & 511)
		e.rule, e.size = board.Rule(v&7), int(w>>11)
		if err := checkRuleAndSize(e.rule, e.size); err != nil {
			return err
		}
		if e.outcome, err = decodeResult(w&3, ply); err != nil {
			return err
		}
		path, err := read(2 * ply)
		if err != nil {
			return err
		}
		game := Game{Rule: e.rule, Width: e.size, Height: e.size}
		for i := range ply + 1 {
			m := v >> 3
			if i < ply {
				m = le.Uint16(path[2*i:])
			}
			own, err := decodeMove(m, e.size)
			if err != nil {
				return err
			}
			e.moves = append(e.moves, own)
			game.Plies = append(game.Plies, Ply{Move: own, Value: NoValue})
		}
		return game.Check()
	})
}

// A itemReader reads a file of consecutive items and keeps track of the offset.
type itemReader struct {
	r     io.Reader
	what  string // name of an item, for errors
	items int    // begun
	at    int64  // bytes read
	err   error
}

// item calls f to read an item. It returns io.EOF if the file ends between two items. Other
// errors name the item and the offset of its first byte. Every error is final.
func (r *itemReader) item(f func(read func(n int) ([]byte, error)) error) error {
	if r.err != nil {
		return r.err
	}
	r.items++
	start := r.at
	r.err = f(func(n int) ([]byte, error) {
		buf := make([]byte, n)
		k, err := io.ReadFull(r.r, buf)
		first := r.at == start
		r.at += int64(k)
		if n > 0 && (err == io.ErrUnexpectedEOF || err == io.EOF && !first) {
			err = ErrTruncated
		}
		return buf, err
	})
	if r.err != nil && r.err != io.EOF {
		r.err = fmt.Errorf("%s %d at byte %d: %w", r.what, r.items, start, r.err)
	}
	return r.err
}
