package selfplay

import (
	"flag"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/search"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/resume"
	"tengen/cmd/learn/match"
)

// Settings are what a game depends on, besides the engine.
type Settings struct {
	flags.Board
	Nodes     int64 // of a search
	Seed      uint64
	Random    int // plies behind the opening that may be chosen at random
	Spread    int // points that a random move may be worse than the best
	Hash      int // MiB of the hash table
	DrawAfter int // stones; 0 for a full board, less than 0 for what is usual
	PlayOut   bool
	Openings  Openings

	Evaluation *eval.Evaluation // of both sides; nil for what flags says
	flags      flags.Evaluation

	deck   [][]board.Move // nil to make them
	digest string         // of deck
}

// Openings describes how openings are made: random stones in a small box, kept when a
// search finds them balanced.
type Openings struct {
	Least, Most int   // stones
	Balance     int   // points, the most that an opening may be worth to either side
	Check       int64 // nodes of the search that decides; 0 for twice those of the games
}

// Default returns the default settings.
func Default() Settings {
	return Settings{
		Board: flags.Board{Width: 15, Height: 15},
		Nodes: 2000, Seed: 1, Random: 12, Spread: 60, Hash: 16, DrawAfter: -1,
		Openings: Openings{Least: 3, Most: 9, Balance: 60},
	}
}

// add adds the flags that games and openings have in common.
func (s *Settings) add(fs *flag.FlagSet) {
	s.Board.Add(fs)
	fs.Uint64Var(&s.Seed, "seed", s.Seed, "`NUMBER` that decides everything random; another one for every machine")
	flags.Number(fs, &s.Hash, "hash", 1, 1<<16, "`MIB` of the hash table of each game at a time")
	fs.Func("stones", "`LEAST-MOST` stones of an opening made here (default 3-9)", func(text string) error {
		least, most, two := strings.Cut(text, "-")
		if !two {
			most = least
		}
		var err, err2 error
		o := &s.Openings
		o.Least, err = strconv.Atoi(least)
		o.Most, err2 = strconv.Atoi(most)
		if err != nil || err2 != nil || o.Least < 1 || o.Most < o.Least || o.Most > 40 {
			return fmt.Errorf("want two numbers of 1 to 40")
		}
		return nil
	})
	flags.Number(fs, &s.Openings.Balance, "balance", 0, math.MaxInt32, "`POINTS` that an opening made here may be worth to either side")
	s.flags.Add(fs)
}

// finish checks the settings and fills in what follows from others.
func (s *Settings) finish() error {
	cells := s.Width * s.Height
	if s.Evaluation == nil {
		var err error
		if s.Evaluation, err = s.flags.For(s.Rule); err != nil {
			return err
		}
	}
	o := &s.Openings
	o.Most = min(o.Most, cells/4) // a quarter of a small board is an opening
	o.Least = min(o.Least, o.Most)
	if o.Check == 0 {
		o.Check = 2 * s.Nodes
	}
	if s.DrawAfter < 0 {
		s.DrawAfter = DrawAfter(s.Board)
	}
	if s.DrawAfter >= cells {
		s.DrawAfter = 0
	}
	return nil
}

// DrawAfter returns the number of stones with which a game is a draw where nothing else
// is said, 0 for a full board. Of 285 decided games on 15x15 at 2,000 nodes the longest
// had 90 stones. Those that go on to a full board are one in twenty, and would be a third
// of all positions.
func DrawAfter(b flags.Board) int {
	if n := max(120, b.Width*b.Height*6/10); n < b.Width*b.Height {
		return n
	}
	return 0
}

// String returns all settings in one line: they must be the same for a file to be
// continued. Files of 2026 have it in this form.
func (s *Settings) String() string {
	openings := "openings=" + s.digest
	if s.deck == nil {
		o := &s.Openings
		openings = fmt.Sprintf("openings=made stones=%d-%d balance=%d check=%d", o.Least, o.Most, o.Balance, o.Check)
	}
	end := ""
	if s.DrawAfter > 0 {
		end += fmt.Sprintf(" drawafter=%d", s.DrawAfter)
	}
	if s.PlayOut {
		end += " playout"
	}
	return fmt.Sprintf("selfplay rule=%d size=%dx%d nodes=%d seed=%d random=%d spread=%d table=%dMiB%s %s",
		s.Rule, s.Width, s.Height, s.Nodes, s.Seed, s.Random, s.Spread, s.Hash, end, openings)
}

// player returns the player of both sides.
func (s *Settings) player() match.Player {
	return match.Player{Evaluation: s.Evaluation, Params: search.DefaultParams()}
}

// engine describes the engine: the lines of the origin after the settings.
func (s *Settings) engine() string {
	player := s.player()
	about := strings.Join(strings.Fields(s.Evaluation.Origin(s.Rule)), " ")
	return fmt.Sprintf("engine %s\n%s\nbuild %s\n", player.Signature(s.New()),
		strings.ToValidUTF8(about[:min(len(about), 120)], ""), resume.Build())
}
