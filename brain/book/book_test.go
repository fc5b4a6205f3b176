package book

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// A position is known from all eight sides, in any order of its stones, and its moves come
// turned as it is.
func TestBookKnowsAllSides(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 60 {
		size := []int{9, 15, 20}[r.IntN(3)]
		b := boardtest.After(t, board.Freestyle, size, "")
		var stones []board.Move
		for len(stones) < 1+r.IntN(8) {
			if m := board.At(r.IntN(size), r.IntN(size)); !slices.Contains(stones, m) {
				stones = append(stones, m)
				b.Play(m)
			}
		}
		var lines []Line
		for len(lines) < 3 {
			if m := board.At(r.IntN(size), r.IntN(size)); b.Legal(m) {
				lines = append(lines, Line{m, 30 - len(lines)})
			}
		}
		k := &Book{}
		worst := slices.Clone(lines)
		slices.Reverse(worst)
		k.Add(b, worst)
		for s := range board.Symmetries {
			turned := boardtest.After(t, board.Freestyle, size, "")
			order := slices.Clone(stones)
			for i := len(order) - 1; i >= 2; i-- { // colors stay
				if j := i - 2*r.IntN(i/2+1); j >= 0 {
					order[i], order[j] = order[j], order[i]
				}
			}
			for _, m := range order {
				turned.Play(board.Transform(m, s, size, size))
			}
			got := k.Lines(turned)
			if len(got) != len(lines) {
				t.Fatalf("turned by %d: %v", s, got)
			}
			// A position that is its own mirror image may answer with the mirrored moves:
			// what counts is that the positions after them are the same.
			for i, line := range got {
				want, have := b.Clone(), turned.Clone()
				want.Play(lines[i].Move)
				have.Play(line.Move)
				same := false
				for s := range board.Symmetries {
					same = same || key(have, s) == key(want, 0)
				}
				if !same || line.Value != lines[i].Value {
					t.Fatalf("turned by %d: %v, want %v turned", s, got, lines)
				}
			}
		}
	}
}

// A book does not know a position of another rule, size or side to move.
func TestBookKnowsNoOther(t *testing.T) {
	k := &Book{}
	k.Add(boardtest.After(t, board.Freestyle, 15, "h8i9"), []Line{{board.At(6, 6), 0}})
	passed := boardtest.After(t, board.Freestyle, 15, "h8i9")
	passed.Pass()
	for _, b := range []*board.Board{
		boardtest.After(t, board.Renju, 15, "h8i9"), boardtest.After(t, board.Freestyle, 16, "h8i9"), passed,
		boardtest.After(t, board.Freestyle, 15, "i9h8"), boardtest.After(t, board.Freestyle, 15, "h8"), boardtest.After(t, board.Freestyle, 15, "h8i9j10"),
	} {
		if lines := k.Lines(b); lines != nil {
			t.Errorf("%v", lines)
		}
	}
	if lines := k.Lines(boardtest.After(t, board.Freestyle, 15, "h8g7")); len(lines) != 1 {
		t.Errorf("%v", lines)
	}
	var none *Book
	if none.Lines(passed) != nil || (&Book{}).Lines(passed) != nil {
		t.Error("an empty book knows something")
	}
}

func TestParse(t *testing.T) {
	for _, text := range []string{"0 15 - h8 12", "4 15 h8i9 j10 5 g7 -3", "1 20 k10k11k12 a1 0"} {
		b, lines, err := parse(text, nil)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := Format(b, lines); got != text {
			t.Errorf("%q is written as %q", text, got)
		}
	}
	for _, text := range []string{
		"", "0 15 -", "0 15 - h8", "x 15 - h8 1", "12 15 - h8 1", "0 4 - a1 1", "0 15 h8h8 i9 1", "0 15 h8 h8 1",
		"0 15 - z9 1", "0 15 - h8 x", "0 15 - h8i9 1", "0 15 - h8 1 i9", "0 15 - h8 99999999",
		strings.Repeat("\x7fELF\x02", 100) + " 15 - h8 1", "0 15 - h8 " + strings.Repeat("\n\x01", 500) + "9",
	} {
		if _, _, err := parse(text, nil); err == nil || strings.Contains(err.Error(), "\n") || len(err.Error()) > 200 {
			t.Errorf("%q: %v", text, err)
		}
	}
	k := &Book{}
	if err := k.Read(strings.NewReader("# a book\n\n0 15 - h8 1\nnonsense\n")); err == nil || !strings.HasPrefix(err.Error(), "line 4:") {
		t.Errorf("%v", err)
	}
	if len(k.lines) != 1 {
		t.Errorf("%d positions", len(k.lines))
	}
	for _, text := range []string{"\ufeff# saved on Windows\r\n1 15 - h8 1\r\n", "\ufeff4 15 - h8 1\r\n"} {
		if err := k.Read(strings.NewReader(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What the lines of a text have together is the text, except a byte order mark; errors have a line.
func TestReadText(t *testing.T) {
	for _, text := range []string{
		"", "\n", "# a book\r\n \r\n0 15 - h8 1 i9 0\r\n4 20 h8 i9 -2\n\n1 15 - h8 1", "0 15 - h8 1\n0 15 h8 i9 1\n# end",
	} {
		var all, positions strings.Builder
		n, had := 0, 0
		if err := ReadText(strings.NewReader("\ufeff"+text), func(e *Entry) error {
			n++
			if all.WriteString(e.Text); e.Number != n {
				t.Errorf("%q: line %d has number %d", text, n, e.Number)
			}
			if e.Board != nil {
				had++
				fmt.Fprintln(&positions, Format(e.Board, e.Lines))
			}
			return nil
		}); err != nil || all.String() != text {
			t.Errorf("%q is read as %q, %v", text, all.String(), err)
		}
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				had--
				if !strings.Contains(positions.String(), line+"\n") {
					t.Errorf("%q is not in %q", line, positions.String())
				}
			}
		}
		if had != 0 {
			t.Errorf("%q: %d positions too many: %q", text, had, positions.String())
		}
	}
	own := errors.New("own")
	at := func(n int) func(*Entry) error {
		return func(e *Entry) error {
			if e.Number == n {
				return own
			}
			return nil
		}
	}
	if err := ReadText(strings.NewReader("# a book\n0 15 - h8 1\n"), at(2)); !errors.Is(err, own) || err.Error() != "line 2: own" {
		t.Errorf("an error of the caller: %v", err)
	}
	if err := ReadText(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("\n#"))), at(0)); !errors.Is(err, iotest.ErrTimeout) || err.Error() != "line 2: timeout" {
		t.Errorf("an error of the file: %v", err)
	}
	long := "# a book\n0 15 - h8 1\n" + strings.Repeat("x", 1<<17)
	if err := ReadText(strings.NewReader(long), at(0)); !errors.Is(err, bufio.ErrTooLong) || !strings.HasPrefix(err.Error(), "line 3: ") {
		t.Errorf("a line too long: %v", err)
	}
}

// The embedded texts can be read, no position is there twice, and they are small.
func TestEmbedded(t *testing.T) {
	size := 0
	for _, directory := range []string{"lines", "swap2"} {
		if err := each(directory, func(name string, r io.Reader) error {
			text, err := io.ReadAll(r)
			size += len(text)
			if directory == "lines" {
				k := &Book{}
				if err := k.Read(strings.NewReader(string(text))); err != nil {
					return err
				}
				seen := &Book{}
				for line := range strings.Lines(string(text)) {
					if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
						continue
					}
					b, lines, err := parse(line, nil)
					if err != nil {
						return err
					}
					if seen.Lines(b) != nil {
						t.Errorf("%s: the position of %q is there twice", name, line)
					}
					if got := k.Lines(b); !slices.Equal(got, lines) {
						t.Errorf("%s: %v is read for %q", name, got, line)
					}
					seen.Add(b, lines)
				}
				if len(seen.lines) != len(k.lines) {
					t.Errorf("%s: %d positions are read, want %d", name, len(k.lines), len(seen.lines))
				}
			}
			return err
		}); err != nil {
			t.Error(err)
		}
	}
	if size > 300<<10 {
		t.Errorf("%d bytes, want 300 KB at most", size)
	}
	for _, rule := range []board.Rule{board.Freestyle, board.ExactFive, board.Renju} {
		k := Default(rule, 15, 15)
		if lines := k.Lines(boardtest.After(t, rule, 15, "")); len(lines) == 0 || Default(rule, 15, 15) != k {
			t.Errorf("%v: %v on the empty board", rule, lines)
		}
	}
	for _, k := range []*Book{Default(board.Freestyle, 15, 20), Default(board.Freestyle, 14, 14), Default(board.Caro, 15, 15)} {
		if k != nil {
			t.Error("a book that there is not")
		}
	}
}

func TestProposals(t *testing.T) {
	for _, rule := range []board.Rule{board.Freestyle, board.ExactFive, board.Renju} {
		for _, size := range []int{15, 20} {
			list := Proposals(rule, size, size)
			if len(list) < 100 {
				t.Errorf("%v, %d: %d proposals, want 100", rule, size, len(list))
			}
			seen := map[uint64]bool{}
			for _, moves := range list {
				b := boardtest.After(t, rule, size, "")
				for _, m := range moves {
					if !b.Legal(m) {
						t.Fatalf("%v, %d: %v is not legal", rule, size, moves)
					}
					b.Play(m)
				}
				for s := range board.Symmetries {
					if seen[key(b, s)] {
						t.Errorf("%v, %d: %v is there twice", rule, size, moves)
					}
				}
				seen[key(b, 0)] = true
			}
		}
	}
	if Proposals(board.Freestyle, 15, 20) != nil || Proposals(board.Caro, 15, 15) != nil {
		t.Error("proposals for boards that have none")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("0 15 h8 i9 3")
	f.Fuzz(func(t *testing.T, text string) {
		if b, lines, err := parse(text, nil); err == nil {
			if again, l, err := parse(Format(b, lines), nil); err != nil || again.Hash() != b.Hash() || !slices.Equal(l, lines) {
				t.Errorf("%q is written as %q", text, Format(b, lines))
			}
		}
	})
}
