package mapped

import "unsafe"

// pageBytes is the size of a large page on amd64, and on arm64 with small pages of 4 KiB.
const pageBytes = 2 << 20

// Advise asks for large pages for those parts of s that lie on them whole: reads at random then
// seldom wait for an address to be translated. It is a wish: the system may have none, and only Linux
// is asked. The memory must not have been used so far;
// the first access to each large page then takes about 0.1 to 1 ms, in which it is cleared.
func Advise[T any](s []T) {
	if len(s) == 0 {
		return
	}
	first := unsafe.Pointer(unsafe.SliceData(s))
	skip, n := whole(uintptr(first), uintptr(len(s))*unsafe.Sizeof(s[0]))
	if n > 0 {
		advise(unsafe.Slice((*byte)(unsafe.Add(first, skip)), n))
	}
}

// whole returns where in memory of n bytes, beginning at address, the first large page begins,
// and how many bytes the large pages from there on have.
func whole(address, n uintptr) (skip, bytes uintptr) {
	skip = -address % pageBytes
	if skip >= n {
		return 0, 0
	}
	return skip, (n - skip) / pageBytes * pageBytes
}
