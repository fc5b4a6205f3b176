package selfplay

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"tengen/brain/atomicfile"
	"tengen/brain/lz4"
	"tengen/brain/sample"
	"tengen/cmd/learn/dataset"
)

// fromUsage describes -from.
const fromUsage = "`FORMAT` of the input, compressed by LZ4 or not: tgs, bin or binpack (default by its content and name; games of other files, SGF and journals of arena among them, have no values, but those of arena export -samples do)"

// A sink is a file of games being written. It gets its name when it is complete.
type sink struct {
	*sample.Sink
	commit func() error // gives the file its name
	close  func() error // discards it unless it was committed
}

// newSink creates a file of a format, compressed if its name ends in .lz4, or writes to stdout for
// "-". A file that exists stays: it is an error at the end if the new content differs.
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
	if _, compressed := dataset.FormatOf(name); compressed {
		z := lz4.NewWriter(f)
		closed := func() error {
			if err := z.Close(); err != nil {
				return err
			}
			return commit()
		}
		return &sink{sample.NewSink(z, format), closed, f.Close}, nil
	}
	return &sink{sample.NewSink(f, format), commit, f.Close}, nil
}
