//go:build unix && !solaris && !aix

package resume

import (
	"errors"
	"path/filepath"
	"testing"
)

func TestTwoDoNotWriteOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); !errors.Is(err, ErrLocked) {
		t.Errorf("the second Open: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if f, err = Open(path); err != nil {
		t.Fatal(err)
	}
	f.Close()
}
