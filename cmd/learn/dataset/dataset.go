// Package samples reads the games of sample files for training, and says what they teach.
package dataset

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"tengen/brain/board"
	"tengen/brain/sample"
	"tengen/cmd/internal/flags"
)

// A Set is the games of one rule in some files.
type Set struct {
	Rule    board.Rule
	Games   []*sample.Game
	Sums    []string // base name and CRC-32 of every file
	Origins []string // the different origins in the files
}

// Read reads the games of a rule or, if rule is negative, those of the only rule in the
// files. Continuous games are left out: training does not know that their rows become blocked
// cells and end no game. Errors: the end of ctx, a file that cannot be read, or with a negative
// rule no games or games of several rules.
func Read(ctx context.Context, names []string, rule int) (*Set, error) {
	s := &Set{Rule: board.Rule(max(rule, 0))}
	others, continuous := 0, 0
	for _, name := range names {
		err := s.read(name, func(g *sample.Game) error {
			switch {
			case g.Rule&board.Continuous != 0:
				continuous++
				return nil
			case rule < 0 && len(s.Games) == 0:
				s.Rule = g.Rule
			case g.Rule != s.Rule:
				others++
				return nil
			}
			g.Plies = slices.Clip(g.Plies)
			s.Games = append(s.Games, g)
			return ctx.Err()
		})
		switch {
		case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
			return nil, err
		case err != nil:
			return nil, flags.Usage("%s: %v", name, err)
		}
	}
	switch {
	case rule < 0 && others > 0:
		return nil, flags.Usage("the files have %d games of rule %d and %d of other rules: choose one with -rule", len(s.Games), s.Rule, others)
	case rule < 0 && len(s.Games) == 0 && continuous > 0:
		return nil, flags.Usage("the files have %d continuous games and no others: nothing is learned from these", continuous)
	case rule < 0 && len(s.Games) == 0:
		return nil, flags.Usage("the files have no games")
	}
	return s, nil
}

// What models say of their games: as many origins, and bytes of one.
const (
	mostOrigins = 20
	originBytes = 1000
)

// About returns what models say of the origins of games: the first of them, without control
// characters but for line breaks and tabs, and the number of the others. Files of games allow more of
// them, and any bytes.
func About(origins []string) []string {
	var list []string
	for _, o := range origins[:min(len(origins), mostOrigins)] {
		list = append(list, strings.Map(func(r rune) rune {
			if unicode.IsControl(r) && r != '\n' && r != '\t' {
				return ' '
			}
			return r
		}, strings.ToValidUTF8(o[:min(len(o), originBytes)], "?")))
	}
	if more := len(origins) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("and %d other origins", more))
	}
	return list
}

// read calls add for every game of a file and notes its checksum and origins.
func (s *Set) read(name string, add func(*sample.Game) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	sum := crc32.NewIEEE()
	r, err := sample.NewReader(bufio.NewReaderSize(io.TeeReader(file, sum), 1<<16))
	if err != nil {
		return err
	}
	for {
		g := new(sample.Game)
		if err := r.Read(g); err == io.EOF {
			s.Sums = append(s.Sums, fmt.Sprintf("%s %08x", filepath.Base(name), sum.Sum32()))
			return nil
		} else if err != nil {
			return err
		}
		if err := add(g); err != nil {
			return err
		}
		if o := r.Origin(); !slices.Contains(s.Origins, o) {
			s.Origins = append(s.Origins, o)
		}
	}
}

// Board returns an empty board: b itself if it has that rule and size, else a new one.
func Board(b *board.Board, rule board.Rule, width, height int) (*board.Board, error) {
	if b == nil || b.Rule() != rule || b.Width() != width || b.Height() != height {
		return board.New(rule, width, height)
	}
	b.Reset()
	return b, nil
}
