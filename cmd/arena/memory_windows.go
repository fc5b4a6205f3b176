package main

import (
	"syscall"
	"unsafe"
)

var getProcessMemoryInfo = syscall.NewLazyDLL("psapi.dll").NewProc("GetProcessMemoryInfo")

// A processMemory is PROCESS_MEMORY_COUNTERS_EX of Windows.
type processMemory struct {
	size, pageFaults                                         uint32
	peakWorkingSet, workingSet                               uintptr
	peakPagedPool, pagedPool, peakNonPagedPool, nonPagedPool uintptr
	pagefile, peakPagefile, private                          uintptr
}

// memoryOf returns the bytes of memory of the process pid that it does not share with others. Windows has
// no marks of processes, so those that it has started are left out.
func memoryOf(mark string, pid int) (used int64, ok bool) {
	const queryInformation, readMemory = 0x400, 0x10
	h, err := syscall.OpenProcess(queryInformation|readMemory, false, uint32(pid))
	if err != nil {
		return 0, false
	}
	defer syscall.CloseHandle(h)
	var m processMemory
	m.size = uint32(unsafe.Sizeof(m))
	got, _, _ := getProcessMemoryInfo.Call(uintptr(h), uintptr(unsafe.Pointer(&m)), uintptr(m.size))
	return int64(m.private), got != 0
}
