package nnue

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Magic begins a file.
const Magic = "TENGENNN"

// A file holds one network, little-endian throughout:
//
//	magic   8 bytes  "TENGENNN"
//	version u16      1
//	rule    u8       bits of the protocol
//	sets    u8       views and heads, 1 or 2: of black, then of white
//	length  u32      bytes of the origin
//	origin  UTF-8 text
//	views   Line, Own, Other, Bias of each
//	heads   the fields of each in their order in Head
//	sum     u32      CRC-32C of all before it
//
// A number of -127..127 that is an int16 in memory takes a byte, any other the byte 0x80
// and two more. An int32 takes four bytes, a shift one.
const (
	fileVersion = 1
	headBytes   = len(Magic) + 2 + 1 + 1 + 4
	maxOrigin   = 1 << 16 // bytes
	escape      = -128    // as an int8: two bytes follow
)

// Errors that Load wraps, with the place.
var (
	ErrNotNetwork = errors.New("not a file of a network")
	ErrTruncated  = errors.New("the file is cut short")
	ErrChecksum   = errors.New("wrong checksum")
)

// Save appends n to dst as a file. Errors: those of Check.
func (n *Network) Save(dst []byte) ([]byte, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	start := len(dst)
	dst = append(dst, Magic...)
	dst = binary.LittleEndian.AppendUint16(dst, fileVersion)
	dst = append(dst, n.Rule, byte(len(n.Views)))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(n.Origin)))
	dst = append(dst, n.Origin...)
	w := writer{dst}
	n.visit(&w)
	return binary.LittleEndian.AppendUint32(w.dst, crc32.Checksum(w.dst[start:], castagnoli)), nil
}

// Load reads a file that Save made. It returns an error for anything else, and for a
// network that Check does not pass. 1 ms for each set of numbers.
func Load(data []byte) (*Network, error) {
	n, err := LoadUnchecked(data)
	if err != nil {
		return nil, err
	}
	if err := n.Check(); err != nil {
		return nil, err
	}
	return n, nil
}

// LoadUnchecked is Load for a file whose network is known to pass Check, in two thirds of the
// time.
func LoadUnchecked(data []byte) (*Network, error) {
	switch {
	case len(data) < len(Magic) || string(data[:len(Magic)]) != Magic:
		return nil, ErrNotNetwork
	case len(data) < headBytes+4:
		return nil, ErrTruncated
	}
	le := binary.LittleEndian
	if v := le.Uint16(data[len(Magic):]); v != fileVersion {
		return nil, fmt.Errorf("a network of version %d, want %d", v, fileVersion)
	}
	rule, sets, length := data[headBytes-6], data[headBytes-5], le.Uint32(data[headBytes-4:])
	switch {
	case sets != 1 && sets != 2:
		return nil, fmt.Errorf("%d sets of numbers: %w", sets, ErrShape)
	case length > maxOrigin:
		return nil, fmt.Errorf("an origin of %d bytes, want at most %d", length, maxOrigin)
	case len(data) < headBytes+int(length)+4:
		return nil, ErrTruncated
	}
	end := len(data) - 4
	if le.Uint32(data[end:]) != crc32.Checksum(data[:end], castagnoli) {
		return nil, ErrChecksum
	}
	n := &Network{
		Rule: rule, Origin: string(data[headBytes : headBytes+int(length)]),
		Views: make([]View, sets), Heads: make([]Head, sets),
	}
	r := reader{src: data[headBytes+int(length) : end]}
	n.visit(&r)
	switch {
	case r.short:
		return nil, ErrTruncated
	case r.wasteful:
		return nil, errors.New("a number takes three bytes where one would do")
	case len(r.src) > 0:
		return nil, fmt.Errorf("%d bytes too many", len(r.src))
	}
	return n, nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A codec reads or writes numbers in the order of visit.
type codec interface {
	shorts([]int16)
	longs([]int32)
	byte(*uint8)
}

// visit passes all numbers to c in the order of the file.
func (n *Network) visit(c codec) {
	for i := range n.Views {
		v := &n.Views[i]
		for _, rows := range [][][Width]int16{v.Line[:], v.Own[:], v.Other[:]} {
			for j := range rows {
				c.shorts(rows[j][:])
			}
		}
		c.shorts(v.Bias[:])
	}
	for i := range n.Heads {
		h := &n.Heads[i]
		for j := range h.Global {
			c.shorts(h.Global[j][:])
		}
		c.byte(&h.GlobalShift)
		for t := range h.Region {
			for j := range h.Region[t] {
				c.shorts(h.Region[t][j][:])
			}
		}
		for t := range h.RegionBias {
			c.longs(h.RegionBias[t][:])
		}
		c.byte(&h.RegionShift)
		for t := range h.Merge {
			for j := range h.Merge[t] {
				c.shorts(h.Merge[t][j][:])
			}
		}
		c.byte(&h.MergeShift)
		for j := range h.Mask {
			c.shorts(h.Mask[j][:])
		}
		c.longs(h.Bias[:])
		c.shorts(h.Out[:])
		out := [1]int32{h.OutBias}
		c.longs(out[:])
		h.OutBias = out[0]
		c.byte(&h.OutShift)
		for j := range h.Gate {
			c.shorts(h.Gate[j][:])
		}
		c.longs(h.GateBias[:])
		c.byte(&h.GateShift)
		c.byte(&h.PolicyShift)
		c.shorts(h.PolicyOwn[:])
		c.shorts(h.PolicyOther[:])
		for j := range h.Near {
			c.shorts(h.Near[j][:])
		}
	}
}

type writer struct{ dst []byte }

func (w *writer) shorts(values []int16) {
	for _, v := range values {
		if v == int16(int8(v)) && v != escape {
			w.dst = append(w.dst, byte(v))
		} else {
			w.dst = append(w.dst, 0x80, byte(v), byte(v>>8))
		}
	}
}

func (w *writer) longs(values []int32) {
	for _, v := range values {
		w.dst = binary.LittleEndian.AppendUint32(w.dst, uint32(v))
	}
}

func (w *writer) byte(v *uint8) { w.dst = append(w.dst, *v) }

// A reader takes numbers from src. After an error it gives zeros.
type reader struct {
	src             []byte
	short, wasteful bool
}

func (r *reader) shorts(values []int16) {
	for len(values) >= 8 && len(r.src) >= 8 {
		// Most numbers take a byte: eight at a time, if no byte is an escape.
		const ones = 0x0101010101010101
		eight := binary.LittleEndian.Uint64(r.src)
		if other := eight ^ 0x80*ones; (other-ones)&^other&(0x80*ones) != 0 {
			r.each(values[:8])
		} else {
			for i := range values[:8] {
				values[i] = int16(int8(eight >> (8 * i)))
			}
			r.src = r.src[8:]
		}
		values = values[8:]
	}
	r.each(values)
}

// each is shorts for one number after the other.
func (r *reader) each(values []int16) {
	src := r.src
	for i := range values {
		if len(src) == 0 {
			r.short = true
			break
		}
		v := int16(int8(src[0]))
		src = src[1:]
		if v == escape {
			if len(src) < 2 {
				r.short = true
				break
			}
			v = int16(src[0]) | int16(src[1])<<8
			src = src[2:]
			r.wasteful = r.wasteful || v == int16(int8(v)) && v != escape
		}
		values[i] = v
	}
	r.src = src
}

func (r *reader) longs(values []int32) {
	if len(r.src) < 4*len(values) {
		r.short, r.src = true, nil
		return
	}
	for i := range values {
		values[i] = int32(binary.LittleEndian.Uint32(r.src[4*i:]))
	}
	r.src = r.src[4*len(values):]
}

func (r *reader) byte(v *uint8) {
	if len(r.src) == 0 {
		r.short = true
		return
	}
	*v, r.src = r.src[0], r.src[1:]
}

// Check reports the first thing that keeps n from being evaluated: shapes that do not
// fit, a shift beyond MaxShift, or a sum that could overflow for some position.
func (n *Network) Check() error {
	if len(n.Origin) > maxOrigin || !isText(n.Origin) {
		return fmt.Errorf("an origin of %d bytes: want UTF-8 text of at most %d", len(n.Origin), maxOrigin)
	}
	if len(n.Views) != len(n.Heads) || len(n.Views) != 1 && len(n.Views) != 2 {
		return fmt.Errorf("%d views and %d heads: %w", len(n.Views), len(n.Heads), ErrShape)
	}
	for i := range n.Views {
		if err := n.Views[i].check(); err != nil {
			return fmt.Errorf("view %d: %w", i, err)
		}
	}
	for i := range n.Heads {
		if err := n.Heads[i].check(); err != nil {
			return fmt.Errorf("head %d: %w", i, err)
		}
	}
	return nil
}

func isText(s string) bool {
	for _, r := range s {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return false
		}
	}
	return utf8.ValidString(s)
}

// check makes sure that the sum of the rows of a cell fits in int16.
func (v *View) check() error {
	var low, high [Width]int
	for i, bias := range v.Bias {
		low[i], high[i] = int(bias), int(bias)
	}
	for _, rows := range [...]struct {
		of   [][Width]int16
		each int
	}{{v.Line[:], 4}, {v.Own[:], 1}, {v.Other[:], 1}} {
		least, most := rows.of[0], rows.of[0]
		for j := range rows.of {
			for i, x := range &rows.of[j] {
				least[i], most[i] = min(least[i], x), max(most[i], x)
			}
		}
		for i := range Width {
			low[i] += rows.each * int(least[i])
			high[i] += rows.each * int(most[i])
		}
	}
	for i := range Width {
		if low[i] < -1<<15 || high[i] > 1<<15-1 {
			return fmt.Errorf("a cell's number %d can be %d to %d: %w", i, low[i], high[i], ErrOverflow)
		}
	}
	return nil
}

// check makes sure that no int32 sum of the head can overflow.
func (h *Head) check() error {
	if slices.Max([]uint8{h.GlobalShift, h.RegionShift, h.MergeShift, h.OutShift, h.GateShift, h.PolicyShift}) > MaxShift {
		return fmt.Errorf("%w: want at most %d", ErrShift, MaxShift)
	}
	for i := range Hidden {
		global := bound(h.Global[i][:], poolMax) + half(h.GlobalShift)
		merge := half(h.MergeShift)
		for _, t := range RegionType {
			merge += bound(h.Merge[t][i][:], HiddenMax)
		}
		all := global>>h.GlobalShift + merge>>h.MergeShift + 1<<15 + magnitude(h.Bias[i])
		if !fits(global, merge, all) {
			return fmt.Errorf("hidden number %d: %w", i, ErrOverflow)
		}
		// The bias is added before the shift of Global, see newHeadWeights.
		if !fits(global + magnitude(h.Bias[i])<<h.GlobalShift) {
			return fmt.Errorf("bias of hidden number %d: %w", i, ErrOverflow)
		}
	}
	for t := range RegionTypes {
		for i := range RegionHidden {
			if !fits(bound(h.Region[t][i][:], regionMax) + magnitude(h.RegionBias[t][i]) + half(h.RegionShift)) {
				return fmt.Errorf("hidden number %d of region type %d: %w", i, t, ErrOverflow)
			}
		}
	}
	if !fits(bound(h.Out[:], HiddenMax) + magnitude(h.OutBias) + half(h.OutShift)) {
		return fmt.Errorf("value: %w", ErrOverflow)
	}
	for i := range Pair {
		if !fits(bound(h.Gate[i][:], poolMax) + magnitude(h.GateBias[i]) + half(h.GateShift)) {
			return fmt.Errorf("gate %d: %w", i, ErrOverflow)
		}
	}
	return nil // logits cannot: the gate is at most 1<<15, so they stay below Pair*CellMax<<15 + 1<<30
}

// bound returns the greatest magnitude of a sum of products of w with inputs 0..most.
func bound(w []int16, most int64) int64 {
	sum := int64(0)
	for _, v := range w {
		sum += magnitude(int32(v))
	}
	return sum * most
}

func magnitude(v int32) int64 { return max(int64(v), -int64(v)) }

// half is what is added before a shift, so that it rounds.
func half(shift uint8) int64 { return 1 << shift >> 1 }

// fits reports whether all of the magnitudes are less than 1<<31.
func fits(magnitudes ...int64) bool { return slices.Max(magnitudes) < 1<<31 }
