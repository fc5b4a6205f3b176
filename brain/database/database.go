// Package database keeps what is known of positions: results, values, comments and texts on
// cells, the same for all rotations and reflections. Its files are those of Yixin and Rapfi.
package database

import (
	"strconv"
	"sync"
	"sync/atomic"

	"tengen/brain/board"
)

// A Database holds records of positions. Its methods may be called from many goroutines. While it is
// written to a file it can be read, and Found does not wait.
type Database struct {
	mu      sync.RWMutex
	records map[Key]Record
	changed map[Key]struct{} // and removed, since the last Save or Load
	edits   int              // changes and removals

	stored *storedFile // the file that the records are in that are not changed, nil if all are in memory
	more   int         // records than in stored

	gathered atomic.Int64 // bytes of memory of what is being read from a file

	writing late // what Found has to leave until a file is written

	saving sync.Mutex // held by Save, before the others
	file   string     // the last that was loaded or saved, "" for none; only Save changes it
	stamp  stamp      // of its content then
}

// A late is what Found has noted while the database was written to files, which takes long.
type late struct {
	mu    sync.Mutex // before that of the database
	files int        // that are being written
	found []known
}

// known is a record of a position.
type known struct {
	key    Key
	record Record
}

// hold has Found leave its records until the function that it returns is called.
func (d *Database) hold() (release func()) {
	d.writing.mu.Lock()
	defer d.writing.mu.Unlock()
	d.writing.files++
	return func() {
		d.writing.mu.Lock()
		defer d.writing.mu.Unlock()
		if d.writing.files--; d.writing.files > 0 || len(d.writing.found) == 0 {
			return
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		for _, f := range d.writing.found {
			d.improve(f.key, f.record)
		}
		d.writing.found = nil
	}
}

// New returns an empty database.
func New() *Database { return &Database{records: map[Key]Record{}, changed: map[Key]struct{}{}} }

// Len returns the number of records.
func (d *Database) Len() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.len()
}

func (d *Database) len() int {
	if d.stored != nil {
		return d.stored.n + d.more
	}
	return len(d.records)
}

// get returns the record of a key. The lock is held.
func (d *Database) get(key Key) (Record, bool) {
	r, ok := d.records[key]
	if ok || d.stored == nil {
		return r, ok
	}
	if _, removed := d.changed[key]; removed {
		return Record{}, false
	}
	return d.stored.get(key)
}

// record returns the record of a key, Record{} without one. The lock is held.
func (d *Database) record(key Key) Record {
	r, _ := d.get(key)
	return r
}

// recordBytes is what a record takes with its key, in a map that has room to grow: 128 where
// pointers have 64 bits, 96 where they have 32. Measured 2026-11, texts aside.
const recordBytes = 64 + strconv.IntSize

// changedBytes is what a changed record takes in addition, measured in the same way.
const changedBytes = 8 + strconv.IntSize

// Bytes returns about how much memory the records take, with those that are being read from a file.
// Texts do not count.
func (d *Database) Bytes() int64 {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return int64(len(d.records))*recordBytes + int64(len(d.changed))*changedBytes + d.gathered.Load()
}

// Changed reports whether there is something to save.
func (d *Database) Changed() bool {
	d.writing.mu.Lock()
	defer d.writing.mu.Unlock()
	d.mu.RLock()
	defer d.mu.RUnlock()
	return len(d.changed)+len(d.writing.found) > 0
}

// KeyOf returns the key of the position of b, or ErrPosition.
func KeyOf(b *board.Board) (Key, error) {
	var k keyer
	if err := k.set(b); err != nil {
		return "", err
	}
	return Key(k.key()), nil
}

// Get returns the record of a position. Positions without a key have none.
func (d *Database) Get(b *board.Board) (Record, bool) {
	key, err := KeyOf(b)
	if err != nil {
		return Record{}, false
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.get(key)
}

// put sets a record. The lock is held.
func (d *Database) put(key Key, r Record) {
	if d.stored != nil {
		if _, ok := d.get(key); !ok {
			d.more++
		}
	}
	d.records[key] = r
	d.changed[key] = struct{}{}
	d.edits++
}

// remove removes a record. The lock is held.
func (d *Database) remove(key Key) {
	if d.stored != nil {
		if _, ok := d.get(key); ok {
			d.more--
		}
	}
	delete(d.records, key)
	d.changed[key] = struct{}{}
	d.edits++
}

// A Part is a set of parts of a record.
type Part uint8

const (
	PartLabel Part = 1 << iota
	PartValue
	PartDepth // with the bound
	PartText

	Whole = PartLabel | PartValue | PartDepth | PartText
)

// Set changes parts of the record of a position; one that is new gets all of r.
func (d *Database) Set(b *board.Board, r Record, parts Part) error {
	key, err := KeyOf(b)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if old, ok := d.get(key); ok {
		if parts&PartLabel != 0 {
			old.Label = r.Label
		}
		if parts&PartValue != 0 {
			old.Value = r.Value
		}
		if parts&PartDepth != 0 {
			old.depth = r.depth
		}
		if parts&PartText != 0 {
			old.text = r.text
		}
		r = old
	}
	d.put(key, r.labeled())
	return nil
}

// Found notes what a search has found of a position, unless something better is known. Texts
// and a label that is no result stay. While the database is written to a file, it is noted after that.
func (d *Database) Found(b *board.Board, r Record) error {
	key, err := KeyOf(b)
	if err != nil {
		return err
	}
	d.writing.mu.Lock()
	defer d.writing.mu.Unlock()
	if d.writing.files > 0 {
		d.writing.found = append(d.writing.found, known{key, r})
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.improve(key, r)
	return nil
}

// improve takes what is better of r. The lock is held.
func (d *Database) improve(key Key, r Record) {
	old := d.record(key)
	if next := old.improvedBy(r); next != old {
		d.put(key, next)
	}
}

// SetComment changes the comment of a position.
func (d *Database) SetComment(b *board.Board, comment string) error {
	key, err := KeyOf(b)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	r, ok := d.get(key)
	if !ok {
		r = Record{Label: None}
	}
	d.put(key, r.WithComment(comment))
	return nil
}

// A Child is a move of which a database knows the position after it, or has a text on its
// cell.
type Child struct {
	Move   board.Move
	Record Record // with the label Null if there is only a text
	Known  bool   // the record is in the database
	Text   string // on the cell of Move
}

// Children returns the moves from a position that the database knows, row by row from the
// top. Forbidden moves are left out.
func (d *Database) Children(b *board.Board) []Child {
	var k keyer
	if k.set(b) != nil {
		return nil
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	texts := map[point]string{}
	for _, c := range d.record(Key(k.key())).cells() {
		texts[c.at] = c.text
	}
	var all []Child // every legal move
	for y := range b.Height() {
		for x := range b.Width() {
			if m := board.At(x, y); b.Legal(m) {
				all = append(all, Child{Move: m, Text: texts[k.canonical(pointOf(m))]})
			}
		}
	}
	children := all[:0]
	for _, c := range all {
		c.Record, c.Known = d.get(Key(k.after(pointOf(c.Move))))
		if c.Known || c.Text != "" {
			children = append(children, c)
		}
	}
	return children
}

// SetCellText changes the text on the empty cell m of a position; the position after the
// move, if it has a key, gets a record too.
func (d *Database) SetCellText(b *board.Board, m board.Move, text string) error {
	var k keyer
	if err := k.set(b); err != nil {
		return err
	}
	if b.Cell(m) != board.Empty {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	key := Key(k.key())
	at := k.canonical(pointOf(m))
	r, ok := d.get(key)
	if !ok {
		r = Record{Label: None}
	}
	d.put(key, r.withCell(at, text))
	if text == "" {
		return nil
	}
	if child := Key(k.after(pointOf(m))); child != "" && d.record(child) == (Record{}) {
		d.put(child, Record{Label: None})
	}
	return nil
}

// Delete removes the record of a position, and the texts on the cell of its move in the
// positions before it.
func (d *Database) Delete(b *board.Board) error {
	key, err := KeyOf(b)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.get(key); ok {
		d.remove(key)
	}
	var k keyer
	k.parents(key, func(parent []byte, at point) {
		r, ok := d.get(Key(parent))
		if ok && len(r.cells()) > 0 {
			if next := r.withCell(at, ""); next != r {
				d.put(Key(parent), next)
			}
		}
	})
	return nil
}
