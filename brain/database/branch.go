package database

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tengen/brain/board"
)

// A link leads from a key to the position after a move.
type link struct {
	at    point // the cell in the key
	child Key
}

// below returns the keys of all positions that moves through positions of the database lead
// to from the position of k, nearest first, and the links from each position. If bridge is
// set, also through positions without a record, as few as one way needs. The lock is held.
func (d *Database) below(k *keyer, bridge bool) ([]Key, map[Key][]link) {
	base := Key(k.key())
	keys := d.containing(k, base, nil)
	links := map[Key][]link{base: nil}
	from := keyer{rule: k.rule, width: k.width, height: k.height, side: k.side}
	from.stones = [2][]point{slices.Clone(k.stones[0]), slices.Clone(k.stones[1])}
	var up keyer
	reached := keys[:0]
	for _, key := range keys {
		found := false
		up.parents(key, func(parent []byte, at point) {
			if to, ok := links[Key(parent)]; ok {
				added := link{at, key}
				if !slices.Contains(to, added) {
					links[Key(parent)] = append(to, added)
				}
				found = true
			}
		})
		if found || bridge && from.bridge(key, links) {
			reached = append(reached, key)
			links[key] = nil
		}
	}
	return reached, links
}

// bridge adds the links of moves that lead from the position of k to that of key, the last of
// them from the first position of links that it meets on the way back. It reports whether there
// are such moves; a pass does not count. After a pass it adds no links, since the first of the moves
// leads to a position without a key.
func (k *keyer) bridge(key Key, links map[Key][]link) bool {
	var rest [2][]point
	inside := false
	for t := range turn(board.SymmetriesOf(k.width, k.height)) {
		if rest, inside = key.beyond(k.stones, t, k.width, k.height); inside {
			break
		}
	}
	n := len(rest[0]) + len(rest[1])
	first, second := len(rest[k.side&1]), len(rest[k.side.Other()&1])
	if !inside || n == 0 || first != (n+1)/2 || second != n/2 || key.side() != k.side^board.Color(n&1) {
		return false
	}
	if k.passed() {
		return true
	}
	before := keyer{rule: k.rule, width: k.width, height: k.height, side: key.side()}
	for child := key; ; {
		before.side = before.side.Other()
		mover := before.side & 1
		own := rest[mover]
		before.stones[mover.Other()] = append(slices.Clone(k.stones[mover.Other()]), rest[mover.Other()]...)
		var parent Key
		var added link
		taken, known := 0, false
		for i := len(own) - 1; i >= 0 && !known; i-- { // the last stays if none leads to a known position
			before.stones[mover] = append(append(slices.Clone(k.stones[mover]), own[:i]...), own[i+1:]...)
			at := Key(before.key())
			if _, known = links[at]; known || i == len(own)-1 {
				parent, taken, added = at, i, link{before.canonical(own[i]), child}
			}
		}
		if !slices.Contains(links[parent], added) {
			links[parent] = append(links[parent], added)
		}
		if known {
			return true
		}
		rest[mover] = slices.Delete(own, taken, taken+1)
		child = parent
	}
}

// beyond returns the stones that the position of the key, turned by t, has besides the given
// ones, and whether it has all of those.
func (key Key) beyond(stones [2][]point, t turn, width, height int) (rest [2][]point, ok bool) {
	rest[0], rest[1] = key.stones(nil, nil)
	for c := range rest {
		for i, p := range rest[c] {
			rest[c][i] = t.of(p, width, height)
		}
		for _, p := range stones[c] {
			i := slices.Index(rest[c], p)
			if i < 0 {
				return rest, false
			}
			rest[c] = slices.Delete(rest[c], i, i+1)
		}
	}
	return rest, true
}

// containing returns the keys with more stones than base that have all of its stones in one
// of the eight turns, fewest stones first; if only is not nil, of the records that it is
// true of.
func (d *Database) containing(k *keyer, base Key, only func(Record) bool) []Key {
	var patterns [turns][2][]point
	n := board.SymmetriesOf(k.width, k.height)
	black, white := base.stones(nil, nil)
	for t := range turn(n) {
		for c, stones := range [2][]point{black, white} {
			for _, p := range stones {
				patterns[t][c] = append(patterns[t][c], t.of(p, k.width, k.height))
			}
		}
	}
	var keys []Key
	var on [2][1 << 13]bool // by point
	d.all(func(key Key, r Record) {
		if key[:keyHead] != base[:keyHead] || len(key) <= len(base) || only != nil && !only(r) {
			return
		}
		black, white = key.stones(black[:0], white[:0])
		for _, p := range black {
			on[0][p] = true
		}
		for _, p := range white {
			on[1][p] = true
		}
		for t := range n {
			all := true
			for c := range on {
				for i := 0; all && i < len(patterns[t][c]); i++ {
					all = on[c][patterns[t][c][i]]
				}
			}
			if all {
				keys = append(keys, key)
				break
			}
		}
		for _, p := range black {
			on[0][p] = false
		}
		for _, p := range white {
			on[1][p] = false
		}
	})
	slices.SortFunc(keys, func(a, b Key) int {
		if c := cmp.Compare(len(a), len(b)); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	return keys
}

// A Known is a decided position that moves lead to from another one.
type Known struct {
	Hash   uint64 // of the board, as it is turned there
	Record Record
}

// Decided returns the positions with a result that have all stones of b, in each turn that
// they can be reached in, those with the fewest stones first and about most at most. It
// looks at all records once.
func (d *Database) Decided(b *board.Board, most int) []Known {
	var k keyer
	if k.set(b) != nil {
		return nil
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	var list []Known
	w, h := k.width, k.height
	stones := [2][]point{slices.Clone(k.stones[0]), slices.Clone(k.stones[1])}
	later := b.Clone()
	base := Key(k.key())
	for _, key := range d.containing(&k, base, func(r Record) bool { return r.Label.Decided() }) {
		seen := map[uint64]bool{}
		for t := range turn(board.SymmetriesOf(w, h)) {
			rest, ok := key.beyond(stones, t, w, h)
			if !ok {
				continue
			}
			n := 0
			for len(rest[0])+len(rest[1]) > 0 || later.Side() != key.side() {
				n++
				if own := &rest[later.Side()&1]; len(*own) > 0 {
					later.Play((*own)[0].move())
					*own = (*own)[1:]
				} else {
					later.Pass()
				}
			}
			if hash := later.Hash(); !seen[hash] {
				seen[hash] = true
				list = append(list, Known{hash, d.record(key)})
			}
			for range n {
				later.Undo()
			}
		}
		if len(list) >= most {
			break
		}
	}
	return list
}

// A Filter says which of the positions after a move DeleteBelow removes.
type Filter struct {
	match     func(Record) bool
	recursive bool // look at the positions after one that stays, too
}

// ParseFilter reads the name that front ends have for a filter: W, L, WL, WLD, NONWL and
// NONWLD by label, WLNOSTEP for results without a number of plies, WLINSTEP for those in
// at most n; with RECURSIVE behind it, the positions after those that stay are looked at
// too. The empty name removes all.
func ParseFilter(name string, n int) (Filter, error) {
	word, recursive := strings.CutSuffix(strings.ToUpper(name), "RECURSIVE")
	result := func(r Record, letters string) bool {
		l := r.Label.Folded()
		return l > 0 && strings.IndexByte(letters, byte(l)) >= 0
	}
	f := Filter{recursive: recursive}
	switch word {
	case "":
		if recursive {
			return f, fmt.Errorf("no filter is called %q", name)
		}
		f.match = func(Record) bool { return true }
	case "W", "L", "WL", "WLD":
		letters := strings.ToLower(word)
		f.match = func(r Record) bool { return result(r, letters) }
	case "NONWL", "NONWLD":
		letters := strings.ToLower(word[3:])
		f.match = func(r Record) bool { return !result(r, letters) }
	case "WLNOSTEP":
		f.match = func(r Record) bool { return result(r, "wl") && r.steps() == 0 }
	case "WLINSTEP":
		f.match = func(r Record) bool { return result(r, "wl") && r.steps() > 0 && r.steps() <= n }
	default:
		return f, fmt.Errorf("no filter is called %.40q", name)
	}
	return f, nil
}

// DeleteBelow removes positions after a move from that of b, as the filter says, with all
// that follows them unless moves from elsewhere lead there too. At b, and at the
// positions behind which the filter looks, texts on cells whose moves no longer lead to a record go
// too; comments stay.
// It returns the number of positions removed.
// It looks at all records once: about a minute for a million.
func (d *Database) DeleteBelow(b *board.Board, f Filter) (int, error) {
	var k keyer
	if err := k.set(b); err != nil {
		return 0, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	base := Key(k.key())
	keys, _ := d.below(&k, false)
	walked := map[Key]bool{base: true} // the filter decides about what follows
	deleted := map[Key]bool{}          // all that follows is deleted
	var up keyer
	for _, key := range keys {
		asked, doomed, held := false, false, false
		up.parents(key, func(parent []byte, _ point) {
			_, known := d.get(Key(parent))
			switch {
			case walked[Key(parent)]:
				asked = true
			case deleted[Key(parent)]:
				doomed = true
			case known:
				held = true
			}
		})
		switch {
		case asked && f.match(d.record(key)) || doomed && !asked:
			if !held {
				deleted[key] = true
			}
		case asked && f.recursive:
			walked[key] = true
		}
	}
	for key := range deleted {
		d.remove(key)
	}
	for key := range walked {
		r := d.record(key)
		for _, c := range r.cells() {
			k.setKey(key)
			if _, stays := d.get(Key(k.after(c.at))); !stays {
				r = r.withCell(c.at, "")
				d.put(key, r)
			}
		}
	}
	return len(deleted), nil
}

// CopyBelow copies the position of b, those that led to it and all that follow it into to,
// where those that are there already stay. Positions between them need no record. It returns
// the number of new records.
func (d *Database) CopyBelow(b *board.Board, to *Database) (int, error) {
	var k keyer
	if err := k.set(b); err != nil {
		return 0, err
	}
	d.mu.RLock()
	keys, _ := d.below(&k, true)
	path := b.Clone()
	for {
		if k.set(path) == nil {
			keys = append(keys, Key(k.key()))
		}
		if path.Ply() == 0 {
			break
		}
		path.Undo()
	}
	found := map[Key]Record{}
	for _, key := range keys {
		if r, ok := d.get(key); ok {
			found[key] = r
		}
	}
	d.mu.RUnlock()
	to.mu.Lock()
	defer to.mu.Unlock()
	n := 0
	for key, r := range found {
		if _, ok := to.get(key); !ok {
			to.put(key, r)
			n++
		}
	}
	return n, nil
}

// Merge replaces records by better ones of from, and adds records, comments and texts that are
// missing. Labels that are no result stay where from has none. It returns the number of records
// changed.
func (d *Database) Merge(from *Database) int {
	if from == d {
		return 0
	}
	from.mu.RLock()
	defer from.mu.RUnlock()
	n := 0
	records := from.records
	if from.stored != nil {
		records = map[Key]Record{}
		from.all(func(key Key, r Record) { records[key] = r })
	}
	d.add(records, func(key Key, r Record) {
		old, ok := d.get(key)
		if !ok {
			d.put(key, r)
			n++
		} else if next := old.improvedBy(r); next != old {
			d.put(key, next)
			n++
		}
	})
	return n
}
