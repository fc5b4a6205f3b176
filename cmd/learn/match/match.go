// Package match plays games within the process: single games whose moves a function chooses,
// and matches of two players that search, which can be resumed.
package match

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"strings"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/record"
	"tengen/brain/score"
	"tengen/brain/search"
	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/inorder"
	"tengen/cmd/internal/openings"
	"tengen/cmd/internal/progress"
	"tengen/cmd/internal/resume"
)

// A Player is one side of a match: the evaluation and the parameters of its searches.
type Player struct {
	Evaluation *eval.Evaluation
	Params     search.Params
}

// Default is the engine as a player.
func Default() Player { return Player{eval.Embedded(), search.DefaultParams()} }

// solverMemory is the memory of the threat solver of each pool, in bytes, as in bench: searches here
// have thousands of nodes, and the solver gets a few percent of them.
const solverMemory = 8 << 20

// NewPool returns a pool of one worker with a hash table of the given size in MiB and a threat
// solver, as in a game of the engine.
func (p *Player) NewPool(hashMiB int) *search.Pool {
	pool := search.NewPool(p.Evaluation.New, p.Params, 1, int64(hashMiB)<<20)
	pool.SetSolver(solverMemory)
	return pool
}

// Signature returns 16 hexadecimal digits that differ for players whose searches on b differ.
// It takes about 10 ms.
func (p *Player) Signature(b *board.Board) string {
	return fmt.Sprintf("%016x", search.Signature(p.Evaluation.New, p.Params, solverMemory, b))
}

// Conditions are the conditions of all games of a match.
type Conditions struct {
	flags.Board
	Nodes      int64 `json:"nodes"`               // of a search
	Hash       int   `json:"hash"`                // MiB, of each player
	Adjudicate bool  `json:"adjudicate"`          // end a game when one side has proved a win and the other a loss
	DrawAfter  int   `json:"drawafter,omitempty"` // stones, 0 for a full board
}

// Add adds the flags for conditions.
func (c *Conditions) Add(fs *flag.FlagSet, nodes int64) {
	c.Board.Add(fs)
	c.Nodes, c.Hash = nodes, 8
	flags.Number(fs, &c.Nodes, "nodes", 1, math.MaxInt64, "`NODES` of a search")
	flags.Number(fs, &c.Hash, "hash", 1, 1<<16, "`MIB` of each hash table; there are two for each of -concurrency")
	fs.BoolVar(&c.Adjudicate, "adjudicate", true, "end a game when one side has proved a win and the other a loss")
	flags.Number(fs, &c.DrawAfter, "drawafter", 0, math.MaxInt32, "end a game as a draw at this number of `STONES`, 0 for a full board (default 0)")
}

// A Pair is two games of one opening; the first player is Black in the first one.
type Pair struct {
	Number  int       `json:"pair"`    // of the opening, from 0
	Results [2]string `json:"results"` // from Black's side
	Moves   [2]string `json:"moves"`   // in pos notation, the openings included
}

// score counts the pair from the first player's side.
func (p *Pair) score() (s elo.Score) {
	s.AddPair(record.ParseOutcome(p.Results[0]).HalfPoints(board.Black), record.ParseOutcome(p.Results[1]).HalfPoints(board.White))
	return s
}

// A Match lets two players play each opening from both sides.
type Match struct {
	Conditions
	Players  [2]Player
	Openings [][]board.Move
	Workers  int // pairs at a time; each needs two hash tables and some megabytes
}

// Run plays the pairs that are not in done and returns the score of the first player in all
// pairs. Every game begins with empty hash tables, so that it depends only on the players, the
// opening and the limit of nodes. finished, if not nil, is called for each pair in the order
// of their numbers, with the score so far. Errors: the end of ctx, or the first one of finished
// or of a game; the score then counts the pairs finished before.
func (m *Match) Run(ctx context.Context, done map[int]Pair, finished func(Pair, elo.Score) error) (sum elo.Score, err error) {
	var missing []int
	for n := range m.Openings {
		if pair, ok := done[n]; ok {
			sum.Join(pair.score())
		} else {
			missing = append(missing, n)
		}
	}
	work := func() func(context.Context, uint32) (Pair, error) {
		b := m.New()
		pools := [2]*search.Pool{m.Players[0].NewPool(m.Hash), m.Players[1].NewPool(m.Hash)}
		return func(ctx context.Context, i uint32) (Pair, error) { return m.pair(ctx, b, pools, missing[i]) }
	}
	err = inorder.Run(ctx, min(m.Workers, len(missing)), 0, uint32(len(missing)), work, func(_ uint32, pair Pair) error {
		now := sum
		now.Join(pair.score())
		if finished != nil {
			if err := finished(pair, now); err != nil {
				return err
			}
		}
		sum = now
		return nil
	})
	if sum.Complete() == len(m.Openings) {
		return sum, nil
	}
	return sum, err
}

// pair plays opening n on b from both sides.
func (m *Match) pair(ctx context.Context, b *board.Board, pools [2]*search.Pool, n int) (Pair, error) {
	p := Pair{Number: n}
	for game := range p.Results {
		pools[0].Clear()
		pools[1].Clear()
		outcome, err := m.play(ctx, b, m.Openings[n], func(ctx context.Context, b *board.Board) (board.Move, score.Value) {
			pool := pools[(int(b.Side())+game)%2] // the second player is Black in the second game
			r := pool.Search(ctx, b, search.Limits{Nodes: m.Nodes}, nil)
			return r.Move, r.Info.Score
		})
		if err != nil {
			return p, err
		}
		p.Results[game], p.Moves[game] = outcome.String(), record.FormatMoves(b.Moves())
	}
	return p, nil
}

// A mover returns a move for the side to move, None if none is legal, and the value of the
// position. It does not change the board.
type mover func(ctx context.Context, b *board.Board) (board.Move, score.Value)

// play plays one game on b with the moves of think for both sides.
func (c *Conditions) play(ctx context.Context, b *board.Board, opening []board.Move, think mover) (record.Outcome, error) {
	var last score.Value // proven value of the other side, else 0
	return Play(ctx, b, opening, c.DrawAfter, func(ctx context.Context) (board.Move, record.Outcome) {
		side := b.Side()
		m, v := think(ctx, b)
		if !v.Proven() || v > score.Win || v < -score.Win { // a bound, not a value
			v = 0
		}
		before := last
		last = v
		switch {
		case !c.Adjudicate:
		case v > 0 && before < 0:
			return m, record.WonBy(side)
		case v < 0 && before > 0:
			return m, record.WonBy(side.Other())
		}
		return m, record.Unknown
	})
}

// A journalLine is a line of a journal: the first describes the match, the others hold a pair
// each.
type journalLine struct {
	Match string `json:"match,omitempty"`
	*Pair `json:",omitempty"`
}

// describe describes everything that the games of the match with the first n openings depend on.
func (m *Match) describe(n int) string {
	raw, err := json.Marshal(m.Conditions)
	if err != nil {
		panic(err) // plain data always marshals
	}
	b := m.New()
	return fmt.Sprintf("%s, openings %s, players %s and %s", raw, openings.Digest(m.Openings[:n]), m.Players[0].Signature(b), m.Players[1].Signature(b))
}

// count returns the number of openings in a text of describe, at most len(m.Openings).
func (m *Match) count(described string) int {
	n := len(m.Openings)
	if _, after, ok := strings.Cut(described, ", openings "); ok {
		fmt.Sscanf(after, "%d/", &n)
	}
	return max(0, min(n, len(m.Openings)))
}

// Resume is Run with a journal: it plays the pairs that are not in the named journal and adds
// them to it. A match with more openings continues the journal of one with the first of them. It
// shows its progress on line. With the name "" there is no journal.
func (m *Match) Resume(ctx context.Context, name string, line *progress.Line) (score elo.Score, err error) {
	done, journal, err := m.open(name)
	if err != nil {
		return elo.Score{}, err
	}
	defer func() { err = cmp.Or(err, journal.Close()) }()
	here := 0
	defer line.End()
	return m.Run(ctx, done, func(pair Pair, now elo.Score) error {
		here++
		line.Step("pairs", now.Complete(), len(m.Openings), here, now.String())
		return journal.Add(journalLine{Pair: &pair})
	})
}

// open opens or creates the named journal and returns the pairs in it.
func (m *Match) open(name string) (done map[int]Pair, j *resume.Journal, err error) {
	was := ""
	done = map[int]Pair{}
	j, err = resume.OpenJournal(name, `{"match":`, func(text []byte) error {
		var line journalLine
		switch err := json.Unmarshal(text, &line); {
		case err != nil:
			return err
		case was == "":
			was = line.Match
		case line.Pair == nil || line.Number < 0 || line.Number >= len(m.Openings):
			return errors.New("not a pair of this match")
		default:
			done[line.Number] = *line.Pair
		}
		return nil
	})
	if err != nil {
		return nil, nil, flags.Usage("%v", err)
	}
	switch this := m.describe(m.count(was)); was {
	case "":
		err = j.Add(journalLine{Match: this})
	case this:
	default:
		err = flags.Usage("%s belongs to another match (%s)", name, resume.DifferentSettings(was, this))
	}
	if err != nil {
		j.Close()
		return nil, nil, err
	}
	return done, j, nil
}
