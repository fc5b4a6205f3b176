package brain

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// replaceFile puts what write writes into the file at path. Until all of it is on the disk
// the old file stays.
func replaceFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		dir.Sync() // not every system can
		dir.Close()
	}
	return nil
}
