package database

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync/atomic"

	"tengen/brain/atomicfile"
	"tengen/brain/record"
)

// An Input is a file that is read into a database: see AddText, AddLib and AddDatabase, which read
// until ctx ends, add nothing after an error, and lock the database for moments only, so that it can
// be used meanwhile. Progress may be called while they run.
type Input struct {
	Name string
	Most int64 // bytes of memory that what is read may take, 0 for no such limit

	Remarks []string // of a Builder: what was left out

	read, size atomic.Int64
	pass       libPass
	scanned    int64 // bytes in the first pass
}

// A libPass says which half of the progress the bytes of a library are: it is read for the encoding of its
// texts before its positions.
type libPass uint8

const (
	noLib libPass = iota
	libTexts
	libPositions // counted by at
)

// library begins to read a library.
func (in *Input) library(f io.ReadSeeker) (*record.LibReader, error) {
	in.pass, in.scanned = libTexts, 0
	defer func() { in.pass = libPositions }()
	return record.NewLibStream(f)
}

// at notes how far the positions of a library are read.
func (in *Input) at(offset int64) { in.read.Store((in.size.Load() + offset) / 2) }

// count notes bytes that have been read.
func (in *Input) count(n int64) {
	switch in.pass {
	case noLib:
		in.read.Add(n)
	case libTexts:
		in.scanned += n
		in.read.Store(min(in.scanned, in.size.Load()) / 2)
	}
}

// Progress returns how many bytes of the file have been read, and how many it has, 0 if that is not
// known yet. The texts of a library are read before its positions: each is half of it.
func (in *Input) Progress() (read, size int64) { return in.read.Load(), in.size.Load() }

// open opens the file.
func (in *Input) open(ctx context.Context) (*inputFile, error) {
	f, err := atomicfile.Open(in.Name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	in.size.Store(info.Size())
	return &inputFile{f, ctx, in}, nil
}

// fault returns err with the name of the file.
func (in *Input) fault(err error) error { return fmt.Errorf("%s: %w", in.Name, err) }

// An inputFile is the file of an Input that is being read.
type inputFile struct {
	*os.File
	ctx context.Context
	in  *Input
}

func (f *inputFile) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := f.File.Read(p)
	f.in.count(int64(n))
	return n, err
}

// counted is how many records are read between two looks at ctx and at the memory.
const counted = 4096

// A gathering counts what is read for a database.
type gathering struct {
	ctx  context.Context
	most int64 // bytes, 0 for no limit
	n    int
	d    *Database
}

// gather returns a gathering for d. Its end is done.
func (d *Database) gather(ctx context.Context, most int64) *gathering {
	return &gathering{ctx: ctx, most: most, d: d}
}

// next is called for each record that is read, with the number of records so far and other bytes of
// memory beside them. It returns an error when there is no more room, or nobody waits for them any more.
func (g *gathering) next(records int, other int64) error {
	if g.n++; g.n%counted != 0 {
		return nil
	}
	taken := int64(records) * recordBytes
	g.d.gathered.Store(taken + other)
	if g.most > 0 && taken > g.most {
		return fmt.Errorf("its positions take more than %d MiB of memory", g.most>>20)
	}
	return g.ctx.Err()
}

// done ends it: what was read is in the database, or gone.
func (g *gathering) done() { g.d.gathered.Store(0) }

// add calls f for each of the records, which may put it into the database. Others have their turn
// at its lock now and then.
func (d *Database) add(records map[Key]Record, f func(key Key, r Record)) {
	n := 0
	d.mu.Lock()
	defer d.mu.Unlock()
	each := maps.All(records)
	if d.stored != nil { // so that each of its blocks is read once
		each = func(yield func(Key, Record) bool) {
			for _, key := range slices.SortedFunc(maps.Keys(records), inFile) {
				if !yield(key, records[key]) {
					return
				}
			}
		}
	}
	for key, r := range each {
		f(key, r)
		if n++; n%counted == 0 {
			d.mu.Unlock()
			d.mu.Lock()
		}
	}
}
