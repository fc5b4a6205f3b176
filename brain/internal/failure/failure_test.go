package failure

import (
	"strings"
	"testing"
)

// A report names the place in this module where the panic began, also where the runtime or a package
// of Go's panicked, in one line.
func TestOf(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		cause      func()
	}{
		{"own", "test: out of values (failure_test.go:", func() { panic("out of\nvalues") }},
		{"the runtime", "test: runtime error: index out of range", func() { _ = []int{}[len(two())] }},
		{"a package of Go", "test: strings: negative Repeat count (failure_test.go:", func() { strings.Repeat("x", -len(two())) }},
	} {
		var got Report
		func() {
			defer func() { got = Of("test", recover()) }()
			tt.cause()
		}()
		if !strings.HasPrefix(got.What, tt.want) || !strings.Contains(got.What, "(failure_test.go:") || strings.Contains(got.What, "\n") {
			t.Errorf("%s: %q, want %q", tt.name, got.What, tt.want)
		}
		if !strings.Contains(got.Stack, "TestOf") {
			t.Errorf("%s: the stack is %q", tt.name, got.Stack)
		}
	}
}

// two keeps the compiler from seeing what fails.
func two() string { return "xy" }
