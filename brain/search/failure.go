package search

import (
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
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
		case panicked && strings.HasPrefix(f.Function, "tengen/"):
			return fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)
		}
		if !more {
			return "unknown place"
		}
	}
}

// fail records a panic of a worker with the value r. Moves of the search may be left on the
// worker's board, so the next search gives it a new one, with a new evaluator.
func (p *Pool) fail(worker int, r any) {
	f := recovered(worker, r)
	p.workers[worker].b = nil
	p.failing.Lock()
	defer p.failing.Unlock()
	p.failures = append(p.failures, f)
}
