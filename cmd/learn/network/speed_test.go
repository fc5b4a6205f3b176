package network

import (
	"math/rand/v2"
	"testing"

	"tengen/brain/board"
)

// benchGames returns games with what their positions teach.
func benchGames(b *testing.B) []*game {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	m := marker{rule: board.Freestyle, filter: filter{proven: true}}
	var games []*game
	for i := range 40 {
		size := 15 + 5*(i&1)
		g := &game{Game: *randomGame(r, board.Freestyle, size, size, 40)}
		if _, err := m.mark(g); err != nil {
			b.Fatal(err)
		}
		for _, u := range g.uses {
			if u != 0 {
				g.count++
			}
		}
		games = append(games, g)
	}
	return games
}

// samplesOf extracts the samples of games.
func samplesOf(b *testing.B, x *extractor, games []*game) []*example {
	b.Helper()
	var all []*example
	for _, g := range games {
		for range g.count {
			all = append(all, new(example))
		}
		if err := x.game(all[len(all)-g.count:], g); err != nil {
			b.Fatal(err)
		}
	}
	return all
}

func BenchmarkExtract(b *testing.B) {
	games, x := benchGames(b), newExtractor(board.Freestyle)
	all := samplesOf(b, x, games)
	for b.Loop() {
		rest := all
		for _, g := range games {
			if err := x.game(rest[:g.count], g); err != nil {
				b.Fatal(err)
			}
			rest = rest[g.count:]
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(all)), "ns/position")
}

func BenchmarkLearn(b *testing.B) {
	all := samplesOf(b, newExtractor(board.Freestyle), benchGames(b))
	all = all[:len(all)/128*128]
	w := newWorker(newModel(board.Freestyle, 1), true)
	for b.Loop() {
		for i := 0; i < len(all); i += 128 {
			w.learn(all[i:i+128], 0.9, 0.001, 0.001)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(all)), "ns/position")
}
