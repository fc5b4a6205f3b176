package search

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A stored hash table is tableMagic, the tag of its maker, the number of entries, two words
// for each entry (key and data), and the CRC-32 (IEEE) of all that; all numbers are
// little-endian and of eight bytes. In version 1 the rule was not part of the keys.
const (
	tableMagic    = "Tengen table 2\n\n" // 16 bytes
	oldTableMagic = "Tengen table 1\n\n"
)

// IsTable reports whether head is the beginning of a stored hash table, of this version or an
// older one; it needs 16 bytes.
func IsTable(head []byte) bool {
	return bytes.HasPrefix(head, []byte(tableMagic)) || bytes.HasPrefix(head, []byte(oldTableMagic))
}

// Usage returns how many entries the hash table holds and how many it has room for. Not
// during a search. About 1 ms for 10 MB in use.
func (p *Pool) Usage() (used, room int64) {
	p.wait()
	p.table.each(func(uint64, uint64) { used++ })
	return used, int64(p.table.size) * int64(len(bucket{}))
}

// each calls f with the key and the data of each entry.
func (t *hashTable) each(f func(key, data uint64)) {
	for i := range t.memory.used {
		if !t.memory.used[i].Load() {
			continue
		}
		for j := i * chunk; j < min((i+1)*chunk, len(t.buckets)); j++ {
			for k := range t.buckets[j] {
				if key, data := t.buckets[j][k].load(); data != 0 {
					f(key, data)
				}
			}
		}
	}
}

// WriteTable writes the hash table to w. tag says what its entries depend on besides the
// position. Not during a search.
func (p *Pool) WriteTable(w io.Writer, tag uint64) error {
	p.wait()
	sum := crc32.NewIEEE()
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)
	used, _ := p.Usage()
	var word [8]byte
	put := func(v uint64) {
		binary.LittleEndian.PutUint64(word[:], v)
		out.Write(word[:]) // Flush returns the first error
	}
	out.WriteString(tableMagic)
	put(tag)
	put(uint64(used))
	p.table.each(func(key, data uint64) {
		put(key)
		put(data)
	})
	if err := out.Flush(); err != nil {
		return err
	}
	binary.LittleEndian.PutUint64(word[:], uint64(sum.Sum32()))
	_, err := w.Write(word[:])
	return err
}

// Errors of ReadTable.
var (
	errNotATable = errors.New("not a hash table file")
	errOldTable  = errors.New("the hash table was saved by an older version: its keys are no longer in use")
)

// ReadTable replaces the hash table by what WriteTable wrote with the same tag, and returns the
// number of entries of the file. The table keeps its size, and all of it gets memory if there are any
// entries; where it is too small it keeps the deeper ones. After an error in the header it is as before,
// after a later one it is empty. Not during a search.
func (p *Pool) ReadTable(r io.Reader, tag uint64) (entries int64, err error) {
	p.wait()
	sum := crc32.NewIEEE()
	plain := bufio.NewReaderSize(r, 1<<16)
	in := io.TeeReader(plain, sum)
	var head [len(tableMagic) + 16]byte
	if _, err := io.ReadFull(in, head[:]); err != nil || !IsTable(head[:]) {
		return 0, errNotATable
	}
	if bytes.HasPrefix(head[:], []byte(oldTableMagic)) {
		return 0, errOldTable
	}
	if binary.LittleEndian.Uint64(head[len(tableMagic):]) != tag {
		return 0, errors.New("the hash table belongs to another rule, size or evaluation")
	}
	n := binary.LittleEndian.Uint64(head[len(tableMagic)+8:])
	p.Clear()
	if n > 0 {
		p.table.begin(false, false, nil) // at age 0 an entry may be all zeros, which is none
		p.table.memory.readyAll()        // or a short search would lose it
	}
	var pair [16]byte
	for i := range n {
		if _, err := io.ReadFull(in, pair[:]); err != nil {
			p.Clear()
			return 0, fmt.Errorf("the hash table ends after %d of %d entries", i, n)
		}
		p.table.restore(binary.LittleEndian.Uint64(pair[:]), binary.LittleEndian.Uint64(pair[8:]))
	}
	want := uint64(sum.Sum32())
	if _, err := io.ReadFull(plain, pair[:8]); err != nil || binary.LittleEndian.Uint64(pair[:]) != want {
		p.Clear()
		return 0, errors.New("the hash table is damaged: wrong checksum")
	}
	return int64(n), nil
}

// possible reports whether a search can have stored e.
func (e *entry) possible() bool {
	return e.depth <= maxDepth && e.value.Abs() <= Win && (e.static == noValue || e.static.Abs() <= correctedMost)
}

// restore stores an entry of another table, as an old one.
func (t *hashTable) restore(key, data uint64) {
	e := unpack(data)
	if data == 0 || !e.possible() {
		return
	}
	at := t.index(key)
	b := &t.buckets[at]
	victim, worst := -1, e.depth
	for i := range b {
		k, old := b[i].load()
		if old == 0 || k == key {
			victim = i
			break
		}
		if d := unpack(old).depth; d < worst {
			victim, worst = i, d
		}
	}
	if victim < 0 {
		return
	}
	t.put(at, victim, key, e)
}
