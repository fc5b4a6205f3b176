package sample

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
)

// The formats of files of samples, by the extensions of their names.
const (
	formatOwn     = "tgs"
	formatBin     = "bin"
	formatBinpack = "binpack"
)

// IsFormat reports whether a file with that extension, without its dot, is one of
// samples.
func IsFormat(format string) bool {
	return slices.Contains([]string{formatOwn, formatBin, formatBinpack}, format)
}

// IsSamples reports whether a file that begins with head, four bytes or more, is a .tgs file.
func IsSamples(head []byte) bool { return bytes.HasPrefix(head, []byte(tagHeader)) }

// A Source reads a file of samples in any format.
type Source struct {
	games interface{ Read(*Game) error }
	own   *Reader // games, if they are in a file of ours
}

// NewSource recognizes .tgs by its first bytes; otherwise the format decides.
func NewSource(r io.Reader, format string) (*Source, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	if head, _ := in.Peek(len(tagHeader)); IsSamples(head) {
		format = formatOwn
	}
	switch format {
	case formatOwn:
		own, err := NewReader(in)
		return &Source{own, own}, err
	case formatBin:
		return &Source{games: newBinReader(in)}, nil
	case formatBinpack:
		return &Source{games: newBinpackReader(in)}, nil
	}
	return nil, errors.New("unknown format: want tgs, bin or binpack")
}

// Read reads the next game into g, which is valid up to the next call. It returns io.EOF at
// the end.
func (s *Source) Read(g *Game) error { return s.games.Read(g) }

// Origin returns the origin of the last game, "" in other formats than .tgs.
func (s *Source) Origin() string {
	if s.own == nil {
		return ""
	}
	return s.own.Origin()
}

// A Sink writes a file of samples in any format.
type Sink struct {
	w      io.Writer
	format string

	own    *Writer // nil before the first game
	origin string  // of the last header
}

// NewSink writes to w in a format of IsFormat.
func NewSink(w io.Writer, format string) *Sink { return &Sink{w: w, format: format} }

// Write adds a game with its origin.
func (s *Sink) Write(g *Game, origin string) (err error) {
	switch s.format {
	case formatBin:
		return writeBin(s.w, g)
	case formatBinpack:
		return writeBinpack(s.w, g)
	}
	if s.own == nil || origin != s.origin {
		if err := s.Flush(); err != nil {
			return err
		}
		if s.own, err = NewWriter(s.w, origin); err != nil {
			return err
		}
		s.origin = origin
	}
	return s.own.Write(g)
}

// Flush writes the games that Write has buffered.
func (s *Sink) Flush() error {
	if s.own == nil {
		return nil
	}
	return s.own.Flush()
}
