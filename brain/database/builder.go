package database

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"tengen/brain/atomicfile"
	"tengen/brain/board"
	"tengen/brain/record"
)

// A Builder makes the file of a database from libraries that do not fit into memory: it sorts what they
// say of their positions in runs, which it keeps in files beside that of the database, and merges
// these. Its file is that which ImportLib of the same libraries in turn and Save would make. It takes
// about 100 MiB of memory, and on disk about as many bytes as the libraries have. Close removes its
// files.
type Builder struct {
	name  string // of the database
	most  int    // bytes of a run in memory
	libs  int    // so far
	arena []byte // entries
	index []entryAt
	runs  []*os.File
}

// An entryAt is where an entry is in the arena, with the first bytes of its key, so that most are compared
// without looking there.
type entryAt struct {
	first uint64
	at    uint32
}

// Sizes of a run in memory.
const (
	builderMemory = 96 << 20 // bytes
	entryIndex    = 16       // bytes of an entryAt
)

// NewBuilder returns a builder for a file that is not there yet.
func NewBuilder(name string) *Builder { return &Builder{name: name, most: builderMemory} }

// AddLib adds a library, until ctx ends. Of a faulty one it adds what stands before the fault. It returns
// the number of its moves that lead to a position. After an error, such as ErrPosition for a rule whose
// positions have no keys, the builder cannot be used.
func (b *Builder) AddLib(ctx context.Context, in *Input, rule board.Rule) (int, error) {
	f, err := in.open(ctx)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n, err := b.add(ctx, f, in, rule)
	if err != nil {
		err = in.fault(err)
	}
	return n, err
}

// AddRaw is AddLib for a library in memory.
func (b *Builder) AddRaw(raw []byte, rule board.Rule) (int, error) {
	return b.add(context.Background(), bytes.NewReader(raw), new(Input), rule)
}

func (b *Builder) add(ctx context.Context, f io.ReadSeeker, in *Input, rule board.Rule) (int, error) {
	lib, err := in.library(f)
	if err != nil {
		return 0, err
	}
	nodes := 0
	n, err := walkLib(lib, rule, func() error {
		if nodes++; nodes%counted != 0 {
			return nil
		}
		in.at(lib.Offset())
		return ctx.Err()
	}, b.entry)
	b.libs++
	if fault := (*record.LibFault)(nil); errors.As(err, &fault) && nodes > 1 {
		in.Remarks = append(in.Remarks, "the library is read up to a fault: "+fault.Error())
		return n, nil
	}
	if err == nil && lib.Cut() {
		in.Remarks = append(in.Remarks, "the library is cut off behind its last move")
	}
	return n, err
}

// entry keeps one operation. An entry is the key with its length before it, the kind and the library, and
// the rest of the operation with its length before it.
func (b *Builder) entry(key packedKey, o libOp) error {
	if len(b.arena)+len(b.index)*entryIndex > b.most {
		if err := b.spill(); err != nil {
			return err
		}
	}
	var head [8]byte
	copy(head[:], key)
	b.index = append(b.index, entryAt{binary.BigEndian.Uint64(head[:]), uint32(len(b.arena))})
	b.arena = append(append(b.arena, byte(len(key))), key...)
	b.arena = binary.AppendUvarint(append(b.arena, byte(o.kind)), uint64(b.libs))
	rest := len(o.text)
	switch o.kind {
	case opResult:
		rest = recordFixed
	case opCell:
		rest += 2
	}
	b.arena = binary.AppendUvarint(b.arena, uint64(rest))
	switch o.kind {
	case opResult:
		b.arena = append(b.arena, byte(o.record.Label))
		b.arena = binary.LittleEndian.AppendUint16(b.arena, uint16(o.record.Value))
		b.arena = binary.LittleEndian.AppendUint16(b.arena, uint16(o.record.depth))
	case opCell:
		b.arena = append(b.arena, byte(o.at>>8), byte(o.at))
	}
	b.arena = append(b.arena, o.text...)
	return nil
}

// An entry is one operation on the position of a key, as it stands in a run.
type entry struct {
	key  packedKey
	kind byte
	lib  uint64
	rest []byte
}

// entryOf returns the entry that arena begins with, and how long it is.
func entryOf(arena []byte) (entry, int) {
	n := 1 + int(arena[0])
	e := entry{key: arena[1:n], kind: arena[n]}
	n++
	var k int
	e.lib, k = binary.Uvarint(arena[n:])
	n += k
	rest, k := binary.Uvarint(arena[n:])
	n += k
	e.rest = arena[n : n+int(rest)]
	return e, n + int(rest)
}

// op returns the operation.
func (e *entry) op() libOp {
	o := libOp{kind: opKind(e.kind)}
	switch o.kind {
	case opResult:
		o.record = Record{Label: Label(e.rest[0]), Value: int16(binary.LittleEndian.Uint16(e.rest[1:])), depth: int16(binary.LittleEndian.Uint16(e.rest[3:]))}
	case opComment:
		o.text = string(e.rest)
	case opCell:
		o.at, o.text = point(e.rest[0])<<8|point(e.rest[1]), string(e.rest[2:])
	}
	return o
}

// sort sorts the entries in memory by their keys; those of one key stay in their order.
func (b *Builder) sort() {
	slices.SortFunc(b.index, func(x, y entryAt) int {
		if c := cmp.Compare(x.first, y.first); c != 0 {
			return c
		}
		p, q := b.arena[x.at:], b.arena[y.at:]
		if c := bytes.Compare(p[1:1+int(p[0])], q[1:1+int(q[0])]); c != 0 {
			return c
		}
		return cmp.Compare(x.at, y.at)
	})
}

// spill writes the entries in memory to a file: of each key the bytes that it does not share with the one
// before, with their number before them, and the rest of the entry as it is.
func (b *Builder) spill() error {
	b.sort()
	f, err := os.CreateTemp(filepath.Dir(b.name), filepath.Base(b.name)+".run-*")
	if err != nil {
		return err
	}
	b.runs = append(b.runs, f)
	out := bufio.NewWriterSize(f, 1<<18)
	var before []byte
	for _, x := range b.index {
		e, n := entryOf(b.arena[x.at:])
		same := 0
		for same < min(len(before), len(e.key)) && before[same] == e.key[same] {
			same++
		}
		before = e.key
		out.Write([]byte{byte(same), byte(len(e.key) - same)}) // an error stays in out
		out.Write(b.arena[x.at+1+uint32(same):][:n-1-same])
	}
	b.arena, b.index = b.arena[:0], b.index[:0]
	return out.Flush()
}

// A run gives its entries in order: those in memory, or those of a file.
type run struct {
	entry
	done bool

	b    *Builder // of the one in memory
	next int      // of its index

	in  *bufio.Reader
	key []byte
	buf []byte
}

// advance goes to the next entry, the first one at the first call.
func (r *run) advance() error {
	if r.in == nil {
		if r.done = r.next == len(r.b.index); !r.done {
			r.entry, _ = entryOf(r.b.arena[r.b.index[r.next].at:])
			r.next++
		}
		return nil
	}
	same, err := r.in.ReadByte()
	if err == io.EOF {
		r.done = true
		return nil
	}
	n, err2 := r.in.ReadByte()
	if err = cmp.Or(err, err2); err != nil {
		return truncated(err)
	}
	r.key = slices.Grow(r.key[:same], int(n))[:int(same)+int(n)]
	if _, err := io.ReadFull(r.in, r.key[same:]); err != nil {
		return truncated(err)
	}
	r.entry.key = r.key
	r.kind, err = r.in.ReadByte()
	r.lib, err2 = binary.ReadUvarint(r.in)
	size, err3 := binary.ReadUvarint(r.in)
	if err = cmp.Or(err, err2, err3); err != nil {
		return truncated(err)
	}
	r.buf = slices.Grow(r.buf[:0], int(size))[:size]
	_, err = io.ReadFull(r.in, r.buf)
	r.rest = r.buf
	return truncated(err)
}

// each calls use for every position in the order of a file, with its record. The key is valid within the
// call.
func (b *Builder) each(use func(packedKey, Record) error) error {
	var runs []*run
	for _, f := range b.runs {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		runs = append(runs, &run{in: bufio.NewReaderSize(f, 1<<18)})
	}
	runs = append(runs, &run{b: b})
	for _, r := range runs {
		if err := r.advance(); err != nil {
			return err
		}
	}
	var key packedKey
	for {
		var least *run
		for _, r := range runs {
			if !r.done && (least == nil || bytes.Compare(r.entry.key, least.entry.key) < 0) {
				least = r
			}
		}
		if least == nil {
			return nil
		}
		key = append(key[:0], least.entry.key...)
		var all, lib Record // of all libraries, and of one
		known, inLib, at := false, false, uint64(0)
		for _, r := range runs { // in the order in which the entries came
			for !r.done && bytes.Equal(r.entry.key, key) {
				if inLib && r.lib != at {
					all, known, inLib = all.after(known, lib), true, false
					lib = Record{}
				}
				o := r.op()
				lib, inLib, at = o.on(lib, inLib), true, r.lib
				if err := r.advance(); err != nil {
					return err
				}
			}
		}
		if err := use(key, all.after(known, lib)); err != nil {
			return err
		}
	}
}

// after returns r, if it is known, with what one more library says.
func (r Record) after(known bool, lib Record) Record {
	if !known {
		return lib
	}
	return r.withLib(lib)
}

// Save writes the whole file, or none after an error. It returns the number of positions.
func (b *Builder) Save() (int, error) {
	b.sort()
	n := 0
	if err := b.each(func(packedKey, Record) error { n++; return nil }); err != nil {
		return 0, err
	}
	return n, atomicfile.WriteTo(b.name, func(w io.Writer) error {
		out := newFileWriter(w, n)
		var key []byte
		err := b.each(func(p packedKey, r Record) error {
			key = p.unpack(key[:0])
			return out.add(key, r)
		})
		return out.close(err)
	})
}

// Close removes the files of the builder.
func (b *Builder) Close() {
	for _, f := range b.runs {
		f.Close()
		os.Remove(f.Name())
	}
	b.runs, b.arena, b.index = nil, nil, nil
}
