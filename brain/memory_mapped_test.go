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

// Where tables are outside the heap a move allocates next to nothing there, since that takes time, however the
// manager changes max_memory before it: the tables of the solver and of the search by rows come from the
// system, too.
func TestMovesAllocateNoTables(t *testing.T) {
	const most = 1 << 20
	for _, rule := range []string{"0", "2", "4"} {
		e := newGame(t, 15, 15, "rule", rule, "max_node", "300", "hash_size", "0", "max_memory", "367001600", "usedatabase", "0")
		e.Prepare()
		for _, mib := range []int64{350, 360, 340, 100, 700, 130, 350, 100, 30, 40, 80} {
			e.Set("max_memory", strconv.FormatInt(mib<<20, 10))
			if bytes := allocated(func() { think(t, e) }); bytes > most {
				t.Errorf("rule %s, %d MiB: a move allocates %d KiB", rule, mib, bytes>>10)
			}
		}
	}
}
