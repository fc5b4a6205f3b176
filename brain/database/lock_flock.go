//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package database

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// tryLock locks the file of that name, which it makes, or returns errHeld.
func tryLock(name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if errors.Is(err, fs.ErrPermission) {
		f, err = os.Open(name) // left by another user's program that was killed
	}
	if err != nil {
		return nil, err
	}
	switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err {
	case nil:
	case syscall.EWOULDBLOCK, syscall.EINTR:
		f.Close()
		return nil, errHeld
	default: // a file system without locks
		os.Remove(name)
		f.Close()
		return tryPlainLock(name + "ed")
	}
	// Who had the lock before has removed the file: another program may have made a new one by now.
	own, err := f.Stat()
	if there, err2 := os.Stat(name); err != nil || err2 != nil || !os.SameFile(own, there) {
		f.Close()
		return nil, errHeld
	}
	return func() {
		os.Remove(name) // as long as it is locked
		f.Close()
	}, nil
}
