package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/prover"
	"tengen/brain/record"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/progress"
)

const solveDoc = `Proves wins, most of all by continuous threats. POS is a position: its moves, Black's first, such as
h8i9h9, "-" for the empty board, or a file with games or drawn boards, in each of the formats of
analyze. The rows of moves as text may count from the bottom, as a terminal shows them, or from the top,
as in pos notation: the answer counts them in the same way. Without POS and -file, positions are read
from standard input. A reported win holds against every reply; in renju it also respects Black's
forbidden points. If there is no win, all moves of the kind were tried; if none was found in the time,
nothing is proved. Positions that cannot be used are named on standard error and left out, unless it is
the first one; the exit status is 2 then.

Solver and search of the engine look side by side. A win that the search finds is proved reply by reply:
by the solver, else by the search again; it may have moves that threaten nothing. Where all continuous
threats were tried and none wins, the search looks for a quarter of the time that is left.
-search=false asks the solver alone.

-defend lists, for a win that the opponent threatens, the moves that hold and how the others lose.
-proof FILE writes the whole proof of one position: every reply of the other side with its answer, as an
SGF tree if the name ends in .sgf, as JSON lines if it ends in .jsonl; verify checks it. It is
reduced to the replies that need an answer of their own, so that its win may be longer than the
line. With -defend it has the proofs against all moves that lose. If no win is found, no file
is written, and the exit status is 1.

-json prints an object a line for each position:
  pos        the position: as it was given if it is moves as text, else its moves in pos notation
  result     win, none if there is none of the kind, or unknown if none was found within a limit: of
             the side to move, with -defend of its opponent if it passes
  limit      only if the result is unknown: time, or search for a limit of the search itself, such as
             60 fours in a row, where more time does not help
  plies      of the win, 0 if none was found
  line       moves of the win in pos notation, "" if none was found
  nodes, ms  what was searched, in which time
  holds      only with -defend and if there is a win: the moves that are not proved to lose, ""
             if none holds
  loses      only with -defend and if there is a win: moves that lose to another line, each
             with move and line; moves that are not listed lose to line
  proof      only with -proof and if there is a win: file, plies (at most), nodes, positions (won)
`

// errOutput means that standard output could not be written.
var errOutput = errors.New("standard output")

// errProof means that a proof could not be written.
var errProof = errors.New("-proof")

// A solveRun is one run of the command solve.
type solveRun struct {
	prover *prover.Prover // of the rule and size that follow
	finder *winFinder     // with this prover; made for the first position that needs it
	rule   board.Rule
	width  int
	height int

	kind   prover.Kind
	limit  time.Duration // of a position
	defend bool
	search bool
	proof  string // file, empty for none
	full   bool   // there was a position for it
	json   bool
	draw   bool
	out    *bufio.Writer
	stderr io.Writer
}

// solve is the command of this name.
func solve(fs *flag.FlagSet) func(invocation) error {
	games := gameReader{after: -1}
	games.add(fs)
	kind := fs.String("kind", "vct", "`KIND` of win: vcf, by continuous fours, or vct, also by threes and other threats of a vcf")
	limit := 10 * time.Second
	flags.Duration(fs, &limit, "time", "maximum `TIME` for each position")
	flags.Number(fs, &games.after, "after", -1, board.MaxSize*board.MaxSize, "solve the position after this `NUMBER` of moves of each game, -1 for all")
	asJSON := fs.Bool("json", false, "print a JSON object a line, with moves in pos notation (default off)")
	defend := fs.Bool("defend", false, "look for a win of the opponent if the side to move passes, and list the moves that are not proved to lose to it (default off)")
	search := fs.Bool("search", true, "look for wins by the search of the engine, too, and prove them; unless it is given, not with -defend and -kind vcf")
	proof := fs.String("proof", "", "write the proof of a win to `FILE`, which ends in .sgf or .jsonl; for one position")
	file := fs.String("file", "", "read positions from `FILE`, as from a file that is named as POS; - for standard input")
	return func(r invocation) error {
		if limit <= 0 {
			return flags.Usage("-time %v: want a positive time", limit)
		}
		s := solveRun{limit: limit, defend: *defend, proof: *proof, stderr: r.stderr, json: *asJSON, draw: !*asJSON && progress.IsTerminal(r.stdout), out: bufio.NewWriter(r.stdout)}
		given := flags.Given(fs)["search"]
		if given && *search && *defend {
			return flags.Usage("-search and -defend: want one of them")
		}
		switch *kind {
		case "vcf":
			s.kind = prover.VCF
		case "vct":
			s.kind = prover.VCT
		default:
			return flags.Usage("-kind %s: want vcf or vct", *kind)
		}
		s.search = *search && (given || !*defend && s.kind == prover.VCT)
		if *proof != "" {
			if len(r.args) > 1 || len(r.args) == 1 && *file != "" {
				return flags.Usage("-proof: want one position")
			}
			if err := checkProof(*proof); err != nil {
				return err
			}
		}
		left := skipper{stderr: r.stderr}
		games.fromTop, games.refuse, games.said = *asJSON, left.out, r.stderr
		use := func(g *game) error {
			err := s.position(r.ctx, r.config, g)
			if errors.Is(err, flags.ErrUsage) {
				return left.out(err)
			}
			left.used = true
			return err
		}
		if *file != "" {
			in, name := r.stdin, "standard input"
			if *file != "-" {
				f, err := os.Open(*file)
				if err != nil {
					return flags.Usage("-file: %v", err)
				}
				defer f.Close()
				in, name = f, *file
			}
			if len(r.args) > 0 {
				if err := games.named(r.args, r.stdin, use); err != nil {
					return err
				}
			}
			return cmp.Or(games.stream(in, name, use), left.end())
		}
		r.ask()
		return cmp.Or(games.named(r.args, r.stdin, use), left.end())
	}
}

// named returns the error of a position, a usage error unless it is that of the context, of the
// output or of a proof, or nil.
func named(where string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, errOutput) || errors.Is(err, errProof) {
		return err
	}
	return flags.Usage("%s: %v", where, err)
}

// set sets up a position.
func (s *solveRun) set(g *game) error {
	if s.prover == nil || s.rule != g.rule || s.width != g.width || s.height != g.height {
		solver, err := prover.New(g.rule, g.width, g.height)
		if err != nil {
			return err
		}
		s.prover, s.finder, s.rule, s.width, s.height = solver, nil, g.rule, g.width, g.height
	}
	return s.prover.SetMoves(g.moves)
}

// position solves one position and prints what was found. Errors: a usage error of a position in
// which the game is over, the end of ctx, or errOutput.
func (s *solveRun) position(ctx context.Context, config brain.Config, g *game) error {
	if err := s.set(g); err != nil {
		return named(fmt.Sprintf("%.60s", g.name), err)
	}
	if s.proof != "" && s.full {
		return flags.Usage("%.60s: -proof is for one position", g.name)
	}
	s.full = true
	start := time.Now()
	timed, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	var found prover.Solution
	switch {
	case s.search:
		if s.finder == nil {
			var err error
			if s.finder, err = newWinFinder(s.prover, config, s.stderr); err != nil {
				return err
			}
		}
		found = s.finder.find(timed, s.kind, g)
	case s.defend:
		found = s.prover.Defend(timed, s.kind)
	default:
		found = s.prover.Win(timed, s.kind)
	}
	if err := ctx.Err(); err != nil && !found.Win {
		return err
	}
	took := time.Since(start)
	var written *proofJSON
	if found.Win && s.proof != "" {
		var err error
		if written, err = s.write(ctx, &found); err != nil {
			return err
		}
	}
	pos := g.typed
	if pos == "" {
		pos = g.pos(len(g.moves))
	}
	s.print(pos, &found, took, written)
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("%w: %w", errOutput, err)
	}
	if !found.Win && s.proof != "" {
		return fmt.Errorf("%w: no win was found, and %s is not written", errProof, s.proof)
	}
	return ctx.Err()
}

// write writes the proof of what was found.
func (s *solveRun) write(ctx context.Context, found *prover.Solution) (*proofJSON, error) {
	b := s.prover.Board()
	written, err := writeProof(ctx, s.proof, b, found.Tree(ctx, b), found.Holds)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("%w: %w", errProof, err)
	}
	return written, err
}

func (s *solveRun) print(pos string, found *prover.Solution, took time.Duration, written *proofJSON) {
	if s.json {
		type loss struct {
			Move string `json:"move"`
			Line string `json:"line"`
		}
		type answer struct {
			Pos    string     `json:"pos"`
			Result string     `json:"result"`
			Limit  string     `json:"limit,omitempty"`
			Plies  int        `json:"plies"`
			Line   string     `json:"line"`
			Nodes  int        `json:"nodes"`
			Ms     int64      `json:"ms"`
			Holds  *string    `json:"holds,omitempty"`
			Loses  *[]loss    `json:"loses,omitempty"`
			Proof  *proofJSON `json:"proof,omitempty"`
		}
		a := answer{pos, "unknown", limitNames[found.Limit], len(found.Line), record.FormatMoves(found.Line), found.Nodes, took.Milliseconds(), nil, nil, written}
		switch {
		case found.Win:
			a.Result = "win"
		case found.Limit == prover.NoLimit:
			a.Result = "none"
		}
		if found.Win && s.defend {
			holds, loses := record.FormatMoves(found.Holds), []loss{}
			for _, r := range otherwise(*found) {
				loses = append(loses, loss{r.Move.String(), record.FormatMoves(r.Line)})
			}
			a.Holds, a.Loses = &holds, &loses
		}
		json.NewEncoder(s.out).Encode(a)
		return
	}
	if s.draw {
		marks := map[board.Move]string{}
		for _, m := range found.Holds {
			marks[m] = "*"
		}
		for i, m := range found.Line {
			marks[m] = strconv.Itoa(i + 1)
		}
		fmt.Fprint(s.out, drawing(s.prover.Board(), marks))
	}
	side := s.prover.Board().Side()
	if s.defend {
		side = side.Other()
	}
	cost := fmt.Sprintf("%s, %.3f s", counted(found.Nodes, "node", "nodes"), took.Seconds())
	verb := "wins"
	if s.defend {
		verb = "threatens to win"
	}
	switch {
	case found.Win:
		fmt.Fprintf(s.out, "%v %s in %s: %s (%s)\n", side, verb, counted(len(found.Line), "ply", "plies"), spaced(found.Line), cost)
	case found.Limit == prover.NoLimit:
		verb, by := "has", "threats"
		if s.defend {
			verb = "threatens"
		}
		if s.kind == prover.VCF {
			by = "fours"
		}
		fmt.Fprintf(s.out, "%v %s no win by continuous %s (%s)\n", side, verb, by, cost)
	case found.Limit == prover.SearchLimit:
		fmt.Fprintf(s.out, "no win of %v was found; the search has reached limits of its own, and more time does not help (%s)\n", side, cost)
	default:
		fmt.Fprintf(s.out, "no win of %v was found within %v (%s)\n", side, s.limit, cost)
	}
	switch {
	case !found.Win || !s.defend:
	case len(found.Holds) == 0:
		fmt.Fprintln(s.out, "no move holds")
	default:
		fmt.Fprintf(s.out, "%s, as far as is known: %s\n", counted(len(found.Holds), "move holds", "moves hold"), spaced(found.Holds))
	}
	if found.Win && s.defend {
		for _, r := range otherwise(*found) {
			fmt.Fprintf(s.out, "%v loses to %s\n", r.Move, spaced(r.Line))
		}
		fmt.Fprintln(s.out, "every other move loses to the threat")
	}
	if written != nil {
		fmt.Fprintf(s.out, "the proof is in %s: %s at most, %s, %s\n", written.File, counted(written.Plies, "ply", "plies"),
			counted(written.Positions, "position", "positions"), counted(written.Nodes, "node", "nodes"))
	}
}

// limitNames are the names of limits in JSON.
var limitNames = map[prover.Limit]string{prover.TimeLimit: "time", prover.SearchLimit: "search"}

// otherwise returns the moves that lose to another line than that of the win.
func otherwise(found prover.Solution) (list []prover.Refutation) {
	for _, r := range found.Loses {
		if !slices.Equal(r.Line, found.Line) {
			list = append(list, r)
		}
	}
	return list
}
