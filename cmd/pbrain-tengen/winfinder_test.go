package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/prover"
)

// byThrees is, in renju, won for Black by threes, in 7 plies, and not by fours alone.
const byThrees = "d11d8e7h7f7h12b4e6f8f6d6c5f10g7f9f11"

// TestSearchIsProved: a win that the solver cannot find by fours alone is one of search and solver together,
// with a proof that the rules accept.
func TestSearchIsProved(t *testing.T) {
	name := filepath.Join(t.TempDir(), "win.jsonl")
	args := []string{"solve", "-kind", "vcf", "-time", "2m", "-rule", "renju", byThrees}
	out, errs, status := engine(t, "", args...)
	if errs != "" || status != 0 || !strings.HasPrefix(out, "black has no win by continuous fours") {
		t.Fatalf("status %d, errors %q, output %q", status, errs, out)
	}
	out, errs, status = engine(t, "", append(args, "-search", "-proof", name)...)
	if errs != "" || status != 0 || !strings.HasPrefix(out, "black wins in 7 plies: e10 ") || !strings.Contains(out, "the proof is in "+name+": 7 plies at most") {
		t.Fatalf("status %d, errors %q, output\n%s", status, errs, out)
	}
	out, errs, status = engine(t, "", "verify", name)
	if errs != "" || status != 0 || !strings.Contains(out, ": black wins in 7 plies at most: ") {
		t.Errorf("status %d, errors %q, output %q", status, errs, out)
	}
	out, errs, status = engine(t, "", append(args, "-search", "-json")...)
	if errs != "" || status != 0 || !strings.Contains(out, `"result":"win","plies":7,"line":"e10`) {
		t.Errorf("status %d, errors %q, output %q", status, errs, out)
	}
	// No win is made up where the search has none.
	out, errs, status = engine(t, "", "solve", "-kind", "vcf", "-search", "-time", "500ms", "h8")
	if errs != "" || status != 0 || !strings.HasPrefix(out, "white has no win by continuous fours") {
		t.Errorf("status %d, errors %q, output %q", status, errs, out)
	}
	if _, errs, status = engine(t, "", "solve", "-search", "-defend", "h8"); status != 2 || !strings.Contains(errs, "-search and -defend: want one of them") {
		t.Errorf("status %d, errors %q", status, errs)
	}
}

// TestSolveSearches: without a flag the search finds a win for which continuous threats do not suffice, and
// its proof holds by the rules.
func TestSolveSearches(t *testing.T) {
	const pos = "h11h10h13l10g14l12n11i12h12h14j13"
	out, errs, status := engine(t, "", "solve", "-size", "20", "-search=false", pos)
	if errs != "" || status != 0 || !strings.HasPrefix(out, "white has no win by continuous threats") {
		t.Fatalf("status %d, errors %q, output %q", status, errs, out)
	}
	name := filepath.Join(t.TempDir(), "win.sgf")
	out, errs, status = engine(t, "", "solve", "-size", "20", "-time", "2m", "-proof", name, pos)
	if errs != "" || status != 0 || !strings.HasPrefix(out, "white wins in ") {
		t.Fatalf("status %d, errors %q, output %q", status, errs, out)
	}
	out, errs, status = engine(t, "", "verify", name)
	if errs != "" || status != 0 || !strings.Contains(out, ": white wins in ") {
		t.Errorf("status %d, errors %q, output %q", status, errs, out)
	}
}

// TestProofOfAnyFive: where the reply takes one of two fives, the proof has the other.
func TestProofOfAnyFive(t *testing.T) {
	root, err := prover.New(board.Freestyle, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	if err := root.Set(openThree); err != nil {
		t.Fatal(err)
	}
	f, err := newWinFinder(root, brain.Config{}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	b := root.Board()
	f.ctx, f.kind, f.game, f.won = ctx, prover.VCT, &game{rule: board.Freestyle, width: 15, height: 15, moves: b.Moves()}, map[uint64]*prover.Proof{}
	firsts, err := board.ParseMoves("h7h11", 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	for _, first := range firsts {
		won := prover.Solution{Proof: f.attack(append(b.Moves(), first))}
		if won.Proof == nil {
			t.Fatalf("%v is not proved", first)
		}
		if _, err := writeProof(ctx, filepath.Join(t.TempDir(), "win.jsonl"), b, won.Tree(ctx, b), nil); err != nil {
			t.Errorf("%v: %v", first, err)
		}
	}
}
