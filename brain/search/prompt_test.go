package search

import (
	"context"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
	"tengen/brain/internal/failure"
)

// A stuck evaluator waits in Value while its gate is locked, as a worker does to which the
// system gives no processor, and panics once where broken is set.
type stuck struct {
	eval.Evaluator
	gate   *sync.RWMutex
	broken *atomic.Bool
}

func (s stuck) Value() int {
	s.gate.RLock()
	defer s.gate.RUnlock()
	if s.broken.CompareAndSwap(true, false) {
		panic("out of order")
	}
	return s.Evaluator.Value()
}

// TestSearchPromptly: whoever ends a search gets the best move so far though no worker goes
// on, hears nothing more of it, and the next search is as if nothing had been.
func TestSearchPromptly(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	for _, lines := range []int{1, 3} {
		var gate sync.RWMutex
		var broken atomic.Bool
		p := NewPool(func(b *board.Board) eval.Evaluator { return stuck{eval.ByTables().New(b), &gate, &broken} }, DefaultParams(), 2, 1<<20)
		ctx, cancel := context.WithCancel(context.Background())
		var told atomic.Int32
		var last Info
		deep := make(chan bool, 1)
		l := Limits{Lines: lines, Watch: func(RootEvent) { told.Add(1) }}
		closed := sync.OnceFunc(func() { deep <- true })
		go func() {
			<-deep
			gate.Lock()
			time.Sleep(20 * time.Millisecond) // until both workers are in Value
			cancel()
		}()
		r := p.SearchPromptly(ctx, b, l, func(i Info) {
			told.Add(1)
			if i.Line == 0 {
				last = i
			}
			if i.Line == lines-1 && i.Depth == 4 {
				closed()
			}
		})
		heard := told.Load()
		if !b.Legal(r.Move) || len(r.Info.PV) < 2 || r.Info.PV[0] != r.Move || r.Info.Depth < last.Depth || lines > 1 && r.Move != last.PV[0] {
			t.Errorf("%d lines: %+v after %+v", lines, r, last)
		}
		broken.Store(true)
		time.Sleep(10 * time.Millisecond)
		b2 := b.Clone()
		b2.Play(r.Move)
		gate.Unlock()
		next := p.SearchPromptly(context.Background(), b2, Limits{Depth: 3}, nil)
		if told.Load() != heard {
			t.Errorf("%d lines: the search that was left still reports", lines)
		}
		if len(next.Failures) != 1 || !strings.Contains(next.Failures[0].What, "out of order") || !b2.Legal(next.Move) {
			t.Errorf("%d lines: then %+v", lines, next)
		}
		p.Resize(1, 1<<20)
		p.Clear()
		again := p.SearchPromptly(context.Background(), b, Limits{Depth: 7}, nil)
		want := newTestPool(1, 1<<20).Search(context.Background(), b, Limits{Depth: 7}, nil)
		if len(again.Failures) != 0 || again.Move != want.Move || again.Info.Nodes != want.Info.Nodes {
			t.Errorf("%d lines: afterwards %+v, want %+v", lines, again, want)
		}
	}
}

// TestLateFailures: the failures of a search that was left are in the next result, whichever
// method returns it, and in no other.
func TestLateFailures(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	searches := map[string]func(p *Pool) []failure.Report{
		"Search": func(p *Pool) []failure.Report {
			return p.Search(context.Background(), b, Limits{Depth: 3}, nil).Failures
		},
		"SearchPromptly": func(p *Pool) []failure.Report {
			return p.SearchPromptly(context.Background(), b, Limits{Depth: 3}, nil).Failures
		},
	}
	for first, search := range searches {
		for then, again := range searches {
			var gate sync.RWMutex
			var broken atomic.Bool
			p := NewPool(func(b *board.Board) eval.Evaluator { return stuck{eval.ByTables().New(b), &gate, &broken} }, DefaultParams(), 1, 1<<20)
			p.prompt.ended, p.prompt.left = make(chan struct{}), true
			p.failures = []failure.Report{{What: "late"}}
			close(p.prompt.ended)
			p.Allocated() // also waits for it
			broken.Store(true)
			if f := search(p); len(f) != 2 || f[0].What != "late" || !strings.Contains(f[1].What, "out of order") {
				t.Errorf("%s: %d failures, want the late one and a new one", first, len(f))
			}
			if f := again(p); len(f) != 0 {
				t.Errorf("%s and then %s: %d failures, want none", first, then, len(f))
			}
		}
	}
}

// TestSearchPromptlyWaitsForAMove: a search that ends before it begins has a move.
func TestSearchPromptlyWaitsForAMove(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := boardtest.After(t, board.Renju, 15, "h8i9i7g9h10")
	if r := newTestPool(2, 1<<20).SearchPromptly(ctx, b, Limits{}, nil); !b.Legal(r.Move) || len(r.Info.PV) == 0 {
		t.Errorf("%+v", r)
	}
}

// TestEveryMethodWaits: each exported method of a Pool waits for a search that was left, or
// it would meet workers that still search.
func TestEveryMethodWaits(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	calls := map[string]func(p *Pool){
		"Search":         func(p *Pool) { p.Search(context.Background(), b, Limits{Depth: 1}, nil) },
		"SearchPromptly": func(p *Pool) { p.SearchPromptly(context.Background(), b, Limits{Depth: 1}, nil) },
		"WinByThreats":   func(p *Pool) { p.WinByThreats(context.Background(), b, Limits{Nodes: 1}) },
		"Prepare":        func(p *Pool) { p.Prepare(b) },
		"PrepareSolver":  func(p *Pool) { p.PrepareSolver(b) },
		"Stall":          func(p *Pool) { p.Stall() },
		"NoteStall":      func(p *Pool) { p.NoteStall(0) },
		"Resize":         func(p *Pool) { p.Resize(1, 1<<20) },
		"Allocated":      func(p *Pool) { p.Allocated() },
		"SetSolver":      func(p *Pool) { p.SetSolver(0) },
		"Close":          func(p *Pool) { p.Close() },
		"Clear":          func(p *Pool) { p.Clear() },
		"Usage":          func(p *Pool) { p.Usage() },
		"DumpTable":      func(p *Pool) { p.DumpTable(1).Close() },
		"ReadTable":      func(p *Pool) { p.ReadTable(context.Background(), strings.NewReader(""), 1) },
	}
	typ := reflect.TypeFor[*Pool]()
	for i := range typ.NumMethod() {
		name := typ.Method(i).Name
		call := calls[name]
		if call == nil {
			t.Errorf("%s is not tested", name)
			continue
		}
		p := newTestPool(1, 1<<20)
		over := false
		p.prompt.ended = make(chan struct{})
		go func() {
			time.Sleep(2 * time.Millisecond)
			over = true
			close(p.prompt.ended)
		}()
		if call(p); !over {
			t.Errorf("%s does not wait", name)
		}
	}
}
