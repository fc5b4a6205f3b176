package dataset

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tengen/brain/lz4"
	"tengen/brain/sample"
	"tengen/cmd/internal/ctxreader"
	"tengen/cmd/internal/flags"
)

// FormatOf returns the format that the name of a file says, which may be one that package sample
// does not know: the extension, without .lz4, and whether that was there.
func FormatOf(name string) (format string, compressed bool) {
	name, compressed = strings.CutSuffix(strings.ToLower(name), ".lz4")
	return strings.TrimPrefix(filepath.Ext(name), "."), compressed
}

// A Source reads the games of a file in any format, compressed or not.
type Source struct {
	*sample.Source
	ctx  context.Context
	name string
	file *os.File
	sum  hash.Hash32 // of the bytes of the file
}

// Open opens a file, or standard input for "-". LZ4 frames and .tgs are recognized by their
// content; for others the format is the given one or, if that is empty, the one of the name. When
// ctx ends, reading does too, also while it waits for standard input. Errors are for users and
// name the file. The memory is bounded whatever the file says.
func Open(ctx context.Context, name, format string) (*Source, error) {
	f := os.Stdin
	if name != "-" {
		var err error
		if f, err = os.Open(name); err != nil {
			return nil, flags.Usage("%v", err)
		}
	}
	s := &Source{ctx: ctx, name: name, file: f, sum: crc32.NewIEEE()}
	in := bufio.NewReaderSize(io.TeeReader(ctxreader.New(ctx, f), s.sum), 1<<16)
	var content io.Reader = in
	if head, _ := in.Peek(4); lz4.IsFrame(head) {
		content = lz4.NewReader(in)
	}
	byName, _ := FormatOf(name)
	var err error
	if s.Source, err = sample.NewSource(content, cmp.Or(format, byName)); err != nil {
		f.Close()
		return nil, cmp.Or(ctx.Err(), flags.Usage("%s: %v", name, err))
	}
	return s, nil
}

// Origin returns the origin of the last game.
func (s *Source) Origin() string {
	return cmp.Or(s.Source.Origin(), "converted from "+filepath.Base(s.name)+"\n")
}

// Each calls f for every game, which is valid until f returns, and closes the file. Errors are
// that of the context, or name the file.
func (s *Source) Each(f func(*sample.Game) error) error {
	defer s.file.Close()
	var g sample.Game
	for {
		err := s.Read(&g)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return cmp.Or(s.ctx.Err(), flags.Usage("%s: %v", s.name, err))
		}
		if err := f(&g); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
}

// Sum returns the name of the file without its directory and the CRC-32 of what was read of it.
func (s *Source) Sum() string { return fmt.Sprintf("%s %08x", filepath.Base(s.name), s.sum.Sum32()) }

// CheckFormat returns a usage error of a flag unless format is one of samples or empty.
func CheckFormat(flag, format string) error {
	if format == "" || sample.IsFormat(format) {
		return nil
	}
	return flags.Usage("%s %s: want tgs, bin or binpack", flag, format)
}
