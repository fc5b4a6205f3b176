package selfplay

import (
	"path/filepath"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/record"
	"tengen/brain/search"
)

func TestOpeningsAreBalancedAndDiffer(t *testing.T) {
	for _, rule := range []string{"0", "4"} {
		args := []string{"openings", "-count", "6", "-rule", rule, "-check", "3000", "-balance", "40", "-stones", "3-6", "-table", "1", "-quiet"}
		out := must(t, append(args, "-concurrency", "1")...)
		if again := must(t, append(args, "-concurrency", "3")...); again != out {
			t.Errorf("three workers make\n%s, one\n%s", again, out)
		}
		n := board.Rule(rule[0] - '0')
		all, err := record.ReadOpenings(strings.NewReader(out), n, 15, 15)
		if err != nil || len(all) != 6 {
			t.Fatalf("%d openings, %v", len(all), err)
		}
		b, err := board.New(n, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		pool := search.NewPool(eval.NewSet().New, search.DefaultParams(), 1, 1<<20)
		seen := map[uint64]bool{}
		for _, moves := range all {
			key := canonical(b, moves)
			if seen[key] {
				t.Errorf("%s is there twice", record.FormatMoves(moves))
			}
			seen[key] = true
			b.Reset()
			for _, m := range moves {
				b.Play(m)
			}
			pool.Clear()
			v := pool.Search(noContext, b, search.Limits{Nodes: 3000}, nil).Info.Score
			if v > 40 || v < -40 || len(moves) < 3 || len(moves) > 6 {
				t.Errorf("%s is worth %d", record.FormatMoves(moves), v)
			}
		}
		// What is known is left out.
		known := filepath.Join(t.TempDir(), "known.txt")
		write(t, known, []byte(out))
		others, err := record.ReadOpenings(strings.NewReader(must(t, append(args, "-but", known)...)), n, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		for _, moves := range others {
			if seen[canonical(b, moves)] {
				t.Errorf("%s was known", record.FormatMoves(moves))
			}
		}
	}
}

func TestMirrorImagesAreOneOpening(t *testing.T) {
	for _, size := range [][2]int{{15, 15}, {20, 15}} {
		b, err := board.New(0, size[0], size[1])
		if err != nil {
			t.Fatal(err)
		}
		one := []board.Move{board.At(7, 7), board.At(8, 7), board.At(9, 4)}
		want := canonical(b, one)
		for s := range symmetriesOf(b) {
			var other []board.Move
			for _, i := range []int{2, 1, 0} { // black's stones in another order as well
				other = append(other, board.Transform(one[i], s, size[0], size[1]))
			}
			if canonical(b, other) != want {
				t.Errorf("%dx%d, symmetry %d: %s is another opening", size[0], size[1], s, record.FormatMoves(other))
			}
		}
		colors := []board.Move{one[1], one[0], one[2]}
		if canonical(b, colors) == want {
			t.Errorf("%dx%d: other colors are the same opening", size[0], size[1])
		}
	}
}

// Where nothing is balanced the search for openings ends.
func TestUnbalancedOpeningsAreGivenUp(t *testing.T) {
	m := maker{least: 4, most: 4, balance: -1, nodes: 10}
	s := &settings{width: 6, height: 6}
	moves, ok := m.opening(noContext, newChance(1, 1), s.newBoard(), search.NewPool(eval.NewSet().New, search.DefaultParams(), 1, 1<<16))
	if ok || len(moves) != 4 {
		t.Errorf("%v, %v; want four moves that are not balanced", moves, ok)
	}
}

func TestNoMoreOpeningsIsAnError(t *testing.T) {
	status, stdout, stderr := obey(t, "openings", "-size", "5", "-stones", "1", "-count", "10", "-check", "10", "-balance", "30000", "-table", "1")
	if status != 1 || strings.Count(stdout, "\n") != 6 || !strings.Contains(stderr, "no more openings") {
		t.Errorf("status %d, %q, %s; want the six cells of a board of 5x5 that differ", status, stdout, stderr)
	}
}
