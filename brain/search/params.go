package search

import "tengen/brain/eval"

// Params are the numbers of the search. Values are eval.Value unless named
// otherwise. Set by hand 2026-11 after the magnitudes that strong engines report;
// not tuned yet.
type params struct {
	aspiration eval.Value // half width of the first window
	aspireFrom int        // plies; a full window below

	razorDepth  int        // plies; razoring into quiescence up to here
	razorMargin eval.Value // at depth 1
	razorStep   eval.Value // more per ply

	futilityDepth int        // plies; child futility up to here
	futilityStep  eval.Value // per ply

	skipDepth int // plies; cells that make nothing for either side are not tried up to here

	reduceFrom   int // moves of a node searched at full depth
	reduceScale  int // 1/1024: reduction per ln(depth) * ln(move number)
	historyScale int // history points that change a reduction by one ply
}

var tuned = params{
	aspiration: 16,
	aspireFrom: 5,

	razorDepth:  3,
	razorMargin: 40,
	razorStep:   30,

	futilityDepth: 9,
	futilityStep:  60,

	skipDepth: 4,

	reduceFrom:   1,
	reduceScale:  900,
	historyScale: 12000,
}

// reductions[d][n] is the late move reduction in 1/1024 plies for depth d and the n-th
// move. moveCount[d] is the number of moves tried at depth d in a node that improves.
var (
	reductions [64][64]int32
	moveCount  [64]int
)

func init() {
	for d := 1; d < 64; d++ {
		for n := 1; n < 64; n++ {
			reductions[d][n] = int32(int64(ln(d)) * int64(ln(n)) * int64(tuned.reduceScale) >> 20)
		}
		// 3 + d^1.32
		moveCount[d] = 3 + exp(ln(d)*132/100)
	}
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
	return log2 * 7098 / 10240 / 4
}

// exp returns e to the power of x/1024, rounded down; x >= 0.
func exp(x int) int {
	n := 1
	for ln(n+1) <= x {
		n++
	}
	return n
}
