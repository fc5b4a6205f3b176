// Package samples reads the games of sample files for training.
package samples

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"tengen/brain/board"
	"tengen/brain/record"
)

// Files are sample files, and what is known of them once they have been read.
type Files struct {
	Names []string
	Rule  int // of the games to be read; -1 for that of the first game

	Sums    []string // base name and CRC-32 of every file
	Origins []string // of the games, as the files tell them, each once
	Others  int      // games of other rules, which are left out
}

// Games reads the games of the rule, file by file. Every game is the caller's to keep.
// After an error, which names the file, there are no more.
func (f *Files) Games() iter.Seq2[*record.SampleGame, error] {
	return func(yield func(*record.SampleGame, error) bool) {
		f.Sums, f.Origins, f.Others = nil, nil, 0
		for _, name := range f.Names {
			if more, err := f.read(name, yield); err != nil {
				yield(nil, fmt.Errorf("%s: %w", name, err))
				return
			} else if !more {
				return
			}
		}
	}
}

func (f *Files) read(name string, yield func(*record.SampleGame, error) bool) (more bool, err error) {
	file, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	sum := crc32.NewIEEE()
	r, err := record.NewSampleReader(bufio.NewReaderSize(io.TeeReader(file, sum), 1<<16))
	if err != nil {
		return false, err
	}
	for {
		g := new(record.SampleGame)
		if err := r.Read(g); err == io.EOF {
			f.Sums = append(f.Sums, fmt.Sprintf("%s %08x", filepath.Base(name), sum.Sum32()))
			return true, nil
		} else if err != nil {
			return false, err
		}
		if o := r.Origin(); !slices.Contains(f.Origins, o) {
			f.Origins = append(f.Origins, o)
		}
		rule := int(g.Rule &^ board.Continuous)
		if f.Rule < 0 {
			f.Rule = rule
		}
		if rule != f.Rule {
			f.Others++
		} else if !yield(g, nil) {
			return false, nil
		}
	}
}
