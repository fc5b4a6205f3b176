package search

import "tengen/brain/board"

// Params are the tuned numbers of the search, one set for all rules. Margins are points of Value,
// compressed ones where the search compresses values; depths are plies, reductions 1/1024 of a ply.
//
// They were first set by hand, then moved one at a time by the nodes to known wins. All except
// QuiescenceFours and the depths were tuned by SPSA with the networks (2026-11: 444 iterations of 8
// pairs, freestyle 15x15, 20,000 nodes a move). With the corrections and the two histories that came
// at the same time they won 54.0% of 600 games at 150,000 nodes a move against the old ones without,
// and 55.4% of 344 at 0.3 s a move, where a sequential test of 0 against 20 Elo ended. SPSA with the
// tables, at 5,000 nodes, had found nothing.
//
// PolicyDepth to PolicyStep and ReduceBehind were set 2026-11-28 by how well values of 20,000 nodes
// agree with those of 350,000 on 1,002 positions of games in three rules: the cross-entropy above the
// entropy fell from .0437 to .0405 (+-.0011). Worse were a PolicyMargin of 8 or 24, a PolicyStep of 6,
// a ReduceBehind of 48 from 24, and, without pruning, ReduceBehind with a ReduceScale of 850 or 950.
// In games: 149-120-65 at 20,000 nodes a move in three rules, 31-31-36 at 150,000 in freestyle.
//
// After that no other number gained by the same measure, at 40,000 nodes: of 29 changes of one number
// the best three lay .0042 to .0049 lower (+-.0027) on those positions (ReduceScale 950, FailHighStep 13,
// ReducePV 1200), and .0012 to .0043 higher on 1,002 others, alone and together.
type Params struct {
	Aspiration int // half width of the first window

	RazorDepth  int // razoring up to this depth
	RazorMargin int // at depth 1
	RazorStep   int // points more, times depth squared less one

	FutilityStep int // points per ply

	TableDepth  int // a node without a move of the hash table is searched a ply less from here
	TableBehind int // a PV node is searched this much less for each ply that its entry is less deep

	FailHighMargin int // where a cut-off is expected and the value is this far above beta ...
	FailHighStep   int // ... and this more per ply, moves that make no four lose a ply
	AlphaDepth     int // up to here the moves after one that raised alpha lose a ply

	CountBase  int // moves tried at any depth in a node that improves
	CountPower int // 1/100: and depth to this power more
	SkipDepth  int // up to this depth cells that make nothing for either side are not tried

	PolicyDepth  int // up to here a move that makes and takes no three is not tried ...
	PolicyMargin int // ... if the policy likes it this many points of Order less than its best ...
	PolicyStep   int // ... and this many more per ply

	SingularDepth int // least depth of a singular search
	SingularStep  int // 1/64 of a value: how far below the table's value the others are, per ply

	ReduceScale           int // reduction per ln(depth) * ln(move number)
	ReduceBehind          int // more for each point of Order by which the policy likes the move less than its best ...
	ReduceBehindFrom      int // ... beyond this many
	ReduceStatic          int // more if the static value does not improve
	ReduceCut             int // more where a cut-off is expected
	ReducePV              int // less for a position that has been on a principal variation
	ReduceNothing         int // more for a cell that makes nothing for either side
	ReduceFar             int // more still if it lies far from the last moves
	ReduceDistant         int // more for a far cell that takes no four, under the threat of an open four
	ReduceAttack          int // less for a three, and against one that threatens more
	ReduceThreeAfterThree int // less for a three if our previous move made a three too
	ReduceKiller          int // less for a killer
	ReduceHistory         int // less at the history's greatest value, more at its least
	ReduceContinued       int // the same for each of the two entries of the continuation history
	ReduceCutoffs         int // more after more cut-offs than fewCutoffs against the moves of this node and of its siblings

	DeeperMargin int // a reduced move this far above alpha is searched again a ply deeper ...
	DeeperStep   int // ... and this more per ply it was reduced by

	QuiescenceFours int // fours of a run in quiescence that are not restricted to those near the last one

	CorrectThreats int // 1/1024 of the correction by threats that is added to the static value ...
	CorrectMoves   int // ... and of that by the last two moves

	CounterBonus     int // for the counter move; points of eval.Evaluator.Order
	HistoryAttack    int // points of Order from the history's greatest value, for attacks
	HistoryQuiet     int // the same for quiet moves
	HistoryContinued int // the same for each of the two entries of the continuation history
	HistoryClasses   int // the same for the history by what moves make and take
}

// A Tunable is one number of a Params with the range a tuner may move it in.
type Tunable struct {
	Name     string // as the field
	Value    *int
	Default  int
	Min, Max int
	Step     int // a change that should show in some thousand games
}

// Tunables lists the numbers of p.
func (p *Params) Tunables() []Tunable {
	return []Tunable{
		// name, value, default, least, most, step
		{"Aspiration", &p.Aspiration, 26, 4, 80, 6},
		{"RazorDepth", &p.RazorDepth, 2, 0, 5, 1},
		{"RazorMargin", &p.RazorMargin, 27, 0, 200, 12},
		{"RazorStep", &p.RazorStep, 12, 0, 120, 5},
		{"FutilityStep", &p.FutilityStep, 57, 15, 160, 10},
		{"TableDepth", &p.TableDepth, 4, 1, 20, 1},
		{"TableBehind", &p.TableBehind, 241, 0, 1024, 80},
		{"FailHighMargin", &p.FailHighMargin, 9, -200, 400, 12},
		{"FailHighStep", &p.FailHighStep, 19, 0, 60, 4},
		{"AlphaDepth", &p.AlphaDepth, 11, 0, 30, 2},
		{"CountBase", &p.CountBase, 8, 1, 16, 1},
		{"CountPower", &p.CountPower, 127, 80, 220, 10},
		{"SkipDepth", &p.SkipDepth, 4, 0, 20, 1},
		{"PolicyDepth", &p.PolicyDepth, 12, 0, 30, 2},
		{"PolicyMargin", &p.PolicyMargin, 16, 0, 200, 6},
		{"PolicyStep", &p.PolicyStep, 8, 0, 40, 2},
		{"SingularDepth", &p.SingularDepth, 7, 3, 20, 1},
		{"SingularStep", &p.SingularStep, 71, 8, 256, 16},
		{"ReduceScale", &p.ReduceScale, 1085, 300, 1800, 90},
		{"ReduceBehind", &p.ReduceBehind, 32, 0, 128, 8},
		{"ReduceBehindFrom", &p.ReduceBehindFrom, 32, 0, 120, 6},
		{"ReduceStatic", &p.ReduceStatic, 1215, -512, 2048, 160},
		{"ReduceCut", &p.ReduceCut, 1649, -512, 3072, 200},
		{"ReducePV", &p.ReducePV, 888, -512, 3072, 160},
		{"ReduceNothing", &p.ReduceNothing, 508, -512, 2048, 160},
		{"ReduceFar", &p.ReduceFar, 355, -512, 2048, 160},
		{"ReduceDistant", &p.ReduceDistant, 1147, 0, 3072, 160},
		{"ReduceAttack", &p.ReduceAttack, 898, -512, 3072, 160},
		{"ReduceThreeAfterThree", &p.ReduceThreeAfterThree, 444, 0, 2048, 100},
		{"ReduceKiller", &p.ReduceKiller, 682, -512, 2048, 160},
		{"ReduceHistory", &p.ReduceHistory, 1366, 0, 4096, 200},
		{"ReduceContinued", &p.ReduceContinued, 377, -2000, 4000, 250},
		{"ReduceCutoffs", &p.ReduceCutoffs, 257, -2000, 4000, 200},
		{"DeeperMargin", &p.DeeperMargin, 23, 0, 200, 8},
		{"DeeperStep", &p.DeeperStep, 13, 0, 60, 3},
		{"QuiescenceFours", &p.QuiescenceFours, 0, 0, 4, 1},
		{"CorrectThreats", &p.CorrectThreats, 263, -1024, 2048, 128},
		{"CorrectMoves", &p.CorrectMoves, 226, -1024, 2048, 128},
		{"CounterBonus", &p.CounterBonus, 20, 0, 120, 8},
		{"HistoryAttack", &p.HistoryAttack, 101, 0, 400, 20},
		{"HistoryQuiet", &p.HistoryQuiet, 40, 0, 400, 14},
		{"HistoryContinued", &p.HistoryContinued, 28, -200, 400, 16},
		{"HistoryClasses", &p.HistoryClasses, 28, -200, 400, 16},
	}
}

// DefaultParams returns the numbers the engine plays with.
func DefaultParams() (p Params) {
	for _, t := range p.Tunables() {
		*t.Value = t.Default
	}
	return p
}

// forcedOrder has the points of a class in the order of forced moves, on the scale of
// eval.Evaluator.Order: forcedOwn times for what a move makes, once for what it takes from the
// opponent. Set by hand 2026-11.
var forcedOrder = [board.MakesFive + 1]int32{
	board.MakesTwo: 4, board.MakesClosedThree: 4, board.MakesTwoTwos: 12, board.MakesClosedThreeTwo: 16,
	board.MakesThree: 8, board.MakesThreeTwo: 24, board.MakesTwoThrees: 60, board.MakesFour: 4,
	board.MakesFourPlus: 30, board.MakesFourThree: 120, board.MakesOpenFour: 160, board.MakesFive: 300,
}

// Parameters that are not tuned. Set by hand 2026-11.
const (
	forcedOwn     = 2    // see forcedOrder
	tableSize     = 64   // of the tables by depth and by move number; greater ones count as the last
	maxTried      = 64   // moves of a node that the history learns from
	mostBehind    = 3    // plies that TableBehind takes at most
	leastCount    = 2    // moves that are tried at every node
	countWorse    = 2    // divisor: a node that does not improve tries 1/n of the moves
	countDepth    = 6    // plies; nodes of the principal variation drop late moves up to here
	singularBack  = 3    // plies by which the table's entry of a singular move may be less deep
	singularPart  = 2    // divisor: a singular search goes to 1/n of the depth
	singularScale = 64   // 1 in SingularStep
	extendTimes   = 2    // blocks of a five are extended up to the root's depth times this ...
	extendPlies   = 8    // ... and this many plies more
	behindMost    = 3072 // 1/1024 of a ply that ReduceBehind adds at most
	reduceFrom    = 2    // plies; no late move reduction below this depth
	shallowerStep = 1    // points per ply: a reduced move that beats the best by less is searched again a ply less deep
	farCells      = 4    // king moves; a cell further than this from both last moves is far from them
	alphaFrom     = 3    // plies from which AlphaDepth counts
	alphaValue    = 2000 // points; values further from 0 than this raise alpha without it
	forcedDepth   = 4    // plies after which a forced move is played: see iterations.playsForced

	lastDepth = maxPly / extendTimes // plies of the last iteration, which leaves room for extensions
	endTimes  = 2                    // plies of it for each empty cell: with reductions fewer do not reach the end of the game

	// A study of a position where a side is better: see compress and worker.windowAround. Set by
	// hand 2026-11 after the nodes to the win in 183 positions of games before a deep one, a million at
	// most: against the search of a game 0.84 with studyFrom 300, 0.78 with 100, 0.75 with 0. In games
	// compressed values lost: 102-144-140 of 386 in freestyle at 0.3 s a move, 203-246-102 of 551 in
	// renju at 60,000 and 150,000 nodes.
	studyFrom   = 50  // points of the static value from which values are compressed
	clearValue  = 300 // points
	clearPart   = 8   // divisor
	clearWindow = 200 // compressed points

	aspireFrom   = 5    // plies; a full window below this depth
	aspireShare  = 2    // divisor: after each miss the window grows by 1/n of itself ...
	aspireMore   = 6    // ... and by this many points
	aspireLess   = 3    // plies that misses above the window take from the depth at most
	centralReach = 2    // king moves from the middle, with several lines on an empty board
	aspireGiveUp = 2000 // a half window beyond this is opened whole
	rootLateFrom = 3    // depth from which late moves of the root are reduced ...
	rootLate     = 2    // ... and the number of first moves that are not
	rootSkipFrom = 3    // from this depth on ...
	rootSkip     = 4    // ... helpers skip every n-th depth
	repeatFrom   = 8    // plies; from this depth on a first move that proves to lose ends the iteration
	repeatPart   = 2    // divisor of the depth of the next one if the move that is the best then has no value

	historyMax    = 10692 // bound that history entries approach
	historySquare = 25    // the bonus of a depth: this for its square ...
	historyDepth  = 105   // ... and this for itself ...
	historyBonus  = 8000  // ... but not more
	fewCutoffs    = 2     // see ReduceCutoffs

	correctionBits   = 14  // of the index of the corrections by the last two moves
	correctionScale  = 64  // 1 point in a correction
	correctionMost   = 200 // points; greater differences count as this
	correctionDepth  = 16  // a result changes a correction by its depth and one more, at most by this ...
	correctionWeight = 256 // ... over this

	waitPart = 16 // divisor: a search waits for 1/n of its time until the table is empty

	lineMoves  = 4096 // moves of all nodes of a line that a worker has memory for at first
	rootGrowth = 256  // root moves by which their list grows

	nearCells = 2 // cells; in quiescence a four at most this far from the last one is near it ...
	nearLine  = 4 // ... on one line with it at most this far
)

// numbers are Params with the tables that follow from them.
type numbers struct {
	Params
	reductions [tableSize][tableSize]int32 // of depth and move number; 1/1024 of a ply
	moveCount  [tableSize]int              // moves tried at a depth in a node that improves
}

func newNumbers(p Params) *numbers {
	n := &numbers{Params: p}
	for d := 1; d < tableSize; d++ {
		for i := 1; i < tableSize; i++ {
			n.reductions[d][i] = int32(int64(ln(d)) * int64(ln(i)) * int64(p.ReduceScale) >> 20)
		}
		n.moveCount[d] = p.CountBase + exp(ln(d)*p.CountPower/100)
	}
	return n
}

// ln returns the natural logarithm of n > 0 in 1/1024, by integers alone: the same on
// every machine.
func ln(n int) int {
	log2 := 0 // 1/4096
	for n >= 2<<20 {
		n >>= 1
		log2 += 4096
	}
	x := uint64(n) << 20 // 1/2^20
	for x >= 2<<20 {
		x >>= 1
		log2 += 4096
	}
	for bit := 2048; bit > 0; bit >>= 1 {
		x = x * x >> 20
		if x >= 2<<20 {
			x >>= 1
			log2 += bit
		}
	}
	return log2 * 7098 / 10240 / 4 // ln 2 is 7098/10240; from 1/4096 to 1/1024
}

// exp returns e to the power of x/1024, rounded down; x >= 0.
func exp(x int) int {
	n := 1
	for ln(n+1) <= x {
		n++
	}
	return n
}
