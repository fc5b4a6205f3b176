package protocol

import (
	"context"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/brain"
)

// wayOfATurn is the heading in brain/README.md over three lists of calls.
const wayOfATurn = "## The way of a TURN"

// mostCalls is how long each list may be.
const mostCalls = 8

// TestTheWayOfATurn: the calls of the three goroutines that a TURN takes are those that
// brain/README.md lists.
func TestTheWayOfATurn(t *testing.T) {
	readme, err := os.ReadFile("../brain/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(readme), "\n"+wayOfATurn+"\n")
	if !ok {
		t.Fatalf("brain/README.md has no %q", wayOfATurn)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	lists := regexp.MustCompile("(?m)(?:^\\d+\\. .*\n)+").FindAllString(text, -1)
	if len(lists) != 3 {
		t.Fatalf("brain/README.md has %d lists of calls, want 3", len(lists))
	}
	for i, got := range callsOfATurn(t) {
		var want []string
		for _, m := range regexp.MustCompile("(?m)^\\d+\\. `(.*?)`").FindAllStringSubmatch(lists[i], -1) {
			want = append(want, m[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("list %d: the calls are\n%s\nbrain/README.md has\n%s", i+1, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if len(got) > mostCalls {
			t.Errorf("list %d: %d calls, want %d at most", i+1, len(got), mostCalls)
		}
	}
}

// callsOfATurn plays a move and returns the calls within this module, outermost first, of the
// goroutine that thinks, up to the search, of the one that searches, up to the first node, and of
// the one that writes the answer.
func callsOfATurn(t *testing.T) [3][]string {
	t.Helper()
	e := brain.New(brain.Config{})
	ctx, cancel := context.WithTimeout(t.Context(), answerLimit)
	defer cancel()
	var found [3][]string
	in, manager := io.Pipe()
	go func() {
		defer manager.Close()
		io.WriteString(manager, "START 15\nINFO usedatabase 0\nINFO timeout_turn 1000000\nTURN 7,7\n")
		stacks := make([]byte, 1<<20)
		for ctx.Err() == nil && (found[0] == nil || found[1] == nil) {
			for stack := range strings.SplitSeq(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
				calls := ownCalls(stack)
				for i, last := range []string{"(*Pool).run", ".alphaBeta"} {
					if n := slices.IndexFunc(calls, func(c string) bool { return strings.HasSuffix(c, last) }); n >= 0 {
						found[i] = calls[:n+1]
					}
				}
			}
			time.Sleep(time.Millisecond)
		}
		io.WriteString(manager, "STOP\n")
	}()
	w := writer(func(line string) {
		if strings.Count(line, ",") == 1 {
			stack := make([]byte, 64<<10)
			found[2] = ownCalls(string(stack[:runtime.Stack(stack, false)]))
		}
	})
	if err := Serve(ctx, in, w, e); err != nil {
		t.Fatal(err)
	}
	return found
}

// writer calls itself with every line.
type writer func(line string)

func (w writer) Write(p []byte) (int, error) {
	w(string(p))
	return len(p), nil
}

// ownCalls returns the functions of this module on a stack, outermost first, without those of tests.
func ownCalls(stack string) (calls []string) {
	lines := strings.Split(stack, "\n")
	for i, line := range lines {
		name, ok := strings.CutPrefix(line, "tengen/")
		if !ok || i+1 == len(lines) || strings.Contains(lines[i+1], "_test.go:") {
			continue
		}
		name = name[:strings.LastIndexByte(name, '(')]
		calls = append(calls, name[strings.LastIndexByte(name, '/')+1:])
	}
	slices.Reverse(calls)
	return calls
}
