//go:build !js

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"tengen/brain/database"
)

const dataFile = "positions.db"

// A place is where a knowledge is kept: a file, or memory alone if it is empty.
type place struct{ file string }

// open opens the database in a folder, which is made if it is not there, and keeps it there from
// now on. A large one of another program is left to fill. After an error it is kept in memory alone,
// and the file stays as it is.
func (k *knowledge) open(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	file := filepath.Join(folder, dataFile)
	d, whole, err := database.Open(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if !whole {
		k.reading.Store(&database.Input{Name: file})
	}
	k.Database, k.file = d, file
	return nil
}

// keep writes the database to its file, if it has one.
func (k *knowledge) keep() error {
	if k.file == "" {
		return nil
	}
	return k.Save(k.file)
}
