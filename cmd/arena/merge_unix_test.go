//go:build unix && !solaris && !aix

package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/resume"
)

// The games that a run adds after a merge has replaced its journal would be lost.
func TestAJournalThatIsBeingWrittenIsNotReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	s := settings{Engines: []engine{fake(t, "a", "", "1"), fake(t, "b", "", "2")}, Games: 2}
	journalOf(t, path, s, flags.Shard{}, 1)
	f, err := resume.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := runMerge([]string{"-o", path, path}, io.Discard); err == nil || !strings.Contains(err.Error(), "another process is writing it") {
		t.Errorf("error %v", err)
	}
	f.Close()
	if err := runMerge([]string{"-o", path, path}, io.Discard); err != nil {
		t.Error(err)
	}
}
