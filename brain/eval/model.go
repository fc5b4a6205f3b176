package eval

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"sync"
	"unicode/utf8"

	"tengen/brain/board"
	"tengen/brain/nnue"
)

// Tables are the numbers of the evaluation for one rule, set by hand or learned.
type Tables struct {
	Rule   board.Rule // as Shapes returns it
	Origin string     // where the numbers come from, in words

	// Sides holds the numbers by color. Where both colors play by the same rules
	// both entries point to the same Side.
	Sides [2]*Side
}

// A Side is what the cells and threats of one color are worth. The arrays over codes
// are indexed by CodeNumber.
type Side struct {
	Cells  [nnue.Codes]int16        // points for an empty cell where this color's stone would make the patterns
	Threat [board.ThreatMasks]int16 // points for this color on move, by board.Board.ThreatMask
	Own    [nnue.Codes]int16        // how early this color tries a cell, by what it makes there
	Other  [nnue.Codes]int16        // the same by what it keeps the opponent from making
}

// sameForBoth reports whether the colors of r play by the same rules.
func sameForBoth(r board.Rule) bool { return r&board.Renju == 0 }

// newTables returns tables of zeros for r.
func newTables(r board.Rule) *Tables {
	t := &Tables{Rule: r.Shapes(), Sides: [2]*Side{new(Side), nil}}
	t.Sides[1] = t.Sides[0]
	if !sameForBoth(r) {
		t.Sides[1] = new(Side)
	}
	return t
}

// colors returns the number of Sides that differ: 1 or 2.
func (t *Tables) colors() int {
	if sameForBoth(t.Rule) {
		return 1
	}
	return 2
}

// CodeNumber returns the number of a packed code, four bits a direction, in
// 0..nnue.Codes-1: the same for all orders of the four directions. The numbers are part of
// the file format: they count the multisets a <= b <= c <= d with d as the slowest.
func CodeNumber(code uint16) int { return int(codes().number[code]) }

// codePatterns returns the packed code of number n, its patterns in rising order.
func codePatterns(n int) uint16 { return codes().patterns[n] }

type codeMaps struct {
	number   [1 << 16]uint16
	patterns [nnue.Codes]uint16
}

// codes builds the maps at the first call, about 1 ms.
var codes = sync.OnceValue(func() *codeMaps {
	m := new(codeMaps)
	n := uint16(0)
	for d := range uint16(14) {
		for c := range d + 1 {
			for b := range c + 1 {
				for a := range b + 1 {
					m.patterns[n] = a | b<<4 | c<<8 | d<<12
					n++
				}
			}
		}
	}
	for n, k := range m.patterns {
		p := [4]uint16{k & 15, k >> 4 & 15, k >> 8 & 15, k >> 12}
		for i := range 256 {
			if o := [4]int{i & 3, i >> 2 & 3, i >> 4 & 3, i >> 6}; 1<<o[0]|1<<o[1]|1<<o[2]|1<<o[3] == 15 {
				m.number[p[o[0]]|p[o[1]]<<4|p[o[2]]<<8|p[o[3]]<<12] = uint16(n)
			}
		}
	}
	return m
})

// tablesMagic begins a file of tables.
const tablesMagic = "TENGENTB"

// A file of tables is a sequence of blocks, one for each rule, so that concatenated files
// are a file. A block, little-endian throughout:
//
//	magic   8 bytes  "TENGENTB"
//	version u16      1
//	rule    u8       bits of the protocol
//	colors  u8       1, or 2 under renju: black, then white
//	length  u32      bytes of the origin
//	origin  UTF-8 text
//	tables  of each color: Cells, Threat, Own, Other, as int16
//	sum     u32      CRC-32C of all before it
const (
	tablesVersion = 1
	tablesHead    = 8 + 2 + 1 + 1 + 4
	sideBytes     = 2 * (3*nnue.Codes + board.ThreatMasks)
	maxOrigin     = 1 << 16 // bytes
	maxTables     = 16 * (tablesHead + maxOrigin + 2*sideBytes + 4)
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Errors that Load wraps, with the place.
var (
	ErrNotTables = errors.New("not a file of tables")
	ErrTruncated = errors.New("the file is cut short")
	ErrChecksum  = errors.New("wrong checksum")
)

// Save appends t to dst as a block of a file.
func (t *Tables) Save(dst []byte) ([]byte, error) {
	switch {
	case !t.Rule.Valid() || t.Rule != t.Rule.Shapes():
		return nil, fmt.Errorf("tables for rule %d cannot be saved", t.Rule)
	case len(t.Origin) > maxOrigin || !utf8.ValidString(t.Origin):
		return nil, fmt.Errorf("an origin of %d bytes: want UTF-8 text of at most %d", len(t.Origin), maxOrigin)
	}
	le := binary.LittleEndian
	start := len(dst)
	dst = append(dst, tablesMagic...)
	dst = le.AppendUint16(dst, tablesVersion)
	dst = append(dst, byte(t.Rule), byte(t.colors()))
	dst = le.AppendUint32(dst, uint32(len(t.Origin)))
	dst = append(dst, t.Origin...)
	for _, s := range t.Sides[:t.colors()] {
		for _, part := range s.parts() {
			for _, v := range part {
				dst = le.AppendUint16(dst, uint16(v))
			}
		}
	}
	return le.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli)), nil
}

// Checksum returns the checksum of t in a file, which identifies the tables.
func (t *Tables) Checksum() uint32 {
	raw, err := t.Save(nil)
	if err != nil {
		return 0 // no file holds them
	}
	return binary.LittleEndian.Uint32(raw[len(raw)-4:])
}

// parts returns the arrays of s in the order of the file.
func (s *Side) parts() [4][]int16 {
	return [4][]int16{s.Cells[:], s.Threat[:], s.Own[:], s.Other[:]}
}

// Load reads a file of tables. For a damaged file it returns an error that names the byte
// where the block begins, and no tables. Costs about 1 ms a block.
func Load(raw []byte) ([]*Tables, error) {
	if len(raw) > maxTables {
		return nil, fmt.Errorf("byte %d: %w: it is too long", maxTables, ErrNotTables)
	}
	if len(raw) == 0 {
		return nil, fmt.Errorf("byte 0: %w: it is empty", ErrNotTables)
	}
	var all []*Tables
	var seen [16]bool
	for rest := raw; len(rest) > 0; {
		at := len(raw) - len(rest)
		t, n, err := parseTables(rest)
		if err == nil && seen[t.Rule] {
			err = fmt.Errorf("second tables for %v", t.Rule)
		}
		if err != nil {
			return nil, fmt.Errorf("byte %d: %w", at, err)
		}
		seen[t.Rule] = true
		all = append(all, t)
		rest = rest[n:]
	}
	return all, nil
}

// parseTables reads the block that raw begins with and returns its length in bytes.
func parseTables(raw []byte) (*Tables, int, error) {
	le := binary.LittleEndian
	if !bytes.HasPrefix(raw, []byte(tablesMagic)[:min(len(raw), len(tablesMagic))]) {
		return nil, 0, ErrNotTables
	}
	if len(raw) < tablesHead {
		return nil, 0, ErrTruncated
	}
	if v := le.Uint16(raw[8:]); v != tablesVersion {
		return nil, 0, fmt.Errorf("version %d of the tables is not known, want %d", v, tablesVersion)
	}
	rule, colors, length := board.Rule(raw[10]), int(raw[11]), int64(le.Uint32(raw[12:]))
	if !rule.Valid() || rule != rule.Shapes() {
		return nil, 0, fmt.Errorf("rule %d is not known", rule)
	}
	t := newTables(rule)
	if colors != t.colors() {
		return nil, 0, fmt.Errorf("tables for %d colors under %v, want %d", colors, rule, t.colors())
	}
	if length > maxOrigin {
		return nil, 0, fmt.Errorf("an origin of %d bytes is longer than %d", length, maxOrigin)
	}
	end := tablesHead + int(length) + colors*sideBytes
	if len(raw) < end+4 {
		return nil, 0, ErrTruncated
	}
	if crc32.Checksum(raw[:end], castagnoli) != le.Uint32(raw[end:]) {
		return nil, 0, ErrChecksum
	}
	t.Origin = string(raw[tablesHead:][:length])
	if !utf8.ValidString(t.Origin) {
		return nil, 0, errors.New("the origin is not UTF-8 text")
	}
	data := raw[tablesHead+length:]
	for _, s := range t.Sides[:colors] {
		for _, part := range s.parts() {
			for i := range part {
				part[i] = int16(le.Uint16(data))
				data = data[2:]
			}
		}
	}
	return t, end + 4, nil
}
