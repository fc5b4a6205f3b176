package selfplay

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tengen/brain/record"
	"tengen/brain/record/atomicfile"
	"tengen/cmd/internal/flags"
)

// The formats by the extension of a file name.
const (
	formatOwn     = "tgs"
	formatBin     = "bin"
	formatBinpack = "binpack"
)

// fromUsage describes -from.
const fromUsage = "`FORMAT` of the input: tgs, bin or binpack (default by its content and name)"

// checkFormat returns a usage error unless format is one of them or empty.
func checkFormat(flag, format string) error {
	switch format {
	case "", formatOwn, formatBin, formatBinpack:
		return nil
	}
	return flags.Usage("%s %s: want tgs, bin or binpack", flag, format)
}

// formatOf returns the format by the extension of a name.
func formatOf(name string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
}

// A source is an open file of games in any format.
type source struct {
	name  string
	file  *os.File
	games interface {
		Read(*record.SampleGame) error
	}
	own *record.SampleReader // games, if it is a file of ours
}

// openSource opens a file, or standard input for "-". It recognizes .tgs by the first bytes,
// other formats by from or, if that is empty, by the name.
func openSource(name, from string) (*source, error) {
	f := os.Stdin
	if name != "-" {
		var err error
		if f, err = os.Open(name); err != nil {
			return nil, flags.Usage("%v", err)
		}
	}
	s := &source{name: name, file: f}
	in := bufio.NewReaderSize(f, 1<<16)
	format := formatOf(name)
	if from != "" {
		format = from
	}
	if head, _ := in.Peek(4); string(head) == "TGSH" {
		format = formatOwn
	}
	var err error
	switch format {
	case formatOwn:
		s.own, err = record.NewSampleReader(in)
		s.games = s.own
	case formatBin:
		s.games = record.NewBinReader(in)
	case formatBinpack:
		s.games = record.NewBinpackReader(in)
	default:
		err = fmt.Errorf("unknown format: want .tgs, .bin or .binpack, or -from")
	}
	if err != nil {
		f.Close()
		return nil, flags.Usage("%s: %v", name, err)
	}
	return s, nil
}

// origin returns the origin of the last game.
func (s *source) origin() string {
	if s.own != nil {
		return s.own.Origin()
	}
	return "converted from " + filepath.Base(s.name) + "\n"
}

// each calls f for every game, which is valid until f returns. The error names the file.
func (s *source) each(f func(*record.SampleGame) error) error {
	defer s.file.Close()
	var g record.SampleGame
	for {
		err := s.games.Read(&g)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return flags.Usage("%s: %v", s.name, err)
		}
		if err := f(&g); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
}

// A sink is a file of games being written. It gets its name when it is complete.
type sink struct {
	io.Writer
	commit func() error // gives the file its name
	close  func() error // discards it unless it was committed
	format string

	own    *record.SampleWriter
	origin string // of the last header
}

// newSink creates a file of a format, or writes to stdout for "-". A file that exists stays:
// it is an error at the end if what was written differs from it.
func newSink(name, format string, stdout io.Writer) (*sink, error) {
	if name == "-" {
		w := bufio.NewWriterSize(stdout, 1<<16)
		return &sink{Writer: w, commit: w.Flush, close: func() error { return nil }, format: format}, nil
	}
	f, err := atomicfile.Create(name)
	if err != nil {
		return nil, err
	}
	commit := func() error {
		old, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) {
			return f.Commit()
		}
		if err = errors.Join(err, f.Flush()); err != nil {
			return err
		}
		if now, err := os.ReadFile(name + atomicfile.Suffix); err != nil || !bytes.Equal(old, now) {
			return errors.Join(err, fmt.Errorf("%s exists with other content; remove it first", name))
		}
		return nil
	}
	return &sink{Writer: f, commit: commit, close: f.Close, format: format}, nil
}

func (s *sink) write(g *record.SampleGame, origin string) (err error) {
	switch s.format {
	case formatBin:
		return record.WriteBin(s, g)
	case formatBinpack:
		return record.WriteBinpack(s, g)
	}
	if s.own == nil || origin != s.origin {
		if err := s.flush(); err != nil {
			return err
		}
		if s.own, err = record.NewSampleWriter(s, origin); err != nil {
			return err
		}
		s.origin = origin
	}
	return s.own.Write(g)
}

func (s *sink) flush() error {
	if s.own == nil {
		return nil
	}
	return s.own.Flush()
}
