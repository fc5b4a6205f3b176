package selfplay

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/search"
	"tengen/cmd/internal/evalflags"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/resume"
	"tengen/cmd/learn/match"
)

// Settings determine a game, together with the engine.
type Settings struct {
	flags.Board
	Nodes     int64 // of a search
	Seed      uint64
	Random    int // plies after the opening in which moves may be random
	Spread    int // points by which a random move may be worse than the best
	Lines     int // lines of a second search of each position, 0 for none
	Hash      int // MiB of the hash table
	DrawAfter int // stones; 0 for a full board, negative for the function DrawAfter
	PlayOut   bool
	Openings  Openings
	Shard     flags.Shard // the games to play

	Evaluation *eval.Evaluation // of both sides; nil for the one of flags
	flags      evalflags.Flags

	given  [][]board.Move // openings of -openings; nil to make them
	digest string         // of given
}

// Openings describes how openings are made: random stones in a small box that a search finds
// balanced.
type Openings struct {
	Least, Most int   // stones
	Balance     int   // greatest advantage of either side, points
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

// add adds the flags of both games and openings.
func (s *Settings) add(fs *flag.FlagSet) {
	s.Board.Add(fs)
	flags.Seed(fs, &s.Seed, "`SEED` of the random numbers; each seed gives other openings and games")
	flags.Number(fs, &s.Hash, "hash", 1, 1<<16, "`MIB` of each hash table; there is one for each of -concurrency")
	fs.Func("stones", "number of stones of a generated opening, `MIN-MAX`, but at most a quarter of the cells (default 3-9)", func(text string) error {
		least, most, two := strings.Cut(text, "-")
		if !two {
			most = least
		}
		var err, err2 error
		o := &s.Openings
		o.Least, err = strconv.Atoi(least)
		o.Most, err2 = strconv.Atoi(most)
		if err != nil || err2 != nil || o.Least < 1 || o.Most < o.Least || o.Most > 40 {
			return errors.New("want MIN-MAX with numbers from 1 to 40")
		}
		return nil
	})
	flags.Number(fs, &s.Openings.Balance, "balance", 0, math.MaxInt32, "maximum advantage of either side in a generated opening, `POINTS`")
	s.flags.Add(fs)
}

// finish checks the settings and fills in those that depend on others.
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
	if s.given == nil && s.DrawAfter > 0 && s.DrawAfter <= o.Most {
		return flags.Usage("-stones allows openings of %d stones and -drawafter is %d", o.Most, s.DrawAfter)
	}
	return nil
}

// DrawAfter returns the default number of stones at which a game is a draw, 0 for a full
// board. Of 285 decided games on 15x15 at 2,000 nodes the longest had 90 stones. One game in
// twenty would fill the board, and these would be a third of all positions.
func DrawAfter(b flags.Board) int {
	if n := max(120, b.Width*b.Height*6/10); n < b.Width*b.Height {
		return n
	}
	return 0
}

// String returns all settings in one line. A file can be continued only with the same ones,
// so this form must not change.
func (s *Settings) String() string {
	openings := "openings=" + s.digest
	if s.given == nil {
		o := &s.Openings
		openings = fmt.Sprintf("openings=made stones=%d-%d balance=%d check=%d", o.Least, o.Most, o.Balance, o.Check)
	}
	end := ""
	if s.Lines > 0 {
		end += fmt.Sprintf(" lines=%d", s.Lines)
	}
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

// engine describes the engine, in the lines of the origin after the settings.
func (s *Settings) engine() string { return describe(s.player(), s.Board) }

// describe returns the lines of the origin for games of player on the boards: two for each board, which
// differ for engines that play otherwise on it, and that of the build.
func describe(player match.Player, boards ...flags.Board) string {
	var lines strings.Builder
	for _, b := range boards {
		about := strings.Join(strings.Fields(player.Evaluation.Origin(b.Rule, b.Width, b.Height)), " ")
		fmt.Fprintf(&lines, "engine %s\n%s\n", player.Signature(b.New()), strings.ToValidUTF8(about[:min(len(about), 120)], ""))
	}
	return fmt.Sprintf("%sbuild %s\n", &lines, resume.Build())
}
