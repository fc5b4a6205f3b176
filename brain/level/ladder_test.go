package level

import (
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
	"tengen/brain/longtest"
	"tengen/brain/play"
	"tengen/brain/search"
)

var (
	ladder   = flag.Int("ladder", 200, "games of each level against the one below, for TestLadder")
	from     = flag.Int("from", 1, "the first level of TestLadder")
	to       = flag.Int("to", 4, "the last level of TestLadder; those from 10 on take seconds a game")
	botGames = flag.Int("bots", 0, "games of each level against each bot, for TestLadder")
	full     = flag.Int64("full", 150_000, "nodes of a move at full strength, in TestLadder")
)

// A mover chooses the moves of a side of one game.
type mover func(b *board.Board) board.Move

// A table is where one game after the other is played, by two players that search as the engine does.
type table struct{ pools [2]*search.Pool }

func newTable() *table {
	t := new(table)
	for i := range t.pools {
		t.pools[i] = search.NewPool(eval.Embedded().New, search.DefaultParams(), 1, 8<<20)
	}
	return t
}

// seat returns the player of the n-th level for a game. Full strength is limited by nodes, so that the
// games can be repeated on any machine.
func (t *table) seat(tb testing.TB, i, n int, seed uint64) mover {
	t.pools[i].Clear()
	s, l := play.Searcher(&play.AlphaBeta{Pool: t.pools[i]}), search.Limits{}
	if n == Count {
		s, l.Nodes = Near{Searcher: s, Tables: eval.Embedded().Tables}, *full
	} else {
		s = &Player{Strength: Strength(n), Searcher: s, Workers: 1, Tables: eval.Embedded().Tables, Seed: seed}
	}
	return func(b *board.Board) board.Move { return s.Search(tb.Context(), b, l, nil).Move }
}

// points plays a game from an opening and returns the half points of the player of a color.
func points(tb testing.TB, opening string, color board.Color, player, opponent mover) int64 {
	b := boardtest.After(tb, board.Freestyle, 15, opening)
	for b.Empties() > 0 {
		who := player
		if b.Side() != color {
			who = opponent
		}
		m := who(b)
		if !b.Legal(m) {
			tb.Fatalf("plays %v in\n%v", m, boardtest.Drawing(b))
		}
		if b.Wins(b.Side(), m) {
			if b.Side() == color {
				return 2
			}
			return 0
		}
		b.Play(m)
	}
	return 1
}

// match plays games, two of each opening, on two tables, and returns the percentage of the points.
func match(tb testing.TB, games int, opponents func(t *table, game int) (player, opponent mover)) float64 {
	raw, err := os.ReadFile("../../testdata/openings/freestyle-15.txt")
	if err != nil {
		tb.Fatal(err)
	}
	openings := strings.Fields(string(raw))
	var sum atomic.Int64
	done := make(chan bool)
	for first := range 2 {
		go func() {
			defer func() { done <- true }()
			for t, n := newTable(), first; n < games; n += 2 {
				player, opponent := opponents(t, n)
				sum.Add(points(tb, openings[n/2%len(openings)], board.Color(n%2), player, opponent))
			}
		}()
	}
	<-done
	<-done
	return float64(sum.Load()) * 50 / float64(games)
}

// against returns the percentage of the n-th level against another.
func against(tb testing.TB, n, other, games int) float64 {
	return match(tb, games, func(t *table, game int) (mover, mover) {
		return t.seat(tb, 0, n, uint64(game)), t.seat(tb, 1, other, uint64(game)+1<<32)
	})
}

// againstBot returns the percentage of the n-th level against a bot.
func againstBot(tb testing.TB, n int, bot bot, games int) float64 {
	return match(tb, games, func(t *table, game int) (mover, mover) {
		r := rand.New(rand.NewPCG(7, uint64(game)))
		return t.seat(tb, 0, n, uint64(game)), func(b *board.Board) board.Move { return bot.move(b, r) }
	})
}

// TestLadder shows with -v how every level does against the one below and against the bots: the table of
// cmd/boardui/README.md is from -to 16 -ladder 200 -bots 200. The games depend on nothing but their
// numbers.
func TestLadder(t *testing.T) {
	longtest.Here(t)
	for n := *from; n <= min(*to, Count); n++ {
		if n > 1 && *ladder > 0 {
			p := against(t, n, n-1, *ladder)
			t.Logf("level %d against the one below: %.1f%% of %d games", n, p, *ladder)
			if e := 2 * 50 / math.Sqrt(float64(*ladder)); p < 65-e || p > 80+e { // two standard errors
				t.Errorf("level %d scores %.1f%% against the one below", n, p)
			}
		}
		for _, bot := range bots {
			if *botGames > 0 {
				t.Logf("level %d against the bot that %s: %.1f%% of %d games", n, bot.name, againstBot(t, n, bot, *botGames), *botGames)
			}
		}
	}
}

// TestLevelsAgainstBots: the first level loses most games to a bot that only extends its rows, the default
// beats it, and the middle level beats one that blocks most threes.
func TestLevelsAgainstBots(t *testing.T) {
	longtest.Here(t)
	for _, test := range []struct {
		level, bot, games int
		least, most       float64
	}{{1, 0, 200, 10, 35}, {2, 0, 200, 51, 100}, {Count / 2, 1, 40, 70, 100}} {
		if p := againstBot(t, test.level, bots[test.bot], test.games); p < test.least || p > test.most {
			t.Errorf("level %d scores %.1f%% against a bot that %s", test.level, p, bots[test.bot].name)
		}
	}
}
