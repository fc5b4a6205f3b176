package search

import (
	"math/bits"
	"slices"

	"tengen/brain/board"
	"tengen/brain/score"
)

// Restrictions change what a search may do, beyond the rules of the game. The zero value, as
// nil, restricts nothing. It must stay as it is until the search has ended.
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

// Offsets that keep what key mixes in of cells and of known values apart from what it mixes in of
// moves.
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

// A restraint is what a worker keeps of the Restrictions of its search. Nodes ask it only where there
// is one.
type restraint struct {
	root     []board.Move            // not played from the root
	paths    map[uint64][]board.Move // by the hash under the key of this search
	onPaths  board.Set               // all cells that paths bar below the root
	cells    [2]board.Set
	anyCells bool

	values    map[uint64]Value // Restrictions.Known as the search has values, by the hash under its key
	lastEmpty int              // empty cells with which the game is a draw
	drawFor   DrawVerdict
}

// restrict applies r to the search that w is prepared for. rootHash is the hash of the root before
// any Rekey.
func (w *worker) restrict(r *Restrictions, rootHash uint64) {
	w.restraint = nil
	if r == nil {
		return
	}
	b := w.b
	k := &restraint{root: r.Root, cells: r.Cells, anyCells: r.anyCells(), drawFor: r.DrawFor}
	if r.MaxMoves > 0 {
		k.lastEmpty = max(min(b.Width()*b.Height()-r.MaxMoves, b.Empties()-1), 0)
	}
	b.Rekey(r.key(k.lastEmpty))
	key := rootHash ^ b.Hash() // of this search: see keyOf, too
	if len(r.Known) > 0 {
		k.values = make(map[uint64]Value, len(r.Known))
		for hash, v := range r.Known {
			k.values[hash^key] = w.compress(v)
		}
	}
	if len(r.Paths) > 0 {
		k.paths = make(map[uint64][]board.Move, len(r.Paths))
		for hash, moves := range r.Paths {
			k.paths[hash^key] = moves
			if hash == rootHash {
				continue
			}
			for _, m := range moves {
				k.onPaths.Add(m)
			}
		}
	}
	w.restraint = k
}

// barsRoot reports whether moves are not played from the root. r may be nil.
func (r *restraint) barsRoot() bool { return r != nil && len(r.root) > 0 }

// barsMoves reports whether moves are not played below the root. r may be nil.
func (r *restraint) barsMoves() bool { return r != nil && (r.anyCells || len(r.paths) > 0) }

// changesWins reports whether a shape that wins in the game may not. r may be nil.
func (r *restraint) changesWins() bool { return r.barsMoves() || r != nil && r.lastEmpty > 0 }

// bars reports whether m must not be played from the position of b.
func (r *restraint) bars(b *board.Board, m board.Move) bool {
	return r.cells[b.Side()&1].Has(m) || len(r.paths) > 0 && slices.Contains(r.paths[b.Hash()], m)
}

// endsInTime reports whether the game lasts for the given number of plies more. Without
// Restrictions.MaxMoves it does: the cells that a win needs are empty.
func (r *restraint) endsInTime(b *board.Board, plies int) bool {
	return r.lastEmpty == 0 || plies <= b.Empties()-r.lastEmpty
}

// winIsReliable reports whether a result of threat.StaticWin at b holds in spite of r. It may return
// false for a valid win of more than one ply; the search then finds it.
func (r *restraint) winIsReliable(b *board.Board, plies int) bool {
	if !r.endsInTime(b, max(plies, -plies)) {
		return false
	}
	if !r.barsMoves() {
		return true
	}
	s, o := b.Side(), b.Side().Other()
	barred := r.paths[b.Hash()]
	switch {
	case plies == 1:
		return r.fives(b, s, barred) > 0
	case plies == -2:
		return r.fives(b, o, nil) > 1 && !r.someMoveVoidsFives(b)
	case plies > 0:
		return len(barred) == 0 && r.leavesShapes(b, s)
	}
	return r.leavesShapes(b, o)
}

// fiveThreatens reports whether the opponent, who has a five, may make it before the game ends,
// whatever is played.
func (r *restraint) fiveThreatens(b *board.Board) bool {
	return r.endsInTime(b, lossByFive) &&
		(!r.barsMoves() || r.fives(b, b.Side().Other(), nil) > 0 && !r.someMoveVoidsFives(b))
}

// threatCounts reports whether a threat of the opponent, by shapes that win in the given number of
// plies, can be relied on: nothing that belongs to it is barred, and the game lasts as long.
func (r *restraint) threatCounts(b *board.Board, plies int) bool {
	return r.endsInTime(b, plies) && (!r.barsMoves() || r.leavesShapes(b, b.Side().Other()))
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

// someMoveVoidsFives reports whether after some move from the position of b paths bar all fives that
// the opponent threatens and the move leaves: that move need not stop them.
func (r *restraint) someMoveVoidsFives(b *board.Board) bool {
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

// fiveThreatens reports whether the opponent threatens a five.
func (w *worker) fiveThreatens() bool {
	return w.b.Count(w.b.Side().Other(), board.MakesFive) > 0 && (w.restraint == nil || w.restraint.fiveThreatens(w.b))
}

// threatCounts is restraint.threatCounts, true without restrictions.
func (w *worker) threatCounts(plies int) bool {
	return w.restraint == nil || w.restraint.threatCounts(w.b, plies)
}

// isDraw reports whether the game ends here without a winner on the board.
func (w *worker) isDraw() bool {
	if w.restraint != nil {
		return w.b.Empties() <= w.restraint.lastEmpty
	}
	return w.b.Empties() == 0
}

// drawValue is the value of a draw at ply.
func (w *worker) drawValue(ply int) Value {
	switch r := w.restraint; {
	case r == nil || r.drawFor == DrawIsDraw:
		return draw + w.stylePart()
	case r.drawFor == DrawIsBlacks == (w.b.Side() == board.Black):
		return score.WinIn(ply)
	}
	return score.LossIn(ply)
}

// givenValue returns the value at ply that Restrictions.Known gives the position.
func (w *worker) givenValue(ply int) (v Value, ok bool) {
	if v, ok = w.restraint.values[w.b.Hash()]; !ok {
		return 0, false
	}
	if !v.Proven() {
		v += w.stylePart()
	}
	return v.Nearer(-ply), true
}

// playable reports whether the side to move may play m.
func (w *worker) playable(m board.Move) bool {
	return w.b.Legal(m) && (w.restraint == nil || !w.restraint.bars(w.b, m))
}

// playableAtRoot reports whether m may be played from the root.
func (w *worker) playableAtRoot(m board.Move) bool {
	return w.playable(m) && (w.restraint == nil || !slices.Contains(w.restraint.root, m))
}
