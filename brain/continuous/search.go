// Package continuous searches continuous games: a row scores, its stones become blocked cells,
// and the game goes on until the board is full. Nothing ends the game early, so a value is what
// the side to move gains from a position on, in rows and in the hope for more.
package continuous

import (
	"slices"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/threat"
)

// A Value is what the side to move gains from a position on. Scale: Row is a row.
type Value int32

// Row is the value of a row.
const Row Value = 1000

const (
	infinity = 1 << 20
	maxPly   = 200
)

// Limits of a search.
type Limits struct {
	Nodes int64 // 0 for none
	Depth int   // plies; 0 for none
	Style int   // of the side to move: -100 defense to 100 attack; 0 neutral

	// Stop is called every few hundred nodes; the search ends if it returns true.
	Stop func() bool

	// Report is called with what each iteration has found. Stop may be nil, and so may this.
	Report func(Result)
}

// A Result is the outcome of a search, whole or so far.
type Result struct {
	Value           Value
	Depth, SelDepth int // plies
	Nodes           int64
	PV              []board.Move // its first move is the best; empty without a legal move, or if the first was not searched within the limits
}

// A Searcher searches positions of one board at a time. A search allocates memory for its result
// alone.
type Searcher struct {
	b         *board.Board
	evaluator func(*board.Board) eval.Evaluator
	eval      eval.Evaluator
	points    points
	table     table
	style     int // Limits.Style

	history [2][board.Cells]int32
	killers [maxPly + 1][2]board.Move
	moves   []scoredMove
	listed  [board.MaxSize * board.MaxSize]board.Move // the moves of one node ...
	scores  [board.MaxSize * board.MaxSize]int32      // ... and what the evaluator says of them
	pv      [maxPly + 2][maxPly + 2]board.Move
	pvLen   [maxPly + 2]int

	limits   Limits
	nodes    int64
	cutoffs  int64
	first    int64 // cut-offs by the first move tried
	next     int64 // nodes at which Stop is called
	selDepth int
	depth    int // of the iteration
}

// New returns a searcher with a hash table of about the given size in bytes, and what makes its
// evaluators, for boards of any rule.
func New(bytes int64, evaluator func(*board.Board) eval.Evaluator) *Searcher {
	return &Searcher{table: newTable(bytes), evaluator: evaluator, moves: make([]scoredMove, 0, 1<<14)}
}

// Resize makes the table an empty one of about the given size in bytes, in no time.
func (s *Searcher) Resize(bytes int64) {
	s.table.memory.Free()
	s.table = newTable(bytes)
}

// Close gives the memory of the table back to the system, in the background. The searcher is not used
// afterwards.
func (s *Searcher) Close() { s.table.memory.Free() }

// Clear forgets earlier searches.
func (s *Searcher) Clear() {
	s.table.clear()
	s.history = [2][board.Cells]int32{}
}

// Prepare makes the searcher ready for the board b, so that its next search need not.
func (s *Searcher) Prepare(b *board.Board) {
	var made bool
	if s.b, made = board.Copy(s.b, b); made {
		s.points.follow(s.b)
		s.eval = s.evaluator(s.b)
		s.history = [2][board.Cells]int32{}
	}
}

// Search searches the position of b, a continuous game, which is left as it is.
func (s *Searcher) Search(b *board.Board, l Limits) Result {
	s.Prepare(b)
	if s.style = l.Style; s.style != 0 { // values of different styles of Black cannot be compared
		black := l.Style
		if b.Side() == board.White {
			black = -black
		}
		s.b.Rekey(uint64(black) * board.Golden)
	}
	s.points.begin(s.b)
	s.eval.Reset(s.b, l.Style)
	s.limits, s.nodes, s.next, s.selDepth = l, 0, checkEvery, 0
	s.cutoffs, s.first = 0, 0
	s.killers = [maxPly + 1][2]board.Move{}
	for c := range s.history {
		for m := range s.history[c] {
			s.history[c][m] /= historyFade
		}
	}
	s.moves = s.moves[:0]
	var r Result
	last := min(s.b.Empties(), maxPly/2)
	if l.Depth > 0 {
		last = min(last, l.Depth)
	}
	for depth := 1; depth <= last; depth++ {
		s.depth = depth
		v, stopped := s.root(depth, r.PV)
		if s.pvLen[0] > 0 {
			r.PV, r.Value, r.Depth = slices.Clone(s.pv[0][:s.pvLen[0]]), v, depth
		}
		r.Nodes, r.SelDepth = s.nodes, s.selDepth
		if stopped || len(r.PV) == 0 {
			break
		}
		if l.Report != nil {
			reported := r
			reported.Value = s.reported(v, r.PV)
			l.Report(reported)
		}
	}
	r.Value = s.reported(r.Value, r.PV)
	return r
}

// reported returns the value v of the root without what the style adds to it at the end of its line, if
// the evaluator is asked there.
func (s *Searcher) reported(v Value, line []board.Move) Value {
	if s.style == 0 {
		return v
	}
	for _, m := range line {
		s.b.PlayRows(m)
	}
	if s.quiet() && threat.StaticWin(s.b) == 0 {
		styled := s.eval.Value()
		part := hope(styled) - hope(styled-s.eval.StylePart())
		if len(line)%2 == 1 {
			part = -part
		}
		v -= part
	}
	for range line {
		s.undo()
	}
	return v
}

// quiet reports whether no side can make a row.
func (s *Searcher) quiet() bool {
	return s.b.Count(board.Black, board.MakesFive)+s.b.Count(board.White, board.MakesFive) == 0
}

const checkEvery = 256 // nodes between two calls of Stop

// count counts a node and reports whether a limit is reached. Then all functions that search return
// without a result.
func (s *Searcher) count() (stopped bool) {
	s.nodes++
	if s.nodes >= s.next {
		s.next = s.nodes + checkEvery
		stopped = s.limits.Stop != nil && s.limits.Stop()
	}
	return stopped || s.limits.Nodes > 0 && s.nodes >= s.limits.Nodes
}

// root searches the position at the root to depth. The first move of the last iteration is
// searched first. If the search is stopped, the best of the moves searched so far stands.
func (s *Searcher) root(depth int, before []board.Move) (best Value, stopped bool) {
	first := board.None
	if len(before) > 0 {
		first = before[0]
	}
	s.pvLen[0] = 0
	base := len(s.moves)
	s.list(first, true, true, 0, depth)
	alpha := Value(-infinity)
	best = -infinity
	n := 0
	for i := base; i < len(s.moves); i++ {
		m := s.selectBest(i)
		if !s.b.Legal(m) {
			continue
		}
		n++
		var v Value
		if v, stopped = s.after(m, alpha, infinity, depth, 0, n); stopped {
			break
		}
		if v > best {
			best = v
			alpha = max(alpha, v)
			s.updatePV(m, 0)
		}
	}
	s.moves = s.moves[:base]
	return best, stopped
}

// updatePV makes m followed by the principal variation of the child that of ply.
func (s *Searcher) updatePV(m board.Move, ply int) {
	s.pv[ply][0] = m
	n := copy(s.pv[ply][1:], s.pv[ply+1][:s.pvLen[ply+1]])
	s.pvLen[ply] = n + 1
}

// after plays m, the n-th move of its node, and returns the value for the side that plays it
// after a search of depth-1 plies, its rows included.
func (s *Searcher) after(m board.Move, alpha, beta Value, depth, ply, n int) (v Value, stopped bool) {
	b := s.b
	side := b.Side()
	mine, theirs := b.Class(side, m), b.Class(side.Other(), m)
	next, reduce := depth-1, 0
	switch {
	case theirs == board.MakesFive && mine != board.MakesFive:
		if ply < extendTimes*s.depth {
			next = depth // the exchange of a four for its block is one ply
		}
	case mine == board.MakesFive:
	case mine >= board.MakesFour || theirs >= board.MakesOpenFour:
	case depth >= reduceDepth && n > reduceFrom && b.Empties() > fewCells:
		reduce = 1
		if n > reduceLate {
			reduce++
		}
		if depth >= reduceDeep && n > reduceDeepFrom {
			reduce++
		}
		reduce = min(reduce, depth-2)
	}
	gain := Row * Value(b.PlayRows(m))
	a, z := alpha-gain, beta-gain
	if n > 1 {
		v, stopped = s.reply(a, a+1, next-reduce, ply)
		if v > a && reduce > 0 && !stopped {
			v, stopped = s.reply(a, a+1, next, ply)
		}
	}
	if (n == 1 || v > a && v < z) && !stopped {
		v, stopped = s.reply(a, z, next, ply)
	}
	s.undo()
	return v + gain, stopped
}

// reply is search at the next ply, with the window and the value of the side that has moved at ply.
func (s *Searcher) reply(alpha, beta Value, depth, ply int) (v Value, stopped bool) {
	v, stopped = s.search(-beta, -alpha, depth, ply+1)
	return -v, stopped
}

func (s *Searcher) undo() {
	s.b.Undo()
	s.points.undone(s.b)
	s.eval.Undone()
}

// enter counts a node at ply. It reports whether the line ends there, with the value, or the search.
func (s *Searcher) enter(ply int) (v Value, ends, stopped bool) {
	s.pvLen[ply] = 0
	switch {
	case s.count():
		return 0, true, true
	case s.b.Empties() == 0 || !s.b.HasMove():
		return 0, true, false
	case ply >= maxPly:
		return s.static(), true, false
	}
	s.selDepth = max(s.selDepth, ply)
	return 0, false, false
}

// search returns what the side to move gains, searched to depth plies, bounded by (alpha, beta).
func (s *Searcher) search(alpha, beta Value, depth, ply int) (v Value, stopped bool) {
	if depth <= 0 {
		return s.quiescence(alpha, beta, 0, ply)
	}
	if v, ends, stopped := s.enter(ply); ends {
		return v, stopped
	}
	b := s.b
	key := b.Hash()
	known := s.table.probe(key)
	pv := beta-alpha > 1
	if !pv && known.depth >= depth {
		if v, ok := known.decides(alpha, beta); ok {
			return v, false
		}
	}
	if !pv {
		if v, ok, stopped := s.pruned(beta, depth, ply); ok || stopped {
			return v, stopped
		}
	}
	base := len(s.moves)
	s.list(known.move, pv, false, ply, depth)
	best, from, bestMove := Value(-infinity), alpha, board.None
	n := 0
	for i := base; i < len(s.moves); i++ {
		m := s.selectBest(i)
		if !b.Legal(m) {
			continue
		}
		n++
		if v, stopped = s.after(m, alpha, beta, depth, ply, n); stopped {
			break
		}
		if v <= best {
			continue
		}
		best = v
		if v <= alpha {
			continue
		}
		alpha, bestMove = v, m
		if pv {
			s.updatePV(m, ply)
		}
		if v >= beta {
			s.cutoffs++
			if n == 1 {
				s.first++
			}
			s.updateHistory(m, depth, ply)
			break
		}
	}
	s.moves = s.moves[:base]
	switch {
	case stopped:
		return 0, true
	case n == 0:
		return s.static(), false
	}
	s.table.store(key, best, from, beta, depth, bestMove)
	return best, false
}

// pruned returns the value of a node that is so good for the side to move that its moves need no
// search: by child futility, or after a null move. Where a five is threatened or few cells are
// left it does not apply.
func (s *Searcher) pruned(beta Value, depth, ply int) (v Value, ok, stopped bool) {
	b := s.b
	side, other := b.Side(), b.Side().Other()
	if b.Count(side, board.MakesFive)+b.Count(other, board.MakesFive) > 0 || b.Empties() <= fewCells {
		return 0, false, false
	}
	v = s.static()
	if depth <= futileDepth && v-futileStep*Value(depth) >= beta && b.Count(other, board.MakesOpenFour) == 0 {
		return v, true, false
	}
	if depth < nullDepth || v < beta || b.Back(1) == board.None {
		return 0, false, false
	}
	b.Pass()
	v, stopped = s.reply(beta-1, beta, depth-nullReduction, ply)
	s.undo()
	return v, v >= beta, stopped
}

// quiescence returns the value at the end of the search: fives are made and stopped, and fours
// are made while they may raise the value.
func (s *Searcher) quiescence(alpha, beta Value, depth, ply int) (v Value, stopped bool) {
	if v, ends, stopped := s.enter(ply); ends {
		return v, stopped
	}
	b := s.b
	side, other := b.Side(), b.Side().Other()
	own, theirs := b.Count(side, board.MakesFive), b.Count(other, board.MakesFive)
	best := s.static()
	if depth <= -deepest {
		return best, false
	}
	base := len(s.moves)
	switch {
	case own&1 != 0 || theirs&1 != 0:
		if own > 0 {
			s.add(b.Set(side, board.MakesFive), 1<<20)
		}
		if theirs > 0 {
			s.add(b.Set(other, board.MakesFive), 1<<19)
		}
	case best >= beta:
		return best, false
	case depth > -foursDepth:
		s.add(b.Set(side, board.MakesOpenFour), 1<<20)
		s.add(b.Set(side, board.MakesFourThree), 1<<19)
		s.add(b.Set(side, board.MakesFourPlus), 1<<18)
		if depth > -plainDepth {
			s.add(b.Set(side, board.MakesFour), 0)
		}
	}
	alpha = max(alpha, best)
	for i := base; i < len(s.moves) && best < beta; i++ {
		m := s.selectBest(i)
		if !b.Legal(m) {
			continue
		}
		gain := Row * Value(b.PlayRows(m))
		v, stopped = s.quiescence(-(beta - gain), -(alpha - gain), depth-1, ply+1)
		s.undo()
		if stopped {
			break
		}
		v = gain - v
		best = max(best, v)
		alpha = max(alpha, v)
	}
	s.moves = s.moves[:base]
	return best, stopped
}
