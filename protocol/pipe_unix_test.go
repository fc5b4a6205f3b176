//go:build unix

package protocol

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tengen/protocol/wire"
)

// A named pipe in the place of a file, which nobody writes to, would hold the engine up for ever:
// no move and not even END would be answered.
func TestPipesAreNotOpened(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"INFO book " + pipe, "YXSETDATABASE\n" + pipe, "YXHASHLOAD\n" + pipe, "YXHASHDUMP\n" + pipe,
		"YXTXTTODB\n" + pipe, "YXLIBTODB\n" + pipe, "YXDBMERGE\n" + pipe, "YXDBSPLIT\n" + pipe, "YXDBTOTXT\n" + pipe} {
		got := make(chan string, 1)
		go func() {
			got <- told(t, "INFO max_node 100\nSTART 15\nINFO usedatabase 1\n"+command+"\nINFO usedatabase 0\nTURN 2,3\n")
		}()
		select {
		case text := <-got:
			if !strings.Contains(text, pipe+": not a regular file") && !strings.Contains(text, pipe+" is not a file\n") {
				t.Errorf("%q: the answer does not name the pipe:\n%s", command, text)
			}
			lines := strings.Split(strings.TrimSpace(text), "\n")
			if x, _, ok := wire.ParsePair(lines[len(lines)-1]); !ok || x < 0 {
				t.Errorf("%q: no move:\n%s", command, text)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%q: no answer", command)
		}
	}
}
