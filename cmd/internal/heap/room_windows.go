package heap

import (
	"syscall"
	"unsafe"
)

// memoryStatus is MEMORYSTATUSEX of sysinfoapi.h. Sizes are in bytes.
type memoryStatus struct {
	length, load                                  uint32
	installed, free, committable, committableFree uint64
	addressSpace, addressSpaceFree, extendedFree  uint64
}

// Room returns how many bytes of memory the system lets the process have, or 0 if that is not
// known: what the machine has, and its address space. It is for brain.Config.MostMemory, and asked
// once, at the start. The system refuses a table that is larger than its memory and its paging
// file, and the runtime then ends the process.
func Room() int64 {
	var status memoryStatus
	status.length = uint32(unsafe.Sizeof(status))
	ok, _, _ := syscall.NewLazyDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx").Call(uintptr(unsafe.Pointer(&status)))
	if ok == 0 {
		return 0
	}
	return int64(min(status.installed, status.addressSpace))
}
