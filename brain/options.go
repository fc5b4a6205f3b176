package brain

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"tengen/brain/board"
	"tengen/brain/clock"
	"tengen/brain/level"
	"tengen/brain/search"
)

// NoLimit is the value of a time in Options that is not limited.
const NoLimit = clock.NoLimit

// Options are the options that a manager sets by INFO. They stay in force for later games.
// Times are the limits of the manager, from which the limits of a search are computed.
type Options struct {
	Turn      time.Duration // for one move; 0 is as fast as possible, NoLimit none
	Match     time.Duration // for all moves of a game; NoLimit none
	Left      time.Duration // left of Match before the next move, negative when overdrawn; NoLimit if never set
	Increment time.Duration // added to Left after each move
	Alone     bool          // the engine moves for both colors, of one Left

	MaxMemory int64 // bytes for the whole process; 0 if not set
	Hash      int64 // bytes of the table at most; 0 if not set
	Threads   int   // workers of a search, at least 1

	Depth int   // plies of the last iteration; 0 is no limit
	Nodes int64 // of one search, all workers together; 0 is no limit

	Strength int // 0 a beginner to FullStrength: see package level
	Style    int // -100 defense to 100 attack, 0 neutral

	Rule board.Rule
	Side int  // to move in a position of listed stones: 1 black, 2 white, 0 by their numbers
	Book bool // play the moves of the opening book

	// For analysis.
	Endless    bool               // a search without a limit of time, nodes or depth ends only when it is stopped
	StartDepth int                // plies of the second iteration at least
	Caution    int                // how far from the stones moves are considered: see reach
	Distinct   bool               // show one line for all moves that are mirror images of each other
	Threats    bool               // look for a win by continuous threats before the search
	MaxMoves   int                // stones with which a game is a draw; 0 only when the board is full
	DrawFor    search.DrawVerdict // who wins a draw
	Database   bool               // use the database: see Engine.UseDatabase
	ReadOnly   bool               // ... and store nothing there
}

// reach returns the distance from the stones within which every cell is searched at the root;
// 0 for the candidates alone.
func (o *Options) reach() int {
	switch o.Caution {
	case 4:
		return 4
	case 5:
		return board.MaxSize
	}
	return 0
}

// weakened reports whether the engine is to play below its full strength.
func (o *Options) weakened() bool { return o.Strength < FullStrength }

// timeless reports whether neither the move nor the game has a limit of time.
func (o *Options) timeless() bool {
	return o.Turn == NoLimit && o.Left == NoLimit && o.Match == NoLimit
}

// studies reports whether Query.Study has an effect.
func (o *Options) studies() bool {
	return o.timeless() && !o.weakened() && o.Rule&board.Continuous == 0
}

// endless reports whether a search ends only when it is stopped.
func (o *Options) endless() bool {
	return o.Endless && o.timeless() && o.Nodes == 0 && o.Depth == 0
}

// Bounds of INFO values.
const (
	MaxThreads = 256      // workers
	MaxHashKiB = 64 << 20 // of hash_size
	unlimited  = 1<<31 - 1

	FullStrength = level.Full
	MaxStyle     = 100 // attack, and defense as a negative number
)

// ThreadsFor returns Config.MostThreads for a machine with the given number of processors: twice as
// many, since more do little harm, and one file of settings may serve several machines.
func ThreadsFor(processors int) int { return min(max(2*processors, 4), MaxThreads) }

// DefaultOptions returns the options before the first INFO.
func DefaultOptions() Options {
	return Options{Turn: NoLimit, Match: NoLimit, Left: NoLimit, Threads: 1, Strength: FullStrength, Book: true}
}

// An InfoKey declares one key of INFO, which Options.Set and Engine.Set take. Values are whole
// numbers or texts. Numbers outside the range are moved to its nearer end, except those of rule, which
// are refused.
type InfoKey struct {
	Name     string // in lower case
	Unit     string
	Min, Max int64 // both 0 if the value is a text
	Doc      string
	set      func(o *Options, v int64) // nil for a key that Options does not hold
}

// Numeric reports whether the values of k are numbers.
func (k InfoKey) Numeric() bool { return k.Unit != AnyText }

// Number reads a value of k, and moves it into the range.
func (k InfoKey) Number(value string) (int64, error) {
	v, err := strconv.ParseInt(value, 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) { // else v is the nearer end of its own range
		return 0, fmt.Errorf("%s wants a number (%s), got %.20q", k.Name, k.Unit, value)
	}
	return min(max(v, k.Min), k.Max), nil
}

// InfoKeys lists the keys of INFO that the engine knows; package protocol has more. Unknown keys are
// ignored.
func InfoKeys() []InfoKey { return slices.Clone(infoKeys) }

// AnyText is the unit of values that are not numbers.
const AnyText = "text"

var infoKeys = []InfoKey{
	{"timeout_turn", "ms", -1, 1 << 40, "limit of a move; 0 as fast as possible; negative or 2147483647 none",
		func(o *Options, v int64) { o.Turn = limit(v, v < 0) }},
	{"timeout_match", "ms", -1, 1 << 40, "limit of a game; 0, negative or 2147483647 none",
		func(o *Options, v int64) { o.Match = limit(v, v <= 0) }},
	{"time_left", "ms", -1 << 40, 1 << 40, "what is left of the limit of a game; 0 or negative: move at once; 2147483647 none",
		func(o *Options, v int64) { o.Left = limit(v, false) }},
	{"time_increment", "ms", 0, unlimited, "added to the time left after each move",
		func(o *Options, v int64) { o.Increment = time.Duration(v) * time.Millisecond }},
	{"max_memory", "bytes", 0, 1 << 50, "for the whole process; 0 unknown: 350 MiB, more for a larger hash_size",
		func(o *Options, v int64) { o.MaxMemory = v }},
	{"hash_size", "KiB", 0, MaxHashKiB, "of the table, within max_memory if that is known; 0 as max_memory allows",
		func(o *Options, v int64) { o.Hash = v << 10 }},
	{"thread_num", "workers", 1, MaxThreads, "workers of a search; a continuous game is searched by one",
		func(o *Options, v int64) { o.Threads = int(v) }},
	{"max_depth", "plies", 0, 1 << 20, "of the last iteration, sooner in a continuous game; 0 or negative no limit",
		func(o *Options, v int64) { o.Depth = int(v) }},
	{"max_node", "nodes", 0, 1 << 60, "of a search, all workers together; 0 or negative no limit",
		func(o *Options, v int64) { o.Nodes = v }},
	{"strength", "percent", 0, FullStrength, "0 plays like a beginner, 100 at full strength",
		func(o *Options, v int64) { o.Strength = int(v) }},
	{"style", "percent", -MaxStyle, MaxStyle, "-100 defends, 100 attacks, 0 plays the best moves",
		func(o *Options, v int64) { o.Style = int(v) }},
	{"rule", "bits", 0, 11, "1 exactly five, 2 continuous, 4 renju, 8 caro; others are refused",
		func(o *Options, v int64) { o.Rule = board.Rule(v) }},
	{"side", "enum", 0, 2, "to move where a list of stones sets up a position: 1 black, 2 white, 0 by their numbers",
		func(o *Options, v int64) { o.Side = int(v) }},

	{"caution_factor", "distance", 0, 5, "moves to consider: 4 within four cells of a stone, 5 everywhere, else near stones",
		func(o *Options, v int64) { o.Caution = int(v) }},
	{"start_depth", "plies", 0, 100, "of the second iteration at least",
		func(o *Options, v int64) { o.StartDepth = int(v) }},
	{"nbestsym", "0/1", 0, 1, "several lines: 0 one of symmetric moves, 1 all",
		func(o *Options, v int64) { o.Distinct = v == 0 }},
	{"nbest_sym", "0/1", 0, 1, "as nbestsym",
		func(o *Options, v int64) { o.Distinct = v == 0 }},
	{"checkmate", "enum", 0, 2, "0 search; 1 or 2 look for a win by continuous threats, and search briefly if there is none; not below full strength, nor in continuous games",
		func(o *Options, v int64) { o.Threats = v > 0 }},
	{"max_moves", "stones", 0, 1 << 20, "the game is a draw with this many; 0: when the board is full",
		func(o *Options, v int64) { o.MaxMoves = int(v) }},
	{"draw_result", "enum", 0, 2, "what a draw counts as: 0 a draw, 1 a win of black, 2 a win of white",
		func(o *Options, v int64) { o.DrawFor = search.DrawVerdict(v) }},

	{"usedatabase", "0/1", 0, 1, "use the database of positions and store results in it; 0 also turns the opening book off",
		func(o *Options, v int64) { o.Database, o.Book = v == 1, v == 1 }},
	{"book", AnyText, 0, 0, "FILE of another opening book, or none", nil},
	{"database_readonly", "0/1", 0, 1, "the database is not changed",
		func(o *Options, v int64) { o.ReadOnly = v == 1 }},
}

// limit converts milliseconds of the protocol; what managers send for no limit is NoLimit.
func limit(ms int64, none bool) time.Duration {
	if none || ms >= unlimited {
		return NoLimit
	}
	return time.Duration(ms) * time.Millisecond
}

// Set sets an option by its INFO key, in lower case. An unknown key is ignored; a bad value
// is an error and changes nothing.
func (o *Options) Set(key, value string) error {
	for _, k := range infoKeys {
		if k.Name != key {
			continue
		}
		if k.set == nil {
			return nil
		}
		v, err := k.Number(value)
		if err != nil {
			return err
		}
		if n, _ := strconv.ParseInt(value, 10, 64); key == "rule" && n != v {
			return fmt.Errorf("rule %.20s is unknown, still playing rule %d", value, o.Rule)
		}
		k.set(o, v)
		return nil
	}
	return nil
}
