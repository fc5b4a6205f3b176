package search

import (
	"context"
	"fmt"
	"os"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
)

// resident returns the resident memory of the process in bytes.
func resident(t *testing.T) int64 {
	t.Helper()
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(raw), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

// The first search of few nodes does not wait for the system to clear a large page for each entry that it
// stores: that took 0.3 s of the first move.
func TestFewNodesTakeFewPages(t *testing.T) {
	const most = 32 << 20
	p := NewPool(eval.Embedded().New, DefaultParams(), 1, 512<<20)
	defer p.Close()
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7")
	p.Prepare(b)
	before := resident(t)
	p.Search(context.Background(), b, Limits{Nodes: 200}, nil)
	if took := resident(t) - before; took > most {
		t.Errorf("%d MiB for 200 nodes, want %d at most", took>>20, most>>20)
	}
}
