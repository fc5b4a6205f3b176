package brain

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/record"
	"tengen/brain/score"
	"tengen/brain/search"
	"tengen/brain/threat"
)

// tactics reads a file of testdata/tactics.
func tactics(t *testing.T, path string) []record.Tactic {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := record.ReadTactics(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return all
}

func boardOf(t *testing.T, p *record.Tactic) *board.Board {
	t.Helper()
	b := boardtest.New(t, p.Rule, p.Size, p.Size)
	for _, m := range p.Moves {
		b.Play(m)
	}
	return b
}

// A position that needs no search or leaves no choice does not test an engine.
func TestTacticsHaveToBeFound(t *testing.T) {
	files, err := filepath.Glob("../testdata/tactics/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("files %v, error %v", files, err)
	}
	seen := map[uint64]string{}
	for _, path := range files {
		name := filepath.Base(path)
		for _, p := range tactics(t, path) {
			b := boardOf(t, &p)
			if n := threat.StaticWin(b); n != 0 {
				t.Errorf("%s line %d: decided in %d plies without search", name, p.Line, n)
			}
			if b.Count(b.Side().Other(), board.MakesFive) > 0 {
				t.Errorf("%s line %d: a five has to be stopped", name, p.Line)
			}
			key := b.Hash()
			for s := range board.Symmetries {
				twin, _ := board.New(p.Rule, p.Size, p.Size)
				for _, m := range p.Moves {
					twin.Play(board.Transform(m, s, p.Size, p.Size))
				}
				key = min(key, twin.Hash())
			}
			key ^= uint64(p.Rule)
			if seen[key] != "" {
				t.Errorf("%s line %d is the position of %s", name, p.Line, seen[key])
			}
			seen[key] = name
			// No win may be so near that a shallow search sees it.
			pool := newPool(4 << 20)
			if r := pool.Search(t.Context(), b, search.Limits{Depth: 3, Nodes: 2000}, nil); r.Info.Score > score.WinIn(9) {
				t.Errorf("%s line %d: %v wins in %d plies", name, p.Line, r.Move, score.Win-r.Info.Score)
			}
		}
	}
}

// The shorter wins are within reach of a small search. The number found varies with changes
// of the search; far fewer means a defect.
func TestASmallSearchFindsShortWins(t *testing.T) {
	const nodes, least = 30_000, 9
	files, err := filepath.Glob("../testdata/tactics/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	solved, total := 0, 0
	pool := newPool(8 << 20)
	for _, path := range files {
		for _, p := range tactics(t, path) {
			if p.Plies > 15 {
				continue
			}
			pool.Clear()
			r := pool.Search(t.Context(), boardOf(t, &p), search.Limits{Nodes: nodes}, nil)
			if total++; slices.Contains(p.Wins, r.Move) {
				solved++
			}
		}
	}
	if solved < least {
		t.Errorf("%d of %d solved with %d nodes each, want %d at least", solved, total, nodes, least)
	}
	t.Logf("%d of %d solved", solved, total)
}
