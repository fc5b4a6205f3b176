//go:build unix && !solaris && !aix

package tune

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestAStateHasOneWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	s, _, err := openState(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := openState(path); err == nil || !strings.Contains(err.Error(), "another tuner") {
		t.Errorf("a second writer gets %v", err)
	}
	s.Close()
	s, _, err = openState(path)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
}
