package selfplay

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tengen/brain/record"
)

// The formats by the extension of a file name.
const (
	formatOwn     = "tgs"
	formatBin     = "bin"
	formatBinpack = "binpack"
)

// formatOf returns the format that the extension of a name says, "" if it is none of them.
func formatOf(name string) string {
	switch ext := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), ".")); ext {
	case formatOwn, formatBin, formatBinpack:
		return ext
	}
	return ""
}

// A source is an open file of games in any format.
type source struct {
	name  string
	file  *os.File
	games interface {
		Read(*record.SampleGame) error
	}
	own   *record.SampleReader // games, if it is a file of ours
	bytes int64
}

// openSource opens a file. Our format is told by its first bytes, the others by from or, if
// that is empty, by the name.
func openSource(name, from string) (*source, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	s := &source{name: name, file: f}
	fail := func(err error) (*source, error) {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if info, err := f.Stat(); err == nil {
		s.bytes = info.Size()
	}
	in := bufio.NewReaderSize(f, 1<<16)
	format := formatOf(name)
	if from != "" {
		format = from
	}
	if head, _ := in.Peek(4); string(head) == "TGSH" {
		format = formatOwn
	}
	switch format {
	case formatOwn:
		if s.own, err = record.NewSampleReader(in); err != nil {
			return fail(err)
		}
		s.games = s.own
	case formatBin:
		s.games = record.NewBinReader(in)
	case formatBinpack:
		s.games = record.NewBinpackReader(in)
	default:
		return fail(fmt.Errorf("neither content nor name tell a format: want .tgs, .bin or .binpack"))
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

// A sink is a file of games being made. It takes its name only when all is well.
type sink struct {
	name   string
	file   *os.File
	buffer *bufio.Writer
	format string

	own    *record.SampleWriter
	origin string // of the last header
}

// newSink makes a file of a format. It must not exist.
func newSink(name, format string) (*sink, error) {
	if _, err := os.Stat(name); err == nil {
		return nil, fmt.Errorf("%s exists", name)
	}
	f, err := os.Create(name + ".part")
	if err != nil {
		return nil, err
	}
	return &sink{name: name, file: f, buffer: bufio.NewWriterSize(f, 1<<16), format: format}, nil
}

func (s *sink) write(g *record.SampleGame, origin string) (err error) {
	switch s.format {
	case formatBin:
		return record.WriteBin(s.buffer, g)
	case formatBinpack:
		return record.WriteBinpack(s.buffer, g)
	}
	if s.own == nil || origin != s.origin {
		if s.own != nil {
			if err := s.own.Flush(); err != nil {
				return err
			}
		}
		if s.own, err = record.NewSampleWriter(s.buffer, origin); err != nil {
			return err
		}
		s.origin = origin
	}
	return s.own.Write(g)
}

// finish ends the file and gives it its name, or removes it if err is not nil. It
// returns err or what went wrong.
func (s *sink) finish(err error) error {
	if err == nil && s.own != nil {
		err = s.own.Flush()
	}
	if err == nil {
		err = s.buffer.Flush()
	}
	if e := s.file.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(s.file.Name(), s.name)
	}
	if err != nil {
		os.Remove(s.file.Name())
	}
	return err
}
