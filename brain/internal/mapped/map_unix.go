//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package mapped

import "syscall"

// system says that there is memory outside the heap.
const system = true

// get returns memory of the system, or nil.
func get(bytes int) []byte {
	raw, err := syscall.Mmap(-1, 0, bytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	return raw
}

// put gives what get has returned back.
func put(raw []byte) { syscall.Munmap(raw) }
