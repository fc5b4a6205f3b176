package brain

import (
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

// DumpTable writes the hash table and returns the number of its entries.
func (e *Engine) DumpTable(w io.Writer) (entries int64, err error) {
	tag, err := e.tableTag()
	if err != nil {
		return 0, err
	}
	used, _ := e.search.Pool.Usage()
	return used, e.search.Pool.WriteTable(w, tag)
}

// LoadTable replaces the hash table by what DumpTable wrote under the same rule, size and
// evaluation. After an error the table is as before, or empty if what r has is damaged.
func (e *Engine) LoadTable(r io.Reader) (entries int64, err error) {
	tag, err := e.tableTag()
	if err != nil {
		return 0, err
	}
	return e.search.Pool.ReadTable(r, tag)
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
