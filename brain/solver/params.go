package solver

// scale is 1 in the shares.
const scale = 1024

// Numbers set by hand, 2026-11. In a game a node of the solver takes as long as one of the search.
const (
	even  = 250 // points; the search values a position as even up to here, either way
	early = 32  // stones; the solver of a game with more takes less

	stepEvery = 4096 // nodes of the search between two steps, at least
	leastStep = 256  // nodes of the solver in a step, at least: up to 40 lead down from the root to what is new

	passFours      = 1000    // fours of the search for a win of the opponent after a pass
	passNodes      = 1024    // nodes of the search for one by threats ...
	passStep       = 512     // ... in one step, where as many more may go to the moves that it refutes
	moveNodes      = 4096    // nodes to find out whether it refutes a move
	passAgain      = 1 << 16 // nodes of the search after which it is looked for again ...
	passAgainTimes = 4       // ... and again each time that there are this many times more ...
	passAgainPart  = 64      // ... in 1/n of them
	never          = 1 << 62 // nodes that no search has

	vcfPart = 32 // divisors: of the memory the VCF has 1/n ...
	vctPart = 2  // ... and the VCT of each color 1/n
)

// A standing is how the search values the root for the side to move.
type standing int

const (
	ahead standing = iota // by more than even
	level
	behind
)

// A share says which parts of the nodes of its worker, in 1/scale, the solver takes for a win of the
// side to move and for one of the opponent after the best move so far. What it does after a pass
// comes on top.
type share struct{ own, reply int }

// A table of shares has one for each standing.
type shares [behind + 1]share

// The shares of games and studies, set by hand 2026-11.
//
// Games: after games at 0.5 s a move between engines with and without a solver. The search misses a
// win of its own in 1 of 6,300 positions. Of 7,621 moves in 342 games, 16 allow a win that 60,000
// nodes of the solver find, seldom with more than 32 stones; 9,000 nodes find 4 of them. Larger
// shares cost more depth than they are worth. The large one for the own win while ahead is for deep
// wins: in a second it finds 59 of testdata/tactics, 48 finds 57.
//
// Studies: most deep wins need quiet moves. In 78 positions before one the search took 0.93 of the
// nodes with these shares, against three times as much; with six times as much it took 1.11.
var (
	earlyShares = shares{ahead: {80, 8}, level: {24, 16}, behind: {8, 64}}
	lateShares  = shares{ahead: {80, 8}, level: {8, 8}, behind: {8, 16}}
	studyShares = shares{ahead: {96, 32}, level: {32, 32}, behind: {32, 96}}
)
