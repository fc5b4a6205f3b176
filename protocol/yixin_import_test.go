package protocol

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tengen/brain/database"
)

// largeLib writes a library of about the given number of moves, in three levels below the first one.
func largeLib(t *testing.T, moves int) string {
	t.Helper()
	const first, leaf, sibling = 0x78, 0x40, 0x80 // h8 as RenLib writes it, and its flags
	raw := bytes.NewBuffer(append([]byte("\xffRenLib\xff\x03\x00"), make([]byte, 10)...))
	raw.Write([]byte{0, 0, first, 0})
	var cells []byte
	for y := range byte(15) {
		for x := range byte(15) {
			if cell := y<<4 | (x + 1); cell != first {
				cells = append(cells, cell)
			}
		}
	}
	var level func(used []byte)
	level = func(used []byte) {
		free := make([]byte, 0, len(cells))
		for _, c := range cells {
			if !bytes.Contains(used, []byte{c}) {
				free = append(free, c)
			}
		}
		for i, c := range free {
			flags := byte(sibling)
			if i == len(free)-1 {
				flags = 0
			}
			if len(used) == 2 || raw.Len() > 2*moves {
				raw.Write([]byte{c, flags | leaf})
				continue
			}
			raw.Write([]byte{c, flags})
			level(append(used, c))
		}
	}
	level(nil)
	name := filepath.Join(t.TempDir(), "large.lib")
	if err := os.WriteFile(name, raw.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestALargeFileIsReadInTheBackground: moves and questions are answered meanwhile; what changes or
// saves the database waits.
func TestALargeFileIsReadInTheBackground(t *testing.T) {
	lib := largeLib(t, 150_000)
	file := filepath.Join(t.TempDir(), "x.db")
	begin := "START 15\nINFO max_node 10\nINFO rule 0\nYXSETDATABASE\n" + file + "\nYXLIBTODB\n" + lib + "\n"
	got := told(t, begin+"YXSAVEDATABASE\nYXQUERYDATABASEONE\n7,7\nDONE\nTURN 7,7\n") // and the end of input
	at := 0
	for _, want := range []string{"MESSAGE reading " + lib, "MESSAGE DATABASE ONE", "\n6,", "MESSAGE read ", "MESSAGE DATABASE SAVE DONE"} {
		i := strings.Index(got[at:], want)
		if want == "\n6," { // any move
			i = strings.Index(got[at:], "\n")
			for line := range strings.Lines(got[at:]) {
				var x, y int
				if n, _ := fmt.Sscanf(line, "%d,%d", &x, &y); n == 2 {
					i = strings.Index(got[at:], line)
				}
			}
		}
		if i < 0 {
			t.Fatalf("%q does not come in this order:\n%s", want, got)
		}
		at += i
	}
	if d, err := database.Load(file); err != nil || d.Len() < 10_000 {
		t.Errorf("%d records are saved, %v", d.Len(), err)
	}
}

// TestAFileThatIsReadCanBeStopped, and then adds nothing.
func TestAFileThatIsReadCanBeStopped(t *testing.T) {
	lib := largeLib(t, 400_000)
	for _, end := range []string{"STOP\n", "END\n"} {
		file := filepath.Join(t.TempDir(), "x.db")
		start := time.Now()
		got := told(t, "START 15\nINFO rule 0\nYXSETDATABASE\n"+file+"\n"+edit+"YXLIBTODB\n"+lib+"\n"+end)
		stopped := strings.Contains(got, "MESSAGE nothing is read from "+lib) || strings.Contains(got, "MESSAGE "+lib+" is not read to its end") // where the end takes long
		if took := time.Since(start); !stopped || took > 5*time.Second {
			t.Errorf("%s after %v:\n%s", end, took, got)
		}
		if d, err := database.Load(file); err != nil || d.Len() != 1 {
			t.Errorf("%s: %d records are saved, want the one before it; %v", end, d.Len(), err)
		}
	}
}

// TestFilesAreReadWithinTheMemory: one that has too much is refused and adds nothing, however large the
// file is.
func TestFilesAreReadWithinTheMemory(t *testing.T) {
	lib := largeLib(t, 200_000)
	for memory, want := range map[string]string{"24000000": "more than 5 MiB of memory", "0": "read 2"} {
		got := told(t, "INFO max_memory "+memory+"\nSTART 15\nINFO rule 0\nINFO usedatabase 1\nYXLIBTODB\n"+lib+"\n")
		if !strings.Contains(got, want) {
			t.Errorf("max_memory %s: %q is not in\n%s", memory, want, got)
		}
	}
	raw, err := os.ReadFile(lib)
	if err != nil {
		t.Fatal(err)
	}
	huge := filepath.Join(t.TempDir(), "huge.lib")
	if err := os.WriteFile(huge, raw, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, 1<<30); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	got := told(t, fmt.Sprintf("START 15\nINFO max_node 10\nINFO usedatabase 1\nYXLIBTODB\n%s\nTURN 7,7\n", huge))
	if took := time.Since(start); !strings.Contains(got, "more bytes follow the last move") || took > 3*time.Second {
		t.Errorf("after %v:\n%s", took, got)
	}
}
