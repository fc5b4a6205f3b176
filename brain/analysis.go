package brain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"tengen/brain/board"
	"tengen/brain/record/atomicfile"
	"tengen/brain/search"
)

// A RootEvent tells how far a search is at the root.
type RootEvent = search.RootEvent

// A RootEventKind says what a RootEvent tells.
type RootEventKind = search.RootEventKind

// The kinds of a RootEvent: see package search.
const (
	IterationBegins = search.IterationBegins
	MoveBegins      = search.MoveBegins
	MoveEnds        = search.MoveEnds
	MoveIsBest      = search.MoveIsBest
	MoveLoses       = search.MoveLoses
)

// A Query asks for an analysis of the position. The zero Query asks for the best move.
type Query struct {
	Lines int             // best lines wanted; 0 means 1, AllLines one for every move considered
	Watch func(RootEvent) // nil, or called from the goroutine of the report function

	NoBook bool // search even a position of the opening book
}

// AllLines asks for a line for every move that is considered: those near the stones, by the
// option caution_factor, and in the middle.
const AllLines = 1 << 20

// ErrBlocked is returned if no move is left that may be played.
var ErrBlocked = errors.New("every move is blocked")

// blocks are the moves that the user of the manager does not want to see. They stay in force
// for later positions and games until they are taken back.
type blocks struct {
	cells []board.Move   // not played from the position that is searched
	paths [][]board.Move // of moves from the empty board; the last is not played
	by    [2]board.Set   // never played by Black, and by White
}

// Block forbids a move from the position that is searched, or allows it again.
func (e *Engine) Block(m board.Move, on bool) {
	e.blocks.cells = slices.DeleteFunc(e.blocks.cells, func(old board.Move) bool { return old == m })
	if on {
		e.blocks.cells = append(e.blocks.cells, m)
	}
}

// BlockPath forbids the last move of path from the position that the moves before it lead to,
// black first, or allows it again. A path that is not a legal game has no effect.
func (e *Engine) BlockPath(path []board.Move, on bool) {
	if len(path) == 0 {
		return
	}
	e.blocks.paths = slices.DeleteFunc(e.blocks.paths, func(old []board.Move) bool { return slices.Equal(old, path) })
	if on {
		e.blocks.paths = append(e.blocks.paths, slices.Clone(path))
	}
}

// BlockFor forbids a cell to Black or White wherever it is empty, or allows it again.
func (e *Engine) BlockFor(c board.Color, m board.Move, on bool) {
	if on {
		e.blocks.by[c&1].Add(m)
	} else {
		e.blocks.by[c&1].Remove(m)
	}
}

// Unblock takes back all that Block forbade, or all that BlockPath did.
func (e *Engine) Unblock(paths bool) {
	if paths {
		e.blocks.paths = nil
	} else {
		e.blocks.cells = nil
	}
}

// KeepTable says whether the hash table lasts over games of one rule and size. Otherwise a
// game does not depend on earlier games. It may be called during a search.
func (e *Engine) KeepTable(keep bool) { e.keepTable.Store(keep) }

// restrictions returns what the blocks and the options forbid at the position of root and after
// it, nil for nothing.
func (e *Engine) restrictions(o Options, root *board.Board) *search.Restrictions {
	r := &search.Restrictions{Root: slices.Clone(e.blocks.cells), Cells: e.blocks.by, DrawFor: o.DrawFor}
	if o.MaxMoves < e.game.width*e.game.height { // else the board is full first
		r.MaxMoves = o.MaxMoves
	}
	if len(e.blocks.paths) > 0 {
		r.Paths = map[uint64][]board.Move{}
		b := root.Clone()
		for _, path := range e.blocks.paths {
			before, last := path[:len(path)-1], path[len(path)-1]
			b.Reset()
			if b.PlayAll(before) == nil && b.Try(last.X(), last.Y()) == nil && (o.Rule&board.Continuous != 0 || contains(b, root)) {
				r.Paths[b.Hash()] = append(r.Paths[b.Hash()], last)
			}
		}
	}
	if !r.ChangeGame() {
		return nil
	}
	return r
}

// contains reports whether b has all stones and blocked cells of other, without which no game comes
// from there to b, unless its rows become blocked cells.
func contains(b, other *board.Board) bool {
	for y := range b.Height() {
		for x := range b.Width() {
			m := board.At(x, y)
			if c := other.Cell(m); c != board.Empty && c != b.Cell(m) {
				return false
			}
		}
	}
	return true
}

// below returns r for other positions than that of the game; nil if r is nil.
func below(r *search.Restrictions) *search.Restrictions {
	if r == nil {
		return nil
	}
	other := *r
	other.Root = nil
	return &other
}

// allows reports whether r leaves the move m at the root b.
func allows(b *board.Board, r *search.Restrictions, m board.Move) bool {
	return r == nil || !slices.Contains(r.Root, m) && !r.Cells[b.Side()&1].Has(m) && !slices.Contains(r.Paths[b.Hash()], m)
}

// anyAllowed reports whether r leaves a legal move at b.
func anyAllowed(b *board.Board, r *search.Restrictions) bool {
	return slices.ContainsFunc(b.Open().Append(nil), func(m board.Move) bool { return b.Legal(m) && allows(b, r, m) })
}

// distinct returns r without all but one of the moves that a symmetry of b maps to each other.
// Values are as under r.
func distinct(b *board.Board, r *search.Restrictions) *search.Restrictions {
	images := mirrored(b, r)
	if len(images) == 0 {
		return r
	}
	var other search.Restrictions
	if r != nil {
		other = *r
	}
	other.Root = slices.Concat(other.Root, images)
	return &other
}

// mirrored returns the empty cells of a symmetric position that a symmetry maps to others,
// except one of each group, which r leaves if it leaves any.
func mirrored(b *board.Board, r *search.Restrictions) []board.Move {
	w, h := b.Width(), b.Height()
	cells := func(f func(m board.Move)) {
		for y := range h {
			for x := range w {
				f(board.At(x, y))
			}
		}
	}
	var same []int // the symmetries of the position
	for s := 1; s < board.SymmetriesOf(w, h); s++ {
		symmetric := true
		cells(func(m board.Move) {
			symmetric = symmetric && b.Cell(m) == b.Cell(board.Transform(m, s, w, h))
		})
		if symmetric {
			same = append(same, s)
		}
	}
	var list []board.Move
	cells(func(m board.Move) {
		if b.Cell(m) == board.Empty && slices.ContainsFunc(same, func(s int) bool {
			other := board.Transform(m, s, w, h)
			return other < m && allows(b, r, other)
		}) {
			list = append(list, m)
		}
	})
	return list
}

// Ponder searches the present position, at which the opponent is to move, until ctx ends, to
// fill the hash table. It returns at once if the game is over, and below full strength: the
// level would play better by what it finds.
func (e *Engine) Ponder(ctx context.Context, o Options) error {
	if err := e.ready(o.Rule); err != nil {
		return err
	}
	if v, _ := outcome(e.board); v != board.Unfinished || o.weakened() {
		return nil
	}
	e.resize(o)
	// A style is that of the side that the engine plays for.
	_, notes := e.search(ctx, e.board, search.Limits{Style: -o.Style, Next: e.limits(o, 0).Hard, Restrict: e.restrictions(o, e.board)}, nil)
	if len(notes) > 0 {
		return errors.New(notes[0])
	}
	return nil
}

// TableUsage returns how many entries the hash table holds and has room for.
func (e *Engine) TableUsage() (used, room int64) {
	e.resize(e.Options())
	return e.pool.Usage()
}

// tableTag tells hash tables apart that must not be mixed: the rule is not in the hash
// of a position, nor is the evaluation.
func (e *Engine) tableTag() (uint64, error) {
	o := e.Options()
	if err := e.ready(o.Rule); err != nil {
		return 0, err
	}
	e.resize(o)
	b := e.board.Clone()
	b.Reset()
	// A small search of the empty board differs for other evaluations and other searches.
	sign := search.Signature(e.evaluator(e.byTables), search.DefaultParams(), b)
	return board.Mix(sign ^ uint64(b.Rule())<<16 ^ uint64(b.Width())<<8 ^ uint64(b.Height())), nil
}

// DumpTable writes the hash table to the file at path, which is replaced only when all of it
// is written. It returns the number of entries.
func (e *Engine) DumpTable(path string) (entries int64, err error) {
	tag, err := e.tableTag()
	if err != nil {
		return 0, err
	}
	if err := mayHoldTable(path); err != nil {
		return 0, err
	}
	used, _ := e.pool.Usage()
	if err := atomicfile.WriteTo(path, func(w io.Writer) error { return e.pool.WriteTable(w, tag) }); err != nil {
		return 0, err
	}
	return used, nil
}

// mayHoldTable returns an error if there is a file at path that is no hash table and not empty.
func mayHoldTable(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var head [16]byte
	n, err := io.ReadFull(f, head[:])
	if n > 0 && !search.IsTable(head[:n]) {
		return fmt.Errorf("%s is there already and is not a hash table", path)
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
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
	entries, err = e.pool.ReadTable(f, tag)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return entries, nil
}
