package database

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tengen/brain/board"
)

// A Key is a position as the file has it, the same for all its rotations and reflections:
// rule, width, height, then column and row of the black stones and of the white ones, each
// sorted. If the number of stones does not tell who is to move, -1, -1 stands for a pass
// behind the stones of the player who passed. Of the up to eight keys of a position it is
// the least, byte by byte.
// Source: database of Yixin and Rapfi.
type Key string

// ErrPosition is returned for a position that no key describes.
var ErrPosition = errors.New("a database holds positions of freestyle, standard and renju with as many white stones as black, or one less")

var errUnbalanced = errors.New("want as many or one black stone more")

const keyHead = 3 // bytes before the stones

// rules are the numbers of the format.
var rules = []board.Rule{board.Freestyle, board.ExactFive, board.Renju}

// A point is column<<8 | row of a cell, so that points sort as in a key. pass is that of the
// key, and sorts last.
type point uint16

const pass point = 0xffff

func (p point) move() board.Move { return board.At(int(p>>8), int(p&255)) }

func pointOf(m board.Move) point { return point(m.X()<<8 | m.Y()) }

// A turn is one of the symmetries that board.Transform numbers.
type turn uint8

const turns = board.Symmetries

func (t turn) of(p point, width, height int) point {
	return pointOf(board.Transform(p.move(), int(t), width, height))
}

// back is the inverse of of.
func (t turn) back(p point, width, height int) point {
	return pointOf(board.TransformBack(p.move(), int(t), width, height))
}

// A keyer makes keys without allocating.
type keyer struct {
	rule          byte
	width, height int
	side          board.Color
	stones        [2][]point // not sorted

	turned     []point
	best, next []byte
	same       uint8 // set of the turns that give the key
}

// set takes the position of b.
func (k *keyer) set(b *board.Board) error {
	i := slices.Index(rules, b.Rule())
	if i < 0 {
		return ErrPosition
	}
	k.rule, k.width, k.height, k.side = byte(i), b.Width(), b.Height(), b.Side()
	k.stones[0], k.stones[1] = k.stones[0][:0], k.stones[1][:0]
	for y := range k.height {
		for x := range k.width {
			switch c := b.Cell(board.At(x, y)); c {
			case board.Black, board.White:
				k.stones[c] = append(k.stones[c], point(x<<8|y))
			case board.Wall:
				return ErrPosition
			}
		}
	}
	if !k.balanced() {
		return ErrPosition
	}
	return nil
}

// balanced reports whether there are as many white stones as black, or one less: positions with
// others have no key.
func (k *keyer) balanced() bool {
	n := len(k.stones[0]) - len(k.stones[1])
	return n == 0 || n == 1
}

// passed reports whether the side to move is not the one that the number of stones tells.
func (k *keyer) passed() bool {
	return k.side != board.Color((len(k.stones[0])+len(k.stones[1]))&1)
}

// setKey takes the position of a key.
func (k *keyer) setKey(key Key) {
	k.rule, k.width, k.height = key[0], int(key[1]), int(key[2])
	black, white := key.stones(k.stones[0][:0], k.stones[1][:0])
	k.stones = [2][]point{black, white}
	k.side = key.side()
}

// key returns the key of the position, which is valid up to the next call.
func (k *keyer) key() []byte {
	k.best, k.same = k.best[:0], 0
	for t := range turn(board.SymmetriesOf(k.width, k.height)) {
		k.next = append(k.next[:0], k.rule, byte(k.width), byte(k.height))
		n := len(k.stones[0]) + len(k.stones[1])
		for c := range k.stones {
			k.turned = k.turned[:0]
			for _, p := range k.stones[c] {
				k.turned = append(k.turned, t.of(p, k.width, k.height))
			}
			slices.Sort(k.turned)
			for _, p := range k.turned {
				k.next = append(k.next, byte(p>>8), byte(p))
			}
			if n&1 == c && k.passed() {
				k.next = append(k.next, 0xff, 0xff)
			}
		}
		switch order := bytes.Compare(k.next, k.best); {
		case k.same == 0 || order < 0:
			k.best, k.next = k.next, k.best
			k.same = 1 << t
		case order == 0:
			k.same |= 1 << t
		}
	}
	return k.best
}

// after returns the key of the position after the move on p, which is valid up to the next call of
// key; nil after a pass, since the move leads to a position without a key.
func (k *keyer) after(p point) []byte {
	if k.passed() {
		return nil
	}
	mover := k.side
	own := k.stones[mover]
	k.stones[mover], k.side = append(own, p), mover.Other()
	key := k.key()
	k.stones[mover], k.side = own, mover
	return key
}

// canonical returns the cell of the key that p is on: the first, row by row, of those that
// the turns to the key give. It follows a call of key.
func (k *keyer) canonical(p point) point {
	best := pass
	byRow := func(p point) point { return p<<8 | p>>8 }
	for t := range turn(turns) {
		if k.same>>t&1 == 0 {
			continue
		}
		if q := t.of(p, k.width, k.height); best == pass || byRow(q) < byRow(best) {
			best = q
		}
	}
	return best
}

// stones appends the stones of the key, without passes.
func (key Key) stones(black, white []point) ([]point, []point) {
	n := (len(key) - keyHead) / 2
	for i := range n {
		p := point(key[keyHead+2*i])<<8 | point(key[keyHead+2*i+1])
		switch {
		case p == pass:
		case i < (n+1)/2:
			black = append(black, p)
		default:
			white = append(white, p)
		}
	}
	return black, white
}

// count returns the number of stones of the key, passes included.
func (key Key) count() int { return (len(key) - keyHead) / 2 }

// side returns who is to move.
func (key Key) side() board.Color { return board.Color(key.count() & 1) }

// check returns an error if the bytes of a file are not a key.
func (key Key) check() error {
	if len(key) < keyHead || len(key)%2 == 0 {
		return fmt.Errorf("a position of %d bytes", len(key))
	}
	w, h := int(key[1]), int(key[2])
	if !board.ValidSize(w, h) {
		return fmt.Errorf("a board of %dx%d, want sides of %d to %d", w, h, board.MinSize, board.MaxSize)
	}
	if int(key[0]) >= len(rules) {
		return fmt.Errorf("unknown rule %d", key[0])
	}
	if key.count() > w*h+1 {
		return fmt.Errorf("%d stones on a board of %dx%d", key.count(), w, h)
	}
	var taken [board.Cells]bool
	for i := keyHead; i < len(key); i += 2 {
		x, y := int(key[i]), int(key[i+1])
		if x == 0xff && y == 0xff {
			continue
		}
		if x >= w || y >= h || taken[board.At(x, y)] {
			return fmt.Errorf("a stone on %d,%d of a board of %dx%d", int8(x), int8(y), w, h)
		}
		taken[board.At(x, y)] = true
	}
	return nil
}

// Letters of text exports, by the rule of a key and by the side to move.
const (
	ruleLetters = "fsr"
	sideLetters = "bw"
)

// String gives the key as text exports have it: the letter of the rule, width, height, black
// and white stones in pos notation, and who is to move, as in "f-15-15-h8i9-h9-w".
func (key Key) String() string {
	black, white := key.stones(nil, nil)
	var b strings.Builder
	b.WriteByte(ruleLetters[key[0]])
	fmt.Fprintf(&b, "-%d-%d", key[1], key[2])
	for _, stones := range [2][]point{black, white} {
		b.WriteByte('-')
		for _, p := range stones {
			b.WriteString(p.move().String())
		}
	}
	b.WriteByte('-')
	b.WriteByte(sideLetters[key.side()])
	return b.String()
}

// ParseKey is the inverse of String, for a position turned in any way.
func ParseKey(s string) (Key, error) {
	f := strings.Split(s, "-")
	if len(f) != 6 || len(f[0]) != 1 || strings.IndexByte(ruleLetters, f[0][0]) < 0 || f[5] != "b" && f[5] != "w" {
		return "", fmt.Errorf("%.60q is not a position, want one as in f-15-15-h8i9-h9-w", s)
	}
	w, err := strconv.Atoi(f[1])
	h, err2 := strconv.Atoi(f[2])
	if err != nil || err2 != nil || !board.ValidSize(w, h) {
		return "", fmt.Errorf("a board of %.10s x %.10s, want sides of %d to %d", f[1], f[2], board.MinSize, board.MaxSize)
	}
	k := keyer{rule: byte(strings.IndexByte(ruleLetters, f[0][0])), width: w, height: h, side: board.Color(strings.Index(sideLetters, f[5]))}
	for c := range k.stones {
		moves, err := board.ParseMoves(f[3+c], w, h)
		if err != nil {
			return "", err
		}
		for _, m := range moves {
			k.stones[c] = append(k.stones[c], pointOf(m))
		}
	}
	key := Key(k.key())
	if err := key.check(); err != nil {
		return "", err
	}
	if !k.balanced() {
		return "", fmt.Errorf("%d black and %d white stones, %w", len(k.stones[0]), len(k.stones[1]), errUnbalanced)
	}
	return key, nil
}

// parents calls f for every position that a move leads to this one from, with the cell of
// that move in the parent's key. A position after a pass has none: a move would have led to it
// from one without a key.
func (k *keyer) parents(key Key, f func(parent []byte, at point)) {
	k.setKey(key)
	if k.passed() || !k.balanced() {
		return
	}
	mover := k.side.Other()
	all := slices.Clone(k.stones[mover])
	k.side = mover
	for i, p := range all {
		k.stones[mover] = append(append(k.stones[mover][:0], all[:i]...), all[i+1:]...)
		parent := k.key()
		f(parent, k.canonical(p))
	}
}
