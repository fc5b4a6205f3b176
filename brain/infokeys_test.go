package brain

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"tengen/brain/board"
)

// TestInfoKeysAreThoseTaken: a key is listed once, with a description, which tells if it is
// ignored, and takes both ends of its range but no value that is no number. A key that is not
// listed is ignored.
func TestInfoKeysAreThoseTaken(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range InfoKeys() {
		if seen[k.Name] || k.Name != strings.ToLower(k.Name) || k.Doc == "" || k.Unit == "" || k.Min > k.Max {
			t.Errorf("%s: listed twice, not in lower case, or without a description, a unit or a range", k.Name)
		}
		seen[k.Name] = true
		changed := false
		for _, v := range []int64{k.Min, k.Max, 1, k.Min + 1} {
			o := DefaultOptions()
			if err := o.Set(k.Name, strconv.FormatInt(v, 10)); err != nil {
				t.Errorf("INFO %s %d: %v", k.Name, v, err)
			}
			changed = changed || o != DefaultOptions()
		}
		elsewhere := k.Name == "book" // taken by Engine.Set
		ignored := strings.HasSuffix(k.Doc, "; ignored")
		if changed == (ignored || elsewhere) {
			t.Errorf("INFO %s: changes an option %v, ignored %v", k.Name, changed, ignored)
		}
		o := DefaultOptions()
		if err := o.Set(k.Name, "word"); (err == nil) != (ignored || elsewhere) {
			t.Errorf("INFO %s word: %v, ignored %v", k.Name, err, ignored)
		}
	}
	o := DefaultOptions()
	if err := o.Set("time", "word"); err != nil || seen["time"] {
		t.Errorf("INFO time, which is no key: %v", err)
	}
}

// The range that is listed for rule holds all rules that can be played and no others, which are
// refused: the nearer end is another rule.
func TestRulesAreNotMovedIntoTheirRange(t *testing.T) {
	list := InfoKeys()
	k := list[slices.IndexFunc(list, func(k InfoKey) bool { return k.Name == "rule" })]
	for v := int64(-1); v < 300; v++ {
		o := DefaultOptions()
		err := o.Set("rule", strconv.FormatInt(v, 10))
		listed := v >= k.Min && v <= k.Max
		valid := v >= 0 && v < 256 && board.Rule(v).Valid()
		if listed != valid || (err == nil) != valid || valid && o.Rule != board.Rule(v) {
			t.Errorf("INFO rule %d: %v, rule %v, valid %v, in the range %v", v, err, o.Rule, valid, listed)
		}
	}
}
