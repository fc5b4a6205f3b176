package nnue

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// A source gives numbers for kernels: random ones of every size and the extremes, mixed
// with the bytes of a fuzzer.
type source struct {
	r    *rand.Rand
	data []byte
}

func (s *source) short() int16 {
	if len(s.data) >= 2 && s.r.IntN(2) == 0 {
		v := binary.LittleEndian.Uint16(s.data)
		s.data = s.data[2:]
		return int16(v)
	}
	switch s.r.IntN(8) {
	case 0:
		return -1 << 15
	case 1:
		return 1<<15 - 1
	case 2, 3:
		return int16(s.r.Uint32())
	}
	return int16(s.r.IntN(1200) - 400)
}

func (s *source) shorts(dst []int16) {
	for i := range dst {
		dst[i] = s.short()
	}
}

func (s *source) longs(dst []int32) {
	for i := range dst {
		dst[i] = int32(s.r.Uint32()) >> s.r.IntN(32)
	}
}

func (s *source) rows(n int) []row {
	rows := make([]row, n)
	for i := range rows {
		s.shorts(rows[i][:])
	}
	return rows
}

func (s *source) halves(w []half32) {
	for i := range w {
		s.pairs(w[i][:])
	}
}

func (s *source) pairs(w [][outputs][2]int16) {
	for i := range w {
		for j := range w[i] {
			s.shorts(w[i][j][:])
		}
	}
}

func (s *source) regions(n int) (regions [Regions]uint16) {
	for i := range regions {
		regions[i] = uint16(s.r.IntN(n))
	}
	return regions
}

// compareKernels asks every kernel and its plain version once.
func compareKernels(t *testing.T, s *source) {
	t.Helper()
	// Versions of 5 cells on top of each other, the sums of 3 regions, 20 rows.
	cells, sums, table := s.rows(40), s.rows(3), s.rows(20)
	first := 1 + s.r.IntN(len(cells))
	versions := make([]version, len(cells))
	for i := range versions {
		v := &versions[i]
		v.before, v.sum, v.code, v.cell = uint16(s.r.IntN(max(i, 1))), uint16(s.r.IntN(len(sums))), s.r.Uint32(), uint16(i)
		v.rows = versions[v.before].rows
		for range s.r.IntN(cellRows + 1) {
			v.rows[s.r.IntN(cellRows)] = uint16(s.r.IntN(len(table)))
		}
	}
	plainCells, plainSums := slices.Clone(cells), slices.Clone(sums)
	add(cells, sums, table, versions, first)
	addPlain(plainCells, plainSums, table, versions, first)
	if !slices.Equal(cells, plainCells) || !slices.Equal(sums, plainSums) {
		t.Fatal("add differs")
	}

	regions := s.regions(len(cells))
	var pooled, plainPooled row
	pool(&pooled, cells, &regions)
	poolPlain(&plainPooled, cells, &regions)
	if pooled != plainPooled {
		t.Fatalf("pool: %v, want %v", pooled, plainPooled)
	}

	var x, y [Width]int16
	s.shorts(x[:])
	s.shorts(y[:])
	for _, n := range []int{RegionHidden, Hidden, Pair} {
		w, bias := make([]half32, 2*n/outputs), make([]int32, n)
		s.halves(w)
		s.longs(bias)
		shift, low, high := uint64(s.r.IntN(MaxShift+1)), s.short(), s.short()
		if s.r.IntN(2) == 0 {
			low, high = 0, HiddenMax
		}
		low, high = min(low, high), max(low, high)
		dst, plain := make([]int16, n), make([]int16, n)
		layer(dst, w, bias, &x, &y, shift, low, high)
		layerPlain(plain, w, bias, &x, &y, shift, low, high)
		if !slices.Equal(dst, plain) {
			t.Fatalf("layer of %d, shift %d, %d..%d: %v, want %v", n, shift, low, high, dst, plain)
		}
	}

	w := new(valueWeights)
	for i := range w.global {
		s.halves(w.global[i][:])
		s.pairs(w.merge[i][:])
	}
	s.longs(w.globalBias[:])
	s.longs(w.mergeBias[:])
	s.shorts(w.out[:])
	w.globalShift, w.mergeShift = uint64(s.r.IntN(MaxShift+1)), uint64(s.r.IntN(MaxShift+1))
	hidden := make([][RegionHidden]int16, 30)
	for i := range hidden {
		s.shorts(hidden[i][:])
	}
	regions = s.regions(len(hidden))
	var mask [Hidden]int16
	s.shorts(mask[:])
	if got, want := value(w, &x, &y, hidden, &regions, &mask), valuePlain(w, &x, &y, hidden, &regions, &mask); got != want {
		t.Fatalf("value: %d, want %d", got, want)
	}

	gate := s.rows(1)[0]
	list := make([]uint16, s.r.IntN(14))
	for i := range list {
		list[i] = uint16(s.r.IntN(len(cells)))
	}
	dst, plain := make([]int32, len(list)+1), make([]int32, len(list)+1) // one more, to stay as it is
	products(dst[:len(list)], cells, list, &gate)
	productsPlain(plain[:len(list)], cells, list, &gate)
	if !slices.Equal(dst, plain) {
		t.Fatalf("products: %v, want %v", dst, plain)
	}
}

// TestMatricesAreAligned: where large blocks of memory begin at a cache line, so do the
// matrices of a head.
func TestMatricesAreAligned(t *testing.T) {
	var h headWeights
	for name, offset := range map[string]uintptr{
		"merge": unsafe.Offsetof(h.value.merge), "out": unsafe.Offsetof(h.value.out), "region": unsafe.Offsetof(h.region),
		"second region": unsafe.Offsetof(h.region) + unsafe.Sizeof(h.region[0]), "gate": unsafe.Offsetof(h.gate), "mask": unsafe.Offsetof(h.mask),
	} {
		if offset%64 != 0 {
			t.Errorf("%s begins at byte %d", name, offset)
		}
	}
}

// eachVersion calls f with every version of the kernels that the processor can run, the plain
// one last.
func eachVersion(f func()) {
	f()
	for _, s := range switches {
		if !*s {
			continue
		}
		*s = false
		defer func() { *s = true }()
		f()
	}
}

func TestKernels(t *testing.T) {
	eachVersion(func() {
		s := &source{r: rand.New(rand.NewPCG(1, 2))}
		for range 400 {
			compareKernels(t, s)
		}
	})
}

func FuzzKernels(f *testing.F) {
	f.Add(uint64(1), []byte{0, 128, 255, 127})
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		eachVersion(func() {
			compareKernels(t, &source{r: rand.New(rand.NewPCG(seed, 3)), data: data})
		})
	})
}

// benchmarkSource gives numbers of the size that networks have.
func benchmarkSource() *source { return &source{r: rand.New(rand.NewPCG(5, 6))} }

func BenchmarkAdd(b *testing.B) {
	s := benchmarkSource()
	cells, sums, table := s.rows(300), s.rows(4), s.rows(2000)
	versions := make([]version, len(cells))
	for i := range versions { // 30 of 300 cells with three new rows each, as a stone makes
		for k := range versions[i].rows {
			versions[i].rows[k] = uint16(s.r.IntN(len(table)))
		}
		if i >= 270 {
			v := &versions[i]
			v.before, v.sum = uint16(s.r.IntN(270)), uint16(i%4)
			copy(v.rows[:3], versions[v.before].rows[:3])
		}
	}
	for b.Loop() {
		add(cells, sums, table, versions, 270)
	}
}

func BenchmarkPool(b *testing.B) {
	s := benchmarkSource()
	sums, regions := s.rows(50), s.regions(50)
	var dst row
	for b.Loop() {
		pool(&dst, sums, &regions)
	}
}

func benchmarkLayer(b *testing.B, n int) {
	s := benchmarkSource()
	var x, y [Width]int16
	w, bias, dst := make([]half32, 2*n/outputs), make([]int32, n), make([]int16, n)
	s.halves(w)
	for b.Loop() {
		layer(dst, w, bias, &x, &y, 9, 0, HiddenMax)
	}
}

func BenchmarkRegion(b *testing.B) { benchmarkLayer(b, RegionHidden) }
func BenchmarkGate(b *testing.B)   { benchmarkLayer(b, Pair) }

func BenchmarkHead(b *testing.B) {
	s := benchmarkSource()
	var x, y [Width]int16
	var mask [Hidden]int16
	w, hidden, regions := new(valueWeights), make([][RegionHidden]int16, 50), s.regions(50)
	for b.Loop() {
		value(w, &x, &y, hidden, &regions, &mask)
	}
}

func BenchmarkProducts80(b *testing.B) {
	s := benchmarkSource()
	cells, list, gate := s.rows(300), make([]uint16, 80), s.rows(1)[0]
	for i := range list {
		list[i] = uint16(s.r.IntN(len(cells)))
	}
	dst := make([]int32, len(list))
	for b.Loop() {
		products(dst, cells, list, &gate)
	}
}
