package book

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/book"
	"tengen/brain/eval"
	"tengen/brain/search"
	"tengen/cmd/internal/evalflags"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/inorder"
	"tengen/cmd/internal/progress"
	"tengen/cmd/internal/resume"
	"tengen/cmd/learn/match"
)

const checkSynopsis = `usage: learn book check [flags] FILE...

Searches a sample of the positions of books, and prints how much worse the move that the engine
plays there from the book is than the best move: the value of the search less the value of a
search as deep, of at most as many nodes, below the move. Prints a line for each position and
at the end the number of moves that are good enough. With -correct the books get the values
found, and the best moves in place of worse ones.`

// A checker compares books with long searches.
type checker struct {
	nodes  int64
	hash   int // MiB
	count  int
	within int
	seed   uint64

	positions []sampledPosition
	done      map[string]finding // of the journal, by position
	found     map[string]finding // now, by position, where a move is played from the book
}

// A sampledPosition is a position of a book.
type sampledPosition struct {
	b          *board.Board
	known      *book.Book
	evaluation *eval.Evaluation
}

// A finding is the result of the long searches of a position of a book: a line of the journal.
type finding struct {
	Position string `json:"position"`
	Engine   string `json:"engine"`           // match.Player.Signature on an empty board
	Nodes    int64  `json:"nodes"`            // of each search
	Hash     int    `json:"hash"`             // MiB
	Played   string `json:"played,omitempty"` // empty where the engine does not trust the book
	Best     string `json:"best,omitempty"`
	Value    int    `json:"value"` // of Best for the side to move
	Least    int    `json:"least"` // of Played
}

// loss returns by how much the move of the book is worse.
func (f *finding) loss() int {
	if f.Played == f.Best {
		return 0
	}
	return max(f.Value-f.Least, 0)
}

// runCheck runs the command line after "learn book check".
func runCheck(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	k := &checker{nodes: 20_000_000, hash: 256, count: 40, within: 60, seed: 1, found: map[string]finding{}}
	fs := flags.New("check")
	var evaluation evalflags.Flags
	var name string
	workers := 1
	var correct, quiet bool
	evaluation.Add(fs)
	flags.Number(fs, &k.nodes, "nodes", 1, math.MaxInt64, "`NODES` of each search")
	flags.Number(fs, &k.hash, "hash", 1, 1<<16, "`MIB` of the hash table of each worker")
	flags.Number(fs, &k.count, "count", 1, 1_000_000, "`NUMBER` of positions at most, drawn at random from all files")
	flags.Number(fs, &k.within, "within", 0, 10_000, "maximum loss of a good move against the best, `POINTS`")
	flags.Seed(fs, &k.seed, "`SEED` of the sample")
	fs.StringVar(&name, "journal", "", "record every position in `FILE`; the same command continues from it (default none)")
	fs.BoolVar(&correct, "correct", false, "write the values and best moves found into the files (default off)")
	flags.Concurrency(fs, &workers, "searches")
	flags.Quiet(fs, &quiet)
	if err := flags.Parse(fs, args, stdout, checkSynopsis, flags.Some("a file")); err != nil {
		return err
	}
	if err := flags.CheckFiles(fs.Args(), []string{name}); err != nil {
		return err
	}
	for _, name := range fs.Args() {
		if err := k.read(name, &evaluation); err != nil {
			return flags.Usage("%s: %v", name, err)
		}
	}
	journal, err := k.open(name)
	if err != nil {
		return flags.Usage("%v", err)
	}
	defer journal.Close()
	r := rand.New(rand.NewPCG(k.seed, 0))
	r.Shuffle(len(k.positions), func(i, j int) { k.positions[i], k.positions[j] = k.positions[j], k.positions[i] })
	k.positions = k.positions[:min(k.count, len(k.positions))]
	line := progress.New(stderr, quiet)
	defer line.End()
	from, good, here := 0, 0, 0
	err = inorder.Run(ctx, workers, 0, uint32(len(k.positions)), func() func(context.Context, uint32) (finding, error) {
		return func(ctx context.Context, i uint32) (finding, error) { return k.check(ctx, &k.positions[i]) }
	}, func(i uint32, f finding) error {
		if k.done[f.Position] != f {
			here++
			if err := journal.Add(f); err != nil {
				return err
			}
		}
		line.Step("positions", int(i)+1, len(k.positions), here)
		if f.Played == "" {
			_, err := fmt.Fprintf(stdout, "%s searched, not played from the book\n", f.Position)
			return err
		}
		from++
		k.found[f.Position] = f
		if f.loss() <= k.within {
			good++
		}
		_, err := fmt.Fprintf(stdout, "%s plays %s %d, best %s %d, loss %d\n", f.Position, f.Played, f.Least, f.Best, f.Value, f.loss())
		return err
	})
	if err == nil && from > 0 {
		_, err = fmt.Fprintf(stdout, "%d of %d moves of the book (%d%%) are within %d points of the best\n", good, from, 100*good/from, k.within)
	}
	if err == nil && correct {
		err = k.correct(fs.Args())
	}
	return err
}

// open opens the journal and reads the positions in it.
func (k *checker) open(name string) (*resume.Journal, error) {
	k.done = map[string]finding{}
	return resume.OpenJournal(name, `{"position":`, func(text []byte) error {
		var f finding
		if err := json.Unmarshal(text, &f); err != nil {
			return err
		}
		if f.Nodes != k.nodes || f.Hash != k.hash {
			return fmt.Errorf("made with -nodes %d -hash %d, not -nodes %d -hash %d", f.Nodes, f.Hash, k.nodes, k.hash)
		}
		k.done[f.Position] = f
		return nil
	})
}

// read takes the positions of a file.
func (k *checker) read(name string, evaluation *evalflags.Flags) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	known := new(book.Book)
	return book.ReadText(f, func(e *book.Entry) error {
		if e.Board == nil {
			return nil
		}
		known.Add(e.Board, e.Lines)
		of, err := evaluation.For(e.Board.Rule())
		if err != nil {
			return err
		}
		k.positions = append(k.positions, sampledPosition{e.Board.Clone(), known, of})
		return nil
	})
}

// check searches one position, unless the journal has it by the same engine and with the move
// that is played now.
func (k *checker) check(ctx context.Context, p *sampledPosition) (finding, error) {
	player := match.Player{Evaluation: p.evaluation, Params: search.DefaultParams()}
	empty, err := board.New(p.b.Rule(), p.b.Width(), p.b.Height())
	if err != nil {
		return finding{}, err
	}
	f := finding{Position: book.Format(p.b, nil), Engine: player.Signature(empty), Nodes: k.nodes, Hash: k.hash}
	move, err := played(ctx, p)
	if err != nil || move == board.None {
		return f, err
	}
	f.Played = move.String()
	if done := k.done[f.Position]; done.Played == f.Played && done.Engine == f.Engine {
		return done, nil
	}
	pool := player.NewPool(k.hash)
	best := pool.Search(ctx, p.b, search.Limits{Nodes: k.nodes}, nil)
	v := best.Info.Score
	f.Best, f.Value, f.Least = best.Move.String(), int(v), int(v)
	if move != best.Move && ctx.Err() == nil {
		p.b.Play(move)
		v = pool.Search(ctx, p.b, search.Limits{Nodes: k.nodes, Depth: max(best.Info.Depth-1, 1)}, nil).Info.Score
		p.b.Undo()
		f.Least = int(v.Before())
	}
	return f, ctx.Err()
}

// played returns the move that the engine plays from the book, or None if it searches.
func played(ctx context.Context, p *sampledPosition) (board.Move, error) {
	e := brain.New(brain.Config{Evaluation: p.evaluation, Book: p.known})
	e.Set("rule", fmt.Sprint(int(p.b.Rule())))
	if err := e.NewGame(p.b.Width(), p.b.Height()); err != nil {
		return board.None, err
	}
	for _, m := range p.b.Moves() {
		if err := e.Play(m); err != nil {
			return board.None, err
		}
	}
	o := e.Options()
	o.Nodes, o.MaxMemory = 1, 64<<20
	t, err := e.Think(ctx, brain.Query{Options: &o})
	if err != nil || len(t.Infos) == 0 || t.Infos[0].Nodes > 0 {
		return board.None, err
	}
	return t.Move, nil
}
