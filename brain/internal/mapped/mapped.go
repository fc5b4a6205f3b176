// Package mapped gives large tables memory straight from the system, outside the heap: it need not
// be cleared to be had, large pages back it where the system has them, and what is freed goes back in
// the background.
package mapped

import (
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// least is the size in bytes from which on memory comes from the system. Less is on the heap, which
// clears it in some microseconds. To clear 16 MiB there took up to 40 ms, where the system had to find the
// pages (2026-11).
const least = 128 << 10

// pieceBytes go back to the system at a time: it lets no thread have memory meanwhile, about 0.1 ms.
const pieceBytes = 2 << 20

// Outside reports whether memory of that size is outside the heap, where the system allows it.
func Outside(bytes int64) bool { return system && bytes >= least }

// A Memory is memory for values of a type without pointers. That of the system is freed with the
// Memory: what All returns must not be used after it.
type Memory[T any] struct {
	all     []T
	raw     []byte // of the system; nil if all is on the heap
	cleanup runtime.Cleanup
}

// Make returns memory for n values, which are zero.
func Make[T any](n int) *Memory[T] {
	var t T
	m := &Memory[T]{}
	if bytes := int64(n) * int64(unsafe.Sizeof(t)); Outside(bytes) {
		m.raw = take(int(bytes))
	}
	if m.raw == nil {
		m.all = make([]T, n)
		return m
	}
	m.all = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(m.raw))), n)
	m.cleanup = runtime.AddCleanup(m, release, m.raw)
	return m
}

// Outside reports whether the memory is outside the heap.
func (m *Memory[T]) Outside() bool { return m.raw != nil }

// All returns the memory.
func (m *Memory[T]) All() []T { return m.all }

// Free gives the memory back, in the background: 1 GB takes some tens of milliseconds. The Memory
// holds nothing then. A nil Memory holds nothing.
func (m *Memory[T]) Free() { m.FreeAfter(func() {}) }

// FreeAfter is Free for memory that is in use until wait returns, which is called in the background.
func (m *Memory[T]) FreeAfter(wait func()) {
	if m == nil {
		return
	}
	if m.raw != nil {
		m.cleanup.Stop()
		releaseAfter(m.raw, wait)
	}
	*m = Memory[T]{}
}

// going is what is going back to the system.
var going = struct {
	sync.Mutex
	n    int
	none chan struct{} // closed while n is 0
}{none: closed()}

func closed() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// Settled returns a channel that is closed when all that was freed so far is back with the system.
func Settled() <-chan struct{} {
	going.Lock()
	defer going.Unlock()
	return going.none
}

// take returns memory of the system, or nil if there is none. What is still going back counts
// where a process has a limit, so that another try is made after it.
func take(bytes int) []byte {
	raw := get(bytes)
	if raw == nil {
		<-Settled()
		raw = get(bytes)
	}
	return raw
}

// release gives memory back piece by piece.
func release(raw []byte) { releaseAfter(raw, func() {}) }

// releaseAfter does so after wait has returned.
func releaseAfter(raw []byte, wait func()) {
	going.Lock()
	if going.n++; going.n == 1 {
		going.none = make(chan struct{})
	}
	going.Unlock()
	go func() {
		wait()
		dropAll(raw, drop, time.Sleep)
		put(raw)
		going.Lock()
		if going.n--; going.n == 0 {
			close(going.none)
		}
		going.Unlock()
	}()
}

// dropAll drops raw piece by piece, and rests as long as it works: others may need the processor, and to
// have none in the middle of a piece keeps all threads waiting that want memory.
func dropAll(raw []byte, drop func(piece []byte), rest func(time.Duration)) {
	for from := 0; from < len(raw); from += pieceBytes {
		start := time.Now()
		drop(raw[from:min(from+pieceBytes, len(raw))])
		rest(time.Since(start))
	}
}
