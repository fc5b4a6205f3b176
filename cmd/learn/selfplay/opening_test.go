package selfplay

import (
	"io"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/record"
	"tengen/brain/search"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/openings"
	"tengen/cmd/internal/progress"
)

func TestOpeningsAreBalancedAndDiffer(t *testing.T) {
	for _, rule := range []string{"0", "4"} {
		args := []string{"openings", "-count", "6", "-rule", rule, "-check", "3000", "-balance", "40", "-stones", "3-6", "-hash", "1", "-quiet"}
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
		pool := search.NewPool(eval.Embedded().New, search.DefaultParams(), 1, 1<<20)
		seen := map[uint64]bool{}
		for _, moves := range all {
			key := openings.Canonical(b, moves)
			if seen[key] {
				t.Errorf("%s is there twice", record.FormatMoves(moves))
			}
			seen[key] = true
			b.Reset()
			for _, m := range moves {
				b.Play(m)
			}
			pool.Clear()
			v := pool.Search(t.Context(), b, search.Limits{Nodes: 3000}, nil).Info.Score
			if v > 40 || v < -40 || len(moves) < 3 || len(moves) > 6 {
				t.Errorf("%s is worth %d", record.FormatMoves(moves), v)
			}
		}
	}
}

// Where nothing is balanced the search for openings ends.
func TestUnbalancedOpeningsAreGivenUp(t *testing.T) {
	o := Openings{Least: 4, Most: 4, Balance: -1, Check: 10}
	b := flags.Board{Width: 6, Height: 6}
	moves, ok := o.make(t.Context(), newRand(1, 1), b.New(), search.NewPool(eval.Embedded().New, search.DefaultParams(), 1, 1<<16))
	if ok || len(moves) != 4 {
		t.Errorf("%v, %v; want four moves that are not balanced", moves, ok)
	}
}

func TestNoMoreOpeningsIsAnError(t *testing.T) {
	status, stdout, stderr := obey(t, "openings", "-size", "5", "-stones", "1", "-count", "10", "-check", "10", "-balance", "30000", "-hash", "1")
	const few = "found no more balanced openings on a board of 5x5"
	if status != 1 || strings.Count(stdout, "\n") != 6 || !strings.HasSuffix(stderr, few+": try another -stones or -balance\n") {
		t.Errorf("status %d, %q, %s; want the six cells of a board of 5x5 that differ", status, stdout, stderr)
	}
	// Other commands, whose matches need openings, have no such flags.
	s := Default()
	s.Board, s.Hash, s.Openings = flags.Board{Width: 5, Height: 5}, 1, Openings{Least: 1, Most: 1, Balance: 30000, Check: 10}
	err := s.MakeOpenings(t.Context(), 10, nil, 1, progress.New(io.Discard, true), func([]board.Move) error { return nil })
	if err == nil || err.Error() != few {
		t.Errorf("for others: %v", err)
	}
}
