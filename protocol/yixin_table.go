package protocol

import (
	"fmt"
	"io"

	"tengen/brain"
	"tengen/brain/atomicfile"
)

// dumpTable writes the hash table to the file at path, which is replaced only when all of it is
// written, and only if it is a hash table.
func dumpTable(e DialectEngine, path string) (entries int64, err error) {
	ok, err := atomicfile.Replaceable(path, brain.IsTable)
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, fmt.Errorf("%s is there already and is not a hash table", path)
	}
	err = atomicfile.WriteTo(path, func(w io.Writer) (err error) {
		entries, err = e.DumpTable(w)
		return err
	})
	return entries, err
}

// loadTable replaces the hash table by that of the file at path.
func loadTable(e DialectEngine, path string) (entries int64, err error) {
	f, err := atomicfile.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if entries, err = e.LoadTable(f); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return entries, err
}
