// Package failure describes panics that were recovered, for those who can mend what caused them.
package failure

import (
	"fmt"
	"path"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
)

// A Report is about a panic that did not end what went on.
type Report struct {
	What  string // what happened and where, one line
	Stack string
}

// Of describes the panic of who with the value r. The deferred function that recovers r must call it.
func Of(who string, r any) Report {
	what := strings.Join(strings.Fields(fmt.Sprint(r)), " ")
	return Report{fmt.Sprintf("%s: %s (%s)", who, what, origin()), string(debug.Stack())}
}

// module is the path of this module, with a slash.
var module = strings.TrimSuffix(reflect.TypeFor[Report]().PkgPath(), "brain/internal/failure")

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
