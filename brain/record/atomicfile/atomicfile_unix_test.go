//go:build unix

package atomicfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A null device that became a file would hold what everybody throws away. It is here behind a
// link, so that the test cannot replace that of the machine.
func TestADeviceIsNotReplaced(t *testing.T) {
	name := filepath.Join(t.TempDir(), "null")
	if err := os.Symlink(os.DevNull, name); err != nil {
		t.Fatal(err)
	}
	if err := Write(name, []byte("x")); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("error %v", err)
	}
	if target, err := os.Readlink(name); err != nil || target != os.DevNull {
		t.Errorf("a file took the place of %s: %v", os.DevNull, err)
	}
}

// A link to a file elsewhere, as of a database on another disk, leads to the new content.
func TestALinkStays(t *testing.T) {
	target, name := filepath.Join(t.TempDir(), "target"), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(target, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(name, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.Readlink(name); err != nil || got != target {
		t.Errorf("the link leads to %q: %v", got, err)
	}
	if got := read(t, target); got != "new" {
		t.Errorf("%q where the link leads", got)
	}
}
