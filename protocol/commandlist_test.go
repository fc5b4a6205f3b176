package protocol

import (
	"strings"
	"testing"
)

// TestCommandsAreThoseParsed: every command that the parser knows is listed, described and
// taken as its example says; other words are unknown.
func TestCommandsAreThoseParsed(t *testing.T) {
	listed := map[string]bool{}
	for _, c := range Commands() {
		if listed[c.Name] || c.Doc == "" || !strings.HasPrefix(c.Usage, c.Name) {
			t.Errorf("%+v: listed twice, or without a description or an example", c)
		}
		listed[c.Name] = true
		if got := parse(c.Usage); got.Verb == verbUnknown || got.Verb == verbBad || got.Verb == verbBlank {
			t.Errorf("%s: the example is parsed as %+v", c.Usage, got)
		}
		if got := parse(strings.ToLower(c.Name) + "x"); got.Verb != verbUnknown {
			t.Errorf("%sx is parsed as %+v", c.Name, got)
		}
	}
	for name := range verbs {
		if !listed[name] {
			t.Errorf("%s is not listed", name)
		}
	}
	for name := range dialect {
		if !listed[name] {
			t.Errorf("%s is not listed", name)
		}
	}
}
