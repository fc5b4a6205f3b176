package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"tengen/cmd/internal/elo"
)

// A match is a schedule and the games of it that have been played.
type match struct {
	settings *settings       // nil until the first line of a journal has been read
	ids      map[string]bool // hashes of the settings its games may have
	games    map[int]*gameRecord
	tester   *tester   // nil until test is called
	sched    *schedule // nil until schedule is called
}

// newMatch returns a match without games. If s is nil, the first line of a journal has the
// settings.
func newMatch(s *settings) *match {
	m := &match{ids: map[string]bool{}, games: map[int]*gameRecord{}}
	if s != nil {
		m.use(s)
	}
	return m
}

// use makes s the settings of the match.
func (m *match) use(s *settings) {
	m.settings, m.sched, m.tester = s, nil, nil
	m.ids[s.id()] = true
}

func (m *match) id() string { return m.settings.id() }

func (m *match) schedule() *schedule {
	if m.sched == nil {
		m.sched = m.settings.schedule()
	}
	return m.sched
}

// test returns the state of the test after all games so far.
func (m *match) test() *tester {
	if m.tester == nil {
		m.tester = &tester{test: m.settings.SPRT, seen: pairMoves{}}
	}
	m.tester.advance(m, m.schedule().total())
	return m.tester
}

// add adds the records of a journal. A match that was extended has several settings, which
// differ in the number of games; those with the most games hold. It returns the number of
// games that the match had already.
func (m *match) add(records []gameRecord) (repeats int, err error) {
	for i := range records {
		r := &records[i]
		if s := r.Settings; s != nil {
			if s.id() != r.Match {
				return 0, fmt.Errorf("the settings of game %d do not belong to match %s", r.Game, r.Match)
			}
			if m.settings == nil {
				m.use(s)
			}
			if diff := m.settings.differences(s); diff != "" {
				return 0, fmt.Errorf("another match: %s", diff)
			}
			if m.ids[r.Match] = true; s.Games*s.Rounds > m.settings.Games*m.settings.Rounds {
				m.use(s)
			}
		}
		if !m.ids[r.Match] {
			return 0, fmt.Errorf("game %d belongs to another match, %q, whose settings are not in the file", r.Game, r.Match)
		}
		if m.games[r.Game] != nil {
			repeats++
			continue
		}
		m.games[r.Game] = r
	}
	return repeats, nil
}

// check returns an error if a game does not follow the schedule.
func (m *match) check() error {
	s := m.schedule()
	if len(s.pairs) == 0 || s.Games < 2 || s.Games%2 != 0 || s.Rounds < 1 {
		return fmt.Errorf("match %s has an invalid schedule", m.id())
	}
	for _, g := range m.sorted() {
		if g.Game > s.total() {
			return fmt.Errorf("it has game %d of a match of %d games", g.Game, s.total())
		}
		f := s.fixture(g.Game)
		black, white := m.settings.Engines[f.Black].Name, m.settings.Engines[f.White].Name
		if g.Chosen != nil && g.Chosen.First == black && g.Black == white {
			black, white = white, black // they have changed colors
		}
		if g.Black != black || g.White != white {
			return fmt.Errorf("game %d is %s against %s, the schedule has %s against %s", g.Game, g.Black, g.White, black, white)
		}
	}
	return nil
}

// sorted returns the games by number.
func (m *match) sorted() []*gameRecord {
	return slices.SortedFunc(maps.Values(m.games), func(a, b *gameRecord) int { return a.Game - b.Game })
}

// byOthers returns the number of games in which the engine was another program than it is now.
func (m *match) byOthers(e *engine) int {
	n := 0
	for _, g := range m.games {
		for side, name := range [2]string{g.Black, g.White} {
			if was := g.Programs[side]; name == e.Name && was != "" && was != e.checksum {
				n++
			}
		}
	}
	return n
}

// failureKinds are the reasons for the loss of a game by a failure of the program.
var failureKinds = []string{"timeout", "crash", "protocol", "memory", "illegal", "forbidden"}

func failed(reason string) bool { return slices.Contains(failureKinds, reason) }

// A standing is the result of one engine.
type standing struct {
	Name     string
	Score    elo.Score
	Rating   elo.Rating
	Failures map[string]int // games lost, by reason, without those by a five or by fewer rows
	First    *gameRecord    // the first of failureKinds, nil for none
}

// A result is the result of the games so far.
type result struct {
	Engines []standing
	Cross   [][]elo.Score // [i][j]: i against j, from i's side

	First   elo.Score // the first engine against the second
	LLR     float64
	Verdict elo.Verdict
	Decided int // games up to and including the deciding pair; 0 if the test is undecided

	Played   int // games in the journal
	Beyond   int // games after the decision, which do not count
	Repeated int // pairs that repeat earlier ones, which do not count
	Total    int
}

// sum returns the result of the match. The test sees pairs in the order of the schedule up
// to the first gap, so that its verdict does not depend on which game ends first. Games
// after the deciding pair, and pairs that repeat earlier ones, do not count.
func (m *match) sum() *result {
	s := m.schedule()
	n := len(m.settings.Engines)
	r := &result{Total: s.total(), Played: len(m.games), Engines: make([]standing, n), Cross: make([][]elo.Score, n)}
	index := map[string]int{}
	for i, e := range m.settings.Engines {
		r.Engines[i] = standing{Name: e.Name, Failures: map[string]int{}}
		r.Cross[i] = make([]elo.Score, n)
		index[e.Name] = i
	}
	if m.settings.SPRT != nil {
		t := m.test()
		if r.LLR, r.Verdict = t.llr, t.verdict; r.Verdict != elo.Undecided {
			r.Decided = 2 * t.block
		}
	}
	seen, block, repeats := pairMoves{}, -1, false
	for _, g := range m.sorted() {
		if r.Decided > 0 && g.Game > r.Decided {
			r.Beyond++
			continue
		}
		if n := (g.Game - 1) / 2; n != block {
			if block, repeats = n, m.repeats(n, seen); repeats {
				r.Repeated++
			}
		}
		if repeats {
			continue
		}
		b, w := index[g.Black], index[g.White]
		if loser := g.loser(); loser != "" && g.Reason != "five" && g.Reason != "rows" {
			e := &r.Engines[index[loser]]
			e.Failures[g.Reason]++
			if e.First == nil && failed(g.Reason) {
				e.First = g
			}
		}
		r.Cross[b][w].Add(g.halfPoints())
		r.Cross[w][b].Add(2 - g.halfPoints())
		if g.Game%2 == 0 {
			if first, points, ok := m.pair(block); ok {
				other := b + w - first
				r.Cross[first][other].Pairs[points]++
				r.Cross[other][first].Pairs[4-points]++
			}
		}
	}
	for i, against := range r.Cross {
		for _, score := range against {
			r.Engines[i].Score.Join(score)
		}
	}
	for i, rating := range elo.Ratings(r.Cross) {
		r.Engines[i].Rating = rating
	}
	r.First = r.Cross[0][1]
	return r
}

// ranked lists the indices of the engines from the highest rating down.
func (r *result) ranked() []int {
	order := make([]int, len(r.Engines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Engines[b].Rating.Elo, r.Engines[a].Rating.Elo) })
	return order
}

// allFailed returns an error if every game, or every game of an engine, was lost by a failure.
func (r *result) allFailed() error {
	all := 0
	for _, e := range r.Engines {
		n := 0
		for _, kind := range failureKinds {
			n += e.Failures[kind]
		}
		if n > 0 && n == e.Score.Games() {
			return fmt.Errorf("%s failed in every game: %s", e.Name, failures(e))
		}
		all += n
	}
	if all > 0 && all == r.Played-r.Beyond {
		return errors.New("an engine failed in every game")
	}
	return nil
}

// pair returns the first engine of a block and its half points in both games, 0..4, if
// both were played.
func (m *match) pair(block int) (first, points int, ok bool) {
	a, b := m.games[2*block+1], m.games[2*block+2]
	if a == nil || b == nil {
		return 0, 0, false
	}
	f := m.schedule().fixture(2*block + 1)
	name := m.settings.Engines[f.First].Name
	return f.First, a.points(name) + b.points(name), true
}

// pairMoves are the players and the moves of pairs of games.
type pairMoves map[[4]string]bool

// repeats reports whether both games of a block have the moves of a block in seen, and adds it
// there. The same search again proves nothing new. Engines that play by the clock are no such
// case: what they repeat is where an opening leaves no choice, and such openings count as often as
// others.
func (m *match) repeats(block int, seen pairMoves) bool {
	a, b := m.games[2*block+1], m.games[2*block+2]
	if !m.settings.fixed() || a == nil || b == nil || failed(a.Reason) || failed(b.Reason) {
		return false
	}
	key := [4]string{a.Black, a.White, a.Moves, b.Moves}
	again := seen[key]
	seen[key] = true
	return again
}

// A tester feeds the pairs of a match to its test in the order of the schedule, up to the
// first gap, until the test decides or nothing new comes.
type tester struct {
	test    *elo.SPRT
	pairs   [5]int
	seen    pairMoves
	same    int // pairs in a row, up to the last one, that repeat earlier ones
	block   int // the next one
	llr     float64
	verdict elo.Verdict
}

// advance adds the pairs that have been completed since the last call, of total games.
func (t *tester) advance(m *match, total int) {
	for t.verdict == elo.Undecided && 2*t.block < total {
		_, points, ok := m.pair(t.block)
		if !ok {
			return
		}
		if m.repeats(t.block, t.seen) {
			t.same++
		} else {
			t.same = 0
			t.pairs[points]++
			t.llr, t.verdict = t.test.Judge(t.pairs)
		}
		t.block++
	}
}

// enoughSame is how many pairs in a row repeat earlier ones before a test ends undecided, if all
// openings are among them: an engine may choose its first moves at random.
const enoughSame = 100

// over reports whether the test has decided, or will never do so since the engines repeat
// themselves.
func (t *tester) over(s *schedule) bool {
	return t.verdict != elo.Undecided || t.same >= max(enoughSame, s.deals())
}
