package search

import (
	"math/bits"
	"slices"

	"tengen/brain/board"
)

// Restrictions change what a search may do, beyond the rules of the game. The zero value, as
// nil, restricts nothing. It must stay as it is until the search has ended, in the background too:
// see Pool.SearchPromptly.
type Restrictions struct {
	Root  []board.Move            // not played from the root
	Paths map[uint64][]board.Move // not played from the positions of these hashes, as of Board.Hash
	Cells [2]board.Set            // never played by Black, and by White

	// Known are values of positions below the root, by Board.Hash, for the side to move. Wins
	// and losses count plies from the position itself. The search does not search below them.
	Known map[uint64]Value

	MaxMoves int         // stones, and blocked cells, with which the game is a draw; 0 only when the board is full
	DrawFor  DrawVerdict // who wins a draw
}

// ChangeGame reports whether moves or draws are other than in the game, so that what is proved
// without r may not hold.
func (r *Restrictions) ChangeGame() bool {
	return r != nil && (len(r.Root) > 0 || len(r.Paths) > 0 || r.anyCells() || r.MaxMoves > 0 || r.DrawFor != DrawIsDraw)
}

// Allows reports whether r, which may be nil, leaves the move m at the root b.
func (r *Restrictions) Allows(b *board.Board, m board.Move) bool {
	return r == nil || !slices.Contains(r.Root, m) && !r.Cells[b.Side()&1].Has(m) && !slices.Contains(r.Paths[b.Hash()], m)
}

func (r *Restrictions) anyCells() bool { return r.Cells != [2]board.Set{} }

// A DrawVerdict says how a draw is scored.
type DrawVerdict uint8

const (
	DrawIsDraw DrawVerdict = iota
	DrawIsBlacks
	DrawIsWhites
)

// What key mixes in of a cell, and of a known value, lies above all that it mixes in of a
// move; so the three differ.
const (
	cellKeys  = 1 << 40
	knownKeys = 1 << 41
)

// key returns a number to mix into the hash of every position, so that results found under
// other restrictions are not used: 0 if all positions below the root have their usual value.
// lastEmpty is the number of empty cells that MaxMoves leaves, later if the game is past that.
// All parts are mixed before they are added up: sums of cells that are not are often the same.
func (r *Restrictions) key(lastEmpty int) uint64 {
	var k uint64
	for hash, moves := range r.Paths {
		for _, m := range moves {
			k += board.Mix(hash ^ uint64(m)*board.Golden)
		}
	}
	for c := range r.Cells {
		for _, m := range r.Cells[c].Append(nil) {
			k += board.Mix((cellKeys + uint64(m)<<1 + uint64(c)) * board.Golden)
		}
	}
	for hash, v := range r.Known {
		k += board.Mix(hash ^ (knownKeys+uint64(v+infinity))*board.Golden)
	}
	return k + board.Mix((uint64(lastEmpty)<<8+uint64(r.DrawFor))*board.Golden)
}

// A restraint is what a worker keeps of the Restrictions of its search.
type restraint struct {
	paths    map[uint64][]board.Move // by the hash under the key of this search
	onPaths  board.Set               // all cells that paths bar below the root
	cells    [2]board.Set
	anyCells bool
}

// restrict applies r to the search that w is prepared for. plain is the hash of the root
// without any key.
func (w *worker) restrict(r *Restrictions, plain uint64) {
	w.lastEmpty, w.drawFor, w.restraint, w.notAtRoot, w.known = 0, DrawIsDraw, nil, nil, nil
	if r == nil {
		return
	}
	b := w.b
	w.notAtRoot = r.Root
	w.drawFor = r.DrawFor
	if r.MaxMoves > 0 {
		w.lastEmpty = max(min(b.Width()*b.Height()-r.MaxMoves, b.Empties()-1), 0)
	}
	b.Rekey(r.key(w.lastEmpty))
	key := plain ^ b.Hash() // of this search: see keyOf, too
	if len(r.Known) > 0 {
		w.known = make(map[uint64]Value, len(r.Known))
		for hash, v := range r.Known {
			w.known[hash^key] = w.compress(v)
		}
	}
	if len(r.Paths) == 0 && !r.anyCells() {
		return
	}
	w.restraint = &restraint{paths: make(map[uint64][]board.Move, len(r.Paths)), cells: r.Cells, anyCells: r.anyCells()}
	for hash, moves := range r.Paths {
		w.restraint.paths[hash^key] = moves
		if hash == plain {
			continue
		}
		for _, m := range moves {
			w.restraint.onPaths.Add(m)
		}
	}
}

// bars reports whether m must not be played from the position of b.
func (r *restraint) bars(b *board.Board, m board.Move) bool {
	return r.cells[b.Side()&1].Has(m) || len(r.paths) > 0 && slices.Contains(r.paths[b.Hash()], m)
}

// trusts reports whether n, a result of threat.StaticWin at b, holds in spite of r. It may
// return false for a valid win of more than one ply; the search then finds it.
func (r *restraint) trusts(b *board.Board, n int) bool {
	s, o := b.Side(), b.Side().Other()
	barred := r.paths[b.Hash()]
	switch {
	case n == 1:
		return r.fives(b, s, barred) > 0
	case n == -2:
		return r.fives(b, o, nil) > 1 && !r.sparesFives(b)
	case n > 0:
		return len(barred) == 0 && r.leavesShapes(b, s)
	}
	return r.leavesShapes(b, o)
}

// leavesShapes reports whether c surely may play all cells that it needs for a win by an open four,
// a four with an open three, or two open threes. On each of them a stone makes a closed three or
// more already, since one or two stones more make it a five.
func (r *restraint) leavesShapes(b *board.Board, c board.Color) bool {
	if r.anyCells {
		return false
	}
	for y, row := range b.Open() {
		for row &= r.onPaths[y]; row != 0; row &= row - 1 {
			m := board.Move(y*board.Stride + bits.TrailingZeros32(row))
			if k := b.Class(c, m); k >= board.MakesClosedThree || k == board.MakesFoul {
				return false
			}
		}
	}
	return true
}

// fives counts the fives of c that are left to it by its cells and are not among barred.
func (r *restraint) fives(b *board.Board, c board.Color, barred []board.Move) int {
	var buffer [board.Cells]board.Move
	n := 0
	for _, m := range b.Set(c, board.MakesFive).Append(buffer[:0]) {
		if !r.cells[c&1].Has(m) && !slices.Contains(barred, m) {
			n++
		}
	}
	return n
}

// sparesFives reports whether after some move from the position of b paths bar all fives that
// the opponent threatens and the move leaves: that move need not stop them.
func (r *restraint) sparesFives(b *board.Board) bool {
	o := b.Side().Other()
	if len(r.paths) == 0 || b.Count(o, board.MakesFive) == 0 {
		return false
	}
	fives := b.Set(o, board.MakesFive)
	var buffer [board.MaxSize * board.MaxSize]board.Move
	for _, m := range b.Open().Append(buffer[:0]) {
		barred := r.paths[b.HashAfter(m)]
		if !slices.ContainsFunc(barred, func(c board.Move) bool { return c != m && fives.Has(c) }) {
			continue
		}
		left := r.fives(b, o, barred)
		if fives.Has(m) && !r.cells[o&1].Has(m) && !slices.Contains(barred, m) {
			left--
		}
		if left == 0 {
			return true
		}
	}
	return false
}

// canFive reports whether c has a five that its cells leave to it.
func (w *worker) canFive(c board.Color) bool {
	return w.b.Count(c, board.MakesFive) > 0 && (w.restraint == nil || w.restraint.fives(w.b, c, nil) > 0)
}

// fiveThreatens reports whether the opponent threatens a five that it may make before the game
// ends, whatever is played.
func (w *worker) fiveThreatens() bool {
	return w.canFive(w.b.Side().Other()) && w.inTime(lossByFive) && (w.restraint == nil || !w.restraint.sparesFives(w.b))
}

// holds reports whether a threat of the opponent by shapes to win in so many plies can be relied
// on: nothing that belongs to it is barred, and the game lasts as long.
func (w *worker) holds(plies int) bool {
	return (w.restraint == nil || w.restraint.leavesShapes(w.b, w.b.Side().Other())) && w.inTime(plies)
}

// inTime reports whether the game lasts for so many plies more; without Restrictions.MaxMoves
// the cells that a win needs are empty.
func (w *worker) inTime(plies int) bool {
	return w.lastEmpty == 0 || plies <= w.b.Empties()-w.lastEmpty
}

// drawValue is the value of a draw at ply.
func (w *worker) drawValue(ply int) Value {
	switch {
	case w.drawFor == DrawIsDraw:
		return draw + w.stylePart()
	case w.drawFor == DrawIsBlacks == (w.b.Side() == board.Black):
		return WinIn(ply)
	}
	return LossIn(ply)
}

// playable reports whether the side to move may play m.
func (w *worker) playable(m board.Move) bool {
	return w.b.Legal(m) && (w.restraint == nil || !w.restraint.bars(w.b, m))
}

// allowed reports whether m may be played from the root.
func (w *worker) allowed(m board.Move) bool {
	return w.playable(m) && !slices.Contains(w.notAtRoot, m)
}
