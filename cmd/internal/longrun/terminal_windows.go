package longrun

import (
	"os"
	"syscall"
	"unsafe"
)

var consoleInfo = syscall.NewLazyDLL("kernel32.dll").NewProc("GetConsoleScreenBufferInfo")

// Columns returns how wide the console window of f is, 0 if it has none.
func Columns(f *os.File) int {
	var info struct {
		size, cursor             [2]int16
		attributes               uint16
		left, top, right, bottom int16
		largest                  [2]int16
	}
	if ok, _, _ := consoleInfo.Call(f.Fd(), uintptr(unsafe.Pointer(&info))); ok == 0 {
		return 0
	}
	return int(info.right-info.left) + 1
}
