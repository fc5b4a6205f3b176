//go:build debug

package search

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
)

// A damaging evaluator flips a bit of its board after some calls of Value.
type damaging struct {
	eval.Evaluator
	b    *board.Board
	left *int
	flip func(b *board.Board)
}

func (d damaging) Value() int {
	v := d.Evaluator.Value()
	if *d.left--; *d.left == 0 {
		d.flip(d.b)
	}
	return v
}

// TestFlippedBitsOfTheBoardAreFound: a bit of the board of a worker that is flipped at a
// random node ends the search with a failure and a legal move, and the next one is as good
// as one of a pool that never failed.
func TestFlippedBitsOfTheBoardAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 19))
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	corner := board.At(14, 14) // empty in the whole search
	l := Limits{Nodes: 3000}
	for round := range 60 {
		name := []string{"codes", "classes", "hash", "lines", "open"}[round%5] // near heals with the next Undo
		left := 1 + r.IntN(400)
		p := NewPool(func(b *board.Board) eval.Evaluator {
			return damaging{eval.ByTables().New(b), b, &left, func(b *board.Board) {
				field := reflect.ValueOf(b).Elem().FieldByName(name)
				bytes := unsafe.Slice((*byte)(field.Addr().UnsafePointer()), field.Type().Size())
				at := r.IntN(len(bytes))
				if name == "codes" || name == "classes" {
					size := len(bytes) / board.Cells
					at = int(corner)*size + r.IntN(size)
				}
				bytes[at] ^= 1 << r.IntN(8)
			}}
		}, DefaultParams(), 1, 1<<20)
		result := p.Search(context.Background(), b, l, nil)
		if left > 0 {
			t.Fatalf("round %d: the search made too few calls", round)
		}
		if len(result.Failures) != 1 || !strings.Contains(result.Failures[0].What, "self-check: board: ") || !b.Legal(result.Move) {
			t.Fatalf("round %d: a flipped bit of %s gives %v and the failures %v", round, name, result.Move, result.Failures)
		}
		p.Clear()
		again, want := p.Search(context.Background(), b, l, nil), newTestPool(1, 1<<20).Search(context.Background(), b, l, nil)
		if len(again.Failures) > 0 || again.Move != want.Move || again.Info.Nodes != want.Info.Nodes {
			t.Errorf("round %d: afterwards %v in %d nodes with failures %v, want %v in %d nodes",
				round, again.Move, again.Info.Nodes, again.Failures, want.Move, want.Info.Nodes)
		}
	}
}

// TestFlippedBitsOfTheTableAreFound flips each bit of a slot in turn, and of an empty one.
func TestFlippedBitsOfTheTableAreFound(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9h10")
	p := newTestPool(1, 1<<16)
	l := Limits{Nodes: 3000}
	if r := p.Search(context.Background(), b, l, nil); len(r.Failures) > 0 {
		t.Fatal(r.Failures)
	}
	r := rand.New(rand.NewPCG(2, 19))
	for bit := range 4 * 128 {
		s := &p.table.buckets[r.IntN(len(p.table.buckets))][r.IntN(len(bucket{}))]
		word := &s.check
		if bit&64 != 0 {
			word = &s.data
		}
		word.Store(word.Load() ^ 1<<(bit&63))
		result := p.Search(context.Background(), b, Limits{Nodes: 1 + r.Int64N(200)}, nil)
		if len(result.Failures) != 1 || result.Failures[0].What != "self-check: 1 damaged entries of the hash table are removed" {
			t.Fatalf("bit %d: failures %v", bit, result.Failures)
		}
		if !b.Legal(result.Move) || result.Info.PV == nil {
			t.Errorf("bit %d: %v with the line %v", bit, result.Move, result.Info.PV)
		}
	}
}
