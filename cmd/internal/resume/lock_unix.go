//go:build unix && !solaris && !aix

package resume

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file for this process until it is closed, or fails at once if another
// process has it locked. On a file system without locks, as some clusters have, it does
// nothing.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return nil
}
