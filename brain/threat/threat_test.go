package threat

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

var rules = []board.Rule{
	board.Freestyle, board.ExactFive, board.Renju, board.Caro, board.Caro | board.ExactFive,
}

// eachRandom calls f with n crowded random positions of every rule, without a five.
func eachRandom(t *testing.T, seed uint64, n int, f func(t *testing.T, b *board.Board)) {
	for _, rule := range rules {
		t.Run(rule.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, uint64(rule)))
			for range n {
				b := walled(t, r, rule)
				scatter(b, r, 5+r.IntN(3), 6+r.IntN(20))
				f(t, b)
			}
		})
	}
}

func empties(b *board.Board) []board.Move { return b.Open().Append(nil) }

// TestFiveBlocksMissNothing: a move that is not listed leaves the five open.
func TestFiveBlocksMissNothing(t *testing.T) {
	seen := 0
	eachRandom(t, 1, 800, func(t *testing.T, b *board.Board) {
		o := b.Side().Other()
		if b.Count(o, board.MakesFive) == 0 {
			return
		}
		blocks := FiveBlocks(b, nil)
		for _, m := range empties(b) {
			b.Play(m)
			open := b.Count(o, board.MakesFive) > 0
			b.Undo()
			if !open {
				seen++
				if !slices.Contains(blocks, m) {
					t.Fatalf("%v stops the five and is not among %v", m, blocks)
				}
			}
		}
	})
	if seen < 150 {
		t.Errorf("only %d blocks seen", seen)
	}
}

// TestOpenFourStopsAreExact: the listed moves are those that leave the opponent no
// cell for an open four, no more and no less.
func TestOpenFourStopsAreExact(t *testing.T) {
	seen := 0
	eachRandom(t, 2, 500, func(t *testing.T, b *board.Board) {
		s, o := b.Side(), b.Side().Other()
		if b.Count(o, board.MakesOpenFour) == 0 || b.Count(o, board.MakesFive) > 0 {
			return
		}
		stops := OpenFourStops(b, nil)
		for _, m := range empties(b) {
			if k := b.Class(s, m); k >= board.MakesFour {
				continue
			}
			b.Play(m)
			safe := b.Count(o, board.MakesOpenFour) == 0
			b.Undo()
			if safe {
				seen++
			}
			if safe != slices.Contains(stops, m) {
				t.Fatalf("%v: stops the open four: %v, listed: %v", m, safe, !safe)
			}
		}
	})
	if seen < 150 {
		t.Errorf("only %d stops seen", seen)
	}
}

// TestFoursMissNothing: every legal move after which the side has a five to make, and
// had none before, is listed.
func TestFoursMissNothing(t *testing.T) {
	seen := 0
	eachRandom(t, 3, 500, func(t *testing.T, b *board.Board) {
		s := b.Side()
		if b.Count(s, board.MakesFive) > 0 {
			return
		}
		fours := Fours(b, nil)
		for _, m := range empties(b) {
			if !b.Legal(m) {
				continue
			}
			b.Play(m)
			four := b.Count(s, board.MakesFive) > 0
			b.Undo()
			if four {
				seen++
			}
			if four && !slices.Contains(fours, m) {
				t.Fatalf("%v makes a four and is not among %v", m, fours)
			}
		}
	})
	if seen < 150 {
		t.Errorf("only %d fours seen", seen)
	}
}

func TestStaticWinLeavesTheBoardAlone(t *testing.T) {
	played := 0
	eachRandom(t, 4, 900, func(t *testing.T, b *board.Board) {
		hash, ply := b.Hash(), b.Ply()
		s, o := b.Side(), b.Side().Other()
		if b.Count(s, board.MakesFourThree) > 0 && b.Count(o, board.MakesFour) > 0 &&
			b.Count(s, board.MakesFive)+b.Count(o, board.MakesFive)+b.Count(s, board.MakesOpenFour) == 0 {
			played++ // StaticWin has to try the four-three
		}
		StaticWin(b)
		if b.Hash() != hash || b.Ply() != ply {
			t.Fatal("the board has changed")
		}
	})
	if played < 20 {
		t.Errorf("only %d four-threes tried", played)
	}
}

// TestStaticWinSeesForbiddenPoints: in renju White wins where Black may not answer a four, and Black has
// lost where he may not stop a five.
func TestStaticWinSeesForbiddenPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 4))
	fours, fives, open := 0, 0, 0
	for range 8000 {
		b := walled(t, r, board.Renju)
		scatter(b, r, 5+r.IntN(4), 16+r.IntN(24))
		if b.Side() == board.Black {
			b.Pass()
		}
		if b.Count(board.Black, board.MakesFoul) == 0 || b.Count(board.White, board.MakesFive)+b.Count(board.Black, board.MakesFive)+b.Count(board.White, board.MakesOpenFour) > 0 {
			continue
		}
		wins := false
		for _, m := range empties(b) {
			b.Play(m)
			if b.Count(board.White, board.MakesFive) == 1 {
				forbidden := b.Forbidden(b.Set(board.White, board.MakesFive).First())
				if n := StaticWin(b); n < 0 != forbidden {
					t.Fatalf("black, to move, may stop the five: %v; StaticWin gives %d\n%v", !forbidden, n, boardtest.Drawing(b))
				}
				if wins = wins || forbidden; forbidden {
					fives++
				} else {
					open++
				}
			}
			b.Undo()
		}
		if wins {
			fours++
		}
		if n := StaticWin(b); n == 3 != wins {
			t.Fatalf("white has a four that black may not answer: %v; StaticWin gives %d\n%v", wins, n, boardtest.Drawing(b))
		}
	}
	t.Logf("%d positions with a win by a forbidden point, %d fives on one, %d on others", fours, fives, open)
	if fours < 30 || open < 600 {
		t.Errorf("%d wins, %d fives that may be stopped: too few", fours, open)
	}
}

// TestWinStopsMissNothing: after a move that is not listed and makes no four, the opponent
// is proved to win. Moves that stop nothing are sometimes listed, since a three that may
// make a four of the answer need not do so. Unlike TestStops it has all rules and every move.
func TestWinStopsMissNothing(t *testing.T) {
	asked := map[board.Rule]int{}
	stops, listed := 0, 0
	eachRandom(t, 7, 2000, func(t *testing.T, b *board.Board) {
		s, o := b.Side(), b.Side().Other()
		if b.Count(o, board.MakesFive) > 0 || b.Count(o, board.MakesOpenFour) > 0 || StaticWin(b) != 0 {
			return
		}
		list, ok := WinStops(b, nil)
		if !ok {
			if len(list) > 0 {
				t.Fatalf("a list of %v, but no threat", list)
			}
			return
		}
		asked[b.Rule()]++
		listed += len(list)
		fours := Fours(b, nil)
		for i, m := range list {
			if b.Cell(m) != board.Empty || slices.Contains(list[:i], m) {
				t.Fatalf("%v is no legal move or listed twice in %v", m, list)
			}
		}
		for _, m := range empties(b) {
			if slices.Contains(fours, m) || s == board.Black && b.Forbidden(m) {
				continue
			}
			b.Play(m)
			n := StaticWin(b)
			b.Undo()
			if n <= 0 {
				stops++
				if !slices.Contains(list, m) {
					t.Fatalf("%v stops the win and is not among %v", m, list)
				}
			}
		}
	})
	for _, rule := range rules {
		if asked[rule] < 20 {
			t.Errorf("%v: only %d threats seen", rule, asked[rule])
		}
	}
	if listed > 2*stops {
		t.Errorf("%d moves are listed, and %d stop the win", listed, stops)
	}
	t.Logf("threats %v, %d moves listed, %d stops", asked, listed, stops)
}
