package main

import (
	"bytes"
	"context"
	"errors"
	"syscall/js"
	"time"

	"tengen/brain/database"
)

// dataName is the name of the database among the files that the browser keeps for the page.
const dataName = "positions.db"

// A storage is where an explorer keeps its database: a file in the storage of the browser, or memory alone if
// it is empty. The stamp is that of the content that is known: other tabs write the file too.
type storage struct {
	file  string
	stamp int
}

// open reads the database of that name and keeps it there from now on. After an error it is kept in
// memory alone, and the file stays as it is.
func (e *explorer) open(name string) error {
	err := e.mergeFile(name)
	if err == nil {
		e.file = name
	}
	return err
}

// mergeFile adds what the file holds. The browser may have none any more: people clear it.
func (e *explorer) mergeFile(name string) error {
	entry, err := await(js.Global().Call("readKept", name))
	if err != nil {
		return err
	}
	if entry.IsUndefined() {
		e.stamp = 0
		return nil
	}
	d, err := database.Read(bytes.NewReader(bytesOf(entry.Get("data"))))
	if err != nil {
		return err
	}
	e.Merge(d)
	e.stamp = entry.Get("stamp").Int()
	return nil
}

// errOther says that another tab has written the file.
var errOther = errors.New("another page has changed the positions")

// write writes the database to its file, with what other tabs have added to that.
func (e *explorer) write() error {
	for {
		err := e.SaveTo(func(raw []byte) error {
			stamp, err := await(js.Global().Call("writeKept", e.file, newBytes(raw), e.stamp))
			if err == nil && stamp.IsUndefined() {
				err = errOther
			}
			if err == nil {
				e.stamp = stamp.Int()
			}
			return err
		})
		if !errors.Is(err, errOther) {
			return err
		}
		if err := e.mergeFile(e.file); err != nil {
			return err
		}
	}
}

// Saving in a browser, which ends a page without a word.
const (
	saveSoon  = 2 * time.Second // after the last save
	saveShare = 20              // times the duration of the last save, at least
)

// keepSaving saves the database whenever it has changed, until ctx ends.
func (e *explorer) keepSaving(ctx context.Context) {
	for wait := saveSoon; ; {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		start := time.Now()
		e.save() // what fails now is tried again, and the explorer says so
		wait = max(saveSoon, saveShare*time.Since(start))
	}
}
