package database

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"tengen/brain/board"
	"tengen/brain/record"
)

// A packedKey is a Key of a board of 15x15 in half the bytes: the rule, the number of stones, and a byte
// for each, column<<4 | row, 0xff for a pass. Packed keys sort as the entries of a file do.
type packedKey []byte

const packedPass = 0xff

// unpack appends the Key to dst.
func (p packedKey) unpack(dst []byte) []byte {
	dst = append(dst, p[0], record.LibSize, record.LibSize)
	for _, c := range p[2:] {
		if c == packedPass {
			dst = append(dst, 0xff, 0xff)
		} else {
			dst = append(dst, c>>4, c&15)
		}
	}
	return dst
}

// packedTurns are the cells of a board of 15x15, packed, as each turn puts them.
var packedTurns = func() (table [turns][256]byte) {
	for t := range table {
		for y := range record.LibSize {
			for x := range record.LibSize {
				p := turn(t).of(point(x<<8|y), record.LibSize, record.LibSize)
				table[t][x<<4|y] = byte(p>>8<<4 | p&15)
			}
		}
	}
	return table
}()

// A lineKey makes the keys of the positions along a line of a library as moves are played and taken back:
// the stones are kept sorted in all eight turns.
type lineKey struct {
	rule   byte
	side   board.Color
	moves  []byte // packed, packedPass for a pass
	cells  [256]bool
	turned [turns][2][]byte

	buf  packedKey
	same uint8 // set of the turns that give the last key
}

func newLineKey(rule board.Rule) (*lineKey, error) {
	i := slices.Index(rules, rule)
	if i < 0 {
		return nil, ErrPosition
	}
	return &lineKey{rule: byte(i)}, nil
}

// packed returns a cell in a byte.
func packed(m board.Move) byte { return byte(m.X()<<4 | m.Y()) }

// play plays on an empty cell, or passes.
func (k *lineKey) play(cell byte) {
	if cell != packedPass {
		k.cells[cell] = true
		for t := range k.turned {
			stones := &k.turned[t][k.side]
			c := packedTurns[t][cell]
			i, _ := slices.BinarySearch(*stones, c)
			*stones = slices.Insert(*stones, i, c)
		}
	}
	k.moves = append(k.moves, cell)
	k.side = k.side.Other()
}

// undo takes the last move back.
func (k *lineKey) undo() {
	cell := k.moves[len(k.moves)-1]
	k.moves = k.moves[:len(k.moves)-1]
	k.side = k.side.Other()
	if cell == packedPass {
		return
	}
	k.cells[cell] = false
	for t := range k.turned {
		stones := &k.turned[t][k.side]
		i, _ := slices.BinarySearch(*stones, packedTurns[t][cell])
		*stones = slices.Delete(*stones, i, i+1)
	}
}

// key returns the key of the position, which is valid up to the next call, or nil if it has none.
func (k *lineKey) key() packedKey {
	black, white := len(k.turned[0][0]), len(k.turned[0][1])
	if black != white && black != white+1 {
		return nil
	}
	best := 0
	k.same = 1
	for t := 1; t < turns; t++ {
		order := bytes.Compare(k.turned[t][0], k.turned[best][0])
		if order == 0 {
			order = bytes.Compare(k.turned[t][1], k.turned[best][1])
		}
		switch {
		case order < 0:
			best, k.same = t, 1<<t
		case order == 0:
			k.same |= 1 << t
		}
	}
	n := black + white
	passed := k.side != board.Color(n&1)
	count := n
	if passed {
		count++
	}
	k.buf = append(k.buf[:0], k.rule, byte(count))
	for c, stones := range k.turned[best] {
		k.buf = append(k.buf, stones...)
		if passed && n&1 == c {
			k.buf = append(k.buf, packedPass)
		}
	}
	return k.buf
}

// canonical returns the cell of the last key that a cell is on, as that of a keyer does.
func (k *lineKey) canonical(cell byte) point {
	best := 0x100
	for t := range turns {
		if k.same>>t&1 == 0 {
			continue
		}
		c := packedTurns[t][cell]
		best = min(best, int(c>>4|c<<4)) // row by row
	}
	return point(best&15<<8 | best>>4)
}

// A libOp is what a node of a library says of a position.
type libOp struct {
	kind   opKind
	record Record // of opResult
	at     point  // of opCell
	text   string // of opComment and opCell
}

type opKind byte

const (
	opKnown   opKind = iota // the position is in the library
	opResult                // it is won, lost or has a value
	opComment               // more of its comment
	opCell                  // a text on a cell
)

// on returns the record of a position after the operation. Without one before it r is Record{}.
func (o *libOp) on(r Record, known bool) Record {
	if !known {
		r = Record{Label: None}
	}
	switch o.kind {
	case opResult:
		r.Label, r.Value, r.depth = o.record.Label, o.record.Value, o.record.depth
	case opComment:
		r = r.withMore(o.text)
	case opCell:
		return r.withCell(o.at, o.text)
	}
	return r.labeled()
}

// walkLib calls use with what a library says of its positions, in the order of its nodes, and before
// each node next. It returns the number of moves so far that lead to a position with a key. The keys are valid
// within the calls. Branches that begin on a taken cell are left out.
func walkLib(lib *record.LibReader, rule board.Rule, next func() error, use func(packedKey, libOp) error) (int, error) {
	k, err := newLineKey(rule)
	if err != nil {
		return 0, err
	}
	comment := func(key packedKey, text string) error {
		if strings.TrimSpace(text) == "" || key == nil {
			return nil
		}
		return use(key, libOp{kind: opComment, text: text})
	}
	n := 0
	ignore := 0 // depth from which a branch is impossible, 0 if none
	for {
		node, err := lib.Next()
		if err == io.EOF {
			return n, nil
		}
		if err == nil {
			err = next()
		}
		if err != nil {
			return n, err
		}
		for len(k.moves) > max(node.Depth-1, 0) {
			k.undo()
		}
		if ignore > 0 && node.Depth > ignore {
			continue
		}
		ignore = 0
		pass := node.Move == board.None
		switch {
		case node.Depth == 0:
			if err := comment(k.key(), node.Comment); err != nil {
				return n, err
			}
			continue
		case len(k.moves) >= 2*record.LibSize*record.LibSize:
			return n, errors.New("more passes than cells")
		case node.NoMove && pass:
			ignore = node.Depth
			continue
		case pass:
			k.play(packedPass)
			if err := comment(k.key(), node.Comment); err != nil {
				return n, err
			}
			continue // what follows may be a position again
		case k.cells[packed(node.Move)]:
			ignore = node.Depth
			continue
		}
		cell := packed(node.Move)
		text := strings.TrimSpace(node.Text)
		r, result := ofLibText(text, node.Depth)
		drawn := false // the position after the move is known for its text
		if text != "" && !result {
			if key := k.key(); key != nil {
				if err := use(key, libOp{kind: opCell, at: k.canonical(cell), text: text}); err != nil {
					return n, err
				}
				drawn = true
			}
		}
		if node.NoMove && !result {
			ignore = node.Depth
			if !drawn {
				continue
			}
		}
		passed := k.side != board.Color((len(k.turned[0][0])+len(k.turned[0][1]))&1)
		k.play(cell)
		key := k.key()
		switch {
		case key == nil, ignore > 0 && passed:
			continue
		case ignore > 0:
			if err := use(key, libOp{kind: opKnown}); err != nil {
				return n, err
			}
			continue
		}
		o := libOp{kind: opKnown}
		if result {
			o = libOp{kind: opResult, record: r}
		}
		if err := use(key, o); err != nil {
			return n, err
		}
		n++
		if err := comment(key, node.Comment); err != nil {
			return n, err
		}
	}
}
