package database

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"tengen/brain/atomicfile"
	"tengen/brain/board"
	"tengen/brain/lz4"
	"tengen/brain/record"
)

// A file is an LZ4 frame, or nothing around, of
//
//	u32   number of records
//	u16   length of the key, and the key
//	u16   length of the record, 0 for one with only its key
//	i8    label
//	i16   value
//	i16   depth<<2 | bound
//	...   text
//
// little-endian, the last five for each record. A record of a board without cells describes
// the file: its text says that the others are in UTF-8.
// Source: database of Yixin and Rapfi.
const (
	frameMagic  = "\x04\x22\x4d\x18"
	utf8Meta    = `charset="UTF-8"`
	recordFixed = 5
)

// Read reads a database. Errors name the record, counted from 1. The memory it takes is in
// proportion to the different positions in the file.
func Read(r io.Reader) (*Database, error) { return ReadAtMost(r, math.MaxInt64) }

// ReadAtMost is Read for a file of at most most bytes once it is unpacked: a compressed file may
// be a hundred times smaller.
func ReadAtMost(r io.Reader, most int64) (*Database, error) {
	return read(r, most, New().gather(context.Background(), 0))
}

func read(r io.Reader, most int64, g *gathering) (*Database, error) {
	in, err := newFileReader(r, most)
	if err != nil {
		return nil, err
	}
	d := New()
	for {
		key, r, err := in.next()
		if err == io.EOF {
			return d, nil
		}
		if err != nil {
			return nil, err
		}
		d.records[key] = r
		if err := g.next(len(d.records), 0); err != nil {
			return nil, err
		}
	}
}

// Write writes the database, compressed, ordered by its keys.
func (d *Database) Write(w io.Writer) error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.write(w)
}

func (d *Database) write(w io.Writer) error {
	if d.stored != nil {
		return d.writeStored(w)
	}
	keys := slices.SortedFunc(maps.Keys(d.records), inFile)
	out := newFileWriter(w, len(keys))
	var err error
	for _, key := range keys {
		if err = out.add([]byte(key), d.records[key]); err != nil {
			break
		}
	}
	return out.close(err)
}

// inFile compares keys as a file is ordered that is written here: by their first three bytes, then their
// length, then the others.
func inFile(a, b Key) int {
	if c := cmp.Compare(a[:keyHead], b[:keyHead]); c != 0 {
		return c
	}
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return cmp.Compare(a, b)
}

// A fileWriter writes the entries of a file one after another.
type fileWriter struct {
	z     *lz4.Writer
	out   *bufio.Writer
	buf   []byte
	block int // bytes of the block so far
}

// storedBlock is how many bytes a block has before the next record begins another one, so that a record is
// found without those of other blocks.
const storedBlock = 128 << 10

// newFileWriter returns a writer of a file of n records.
func newFileWriter(w io.Writer, n int) *fileWriter {
	f := &fileWriter{z: lz4.NewWriter(w)}
	f.out = bufio.NewWriterSize(f.z, 1<<16)
	f.out.Write(binary.LittleEndian.AppendUint32(nil, uint32(n+1))) // an error stays in out
	f.add([]byte("\x00\x00\x00"), Record{text: utf8Meta})
	return f
}

// add writes a record. Keys ascend as inFile compares them.
func (f *fileWriter) add(key []byte, r Record) error {
	f.buf = binary.LittleEndian.AppendUint16(f.buf[:0], uint16(len(key)))
	f.buf = append(f.buf, key...)
	if r == (Record{}) {
		f.buf = append(f.buf, 0, 0)
	} else {
		f.buf = binary.LittleEndian.AppendUint16(f.buf, uint16(recordFixed+len(r.text)))
		f.buf = append(f.buf, byte(r.Label))
		f.buf = binary.LittleEndian.AppendUint16(f.buf, uint16(r.Value))
		f.buf = binary.LittleEndian.AppendUint16(f.buf, uint16(r.depth))
		f.buf = append(f.buf, r.text...)
	}
	_, err := f.out.Write(f.buf)
	if f.block += len(f.buf); f.block >= storedBlock && err == nil {
		f.block = 0
		if err = f.out.Flush(); err == nil {
			err = f.z.EndBlock()
		}
	}
	return err
}

// close ends the file. It returns err, or else its own error.
func (f *fileWriter) close(err error) error { return errors.Join(err, f.out.Flush(), f.z.Close()) }

// ForFile returns an empty database for a file that is not there yet, nor perhaps its folder. If
// another program has written it by then, Save takes over what is in it.
func ForFile(name string) *Database {
	d := New()
	d.file = name
	return d
}

// Load reads the database of that file. If there is no such file in its folder, it is empty.
func Load(name string) (*Database, error) { return LoadInput(context.Background(), &Input{Name: name}) }

// LoadInput is Load of the file of in, until ctx ends.
func LoadInput(ctx context.Context, in *Input) (*Database, error) {
	name := in.Name
	f, err := atomicfile.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		if info, err := os.Stat(filepath.Dir(name)); err != nil {
			return nil, err
		} else if !info.IsDir() {
			return nil, fmt.Errorf("%s is not a folder", filepath.Dir(name))
		}
		return ForFile(name), nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	stamp, err := stampOf(f)
	if err != nil || !stamp.info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", name)
	}
	in.size.Store(stamp.info.Size())
	d, err := Read(&inputFile{f, ctx, in})
	if err != nil {
		return nil, in.fault(err)
	}
	d.file, d.stamp = name, stamp
	return d, nil
}

// Save writes the database to that file, which holds its old content or all of the new one at
// any moment. If it was loaded from there or saved there, and another program has written the file
// since, it first takes over those changes, except to records that it changed itself; it is an error if
// the file is no longer a database. Other programs that save to the file
// wait meanwhile, up to 10 s. After an error what was changed is still to be saved.
func (d *Database) Save(name string) error {
	d.saving.Lock()
	defer d.saving.Unlock()
	defer d.hold()()
	unlock, err := lock(name)
	if err != nil {
		return err
	}
	defer unlock()
	if name == d.file {
		if err := d.takeOver(); err != nil {
			return err
		}
	}
	d.mu.RLock()
	err = atomicfile.WriteTo(name, d.write)
	written := d.edits
	d.mu.RUnlock()
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.edits == written { // else all is saved once more
		d.changed = map[Key]struct{}{}
	}
	d.file, d.stamp = name, stamp{}
	if d.stored != nil {
		return d.storedIn(name)
	}
	if f, err := atomicfile.Open(name); err == nil {
		d.stamp, _ = stampOf(f) // without one the next Save reads the file
		f.Close()
	}
	return nil
}

// SaveTo has keep put what Write writes to a place that is no file. Without an error nothing is left
// to be saved. The database waits meanwhile.
func (d *Database) SaveTo(keep func(raw []byte) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var raw bytes.Buffer
	if err := d.write(&raw); err != nil {
		return err
	}
	if err := keep(raw.Bytes()); err != nil {
		return err
	}
	d.changed = map[Key]struct{}{}
	return nil
}

// takeOver takes over what another program has written to the file. The lock of the file is held.
func (d *Database) takeOver() error {
	f, err := atomicfile.Open(d.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	now, err := stampOf(f)
	f.Close()
	d.mu.RLock()
	same, isStored := err == nil && now.same(d.stamp), d.stored != nil
	d.mu.RUnlock()
	if same {
		return nil
	}
	if isStored {
		if s, err := openStored(d.file); err == nil {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.setStored(s)
			return nil
		}
	}
	other, err := Load(d.file)
	if err != nil {
		return fmt.Errorf("another program has changed the file: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for key := range d.changed {
		delete(other.records, key)
		if r, ok := d.records[key]; ok {
			other.records[key] = r
		}
	}
	d.records = other.records
	d.setStored(nil)
	d.stamp = other.stamp // so that Fill ends
	return nil
}

// A stamp tells contents of a file apart. The time alone does not: two writes may fall into one
// tick of a file system's clock, and the second may get the place of a file that was replaced.
type stamp struct {
	info fs.FileInfo // nil if there was no file
	tail [4]byte     // the end of the file: the checksum of one that is compressed
}

func stampOf(f *os.File) (s stamp, err error) {
	if s.info, err = f.Stat(); err != nil {
		return stamp{}, err
	}
	f.ReadAt(s.tail[:], max(s.info.Size()-int64(len(s.tail)), 0)) // what is shorter is no database
	return s, nil
}

func (s stamp) same(t stamp) bool {
	return s.info != nil && t.info != nil && os.SameFile(s.info, t.info) &&
		s.info.Size() == t.info.Size() && s.info.ModTime().Equal(t.info.ModTime()) && s.tail == t.tail
}

// mayReplace returns an error if there is a file of that name which is not of the kind to write.
func mayReplace(name, kind string, like func(head []byte) bool) error {
	ok, err := atomicfile.Replaceable(name, like)
	if err == nil && !ok {
		err = fmt.Errorf("%s is there already and is not %s", name, kind)
	}
	return err
}

// SaveText is WriteText to a file, which replaces another text of that kind only.
func (d *Database) SaveText(name string, b *board.Board) (n int, err error) {
	like := func(head []byte) bool { return bytes.HasPrefix(head, []byte(textHead)) }
	if err := mayReplace(name, "the text of a database", like); err != nil {
		return 0, err
	}
	defer d.hold()()
	err = atomicfile.WriteTo(name, func(w io.Writer) error { n, err = d.WriteText(w, b); return err })
	return n, err
}

// AddText is ReadText from a file.
func (d *Database) AddText(ctx context.Context, in *Input) (int, error) {
	return d.addFile(ctx, in, d.readText)
}

// AddDatabase is Merge of the database in a file.
func (d *Database) AddDatabase(ctx context.Context, in *Input) (int, error) {
	return d.addFile(ctx, in, func(r io.Reader, g *gathering) (int, error) {
		from, err := read(r, math.MaxInt64, g)
		if err != nil {
			return 0, err
		}
		return d.Merge(from), nil
	})
}

// addFile adds the content of a file.
func (d *Database) addFile(ctx context.Context, in *Input, content func(r io.Reader, g *gathering) (int, error)) (int, error) {
	f, err := in.open(ctx)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	g := d.gather(ctx, in.Most)
	defer g.done()
	n, err := content(f, g)
	if err != nil {
		return 0, in.fault(err)
	}
	return n, nil
}

// SavePositions writes the positions of the rule and size of b to a file, each a line in pos
// notation. Those that need a pass are left out. It replaces only another file of this kind.
func (d *Database) SavePositions(name string, b *board.Board) (n int, err error) {
	if err := mayReplace(name, "a list of positions", positions.Match); err != nil {
		return 0, err
	}
	defer d.hold()()
	d.mu.RLock()
	defer d.mu.RUnlock()
	err = atomicfile.WriteTo(name, func(w io.Writer) error {
		for _, key := range d.keys(b) {
			if at, err := key.Board(); err == nil && at.Ply() == at.Width()*at.Height()-at.Empties() && at.Ply() > 0 {
				if _, err := fmt.Fprintln(w, record.FormatMoves(at.Moves())); err != nil {
					return err
				}
				n++
			}
		}
		return nil
	})
	return n, err
}

// positions matches the beginning of what SavePositions writes.
var positions = regexp.MustCompile(`^([a-v][0-9]{1,2}\n?)+[a-v]?$`)

// SaveLib is ExportLib to a file, which replaces another library only.
func (d *Database) SaveLib(name string, b *board.Board) (n int, err error) {
	like := func(head []byte) bool { return record.Detect(head) == record.RenLib }
	if err := mayReplace(name, "a RenLib library", like); err != nil {
		return 0, err
	}
	defer d.hold()()
	err = atomicfile.WriteTo(name, func(w io.Writer) error { n, err = d.ExportLib(w, b); return err })
	return n, err
}

// AddLib is ImportLib from a file, which it reads a part at a time.
func (d *Database) AddLib(ctx context.Context, in *Input, rule board.Rule) (int, error) {
	f, err := in.open(ctx)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	g := d.gather(ctx, in.Most)
	defer g.done()
	lib, err := in.library(f)
	n := 0
	if err == nil {
		n, err = d.importLib(lib, rule, g, in.at, 0)
	}
	if err != nil {
		return 0, in.fault(err)
	}
	in.read.Store(in.size.Load())
	return n, nil
}

// Check returns the number of positions that no query finds, since their key is not the
// least of the eight. Other programs may have written such ones. Positions that have no key
// here, by their number of stones, do not count.
func (d *Database) Check() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return len(d.strays())
}

// Fix stores the positions that Check counts under their right key, unless there is a better
// record under it, which gets the comment if it has none. It returns their number.
func (d *Database) Fix() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	strays := d.strays()
	for _, key := range slices.Sorted(maps.Keys(strays)) { // several may belong under one key
		to, r := strays[key], d.record(key)
		d.remove(key)
		r.text = Record{Label: r.Label}.WithComment(r.Comment()).text // cells would be wrong
		if old, ok := d.get(to); ok {
			r = old.improvedBy(r)
		}
		d.put(to, r)
	}
	return len(strays)
}

func (d *Database) strays() map[Key]Key {
	strays := map[Key]Key{}
	var k keyer
	d.all(func(key Key, _ Record) {
		k.setKey(key)
		if to := k.key(); string(to) != string(key) && k.balanced() {
			strays[key] = Key(to)
		}
	})
	return strays
}

// IsDatabase reports whether a file may be a database; one that is not compressed has no
// mark.
func IsDatabase(head []byte) bool {
	return bytes.HasPrefix(head, []byte(frameMagic)) || len(head) >= 9 && bytes.Equal(head[4:9], []byte{keyHead, 0, 0, 0, 0})
}

// Board returns the position of a key. Black and White take turns as far as they can; passes
// fill the rest.
func (key Key) Board() (*board.Board, error) {
	b, err := board.New(rules[key[0]], int(key[1]), int(key[2]))
	if err != nil {
		return nil, err
	}
	black, white := key.stones(nil, nil)
	for len(black)+len(white) > 0 || b.Side() != key.side() {
		stones := &black
		if b.Side() == board.White {
			stones = &white
		}
		if len(*stones) == 0 {
			b.Pass()
			continue
		}
		b.Play((*stones)[0].move())
		*stones = (*stones)[1:]
	}
	return b, nil
}
