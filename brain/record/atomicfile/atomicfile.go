// Package atomicfile writes files that hold either their old or their new content at any
// time, even if the process is killed or the machine stops. It is not internal because the
// programs under cmd use it too.
package atomicfile

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// Suffix is appended to the name of a file for the one that is written beside it. A killed
// process may leave that one behind; the next write replaces it.
const Suffix = ".part"

// A File is new content of a file. It becomes visible with Commit.
type File struct {
	*bufio.Writer
	name string
	file *os.File // nil once closed
}

// Create begins new content for the named file.
func Create(name string) (*File, error) {
	f, err := os.Create(name + Suffix)
	if err != nil {
		return nil, err
	}
	return &File{bufio.NewWriterSize(f, 1<<16), name, f}, nil
}

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
