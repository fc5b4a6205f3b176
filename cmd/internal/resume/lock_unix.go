//go:build unix && !solaris && !aix

package resume

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file until it is closed, or fails at once if another process has locked it. On
// file systems without locks, which some clusters have, it does nothing.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return nil
}
