package main

import (
	"fmt"
	"slices"
)

// A match is a schedule and the games of it that have been played.
type match struct {
	id       string
	settings *settings
	about    map[string]string // engine name to its own words
	games    map[int]*gameRecord
	void     map[string]bool // engines whose failures are left out
	tester   *tester         // how far the test has come, nil before the first sum
	sched    *schedule       // of settings, nil before it is asked for
}

func (m *match) schedule() *schedule {
	if m.sched == nil {
		m.sched = m.settings.schedule()
	}
	return m.sched
}

// check reports a game that is not where the schedule has it.
func (m *match) check() error {
	s := m.schedule()
	if len(s.pairs) == 0 || s.games < 2 || s.games%2 != 0 || s.rounds < 1 {
		return fmt.Errorf("match %s has no sound schedule", m.id)
	}
	for n, g := range m.games {
		if n > s.total() {
			return fmt.Errorf("game %d is beyond the %d games of match %s", n, s.total(), m.id)
		}
		f := s.fixture(n)
		if g.Black != m.settings.Engines[f.Black].Name || g.White != m.settings.Engines[f.White].Name {
			return fmt.Errorf("game %d is %s against %s, the schedule has %s against %s", n, g.Black, g.White,
				m.settings.Engines[f.Black].Name, m.settings.Engines[f.White].Name)
		}
	}
	return nil
}

// failed reports whether reason is the loser's failure as a program, rather than a game
// lost over the board.
func failed(reason string) bool {
	switch reason {
	case "timeout", "crash", "protocol", "memory", "illegal", "forbidden":
		return true
	}
	return false
}

// voided reports whether the game is left out: one whom void names lost it by time, crash
// or protocol, which may be the machine's fault. Illegal moves are the engine's own, as
// is what it takes of memory.
func (m *match) voided(g *gameRecord) bool {
	switch g.Reason {
	case "timeout", "crash", "protocol":
		return m.void[g.loser()]
	}
	return false
}

// A standing is one engine's result over all its games.
type standing struct {
	Name     string
	Score    score
	Rating   rating
	Failures map[string]int // lost by reason, five left out, void games too
	Void     int            // games left out
}

// A result is what a match says so far.
type result struct {
	Engines []standing
	Cross   [][]score // [i][j]: i against j, from i's side; pairs counted
	Ratings float64   // draw parameter of the fitted model

	First   score    // the first engine against the second, as far as they count
	Est     estimate // of First
	LLR     float64
	Verdict verdict
	Decided int // games up to and with the pair that decided the test; 0 if none did

	Played  int // games in the journal
	Counted int // without void games and those after the decision
	Void    int
	Beyond  int // games after the decision
	Total   int
}

// sum counts the match. A test is judged on pairs in the order of the schedule, as far
// as they follow without a gap, so that its verdict does not depend on which game
// happened to end first; what lies beyond the deciding pair does not count.
func (m *match) sum() *result {
	s := m.schedule()
	n := len(m.settings.Engines)
	r := &result{Total: s.total(), Played: len(m.games), Engines: make([]standing, n), Cross: make([][]score, n)}
	index := map[string]int{}
	for i, e := range m.settings.Engines {
		r.Engines[i] = standing{Name: e.Name, Failures: map[string]int{}}
		r.Cross[i] = make([]score, n)
		index[e.Name] = i
	}
	if m.settings.SPRT != nil {
		if m.tester == nil {
			m.tester = &tester{test: m.settings.SPRT}
		}
		m.tester.advance(m, s.total())
		r.LLR, r.Verdict = m.tester.llr, m.tester.verdict
		if r.Verdict != goOn {
			r.Decided = 2 * m.tester.block
		}
	}
	numbers := make([]int, 0, len(m.games))
	for g := range m.games {
		numbers = append(numbers, g)
	}
	slices.Sort(numbers)
	for _, no := range numbers {
		g := m.games[no]
		if r.Decided > 0 && no > r.Decided {
			r.Beyond++
			continue
		}
		b, w := index[g.Black], index[g.White]
		if loser := g.loser(); loser != "" && g.Reason != "five" {
			r.Engines[index[loser]].Failures[g.Reason]++
		}
		if m.voided(g) {
			r.Void++
			r.Engines[index[g.loser()]].Void++
			continue
		}
		r.Counted++
		p := g.halfPoints()
		for _, side := range [][3]int{{b, w, p}, {w, b, 2 - p}} {
			r.Engines[side[0]].Score.add(side[2])
			r.Cross[side[0]][side[1]].add(side[2])
		}
		if no%2 == 0 {
			if first, points, ok := m.pair(no/2 - 1); ok {
				other := b + w - first
				r.Cross[first][other].Pairs[points]++
				r.Cross[other][first].Pairs[4-points]++
				r.Engines[first].Score.Pairs[points]++
				r.Engines[other].Score.Pairs[4-points]++
			}
		}
	}
	var duels []duel
	for i := range n {
		for j := i + 1; j < n; j++ {
			c := r.Cross[i][j]
			duels = append(duels, duel{i, j, float64(c.Wins), float64(c.Losses), float64(c.Draws)})
		}
	}
	ratings, v := fitRatings(n, duels)
	r.Ratings = v
	for i := range ratings {
		r.Engines[i].Rating = ratings[i]
	}
	r.First = r.Cross[0][1]
	r.Est = r.First.estimate()
	return r
}

// repeated counts games that an earlier one had move by move, between the same engines
// with the same colours. They happen when engines without a clock run out of openings,
// and make every interval look narrower than it is.
func (m *match) repeated() int {
	seen := map[[3]string]bool{}
	n := 0
	for _, g := range m.sorted() {
		if failed(g.Reason) {
			continue
		}
		key := [3]string{g.Black, g.White, g.Moves}
		if seen[key] {
			n++
		}
		seen[key] = true
	}
	return n
}

// pair gives the first engine of a block and its half points in both games, 0..4, if
// both were played and count.
func (m *match) pair(block int) (first, points int, ok bool) {
	a, b := m.games[2*block+1], m.games[2*block+2]
	if a == nil || b == nil || m.voided(a) || m.voided(b) {
		return 0, 0, false
	}
	f := m.schedule().fixture(2*block + 1)
	points = a.halfPoints() + 2 - b.halfPoints() // of Black in the first game
	if f.Black != f.First {
		points = 4 - points
	}
	return f.First, points, true
}

// A tester walks the pairs of a match in the order of the schedule, as far as they
// follow without a gap, until the test decides.
type tester struct {
	test    *sprt
	pairs   [5]int
	block   int // the next one to look at
	llr     float64
	verdict verdict
}

// advance looks at the pairs that have been completed since the last call.
func (t *tester) advance(m *match, total int) {
	for t.verdict == goOn && 2*t.block < total {
		if m.games[2*t.block+1] == nil || m.games[2*t.block+2] == nil {
			return
		}
		if _, points, ok := m.pair(t.block); ok {
			t.pairs[points]++
			t.llr, t.verdict = t.test.judge(t.pairs)
		}
		t.block++
	}
}
