package protocol

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"tengen/brain"
)

// Every key is listed once and described. Those of Serve take the ends of their range and, if they are
// numbers, nothing else; only those that are ignored change nothing.
func TestInfoKeys(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range InfoKeys() {
		if seen[k.Name] || k.Name != strings.ToLower(k.Name) || k.Doc == "" || k.Unit == "" || k.Numeric() != (k.Min < k.Max) {
			t.Errorf("%s: listed twice, not in lower case, or without a description, a unit or a range", k.Name)
		}
		seen[k.Name] = true
	}
	for _, k := range ownKeys {
		if ignored := strings.HasSuffix(k.Doc, "; ignored"); ignored != (k.set == nil) {
			t.Errorf("INFO %s: ignored %v", k.Name, ignored)
		}
		for _, value := range []string{strconv.FormatInt(k.Min, 10), strconv.FormatInt(k.Max, 10), strconv.Itoa(math.MaxInt), "1.5"} {
			if own, err := (&server{}).setOwn(k.Name, value); !own || err != nil {
				t.Errorf("INFO %s %s: %v, %v", k.Name, value, own, err)
			}
		}
		if _, err := (&server{}).setOwn(k.Name, "word"); (err != nil) != k.Numeric() {
			t.Errorf("INFO %s word: %v", k.Name, err)
		}
	}
}

// A bad value of a key of Serve is an error, as one of a key of the engine is.
func TestBadValuesOfOwnKeys(t *testing.T) {
	k := newTalk(t, brain.New(brain.Config{}))
	k.say("INFO show_detail much\n")
	if _, err := k.out.find(`re ERROR.*show_detail wants a number \(bits\), got much`, time.Now().Add(answerLimit)); err != nil {
		t.Error(err)
	}
}
