// Package atomicfile writes files that hold either their old or their new content at any
// time, even if the process is killed or the machine stops, and opens files that a manager names.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Suffix ends the name of the file that is written beside another. If other programs write the same
// file there is a number before it. A killed process may leave such a file behind; the first write an
// hour later removes it, so no other file may end in Suffix.
const Suffix = ".tengen-part"

const (
	abandoned  = time.Hour // without a change of a file that is written beside another
	mostAtOnce = 100       // programs that write one file
)

// A File is new content of a file. It becomes visible with Commit. If several are written at once,
// the last one stays.
type File struct {
	*bufio.Writer
	name  string
	file  *os.File // nil once closed
	taken []string // names that were taken when it was created
}

// Create begins new content for the named file, which keeps its permissions. A folder is an error, and so
// is a device or a pipe: a file that took the place of /dev/null or /dev/stdout would break every program
// that uses it.
func Create(name string) (*File, error) {
	if err := regular("write", name); err != nil {
		return nil, err
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, &fs.PathError{Op: "write", Path: name, Err: errors.New("is a directory")}
	}
	if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if target, err := filepath.EvalSymlinks(name); err == nil {
			name = target // replace the target of the link, not the link
		}
	}
	var taken []string
	perm, keeps := fs.FileMode(0o666), false // before the umask
	if info, err := os.Stat(name); err == nil && runtime.GOOS != "windows" {
		perm, keeps = info.Mode().Perm(), true
	}
	beside := name + Suffix
	for {
		f, err := os.OpenFile(beside, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if err == nil {
			if keeps {
				f.Chmod(perm) // some file systems have none
			}
			return &File{bufio.NewWriterSize(f, 1<<16), name, f, taken}, nil
		}
		// Another program may be writing even an old one, so none is reused.
		if taken = append(taken, beside); !errors.Is(err, fs.ErrExist) || len(taken) == mostAtOnce {
			return nil, err
		}
		beside = fmt.Sprintf("%s.%d%s", name, len(taken)+1, Suffix)
	}
}

// Open opens the named file to read it. A device or a pipe is an error: opening a pipe would wait
// until another program writes there, and a manager that names one would wait as long.
func Open(name string) (*os.File, error) {
	if err := regular("open", name); err != nil {
		return nil, err
	}
	return os.Open(name)
}

// regular returns an error of op if the named file is a device or a pipe.
func regular(op, name string) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return &fs.PathError{Op: op, Path: name, Err: errors.New("not a regular file")}
	}
	return nil
}

// headBytes is how much of a file Replaceable shows.
const headBytes = 512

// Replaceable reports whether the named file may be replaced: it does not exist, is empty, or like
// accepts its first bytes, at most 512. A device or a pipe is replaceable, so that writing it gives
// the error.
func Replaceable(name string, like func(head []byte) bool) (bool, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, headBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, err
	}
	return n == 0 || like(head[:n]), nil
}

// Beside returns the name of the file that is written until Commit.
func (f *File) Beside() string { return f.file.Name() }

// Commit syncs the new content and replaces the old file by it. After an error the old file
// is unchanged. That the new name is on disk is only tried: not every system can.
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
		err = rename(f.file.Name(), f.name)
	}
	if err != nil {
		return err
	}
	f.file = nil
	syncDirectory(filepath.Dir(f.name))
	for _, name := range f.taken {
		if info, err := os.Lstat(name); err == nil && time.Since(info.ModTime()) >= abandoned {
			os.Remove(name) // else a later write tries again
		}
	}
	return nil
}

// rename gives a file the name of another one. Windows refuses it while a program reads that: it is
// tried again for up to 2 s there.
func rename(from, to string) error {
	const pause, most = 5 * time.Millisecond, 2 * time.Second
	for end := time.Now().Add(most); ; time.Sleep(pause) {
		err := os.Rename(from, to)
		if err == nil || runtime.GOOS != "windows" || time.Now().After(end) {
			return err
		}
	}
}

// Close discards the new content. After Commit it does nothing.
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
	return WriteTo(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteTo replaces the content of the named file, or creates it. write writes the new content to w,
// which is buffered. After an error, also one of write, the old file is unchanged.
func WriteTo(name string, write func(w io.Writer) error) error {
	f, err := Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := write(f); err != nil {
		return err
	}
	return f.Commit()
}

// syncDirectory puts a new name on disk. Windows cannot sync directories and need not.
func syncDirectory(name string) {
	if runtime.GOOS == "windows" {
		return
	}
	if d, err := os.Open(name); err == nil {
		d.Sync()
		d.Close()
	}
}
