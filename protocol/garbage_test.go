package protocol

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A garbage collection is long for a short move. There is none before the first, whatever the rule.
func TestNoGarbageCollectionBeforeTheFirstMove(t *testing.T) {
	t.Parallel()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	for _, mib := range []int64{350, 250, 160} {
		for _, rule := range []string{"0", "1", "2", "4", "8"} {
			cmd := exec.Command(path)
			cmd.Env = append(os.Environ(), "GODEBUG=gctrace=1")
			cmd.Stdin = strings.NewReader(fmt.Sprintf("START 15\nINFO rule %s\nINFO max_memory %d\nINFO usedatabase 0\nINFO max_node 300\nBEGIN\n", rule, mib<<20))
			var trace strings.Builder
			cmd.Stderr = &trace
			if out, err := cmd.Output(); err != nil || !strings.HasSuffix(string(out), "7,7\n") {
				t.Fatalf("%v: %q", err, out)
			}
			if n := strings.Count(trace.String(), "gc "); n > 0 {
				t.Errorf("rule %s, %d MiB: %d garbage collections\n%s", rule, mib, n, trace.String())
			}
		}
	}
}
