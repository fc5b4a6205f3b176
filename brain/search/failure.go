package search

import (
	"fmt"
	"path"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"

	"tengen/brain/board"
)

// A Failure is a panic of a worker, or of a report function, that did not end the search.
type Failure struct {
	What  string // what happened and where, one line
	Stack string
}

// recovered describes the panic with the value r. It must be called by the deferred
// function that recovers r.
func recovered(worker int, r any) Failure {
	what := strings.Join(strings.Fields(fmt.Sprint(r)), " ")
	return Failure{fmt.Sprintf("worker %d: %s (%s)", worker+1, what, origin()), string(debug.Stack())}
}

// module is the path of this module, with a slash.
var module = strings.TrimSuffix(reflect.TypeFor[Pool]().PkgPath(), "brain/search")

// origin returns the file and line in this module where the panic that is being recovered
// began.
func origin() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs[:])])
	panicked := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicked = true
		case panicked && strings.HasPrefix(f.Function, module):
			return fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)
		}
		if !more {
			return "unknown place"
		}
	}
}

// fail records a panic of a worker with the value r. Its board, its evaluator and its solvers
// may be left in any state, so the next search gives it new ones.
func (p *Pool) fail(worker int, r any) {
	f := recovered(worker, r)
	w := p.workers[worker]
	w.b, w.display = nil, display{}
	p.failing.Lock()
	defer p.failing.Unlock()
	p.failures = append(p.failures, f)
}

// afterFailure returns the best move of b that the first worker knew when it panicked, within the
// restrictions r or nil.
func (p *Pool) afterFailure(b *board.Board, r *Restrictions) Result {
	p.last = [2]lastMove{}
	for _, w := range p.workers {
		w.b = nil // it may have been another worker that was prepared
	}
	w := p.workers[0]
	if len(w.root.moves) == 0 {
		return Result{Move: plausible(b, r)}
	}
	return Result{Move: w.root.moves[0].move, Info: Info{Nodes: w.nodes}}
}

// plausible returns the legal move that makes or stops most, without any search; None if r leaves none.
func plausible(b *board.Board, r *Restrictions) board.Move {
	best, most := board.None, -1
	s := b.Side()
	for _, m := range b.Open().Append(nil) {
		worth := max(2*int(b.Class(s, m))+1, 2*int(b.Class(s.Other(), m)))
		if worth > most && b.Legal(m) && r.Allows(b, m) {
			best, most = m, worth
		}
	}
	return best
}
