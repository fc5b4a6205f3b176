package protocol

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/database"
	"tengen/brain/opening"
)

// A fake is an engine that records the calls of its methods. It plays the first free cell,
// row by row. If think is not nil, it is called before each answer.
type fake struct {
	mu    sync.Mutex
	calls []string

	width, height int
	taken         map[board.Move]bool
	think         func(ctx context.Context, report func(brain.Info))
	opts          brain.Options
	queries       []brain.Query                   // of each Think
	choices       []opening.Choice                // the answer of Choose
	pondering     func(ctx context.Context) error // of Ponder, or nil
	thoughtBy     []brain.Options                 // the options of each Think and Opening
	starts        []time.Time                     // ... and when its time began
	prepared      int                             // calls of Prepare
	loading       func(ctx context.Context) error // of LoadTable, or nil
	dumping       func(ctx context.Context) error // of what DumpTable returns, or nil
}

func (f *fake) note(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.calls) < 1000 {
		f.calls = append(f.calls, fmt.Sprintf(format, args...))
	}
}

// asked returns the calls so far.
func (f *fake) asked() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.calls, "; ")
}

// Set counts its calls in the nodes of the options.
func (f *fake) Set(key, value string) error {
	f.note("set %s=%s", key, value)
	f.opts.Nodes++
	return nil
}

func (f *fake) Options() brain.Options { return f.opts }
func (f *fake) MostThreads() int       { return 12 }
func (f *fake) Forget()                { f.note("forget") }
func (f *fake) Stones() int            { return len(f.taken) }

func (f *fake) NewGame(width, height int) error {
	f.note("game %dx%d", width, height)
	f.width, f.height, f.taken = width, height, map[board.Move]bool{}
	return nil
}

func (f *fake) Prepare() { f.prepared++ }

func (f *fake) Restart() error {
	if f.width == 0 {
		return brain.ErrNoGame
	}
	return f.NewGame(f.width, f.height)
}

func (f *fake) Setup(stones []brain.Stone) error {
	f.note("setup %d", len(stones))
	f.taken = map[board.Move]bool{}
	for _, s := range stones {
		f.taken[s.Move] = true
	}
	return nil
}

func (f *fake) Play(m board.Move) error {
	f.note("play %v", m)
	if f.taken[m] {
		return errors.New("taken")
	}
	f.taken[m] = true
	return nil
}

func (f *fake) TakeBack(m board.Move) error {
	f.note("takeback %v", m)
	if !f.taken[m] {
		return errors.New("no stone")
	}
	delete(f.taken, m)
	return nil
}

func (f *fake) Forbidden() ([]board.Move, error) {
	return []board.Move{board.At(0, 1), board.At(12, 3)}, nil
}

func (f *fake) Think(ctx context.Context, q brain.Query) (brain.Thought, error) {
	f.note("think %d", q.Lines)
	f.queries = append(f.queries, q)
	f.thoughtBy, f.starts = append(f.thoughtBy, *q.Options), append(f.starts, q.Start)
	if f.think != nil {
		f.think(ctx, q.Report)
	}
	for i := range f.width * f.height {
		if m := board.At(i%f.width, i/f.width); !f.taken[m] {
			f.taken[m] = true
			return brain.Thought{Move: m, Infos: []brain.Info{{Lines: 1, Depth: 3}}, Notes: []string{"a note"}}, nil
		}
	}
	return brain.Thought{}, brain.ErrFull
}

func (f *fake) Opening(ctx context.Context, stones []board.Move, q brain.Query) (brain.Opening, error) {
	f.note("opening %d", len(stones))
	f.thoughtBy = append(f.thoughtBy, *q.Options)
	if len(stones) == 5 {
		return brain.Opening{Swap: true}, nil
	}
	return brain.Opening{Moves: []board.Move{board.At(1, 2), board.At(3, 4)}}, nil
}

func (f *fake) Balance(ctx context.Context, n, bias int, _ brain.Query) (brain.Proposal, error) {
	f.note("balance %d %d", n, bias)
	return brain.Proposal{Moves: []board.Move{board.At(1, 2), board.At(3, 4)}[:n]}, nil
}

func (f *fake) Ponder(ctx context.Context) error {
	f.note("ponder")
	if f.pondering != nil {
		return f.pondering(ctx)
	}
	<-ctx.Done()
	return nil
}

func (f *fake) Choose(_ context.Context, s *opening.State, q brain.Query) (brain.Choices, error) {
	f.note("choose after %v, %v", s.Choices(), q.Options.Turn)
	if f.choices == nil {
		return brain.Choices{}, errors.New("no choice")
	}
	return brain.Choices{List: f.choices}, nil
}

func (f *fake) Moves() []board.Move {
	var list []board.Move
	for m := range f.taken {
		list = append(list, m)
	}
	slices.Sort(list)
	return list
}

func (f *fake) Block(m board.Move, on bool)                   { f.note("block %v %v", m, on) }
func (f *fake) BlockPath(path []board.Move, on bool)          { f.note("path %v %v", path, on) }
func (f *fake) BlockFor(c board.Color, m board.Move, on bool) { f.note("block %v for %v %v", m, c, on) }
func (f *fake) Unblock(paths bool)                            { f.note("unblock %v", paths) }
func (f *fake) KeepTable(keep bool)                           { f.note("keep %v", keep) }
func (f *fake) TableUsage() (used, room int64)                { return 250, 1000 }
func (f *fake) UseDatabase(d *database.Database)              { f.note("database of %d", d.Len()) }
func (f *fake) Position() (*board.Board, error)               { return board.New(0, f.width, f.height) }

// DumpTable writes one byte.
func (f *fake) DumpTable() (write func(context.Context, io.Writer) (int64, error), release func(), err error) {
	f.note("dump")
	write = func(ctx context.Context, w io.Writer) (int64, error) {
		if f.dumping != nil {
			if err := f.dumping(ctx); err != nil {
				return 0, err
			}
		}
		_, err := w.Write([]byte{1})
		return 12, err
	}
	return write, func() { f.note("dumped") }, nil
}

func (f *fake) LoadTable(ctx context.Context, r io.Reader) (int64, error) {
	f.note("load")
	if f.loading != nil {
		return 12, f.loading(ctx)
	}
	return 12, nil
}

// untilStopped is a think function that waits for the context.
func untilStopped(ctx context.Context, report func(brain.Info)) { <-ctx.Done() }

// serve runs Serve on the whole input and returns its lines without MESSAGE.
func serve(t *testing.T, e Engine, input string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := Serve(t.Context(), strings.NewReader(input), &out, e); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(out.String()) {
		if !isChatter(line) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

// A talk is a conversation with Serve in this process, line by line.
type talk struct {
	t   *testing.T
	in  io.Writer
	out *opponent
}

func newTalk(t *testing.T, e Engine) *talk {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	o := &opponent{in: inW, lines: make(chan string, 1000), gone: make(chan struct{}), check: func() error { return nil }}
	go func() {
		Serve(t.Context(), inR, outW, e)
		outW.Close()
		inR.Close()
		close(o.gone)
	}()
	go o.scan(outR)
	t.Cleanup(o.close)
	return &talk{t, inW, o}
}

func (k *talk) say(text string) {
	k.t.Helper()
	if _, err := io.WriteString(k.in, text); err != nil {
		k.t.Fatal(err)
	}
}

func (k *talk) hear(want string) {
	k.t.Helper()
	got, err := k.out.next(time.Now().Add(answerLimit))
	if err != nil || got != want {
		k.t.Fatalf("got %q, %v, want %q", got, err, want)
	}
}
