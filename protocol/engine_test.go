package protocol

import (
	"strings"
	"testing"

	"tengen/brain"
)

// An engine that has no more than the protocol needs plays, and the dialect is unknown.
func TestTheDialectIsOptional(t *testing.T) {
	e := struct{ Engine }{brain.New(brain.Config{})}
	e.Set("max_node", "100")
	e.Set("usedatabase", "1")
	got := serve(t, e, "START 15\nYXSHOWINFO\nYXNBEST 2\nYXBOARD\n7,7,1\nDONE\nYXHASHDUMP\nBOARD\n7,7,2\nDONE\nABOUT\n")
	want := []string{"OK", `UNKNOWN command "YXSHOWINFO"`, `UNKNOWN command "YXNBEST"`, `UNKNOWN command "YXBOARD"`, `UNKNOWN command "7,7,1"`,
		`UNKNOWN command "DONE"`, `UNKNOWN command "YXHASHDUMP"`, aboutLine(), ""}
	if len(got) != len(want) {
		t.Fatalf("got %q", got)
	}
	for i, line := range got {
		if want[i] == "" && strings.Count(line, ",") != 1 || want[i] != "" && line != want[i] {
			t.Errorf("line %d is %q, want %q", i, line, want[i])
		}
	}
}
