package threat

import (
	"math/rand/v2"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/mapped"
)

// A VCT and a VCF of another size, or emptied, search as new ones do, and large tables take nothing of the
// heap.
func TestResizedAndClearedAreAsNew(t *testing.T) {
	const large = 8 << 20
	r := rand.New(rand.NewPCG(54, 0))
	vct, vcf := NewVCT(large/8), NewVCF(large/8)
	for i, bytes := range []int64{large, large / 2, 0, large, large, large} {
		if i < 4 {
			vct.Resize(bytes)
			vcf.Resize(bytes)
		} else {
			vct.Clear()
			vcf.Clear()
		}
		newVCT, newVCF := NewVCT(bytes), NewVCF(bytes)
		if len(vct.lists) != len(newVCT.lists) || len(vct.table.slots) != len(newVCT.table.slots) || len(vcf.table) != len(newVCF.table) {
			t.Fatalf("%d bytes: the tables have other sizes than new ones", bytes)
		}
		if mapped.Outside(large/8) && bytes == large && !(vct.listMemory.Outside() && vct.table.memory.Outside() && vct.vcf.memory.Outside() && vcf.memory.Outside()) {
			t.Error("large tables are on the heap")
		}
		for range 20 {
			b := skirmish(t, r, board.Freestyle)
			if n := vcf.Win(b, Limits{Nodes: 2000}); n != newVCF.Win(b, Limits{Nodes: 2000}) || vcf.nodes != newVCF.nodes {
				t.Fatalf("%d bytes: a VCF with %d fours, a new one with %d", bytes, vcf.nodes, newVCF.nodes)
			}
			l := Limits{Nodes: 1000}
			if p, q := vct.Win(b, l), newVCT.Win(b, l); (p == nil) != (q == nil) || vct.Nodes() != newVCT.Nodes() {
				t.Fatalf("%d bytes: a VCT with %d nodes, a new one with %d", bytes, vct.Nodes(), newVCT.Nodes())
			}
		}
	}
}

// A table knows nothing of what it held before any number of forgets, on the heap and outside.
func TestProofTableForgets(t *testing.T) {
	onHeap, outside := newProofTable(1<<20), proofTable{}
	outside.resize(1 << 20)
	for _, table := range []*proofTable{&onHeap, &outside} {
		for i := range 600 {
			h := uint64(i)*board.Golden | 1
			if table.store(h, proven, 1); i%85 == 0 {
				continue
			}
			if e, ok := table.probe(h); !ok || e != proven {
				t.Fatalf("after %d forgets an entry is lost", i)
			}
			table.forget()
			for j := range i + 1 {
				if _, ok := table.probe(uint64(j)*board.Golden | 1); ok {
					t.Fatalf("after %d forgets entry %d is found", i+1, j)
				}
			}
		}
	}
}
