package hashtable

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"sync/atomic"

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
	eachOf(t.buckets, t.used, func(key, data uint64) bool { f(key, data); return true })
}

// eachOf is each until f returns false. used says in which runs of chunk buckets there are entries.
func eachOf(buckets []bucket, used []atomic.Bool, f func(key, data uint64) bool) {
	for i := range used {
		if !used[i].Load() {
			continue
		}
		for j := i * chunk; j < min((i+1)*chunk, len(buckets)); j++ {
			for k := range buckets[j] {
				if key, data := buckets[j][k].load(); data != 0 && !f(key, data) {
					return
				}
			}
		}
	}
}

// A Dump is a table to be written to a file. Until it is closed the memory of the table stays for it,
// though the table is used, cleared, resized or freed meanwhile: it then takes other memory besides. Entries
// that are stored meanwhile may be among those written.
type Dump struct {
	tag     uint64
	buckets []bucket
	used    []atomic.Bool
	memory  *sharedMemory // nil if the table has none
}

// Dump returns the table to be written, in no time. tag says what its entries depend on besides the
// position.
func (t *Table) Dump(tag uint64) *Dump {
	d := &Dump{tag: tag, buckets: t.buckets, used: t.used}
	if t.memory != nil {
		d.memory = t.memory.source
		d.memory.users.Add(1)
	}
	return d
}

// Close ends the use of the table.
func (d *Dump) Close() {
	if d.memory != nil {
		d.memory.leave()
	}
}

// Write writes the table to w and returns the number of its entries. It ends early with the error of ctx
// or of w.
func (d *Dump) Write(ctx context.Context, w io.Writer) (entries int64, err error) {
	eachOf(d.buckets, d.used, func(uint64, uint64) bool { entries++; return true })
	sum := crc32.NewIEEE()
	out := bufio.NewWriterSize(io.MultiWriter(until{ctx, w}, sum), 1<<16)
	var word [8]byte
	put := func(v uint64) error {
		binary.LittleEndian.PutUint64(word[:], v)
		_, err := out.Write(word[:]) // Flush returns it again
		return err
	}
	out.WriteString(magic)
	put(d.tag)
	put(uint64(entries))
	left := entries
	eachOf(d.buckets, d.used, func(key, data uint64) bool {
		if left == 0 {
			return false
		}
		left--
		put(key)
		return put(data) == nil
	})
	for ; left > 0; left-- { // there are fewer by now
		put(0)
		if put(0) != nil {
			break
		}
	}
	if err := out.Flush(); err != nil {
		return 0, err
	}
	binary.LittleEndian.PutUint64(word[:], uint64(sum.Sum32()))
	_, err = w.Write(word[:])
	return entries, err
}

// An until writes to w until ctx ends.
type until struct {
	ctx context.Context
	w   io.Writer
}

func (u until) Write(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.w.Write(p)
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

// NewReader reads the header of what a Dump wrote with the same tag.
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
// the deeper ones. It returns the error of ctx within some milliseconds of its end. After an error it is
// empty.
func (t *Table) Read(ctx context.Context, in *Reader) (entries int64, err error) {
	t.Clear()
	over := func() bool { return ctx.Err() != nil }
	if in.entries > 0 {
		t.Begin(0, 0, over)     // at age 0 an entry may be all zeros, which is none
		t.memory.readyAll(over) // or a short search would lose it
	}
	var pair [16]byte
	for i := range in.entries {
		if i%4096 == 0 && over() {
			t.Clear()
			return 0, ctx.Err()
		}
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
