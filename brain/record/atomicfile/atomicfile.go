// Package atomicfile writes files that hold either their old content or their new
// content at any moment, also when the process is killed or the machine stops.
package atomicfile

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// Suffix is appended to the name of a file for the one that is written beside it. A
// killed process may leave that one behind; the next write of the file replaces it.
const Suffix = ".part"

// A File is new content of a file. It becomes visible with Commit.
type File struct {
	*bufio.Writer
	name string
	file *os.File // nil once closed
}

// Create begins new content for the file of that name.
func Create(name string) (*File, error) {
	f, err := os.Create(name + Suffix)
	if err != nil {
		return nil, err
	}
	return &File{bufio.NewWriterSize(f, 1<<16), name, f}, nil
}

// Commit puts what was written on disk and then in the place of the old file. After an
// error the old file is untouched.
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
	return syncFolder(filepath.Dir(f.name))
}

// Close drops what was written unless it was committed; then it does nothing.
func (f *File) Close() error {
	if f.file == nil {
		return nil
	}
	name := f.file.Name()
	f.file.Close() // what is dropped need not be whole
	f.file = nil
	return os.Remove(name)
}

// Write replaces the content of the file of that name, or makes it.
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

// syncFolder puts a new name on disk. Windows cannot sync a folder and does not need to.
func syncFolder(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
