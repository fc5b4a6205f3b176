//go:build unix

package protocol

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/brain"
)

// A database that cannot be looked at is not taken for one that is not there. Windows does not tell
// these apart where a file is in the way of the folder.
func TestADatabaseOutOfReachIsTold(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, brain.Name), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	got := told(t, "INFO folder "+dir+"\nSTART 15\nINFO usedatabase 1\n"+edit)
	for _, want := range []string{"MESSAGE open ", "MESSAGE the database is only in memory"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
