// Package dataset reads games for training from files, and says what their positions teach.
package dataset

import (
	"context"
	"fmt"
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
		err := s.read(ctx, name, func(g *sample.Game) error {
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
			s.Games = append(s.Games, g.Clone())
			return nil
		})
		if err != nil {
			return nil, err
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

// The greatest number of origins that About keeps, and of bytes of one.
const (
	mostOrigins = 20
	originBytes = 1000
)

// About returns the text about origins of games for the file of a network: the first of them, and the
// number of the others. Origins may be any bytes; control characters except line breaks and tabs
// become spaces.
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
func (s *Set) read(ctx context.Context, name string, add func(*sample.Game) error) error {
	in, err := Open(ctx, name, "", -1)
	if err != nil {
		return err
	}
	err = in.Each(func(g *sample.Game) error {
		if o := in.Origin(); !slices.Contains(s.Origins, o) {
			s.Origins = append(s.Origins, o)
		}
		return add(g)
	})
	s.Sums = append(s.Sums, in.Sum())
	return err
}

// Board returns an empty board: b itself if it has that rule and size, else a new one.
func Board(b *board.Board, rule board.Rule, width, height int) (*board.Board, error) {
	if b == nil || b.Rule() != rule || b.Width() != width || b.Height() != height {
		return board.New(rule, width, height)
	}
	b.Reset()
	return b, nil
}
