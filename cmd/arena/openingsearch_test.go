package main

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/opening"
	"tengen/protocol/client"
	"tengen/protocol/wire"
)

// weigh is the value of a position for the side to move that a test's engine gives: a hash.
func weigh(stones []board.Move) int {
	h := fnv.New64a()
	for _, m := range stones {
		h.Write([]byte{byte(m), byte(m >> 8), 'x'})
	}
	return int(h.Sum64()%401) - 200
}

// own is the move of that engine: the first free cell from a place on that the position gives.
func own(stones []board.Move) board.Move {
	for i := 60 + (weigh(stones)+200)%80; ; i++ {
		if m := board.At(i%15, i/15); !slices.Contains(stones, m) {
			return m
		}
	}
}

// A weigher answers to searches with weigh and own.
type weigher struct{ asked int }

func (w *weigher) consult(stones []board.Move, part int) (client.Reply, error) {
	w.asked++
	m := own(stones)
	return client.Reply{X: m.X(), Y: m.Y(), Stats: wire.Stats{Scored: true, Eval: weigh(stones)}}, nil
}

// plainFifths are the values for black of all fifth moves near the stones of which none mirrors another,
// the greatest first.
func plainFifths(stones []board.Move) (values []int, cells []board.Move) {
	for y := range 15 {
		for x := range 15 {
			m := board.At(x, y)
			near, same := false, slices.Contains(stones, m)
			for _, o := range stones {
				near = near || max(m.X()-o.X(), o.X()-m.X(), m.Y()-o.Y(), o.Y()-m.Y()) <= 2
			}
			for _, o := range cells {
				same = same || opening.Symmetric(stones, o, m, 15, 15)
			}
			if near && !same {
				cells = append(cells, m)
			}
		}
	}
	value := func(m board.Move) int { return -weigh(append(slices.Clone(stones), m)) }
	slices.SortFunc(cells, func(a, b board.Move) int { return value(b) - value(a) })
	for _, m := range cells {
		values = append(values, value(m))
	}
	return values, cells
}

// nearest returns the place from 1 of the value nearest to 0.
func nearest(values []int) int {
	best := 0
	for i, v := range values {
		if v*v < values[best]*values[best] {
			best = i
		}
	}
	return best + 1
}

// Openings of all rules, chosen by both players: what each chooses is what the scores of all positions say.
func TestSearchesChooseByScores(t *testing.T) {
	seen := map[string]int{}
	for _, rule := range opening.Rules() {
		for game := range 12 {
			state, err := opening.New(rule, 15, 15)
			if err != nil {
				t.Fatal(err)
			}
			players := [2]*searchChooser{newSearchChooser((&weigher{}).consult, "a", game), newSearchChooser((&weigher{}).consult, "a", game)}
			for !state.Done() {
				step := state.Step()
				d, err := players[step.By].decide(state)
				if err != nil || len(d.list) == 0 {
					t.Fatalf("%v: %v, %v", rule, d, err)
				}
				stones, text := state.Stones(), d.list[0].String()
				check := func(what string, want bool) {
					if !want {
						t.Errorf("%v after %v: %v is not %s", rule, state.Choices(), d.list, what)
					}
					seen[what]++
				}
				four := append(slices.Clone(stones), own(stones))
				switch c := d.list[0]; c.Action {
				case opening.DoSwap, opening.Stay, opening.Ten:
					ahead := weigh(stones)
					switch {
					case rule == opening.RIF, rule == opening.Yamaguchi:
						values, _ := plainFifths(four)
						ahead = -values[cmp.Or(state.Declared(), 2)-1]
					case rule == opening.Soosyrv8 && len(stones) == 4:
						values, _ := plainFifths(stones)
						ahead = values[state.Declared()-1]
					}
					if values, _ := plainFifths(stones); step.Can(opening.Ten) {
						check("ten", (c.Action == opening.Ten) == (values[9] > 0))
					}
					if c.Action != opening.Ten {
						check(text, (c.Action == opening.DoSwap) == (ahead < 0))
					}
				case opening.Declare:
					if rule == opening.Yamaguchi {
						stones = four
					}
					values, _ := plainFifths(stones)
					check("declare", c.Number == nearest(values[:map[opening.Rule]int{opening.Soosyrv8: 8, opening.Yamaguchi: 12}[rule]]))
				case opening.Offer:
					values, _ := plainFifths(stones)
					for i, o := range d.list {
						check("offer", -weigh(append(slices.Clone(stones), o.Move)) == values[i])
					}
				case opening.Pick:
					for _, m := range state.Offers() {
						check("pick", weigh(append(slices.Clone(stones), c.Move)) >= weigh(append(slices.Clone(stones), m)))
					}
				}
				for _, c := range d.list {
					if err := state.Apply(c); err != nil {
						t.Fatalf("%v: %v", rule, err)
					}
				}
			}
			if n := len(state.Stones()); rule != opening.Free && n < 3 {
				t.Errorf("%v: %d stones", rule, n)
			}
		}
	}
	for _, what := range []string{"swap", "stay", "ten", "declare", "offer", "pick"} {
		if seen[what] == 0 {
			t.Errorf("no choice was %q", what)
		}
	}
}

// A position without a score is judged by what the engine's moves lead to; an engine without scores cannot choose.
func TestSearchesWithoutScores(t *testing.T) {
	stones := []board.Move{board.At(7, 7), board.At(7, 8), board.At(8, 8)}
	for scored, want := range map[int]int{3: weigh(stones), 4: -weigh(append(slices.Clone(stones), own(stones))), 9: 0} {
		s := newSearchChooser(func(stones []board.Move, part int) (client.Reply, error) {
			m := own(stones)
			reply := client.Reply{X: m.X(), Y: m.Y()}
			if len(stones) >= scored {
				reply.Stats = wire.Stats{Scored: true, Eval: weigh(stones)}
			}
			return reply, nil
		}, "a", 1)
		s.width, s.height = 15, 15
		v, err := s.value(stones, wholePart)
		if err != nil || v.value != want || v.known != (scored < 9) || v.move != own(stones) {
			t.Errorf("scores from %d stones on: %+v, %v, want %d", scored, v, err, want)
		}
		if _, err := s.must(stones, wholePart); (err != nil) != (scored == 9) {
			t.Errorf("scores from %d stones on: %v", scored, err)
		}
	}
	patient := newSearchChooser(func(_ []board.Move, part int) (client.Reply, error) {
		return client.Reply{Stats: wire.Stats{Scored: part == wholePart, Eval: 7}}, nil
	}, "a", 1)
	if v, err := patient.value(stones, manyPart); err != nil || !v.known || v.value != 7 {
		t.Errorf("with more time there is a score: %+v, %v", v, err)
	}
	for mate, low := range map[int]bool{5: false, -5: true} {
		s := newSearchChooser(func([]board.Move, int) (client.Reply, error) {
			return client.Reply{Stats: wire.Stats{Scored: true, Mate: mate}}, nil
		}, "a", 1)
		if v, _ := s.value(stones, 1); (v.value < -1e6) != low || (v.value > 1e6) == low {
			t.Errorf("a win in %d is worth %d", mate, v.value)
		}
	}
}

// Games by each rule between engines that know no command for it: the choices are in the journal and in the
// summary, the searches have parts of the limits, and the game has all of them again.
func TestOpeningsBySearches(t *testing.T) {
	for _, rule := range []string{"rif", "soosyrv-8", "taraguchi-10", "yamaguchi", "swap2", "pro"} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			a, b := fake(t, "a", "weighs", "1"), fake(t, "b", "weighs", "2")
			a.Nodes, b.TC = 5000, timeControl{Match: 400 * 1e9}
			b.Hang = 0
			if rule == "swap2" {
				a.Choose, b.Choose = bySearches, bySearches
			}
			m, log := openingGame(t, settings{Opening: rule, DrawAfter: 8}, a, b)
			for _, g := range m.games {
				if failed(g.Reason) {
					t.Fatalf("%s lost by %s: %s", g.loser(), g.Reason, g.Detail)
				}
				if len(g.Chosen.Choices) < 3 || g.Opening < 3 {
					t.Errorf("choices %q, %d stones", g.Chosen.Choices, g.Opening)
				}
			}
			if err := m.check(); err != nil {
				t.Error(err)
			}
			for _, want := range []string{
				"a: INFO timeout_turn 500|a: INFO max_node 500|a: BOARD|", "a: INFO timeout_turn 5000|a: INFO max_node 5000|a: BOARD|",
				"b: INFO timeout_turn 1000|b: INFO time_left 400000|b: BOARD|", "b: INFO timeout_turn 400000|b: INFO time_left 400000|b: BOARD|",
			} {
				if rule != "pro" && rule != "swap2" && !strings.Contains(sentIn(log, "2", want[:1]), want) {
					t.Errorf("%q was not sent", want)
				}
			}
			var text bytes.Buffer
			writeChoices(&text, m)
			if n := strings.Count(text.String(), " by "+rule+": proposed 1"); n != 2 {
				t.Errorf("the summary says %s", text.String())
			}
		})
	}
}

// An engine that sends no scores loses by protocol.
func TestNoScoresNoChoice(t *testing.T) {
	m, _ := openingGame(t, settings{Opening: "rif"}, fake(t, "a", "", "1"), fake(t, "b", "weighs", "2"))
	if g := m.games[1]; g.loser() != "a" || g.Reason != "protocol" || g.Detail != noScore.Detail {
		t.Errorf("%s lost by %s: %s", g.loser(), g.Reason, g.Detail)
	}
}
