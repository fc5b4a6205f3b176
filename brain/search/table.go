package search

import (
	"cmp"
	"context"
	"io"
	"time"

	"tengen/brain/board"
	"tengen/brain/hashtable"
)

// probe returns what the table knows of the position at ply, with the value as seen from the root. The
// entry of an unknown position has no bound and no static value.
func (w *worker) probe(key uint64, ply int) (e hashtable.Entry, hit bool) {
	e, hit = w.table.Probe(key)
	if !hit || e.Move != board.None && w.b.Cell(e.Move) != board.Empty { // another position with the same key
		return hashtable.Entry{Static: noValue}, false
	}
	e.Value = e.Value.Nearer(-ply)
	return e, true
}

// beginTable makes the table ready for a search with the limits l.
func (p *Pool) beginTable(l *Limits, start time.Time) {
	limit := cmp.Or(l.Hard, l.Next)
	wait := limit / waitPart
	p.table.Begin(limit, l.Nodes, func() bool { return p.stop.Load() || wait > 0 && p.now().Sub(start) > wait })
}

// Usage returns how many entries the hash table holds and how many it has room for. Not
// during a search. About 1 ms for 10 MB in use.
func (p *Pool) Usage() (used, room int64) {
	return p.table.Usage()
}

// DumpTable returns the hash table to be written to a file, also while the pool searches. tag says what
// its entries depend on besides the position. Not during a search.
func (p *Pool) DumpTable(tag uint64) *hashtable.Dump {
	return p.table.Dump(tag)
}

// ReadTable replaces the hash table by what DumpTable has given with the same tag, until ctx ends, and
// returns the number of entries of the file, of which it keeps the deeper ones if it is too small. After an
// error in the header it is as before, after a later one it is empty. Not during a search.
func (p *Pool) ReadTable(ctx context.Context, r io.Reader, tag uint64) (entries int64, err error) {
	in, err := hashtable.NewReader(r, tag)
	if err != nil {
		return 0, err
	}
	p.Clear()
	return p.table.Read(ctx, in)
}
