package board_test

import (
	"flag"
	"math/rand/v2"
	"strconv"
	"testing"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/score"
)

var (
	caroGames = flag.Int("carogames", 2, "games of TestCaroGames")
	caroNodes = flag.Int64("caronodes", 500, "nodes of a search in TestCaroGames")
)

// TestCaroGames plays caro, with rows of more than five and without, from random stones, and
// looks on the slow twin for rows that the engine judged wrongly because of their caps: a win
// that was there and not made, one of the other side that could have been prevented and was
// not, or a proven win that did not come true in its plies. The full test takes minutes:
//
//	go test -run TestCaroGames -v ./brain/board -carogames 500 -caronodes 3000 -timeout 1h
func TestCaroGames(t *testing.T) {
	plies, threats, claims, decided := 0, 0, 0, 0
	for g := range *caroGames {
		const size = 15
		rule := board.Caro | board.Rule(g&1)*board.ExactFive
		twin := board.NewSlowBoard(rule, size, size)
		e := brain.New(brain.Config{})
		e.Set("rule", strconv.Itoa(int(rule)))
		if err := e.NewGame(size, size); err != nil {
			t.Fatal(err)
		}
		o := e.Options()
		o.Nodes, o.MaxMemory = *caroNodes, 100<<20
		var moves []board.Move
		put := func(m board.Move) (won bool) {
			if !twin.Legal(m.X(), m.Y()) {
				t.Fatalf("game %d, %v: the twin does not allow %v after %v", g, rule, m, moves)
			}
			won = twin.Wins(m.X(), m.Y())
			twin.Play(m.X(), m.Y())
			moves = append(moves, m)
			return won
		}
		for r := rand.New(rand.NewPCG(uint64(g), 8)); len(moves) < 4; {
			if m := board.At(4+r.IntN(7), 4+r.IntN(7)); twin.Legal(m.X(), m.Y()) {
				put(m)
				if err := e.Play(m); err != nil {
					t.Fatal(err)
				}
			}
		}
		const nearest, never = 3, 1 << 30 // plies
		won := [2]int{never, never}       // plies in which a near win of the side has to be there
		proved := [2]bool{}
		for over := false; !over && !twin.Full(); {
			side := board.Color(len(moves) & 1)
			wins := twin.Winning(side, size)
			dangers := twin.Winning(side.Other(), size)
			parries := len(wins) == 0 && len(dangers) > 0 && twin.Parried(side, dangers, size)
			thought, err := e.Think(t.Context(), brain.Query{Options: &o})
			if err != nil || len(thought.Notes) > 0 {
				t.Fatal(err, thought.Notes)
			}
			if over = put(thought.Move); over {
				decided++
			}
			plies++
			switch {
			case len(wins) > 0 && !over:
				t.Errorf("game %d, %v: %v instead of a win by %v: %v", g, rule, thought.Move, wins, moves)
			case parries && len(twin.Winning(side.Other(), size)) > 0:
				t.Errorf("game %d, %v: %v lets %v win: %v", g, rule, thought.Move, side.Other(), moves)
			}
			if len(dangers) > 0 {
				threats++
			}
			if len(thought.Infos) > 0 && thought.Infos[0].Score >= score.WinFloor {
				claims++
				proved[side] = true
				if n := int(score.WinIn(0) - thought.Infos[0].Score); n <= nearest {
					won[side] = min(won[side], len(moves)-1+n)
				}
			}
			for c, by := range won {
				if !over && len(moves) >= by {
					t.Fatalf("game %d, %v: %v had proved a win in %d moves, which is not there: %v", g, rule, board.Color(c), by, moves)
				}
			}
			for c, was := range proved {
				if was && (over && board.Color(c) != side || !over && twin.Full()) {
					t.Errorf("game %d, %v: %v had proved a win and does not win: %v", g, rule, board.Color(c), moves)
				}
			}
		}
	}
	t.Logf("%d games, %d of them won, %d plies, %d with a row to be stopped, %d after a proof of a win", *caroGames, decided, plies, threats, claims)
	if *caroGames > 0 && (decided == 0 || threats == 0 || claims == 0) {
		t.Error("games of nothing test nothing")
	}
}
