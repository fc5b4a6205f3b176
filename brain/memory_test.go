package brain

import (
	"slices"
	"strconv"
	"testing"

	"tengen/brain/internal/mapped"
)

// Garbage of an earlier table on the heap is given back where the limit of the heap has no room for it: that
// takes some milliseconds, and tens of them at times. Tables outside the heap leave none, so that no move
// waits for it.
func TestGarbageIsFreedWhereItMatters(t *testing.T) {
	onHeap := !mapped.Outside(15 << 20)
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
	}{{300, 8, false}, {300, 4, false}, {310, 15, false}, {70, 15, false}, {70, 4, onHeap}, {60, 4, false}} {
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
	freed = nil
	e.Set("rule", "1")
	if err := e.NewGame(9, 9); err != nil {
		t.Fatal(err)
	}
	if e.Prepare(); !slices.Contains(freed, true) {
		t.Error("what belongs to the rule before is not freed where there is little memory")
	}
}
