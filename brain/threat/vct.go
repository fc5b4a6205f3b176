package threat

import (
	"slices"
	"unsafe"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/mapped"
)

// Numbers of the search, found by trial on testdata/tactics (2026-11).
const (
	vcfNodes   = 100     // fours of a VCF at a position that is expanded: at first ...
	vcfMore    = 8       // ... then this many times as many whenever nothing is left to be tried ...
	vcfMost    = 51_200  // ... up to here
	rootNodes  = 20_000  // the same at the root, before anything else
	replyNodes = 3       // fours of a VCF that drops a reply at once
	maxPlies   = 200     // of the tree, attacker and defender
	listMoves  = 54      // moves of a list that is kept
	listSlots  = 1 << 14 // at most

	vcfPart   = 4 // divisors: of the memory of a VCT its VCF has 1/n ...
	proofPart = 2 // ... the proof numbers have 1/n ...
	listPart  = 3 // ... and the lists 1/n at most
)

// A VCT proves wins by continuous threats: fours, open threes and, with Limits.Quiet, whatever else
// would win by a VCF if the opponent did nothing; without it, of that what makes a closed three or two
// open twos at least. It is a depth-first proof-number search with
// thresholds of the second-best child and a quarter more (df-pn, 1+epsilon), in memory that
// NewVCT allocates. A VCT serves one goroutine.
//
// The attacker's moves may be any choice, since one that wins is enough. The replies may
// not: after a move that is no four they are all cells of the zone of the VCF that follows
// if the defender passes, and all his fours; every other move loses to that same VCF. If it
// threatens an open four, OpenFourStops and fours are enough; after a four, what can stop
// the five. So a proof holds against every reply. What is not proved is unknown, never lost.
//
// The tables hold their entries by hash, so one entry in some billions could be of another
// position. Win therefore trusts no table: it builds the proof as a tree, move by move,
// from the rules, searches again where the tree does not close, and plays the tree out
// against every legal reply (Proof.Check) before it claims a win.
type VCT struct {
	vcf   *VCF
	table proofTable
	lists []moveList

	listMemory *mapped.Memory[moveList] // that the lists have outside the heap; nil for none

	attacker     board.Color
	least        board.Class // the attacker may play what makes this or more; MakesNothing is any move
	root         uint64      // hash of the position that Win was asked for last
	phase, last  phase       // of Win at that position, and where it ends
	rootFours    int         // fours of a VCF at that position
	fourNodes    int         // fours of a VCF at a position that is expanded
	fourLimitHit bool        // one has ended at that limit since the table was emptied
	limited      bool        // something at the position that Win was asked for last was given up at a limit
	nodes, limit int
	stop         func() bool
	stack        []board.Move // lists of the positions on the path
	doubts       []uint8      // what the guide adds to the first estimate of each of these moves

	guide       eval.Evaluator // may be nil: see SetGuide
	guided      bool           // it follows the board
	second      *VCT           // without a guide: see secondTurn; nil if this one has none either
	firstNodes  int            // nodes of solve at the position that Win was asked for last ...
	secondNodes int            // ... and of the second VCT
	scores      [board.Cells]int32
}

// A moveList is what the search knows of the moves of a position.
type moveList struct {
	hash  uint64 // with the generation
	n     uint8
	moves [listMoves]board.Move

	doubts [listMoves]uint8 // those of the path by which it was first reached: a policy knows the last moves
}

// NewVCT returns a solver that takes about the given memory, and 128 KiB at least.
func NewVCT(bytes int64) *VCT {
	return &VCT{
		vcf:    NewVCF(bytes / vcfPart),
		lists:  make([]moveList, vctLists(bytes)),
		stack:  make([]board.Move, 0, maxPlies*128),
		doubts: make([]uint8, 0, maxPlies*128),
		table:  newProofTable(bytes / proofPart),
	}
}

// vctLists returns how many lists a VCT of about the given memory has.
func vctLists(bytes int64) int {
	n := 64
	for n < listSlots && int64(2*n)*int64(unsafe.Sizeof(moveList{})) <= bytes/listPart {
		n *= 2
	}
	return n
}

// Free gives the memory that Resize has given back: see VCF.Free.
func (v *VCT) Free() {
	v.vcf.Free()
	v.table.free()
	v.listMemory.Free()
	v.lists = nil
}

// Resize gives the VCT empty tables of about the given memory: see VCF.Resize.
func (v *VCT) Resize(bytes int64) {
	v.vcf.Resize(bytes / vcfPart)
	v.table.resize(bytes / proofPart)
	v.listMemory.Free()
	v.listMemory = mapped.Make[moveList](vctLists(bytes))
	v.lists = v.listMemory.All()
	v.fourLimitHit = false
	v.begin()
}

// Clear empties the tables.
func (v *VCT) Clear() {
	v.vcf.Clear()
	v.forget()
	v.begin()
}

// begin makes v as one that has searched nothing, except its tables.
func (v *VCT) begin() {
	v.root, v.phase, v.last = 0, byFours, over
	v.rootFours, v.firstNodes, v.secondNodes = 0, 0, 0
	if v.second != nil {
		v.second.Clear()
	}
}

func (v *VCT) forget() {
	v.fourLimitHit = false
	v.table.forget()
	if v.table.generation == 1 {
		v.lists, v.listMemory = emptied(v.lists, v.listMemory)
	}
}

// Nodes returns how many positions and fours the last search tried.
func (v *VCT) Nodes() int { return v.nodes }

// A phase is what Win tries next at a position: each phase begins when the one before has
// found nothing.
type phase uint8

const (
	byFours  phase = iota // a VCF
	narrow                // fours and open threes alone, which is a much smaller tree: it wins two of three that all threats win
	closed                // closed threes, two twos and the like too
	twos                  // all that makes an open two
	anything              // every move
	over                  // nothing is left to be tried
)

// leasts has what the attacker has to make at least, by phase.
var leasts = [over]board.Class{narrow: board.MakesThree, closed: board.MakesClosedThree, twos: board.MakesTwo}

// Win looks for a win of the side to move by continuous threats and returns its proof, nil
// if none was found within the limits. Asked again for the position that it was asked for
// last, it goes on where it stopped. b is played on and unchanged on return.
func (v *VCT) Win(b *board.Board, l Limits) *Proof {
	v.setPosition(b)
	v.nodes, v.limit, v.stop = 0, l.nodes(), l.Stop
	switch {
	case l.Threes:
		v.last = closed
	case l.Quiet:
		v.last = over
	default:
		v.last = twos
	}
	if v.phase == byFours {
		if p := v.fourProof(b, rootNodes-v.rootFours); p != nil {
			return p
		}
		if v.rootFours += v.nodes; v.stopped() && v.rootFours < rootNodes {
			return nil
		}
		v.phase = narrow
	}
	for v.phase < v.last && !v.stopped() {
		if least := leasts[v.phase]; v.least != least {
			v.least, v.fourNodes = least, vcfNodes
			v.forget()
		}
		if v.second != nil && v.firstNodes >= guideNodes && v.secondNodes < aloneNodes {
			if p := v.secondTurn(b); p != nil {
				return p
			}
			continue
		}
		begun, limit := v.nodes, v.limit
		if v.second != nil && v.firstNodes < guideNodes {
			v.limit = min(limit, begun+guideNodes-v.firstNodes)
		}
		v.solve(b)
		v.firstNodes, v.limit = v.firstNodes+v.nodes-begun, limit
		e, ok := v.table.probe(b.Hash())
		switch {
		case ok && e.proof == 0:
			v.limit = max(v.limit, v.nodes+rootNodes) // a proof is not given up for want of some nodes
			return v.checked(b, v.prove(b))
		case v.stopped() || !ok || e.disproof > 0: // not decided
		case v.fourLimitHit && v.fourNodes < vcfMost:
			v.fourNodes *= vcfMore
			v.forget()
		default:
			v.limited = v.limited || v.fourLimitHit
			v.phase++
		}
	}
	return nil
}

// setPosition makes v ready for b: it forgets what is of the other attacker, and begins anew unless
// the position is the last one.
func (v *VCT) setPosition(b *board.Board) {
	if v.attacker != b.Side() {
		v.forget() // entries are from the attacker's view
		v.attacker = b.Side()
	}
	if v.root != b.Hash() {
		v.root, v.phase, v.fourNodes, v.limited = b.Hash(), byFours, vcfNodes, false
		v.rootFours, v.firstNodes, v.secondNodes = 0, 0, 0
	}
}

// Exhausted reports whether the last Win tried all that it may: asked again for the same
// position with the same moves, it finds nothing more.
func (v *VCT) Exhausted() bool { return v.phase >= v.last }

// Refuted reports whether the last Win, which found nothing, has tried all that Limits.Quiet allows and
// met no other limit: the side to move has no win by continuous threats.
func (v *VCT) Refuted() bool { return v.phase == over && !v.limited }

// RefutedFours reports whether the last WinByFours, which found nothing, met no limit: the side to move
// has no VCF.
func (v *VCT) RefutedFours() bool { return v.vcf.refuted() }

// WinByFours looks for the shortest VCF of the side to move, like Win.
func (v *VCT) WinByFours(b *board.Board, l Limits) *Proof {
	v.nodes, v.limit, v.stop = 0, l.nodes(), l.Stop
	return v.fourProof(b, v.limit)
}

// fourProof looks for the shortest VCF.
func (v *VCT) fourProof(b *board.Board, nodes int) *Proof {
	n := v.vcf.shortest(b, Limits{Nodes: min(nodes, v.limit), Stop: v.stop})
	v.nodes += v.vcf.nodes
	if n == 0 {
		return nil
	}
	p := prover{v: v, b: b, fourNodes: 2*v.vcf.nodes + proveMore*vcfNodes}
	return v.checked(b, p.fours(n/2))
}

// checked returns p if it wins against every reply, else nil; nil too if v.stop is set.
func (v *VCT) checked(b *board.Board, p *Proof) *Proof {
	if p == nil || p.check(b, Limits{Stop: v.stop}) != nil {
		return nil
	}
	return p
}

func (v *VCT) stopped() bool {
	return v.nodes >= v.limit || v.stop != nil && v.stop()
}

// solve works on the position, the attacker to move, until it is decided or the limits end that.
func (v *VCT) solve(b *board.Board) {
	if v.guide != nil {
		v.guide.Reset(b, 0)
		v.guided = true
	}
	v.search(b, true, estimate{infinite, infinite}, 0)
	v.guided = false
}

// search works on the position until its proof or disproof number reaches the threshold,
// and stores what is known then. It returns how many positions it expanded. attacking
// tells that the attacker is to move.
func (v *VCT) search(b *board.Board, attacking bool, threshold estimate, ply int) int {
	h := b.Hash()
	base := len(v.stack)
	v.nodes++
	e, known := v.expand(b, attacking, ply)
	if known {
		v.table.store(h, e, 1)
		return 1
	}
	moves, doubts := v.stack[base:], v.doubts[base:]
	work := 1
	for {
		next := v.survey(b, moves, doubts, attacking, threshold)
		if next.now.proof >= threshold.proof || next.now.disproof >= threshold.disproof || v.stopped() {
			v.table.store(h, next.now, work)
			v.stack, v.doubts = v.stack[:base], v.doubts[:base]
			return work
		}
		b.Play(next.move)
		work += v.search(b, !attacking, next.threshold, ply+1)
		b.Undo()
		if v.guided {
			v.guide.Undone()
		}
	}
}

// A survey summarizes the children of a position: its estimate, the child to search next
// and how long.
type survey struct {
	now       estimate
	move      board.Move
	threshold estimate
}

// survey looks at the children. For the attacker the proof number is the least of the
// children's; the disproof number is the greatest and a unit for each of the others, since
// his moves often come to the same in another order, which a sum would count several times.
// For the defender the disproof number is the least, the proof number the sum. The child
// with the least number is worked on until another is better by a quarter, or the threshold
// of the position is reached.
func (v *VCT) survey(b *board.Board, moves []board.Move, doubts []uint8, attacking bool, threshold estimate) survey {
	const most = infinite - 1
	first, second, other := uint32(infinite), uint32(infinite), uint32(0)
	sum, greatest, open := uint32(0), uint32(0), uint32(0)
	best := board.None
	for i, m := range moves {
		e, ok := v.table.probe(b.HashAfter(m))
		if !ok {
			e = v.guess(b, m, attacking)
			e.proof += uint32(doubts[i])
		}
		if !attacking {
			e.proof, e.disproof = e.disproof, e.proof
		}
		switch {
		case e.disproof == infinite:
			sum = infinite
		case sum < infinite && e.disproof > 0:
			sum = min(sum+e.disproof, most)
			greatest = max(greatest, e.disproof)
			open++
		}
		switch {
		case e.proof < first || best == board.None:
			first, second, other, best = e.proof, first, e.disproof, m
		case e.proof < second:
			second = e.proof
		}
	}
	others := sum - other // what the other children add to the number of the best
	if attacking && sum < infinite && open > 0 {
		others = unit * (open - 1)
		sum = min(greatest+others, most)
	}
	now, limit := estimate{first, sum}, estimate{}
	if !attacking {
		threshold.proof, threshold.disproof = threshold.disproof, threshold.proof
	}
	limit.proof = min(threshold.proof, second+second/unit*patience+unit)
	limit.disproof = infinite
	if threshold.disproof < infinite {
		limit.disproof = threshold.disproof - min(others, threshold.disproof)
	}
	if !attacking {
		now.proof, now.disproof = now.disproof, now.proof
		limit.proof, limit.disproof = limit.disproof, limit.proof
	}
	return survey{now, best, limit}
}

// expand appends the moves of the position to v.stack and their doubts to v.doubts, or reports that
// it is decided.
func (v *VCT) expand(b *board.Board, attacking bool, ply int) (_ estimate, known bool) {
	h := b.Hash() ^ uint64(v.table.generation)<<56 // lists go with the generation of the table
	slot := &v.lists[h&uint64(len(v.lists)-1)]
	if slot.hash == h {
		v.stack = append(v.stack, slot.moves[:slot.n]...)
		v.doubts = append(v.doubts, slot.doubts[:slot.n]...)
		return estimate{}, false
	}
	base := len(v.stack)
	if ply >= maxPlies {
		v.limited = true
		return disproven, true
	}
	var e estimate
	if attacking {
		e, known = v.attacks(b)
	} else {
		e, known = v.replies(b)
	}
	if known {
		v.stack = v.stack[:base]
		return e, true
	}
	v.doubt(base, attacking)
	if n := len(v.stack) - base; n <= listMoves {
		slot.hash, slot.n = h, uint8(n)
		copy(slot.moves[:], v.stack[base:])
		copy(slot.doubts[:], v.doubts[base:])
	}
	return estimate{}, false
}

// attacks lists the attacker's moves to be tried.
func (v *VCT) attacks(b *board.Board) (_ estimate, known bool) {
	s := b.Side()
	base := len(v.stack)
	if b.Count(s, board.MakesFive) > 0 || v.fours(b, v.fourNodes) {
		return proven, true
	}
	if b.Count(s.Other(), board.MakesFive) > 0 {
		v.stack = FiveBlocks(b, v.stack)
	} else {
		near := b.Candidates()
		if v.least == board.MakesNothing {
			near = *b.Open() // what stops a counter four may make nothing anywhere
		}
		if b.Count(s.Other(), board.MakesOpenFour) > 0 {
			// Only fours and what stops the open four do not lose.
			near = board.Set{}
			v.stack = OpenFourStops(b, v.stack)
			v.stack = OtherFours(b, v.stack, base)
			for _, m := range v.stack[base:] {
				near.Add(m)
			}
			v.stack = v.stack[:base]
		}
		for m := near.First(); m != board.None; m = near.First() {
			near.Remove(m)
			if k := b.Class(s, m); k >= v.least || k == board.MakesFoul {
				v.stack = append(v.stack, m)
			}
		}
	}
	v.keepLegal(b, base)
	if len(v.stack) == base {
		return disproven, true
	}
	// Of equal numbers the first is searched: what makes most, near the stone before.
	last := b.Back(2)
	rank := func(m board.Move) int { return int(b.Class(s, m))*board.Stride - board.Distance(m, last) }
	slices.SortStableFunc(v.stack[base:], func(m, n board.Move) int { return rank(n) - rank(m) })
	return estimate{}, false
}

// replies lists the defender's moves that might hold.
func (v *VCT) replies(b *board.Board) (_ estimate, known bool) {
	s := b.Side()
	base := len(v.stack)
	o := s.Other()
	if b.Count(s, board.MakesFive) > 0 {
		return disproven, true
	}
	switch {
	case b.Count(o, board.MakesFive) > 0:
		v.stack = FiveBlocks(b, v.stack)
	case b.Count(s, board.MakesOpenFour) > 0:
		return disproven, true
	case b.Count(o, board.MakesOpenFour) > 0:
		v.stack = OpenFourStops(b, v.stack)
		v.stack = OtherFours(b, v.stack, base)
	default:
		b.Pass()
		won := v.vcf.winZone(b, Limits{Nodes: v.fourNodes, Stop: v.stop})
		v.fourLimitHit = v.fourLimitHit || won == 0 && v.vcf.nodes >= v.fourNodes
		v.limited = v.limited || won == 0 && v.vcf.cut && !v.vcf.stopped
		b.Undo()
		v.nodes += v.vcf.nodes
		switch {
		case won == 0 && v.vcf.stopped && v.vcf.nodes < v.fourNodes:
			return estimate{unit, unit}, true // stopped before it was known
		case won == 0:
			return disproven, true // no threat
		}
		v.stack = v.vcf.zone.cells.Append(v.stack)
		v.stack = OtherFours(b, v.stack, base)
	}
	v.keepLegal(b, base)
	if len(v.stack) == base && !b.HasMove() {
		return disproven, true
	}
	// Of equal numbers the first is searched: what makes most.
	slices.SortStableFunc(v.stack[base:], func(m, n board.Move) int { return int(b.Class(s, n)) - int(b.Class(s, m)) })
	if v.dropLost(b, base) {
		return disproven, true
	}
	if len(v.stack) == base {
		return proven, true
	}
	return estimate{}, false
}

// dropLost drops the replies from v.stack[base:] that lose to a VCF at once. It reports whether
// there is one that leaves the attacker no threat.
func (v *VCT) dropLost(b *board.Board, base int) (holds bool) {
	s, o := b.Side(), b.Side().Other()
	kept := v.stack[:base]
	for _, m := range v.stack[base:] {
		b.Play(m)
		lost := b.Count(s, board.MakesFive) == 0 && b.Count(o, board.MakesOpenFour) > 0 || v.fours(b, replyNodes)
		holds = !lost && v.harmless(b)
		b.Undo()
		if holds {
			return true
		}
		if !lost {
			kept = append(kept, m)
		}
	}
	v.stack = kept
	return false
}

// harmless reports whether attacks would list nothing.
func (v *VCT) harmless(b *board.Board) bool {
	s := b.Side()
	if v.least < board.MakesThree || b.Count(s.Other(), board.MakesFive) > 0 || b.Count(s, board.MakesFoul) > 0 {
		return false
	}
	for k := board.MakesThree; k <= board.MakesFive; k++ {
		if b.Count(s, k) > 0 {
			return false
		}
	}
	return true
}

// fours reports whether the side to move has a VCF.
func (v *VCT) fours(b *board.Board, nodes int) bool {
	won := v.vcf.Win(b, Limits{Nodes: nodes, Stop: v.stop}) > 0
	v.fourLimitHit = v.fourLimitHit || !won && nodes == v.fourNodes && v.vcf.nodes >= nodes
	v.limited = v.limited || !won && v.vcf.cut && !v.vcf.stopped // replyNodes give nothing up
	v.nodes += v.vcf.nodes
	return won
}

// keepLegal drops the moves from v.stack[base:] that are forbidden.
func (v *VCT) keepLegal(b *board.Board, base int) {
	if b.Rule()&board.Renju == 0 || b.Side() == board.White {
		return
	}
	kept := v.stack[:base]
	for _, m := range v.stack[base:] {
		if b.Legal(m) {
			kept = append(kept, m)
		}
	}
	v.stack = kept
}
