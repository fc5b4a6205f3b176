package database

import (
	"os"
	"syscall"
	"time"
)

const (
	deleteOnClose    = 0x0400_0000       // FILE_FLAG_DELETE_ON_CLOSE
	deleteAccess     = 0x0001_0000       // DELETE
	sharingViolation = syscall.Errno(32) // ERROR_SHARING_VIOLATION
)

// goneAfter is how often a file is tried that nobody may open, as while it is being removed.
const goneAfter = 20

// tryLock opens the file of that name, which it makes, for nobody but itself, or returns errHeld.
// The system removes the file when it is closed, also when the program dies.
func tryLock(name string) (unlock func(), err error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	for tries := 1; ; tries++ {
		h, err := syscall.CreateFile(path, syscall.GENERIC_WRITE|deleteAccess, 0, nil,
			syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL|deleteOnClose, 0)
		switch {
		case err == nil:
			return func() { syscall.CloseHandle(h) }, nil
		case err == sharingViolation:
			return nil, errHeld
		case err != syscall.ERROR_ACCESS_DENIED || tries == goneAfter:
			return nil, &os.PathError{Op: "lock", Path: name, Err: err}
		}
		time.Sleep(lockPause)
	}
}
