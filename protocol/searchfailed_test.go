package protocol

import (
	"testing"

	"tengen/brain"
	"tengen/protocol/wire"
)

// A manager that links no engine looks for the text of wire.
func TestFailedSearchesAreFoundByManagers(t *testing.T) {
	if brain.SearchFailed != wire.SearchFailed {
		t.Errorf("the engine notes %q, managers look for %q", brain.SearchFailed, wire.SearchFailed)
	}
}
