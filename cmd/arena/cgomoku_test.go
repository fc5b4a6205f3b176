package main

import (
	"os"
	"testing"

	"tengen/brain/record"
)

func TestAMatchIsThatOfCGomokuCli(t *testing.T) {
	raw, err := os.ReadFile("../../testdata/arena/c-gomoku-cli.sgf")
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := readGames(raw)
	if err != nil || len(theirs) != 40 {
		t.Fatalf("%d games of c-gomoku-cli, %v; want 40", len(theirs), err)
	}
	s := settings{
		Engines: []engine{fake(t, "one", "-", "1"), fake(t, "two", "-", "2")},
		Size:    15, Games: 40, Rounds: 1, DrawAfter: 60,
	}
	if err := s.readOpenings("../../testdata/openings/freestyle-15.txt"); err != nil {
		t.Fatal(err)
	}
	s.Openings = s.Openings[:20]
	ours := play1(t, s).sorted()
	draws := 0
	for i, g := range ours {
		want := &theirs[i]
		if g.Black != want.Black || g.White != want.White || g.Result != want.Outcome.String() {
			t.Errorf("game %d: %s against %s %s, there %s against %s %v", g.Game, g.Black, g.White, g.Result, want.Black, want.White, want.Outcome)
		}
		if moves := record.FormatMoves(want.Moves); g.Moves != moves {
			t.Errorf("game %d: %s\nthere %s", g.Game, g.Moves, moves)
		}
		if g.Reason == "draw" {
			draws++
		}
	}
	if draws != 1 {
		t.Errorf("%d draws by -drawafter, want 1", draws)
	}
}

// readGames returns the main lines of the games of a file.
func readGames(raw []byte) ([]record.Game, error) {
	trees, err := record.Read(raw, record.Reading{})
	var games []record.Game
	for i := 0; i < len(trees) && err == nil; i++ {
		var g record.Game
		if g, err = trees[i].Game(); err == nil {
			games = append(games, g)
		}
	}
	return games, err
}
