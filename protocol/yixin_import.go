package protocol

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"tengen/brain/board"
	"tengen/brain/database"
	"tengen/protocol/wire"
)

// Times of reading a file into the database.
const (
	importWait = 50 * time.Millisecond // for a small file, before it goes on in the background
	importGap  = time.Second           // between two lines about how far it is
)

// importParts is the part of max_memory, 1/n, that what is read from a file may take.
const importParts = 4

// An importing is a file that is being read into the database in the background. Moves and questions
// go on meanwhile; commands that change, save or write out the database wait for its end. STOP cancels
// it while no search runs, and so does END.
type importing struct {
	input  *database.Input
	text   string // of the line about its end
	cancel context.CancelFunc
	done   chan imported
	tick   *time.Ticker
	queue  []task // what waits for it
}

type imported struct {
	n     int
	err   error
	stack string // of a panic
}

// into returns the command that calls f with the database, a file and the present position, in the
// background if it takes long. Its number goes into the text.
func into(text string, f func(ctx context.Context, d *database.Database, in *database.Input, b *board.Board) (int, error)) func(*server, task) error {
	return func(s *server, t task) error {
		b, err := s.d.Position()
		if err != nil {
			return err
		}
		if err := s.notDatabase(t.path); err != nil {
			return err
		}
		if _, err := os.Stat(t.path); err != nil {
			return err
		}
		ctx, cancel := context.WithCancel(context.Background())
		i := &importing{input: &database.Input{Name: t.path}, text: text, cancel: cancel, done: make(chan imported, 1)}
		if most := s.e.Options().MaxMemory; most > 0 {
			i.input.Most = most / importParts
		}
		d := s.database
		go func() {
			var r imported
			defer func() {
				if p := recover(); p != nil {
					text, note := panicTexts(internalFailure, p)
					r = imported{err: errors.New(text), stack: note}
				}
				i.done <- r
			}()
			r.n, r.err = f(ctx, d, i.input, b)
		}()
		i.tick = time.NewTicker(importGap)
		s.importing = i
		select {
		case r := <-i.done:
			s.imported(r)
		case <-time.After(importWait):
			s.say(wire.MessageLine("reading " + t.path + " in the background; STOP ends it"))
		}
		return nil
	}
}

// importProgress tells how far the import is.
func (s *server) importProgress() {
	s.changed = true // the database takes more of the memory
	if read, size := s.importing.input.Progress(); size > 0 && read < size {
		s.say(wire.MessageLine(fmt.Sprintf("reading %s: %d%% of %d MiB", s.importing.input.Name, 100*read/size, size>>20)))
	}
}

// imported tells how the import has ended, and executes what waits for it.
func (s *server) imported(r imported) {
	i := s.importing
	s.importing, s.changed = nil, true
	i.tick.Stop()
	i.cancel()
	switch {
	case errors.Is(r.err, context.Canceled):
		s.say(wire.MessageLine("nothing is read from " + i.input.Name + ": it was stopped"))
	case r.err != nil:
		if r.stack != "" {
			s.note(r.stack)
		}
		s.fault(r.err)
	default:
		s.say(wire.MessageLine(fmt.Sprintf(i.text, r.n)))
	}
	for _, t := range i.queue {
		s.extend(t) // one that reads a file takes those behind it in its own queue
	}
}

// awaitImport reports whether t waits for the end of an import.
func (s *server) awaitImport(t task) bool {
	if s.importing == nil {
		return false
	}
	s.importing.queue = append(s.importing.queue, t)
	return true
}

// endImport cancels the import, if there is one, and those that wait, and waits a moment for their end.
// A long import is left behind; the database has a part of it.
func (s *server) endImport() {
	for s.importing != nil {
		s.importing.cancel()
		select {
		case r := <-s.importing.done:
			s.imported(r)
		case <-time.After(dropWait):
			s.say(wire.MessageLine(s.importing.input.Name + " is not read to its end"))
			s.importing = nil
		}
	}
}
