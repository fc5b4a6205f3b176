package database

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// lockSuffix ends the name of the file that a program locks while it writes a database. It lies
// beside the database and is removed with the lock, unless the program is killed.
const lockSuffix = ".tengen-lock"

// Times of waiting for a lock, which is held as long as reading and writing the file takes.
const (
	lockPause     = time.Millisecond // between two tries
	lockWait      = 10 * time.Second // until it is an error
	lockAbandoned = 5 * time.Second  // of a lock that is only a file, until another program takes it away
)

// errHeld says that another program has the lock.
var errHeld = errors.New("another program is writing it")

// lock waits until no other program and no other Database writes the file of that name, and keeps
// them from it until unlock is called. The lock of a program that dies is free.
func lock(name string) (unlock func(), err error) {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target // where the file lies, whatever link leads there
	}
	for end := time.Now().Add(lockWait); ; time.Sleep(lockPause) {
		unlock, err = tryLock(name + lockSuffix)
		if !errors.Is(err, errHeld) {
			return unlock, err
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("%s: %w, and has been for %v", name, errHeld, lockWait)
		}
	}
}

// tryPlainLock is tryLock for systems and file systems without locks: the file is there while the
// lock is held. One that is older than a save takes was left by a program that died.
func tryPlainLock(name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		f.Close()
		return func() { os.Remove(name) }, nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > lockAbandoned {
		os.Remove(name)
	}
	return nil, errHeld
}
