package brain

import (
	"slices"
	"strconv"
	"testing"
)

// What belongs to the rule before is given back to the system where there is little memory. Nothing else is:
// that takes some milliseconds, and tens of them at times.
func TestOnlyAnotherRuleIsFreed(t *testing.T) {
	var freed []bool
	e := New(Config{LimitHeap: func(_, _ int64, free bool) { freed = append(freed, free) }})
	for key, value := range map[string]string{"max_node": "30", "usedatabase": "0"} {
		e.Set(key, value)
	}
	for _, test := range []struct {
		rule      string
		mib, hash int64 // MiB
		free      bool
	}{
		{"0", 300, 8, false}, {"0", 300, 4, false}, {"0", 310, 15, false}, {"1", 310, 15, false}, {"1", 60, 15, false},
		{"1", 60, 4, false}, {"0", 60, 4, true}, {"2", 60, 4, true}, {"2", 55, 1, false}, {"0", 300, 1, false},
	} {
		freed = nil
		e.Set("rule", test.rule)
		e.Set("hash_size", strconv.FormatInt(test.hash<<10, 10))
		e.Set("max_memory", strconv.FormatInt(test.mib<<20, 10))
		if err := e.NewGame(9, 9); err != nil {
			t.Fatal(err)
		}
		if think(t, e); slices.Contains(freed, true) != test.free {
			t.Errorf("%+v: freed %v", test, freed)
		}
	}
}
