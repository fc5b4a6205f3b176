package record

import (
	"bufio"
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

// IsSampleFormat reports whether a file with that extension, without its dot, is one of
// samples.
func IsSampleFormat(format string) bool {
	return slices.Contains([]string{formatOwn, formatBin, formatBinpack}, format)
}

// A SampleSource reads a file of samples in any format.
type SampleSource struct {
	games interface{ Read(*SampleGame) error }
	own   *SampleReader // games, if they are in a file of ours
}

// NewSampleSource recognizes .tgs by its first bytes; otherwise the format decides.
func NewSampleSource(r io.Reader, format string) (*SampleSource, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	if head, _ := in.Peek(len(tagHeader)); string(head) == tagHeader {
		format = formatOwn
	}
	switch format {
	case formatOwn:
		own, err := NewSampleReader(in)
		return &SampleSource{own, own}, err
	case formatBin:
		return &SampleSource{games: newBinReader(in)}, nil
	case formatBinpack:
		return &SampleSource{games: newBinpackReader(in)}, nil
	}
	return nil, errors.New("unknown format: want tgs, bin or binpack")
}

// Read reads the next game into g, which is valid up to the next call. It returns io.EOF at
// the end.
func (s *SampleSource) Read(g *SampleGame) error { return s.games.Read(g) }

// Origin returns the origin of the last game, "" in other formats than .tgs.
func (s *SampleSource) Origin() string {
	if s.own == nil {
		return ""
	}
	return s.own.Origin()
}

// A SampleSink writes a file of samples in any format.
type SampleSink struct {
	w      io.Writer
	format string

	own    *SampleWriter // nil before the first game
	origin string        // of the last header
}

// NewSampleSink writes to w in a format of IsSampleFormat.
func NewSampleSink(w io.Writer, format string) *SampleSink { return &SampleSink{w: w, format: format} }

// Write adds a game with its origin.
func (s *SampleSink) Write(g *SampleGame, origin string) (err error) {
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
		if s.own, err = NewSampleWriter(s.w, origin); err != nil {
			return err
		}
		s.origin = origin
	}
	return s.own.Write(g)
}

// Flush writes what Write has kept.
func (s *SampleSink) Flush() error {
	if s.own == nil {
		return nil
	}
	return s.own.Flush()
}
