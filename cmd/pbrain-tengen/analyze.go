package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/progress"
	"tengen/cmd/internal/query"
)

const analyzeDoc = `Searches positions and prints the best lines of each, on a terminal with the board. POS is
the moves of a game, Black's first, such as h8i9h10, "-" for the empty board, a link of gomocalc,
or a file with games: moves as text, one game a line or numbered, SGF, .psq, .sav of Yixin-Board, a
RenLib library or drawn boards, in any encoding. Without POS they are read from standard input. The rule
and size of a file replace -rule and -size, except that with -force -rule holds. What is left out of a
game, or taken for something else, is named on standard error. An interrupt ends the search with what is
known so far. Games and files that cannot be used are named on standard error and left out,
unless it is the first one; the exit status is 2 then.

Labels such as h8 count rows from the bottom, and in pos notation, which -json reads and writes,
from the top. Scores are for the side to move: 200 points win 73% of the games, +M7 is a
proven win in 7 plies, -M6 a loss in 6.

-json prints an object a line for each position:
  source       where it is from: the argument, or file and line
  pos          the moves so far, "-" for none; pass among them for a player who does not move, where
               White begins or stones are set up that are no moves in turn
  rule, width, height, moves (their number)
  side         to move: black or white
  over         only if the game is over: black, white (has won) or draw; then nothing is searched,
               and there is neither move nor lines
  move         the best move
  lines        the best lines, each with move, line (its moves), depth and seldepth (in plies),
               score (points for the side to move) or mate (plies to a proven win, negative to
               a loss), and winrate, 0 to 1
  nodes, ms    what was searched, in which time
  interrupted  true if the search was interrupted

With -json a stream that begins with an object has queries, an object a line:
  id           a text or a number, that the answer repeats
  pos          the moves so far, "-" for none; or moves, a list of them
  rule, size   as the flags; or width and height
  side         to move, black or white: if it is not its turn the other side has passed
  blocked      cells where nobody plays
  time ("1s"), depth, nodes, multipv
               as the flags; a query with a limit of its own ignores the limits of the flags
  include      a list of: forbidden, the points forbidden to Black; threats, what a stone of each
               side makes at each point, from the three on; policy, the moves with a share of 0.001
               or more of the policy, which looks at the position without a search and
               does not see fours; solver, by continuous threats: a win, else a threat of the
               opponent's and the moves that hold, "" for none found. It takes up to the time
               of the query, 10 s without
  updates      true, or a time such as "500ms": the answer so far is printed each time, with update: true
  priority     a number; queries of a higher one are answered first
{"stop": ID} ends a query, which is answered with what is known.

Up to -threads queries are searched at a time, each by one thread with its part of -memory, at
least 50 MiB, and answered as they end. The answer has the fields above, id, blocked and what
include asks for. Positions may stand between them. A bad query is answered by an object with id
(or stop), source and error; the others go on, and the exit status is 2 in the end. What is
printed can be read again: an answer as a query of its position, without updates and limits.
`

// An analyzer runs the command analyze.
type analyzer struct {
	invocation
	think    thinker
	lines    int
	json     bool
	draw     bool
	progress *progress.Line
}

// analyze is the command of this name.
func analyze(fs *flag.FlagSet) func(invocation) error {
	a := &analyzer{lines: 1}
	games := gameReader{after: -1}
	games.add(fs)
	a.think.Add(fs, 5*time.Second)
	flags.Number(fs, &a.lines, "multipv", 1, board.MaxSize*board.MaxSize, "`NUMBER` of best lines")
	flags.Number(fs, &games.after, "after", -1, board.MaxSize*board.MaxSize, "analyze the position after this `NUMBER` of moves of each game, -1 for all")
	fs.BoolVar(&a.json, "json", false, "print a JSON object a line, with moves in pos notation (default off)")
	return func(r invocation) error {
		a.invocation = r
		games.fromTop = a.json
		if err := a.think.start(r); err != nil {
			return err
		}
		terminal := progress.IsTerminal(r.stdout)
		a.draw = terminal && !a.json
		a.progress = progress.New(r.stderr, !terminal || !progress.IsTerminal(r.stderr))
		r.ask()
		left := skipper{stderr: r.stderr}
		games.refuse, games.said = left.out, r.stderr
		if a.json {
			games.objects = func(in io.Reader, name string) error { return a.queries(in, name, games) }
		}
		return cmp.Or(games.named(r.args, r.stdin, func(g *game) error {
			left.used = true
			return a.position(g)
		}), left.end())
	}
}

// position analyses one position and prints what was found.
func (a *analyzer) position(g *game) error {
	if err := a.ctx.Err(); err != nil {
		return err
	}
	b, err := g.board(len(g.moves))
	if err != nil {
		return err // the game was checked when it was read
	}
	if v, winner := b.Verdict(); v != board.Unfinished {
		return a.print(g, b, query.OverText(winner), found{})
	}
	f, err := a.think.analyze(a.ctx, g, g.moves, a.lines, func(i brain.Info) {
		if i.Line == 0 && a.progress.Due(false) {
			a.progress.Show(fmt.Sprintf("depth %d-%d", i.Depth, i.SelDepth), brain.ScoreText(i.Score), spaced(i.PV))
		}
	})
	a.progress.End()
	if err != nil {
		return err
	}
	if err := a.print(g, b, "", f); err != nil {
		return err
	}
	return a.ctx.Err()
}

// newAnalysis returns the line of a position in which the game is over, or of what was found.
func newAnalysis(g *game, b *board.Board, f found, interrupted bool) query.Analysis {
	j := query.New(g.name, &query.Position{Rule: g.rule, Width: g.width, Height: g.height, Moves: g.moves}, b)
	j.Interrupted = interrupted
	f.addTo(&j)
	return j
}

// addTo adds what was found to an analysis.
func (f found) addTo(a *query.Analysis) {
	a.Nodes, a.Ms = f.nodes, f.elapsed.Milliseconds()
	for _, i := range f.lines {
		a.Add(i.PV, i.Depth, i.SelDepth, scoreOf(i.Score))
	}
}

// print prints a position in which the game is over, or what was found.
func (a *analyzer) print(g *game, b *board.Board, over string, f found) error {
	var s strings.Builder
	if a.json {
		j := newAnalysis(g, b, f, a.ctx.Err() != nil)
		if err := json.NewEncoder(&s).Encode(j); err != nil {
			return err
		}
	} else {
		a.text(&s, g, b, over, f)
	}
	if _, err := a.stdout.WriteString(s.String()); err != nil {
		return fmt.Errorf("%w: %w", errOutput, err)
	}
	return nil
}

func (a *analyzer) text(s *strings.Builder, g *game, b *board.Board, over string, f found) {
	fmt.Fprintf(s, "%s (%s)\n", shortened(g.pos(len(g.moves))), g.on())
	if a.draw {
		marks := map[board.Move]string{}
		for n, i := range f.lines {
			marks[i.PV[0]] = fmt.Sprint(n + 1)
		}
		s.WriteString(drawing(b, marks))
	}
	switch over {
	case "":
	case "draw":
		s.WriteString("the game is drawn\n\n")
		return
	default:
		fmt.Fprintf(s, "the game is over: %s has won\n\n", over)
		return
	}
	fmt.Fprintf(s, "%v is to move\n", b.Side())
	w := tabwriter.NewWriter(s, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, " \tdepth\tscore\twins\t line")
	for n, i := range f.lines {
		fmt.Fprintf(w, "%d\t%d-%d\t%s\t%.0f%%\t %s\n", n+1, i.Depth, i.SelDepth, scoreText(scoreOf(i.Score)), 100*brain.WinRate(i.Score), spaced(i.PV))
	}
	w.Flush()
	fmt.Fprintf(s, "%s in %.2f s\n\n", counted(f.nodes, "node", "nodes"), f.elapsed.Seconds())
}

// shortened leaves out the middle of a long text.
func shortened(s string) string {
	const most = 72
	if len(s) <= most {
		return s
	}
	return s[:most/2] + "..." + s[len(s)-most/2:]
}

// spaced returns moves with blanks between them.
func spaced(moves []board.Move) string {
	var text []string
	for _, m := range moves {
		text = append(text, m.String())
	}
	return strings.Join(text, " ")
}
