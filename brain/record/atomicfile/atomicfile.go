// Package atomicfile writes files that hold either their old or their new content at any
// time, even if the process is killed or the machine stops. It is not internal because the
// programs under cmd use it too.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Suffix ends the name of the file that is written beside another: that name and Suffix, or with
// a number between them while other programs write the same file. A killed process may leave
// such a file behind; a write after an hour replaces it.
const Suffix = ".part"

const (
	abandoned  = time.Hour // without a change of a file that is written beside another
	mostAtOnce = 100       // programs that write one file
)

// A File is new content of a file. It becomes visible with Commit; of several that are written at
// once the last one stays.
type File struct {
	*bufio.Writer
	name string
	file *os.File // nil once closed
}

// Create begins new content for the named file.
func Create(name string) (*File, error) {
	f, err := create(name + Suffix)
	for n := 2; errors.Is(err, fs.ErrExist) && n <= mostAtOnce; n++ {
		f, err = create(fmt.Sprintf("%s.%d%s", name, n, Suffix))
	}
	if err != nil {
		return nil, err
	}
	return &File{bufio.NewWriterSize(f, 1<<16), name, f}, nil
}

// create creates a file that is not there, or was abandoned.
func create(name string) (*os.File, error) {
	if info, err := os.Lstat(name); err == nil && time.Since(info.ModTime()) >= abandoned {
		os.Remove(name) // if that fails the file is there
	}
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

// Beside returns the name of the file that is written until Commit.
func (f *File) Beside() string { return f.file.Name() }

// Commit syncs what was written and replaces the old file by it. After an error the old file
// is unchanged.
func (f *File) Commit() error {
	defer f.Close()
	err := f.Flush()
	if err == nil {
		err = f.file.Sync()
	}
	if e := f.file.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.file.Name(), f.name)
	}
	if err != nil {
		return err
	}
	f.file = nil
	return syncDirectory(filepath.Dir(f.name))
}

// Close discards what was written. After Commit it does nothing.
func (f *File) Close() error {
	if f.file == nil {
		return nil
	}
	name := f.file.Name()
	f.file.Close() // errors do not matter: it is discarded
	f.file = nil
	return os.Remove(name)
}

// Write replaces the content of the named file, or creates it.
func Write(name string, data []byte) error {
	f, err := Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Commit()
}

// syncDirectory puts a new name on disk. Windows cannot sync directories and need not.
func syncDirectory(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
