package book

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/book"
	"tengen/brain/eval"
	"tengen/brain/search"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/inorder"
	"tengen/cmd/internal/progress"
	"tengen/cmd/learn/match"
)

const checkSynopsis = `usage: learn book check [flags] FILE...

Searches a sample of the positions of books, and tells how much worse the move that the engine
plays there from the book is than the best move: the value of the search less the value of a
search as long after the move. Prints a line for each position and at the end the number of
moves that are good enough.`

// A checker compares books with long searches.
type checker struct {
	nodes  int64
	hash   int // MiB
	count  int
	within int
	seed   int64

	positions []sampled
}

// A sampled is a position of a book.
type sampled struct {
	b          *board.Board
	known      *book.Book
	evaluation *eval.Evaluation
}

// A finding is what a long search says of a position of a book.
type finding struct {
	played, best board.Move // played is None where the engine does not trust the book
	value, least int        // of best, and of played, for the side to move
}

// loss returns by how much the move of the book is worse.
func (f *finding) loss() int {
	if f.played == board.None || f.played == f.best {
		return 0
	}
	return max(f.value-f.least, 0)
}

// runCheck runs the command line after "learn book check".
func runCheck(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	k := &checker{nodes: 20_000_000, hash: 256, count: 40, within: 60, seed: 1}
	fs := flags.New("check")
	var evaluation flags.Evaluation
	workers := 1
	var quiet bool
	evaluation.Add(fs)
	flags.Number(fs, &k.nodes, "nodes", 1, math.MaxInt64, "`NODES` of each search")
	flags.Number(fs, &k.hash, "hash", 1, 1<<16, "`MIB` of the hash table of each worker")
	flags.Number(fs, &k.count, "count", 1, 1_000_000, "`NUMBER` of positions at most, drawn at random from all files")
	flags.Number(fs, &k.within, "within", 0, 10_000, "`POINTS` that a good move may be worse than the best")
	flags.Number(fs, &k.seed, "seed", 0, math.MaxInt64, "`SEED` of the sample")
	flags.Concurrency(fs, &workers, "searches")
	flags.Quiet(fs, &quiet)
	if err := flags.Parse(fs, args, stdout, checkSynopsis, 1, math.MaxInt, "a file"); err != nil {
		return err
	}
	for _, name := range fs.Args() {
		if err := k.read(name, &evaluation); err != nil {
			return flags.Usage("%s: %v", name, err)
		}
	}
	r := rand.New(rand.NewPCG(uint64(k.seed), 0))
	r.Shuffle(len(k.positions), func(i, j int) { k.positions[i], k.positions[j] = k.positions[j], k.positions[i] })
	k.positions = k.positions[:min(k.count, len(k.positions))]
	line := progress.New(stderr, quiet)
	defer line.End()
	from, good := 0, 0
	err := inorder.Run(ctx, workers, 0, uint32(len(k.positions)), func() func(context.Context, uint32) (finding, error) {
		return func(ctx context.Context, i uint32) (finding, error) { return k.check(ctx, &k.positions[i]) }
	}, func(i uint32, f finding) error {
		where := book.Format(k.positions[i].b, nil)
		if f.played == board.None {
			fmt.Fprintf(stdout, "%s searched, not played from the book\n", where)
			return nil
		}
		from++
		if f.loss() <= k.within {
			good++
		}
		fmt.Fprintf(stdout, "%s plays %v %d, best %v %d, loss %d\n", where, f.played, f.least, f.best, f.value, f.loss())
		line.Step("positions", int(i)+1, len(k.positions), int(i)+1)
		return nil
	})
	if err == nil && from > 0 {
		fmt.Fprintf(stdout, "%d of %d moves of the book (%d%%) are within %d points of the best\n", good, from, 100*good/from, k.within)
	}
	return err
}

// read takes the positions of a file.
func (k *checker) read(name string, evaluation *flags.Evaluation) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	known := new(book.Book)
	in := bufio.NewScanner(f)
	n := 0
	for in.Scan() {
		n++
		text := strings.TrimSpace(in.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		b, lines, err := book.Parse(text)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		known.Add(b, lines)
		of, err := evaluation.For(b.Rule())
		if err != nil {
			return err
		}
		k.positions = append(k.positions, sampled{b, known, of})
	}
	return in.Err()
}

// check searches one position.
func (k *checker) check(ctx context.Context, p *sampled) (f finding, err error) {
	if f.played, err = played(ctx, p); err != nil || f.played == board.None {
		return f, err
	}
	player := match.Player{Evaluation: p.evaluation, Params: search.DefaultParams()}
	pool := player.NewPool(k.hash)
	value := func() (board.Move, search.Value, error) {
		r := pool.Search(ctx, p.b, search.Limits{Nodes: k.nodes}, nil)
		return r.Move, r.Info.Score, ctx.Err()
	}
	best, v, err := value()
	if err != nil {
		return f, err
	}
	f.best, f.value, f.least = best, int(v), int(v)
	if f.played != best {
		pool.Clear()
		p.b.Play(f.played)
		_, v, err = value()
		p.b.Undo()
		f.least = int(v.Before())
	}
	return f, err
}

// played returns the move that the engine plays from the book, or None if it searches.
func played(ctx context.Context, p *sampled) (board.Move, error) {
	e := brain.New(brain.Config{Evaluation: p.evaluation, Book: p.known})
	e.Set("rule", fmt.Sprint(int(p.b.Rule())))
	if err := e.NewGame(p.b.Width(), p.b.Height()); err != nil {
		return board.None, err
	}
	for i := range p.b.Ply() {
		if err := e.Play(p.b.Move(i)); err != nil {
			return board.None, err
		}
	}
	o := e.Options()
	o.Nodes, o.MaxMemory = 1, 64<<20
	t, err := e.Think(ctx, o, time.Now(), 1, nil)
	if err != nil || len(t.Infos) == 0 || t.Infos[0].Nodes > 0 {
		return board.None, err
	}
	return t.Move, nil
}
