//go:build unix && !solaris && !aix

package longrun

import (
	"os"
	"syscall"
	"unsafe"
)

// Columns returns how wide the terminal f is, 0 if it does not say.
func Columns(f *os.File) int {
	var size struct{ rows, columns, width, height uint16 }
	_, _, err := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), uintptr(syscall.TIOCGWINSZ), uintptr(unsafe.Pointer(&size)))
	if err != 0 {
		return 0
	}
	return int(size.columns)
}
