package protocol

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// peak returns the peak resident memory of the process, in bytes.
func peak(t *testing.T, pid int) int64 {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "VmHWM:" {
			kib, err := strconv.ParseInt(f[1], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kib << 10
		}
	}
	t.Fatal("no VmHWM")
	return 0
}

// The process stays below INFO max_memory, or the limit of Gomocup without it, also when
// the rule, the size and the number of workers change.
func TestProgramKeepsToItsMemory(t *testing.T) {
	t.Parallel()
	for _, limit := range []int64{0, 64 << 20} {
		o := newRun(t, fmt.Sprintf("max_memory %d", limit), "timeout_turn 3600000", "max_node 25000")
		for i, info := range []string{"rule 0", "rule 4", "thread_num 3", "rule 8"} {
			o.send(t, fmt.Sprintf("INFO %s\nSTART %d\nTURN 7,7\nTURN 3,12\n", info, 15+5*(i%2)))
			for range 3 {
				o.answer(t)
			}
		}
		most := limit
		if most == 0 {
			most = 350 << 20
		}
		if got := peak(t, o.pid); got >= most {
			t.Errorf("max_memory %d MiB: the process held %d MiB", limit>>20, got>>20)
		}
	}
}
