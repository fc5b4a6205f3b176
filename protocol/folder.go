package protocol

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"tengen/brain"
)

// ownFile returns the path of a file of the engine in the folder of INFO folder. All engines of a
// manager, and other programs, may share that: each has a folder with its name there.
func ownFile(folder, name string) string { return filepath.Join(folder, brain.Name, name) }

// makeRoom makes the folder of an ownFile that is to be written. It does not make the folder that
// the manager has named.
func makeRoom(path string) error {
	dir := filepath.Dir(path)
	if filepath.Base(dir) != brain.Name {
		return nil
	}
	if err := os.Mkdir(dir, 0o777); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
