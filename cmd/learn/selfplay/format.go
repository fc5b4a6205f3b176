package selfplay

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tengen/brain/sample"
	"tengen/cmd/internal/ctxreader"
	"tengen/cmd/internal/flags"
	"tengen/internal/atomicfile"
)

// fromUsage describes -from.
const fromUsage = "`FORMAT` of the input: tgs, bin or binpack (default by its content and name)"

// checkFormat returns a usage error unless format is one of samples or empty.
func checkFormat(flag, format string) error {
	if format == "" || sample.IsFormat(format) {
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
	*sample.Source
	ctx  context.Context
	name string
	file *os.File
}

// openSource opens a file, or standard input for "-". The format of files other than .tgs is
// from or, if that is empty, by the name. When ctx ends, reading does, also while
// it waits for standard input.
func openSource(ctx context.Context, name, from string) (*source, error) {
	f := os.Stdin
	if name != "-" {
		var err error
		if f, err = os.Open(name); err != nil {
			return nil, flags.Usage("%v", err)
		}
	}
	games, err := sample.NewSource(ctxreader.New(ctx, f), cmp.Or(from, formatOf(name)))
	if err != nil {
		f.Close()
		return nil, cmp.Or(ctx.Err(), flags.Usage("%s: %v", name, err))
	}
	return &source{games, ctx, name, f}, nil
}

// origin returns the origin of the last game.
func (s *source) origin() string {
	return cmp.Or(s.Origin(), "converted from "+filepath.Base(s.name)+"\n")
}

// each calls f for every game, which is valid until f returns. The error names the file, unless
// it is that of the context.
func (s *source) each(f func(*sample.Game) error) error {
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

// A sink is a file of games being written. It gets its name when it is complete.
type sink struct {
	*sample.Sink
	commit func() error // gives the file its name
	close  func() error // discards it unless it was committed
}

// newSink creates a file of a format, or writes to stdout for "-". A file that exists stays:
// it is an error at the end if what was written differs from it.
func newSink(name, format string, stdout io.Writer) (*sink, error) {
	if name == "-" {
		w := bufio.NewWriterSize(stdout, 1<<16)
		return &sink{sample.NewSink(w, format), w.Flush, func() error { return nil }}, nil
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
		if now, err := os.ReadFile(f.Beside()); err != nil || !bytes.Equal(old, now) {
			return errors.Join(err, fmt.Errorf("%s exists with other content; remove it first", name))
		}
		return nil
	}
	return &sink{sample.NewSink(f, format), commit, f.Close}, nil
}
