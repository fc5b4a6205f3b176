//go:build unix && !solaris && !aix

package longrun

import (
	"errors"
	"os"
	"syscall"
)

// Lock takes the file for this process until it is closed, or fails at once. Some
// file systems of clusters have no locks; there it does nothing.
func Lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return err
	}
	return nil
}
