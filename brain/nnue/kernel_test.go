package nnue

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// A source gives numbers for kernels, of every size that Network.Check lets pass and often the
// extremes, mixed with the bytes of a fuzzer.
type source struct {
	r    *rand.Rand
	data []byte
}

// within returns a number of low to high.
func (s *source) within(low, high int) int16 {
	if len(s.data) >= 2 && s.r.IntN(2) == 0 {
		v := int(binary.LittleEndian.Uint16(s.data))
		s.data = s.data[2:]
		return int16(low + v%(high-low+1))
	}
	switch s.r.IntN(8) {
	case 0:
		return int16(low)
	case 1:
		return int16(high)
	case 2, 3:
		return int16(low + s.r.IntN(high-low+1))
	}
	return int16(max(low, min(s.r.IntN(1200)-400, high)))
}

func (s *source) fill(dst []int16, low, high int) {
	for i := range dst {
		dst[i] = s.within(low, high)
	}
}

func (s *source) longs(dst []int32, most int32) {
	for i := range dst {
		dst[i] = (s.r.Int32N(2*most+1) - most) >> s.r.IntN(32)
	}
}

func (s *source) rows(n, low, high int) []row {
	rows := make([]row, n)
	for i := range rows {
		s.fill(rows[i][:], low, high)
	}
	return rows
}

// halves fills a matrix with numbers of -most to most or, half of the time, with a few of any
// size.
func (s *source) halves(w []half32, most int) {
	few := s.r.IntN(2) == 0
	for i := range w {
		switch {
		case !few:
			s.pairs(w[i][:], most)
		case i%2 == 0: // two inputs of all
			s.pairs(w[i][3:4], 1<<15-1)
		}
	}
}

func (s *source) pairs(w [][outputs][2]int16, most int) {
	for i := range w {
		for j := range w[i] {
			s.fill(w[i][j][:], -most, most)
		}
	}
}

func (s *source) regions(n int) (regions [Regions]uint16) {
	for i := range regions {
		regions[i] = uint16(s.r.IntN(n))
	}
	return regions
}

// weightsOf returns weights with the given rows.
func weightsOf(rows []row) *Weights {
	w := &Weights{rows: rows, packed: make([]packedRow, len(rows))}
	for i := range rows {
		w.packed[i] = rows[i].pack()
	}
	return w
}

// version gives v rows of n.
func (s *source) version(v *version, n int) {
	for d := range 4 {
		v.lines = v.lines<<16 | uint64(s.r.IntN(n))
		v.codes[d%2] = uint16(s.r.IntN(n))
	}
}

// compareKernels asks every kernel and its slow twin once.
func compareKernels(t *testing.T, s *source) {
	t.Helper()
	// Versions of cells on top of each other, the sums of 3 regions, 20 rows.
	const versionsMost = 20
	cells, sums := s.rows(versionsMost, 0, CellMax), s.rows(3, versionsMost*CellMax, 1<<15-1-versionsMost*CellMax)
	table := s.rows(20, -1<<15/6, 1<<15/6)
	first := 1 + s.r.IntN(len(cells))
	versions := make([]version, len(cells))
	for i := range versions {
		v := &versions[i]
		v.before, v.sum, v.cell = uint16(s.r.IntN(max(i, 1))), uint16(s.r.IntN(len(sums))), uint16(i)
		s.version(v, len(table))
	}
	slowCells, slowSums := slices.Clone(cells), slices.Clone(sums)
	add(cells, sums, weightsOf(table), versions, first)
	addSlow(slowCells, slowSums, table, versions, first)
	if !slices.Equal(cells, slowCells) || !slices.Equal(sums, slowSums) {
		t.Fatal("add differs")
	}

	sums = s.rows(12, 0, poolMax/Regions<<PoolShift)
	regions := s.regions(len(sums))
	var pooled alignedRow
	var slowPooled row
	pool(&pooled.row, sums, &regions)
	poolSlow(&slowPooled, sums, &regions)
	if pooled.row != slowPooled {
		t.Fatalf("pool: %v, want %v", pooled.row, slowPooled)
	}

	var x, y [Width]int16
	s.fill(x[:], 0, regionMax)
	s.fill(y[:], 0, regionMax)
	for _, n := range []int{RegionHidden, Hidden, Pair} {
		w, packed, bias := make([]half32, 2*n/outputs), make([]packedLayer, n/outputs), make([]int32, n)
		s.halves(w, 1000)
		for i := range packed {
			packed[i].lay(w[2*i:])
		}
		s.longs(bias, 1<<20)
		shift, low, high := uint64(s.r.IntN(MaxShift+1)), s.within(-1<<15, 1<<15-1), s.within(-1<<15, 1<<15-1)
		if s.r.IntN(2) == 0 {
			low, high = 0, HiddenMax
		}
		low, high = min(low, high), max(low, high)
		dst, slow := make([]int16, n), make([]int16, n)
		layer(dst, w, packed, bias, &x, &y, shift, low, high)
		layerSlow(slow, w, bias, &x, &y, shift, low, high)
		if !slices.Equal(dst, slow) {
			t.Fatalf("layer of %d, shift %d, %d..%d: %v, want %v", n, shift, low, high, dst, slow)
		}
	}

	w := new(headWeights)
	v := &w.value
	for i := range v.global {
		s.halves(v.global[i][:], 1000)
		s.pairs(v.merge[i][:], 2000)
	}
	w.pack()
	s.longs(v.globalBias[:], 1<<20)
	s.longs(v.mergeBias[:], 1<<20)
	s.fill(v.out[:], -1<<14, 1<<14)
	v.globalShift, v.mergeShift = uint64(s.r.IntN(MaxShift+1)), uint64(s.r.IntN(MaxShift+1))
	hidden := make([][RegionHidden]int16, 30)
	for i := range hidden {
		s.fill(hidden[i][:], 0, HiddenMax)
	}
	regions = s.regions(len(hidden))
	var mask [Hidden]int16
	s.fill(mask[:], -1<<15, 1<<15-1)
	if got, want := value(v, &w.packed.value, &x, &y, hidden, &regions, &mask), valueSlow(v, &x, &y, hidden, &regions, &mask); got != want {
		t.Fatalf("value: %d, want %d", got, want)
	}

	for i := range w.region {
		s.halves(w.region[i].weights[:], 1000)
		s.longs(w.region[i].bias[:], 1<<20)
	}
	w.pack()
	w.regionShift = uint64(s.r.IntN(MaxShift + 1))
	known, stm := make([]uint8, len(sums)), s.r.IntN(2)
	for i := range known {
		known[i] = uint8(s.r.IntN(4))
	}
	regions = s.regions(len(sums))
	slowHidden, slowKnown := slices.Clone(hidden), slices.Clone(known)
	layers(w, hidden, sums, known, &regions, stm)
	layersSlow(w, slowHidden, sums, slowKnown, &regions, stm)
	if !slices.Equal(hidden, slowHidden) || !slices.Equal(known, slowKnown) {
		t.Fatal("layers differ")
	}

	gate := s.rows(1, -1<<15, 1<<15-1)
	list := make([]uint16, s.r.IntN(14))
	for i := range list {
		list[i] = uint16(s.r.IntN(len(cells)))
	}
	dst, slow := make([]int32, len(list)+1), make([]int32, len(list)+1) // one more, to stay as it is
	products(dst[:len(list)], cells, list, &gate[0])
	productsSlow(slow[:len(list)], cells, list, &gate[0])
	if !slices.Equal(dst, slow) {
		t.Fatalf("products: %v, want %v", dst, slow)
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

// eachVersion calls f with every version of the kernels that the processor can run, those in
// plain Go last.
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
	cells, sums, table := s.rows(300, 0, CellMax), s.rows(4, 0, regionMax), weightsOf(s.rows(2000, -100, 100))
	versions := make([]version, len(cells))
	for i := range versions { // 30 of 300 cells change, as by a stone
		s.version(&versions[i], len(table.rows))
		if i >= 270 {
			versions[i].before, versions[i].sum = uint16(s.r.IntN(270)), uint16(i%4)
		}
	}
	for b.Loop() {
		add(cells, sums, table, versions, 270)
	}
}

func BenchmarkPool(b *testing.B) {
	s := benchmarkSource()
	sums, regions := s.rows(50, 0, regionMax), s.regions(50)
	var dst alignedRow
	for b.Loop() {
		pool(&dst.row, sums, &regions)
	}
}

func benchmarkLayer(b *testing.B, n int) {
	var x, y [Width]int16
	w, packed := make([]half32, 2*n/outputs), make([]packedLayer, n/outputs)
	bias, dst := make([]int32, n), make([]int16, n)
	for b.Loop() {
		layer(dst, w, packed, bias, &x, &y, 9, 0, HiddenMax)
	}
}

func BenchmarkRegion(b *testing.B) { benchmarkLayer(b, RegionHidden) }
func BenchmarkGate(b *testing.B)   { benchmarkLayer(b, Pair) }

func BenchmarkHead(b *testing.B) {
	s := benchmarkSource()
	var x, y [Width]int16
	var mask [Hidden]int16
	w, hidden, regions := new(headWeights), make([][RegionHidden]int16, 50), s.regions(50)
	for b.Loop() {
		value(&w.value, &w.packed.value, &x, &y, hidden, &regions, &mask)
	}
}

func BenchmarkProducts80(b *testing.B) {
	s := benchmarkSource()
	cells, list, gate := s.rows(300, 0, CellMax), make([]uint16, 80), s.rows(1, -999, 999)
	for i := range list {
		list[i] = uint16(s.r.IntN(len(cells)))
	}
	dst := make([]int32, len(list))
	for b.Loop() {
		products(dst, cells, list, &gate[0])
	}
}
