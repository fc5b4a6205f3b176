package selfplay

import (
	"bufio"
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

// checkFormat returns a usage error unless format is one of them, or empty if it follows
// from the name of a file.
func checkFormat(flag, format string) error {
	switch format {
	case "", formatOwn, formatBin, formatBinpack:
		return nil
	}
	return flags.Usage("%s %s: want tgs, bin or binpack", flag, format)
}

// formatOf returns the format that the extension of a name says.
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

// openSource opens a file, standard input for "-". Our format is recognized by its first
// bytes, the others by from or, if that is empty, by the name.
func openSource(name, from string) (*source, error) {
	f := os.Stdin
	if name != "-" {
		var err error
		if f, err = os.Open(name); err != nil {
			return nil, err
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
		err = fmt.Errorf("neither its content nor its name tells the format: want .tgs, .bin or .binpack, or -from")
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// origin returns where the game read last comes from.
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
		if err == nil {
			err = f(&g)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
}

// A sink is a file of games being written. It gets its name when it is complete.
type sink struct {
	io.Writer
	commit func() error // puts all that was written in its place
	close  func() error // drops it instead, unless it was committed
	format string

	own    *record.SampleWriter
	origin string // of the last header
}

// newSink makes a file of a format, which must not exist, or writes to stdout for "-".
func newSink(name, format string, stdout io.Writer) (*sink, error) {
	if name == "-" {
		w := bufio.NewWriterSize(stdout, 1<<16)
		return &sink{Writer: w, commit: w.Flush, close: func() error { return nil }, format: format}, nil
	}
	if _, err := os.Stat(name); err == nil {
		return nil, fmt.Errorf("%s exists", name)
	}
	f, err := atomicfile.Create(name)
	if err != nil {
		return nil, err
	}
	return &sink{Writer: f, commit: f.Commit, close: f.Close, format: format}, nil
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
