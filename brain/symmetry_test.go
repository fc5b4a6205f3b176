package brain

import (
	"math"
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

func TestSymmetricMovesAreShownOnce(t *testing.T) {
	for pos, want := range map[string]int{"h8": 10, "h8h9": 32, "h8i9i7": 40} {
		for _, distinct := range []string{"0", "1"} {
			e := newGame(t, 15, 15, "max_depth", "2", "nbestsym", distinct)
			set(t, e, pos)
			lines := analyze(t, e, Query{Lines: AllLines}).Infos
			seen := map[uint64]bool{}
			for _, i := range lines {
				least := uint64(math.MaxUint64)
				for s := range board.Symmetries {
					b := boardtest.New(t, board.Freestyle, 15, 15)
					for _, m := range append(cells(t, pos), i.PV[0]) {
						b.Play(board.Transform(m, s, 15, 15))
					}
					least = min(least, b.Hash())
				}
				seen[least] = true
			}
			if distinct == "0" && (len(lines) != len(seen) || len(lines) < want) {
				t.Errorf("%s: %d lines of %d positions, at least %d expected", pos, len(lines), len(seen), want)
			}
			if distinct == "1" && len(lines) == len(seen) && pos != "h8i9i7" {
				t.Errorf("%s: all %d lines differ", pos, len(lines))
			}
		}
	}
}

// Of moves that a symmetry maps to each other one is shown that is not blocked.
func TestSymmetricMovesBesideABlockedOne(t *testing.T) {
	for _, blocked := range []string{"g7", "g7i7", "g7i7g9"} {
		e := newGame(t, 15, 15, "max_depth", "2", "nbestsym", "0")
		set(t, e, "h8")
		for _, m := range cells(t, blocked) {
			e.Block(m, true)
		}
		diagonal := cells(t, "g7i7g9i9")
		shown := 0
		for _, i := range analyze(t, e, Query{Lines: AllLines}).Infos {
			if slices.Contains(diagonal, i.PV[0]) {
				shown++
			}
		}
		if shown != 1 {
			t.Errorf("%s is blocked: %d of g7, i7, g9 and i9 are shown, want 1", blocked, shown)
		}
	}
}
