package lz4

import (
	"fmt"
	"io"
	"slices"
)

// Blocks gives the content of the blocks of a frame in any order. It is not safe for use by several
// goroutines.
type Blocks struct {
	r     io.ReaderAt
	frame frame
	at    []int64  // of each block, behind its length
	sizes []uint32 // of each block in the frame, with rawBlock
	raw   []byte
}

// NewBlocks finds the blocks of a file of size bytes, which has to be one frame of independent blocks. It
// reads the length of each block, and none of the content.
func NewBlocks(r io.ReaderAt, size int64) (*Blocks, error) {
	z := NewReader(io.NewSectionReader(r, 0, size))
	if err := z.begin(); err != nil {
		return nil, err
	}
	if !z.open || z.frame.flags&flagIndependent == 0 {
		return nil, damaged("no frame of independent blocks")
	}
	b := &Blocks{r: r, frame: z.frame}
	end := size
	if z.frame.flags&flagContentSum != 0 {
		end -= 4
	}
	for at := z.at; ; {
		var n [4]byte
		if _, err := r.ReadAt(n[:], at); err != nil {
			return nil, fmt.Errorf("byte %d: %w", at, err)
		}
		at += 4
		length := le.Uint32(n[:])
		if length == 0 {
			if at != end {
				return nil, damaged("there is data after the frame")
			}
			return b, nil
		}
		b.at, b.sizes = append(b.at, at), append(b.sizes, length)
		if at += int64(length &^ rawBlock); z.frame.flags&flagBlockSum != 0 {
			at += 4
		}
		if int(length&^rawBlock) > z.frame.max || at > size {
			return nil, damaged("a block is longer than the frame allows")
		}
	}
}

// Len returns the number of blocks.
func (b *Blocks) Len() int { return len(b.at) }

// Size returns how many bytes block i has in the frame.
func (b *Blocks) Size(i int) int { return int(b.sizes[i] &^ rawBlock) }

// Content returns the content of block i, in buf if that has room. The checksum of the whole frame is not
// looked at.
func (b *Blocks) Content(buf []byte, i int) ([]byte, error) {
	n := b.Size(i)
	sum := 0
	if b.frame.flags&flagBlockSum != 0 {
		sum = 4
	}
	if err := b.read(i, n+sum); err != nil {
		return nil, err
	}
	if sum > 0 && xxh32Of(b.raw[:n]) != le.Uint32(b.raw[n:]) {
		return nil, fmt.Errorf("byte %d: %w", b.at[i], damaged("wrong checksum"))
	}
	if b.sizes[i]&rawBlock != 0 {
		return append(buf[:0], b.raw[:n]...), nil
	}
	content, err := decodeBlock(buf[:0], b.raw[:n], b.frame.max)
	if err != nil {
		return nil, fmt.Errorf("byte %d: %w", b.at[i], damaged("a block cannot be decompressed"))
	}
	return content, nil
}

// Start returns the first bytes of the content of block i, up to n, as far as the first n bytes of the
// block in the frame give them.
func (b *Blocks) Start(i, n int) ([]byte, error) {
	n = min(n, b.Size(i))
	if err := b.read(i, n); err != nil {
		return nil, err
	}
	if b.sizes[i]&rawBlock != 0 {
		return slices.Clone(b.raw), nil
	}
	return startOfBlock(b.raw, n), nil
}

// read reads the first n bytes of block i.
func (b *Blocks) read(i, n int) error {
	b.raw = slices.Grow(b.raw[:0], n)[:n]
	if _, err := b.r.ReadAt(b.raw, b.at[i]); err != nil {
		return fmt.Errorf("byte %d: %w", b.at[i], err)
	}
	return nil
}
