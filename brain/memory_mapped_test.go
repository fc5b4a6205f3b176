//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows

package brain

import (
	"runtime"
	"strconv"
	"testing"
)

// allocated returns the bytes that f allocates on the heap.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// Where hash tables are outside the heap a move allocates next to nothing, since that takes time: the
// solver exists when the move begins, and stays when the manager changes max_memory a little.
func TestMovesAllocateNoSolver(t *testing.T) {
	const most = leastSolver / 2
	for _, rule := range []string{"0", "2", "4"} {
		e := newGame(t, 15, 15, "rule", rule, "max_node", "300", "hash_size", "0", "max_memory", "367001600", "usedatabase", "0")
		e.Prepare()
		for _, mib := range []int64{350, 360, 340, 350} {
			e.Set("max_memory", strconv.FormatInt(mib<<20, 10))
			if bytes := allocated(func() { think(t, e) }); bytes > most {
				t.Errorf("rule %s, %d MiB: a move allocates %d KiB", rule, mib, bytes>>10)
			}
		}
	}
}
