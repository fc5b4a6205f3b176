package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/review"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/progress"
)

const reviewDoc = `Judges the moves of a game: FILE is moves as text, SGF, .psq, .sav of Yixin-Board, a RenLib
library or another file for analyze, or "-" for standard input. Its last move may be one that is forbidden to Black. Mistakes
are marked ?! (inaccuracy), ? and ??, with the line that was better and what it would have been
worth. An interrupt ends the review with what is known so far: the end of the game, as it is
searched backwards.

Labels such as h8 count rows from the bottom, with -json from the top.

-html prints a page that needs no other file. -sgf prints the game as SGF with all that FILE says of it:
its moves get comments with their values, mistakes the marks DO (inaccuracy), BM[1] and BM[2], and what was
better becomes a variation. A review of such a file replaces the comments of the one before. -json prints an object:
  source, rule, width, height, pos (the moves), black, white (names)
  opening      moves that were given and are not judged
  from         the first position that was searched, in moves; more than opening after an interrupt
  positions    after 0, 1 ... moves: null, or for black score or mate, winrate (0 to 1), and the
               best line
  moves        of each move its number, side, move, class (unjudged, best, good, inaccuracy,
               mistake, blunder), loss (of the chance to win, 0 to 1), before and after (for the
               side that made it, with the best move and with this one: score or mate, winrate),
               better (the line, from inaccuracy on) and foul (true: the move is forbidden)
  sides        of black and white the number of moves judged, the accuracy in percent, the mean
               loss and the count of each class
`

// A reviewer runs the command review.
type reviewer struct {
	invocation
	think thinker
	game  *game

	mu    sync.Mutex
	known map[string]review.Evaluation // by pos
}

// reviewGame is the command review.
func reviewGame(fs *flag.FlagSet) func(invocation) error {
	v := &reviewer{known: map[string]review.Evaluation{}}
	games := gameReader{fouls: true, after: -1}
	games.add(fs)
	v.think.Add(fs, time.Second)
	number, opening := 1, -1
	flags.Number(fs, &number, "game", 1, math.MaxInt32, "`NUMBER` of the game in the file")
	flags.Number(fs, &opening, "opening", -1, board.MaxSize*board.MaxSize, "`NUMBER` of first moves that are given and not judged, -1 for what the file says")
	asJSON := fs.Bool("json", false, "print a JSON object, with moves in pos notation (default off)")
	asHTML := fs.Bool("html", false, "print a page with a plot and a board (default off)")
	asSGF := fs.Bool("sgf", false, "print the game as SGF with values as comments and better lines as variations (default off)")
	return func(r invocation) error {
		v.invocation = r
		games.fromTop, games.said = *asJSON, r.stderr
		if *asJSON && *asHTML || *asJSON && *asSGF || *asHTML && *asSGF {
			return flags.Usage("-json, -html and -sgf: want one of them")
		}
		if err := v.think.start(r); err != nil {
			return err
		}
		v.think.engine.KeepTable(true) // of the positions that follow
		count, err := v.choose(games, number)
		if err != nil {
			return err
		}
		if opening >= 0 {
			v.game.opening = min(opening, len(v.game.moves))
		}
		result, from, err := v.review()
		if err != nil {
			return err
		}
		var text string
		switch {
		case *asJSON:
			text, err = reviewText(v.game, result, from)
		case *asHTML:
			text, err = reviewPage(v.game, result, from)
		case *asSGF:
			text, err = reviewSGF(v.game, result, from)
		default:
			text = v.text(result, from, count)
		}
		if err != nil {
			return err
		}
		if _, err := r.stdout.WriteString(text); err != nil {
			return fmt.Errorf("%w: %w", errOutput, err)
		}
		return r.ctx.Err()
	}
}

// choose reads the games and keeps the one with that number, from 1. It returns how many
// there are.
func (v *reviewer) choose(games gameReader, number int) (count int, err error) {
	args := v.args
	if args[0] == "-" {
		args = nil
	}
	games.refuse = func(err error) error {
		if count++; count == number {
			return err
		}
		return nil // another one is to be reviewed
	}
	if err := games.named(args, v.stdin, func(g *game) error {
		if count++; count == number {
			v.game = g
		}
		return nil
	}); err != nil {
		return 0, err
	}
	switch {
	case v.game == nil:
		return 0, flags.Usage("-game %d: games in all: %d", number, count)
	case len(v.game.moves) == 0:
		return 0, flags.Usage("%s: there is no move to review", v.game.name)
	}
	return count, nil
}

// review reviews the game from its opening on, or after an interrupt from the first position
// that was searched on.
func (v *reviewer) review() (r *review.Result, from int, err error) {
	g := v.game
	of := review.Game{Rule: g.rule, Width: g.width, Height: g.height, Moves: g.moves, Opening: g.opening}
	line := progress.New(v.stderr, !progress.IsTerminal(v.stderr))
	r, err = review.Run(v.ctx, of, 1, v.search, func(done, total int) { line.Step("positions", done, total, done) })
	line.End()
	if !errors.Is(err, context.Canceled) {
		return r, g.opening, err
	}
	// The last position that was searched is the first that is known.
	of.Opening = len(g.moves)
	end, foul := g.board(len(g.moves))
	over := foul != nil
	if !over {
		_, over = review.Ended(end)
	}
	if !over && !v.isKnown(len(g.moves)) || over && !v.isKnown(len(g.moves)-1) {
		return nil, 0, err // nothing is known
	}
	for of.Opening > g.opening && v.isKnown(of.Opening-1) {
		of.Opening--
	}
	r, err = review.Run(context.Background(), of, 1, v.recall, nil)
	return r, of.Opening, err
}

// isKnown reports whether the position after n moves was searched.
func (v *reviewer) isKnown(n int) bool {
	_, ok := v.known[record.FormatMoves(v.game.moves[:n])]
	return ok
}

// search is the review.Analyst that searches.
func (v *reviewer) search(ctx context.Context, moves []board.Move) (review.Evaluation, error) {
	f, err := v.think.analyze(ctx, v.game, moves, 1, nil)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return review.Evaluation{}, err
	}
	best := f.lines[0]
	e := review.Evaluation{Score: scoreOf(best.Score), Line: best.PV, Depth: best.Depth}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.known[record.FormatMoves(moves)] = e
	return e, nil
}

// recall is the review.Analyst after an interrupt. A move that seemed better has the value
// that it had before.
func (v *reviewer) recall(_ context.Context, moves []board.Move) (review.Evaluation, error) {
	if e, ok := v.known[record.FormatMoves(moves)]; ok {
		return e, nil
	}
	before := v.known[record.FormatMoves(moves[:len(moves)-1])]
	return review.Evaluation{Score: before.Turned(), Line: before.Line[1:], Depth: before.Depth - 1}, nil
}

// scoreOf returns the score that a value means.
func scoreOf(value brain.Value) review.Score { return review.NewScore(int(value), value.Mate()) }

// scoreText is brain.ScoreText for a review.Score, with a sign before points too.
func scoreText(s review.Score) string {
	switch {
	case s.Proven != 0:
		return fmt.Sprintf("%cM%d", "- +"[s.Proven+1], s.Plies)
	case s.Value == 0:
		return "0"
	}
	return fmt.Sprintf("%+d", s.Value)
}

// classMarks are put behind moves, as in chess.
var classMarks = map[review.Class]string{review.Inaccuracy: "?!", review.Mistake: "?", review.Blunder: "??"}

// classes are those that a summary counts.
var classes = []review.Class{review.Best, review.Good, review.Inaccuracy, review.Mistake, review.Blunder}

// text is the review for people.
func (v *reviewer) text(r *review.Result, from, count int) string {
	g := v.game
	var s strings.Builder
	s.WriteString(g.name)
	if g.black+g.white != "" {
		fmt.Fprintf(&s, ": %s (black) against %s (white)", cmp.Or(g.black, "?"), cmp.Or(g.white, "?"))
	}
	fmt.Fprintf(&s, "\n%s, %s", g.on(), counted(len(g.moves), "move", "moves"))
	if from > g.opening {
		fmt.Fprintf(&s, ", interrupted: judged from move %d on", from+1)
	} else if from > 0 {
		fmt.Fprintf(&s, ", the first %d given", from)
	}
	if count > 1 {
		fmt.Fprintf(&s, ", one of %d games: see -game", count)
	}
	s.WriteString("\n\n")
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	for k := from; k < len(g.moves); k++ {
		j := r.Moves[k]
		fmt.Fprintf(w, "%3d. %s\t%v %s\t%s\t%.0f%%", k+1, "XO"[k%2:k%2+1], g.moves[k], classMarks[j.Class], scoreText(j.After), 100*j.After.Chance())
		if r.Foul && k == len(g.moves)-1 {
			fmt.Fprint(w, "\tforbidden")
		}
		if j.Class >= review.Inaccuracy {
			fmt.Fprintf(w, "\t%v, %.0f%% lost", j.Class, 100*j.Loss)
			if len(j.Better) > 0 {
				fmt.Fprintf(w, ": better %s (%s, %.0f%%)", spaced(j.Better), scoreText(j.Before), 100*j.Before.Chance())
			}
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	s.WriteString("\nScores and chances to win are those of the side that moved.\n")
	for i, side := range r.Sides {
		if side.Moves == 0 {
			continue
		}
		var parts []string
		for _, c := range classes {
			if n := side.Count[c]; n > 0 {
				parts = append(parts, fmt.Sprintf("%v %d", c, n))
			}
		}
		fmt.Fprintf(&s, "%v: accuracy %d%%, moves judged %d: %s\n", board.Color(i), side.Accuracy, side.Moves, strings.Join(parts, ", "))
	}
	return s.String()
}
