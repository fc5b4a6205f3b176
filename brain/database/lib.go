package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/winrate"
)

// ImportLib adds the positions of a RenLib library, with the given rule. Board texts of a
// result, such as W, L or W23 with the number of the last move, become labels, those of a value, such
// as v55 or 61%, become values, and all others texts on cells. Comments are put behind
// those that are there. It returns the number of positions. Nothing is added if there is an
// error, such as ErrPosition for a rule whose positions have no keys.
func (d *Database) ImportLib(raw []byte, rule board.Rule) (int, error) {
	lib, err := record.NewLibReader(raw)
	if err != nil {
		return 0, err
	}
	return d.importLib(lib, rule, New().gather(context.Background(), 0), func(int64) {}, int64(len(raw)))
}

// importLib is ImportLib of a library that is read a node at a time. It calls at with the number of bytes read,
// and takes size bytes of memory beside the positions.
func (d *Database) importLib(lib *record.LibReader, rule board.Rule, g *gathering, at func(int64), size int64) (int, error) {
	found := New()
	var buf []byte
	n, err := walkLib(lib, rule, func() error {
		at(lib.Offset())
		return g.next(len(found.records), size)
	}, func(key packedKey, o libOp) error {
		buf = key.unpack(buf[:0])
		r, known := found.records[Key(buf)]
		found.records[Key(buf)] = o.on(r, known)
		return nil
	})
	if err != nil {
		return 0, err
	}
	d.addLib(found)
	return n, nil
}

// withMore returns r with a comment put behind its own, unless the lines are there already.
func (r Record) withMore(comment string) Record {
	old, more := r.Comment(), (Record{}).WithComment(comment).Comment()
	switch {
	case more == "" || strings.Contains("\n"+old+"\n", "\n"+more+"\n"):
		return r
	case old != "":
		more = old + "\n" + more
	}
	return r.WithComment(more)
}

// addLib is Merge for a library: it has no depths, so that its values replace none.
func (d *Database) addLib(from *Database) {
	d.add(from.records, func(key Key, r Record) {
		if old, ok := d.get(key); ok {
			r = old.withLib(r)
		}
		d.put(key, r)
	})
}

// withLib returns r with what a library says of its position.
func (r Record) withLib(lib Record) Record {
	old := r.withMore(lib.Comment())
	if !lib.Label.Decided() && !old.blank() {
		lib = Record{text: lib.text}
	}
	return old.improvedBy(lib)
}

// ofLibText returns the record that a board text of a library states of the position after
// the move of that number: W12, L, v55 or, as Rapfi writes it, 61%.
func ofLibText(s string, ply int) (Record, bool) {
	if s == "" {
		return Record{Label: None}, false
	}
	rest := strings.TrimSuffix(s[1:], "*")
	n, err := strconv.Atoi(rest)
	number := err == nil && rest != "" && rest[0] >= '0' && rest[0] <= '9'
	switch c := s[0]; {
	case (c == 'W' || c == 'L') && (number || rest == ""):
		plies := n - ply
		known := number && plies > 0 && plies < MaxValue-MinWin
		switch {
		case c == 'L' && known:
			return Searched(0, plies, 0), true
		case c == 'L':
			return NewRecord(Loss, 0, 0, NoBound), true
		case known:
			return Searched(0, -plies, 0), true
		}
		return NewRecord(Win, 0, 0, NoBound), true
	case c == 'v' && err == nil && rest != "":
		return Searched(-n, 0, 0), true
	case c == 'm' && err == nil && rest != "":
		return Searched(n, 0, 0), true
	case isChance(s):
		n, _ := strconv.Atoi(s[:len(s)-1])
		chance := (float64(n) + 0.5) / 100 // of the player who has moved
		return NewRecord(None, -int(winrate.Unit*math.Log(chance/(1-chance))), 0, Exact), true
	}
	return Record{Label: None}, false
}

// isChance reports whether s is a whole number of percent from 0% to 99%.
func isChance(s string) bool {
	digits, ok := strings.CutSuffix(s, "%")
	return ok && (len(digits) == 1 || len(digits) == 2) && strings.Trim(digits, "0123456789") == ""
}

// libText is the inverse of ofLibText, except for draws, D, and what labels say of a move: as letters
// on cells these may be anything.
func libText(r Record, ply int) string {
	label := strings.ToUpper(string(rune(r.Label)))
	switch plies, known := r.Distance(); {
	case known:
		return label + strconv.Itoa(ply+plies)
	case r.Label > 0:
		return label
	case r.Label == None && r.Bound() == Exact:
		return "v" + strconv.Itoa(-int(r.Value))
	}
	return ""
}

// ErrNothing is returned instead of an empty library.
var ErrNothing = errors.New("nothing is known of the position and of what follows it")

// maxLibNodes limits what ExportLib writes: more than any library has.
const maxLibNodes = 4 << 20

// ExportLib writes the position of b and all that follow it as a RenLib library, with the
// moves that led to b before them. A position that moves lead to in several ways is written
// once; one that moves lead to only through positions without a record comes with these, and
// one that only a pass leads to is left out. Where one side has passed before b all that follows
// is left out: the next move leads to a position without a key. It returns the number of moves
// written, or ErrNothing.
func (d *Database) ExportLib(w io.Writer, b *board.Board) (int, error) {
	var k keyer
	if err := k.set(b); err != nil {
		return 0, err
	}
	if b.Width() != record.LibSize || b.Height() != record.LibSize {
		return 0, fmt.Errorf("a RenLib library is of a board of 15x15, this one is of %dx%d", b.Width(), b.Height())
	}
	t := record.NewTree(record.LibSize, record.LibSize)
	at := t.Root
	for i, m := range b.Moves() {
		next := record.NewNode()
		next.Color, next.Move = board.Color(i&1), m
		at.Children = []*record.Node{next}
		at = next
	}
	d.mu.RLock()
	e := exporter{d: d, b: b.Clone(), written: map[Key]bool{}}
	_, e.links = d.below(&k, true)
	err := e.fill(at)
	_, known := d.get(Key(k.key()))
	d.mu.RUnlock()
	if err == nil && e.n == 0 && !known {
		err = ErrNothing
	}
	if err != nil {
		return 0, err
	}
	return e.n + b.Ply(), record.WriteLib(w, t)
}

type exporter struct {
	d       *Database
	b       *board.Board
	k       keyer
	links   map[Key][]link
	written map[Key]bool
	n       int
}

// fill adds to n, whose position is that of e.b, its comment and all that follows.
func (e *exporter) fill(n *record.Node) error {
	if err := e.k.set(e.b); err != nil {
		return err
	}
	key := Key(e.k.key())
	var t turn // to the key
	for e.k.same>>t&1 == 0 {
		t++
	}
	r := e.d.record(key)
	n.Comment = r.Comment()
	if e.written[key] {
		return nil
	}
	e.written[key] = true
	texts := map[point]string{}
	for _, c := range r.cells() {
		texts[c.at] = c.text
		m := t.back(c.at, record.LibSize, record.LibSize).move()
		if e.b.Cell(m) == board.Empty {
			n.Marks = append(n.Marks, record.Mark{At: m, Text: c.text})
		}
	}
	for _, l := range e.links[key] {
		if e.n++; e.n > maxLibNodes {
			return fmt.Errorf("more than %d moves", maxLibNodes)
		}
		m := t.back(l.at, record.LibSize, record.LibSize).move()
		if texts[l.at] == "" {
			if text := libText(e.d.record(l.child), e.b.Ply()+1); text != "" {
				n.Marks = append(n.Marks, record.Mark{At: m, Text: text})
			}
		}
		child := record.NewNode()
		child.Color, child.Move = e.b.Side(), m
		n.Children = append(n.Children, child)
		e.b.Play(m)
		err := e.fill(child)
		e.b.Undo()
		if err != nil {
			return err
		}
	}
	return nil
}
