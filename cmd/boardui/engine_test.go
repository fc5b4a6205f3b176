package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneFileKnowsTheEngine: the board reaches searches through the protocol, and forced wins and
// openings through engine.go alone.
func TestOneFileKnowsTheEngine(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, pkg := range []string{"brain", "brain/prover", "protocol"} {
			if imports := strings.Contains(string(raw), "\n\t\"tengen/"+pkg+"\"\n"); imports != (file == "engine.go") && !strings.HasSuffix(file, "_test.go") {
				t.Errorf("%s imports %s: %v", file, pkg, imports)
			}
		}
	}
}
