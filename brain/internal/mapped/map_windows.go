package mapped

import (
	"syscall"
	"unsafe"
)

// system says that there is memory outside the heap.
const system = true

// Of VirtualAlloc and VirtualFree.
const (
	memCommit     = 0x1000
	memReserve    = 0x2000
	memDecommit   = 0x4000
	memRelease    = 0x8000
	pageReadWrite = 0x04
)

var (
	kernel       = syscall.NewLazyDLL("kernel32.dll")
	virtualAlloc = kernel.NewProc("VirtualAlloc")
	virtualFree  = kernel.NewProc("VirtualFree")
)

// get returns memory of the system, or nil.
func get(bytes int) []byte {
	address, _, _ := virtualAlloc.Call(0, uintptr(bytes), memReserve|memCommit, pageReadWrite)
	if address == 0 {
		return nil
	}
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), bytes)
}

// drop has the system take back the pages of a piece, which is not used after it.
func drop(piece []byte) {
	virtualFree.Call(uintptr(unsafe.Pointer(unsafe.SliceData(piece))), uintptr(len(piece)), memDecommit)
}

// put gives what get has returned back.
func put(raw []byte) {
	virtualFree.Call(uintptr(unsafe.Pointer(unsafe.SliceData(raw))), 0, memRelease)
}

func advise([]byte) {}
