//go:build unix

package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
)

// A file that is replaced keeps its permissions.
func TestPermissionsStay(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	for _, want := range []os.FileMode{0o600, 0o666, 0o444} {
		os.Remove(name)
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, want); err != nil {
			t.Fatal(err)
		}
		if err := Write(name, []byte("new")); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(name)
		if err != nil || info.Mode() != want || read(t, name) != "new" {
			t.Errorf("%v became %v, %v", want, info.Mode(), err)
		}
	}
}
