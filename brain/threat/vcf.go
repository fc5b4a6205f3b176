package threat

import (
	"math/bits"

	"tengen/brain/board"
	"tengen/brain/internal/mapped"
)

const (
	maxFours  = 60             // most fours of one VCF
	maxLine   = 2*maxFours + 2 // plies
	maxMoves  = 64             // fours tried in one position
	unlimited = maxFours + 1   // stored with a failure that holds for any number of fours
)

// A VCF searches for wins by an unbroken series of fours: depth first, with a table of
// the positions that are known to hold no such win. Memory is taken once by NewVCF; a
// search allocates nothing. A VCF serves one goroutine.
//
// Every four of the attacker is followed by all replies that can stop the five
// (FiveBlocks, which is complete), and fails if the opponent could make a five instead.
// A four of the opponent that arises on the way has to be stopped by a four. So a win
// that is reported is one against every reply, under every rule. With the rule
// board.Continuous a win is the next five. That a search finds nothing proves only
// that there is no such win within its limits.
//
// Whether a position is won by fours does not depend on the moves before it, so failures
// are kept by the hash of the position alone, with the number of fours they hold for. A
// collision of hashes can hide a win but never makes one up.
type VCF struct {
	table  []uint64               // position hash, the low bits replaced by the number of fours
	memory *mapped.Memory[uint64] // that the table has outside the heap; nil for none
	salt   uint64                 // of the hashes since the last Clear

	nodes, limit int // fours played and the most that may be
	stop         func() bool
	stopped      bool // by limit or stop
	cut          bool // part of the tree was cut off at the limit of fours
	wantZone     bool

	pv     [maxLine][maxLine]board.Move
	length [maxLine]int

	zone zone
}

const fourBits = 0xff // of a table entry

// NewVCF returns a searcher whose table takes about the given memory, 4 KiB at least.
func NewVCF(bytes int64) *VCF { return &VCF{table: make([]uint64, vcfSlots(bytes))} }

// vcfSlots returns the number of entries of a table of about the given memory.
func vcfSlots(bytes int64) int {
	n := 512
	for int64(n)*16 <= bytes {
		n *= 2
	}
	return n
}

// Free gives the memory that Resize has given back, in the background. The searcher is not used afterwards.
func (v *VCF) Free() {
	v.memory.Free()
	v.table = nil
}

// Resize gives the searcher an empty table of about the given memory, outside the heap unless it is small:
// it is there at once, and the memory of the old one goes back in the background.
func (v *VCF) Resize(bytes int64) {
	v.memory.Free()
	v.memory = mapped.Make[uint64](vcfSlots(bytes))
	v.table = v.memory.All()
}

// Clear empties the table, in no time: no later hash agrees with what it holds. Claims are sound without it.
func (v *VCF) Clear() { v.salt += board.Golden }

// Limits bounds a search. Zero fields mean no limit.
type Limits struct {
	Nodes int         // fours tried, and positions of a VCT
	Stop  func() bool // asked at every step of a VCT, at the start of a VCF, and else every 64 to 256 nodes; true ends the search

	Threes bool // a VCT may use fours and open threes alone
	Quiet  bool // a VCT may use every move that threatens a VCF, which is a much larger tree
}

// Win looks for a VCF of the side to move on b within the limits, shorter wins first. It
// returns the plies to the five, 0 if no win was found. b is played on and unchanged on
// return; its history must have room for maxLine more plies.
func (v *VCF) Win(b *board.Board, l Limits) int {
	return v.within(b, l, maxFours)
}

// within is Win with at most the given number of fours.
func (v *VCF) within(b *board.Board, l Limits, most int) int {
	v.wantZone = false
	return v.search(b, l, most)
}

// shortest is Win that continues until no win with fewer fours is found.
func (v *VCF) shortest(b *board.Board, l Limits) int {
	limit := l.nodes()
	n := v.Win(b, l)
	nodes := v.nodes
	for n > 3 && nodes < limit {
		l.Nodes = limit - nodes
		shorter := v.within(b, l, (n-1)/2-1)
		nodes += v.nodes
		if shorter == 0 {
			break
		}
		n = shorter
	}
	v.nodes = nodes
	return n
}

// nodes returns the limit of nodes, one that no search reaches if there is none.
func (l Limits) nodes() int {
	if l.Nodes <= 0 {
		return 1 << (bits.UintSize - 2)
	}
	return l.Nodes
}

// Line returns the winning line of the last Win that found one, the attacker's four
// first, the last move the five. Of several replies it holds one that lasts longest. It
// is valid until the next search.
func (v *VCF) Line() []board.Move { return v.pv[0][:v.length[0]] }

// winZone is Win that also tells, in v.zone, where a stone of the opponent could matter.
func (v *VCF) winZone(b *board.Board, l Limits) int {
	v.wantZone = true
	v.zone = zone{}
	n := v.search(b, l, maxFours)
	if n == 1 {
		v.zone.addFives(b, b.Side())
	}
	if n > 0 {
		v.zone.addCounterFours(b)
	}
	return n
}

// Stops looks for a VCF of the side to move, whose opponent has passed. Of the opponent's
// moves instead of the pass only the stops might hold: the others lose to the same line. With
// plies 0 no win was found, and any move may be good.
func (v *VCF) Stops(b *board.Board, l Limits) (stops board.Set, plies int) {
	if plies = v.winZone(b, l); plies == 0 {
		return stops, 0
	}
	b.Pass()
	v.zone.addFours(b)
	b.Undo()
	return v.zone.cells, plies
}

// refuted reports whether the last search, which found nothing, met no limit: there is no VCF.
func (v *VCF) refuted() bool { return !v.stopped && !v.cut }

// Nodes returns the fours that the last search tried.
func (v *VCF) Nodes() int { return v.nodes }

// search looks for a win by at most the given number of fours.
func (v *VCF) search(b *board.Board, l Limits, most int) int {
	v.nodes, v.limit, v.stop, v.stopped = 0, l.nodes(), l.Stop, false
	v.length[0] = 0
	for fours := min(2, most); ; fours = min(2*fours, most) {
		v.cut = false
		if v.attack(b, 0, fours) {
			return v.length[0]
		}
		if v.stopped || !v.cut || fours == most {
			return 0
		}
	}
}

// attack reports whether the side to move wins by at most the given number of fours and
// the five. ply counts from the root of the search.
func (v *VCF) attack(b *board.Board, ply, fours int) bool {
	s := b.Side()
	o := s.Other()
	if b.Count(s, board.MakesFive) > 0 {
		v.pv[ply][ply] = b.Set(s, board.MakesFive).First()
		v.length[ply] = ply + 1
		return true
	}
	if fours == 0 {
		v.cut = true
		return false
	}
	h := b.Hash() ^ v.salt
	slot := &v.table[h>>32&uint64(len(v.table)-1)]
	if (*slot^h)&^fourBits == 0 && int(*slot&fourBits) >= fours {
		if *slot&fourBits != unlimited {
			v.cut = true
		}
		return false
	}

	// v.cut tells whether a failure here holds for any number of fours.
	cut := v.cut
	v.cut = false
	var moves [maxMoves]board.Move
	tried := v.fours(b, moves[:0])
	v.cut = len(tried) == maxMoves // there may be more
	for _, m := range tried {
		if v.nodes >= v.limit || v.nodes&255 == 0 && v.stop != nil && v.stop() {
			v.stopped = true
			return false
		}
		v.nodes++
		// A cell of class MakesFoul may be allowed: only Forbidden decides.
		if s == board.Black && b.Class(s, m) == board.MakesFoul && b.Forbidden(m) {
			continue
		}
		b.Play(m)
		won := b.Count(o, board.MakesFive) == 0 && b.Count(s, board.MakesFive) > 0 && v.defend(b, ply+1, fours-1)
		b.Undo()
		if won {
			v.extend(ply, m)
			if v.wantZone {
				v.zone.addMove(b, m)
			}
			return true
		}
		if v.stopped {
			return false
		}
	}
	n := uint64(unlimited)
	if v.cut {
		n = uint64(fours)
	}
	*slot = h&^fourBits | n
	v.cut = v.cut || cut
	return false
}

// extend makes m and the line after it the line at ply.
func (v *VCF) extend(ply int, m board.Move) {
	v.pv[ply][ply] = m
	copy(v.pv[ply][ply+1:], v.pv[ply+1][ply+1:v.length[ply+1]])
	v.length[ply] = v.length[ply+1]
}

// defend reports whether the attacker wins against every reply of the side to move, which
// faces a five and has none itself.
func (v *VCF) defend(b *board.Board, ply, fours int) bool {
	s := b.Side()
	var buffer [32]board.Move
	replies := FiveBlocks(b, buffer[:0])
	var before zone
	if v.wantZone && len(replies) > 1 {
		before = v.zone
	}
	v.length[ply] = ply
	legal := false
	for _, r := range replies {
		if !b.Legal(r) {
			continue
		}
		legal = true
		b.Play(r)
		won := v.attack(b, ply+1, fours)
		b.Undo()
		if !won {
			if v.wantZone && len(replies) > 1 {
				v.zone = before // discard what the replies before this one needed
			}
			return false
		}
		if v.length[ply+1] > v.length[ply] {
			v.extend(ply, r)
		}
	}
	if !legal {
		// Black in renju may not stop the five: any legal move, then the five.
		m := b.Central()
		if m == board.None {
			return false
		}
		v.pv[ply][ply], v.pv[ply][ply+1] = m, b.Set(s.Other(), board.MakesFive).First()
		v.length[ply] = ply + 2
	}
	if v.wantZone {
		v.zone.addFives(b, s.Other())
		for _, r := range replies {
			v.zone.addReply(b, r)
		}
	}
	return true
}

// fours lists the fours of the side to move to be tried, the most promising first: by
// class, then by distance from the stone it played last. With a five of the opponent to
// stop, only fours that stop it.
func (v *VCF) fours(b *board.Board, dst []board.Move) []board.Move {
	s := b.Side()
	if b.Count(s.Other(), board.MakesFive) > 0 {
		var buffer [32]board.Move
		for _, m := range FiveBlocks(b, buffer[:0]) {
			if k := b.Class(s, m); (k >= board.MakesFour || k == board.MakesFoul && foulFour(b, m)) && len(dst) < maxMoves {
				dst = append(dst, m)
			}
		}
		return dst
	}
	last := b.Back(2)
	for k := board.MakesOpenFour; k >= board.MakesFour; k-- {
		if b.Count(s, k) > 0 {
			dst = appendNear(dst, b.Set(s, k), last)
		}
	}
	if b.Count(s, board.MakesFoul) > 0 {
		fours := foulFours(b)
		for m := fours.First(); m != board.None && len(dst) < maxMoves; m = fours.First() {
			fours.Remove(m)
			dst = append(dst, m)
		}
	}
	return dst
}

// appendNear appends the cells of set, those near last first, until dst holds
// maxMoves.
func appendNear(dst []board.Move, set *board.Set, last board.Move) []board.Move {
	start := len(dst)
	all := *set
	for m := all.First(); m != board.None && len(dst) < maxMoves; m = all.First() {
		all.Remove(m)
		i := len(dst)
		dst = append(dst, m)
		for d := board.Distance(m, last); i > start && d < board.Distance(dst[i-1], last); i-- {
			dst[i] = dst[i-1]
		}
		dst[i] = m
	}
	return dst
}
