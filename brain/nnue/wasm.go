//go:build !wasm

package nnue

import (
	"encoding/binary"
	"unsafe"
)

// The kernels for browsers. Go's compiler knows no vectors of WebAssembly, so that they are two
// modules of their own, made here. The program calls the functions of the gate, which call those of
// the kernels through a table: the kernels work on the memory of the program, which is there only
// after the gate.
// Source: WebAssembly Core Specification 2.0, 5.

// WasmKernels returns the modules: gate exports the kernels and the table, "table"; kernels imports
// "program" "mem" and "gate" "table", and fills the table. Only kernels needs vectors.
func WasmKernels() (gate, kernels []byte) {
	var g, k module
	for i, f := range []struct {
		name    string
		params  int
		returns int
		vectors int // locals
		ints    int // locals of 32 bits
		body    func(*function)
	}{
		{"add", 6, 0, 1, 8, wasmAdd},
		{"pool", 3, 0, 0, Regions, wasmPool},
		{"layer", 9, 0, blocks + 1, 0, wasmLayer},
		{"value", 12, 1, 2*RegionTypes + 2*blocks + 2, Regions, wasmValue},
		{"products", 5, 0, 1 + Pair/8, 1, wasmProducts},
	} {
		own := &function{params: f.params, returns: f.returns, ints: f.ints, vectors: f.vectors}
		f.body(own)
		k.functions = append(k.functions, own)

		call := &function{params: f.params, returns: f.returns, name: f.name}
		for p := range f.params {
			call.get(p)
		}
		call.integer(i)
		call.op(opCallIndirect)
		call.number(i) // its type
		call.number(0) // the table
		g.functions = append(g.functions, call)
	}
	present := &function{returns: 1, name: "present"}
	present.integer(1)
	g.functions = append(g.functions, present)
	return g.encode(true), k.encode(false)
}

// A module is a list of functions; the types have their order.
type module struct{ functions []*function }

// A function has parameters of 32 bits, then such locals, then vectors.
type function struct {
	name                           string // under which it is exported
	params, returns, ints, vectors int
	code                           []byte
}

// Sections, types and instructions.
const (
	sectionType, sectionImport, sectionFunction, sectionTable       = 1, 2, 3, 4
	sectionExport, sectionElement, sectionCode                      = 7, 9, 10
	kindFunction, kindTable, kindMemory                             = 0, 1, 2
	typeInt, typeVector, typeFunction, typeReference, typeNoResults = 0x7f, 0x7b, 0x60, 0x70, 0x40

	opBlock, opLoop, opEnd, opBranchIf, opCallIndirect = 0x02, 0x03, 0x0b, 0x0d, 0x11
	opGet, opSet, opTee                                = 0x20, 0x21, 0x22
	opLoad16, opStore32, opConst                       = 0x2f, 0x36, 0x41
	opIsZero, opAdd, opSub, opShiftLeft                = 0x45, 0x6a, 0x6b, 0x74

	vectorPrefix                                               = 0xfd
	opLoad, opLoadSplat32, opStore, opShuffle                  = 0, 9, 11, 13
	opSplat16, opLane32                                        = 16, 27
	opNarrow, opShift16, opAdd16, opSub16, opLeast16, opMost16 = 133, 140, 142, 145, 150, 152 // opMost16 is the greater of two
	opWidenLow, opWidenHigh, opShift32, opAdd32, opDot         = 167, 168, 172, 174, 186
)

func unsigned(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

// signed appends a signed number as WebAssembly has them.
func signed(b []byte, n int) []byte {
	for {
		low := byte(n & 0x7f)
		n >>= 7
		if n == 0 && low&0x40 == 0 || n == -1 && low&0x40 != 0 {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}

func text(b []byte, s string) []byte { return append(unsigned(b, len(s)), s...) }

// encode returns the module: the gate, or what imports its table and fills it.
func (m *module) encode(gate bool) []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, n int, body []byte) {
		body = append(unsigned(nil, n), body...)
		out = append(unsigned(append(out, id), len(body)), body...)
	}
	var types, functions, exports, elements, code []byte
	n := len(m.functions)
	for i, f := range m.functions {
		types = append(types, typeFunction)
		types = unsigned(types, f.params)
		for range f.params {
			types = append(types, typeInt)
		}
		types = unsigned(types, f.returns)
		for range f.returns {
			types = append(types, typeInt)
		}
		functions = unsigned(functions, i)
		exports = unsigned(append(text(exports, f.name), kindFunction), i)
		elements = unsigned(elements, i)
		body := []byte{2}
		body = append(unsigned(body, f.ints), typeInt)
		body = append(unsigned(body, f.vectors), typeVector)
		body = append(append(body, f.code...), opEnd)
		code = append(unsigned(code, len(body)), body...)
	}
	section(sectionType, n, types)
	table := []byte{typeReference, 0, byte(n)}
	if !gate {
		imports := append(text(text(nil, "program"), "mem"), kindMemory, 0, 1)
		imports = append(text(text(imports, "gate"), "table"), kindTable)
		section(sectionImport, 2, append(imports, table...))
	}
	section(sectionFunction, n, functions)
	if gate {
		section(sectionTable, 1, table)
		section(sectionExport, n+1, append(text(exports, "table"), kindTable, 0))
	} else {
		elements = append(unsigned([]byte{0, opConst, 0, opEnd}, n), elements...)
		section(sectionElement, 1, elements)
	}
	section(sectionCode, n, code)
	return out
}

// The instructions.

func (f *function) op(op byte)    { f.code = append(f.code, op) }
func (f *function) number(n int)  { f.code = unsigned(f.code, n) }
func (f *function) get(local int) { f.op(opGet); f.number(local) }
func (f *function) set(local int) { f.op(opSet); f.number(local) }
func (f *function) tee(local int) { f.op(opTee); f.number(local) }

func (f *function) integer(n int) {
	f.op(opConst)
	f.code = signed(f.code, n)
}

func (f *function) vector(op int) {
	f.op(vectorPrefix)
	f.number(op)
}

// memory is an access to memory beyond an address, of alignment 1<<align.
func (f *function) memory(align, offset int) {
	f.number(align)
	f.number(offset)
}

// load loads the vector that many bytes beyond the address in a local.
func (f *function) load(address, offset int) {
	f.get(address)
	f.vector(opLoad)
	f.memory(1, offset)
}

// store stores a vector; the address has to be below it.
func (f *function) store(offset int) {
	f.vector(opStore)
	f.memory(1, offset)
}

// index makes the local to base plus the uint16 at the address times 1<<shift.
func (f *function) index(to, base, address, offset, shift int) {
	f.get(base)
	f.get(address)
	f.op(opLoad16)
	f.memory(1, offset)
	f.integer(shift)
	f.op(opShiftLeft)
	f.op(opAdd)
	f.set(to)
}

// splat16 makes all eight numbers of a vector n.
func (f *function) splat16(n int) {
	f.integer(n)
	f.vector(opSplat16)
}

// move adds n to a local.
func (f *function) move(local, n int) {
	f.get(local)
	f.integer(n)
	f.op(opAdd)
	f.set(local)
}

// repeat runs body as often as the local says, which counts down by step.
func (f *function) repeat(count, step int, body func()) {
	f.op(opBlock)
	f.op(typeNoResults)
	f.get(count)
	f.op(opIsZero)
	f.op(opBranchIf)
	f.number(0)
	f.op(opLoop)
	f.op(typeNoResults)
	body()
	f.get(count)
	f.integer(step)
	f.op(opSub)
	f.tee(count)
	f.op(opBranchIf)
	f.number(0)
	f.op(opEnd)
	f.op(opEnd)
}

// sum32 leaves the sum of the four numbers in a local.
func (f *function) sum32(vector int) {
	for lane := range 4 {
		f.get(vector)
		f.vector(opLane32)
		f.op(byte(lane))
		if lane > 0 {
			f.op(opAdd)
		}
	}
}

const (
	vectorBytes = 16
	rowBytes    = Pair * 2
	rowShift    = 7
)

const _ = -uint(rowBytes - 1<<rowShift) // rowBytes is 1 << rowShift

// wasmAdd is add for (cells, sums, rows, versions, dst, count); the latter three from first on.
func wasmAdd(f *function) {
	const cells, sums, rows, versions, dst, count, before, sum, row0, x = 0, 1, 2, 3, 4, 5, 6, 7, 8, 14
	const cellRows = 6 // four of lines and, right behind them, two of codes
	var v version
	f.repeat(count, 1, func() {
		for k := range cellRows {
			f.index(row0+k, rows, versions, int(unsafe.Offsetof(v.lines))+2*k, rowShift)
		}
		f.index(before, cells, versions, int(unsafe.Offsetof(v.before)), rowShift)
		f.index(sum, sums, versions, int(unsafe.Offsetof(v.sum)), rowShift)
		for at := 0; at < rowBytes; at += vectorBytes {
			f.get(dst)
			f.load(row0, at)
			for k := 1; k < cellRows; k++ {
				f.load(row0+k, at)
				f.vector(opAdd16)
			}
			f.splat16(0)
			f.vector(opMost16)
			f.splat16(CellMax)
			f.vector(opLeast16)
			f.tee(x)
			f.store(at)
			f.get(sum)
			f.load(sum, at)
			f.get(x)
			f.vector(opAdd16)
			f.load(before, at)
			f.vector(opSub16)
			f.store(at)
		}
		f.move(versions, int(unsafe.Sizeof(v)+7)/8*8) // where words of 64 bits are aligned
		f.move(dst, rowBytes)
	})
}

// wasmPool is pool for (dst, sums, regions).
func wasmPool(f *function) {
	const dst, sums, regions, region0 = 0, 1, 2, 3
	for r := range Regions {
		f.index(region0+r, sums, regions, 2*r, rowShift)
	}
	for at := 0; at < rowBytes; at += vectorBytes {
		f.get(dst)
		for r := range Regions {
			f.load(region0+r, at)
			f.integer(PoolShift)
			f.vector(opShift16)
			if r > 0 {
				f.vector(opAdd16)
			}
		}
		f.store(at)
	}
}

const (
	blocks    = outputs / 4           // vectors of the sums of a layer's outputs
	pairBytes = outputs * 2 * 2       // weights of two inputs for all outputs
	halfBytes = Width / 2 * pairBytes // a half32
	inBytes   = Width * 2             // inputs of a half32
)

// bias makes the locals from sum on the biases from the address on.
func (f *function) bias(sum, address, offset int) {
	for k := range blocks {
		f.load(address, offset+k*vectorBytes)
		f.set(sum + k)
	}
}

// dots adds to the locals from sum on the products of two inputs, which push leaves in all lanes,
// with the weights from the address on.
func (f *function) dots(sum, weights, offset, inputs int, push func()) {
	push()
	f.set(inputs)
	for k := range blocks {
		f.get(sum + k)
		f.get(inputs)
		f.load(weights, offset+k*vectorBytes)
		f.vector(opDot)
		f.vector(opAdd32)
		f.set(sum + k)
	}
}

// halves adds to the locals from sum on the products of the inputs x and y with two half32.
func (f *function) halves(sum, weights, offset, x, y, inputs int) {
	for i, input := range []int{x, y} {
		for at := 0; at < inBytes; at += 4 {
			f.dots(sum, weights, offset+i*halfBytes+at/4*pairBytes, inputs, func() {
				f.get(input)
				f.vector(opLoadSplat32)
				f.memory(1, at)
			})
		}
	}
}

// wasmLayer is layer for (dst, count, w, bias, x, y, shift, low, high).
func wasmLayer(f *function) {
	const dst, count, w, bias, x, y, shift, low, high, sum, inputs = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13
	f.repeat(count, outputs, func() {
		f.bias(sum, bias, 0)
		f.halves(sum, w, 0, x, y, inputs)
		for k := 0; k < blocks; k += 2 {
			f.get(dst)
			for i := range 2 {
				f.get(sum + k + i)
				f.get(shift)
				f.vector(opShift32)
			}
			f.vector(opNarrow)
			f.get(low)
			f.vector(opSplat16)
			f.vector(opMost16)
			f.get(high)
			f.vector(opSplat16)
			f.vector(opLeast16)
			f.store(k / 2 * vectorBytes)
		}
		f.move(dst, outputs*2)
		f.move(bias, outputs*4)
		f.move(w, 2*halfBytes)
	})
}

// wasmValue is value for (global, globalBias, globalShift, merge, mergeBias, mergeShift, out, x, y,
// hidden, regions, mask).
func wasmValue(f *function) {
	const global, globalBias, globalShift, merge, mergeBias, mergeShift, out, x, y, hidden, regions, mask = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	const (
		region0 = 12
		merged  = region0 + Regions
		first   = merged + 2*RegionTypes
		second  = first + blocks
		inputs  = second + blocks
		total   = inputs + 1
	)
	for r := range Regions {
		f.index(region0+r, hidden, regions, 2*r, 5)
	}
	for n := range 2 * RegionTypes {
		f.splat16(0)
		for r, of := range RegionType {
			if int(of) == n/2 {
				f.load(region0+r, n%2*vectorBytes)
				f.vector(opAdd16)
			}
		}
		f.set(merged + n)
	}
	for block := range Hidden / outputs {
		f.bias(first, globalBias, block*outputs*4)
		f.halves(first, global, block*2*halfBytes, x, y, inputs)
		f.bias(second, mergeBias, block*outputs*4)
		const pairs = RegionTypes * RegionHidden / 2
		for i := range pairs {
			f.dots(second, merge, (block*pairs+i)*pairBytes, inputs, func() {
				f.get(merged + i/4)
				f.get(merged + i/4)
				f.vector(opShuffle)
				for b := range vectorBytes {
					f.op(byte(i%4*4 + b%4))
				}
			})
		}
		for k := range blocks {
			f.get(first + k)
			f.get(globalShift)
			f.vector(opShift32)
			f.get(second + k)
			f.get(mergeShift)
			f.vector(opShift32)
			f.vector(opAdd32)
			f.load(mask, block*outputs*2+k/2*vectorBytes)
			f.vector([]int{opWidenLow, opWidenHigh}[k%2])
			f.vector(opAdd32)
			f.set(first + k)
		}
		for k := 0; k < blocks; k += 2 {
			f.get(first + k)
			f.get(first + k + 1)
			f.vector(opNarrow)
			f.splat16(0)
			f.vector(opMost16)
			f.splat16(HiddenMax)
			f.vector(opLeast16)
			f.load(out, block*outputs*2+k/2*vectorBytes)
			f.vector(opDot)
			f.get(total)
			f.vector(opAdd32)
			f.set(total)
		}
	}
	f.sum32(total)
}

// wasmProducts is products for (dst, cells, versions, count, gate).
func wasmProducts(f *function) {
	const dst, cells, versions, count, gate, cell, sum, gate0 = 0, 1, 2, 3, 4, 5, 6, 7
	for k := range Pair / 8 {
		f.load(gate, k*vectorBytes)
		f.set(gate0 + k)
	}
	f.repeat(count, 1, func() {
		f.index(cell, cells, versions, 0, rowShift)
		for k := range Pair / 8 {
			f.load(cell, k*vectorBytes)
			f.get(gate0 + k)
			f.vector(opDot)
			if k > 0 {
				f.vector(opAdd32)
			}
		}
		f.set(sum)
		f.get(dst)
		f.sum32(sum)
		f.op(opStore32)
		f.memory(2, 0)
		f.move(dst, 4)
		f.move(versions, 2)
	})
}
