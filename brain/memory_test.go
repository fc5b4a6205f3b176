package brain

import (
	"runtime"
	"strconv"
	"testing"

	"tengen/brain/internal/mapped"
)

// allocated returns the bytes that f allocates on the heap.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// What a move allocates takes its time: the solver is there when it begins, and stays when the manager
// changes its limit of memory a little.
func TestMovesAllocateNoSolver(t *testing.T) {
	const most = leastSolver / 2
	for _, rule := range []string{"0", "2", "4"} {
		e := newGame(t, 15, 15, "rule", rule, "max_node", "300", "hash_size", "0", "max_memory", "367001600", "usedatabase", "0")
		if !mapped.Outside(tableBytes(e.Options())) {
			t.Skip("the system has no memory outside the heap")
		}
		e.Prepare()
		for _, mib := range []int64{350, 360, 340, 350} {
			e.Set("max_memory", strconv.FormatInt(mib<<20, 10))
			if bytes := allocated(func() { think(t, e) }); bytes > most {
				t.Errorf("rule %s, %d MiB: a move allocates %d KiB", rule, mib, bytes>>10)
			}
		}
	}
}

// Garbage of an earlier table is given back where the limit of the heap has no room for it: that takes
// some milliseconds.
func TestGarbageIsFreedWhereItMatters(t *testing.T) {
	var freed []bool
	e := New(Config{LimitHeap: func(_, _ int64, free bool) { freed = append(freed, free) }})
	for key, value := range map[string]string{"max_node": "30", "usedatabase": "0"} {
		e.Set(key, value)
	}
	if err := e.NewGame(9, 9); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		mib, hash int64 // MiB
		free      bool
	}{{300, 8, false}, {300, 4, false}, {310, 15, false}, {70, 15, false}, {70, 4, true}, {60, 4, true}} {
		freed = nil
		e.Set("hash_size", strconv.FormatInt(test.hash<<10, 10))
		e.Set("max_memory", strconv.FormatInt(test.mib<<20, 10))
		think(t, e)
		for _, free := range freed {
			if free != test.free {
				t.Errorf("%+v: freed %v", test, free)
			}
		}
		if test.free && len(freed) == 0 {
			t.Errorf("%+v: nothing is freed", test)
		}
	}
}
