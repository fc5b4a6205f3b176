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

// A place is where a knowledge is kept: a file in the storage of the browser, or memory alone if
// it is empty. The stamp is that of the content that is known: other tabs write the file too.
type place struct {
	file  string
	stamp int
}

// open reads the database of that name and keeps it there from now on. After an error it is kept in
// memory alone, and the file stays as it is.
func (k *knowledge) open(name string) error {
	err := k.takeOver(name)
	if err == nil {
		k.file = name
	}
	return err
}

// takeOver adds what the file holds.
func (k *knowledge) takeOver(name string) error {
	entry, err := await(js.Global().Call("readKept", name))
	if err != nil || entry.IsUndefined() {
		return err
	}
	d, err := database.Read(bytes.NewReader(bytesOf(entry.Get("data"))))
	if err != nil {
		return err
	}
	k.Merge(d)
	k.stamp = entry.Get("stamp").Int()
	return nil
}

// errOther says that another tab has written the file.
var errOther = errors.New("another page has changed the positions")

// keep writes the database to its file, with what other tabs have added to that.
func (k *knowledge) keep() error {
	if k.file == "" {
		return nil
	}
	for {
		err := k.SaveTo(func(raw []byte) error {
			stamp, err := await(js.Global().Call("writeKept", k.file, newBytes(raw), k.stamp))
			if err == nil && stamp.IsUndefined() {
				err = errOther
			}
			if err == nil {
				k.stamp = stamp.Int()
			}
			return err
		})
		if !errors.Is(err, errOther) {
			return err
		}
		if err := k.takeOver(k.file); err != nil {
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
func (k *knowledge) keepSaving(ctx context.Context) {
	for wait := saveSoon; ; {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		start := time.Now()
		k.save() // what fails now is tried again, and the explorer says so
		wait = max(saveSoon, saveShare*time.Since(start))
	}
}
