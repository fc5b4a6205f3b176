//go:build !js

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"tengen/brain/database"
)

const dataFile = "positions.db"

// A storage is where an explorer keeps its database: a file, or memory alone if it is empty.
type storage struct{ file string }

// open opens the database in a folder, which is made if it is not there, and keeps it there from
// now on. A large one of another program is left to fill. After an error it is kept in memory alone,
// and the file stays as it is.
func (e *explorer) open(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	file := filepath.Join(folder, dataFile)
	d, whole, err := database.Open(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if !whole {
		e.reading.Store(&database.Input{Name: file})
	}
	e.Database, e.file = d, file
	return nil
}

// write writes the database to its file.
func (e *explorer) write() error {
	return e.Save(e.file)
}
