package brain

import (
	"fmt"
	"io"

	"tengen/brain/atomicfile"
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
	return search.Signature(e.evaluator(e.byTables), search.DefaultParams(), 0, b), nil
}

// DumpTable writes the hash table to the file at path, which is replaced only when all of it
// is written. It returns the number of entries.
func (e *Engine) DumpTable(path string) (entries int64, err error) {
	tag, err := e.tableTag()
	if err != nil {
		return 0, err
	}
	switch ok, err := atomicfile.Replaceable(path, search.IsTable); {
	case err != nil:
		return 0, err
	case !ok:
		return 0, fmt.Errorf("%s is there already and is not a hash table", path)
	}
	used, _ := e.search.Pool.Usage()
	if err := atomicfile.WriteTo(path, func(w io.Writer) error { return e.search.Pool.WriteTable(w, tag) }); err != nil {
		return 0, err
	}
	return used, nil
}

// LoadTable replaces the hash table by what DumpTable wrote under the same rule, size and
// evaluation. After an error the table is as before, or empty if the file is damaged.
func (e *Engine) LoadTable(path string) (entries int64, err error) {
	tag, err := e.tableTag()
	if err != nil {
		return 0, err
	}
	f, err := atomicfile.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	entries, err = e.search.Pool.ReadTable(f, tag)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return entries, nil
}

// Forget clears the hash table.
func (e *Engine) Forget() {
	if e.search.Pool != nil {
		e.search.Pool.Clear()
	}
	if e.rows != nil {
		e.rows.Clear()
	}
}
