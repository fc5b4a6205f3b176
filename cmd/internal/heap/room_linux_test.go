package heap

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestGroup(t *testing.T) {
	for text, want := range map[string]int64{
		"268435456\n":           161061270,
		"1\n":                   1,
		"max\n":                 0,
		"9223372036854771712\n": 0, // no limit, in whole pages
		"":                      0,
	} {
		file := filepath.Join(t.TempDir(), "limit")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := group(file); got != want {
			t.Errorf("%q: %d bytes, want %d", text, got, want)
		}
	}
	if got := group(filepath.Join(t.TempDir(), "none")); got != 0 {
		t.Errorf("no file: %d bytes, want 0", got)
	}
}

func TestRoomIsNotMoreThanTheMachineHas(t *testing.T) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		t.Fatal(err)
	}
	var total int64
	if _, err := fmt.Sscanf(string(text), "MemTotal: %d kB", &total); err != nil {
		t.Fatal(err)
	}
	if got := Room(); got <= 0 || got > total<<10 {
		t.Errorf("room for %d bytes on a machine of %d", got, total<<10)
	}
}
