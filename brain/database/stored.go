package database

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"tengen/brain/atomicfile"
	"tengen/brain/lz4"
)

// A storedFile is a file whose records are read when they are asked for: an LZ4 frame of independent blocks
// that begin with a record each, in the order of inFile, as a fileWriter writes it. Its methods may be
// called from many goroutines.
type storedFile struct {
	f     *os.File
	stamp stamp
	n     int // records

	mu     sync.Mutex
	blocks *lz4.Blocks
	firsts []Key            // of each block
	recent []*storedRecords // blocks that were read, the last one first
	buf    []byte
	unread atomic.Pointer[error] // why a block could not be read
}

// A storedRecords is a block of a storedFile, unpacked.
type storedRecords struct {
	block   int
	content string
	at      []int32 // where each record begins
}

const (
	leastStored = 2 << 20 // bytes of a file that is not read whole: about 100,000 records, 0.2 s
	mostPacked  = 1 << 20 // bytes of a block in such a file
	startBytes  = 1 << 10 // bytes of a block that should have its first key
	mostRecent  = 64      // blocks, about 10 MiB
)

// keepsOpen tells whether other programs can replace a file that this one has open.
const keepsOpen = runtime.GOOS != "windows"

// errNotStored is returned for a file whose records cannot be looked up in it.
var errNotStored = errors.New("the records of the file are not in order")

// openStored opens a file if it has that form: of each block it reads the first key.
func openStored(name string) (s *storedFile, err error) {
	f, err := atomicfile.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	s = &storedFile{f: f}
	if s.stamp, err = stampOf(f); err != nil {
		return nil, err
	}
	if s.blocks, err = lz4.NewBlocks(f, s.stamp.info.Size()); err != nil {
		return nil, err
	}
	if s.blocks.Len() == 0 {
		return nil, errNotStored
	}
	for i := range s.blocks.Len() {
		if s.blocks.Size(i) > mostPacked {
			return nil, errNotStored
		}
		first, err := s.first(i)
		if err != nil {
			return nil, err
		}
		if i > 0 && (first.check() != nil || inFile(s.firsts[i-1], first) >= 0) {
			return nil, errNotStored
		}
		s.firsts = append(s.firsts, first)
	}
	first, err := s.block(0)
	if err != nil {
		return nil, err
	}
	meta := first.record(0)
	if !first.key(0).isMeta() || !strings.HasPrefix(meta.text, utf8Meta) {
		return nil, errNotStored
	}
	s.n = int(binary.LittleEndian.Uint32([]byte(first.content[:4]))) - 1
	return s, nil
}

// first reads the first key of a block.
func (s *storedFile) first(i int) (Key, error) {
	head := 0
	if i == 0 {
		head = 4 // the number of records
	}
	for _, read := range []func() ([]byte, error){
		func() ([]byte, error) { return s.blocks.Start(i, startBytes) },
		func() ([]byte, error) { return s.blocks.Content(nil, i) },
	} {
		content, err := read()
		if err != nil {
			return "", err
		}
		if len(content) < head+2 {
			continue
		}
		n := int(binary.LittleEndian.Uint16(content[head:]))
		if content = content[head+2:]; n >= keyHead && n <= len(content) {
			return Key(content[:n]), nil
		}
	}
	return "", errNotStored
}

// block returns the records of a block. The lock is held, or s is new.
func (s *storedFile) block(i int) (*storedRecords, error) {
	at := slices.IndexFunc(s.recent, func(b *storedRecords) bool { return b.block == i })
	if at >= 0 {
		b := s.recent[at]
		copy(s.recent[1:at+1], s.recent[:at])
		s.recent[0] = b
		return b, nil
	}
	if now, err := stampOf(s.f); err != nil || !now.same(s.stamp) {
		return nil, errors.New("another program has changed the file")
	}
	var err error
	if s.buf, err = s.blocks.Content(s.buf, i); err != nil {
		return nil, err
	}
	b := &storedRecords{block: i, content: string(s.buf)}
	if !b.parse() || len(b.at) == 0 || b.key(0) != s.firsts[i] && len(s.firsts) > i ||
		i+1 < len(s.firsts) && inFile(b.key(len(b.at)-1), s.firsts[i+1]) >= 0 {
		return nil, fmt.Errorf("block %d of %d: %w", i+1, s.blocks.Len(), errNotStored)
	}
	s.recent = slices.Insert(s.recent[:min(len(s.recent), mostRecent-1)], 0, b)
	return b, nil
}

// parse finds the records of a block. It reports whether it consists of records in their order.
func (b *storedRecords) parse() bool {
	at := 0
	if b.block == 0 {
		at = 4
	}
	for at < len(b.content) {
		start := at
		for range 2 {
			if len(b.content)-at < 2 {
				return false
			}
			at += 2 + b.length(at)
		}
		if at > len(b.content) {
			return false
		}
		b.at = append(b.at, int32(start))
		n := len(b.at) - 1
		if len(b.key(n)) < keyHead || n > 0 && inFile(b.key(n-1), b.key(n)) >= 0 {
			return false
		}
	}
	return true
}

// length returns the number at.
func (b *storedRecords) length(at int) int { return int(b.content[at]) | int(b.content[at+1])<<8 }

func (b *storedRecords) key(i int) Key {
	at := int(b.at[i])
	return Key(b.content[at+2:][:b.length(at)])
}

func (b *storedRecords) record(i int) Record {
	at := int(b.at[i])
	at += 2 + b.length(at)
	return recordOf([]byte(b.content[at+2:][:b.length(at)]), true)
}

// get returns the record of a key.
func (s *storedFile) get(key Key) (Record, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := sort.Search(len(s.firsts), func(i int) bool { return inFile(s.firsts[i], key) > 0 }) - 1
	if i < 0 {
		return Record{}, false
	}
	b, err := s.block(i)
	if err != nil {
		s.unread.Store(&err)
		return Record{}, false
	}
	at, ok := sort.Find(len(b.at), func(i int) int { return inFile(key, b.key(i)) })
	if !ok {
		return Record{}, false
	}
	return b.record(at), true
}

// each calls use for all records in their order. An error is that of use, or of a file that is damaged.
func (s *storedFile) each(use func(Key, Record) error) error {
	in, err := newFileReader(io.NewSectionReader(s.f, 0, s.stamp.info.Size()), math.MaxInt64)
	if err != nil {
		return err
	}
	var before Key
	for n := 0; ; n++ {
		key, r, err := in.next()
		if err == io.EOF {
			if n != s.n {
				return fmt.Errorf("%d records, want %d", n, s.n)
			}
			return nil
		}
		if err == nil && before != "" && inFile(before, key) >= 0 {
			err = errNotStored
		}
		if err == nil {
			err = use(key, r)
		}
		if err != nil {
			return err
		}
		before = key
	}
}

func (s *storedFile) close() { s.f.Close() }

// Open returns the database of a file, whose records stay there if it is a large one that was written
// here: they are read when they are asked for, and memory holds what is changed. That takes a moment. A large
// file of another order is not read yet: whole is false then, the database is empty, and Fill reads
// it. Small files are read, as Load reads them.
func Open(name string) (d *Database, whole bool, err error) {
	info, err := os.Stat(name)
	if err != nil || info.Size() < leastStored {
		d, err = Load(name)
		return d, true, err
	}
	if keepsOpen {
		if s, err := openStored(name); err == nil {
			d = ForFile(name)
			d.setStored(s)
			return d, true, nil
		}
	}
	return ForFile(name), false, nil
}

// Fill reads the file of a database that Open has not read, until ctx ends. Its records are there as they
// are read; those that are changed meanwhile stay. After an error none are left but these.
func (d *Database) Fill(ctx context.Context, in *Input) error {
	f, err := in.open(ctx)
	if err != nil {
		return err
	}
	defer f.Close()
	at, err := stampOf(f.File)
	if err == nil {
		err = d.fill(f)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stamp.info != nil {
		return nil // Save has read the file
	}
	if err != nil {
		for key := range d.records {
			if _, ok := d.changed[key]; !ok {
				delete(d.records, key)
			}
		}
		return in.fault(err)
	}
	d.stamp = at
	return nil
}

func (d *Database) fill(r io.Reader) error {
	in, err := newFileReader(r, math.MaxInt64)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for n := 1; d.stamp.info == nil; n++ {
		key, r, err := in.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if _, ok := d.changed[key]; !ok {
			d.records[key] = r
		}
		if n%counted == 0 {
			d.mu.Unlock()
			d.mu.Lock()
		}
	}
	return nil
}

// Err returns why records of a file that Open has not read into memory cannot be read, nil if they can.
func (d *Database) Err() error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.stored == nil {
		return nil
	}
	if err := d.stored.unread.Load(); err != nil {
		return fmt.Errorf("%s: %w", d.file, *err)
	}
	return nil
}

// setStored takes over a file below the records that are changed, or none if s is nil. The lock is held.
func (d *Database) setStored(s *storedFile) {
	if d.stored != nil {
		d.stored.close()
	}
	d.stored, d.more = s, 0
	if s == nil {
		return
	}
	d.stamp = s.stamp
	for _, key := range slices.SortedFunc(maps.Keys(d.changed), inFile) {
		if _, ok := d.records[key]; ok {
			d.more++
		}
		if _, ok := s.get(key); ok {
			d.more--
		}
	}
}

// storedIn takes over the file in which all was saved. The lock is held.
func (d *Database) storedIn(name string) error {
	s, err := openStored(name)
	if err != nil {
		return err
	}
	for key := range d.records {
		if _, ok := d.changed[key]; !ok {
			delete(d.records, key)
		}
	}
	d.setStored(s)
	return nil
}

// writeStored writes the records of the file and those that are changed. The lock is held.
func (d *Database) writeStored(w io.Writer) error {
	out := newFileWriter(w, d.len())
	changed := slices.SortedFunc(maps.Keys(d.changed), inFile)
	// upTo writes the changed records up to one, all if it is "".
	upTo := func(key Key) error {
		for len(changed) > 0 && (key == "" || inFile(changed[0], key) <= 0) {
			if r, ok := d.records[changed[0]]; ok {
				if err := out.add([]byte(changed[0]), r); err != nil {
					return err
				}
			}
			changed = changed[1:]
		}
		return nil
	}
	err := d.stored.each(func(key Key, r Record) error {
		if err := upTo(key); err != nil {
			return err
		}
		if _, ok := d.changed[key]; ok {
			return nil
		}
		return out.add([]byte(key), r)
	})
	if err == nil {
		err = upTo("")
	}
	return out.close(err)
}

// all calls use for every record. The lock is held.
func (d *Database) all(use func(Key, Record)) {
	for key, r := range d.records {
		use(key, r)
	}
	if d.stored == nil {
		return
	}
	err := d.stored.each(func(key Key, r Record) error {
		if _, ok := d.changed[key]; !ok {
			use(key, r)
		}
		return nil
	})
	if err != nil {
		d.stored.unread.Store(&err)
	}
}
