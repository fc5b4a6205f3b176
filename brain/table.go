package brain

import (
	"context"
	"io"

	"tengen/brain/hashtable"
	"tengen/brain/search"
)

// KeepTable says whether the hash table lasts over games. Otherwise a game does not depend on
// earlier games. It may be called during a search.
func (e *Engine) KeepTable(keep bool) { e.keepTable.Store(keep) }

// TableUsage returns how many entries the hash table holds and has room for.
func (e *Engine) TableUsage() (used, room int64) {
	e.resize(e.Options())
	return e.search.Pool.Usage()
}

// tableTag tells hash tables apart that must not be mixed, since they are of another evaluation or
// search: a small search of the empty board differs for these.
func (e *Engine) tableTag() (uint64, error) {
	o := e.Options()
	if err := e.ready(o.Rule); err != nil {
		return 0, err
	}
	e.resize(o)
	b := e.board.Clone()
	b.Reset()
	return search.Signature(e.config.Evaluation.New, search.DefaultParams(), 0, b), nil
}

// DumpTable returns what writes the hash table to w until ctx ends and returns the number of its
// entries, also while the engine is used, and what has to be called in the end: see hashtable.Dump.
func (e *Engine) DumpTable() (write func(ctx context.Context, w io.Writer) (entries int64, err error), release func(), err error) {
	tag, err := e.tableTag()
	if err != nil {
		return nil, nil, err
	}
	d := e.search.Pool.DumpTable(tag)
	return d.Write, d.Close, nil
}

// LoadTable replaces the hash table by what DumpTable wrote under the same rule, size and
// evaluation, until ctx ends. After an error the table is as before, or empty if what r has is damaged
// or not read to its end.
func (e *Engine) LoadTable(ctx context.Context, r io.Reader) (entries int64, err error) {
	tag, err := e.tableTag()
	if err != nil {
		return 0, err
	}
	return e.search.Pool.ReadTable(ctx, r, tag)
}

// IsTable reports whether head is the beginning of a hash table that DumpTable wrote.
func IsTable(head []byte) bool { return hashtable.IsTable(head) }

// Forget clears the hash table.
func (e *Engine) Forget() {
	if e.search.Pool != nil {
		e.search.Pool.Clear()
	}
	if e.rows != nil {
		e.rows.Clear()
	}
}
