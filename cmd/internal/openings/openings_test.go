package openings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record"
)

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestAFileOfOpenings(t *testing.T) {
	all, err := Read(file(t, "# two\nh8i9j7\n\n0,0, 1,1\n"), 0, 15, 15, 4)
	if err != nil || len(all) != 2 || record.FormatMoves(all[0]) != "h8i9j7" {
		t.Fatalf("%v, %v", all, err)
	}
	if digest := Digest(all); !strings.HasPrefix(digest, "2/") || digest == Digest([][]board.Move{all[1], all[0]}) {
		t.Errorf("digest %s", digest)
	}
	for text, want := range map[string]string{
		"# none\n":         "has no opening",
		"h8i9\nh8h8\n":     "line 2",
		"h8i8\nh99\n":      "line 2",
		"a1b1c1d1x1y1z1;":  "line 1",
		"h8i9\nh8i9j7g6\n": "opening 2 has 4 stones",
	} {
		name := file(t, text)
		if _, err := Read(name, 0, 15, 15, 4); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none"), 0, 15, 15, 0); err == nil {
		t.Error("a file that does not exist was read")
	}
}

func TestMirrorImagesAreOneOpening(t *testing.T) {
	for _, size := range [][2]int{{15, 15}, {15, 12}} {
		b, err := board.New(0, size[0], size[1])
		if err != nil {
			t.Fatal(err)
		}
		moves, err := board.ParseMoves("c3d4e3d6", size[0], size[1])
		if err != nil {
			t.Fatal(err)
		}
		name := Canonical(b, moves)
		n := board.SymmetriesOf(size[0], size[1])
		seen := map[string]bool{}
		for s := range n {
			turned := Transform(moves, s, size[0], size[1])
			seen[record.FormatMoves(turned)] = true
			if got := Canonical(b, turned); got != name {
				t.Errorf("%v, transform %d: %x, want %x", size, s, got, name)
			}
			swapped := []board.Move{turned[2], turned[1], turned[0], turned[3]}
			if got := Canonical(b, swapped); got != name {
				t.Errorf("%v, in another order: %x, want %x", size, got, name)
			}
		}
		if len(seen) != n {
			t.Errorf("%v: %d images, want %d", size, len(seen), n)
		}
		if other := Canonical(b, moves[:3]); other == name {
			t.Errorf("%v: another opening has the same number", size)
		}
	}
}

func TestEachRoundHasEveryOpening(t *testing.T) {
	var openings [][]board.Move
	const text = "c3d4e3d6 h8i10 g7i8j12 h8i10j9k7h4 a1c2"
	for _, s := range strings.Fields(text) {
		moves, err := board.ParseMoves(s, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		openings = append(openings, moves)
	}
	sequence := func(seed uint64) *Sequence { return &Sequence{Openings: openings, Width: 15, Height: 15, Seed: seed} }
	d, n := sequence(3), len(openings)
	b, err := board.New(0, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	seen, orders := map[string]bool{}, map[string]bool{}
	for round := range 8 {
		kinds, order := map[uint64]bool{}, ""
		for _, m := range d.Take(round*n, n) {
			kinds[Canonical(b, m)] = true
			seen[record.FormatMoves(m)] = true
			order += string(rune('a' + len(m)))
		}
		orders[order] = true
		if len(kinds) != n {
			t.Errorf("round %d has %d openings of %d", round, len(kinds), n)
		}
	}
	if len(seen) < 7*n || len(orders) < 3 {
		t.Errorf("%d different positions of %d, %d orders", len(seen), 8*n, len(orders))
	}
	late := record.FormatMoves(d.Take(7*n+1, 1)[0])
	if got := record.FormatMoves(sequence(3).Take(7*n+1, 1)[0]); got != late {
		t.Errorf("taken alone it is %s, else %s", got, late)
	}
}

// Distinct leaves out the images that are an opening again: all of the middle, half of a row
// beside it.
func TestDistinct(t *testing.T) {
	var openings [][]board.Move
	for _, text := range []string{"h8", "h8h9", "h8i9h10"} {
		moves, err := board.ParseMoves(text, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		openings = append(openings, moves)
	}
	d := &Sequence{Openings: openings, Width: 15, Height: 15}
	list := d.Distinct(100)
	if want := 1 + 4 + 8; len(list) != want {
		t.Errorf("%d openings, want %d", len(list), want)
	}
	for i, a := range list {
		for _, b := range list[:i] {
			if slices.Equal(a, b) {
				t.Errorf("%v comes twice", a)
			}
		}
	}
	if first := d.Distinct(3); len(first) != 3 || !slices.Equal(first[2], list[2]) {
		t.Errorf("the first three are %v of %v", first, list)
	}
}
