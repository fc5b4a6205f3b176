package board

import "fmt"

// Check compares all that Play and Undo keep up to date with what follows from the cells, and
// returns an error that names the first difference. It costs about 30 microseconds and does
// not allocate unless there is one.
func (b *Board) Check() error {
	var l lines
	l.clear()
	hash := zobristEmpty(b.rule, b.width, b.height) ^ b.key
	if b.side != Black {
		hash ^= zobristSide
	}
	var near Board // its near set alone
	var open Set
	empties := 0
	for i, c := range b.cells {
		m := Move(i)
		on := b.On(m.X(), m.Y())
		switch {
		case c > Empty || !on && c != Wall:
			return fmt.Errorf("board: the cell %d holds %d", m, c)
		case !on:
			continue
		case c == Empty:
			open.Add(m)
			empties++
		default:
			near.widen(m)
			hash ^= zobrist(c, m)
		}
		l.toggle(m, uint64(c^Wall))
	}
	switch {
	case b.side > White:
		return fmt.Errorf("board: the side to move is %d", b.side)
	case l != b.lines:
		return fmt.Errorf("board: the lines differ from the cells")
	case open != b.open || empties != b.empties:
		return fmt.Errorf("board: the empty cells differ from the cells")
	case near.near != b.near:
		return fmt.Errorf("board: the cells near stones differ from the cells")
	case hash != b.hash:
		return fmt.Errorf("board: the hash is %x, want %x", b.hash, hash)
	}
	return b.checkClasses()
}

// checkClasses compares points, counts and sets with the lines.
func (b *Board) checkClasses() error {
	var counted Board
	for m := range Move(Cells) {
		if !b.open.Has(m) {
			continue
		}
		p := b.pointOf(m)
		if b.points[m] != p {
			return fmt.Errorf("board: %v has %x, want %x", m, b.points[m], p)
		}
		counted.count(m, p.classes, 1)
	}
	if b.counts != counted.counts || b.sets != counted.sets {
		return fmt.Errorf("board: the counts of classes differ from the classes")
	}
	return nil
}
