package protocol

import (
	"strings"
	"testing"

	"tengen/protocol/wire"
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
		if got := parse(c.Usage); got.unknown() || got.Verb == wire.Bad || got.Verb == wire.Blank {
			t.Errorf("%s: the example is parsed as %+v", c.Usage, got)
		}
		if got := parse(strings.ToLower(c.Name) + "x"); !got.unknown() {
			t.Errorf("%sx is parsed as %+v", c.Name, got)
		}
	}
	for _, d := range wire.Docs() {
		if !listed[d.Name] {
			t.Errorf("%s is not listed", d.Name)
		}
	}
	for name := range dialect {
		if !listed[name] {
			t.Errorf("%s is not listed", name)
		}
	}
}
