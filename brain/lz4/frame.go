// Package lz4 reads and writes LZ4 frames. Databases of positions and files of training samples
// are compressed with them.
package lz4

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// An LZ4 frame is a magic number, a descriptor, blocks each preceded by its length, a
// length of zero, and a checksum of all content.
// Source: LZ4 frame format description 1.6.
const (
	frameMagic = 0x184d2204
	skippable  = 0x184d2a50 // and the fifteen numbers after it
	rawBlock   = 1 << 31    // in the length of a block: it is stored uncompressed

	flagVersion     = 1 << 6 // flags of the descriptor
	flagIndependent = 1 << 5
	flagBlockSum    = 1 << 4
	flagSize        = 1 << 3
	flagContentSum  = 1 << 2
	flagReserved    = 1 << 1
	flagDictionary  = 1 << 0

	blockMax = 4 << 20 // bytes of content of our blocks
	blockID  = 7       // of 4 MiB in the descriptor; 4 is 64 KiB, and each step is a factor of 4
)

var le = binary.LittleEndian

// IsFrame reports whether content that begins with head, of 4 bytes or more, is an LZ4 frame.
func IsFrame(head []byte) bool { return len(head) >= 4 && le.Uint32(head) == frameMagic }

// ErrDamaged is wrapped by the errors of a Reader whose input is damaged or truncated.
var ErrDamaged = errors.New("damaged LZ4 data")

// A Writer compresses into one frame of independent blocks of 4 MiB, or less where EndBlock is
// called, with a checksum of the content.
type Writer struct {
	w     io.Writer
	begun bool
	in    []byte // content of the block being filled
	out   []byte
	sum   xxh32
	err   error
}

// NewWriter returns a writer to w. Close ends the frame; it does not close w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w, sum: newXXH32()} }

// Write adds p to the frame. Errors are those of the underlying writer.
func (z *Writer) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 && z.err == nil {
		k := min(len(p), blockMax-len(z.in))
		z.in = append(z.in, p[:k]...)
		p = p[k:]
		if len(z.in) == blockMax {
			z.block()
		}
	}
	return n - len(p), z.err
}

// EndBlock ends the block that is being filled, so that what is written next begins one. Blocks gives the
// content from there on without that before it.
func (z *Writer) EndBlock() error {
	if len(z.in) > 0 {
		z.block()
	}
	return z.err
}

// Close writes the last block and the end of the frame, also if nothing was written.
func (z *Writer) Close() error {
	z.block()
	z.out = le.AppendUint32(le.AppendUint32(z.out[:0], 0), z.sum.sum())
	z.flush()
	return z.err
}

func (z *Writer) block() {
	z.out = z.out[:0]
	if !z.begun {
		z.begun = true
		z.out = le.AppendUint32(z.out, frameMagic)
		descriptor := []byte{flagVersion | flagIndependent | flagContentSum, blockID << 4}
		z.out = append(append(z.out, descriptor...), byte(xxh32Of(descriptor)>>8))
	}
	if len(z.in) > 0 {
		z.sum.write(z.in)
		at := len(z.out)
		z.out = appendBlock(append(z.out, 0, 0, 0, 0), z.in)
		n := uint32(len(z.out) - at - 4)
		if n >= uint32(len(z.in)) {
			z.out = append(z.out[:at+4], z.in...)
			n = uint32(len(z.in)) | rawBlock
		}
		le.PutUint32(z.out[at:], n)
		z.in = z.in[:0]
	}
	z.flush()
}

func (z *Writer) flush() {
	if z.err == nil {
		_, z.err = z.w.Write(z.out)
	}
}

// A Reader reads one or more concatenated frames from any compressor: linked or
// independent blocks, with or without checksums and content sizes. Skippable frames are
// skipped. Frames that need a dictionary are an error.
type Reader struct {
	r     io.Reader
	at    int64 // bytes read
	frame frame
	begun bool   // a frame has been read
	open  bool   // within a frame
	raw   []byte // the compressed block
	data  []byte // up to 64 KiB of earlier content, which linked blocks refer to, then content
	next  int    // data[next:] has not been returned
	err   error
}

// A frame is the descriptor of a frame and the state of reading it.
type frame struct {
	flags byte
	max   int // bytes of content in a block at most
	size  uint64
	done  uint64 // bytes of content so far
	sum   xxh32
}

// NewReader returns a reader of r, which should be buffered: it is read in small pieces.
func NewReader(r io.Reader) *Reader { return &Reader{r: r} }

// Read returns content. Errors wrap ErrDamaged, or are those of the underlying reader, and
// name the offset in the compressed data.
func (z *Reader) Read(p []byte) (int, error) {
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

func damaged(what string) error { return fmt.Errorf("%w: %s", ErrDamaged, what) }

// full fills p. The end of the input before that is damage.
func (z *Reader) full(p []byte) error {
	n, err := io.ReadFull(z.r, p)
	z.at += int64(n)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return damaged("truncated")
	}
	return err
}

func (z *Reader) uint32() (uint32, error) {
	var b [4]byte
	err := z.full(b[:])
	return le.Uint32(b[:]), err
}

// begin reads the header of a frame. It returns io.EOF at the end of the input if there was
// a frame.
func (z *Reader) begin() error {
	var head [4]byte
	n, err := io.ReadFull(z.r, head[:])
	z.at += int64(n)
	switch {
	case err == io.EOF && z.begun:
		return io.EOF
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return damaged("no LZ4 frame")
	case err != nil:
		return err
	}
	switch m := le.Uint32(head[:]); {
	case m&^15 == skippable:
		n, err := z.uint32()
		if err != nil {
			return err
		}
		k, err := io.CopyN(io.Discard, z.r, int64(n))
		z.at += k
		if err == io.EOF {
			return damaged("truncated")
		}
		z.begun = true
		return err
	case m != frameMagic:
		return damaged("no LZ4 frame")
	}
	d := make([]byte, 2, 15)
	if err := z.full(d); err != nil {
		return err
	}
	f := frame{flags: d[0], sum: newXXH32()}
	id := d[1] >> 4
	switch {
	case f.flags>>6 != flagVersion>>6 || f.flags&flagReserved != 0 || d[1]&0x8f != 0 || id < 4:
		return damaged("unknown frame descriptor")
	case f.flags&flagDictionary != 0:
		return damaged("the frame needs a dictionary, which is not supported")
	}
	f.max = 1 << (8 + 2*id)
	if f.flags&flagSize != 0 {
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
		return damaged("wrong checksum of the frame descriptor")
	}
	z.frame, z.open, z.begun = f, true, true
	z.data, z.next = z.data[:0], 0
	return nil
}

// block reads a block or the end of the frame.
func (z *Reader) block() error {
	f := &z.frame
	n, err := z.uint32()
	if err != nil {
		return err
	}
	if n == 0 {
		z.open = false
		if f.flags&flagSize != 0 && f.size != f.done {
			return damaged("the content size differs from the one in the frame descriptor")
		}
		return z.check(flagContentSum, f.sum.sum())
	}
	length := int(n &^ rawBlock)
	if length > f.max {
		return damaged("a block is longer than the frame allows")
	}
	z.raw = slices.Grow(z.raw[:0], length)[:length]
	if err := z.full(z.raw); err != nil {
		return err
	}
	if f.flags&flagBlockSum != 0 {
		if err := z.check(flagBlockSum, xxh32Of(z.raw)); err != nil {
			return err
		}
	}
	keep := 0
	if f.flags&flagIndependent == 0 {
		keep = min(len(z.data), window)
	}
	z.data = append(z.data[:0], z.data[len(z.data)-keep:]...)
	z.next = keep
	if n&rawBlock != 0 {
		z.data = append(z.data, z.raw...)
	} else if data, err := decodeBlock(z.data, z.raw, f.max); err == nil {
		z.data = data
	} else {
		z.data, z.next = z.data[:0], 0
		return damaged("a block cannot be decompressed")
	}
	f.done += uint64(len(z.data) - keep)
	f.sum.write(z.data[keep:])
	return nil
}

// check reads and compares a checksum if the frame has that kind.
func (z *Reader) check(kind byte, want uint32) error {
	if z.frame.flags&kind == 0 {
		return nil
	}
	sum, err := z.uint32()
	if err == nil && sum != want {
		err = damaged("wrong checksum")
	}
	if err != nil {
		z.data, z.next = z.data[:0], 0
	}
	return err
}
