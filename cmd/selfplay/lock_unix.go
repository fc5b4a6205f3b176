//go:build unix && !solaris && !aix

package main

import (
	"os"
	"syscall"
)

// lockFile takes the file for this process until it is closed, or fails at once.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
