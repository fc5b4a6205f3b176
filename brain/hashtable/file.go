package hashtable

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"

	"tengen/brain/score"
)

// A stored hash table is magic, the tag of its maker, the number of entries, two words
// for each entry (key and data), and the CRC-32 (IEEE) of all that; all numbers are
// little-endian and of eight bytes. In version 1 the rule was not part of the keys.
const (
	magic    = "Tengen table 2\n\n" // 16 bytes
	oldMagic = "Tengen table 1\n\n"
)

// IsTable reports whether head is the beginning of a stored hash table, of this version or an
// older one; it needs 16 bytes.
func IsTable(head []byte) bool {
	return bytes.HasPrefix(head, []byte(magic)) || bytes.HasPrefix(head, []byte(oldMagic))
}

// Usage returns how many entries the table holds and how many it has room for. About 1 ms for 10 MB
// in use.
func (t *Table) Usage() (used, room int64) {
	t.each(func(uint64, uint64) { used++ })
	return used, int64(t.size) * int64(len(bucket{}))
}

// each calls f with the key and the data of each entry.
func (t *Table) each(f func(key, data uint64)) {
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

// Write writes the table to w. tag says what its entries depend on besides the position.
func (t *Table) Write(w io.Writer, tag uint64) error {
	sum := crc32.NewIEEE()
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)
	used, _ := t.Usage()
	var word [8]byte
	put := func(v uint64) {
		binary.LittleEndian.PutUint64(word[:], v)
		out.Write(word[:]) // Flush returns the first error
	}
	out.WriteString(magic)
	put(tag)
	put(uint64(used))
	t.each(func(key, data uint64) {
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

// Errors of NewReader.
var (
	errNotATable = errors.New("not a hash table file")
	errOldTable  = errors.New("the hash table was saved by an older version: its keys are no longer in use")
	errOtherTag  = errors.New("the hash table belongs to another rule, size or evaluation")
)

// A Reader reads a stored table whose header is right.
type Reader struct {
	plain   *bufio.Reader
	summed  io.Reader // plain, through sum
	sum     hash.Hash32
	entries uint64
}

// NewReader reads the header of what Write wrote with the same tag.
func NewReader(r io.Reader, tag uint64) (*Reader, error) {
	in := &Reader{plain: bufio.NewReaderSize(r, 1<<16), sum: crc32.NewIEEE()}
	in.summed = io.TeeReader(in.plain, in.sum)
	var head [len(magic) + 16]byte
	if _, err := io.ReadFull(in.summed, head[:]); err != nil || !IsTable(head[:]) {
		return nil, errNotATable
	}
	if bytes.HasPrefix(head[:], []byte(oldMagic)) {
		return nil, errOldTable
	}
	if binary.LittleEndian.Uint64(head[len(magic):]) != tag {
		return nil, errOtherTag
	}
	in.entries = binary.LittleEndian.Uint64(head[len(magic)+8:])
	return in, nil
}

// Read replaces what the table holds by what in has, and returns the number of entries of the file. The
// table keeps its size, and all of it gets memory if there are any entries; where it is too small it keeps
// the deeper ones. After an error it is empty.
func (t *Table) Read(in *Reader) (entries int64, err error) {
	t.Clear()
	if in.entries > 0 {
		t.Begin(0, 0, nil)  // at age 0 an entry may be all zeros, which is none
		t.memory.readyAll() // or a short search would lose it
	}
	var pair [16]byte
	for i := range in.entries {
		if _, err := io.ReadFull(in.summed, pair[:]); err != nil {
			t.Clear()
			return 0, fmt.Errorf("the hash table ends after %d of %d entries", i, in.entries)
		}
		t.restore(binary.LittleEndian.Uint64(pair[:]), binary.LittleEndian.Uint64(pair[8:]))
	}
	want := uint64(in.sum.Sum32())
	if _, err := io.ReadFull(in.plain, pair[:8]); err != nil || binary.LittleEndian.Uint64(pair[:]) != want {
		t.Clear()
		return 0, errors.New("the hash table is damaged: wrong checksum")
	}
	return int64(in.entries), nil
}

// mostStatic is the greatest static value: eval.Max.
const mostStatic = 6000

// possible reports whether a search can have stored e.
func (e *Entry) possible() bool {
	return e.Depth <= MaxDepth && e.Value.Abs() <= score.Win && (e.Static == score.None || e.Static.Abs() <= mostStatic)
}

// restore stores an entry of another table, as an old one.
func (t *Table) restore(key, data uint64) {
	e := unpack(data)
	if data == 0 || !e.possible() {
		return
	}
	at := t.index(key)
	b := &t.buckets[at]
	victim, worst := -1, e.Depth
	for i := range b {
		k, old := b[i].load()
		if old == 0 || k == key {
			victim = i
			break
		}
		if d := unpack(old).Depth; d < worst {
			victim, worst = i, d
		}
	}
	if victim < 0 {
		return
	}
	t.put(at, victim, key, e)
}
