package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
)

func read(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestAFileChangesOnlyWithCommit(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	for _, text := range []string{"old", "new"} {
		if err := Write(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := read(t, name); got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
	f, err := Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("newer"); err != nil {
		t.Fatal(err)
	}
	if got := read(t, name); got != "new" {
		t.Errorf("%q before Commit", got)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, name); got != "new" {
		t.Errorf("%q after Close", got)
	}
	if _, err := os.Stat(name + Suffix); !os.IsNotExist(err) {
		t.Errorf("what was dropped is still there: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Errorf("the second Close: %v", err)
	}
}

func TestAFailedWriteLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	if err := os.Mkdir(name, 0o777); err != nil { // a folder cannot be replaced by a file
		t.Fatal(err)
	}
	if err := Write(name, []byte("x")); err == nil {
		t.Error("a file took the place of a folder")
	}
	if _, err := os.Stat(name + Suffix); !os.IsNotExist(err) {
		t.Errorf("what could not be placed is still there: %v", err)
	}
	if err := Write(filepath.Join(dir, "none", "x"), nil); err == nil {
		t.Error("a file in a folder that does not exist")
	}
}
