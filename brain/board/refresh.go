package board

import "math/bits"

// refresh brings the points of all empty cells in line with m up to date after m has changed,
// and notes the changes.
func (b *Board) refresh(m Move) {
	before := len(b.changes)
	log := (*[room]Change)(b.changes[before:cap(b.changes)])
	turns := (*[room]turn)(b.turns[len(b.turns):cap(b.turns)])
	n, counts := b.change(m, log, turns)
	b.changes = b.changes[:before+n]
	for _, i := range turns[:counts] {
		c := &b.changes[i]
		b.recount(c.Cell, c.from, c.to)
	}
	b.turns = b.turns[:len(b.turns)+counts]
}

// changePlain is change in plain Go: it brings the points of all empty cells in line with m up to
// date, and notes each change in log and those that turn what is counted in turns. It returns how many
// there are of either.
//
// It takes a fifth of the time of a search. What is written field by field has to be: a Change stored
// at once is put together on the stack and waits there, 17% of the time of Play and Undo. Of that time,
// 2026-11: classes and the network's code numbers in one table of 27 KiB by two pairs of patterns took
// 5 to 11% more, a Change packed into two words 4%, all four lines turned beforehand 2%, codes as sums by
// which the tables of classes need a tenth of the cache 3%; a turn for each color, arrays by field
// instead of points, and the sides of look put in order without a branch as much. recount for all
// turns of a stone in one call took 4% less, but bench as long (23 runs in turn). To look costs a
// seventh: with all numbers and patterns known beforehand Play and Undo took 228 instead of 261 ns.
func (b *Board) changePlain(m Move, log *[room]Change, turns *[room]turn) (changed, turned int) {
	t := b.tables
	black, white := t.class[Black], t.class[White]
	reach, base := t.reach, len(b.changes)
	n, counts := uint(0), uint(0)
	const lowBits = 0x5555555555555555
	for d := range Directions {
		line, at := place(m, d)
		w := bits.RotateLeft64(b.lines[d][line], -2*(at-reach-windowReach))
		step := steps[d]
		first := int(m) - reach*step
		shift, direction := uint(4*d)&31, uint16(d)<<directionBit
		keep := ^(uint32(0xf000f) << shift)
		// Both bits are set where a cell is empty. The window of the cell i steps from
		// the first begins i cells up in w.
		empty := w & (w >> 1) >> (2 * windowReach) & (1<<(uint(4*reach+2)&63) - 1) & lowBits
		for ; empty != 0; empty &= empty - 1 {
			i := bits.TrailingZeros64(empty)
			cell := (first + i/2*step) & (Cells - 1)
			number, p := t.look(w >> (uint(i) & 63))
			p = (p&15 | p>>4<<16) << shift
			at := &b.points[cell]
			was, from, oldLine := uint32(at.code), at.classes, at.lines[d]
			code := was&keep | p
			if uint16(number) == oldLine && code == was {
				continue
			}
			to := classes(black[uint16(code)]) | classes(white[code>>16])<<8
			c := &log[n%room]
			c.was, c.New, c.Cell, c.from, c.to, c.oldLine = Code(was), Code(code), Move(cell), from, to, oldLine|direction
			turns[counts%room] = turn(base) + turn(n)
			n++
			// Which turns count is hard to predict, so there is no branch.
			counts += (uint(from^to)&0xf0f0 + 0xffff) >> 16
			at.lines[d], at.code, at.classes = uint16(number), Code(code), to
		}
	}
	return int(n), int(counts)
}

// recount moves the cell m from its old classes to its new ones in what is counted. It counts what is
// uncounted as well, which saves branches that are hard to predict.
func (b *Board) recount(m Move, from, to classes) {
	y, bit := m/Stride%Stride, uint32(1)<<(m%Stride)
	was, is := from>>4&15, to>>4&15
	b.counts[0][was]--
	b.counts[0][is]++
	b.sets[0][was][y] ^= bit
	b.sets[0][is][y] ^= bit
	was, is = from>>12, to>>12
	b.counts[1][was]--
	b.counts[1][is]++
	b.sets[1][was][y] ^= bit
	b.sets[1][is][y] ^= bit
}
