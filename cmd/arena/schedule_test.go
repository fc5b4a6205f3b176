package main

import (
	"testing"

	"tengen/brain/board"
	"tengen/cmd/internal/flags"
)

func TestEveryOpeningIsPlayedFromBothSidesByEveryPair(t *testing.T) {
	openings := [][]board.Move{make([]board.Move, 3), make([]board.Move, 2), nil, make([]board.Move, 1), make([]board.Move, 5)}
	s := schedule{settings: &settings{Games: 6, Rounds: 2}, pairs: pairings(4, false), order: []int{3, 0, 4, 1, 2}, openings: openings}
	if s.total() != 72 {
		t.Fatalf("%d games, want 72", s.total())
	}
	type side struct{ black, white, opening, round int }
	seen := map[side]int{}
	for n := 1; n <= s.total(); n++ {
		f := s.fixture(n)
		if f.Game != n {
			t.Fatalf("game %d calls itself %d", n, f.Game)
		}
		seen[side{f.Black, f.White, f.Opening, f.Round}]++
		if n%2 == 1 {
			g := s.fixture(n + 1)
			if odd := len(openings[f.Opening])%2 == 1; odd != (f.Black != f.First) {
				t.Errorf("game %d: engine %d of %d and %d moves first after the opening", n, f.First, f.Black, f.White)
			}
			if g.Black != f.White || g.White != f.Black || g.Opening != f.Opening || g.Block != f.Block {
				t.Errorf("games %d and %d are no pair: %+v %+v", n, n+1, f, g)
			}
		}
	}
	for k, n := range seen {
		if n != seen[side{k.white, k.black, k.opening, k.round}] {
			t.Errorf("%+v is played %d times, the other side %d times", k, n, seen[side{k.white, k.black, k.opening, k.round}])
		}
	}
	// 2 rounds of 3 blocks go through 5 openings: one is met twice, all others once.
	met := map[int]int{}
	for n := 1; n <= s.total(); n++ {
		if f := s.fixture(n); f.Black == 0 && f.White == 1 {
			met[f.Opening]++
		}
	}
	if len(met) != 5 {
		t.Errorf("one pair met the openings %v, want all five", met)
	}
}

func TestGauntletIsTheFirstAgainstTheOthers(t *testing.T) {
	if p := pairings(4, true); len(p) != 3 || p[0] != [2]int{0, 1} || p[2] != [2]int{0, 3} {
		t.Errorf("gauntlet of 4: %v", p)
	}
	if p := pairings(4, false); len(p) != 6 {
		t.Errorf("round robin of 4: %v", p)
	}
}

func TestShardsPartTheScheduleWithoutOverlap(t *testing.T) {
	s := schedule{settings: &settings{Games: 10, Rounds: 3}, pairs: pairings(3, false)}
	for _, base := range []int{0, 1} { // parts counted from 0 and from 1
		owner := make([]int, s.total()+1)
		for i := range 4 {
			sh, err := flags.ParseShard([]string{"0/4", "1/4", "2/4", "3/4", "4/4"}[i+base])
			if err != nil {
				t.Fatal(err)
			}
			count := 0
			for n := 1; n <= s.total(); n++ {
				if sh.Has(s.fixture(n).Block) {
					count++
				}
			}
			if got := s.count(sh); got != count {
				t.Errorf("shard %v has %d games, count says %d", sh, count, got)
			}
			for n := 1; n <= s.total(); n++ {
				if sh.Has(s.fixture(n).Block) {
					owner[n]++
				}
			}
		}
		for n := 1; n <= s.total(); n++ {
			if owner[n] != 1 {
				t.Errorf("game %d is in %d shards", n, owner[n])
			}
			if n%2 == 0 {
				sh := flags.Shard{Part: s.fixture(n).Block % 4, Of: 4}
				if !sh.Has(s.fixture(n - 1).Block) {
					t.Errorf("games %d and %d are parted", n-1, n)
				}
			}
		}
	}
	for _, bad := range []string{"", "1", "5/4", "-1/4", "1/0", "a/b", "1/4/2"} {
		if _, err := flags.ParseShard(bad); err == nil {
			t.Errorf("-shard %q was accepted", bad)
		}
	}
}

func TestOrderOfOpeningsDependsOnTheSeedOnly(t *testing.T) {
	order := func(seed uint64) []int {
		s := settings{Openings: make([]string, 50), Order: "random", Seed: seed}
		return s.schedule().order
	}
	a, b, c := order(1), order(1), order(2)
	same, other := true, true
	for i := range a {
		same = same && a[i] == b[i]
		other = other && a[i] == c[i]
	}
	if !same || other {
		t.Errorf("seed 1 twice the same: %v; seeds 1 and 2 the same: %v", same, other)
	}
	s := settings{Engines: make([]engine, 2), Openings: make([]string, 3), Games: 6, Rounds: 1}
	for i := range 3 {
		if f := s.schedule().fixture(2*i + 1); f.Opening != i {
			t.Errorf("sequential order: game %d has opening %d", f.Game, f.Opening)
		}
	}
}

func TestSymmetriesFollowWhenTheOpeningsAreUsedUp(t *testing.T) {
	s := schedule{settings: &settings{Games: 40, Rounds: 1, Symmetries: true}, pairs: pairings(2, false), openings: make([][]board.Move, 2)}
	seen := map[[2]int]bool{}
	for n := 1; n <= 32; n += 2 {
		f := s.fixture(n)
		seen[[2]int{f.Opening, f.Symmetry}] = true
	}
	if len(seen) != 16 {
		t.Errorf("16 pairs of games met %d different openings, want 16", len(seen))
	}
}
