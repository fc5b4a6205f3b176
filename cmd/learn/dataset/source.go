package dataset

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
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

// A Source reads the games of a file: samples in any format, compressed or not, or games without
// values, those of a journal of arena and of the files that package record reads.
type Source struct {
	games interface{ Read(*sample.Game) error }
	ctx   context.Context
	name  string
	file  *os.File
	sum   hash.Hash32 // of the bytes of the file
}

// Open opens a file, or standard input for "-". Its content says what it is; for .bin and .binpack
// it is the given format or, if that is empty, the name. Games in files that do not state a rule have
// the given one; if it is negative they are an error. When ctx ends, reading does too, also while it
// waits for standard input. Errors are for users and name the file. The memory for samples does not
// depend on the file.
func Open(ctx context.Context, name, format string, rule int) (*Source, error) {
	f := os.Stdin
	if name != "-" {
		var err error
		if f, err = os.Open(name); err != nil {
			return nil, flags.Usage("%v", err)
		}
	}
	s := &Source{ctx: ctx, name: name, file: f, sum: crc32.NewIEEE()}
	if err := s.open(io.TeeReader(ctxreader.New(ctx, f), s.sum), format, rule); err != nil {
		f.Close()
		return nil, cmp.Or(ctx.Err(), flags.Usage("%s: %v", name, err))
	}
	return s, nil
}

func (s *Source) open(r io.Reader, format string, rule int) (err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	if head, _ := in.Peek(4); lz4.IsFrame(head) {
		in = bufio.NewReaderSize(lz4.NewReader(in), 1<<16)
	}
	byName, _ := FormatOf(s.name)
	head, _ := in.Peek(len(journalStart))
	switch format = cmp.Or(format, byName); {
	case sample.IsSamples(head) || sample.IsFormat(format):
		s.games, err = sample.NewSource(in, format)
	case string(head) == journalStart:
		s.games = &journal{in: json.NewDecoder(in)}
	default:
		s.games, err = newRecords(in, rule)
	}
	return err
}

// Read reads the next game into g, which is valid up to the next call. It returns io.EOF at the end.
func (s *Source) Read(g *sample.Game) error { return s.games.Read(g) }

// Origin returns the origin of the last game.
func (s *Source) Origin() string {
	if samples, ok := s.games.(*sample.Source); ok && samples.Origin() != "" {
		return samples.Origin()
	}
	return "converted from " + filepath.Base(s.name) + "\n"
}

// Each calls f for every game, which is valid until f returns, and closes the file. An error names
// the file, unless the context has ended.
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

// Sum returns the base name of the file and the CRC-32 of its bytes, once all have been read.
func (s *Source) Sum() string { return fmt.Sprintf("%s %08x", filepath.Base(s.name), s.sum.Sum32()) }

// CheckFormat returns a usage error of a flag unless format is one of samples or empty.
func CheckFormat(flag, format string) error {
	if format == "" || sample.IsFormat(format) {
		return nil
	}
	return flags.Usage("%s %s: want tgs, bin or binpack", flag, format)
}
