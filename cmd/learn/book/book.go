// Package book makes the opening book of brain/book: it searches positions of openings, notes
// the best moves, and continues with the positions after them.
package book

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"tengen/brain/board"
	"tengen/brain/book"
	"tengen/brain/eval"
	"tengen/brain/opening"
	"tengen/brain/score"
	"tengen/brain/search"
	"tengen/cmd/internal/evalflags"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/openings"
	"tengen/cmd/internal/progress"
	"tengen/cmd/internal/resume"
	"tengen/cmd/learn/match"
)

// A maker makes a book.
type maker struct {
	flags.Board
	out    string
	starts [][]board.Move
	named  bool
	nodes  int64
	hash   int // MiB
	lines  int
	spread int
	plies  int
	count  int

	evaluation *eval.Evaluation
	openings   string // the file of the starts
	file       *os.File
	book       book.Book // of the file
	had        int       // positions of the file before this run
	line       *progress.Line
}

const synopsis = `usage: learn book [flags] -o FILE
       learn book check [flags] FILE...

Searches the positions of openings, the nearest to their start first, and writes the best
moves of each to FILE. The moves of one position lead to those that follow. "check" compares
the moves that the engine plays from books with long searches; it has its own -help.`

// Run runs the command line after "learn book".
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	if len(args) > 0 && args[0] == "check" {
		return runCheck(ctx, args[1:], stdout, stderr)
	}
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		return flags.UnknownCommand("learn book", args[0], "check")
	}
	k, quiet, err := parse(args, stdout)
	if err != nil {
		return err
	}
	k.line = progress.New(stderr, quiet)
	defer k.line.End()
	if err := k.open(); err != nil {
		return err
	}
	made, err := k.make(ctx)
	if failure := k.file.Close(); err == nil {
		err = failure
	}
	if err == nil {
		_, err = fmt.Fprintf(stdout, "%d positions in %s\n", k.had+made, k.out)
	}
	return err
}

func parse(args []string, stdout io.Writer) (_ *maker, quiet bool, err error) {
	k := &maker{nodes: 500_000, hash: 64, lines: 4, spread: 60, plies: 4, count: 300}
	fs := flags.New("book")
	var evaluation evalflags.Flags
	k.AddSquare(fs)
	evaluation.Add(fs)
	fs.StringVar(&k.out, "o", "", "write the book to `FILE`")
	fs.StringVar(&k.openings, "openings", "", "`FILE` of openings to start from, one a line (default the empty board)")
	fs.BoolVar(&k.named, "named", false, "start from the 26 openings of renju as well (default off)")
	flags.Number(fs, &k.nodes, "nodes", 1, math.MaxInt64, "`NODES` of the search of a position, for all lines together")
	flags.Number(fs, &k.hash, "hash", 1, 1<<16, "`MIB` of the hash table")
	flags.Number(fs, &k.lines, "lines", 1, 64, "`NUMBER` of best lines that are searched")
	flags.Number(fs, &k.spread, "spread", 0, 10_000, "maximum loss of a move against the best, in `POINTS`, for the book to have it")
	flags.Number(fs, &k.plies, "plies", 0, 100, "maximum `PLIES` from the start to a position")
	flags.Number(fs, &k.count, "count", 1, 1_000_000, "`NUMBER` of positions at most")
	flags.Quiet(fs, &quiet)
	if err := flags.Parse(fs, args, stdout, synopsis, flags.Operands{}); err != nil {
		return nil, false, err
	}
	if k.out == "" {
		return nil, false, flags.Usage("-o FILE is missing")
	}
	if err := flags.CheckFiles([]string{k.openings}, []string{k.out}); err != nil {
		return nil, false, err
	}
	if k.evaluation, err = evaluation.For(k.Rule); err != nil {
		return nil, false, err
	}
	k.starts = [][]board.Move{nil}
	if k.openings != "" {
		if k.starts, err = openings.Read(k.openings, k.Rule, k.Width, k.Height, 0); err != nil {
			return nil, false, flags.Usage("-openings: %v", err)
		}
	}
	if k.named {
		for _, n := range opening.Openings() {
			stones := n.Stones(k.Width, k.Height)
			k.starts = append(k.starts, stones[:])
		}
	}
	return k, quiet, nil
}

// header is the first line of the file: the settings that its positions depend on. The numbers of
// plies and of positions are not among them: a file can be continued with others.
func (k *maker) header() string {
	return fmt.Sprintf("# learn book -rule %d -size %d -nodes %d -lines %d -spread %d -hash %d",
		k.Rule, k.Width, k.nodes, k.lines, k.spread, k.hash)
}

// open opens the file and reads the positions that it has. No other file is changed.
func (k *maker) open() error {
	f, err := resume.Open(k.out)
	if errors.Is(err, resume.ErrLocked) {
		return err
	}
	if err != nil {
		return flags.Usage("%v", err)
	}
	text, err := io.ReadAll(f)
	whole := strings.LastIndexByte(string(text), '\n') + 1
	if err == nil && whole == 0 && !strings.HasPrefix(k.header(), string(text)) {
		err = fmt.Errorf("not a book: it does not begin with %q", k.header())
	}
	if err == nil {
		err = k.read(string(text[:whole]))
	}
	if err == nil {
		err = resume.Truncate(f, int64(whole))
	}
	if err == nil && whole == 0 {
		_, err = fmt.Fprintln(f, k.header())
	}
	if err != nil {
		f.Close()
		return flags.Usage("%s: %v", k.out, err)
	}
	k.file = f
	return nil
}

// read takes the positions from the text of the file.
func (k *maker) read(text string) error {
	first, _, _ := strings.Cut(text, "\n")
	if first = strings.TrimSpace(first); text != "" && first != k.header() {
		return fmt.Errorf("made by other flags, %.150q, want %q", strings.TrimPrefix(first, "# "), strings.TrimPrefix(k.header(), "# "))
	}
	return book.ReadText(strings.NewReader(text), func(e *book.Entry) error {
		if e.Board != nil {
			k.book.Add(e.Board, e.Lines)
			k.had++
		}
		return nil
	})
}

// A place is a position to be searched.
type place struct {
	moves []board.Move
	plies int // after its start
}

// make searches position by position, until there are enough of them, and returns how many
// it has added to the file.
func (k *maker) make(ctx context.Context) (int, error) {
	player := match.Player{Evaluation: k.evaluation, Params: search.DefaultParams()}
	pool := player.NewPool(k.hash)
	var queue []place
	for _, s := range k.starts {
		queue = append(queue, place{moves: s})
	}
	scratch := k.New()
	seen := map[uint64]bool{}
	here := 0
	for len(queue) > 0 && len(seen) < k.count {
		p := queue[0]
		queue = queue[1:]
		key := openings.Canonical(scratch, p.moves)
		if seen[key] {
			continue
		}
		seen[key] = true
		b := k.New()
		for _, m := range p.moves {
			b.Play(m)
		}
		if v, _ := b.Verdict(); v != board.Unfinished {
			continue
		}
		known := k.book.Lines(b)
		follow, err := k.position(ctx, pool, b, known)
		if err != nil {
			return 0, err
		}
		if known == nil {
			here++
		}
		if p.plies < k.plies {
			for _, m := range follow {
				queue = append(queue, place{append(p.moves[:len(p.moves):len(p.moves)], m), p.plies + 1})
			}
		}
		k.line.Step("positions", len(seen), k.count, here)
	}
	return here, nil
}

// position searches the position of b, unless its lines are known, notes them in the file,
// and returns the moves to follow.
func (k *maker) position(ctx context.Context, pool *search.Pool, b *board.Board, known []book.Line) ([]board.Move, error) {
	lines := known
	if lines == nil {
		pool.Clear()
		l := search.Limits{Nodes: k.nodes, Lines: k.lines}
		if b.Ply() == 0 {
			l.Lines = 1 // a game begins in the middle
		}
		pool.Search(ctx, b, l, func(i search.Info) {
			if i.Line == 0 {
				lines = lines[:0]
			}
			lines = append(lines, book.Line{Move: i.PV[0], Value: int(i.Score)})
		})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(lines) == 0 {
			return nil, fmt.Errorf("%s has no line: more -nodes", book.Format(b, nil))
		}
		if _, err := fmt.Fprintln(k.file, book.Format(b, k.within(lines))); err != nil {
			return nil, err
		}
	}
	if v := score.Value(lines[0].Value); v.Proven() {
		return nil, nil
	}
	var follow []board.Move
	for _, line := range k.within(lines) {
		follow = append(follow, line.Move)
	}
	return follow, nil
}

// within returns the lines that are at most k.spread points worse than the first, the best.
func (k *maker) within(lines []book.Line) []book.Line {
	n := 1
	for n < len(lines) && lines[n].Value >= lines[0].Value-k.spread {
		n++
	}
	return lines[:n]
}
