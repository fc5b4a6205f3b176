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

// recovered describes the panic with the value r. It has to be called by the deferred
// function that recovers r.
func recovered(worker int, r any) Failure {
	what := strings.Join(strings.Fields(fmt.Sprint(r)), " ")
	return Failure{fmt.Sprintf("worker %d: %s (%s)", worker+1, what, origin()), string(debug.Stack())}
}

// origin returns the file and line of this module where the panic began that is being
// recovered.
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

// fail notes that a worker has panicked with r. Its board may be left full of stones, so
// the next search gives it another, with an evaluator of its own.
func (p *Pool) fail(worker int, r any) {
	f := recovered(worker, r)
	p.workers[worker].b = nil
	p.failing.Lock()
	defer p.failing.Unlock()
	p.failures = append(p.failures, f)
}
