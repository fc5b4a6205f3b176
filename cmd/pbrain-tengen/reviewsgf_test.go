package main

import (
	"strings"
	"testing"

	"tengen/brain/record"
)

// The game comes back with all that its file says, values as comments and what was better as variations;
// a second review says nothing twice.
func TestReviewSGF(t *testing.T) {
	const in = "(;GM[4]SZ[15]RU[Taraguchi-10]PB[Ann]C[my game];B[hh]C[nice];W[aa];B[hi](;W[ac]XQ[7];B[hj];W[ae];B[oo];W[oa])(;W[hj]C[other]))"
	review := func(text string) string {
		t.Helper()
		out, errs, status := engine(t, text, "review", "-sgf", "-depth", "6", "-")
		if status != 0 || errs != "" {
			t.Fatalf("status %d, errors %q", status, errs)
		}
		return out
	}
	out := review(in)
	trees, err := record.Read([]byte(out), record.Reading{})
	if err != nil || len(trees) != 1 || trees[0].Remarks != nil {
		t.Fatalf("%v of\n%s", err, out)
	}
	tree := trees[0]
	line := tree.MainLine()
	if len(line) != 9 || tree.Black != "Ann" || tree.RuleText != "Taraguchi-10" {
		t.Fatalf("%d nodes of\n%s", len(line), out)
	}
	for i, want := range []string{"my game\n" + reviewMark, "nice\n" + reviewMark} {
		if !strings.HasPrefix(line[i].Comment, want) {
			t.Errorf("comment %d is %q, want %q at its beginning", i, line[i].Comment, want)
		}
	}
	for i, n := range line[1:] {
		if !strings.Contains(n.Comment, reviewMark) || !strings.Contains(n.Comment, []string{"for black", "for white"}[i&1]) {
			t.Errorf("comment of move %d: %q", i+1, n.Comment)
		}
	}
	if !strings.Contains(out, "XQ[7]") || !strings.Contains(out, "C[other") {
		t.Errorf("something is lost:\n%s", out)
	}
	bad := 0
	for i, n := range line[1:] {
		for _, q := range n.Properties {
			if q.Name != "BM" && q.Name != "DO" {
				continue
			}
			bad++
			siblings := line[i].Children
			last := siblings[len(siblings)-1]
			if len(siblings) < 2 || !strings.Contains(last.Comment, "better than ") || last.Color != n.Color || !strings.Contains(n.Comment, "better "+last.Move.Label(15)) {
				t.Errorf("move %d, %q, has no better variation: %q", i+1, n.Comment, last.Comment)
			}
		}
	}
	if bad == 0 {
		t.Errorf("no move is marked:\n%s", out)
	}
	if again := review(out); again != out {
		t.Errorf("the second review is\n%s, want\n%s", again, out)
	}
	// Moves as text have rows from the bottom.
	if out := review("h1 h2 h3\n"); !strings.Contains(out, ";B[ho]") {
		t.Errorf("h1 at the bottom is\n%s", out)
	}
}
