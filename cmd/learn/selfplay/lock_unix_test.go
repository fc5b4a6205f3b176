//go:build unix && !solaris && !aix

package selfplay

import (
	"path/filepath"
	"strings"
	"testing"

	"tengen/cmd/internal/resume"
)

func TestTwoRunsDoNotShareAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.tgs")
	f, err := resume.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if status, _, stderr := obey(t, small(file, "-games", "1")...); status != 1 || !strings.Contains(stderr, "another process") {
		t.Errorf("status %d, %s", status, stderr)
	}
}
