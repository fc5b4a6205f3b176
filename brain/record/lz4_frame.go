package record

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// An LZ4 frame is a magic number, a descriptor, blocks with their lengths, a length of
// zero and a sum of all content.
// Source: LZ4 frame format description 1.6.
const (
	lz4Magic     = 0x184d2204
	lz4Skippable = 0x184d2a50 // and the fifteen numbers after it
	lz4Raw       = 1 << 31    // in a block's length: stored as it is

	lz4Version     = 1 << 6 // flags of the descriptor
	lz4Independent = 1 << 5
	lz4BlockSum    = 1 << 4
	lz4Size        = 1 << 3
	lz4ContentSum  = 1 << 2
	lz4Reserved    = 1 << 1
	lz4Dictionary  = 1 << 0

	lz4BlockMax = 4 << 20 // bytes of content of our blocks
	lz4BlockID  = 7       // 4 MiB in the descriptor; 4 is 64 KiB, each step times 4
)

// ErrLZ4 is what a reader of LZ4 wraps when the bytes are damaged or cut.
var ErrLZ4 = errors.New("damaged LZ4 data")

// An LZ4Writer compresses into one LZ4 frame of independent blocks of 4 MiB with a sum
// of the content.
type LZ4Writer struct {
	w     io.Writer
	begun bool
	in    []byte // content that waits for its block to be full
	out   []byte
	sum   xxh32
	err   error
}

// NewLZ4Writer returns a writer to w. Close ends the frame; it does not close w.
func NewLZ4Writer(w io.Writer) *LZ4Writer { return &LZ4Writer{w: w, sum: newXXH32()} }

// Write takes p into the frame. Errors are those of the underlying writer.
func (z *LZ4Writer) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 && z.err == nil {
		k := min(len(p), lz4BlockMax-len(z.in))
		z.in = append(z.in, p[:k]...)
		p = p[k:]
		if len(z.in) == lz4BlockMax {
			z.block()
		}
	}
	return n - len(p), z.err
}

// Close writes what waits and the end of the frame. An empty frame is a frame as well.
func (z *LZ4Writer) Close() error {
	z.block()
	z.out = le.AppendUint32(le.AppendUint32(z.out[:0], 0), z.sum.sum())
	z.flush()
	return z.err
}

func (z *LZ4Writer) block() {
	z.out = z.out[:0]
	if !z.begun {
		z.begun = true
		z.out = le.AppendUint32(z.out, lz4Magic)
		descriptor := []byte{lz4Version | lz4Independent | lz4ContentSum, lz4BlockID << 4}
		z.out = append(append(z.out, descriptor...), byte(xxh32Of(descriptor)>>8))
	}
	if len(z.in) > 0 {
		z.sum.write(z.in)
		at := len(z.out)
		z.out = appendLZ4(append(z.out, 0, 0, 0, 0), z.in)
		n := uint32(len(z.out) - at - 4)
		if n >= uint32(len(z.in)) {
			z.out = append(z.out[:at+4], z.in...)
			n = uint32(len(z.in)) | lz4Raw
		}
		le.PutUint32(z.out[at:], n)
		z.in = z.in[:0]
	}
	z.flush()
}

func (z *LZ4Writer) flush() {
	if z.err == nil {
		_, z.err = z.w.Write(z.out)
	}
}

// An LZ4Reader reads one or more LZ4 frames put end to end, whatever wrote them: linked
// or independent blocks, with or without sums and sizes; skippable frames are skipped.
// Dictionaries are refused.
type LZ4Reader struct {
	r     io.Reader
	at    int64 // bytes read
	frame lz4Frame
	begun bool   // a frame has been seen
	open  bool   // within a frame
	raw   []byte // the block as it came
	data  []byte // up to 64 KiB of content read earlier, then content
	next  int    // data[next:] has not been handed out
	err   error
}

// An lz4Frame is the descriptor of a frame and what has come of its content.
type lz4Frame struct {
	flags byte
	max   int // bytes of content in a block
	size  uint64
	done  uint64 // bytes of content so far
	sum   xxh32
}

// NewLZ4Reader returns a reader of r, which is read in small pieces: give it a buffer.
func NewLZ4Reader(r io.Reader) *LZ4Reader { return &LZ4Reader{r: r} }

// Read gives content. Errors wrap ErrLZ4 and name the byte of the compressed data.
func (z *LZ4Reader) Read(p []byte) (int, error) {
	for z.next == len(z.data) {
		if z.err != nil {
			return 0, z.err
		}
		start := z.at
		if z.open {
			z.err = z.block()
		} else {
			z.err = z.begin()
		}
		if z.err != nil && z.err != io.EOF {
			z.err = fmt.Errorf("byte %d: %w", start, z.err)
		}
	}
	n := copy(p, z.data[z.next:])
	z.next += n
	return n, nil
}

func damaged(what string) error { return fmt.Errorf("%w: %s", ErrLZ4, what) }

// full fills p; an end within it is damage.
func (z *LZ4Reader) full(p []byte) error {
	n, err := io.ReadFull(z.r, p)
	z.at += int64(n)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return damaged("cut short")
	}
	return err
}

func (z *LZ4Reader) uint32() (uint32, error) {
	var b [4]byte
	err := z.full(b[:])
	return le.Uint32(b[:]), err
}

// begin reads the head of a frame. io.EOF after a frame is the end.
func (z *LZ4Reader) begin() error {
	var magic [4]byte
	n, err := io.ReadFull(z.r, magic[:])
	z.at += int64(n)
	switch {
	case err == io.EOF && z.begun:
		return io.EOF
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return damaged("no frame")
	case err != nil:
		return err
	}
	switch m := le.Uint32(magic[:]); {
	case m&^15 == lz4Skippable:
		n, err := z.uint32()
		if err != nil {
			return err
		}
		k, err := io.CopyN(io.Discard, z.r, int64(n))
		z.at += k
		if err == io.EOF {
			return damaged("cut short")
		}
		z.begun = true
		return err
	case m != lz4Magic:
		return damaged("no frame")
	}
	d := make([]byte, 2, 15)
	if err := z.full(d); err != nil {
		return err
	}
	f := lz4Frame{flags: d[0], sum: newXXH32()}
	id := d[1] >> 4
	switch {
	case f.flags>>6 != lz4Version>>6 || f.flags&lz4Reserved != 0 || d[1]&0x8f != 0 || id < 4:
		return damaged("a descriptor that is not known")
	case f.flags&lz4Dictionary != 0:
		return damaged("a dictionary is needed")
	}
	f.max = 1 << (8 + 2*id)
	if f.flags&lz4Size != 0 {
		d = d[:10]
		if err := z.full(d[2:]); err != nil {
			return err
		}
		f.size = le.Uint64(d[2:])
	}
	var sum [1]byte
	if err := z.full(sum[:]); err != nil {
		return err
	}
	if sum[0] != byte(xxh32Of(d)>>8) {
		return damaged("the sum of the descriptor does not fit")
	}
	z.frame, z.open, z.begun = f, true, true
	z.data, z.next = z.data[:0], 0
	return nil
}

// block reads a block or the end of the frame.
func (z *LZ4Reader) block() error {
	f := &z.frame
	n, err := z.uint32()
	if err != nil {
		return err
	}
	if n == 0 {
		z.open = false
		if f.flags&lz4Size != 0 && f.size != f.done {
			return damaged("the content has another length than its frame says")
		}
		return z.check(lz4ContentSum, f.sum.sum())
	}
	length := int(n &^ lz4Raw)
	if length > f.max {
		return damaged("a block longer than its frame allows")
	}
	z.raw = slices.Grow(z.raw[:0], length)[:length]
	if err := z.full(z.raw); err != nil {
		return err
	}
	if f.flags&lz4BlockSum != 0 {
		if err := z.check(lz4BlockSum, xxh32Of(z.raw)); err != nil {
			return err
		}
	}
	keep := 0
	if f.flags&lz4Independent == 0 {
		keep = min(len(z.data), lz4Window)
	}
	z.data = append(z.data[:0], z.data[len(z.data)-keep:]...)
	z.next = keep
	if n&lz4Raw != 0 {
		z.data = append(z.data, z.raw...)
	} else if data, err := decodeLZ4(z.data, z.raw, f.max); err == nil {
		z.data = data
	} else {
		z.data, z.next = z.data[:0], 0
		return damaged("a block that does not unfold")
	}
	f.done += uint64(len(z.data) - keep)
	f.sum.write(z.data[keep:])
	return nil
}

// check reads a sum if the frame has that kind.
func (z *LZ4Reader) check(kind byte, want uint32) error {
	if z.frame.flags&kind == 0 {
		return nil
	}
	sum, err := z.uint32()
	if err == nil && sum != want {
		err = damaged("a sum does not fit")
	}
	if err != nil {
		z.data, z.next = z.data[:0], 0
	}
	return err
}
