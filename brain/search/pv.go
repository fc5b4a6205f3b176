package search

import (
	"cmp"
	"slices"
	"time"

	"tengen/brain/board"
	"tengen/brain/hashtable"
	"tengen/brain/threat"
)

// Limits of completing the line of a proven win. Set by hand 2026-11.
const (
	lineMemory    = 1 << 20 // bytes of the VCT's tables
	lineFoursPart = 4       // divisor: the table of the VCF has 1/n of that
	lineFours     = 500     // fours of the VCF at each position where a win is looked for
	lineNodes     = 3000    // nodes of the VCT for one line, if there is time
	lineAsked     = 12      // positions of one line where a win is looked for ...
	lineHasty     = 3       // ... and if there is no time

	lineReserve = 50 * time.Millisecond // with less than this before the deadline there is no time
)

// setLine makes the move of r and the line after it the principal variation. A line that is not
// whole, because the value is only a bound, does not replace a longer one unless it shows a win or a
// loss that the longer one does not.
func (r *rootMove) setLine(after []board.Move, v Value, whole bool) {
	if v.Proven() && v == r.finished {
		return
	}
	if whole || len(r.pv) <= 1 || v.Proven() {
		r.pv = append(append(r.pv[:0], r.move), after...)
		r.finished = 0
	}
}

// A display completes lines for people, with solvers of its own.
type display struct {
	line      []board.Move
	vcf       *threat.VCF // nil until needed
	vct       *threat.VCT // the same
	tries     int         // positions of the line where it has looked for a win
	nodesLeft int         // of the VCT for the line
}

// clear makes d forget what it knows of earlier lines.
func (d *display) clear() {
	if d.vcf != nil {
		d.vcf.Clear()
	}
	if d.vct != nil {
		d.vct.Clear()
	}
}

// close gives the memory of the solvers back.
func (d *display) close() {
	if d.vcf != nil {
		d.vcf.Free()
	}
	if d.vct != nil {
		d.vct.Free()
	}
	*d = display{}
}

// showLine returns the line of r for people: the principal variation, followed by the moves
// of the hash table up to the given length, or if the value v is proven by moves up to the
// five. It is valid until the next call.
func (w *worker) showLine(r *rootMove, v Value, length int) []board.Move {
	b := w.b
	if len(r.pv) == 0 {
		r.pv = append(r.pv, r.move)
	}
	if r.finished == v && v.Proven() {
		return r.pv
	}
	line := w.display.line[:0]
	over := false
	for _, m := range r.pv {
		over = b.Wins(b.Side(), m)
		line = append(line, m)
		b.Play(m)
		if over {
			break
		}
	}
	switch {
	case over:
	case v.Proven():
		winner := b.Side()
		if v > 0 != (len(line)%2 == 0) {
			winner = winner.Other()
		}
		line, over = w.playOut(line, winner)
	default:
		line = w.followTable(line, length)
	}
	for range line {
		b.Undo()
	}
	w.display.line = line
	if over && v.Proven() {
		r.pv, r.finished = append(r.pv[:0], line...), v
	}
	return line
}

// followTable plays and appends the best moves that the hash table knows.
func (w *worker) followTable(line []board.Move, length int) []board.Move {
	b := w.b
	for len(line) < min(length, maxPly) && !w.isDraw() && w.staticWin() == 0 {
		tt, _ := w.probe(b.Hash(), 0)
		if tt.Depth < 1 || tt.Bound == hashtable.NoBound {
			break
		}
		m := tt.Move
		if m == board.None || tt.Bound == hashtable.Upper {
			m = w.bestStored() // no move was better than expected, so that none is stored
		}
		if m == board.None || !w.playable(m) {
			break
		}
		line = append(line, m)
		b.Play(m)
	}
	return line
}

// bestStored returns the move to the position that the hash table values most, or None if it
// knows none that was searched.
func (w *worker) bestStored() board.Move {
	b := w.b
	best, top := board.None, -infinity
	near := b.Candidates()
	for _, m := range near.Append(w.listed[:0]) {
		e, _ := w.table.Probe(b.HashAfter(m))
		if e.Bound != hashtable.NoBound && e.Depth >= 1 && -e.Value > top && w.playable(m) {
			best, top = m, -e.Value
		}
	}
	return best
}

// playOut plays and appends moves up to the five of winner, whose win is proved, or to the draw
// that counts as one. It reports whether it got to the five.
func (w *worker) playOut(line []board.Move, winner board.Color) (_ []board.Move, over bool) {
	b := w.b
	w.display.tries, w.display.nodesLeft = 0, lineNodes
	for len(line) < maxPly && !w.isDraw() {
		var m board.Move
		if b.Side() == winner {
			if m = w.provenMove(1); m == board.None {
				rest := w.winningLine()
				if rest == nil || len(line)+len(rest) > maxPly || w.restraint != nil && !w.restraint.endsInTime(b, len(rest)) {
					return line, false
				}
				for _, m := range rest {
					b.Play(m)
				}
				return append(line, rest...), true
			}
		} else {
			m = w.delayingMove()
		}
		if m == board.None || !w.playable(m) {
			return line, false
		}
		over := b.Wins(b.Side(), m)
		line = append(line, m)
		b.Play(m)
		if over {
			return line, true
		}
	}
	return line, false
}

// winningLine returns a line to a five of the side to move, by fours or if there is time by
// other threats; nil if none is found. It is valid until the next call.
func (w *worker) winningLine() []board.Move {
	w.display.tries++
	hasty := w.inHurry()
	if w.restraint.barsMoves() || w.display.tries > lineAsked || hasty && w.display.tries > lineHasty {
		return nil // VCF and VCT know no restraint
	}
	if w.display.vcf == nil {
		w.display.vcf = threat.NewVCF(0)
		w.display.vcf.Resize(lineMemory / lineFoursPart)
	}
	if w.display.vcf.Win(w.b, threat.Limits{Nodes: lineFours}) > 0 {
		return w.display.vcf.Line()
	}
	if hasty || w.display.nodesLeft <= 0 {
		return nil
	}
	if w.display.vct == nil {
		w.display.vct = threat.NewVCT(0)
		w.display.vct.Resize(lineMemory)
	}
	proof := w.display.vct.Win(w.b, threat.Limits{Nodes: w.display.nodesLeft, Stop: w.inHurry})
	w.display.nodesLeft -= w.display.vct.Nodes()
	if proof == nil {
		return nil
	}
	return proof.Line(w.b)
}

// inHurry reports whether there is no time for the VCT.
func (w *worker) inHurry() bool { return w.limits.left() < lineReserve }

// provenMove returns a five, or the hash table's move if it proves a win, 1, or a loss, -1, or None.
func (w *worker) provenMove(result int) board.Move {
	b := w.b
	if b.Count(b.Side(), board.MakesFive) > 0 {
		if five := w.firstPlayable(b.Set(b.Side(), board.MakesFive).Append(w.listed[:0])); five != board.None {
			return five
		}
	}
	tt, _ := w.probe(b.Hash(), 0)
	if tt.Proves() != result {
		return board.None
	}
	return tt.Move
}

// delayingMove returns a move of a side that has lost: the hash table's, or one that makes the
// win take longer, or any.
func (w *worker) delayingMove() board.Move {
	b := w.b
	if w.fiveThreatens() {
		return cmp.Or(w.firstPlayable(threat.FiveBlocks(b, w.listed[:0])), w.anyMove())
	}
	if m := w.provenMove(-1); m != board.None {
		return m
	}
	var stops []board.Move
	switch o := b.Side().Other(); {
	case b.Count(o, board.MakesFive) > 0: // which it may not play
	case b.Count(o, board.MakesOpenFour) > 0:
		stops = threat.OpenFourStops(b, w.listed[:0])
	default:
		stops, _ = threat.WinStops(b, w.listed[:0])
	}
	if m := w.firstPlayable(stops); m != board.None {
		return m
	}
	// The win is deeper: the cell that it would begin with if this side passed.
	b.Pass()
	threatened := w.winningLine()
	b.Undo()
	if len(threatened) > 0 && w.playable(threatened[0]) {
		return threatened[0]
	}
	return w.anyMove()
}

// firstPlayable returns the first of the moves that the side to move may play, or None.
func (w *worker) firstPlayable(moves []board.Move) board.Move {
	if i := slices.IndexFunc(moves, w.playable); i >= 0 {
		return moves[i]
	}
	return board.None
}

// anyMove returns a move near the middle, or any other if that is barred, or None.
func (w *worker) anyMove() board.Move {
	if m := w.b.Central(); m == board.None || w.playable(m) {
		return m
	}
	return w.firstPlayable(w.b.Open().Append(w.listed[:0]))
}
