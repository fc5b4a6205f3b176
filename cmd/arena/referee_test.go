package main

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record"
)

func TestRefereeRules(t *testing.T) {
	tests := []struct {
		name    string
		rule    board.Rule
		opening string
		x, y    int
		want    string // result and reason, "" while the game goes on
	}{
		{"an ordinary move", 0, "h8i9", 0, 0, ""},
		{"a five by black", 0, "a1a2b1b2c1c2d1d2", 4, 0, "1-0 five"},
		{"a five by white", 0, "a1a2b1b2c1c2d1d2o15", 4, 1, "0-1 five"},
		{"a six in freestyle", 0, "a1a2b1b2c1c2d1d2f1o2", 4, 0, "1-0 five"},
		{"a six under exactly five", 1, "a1a2b1b2c1c2d1d2f1o2", 4, 0, ""},
		{"black's six in renju", 4, "a1a2b1b2c1c2d1o2f1o4", 4, 0, "0-1 forbidden"},
		{"white's six in renju", 4, "h8a2h10b2j12c2l14d2a15f2n1", 4, 1, "0-1 five"},
		{"a five between stones in caro", 8, "b1a1c1g1d1o2e1o4", 5, 0, ""},
		{"an occupied cell", 0, "h8i9", 7, 7, "0-1 illegal"},
		{"an occupied cell by white", 0, "h8i9a1", 7, 7, "1-0 illegal"},
		{"off the board to the right", 0, "h8", 15, 0, "1-0 illegal"},
		{"off the board below", 0, "h8", 0, 15, "1-0 illegal"},
		{"negative", 0, "h8", -1, 3, "1-0 illegal"},
		{"far off", 0, "h8", 1 << 30, -1 << 30, "1-0 illegal"},
		{"a double four", 4, "e8a15f8c15g8e15h5g15h6i15h7k15", 7, 7, "0-1 forbidden"},
		{"a four and a three", 4, "e8a15f8c15g8e15h6g15h7i15", 7, 7, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			moves, err := board.ParseMoves(tt.opening, 15, 15)
			if err != nil {
				t.Fatal(err)
			}
			if err := record.CheckOpening(moves, tt.rule, 15, 15); err != nil {
				t.Fatal(err)
			}
			ref := newReferee(tt.rule, 15, moves, 0)
			got, recorded := "", len(moves)
			if r := ref.judge(tt.x, tt.y); r != nil {
				got = r.outcome.String() + " " + r.reason
				if r.reason == "five" {
					recorded++
				}
			} else {
				recorded++
			}
			if got != tt.want {
				t.Errorf("ruled %q, want %q", got, tt.want)
			}
			if len(ref.moves) != recorded {
				t.Errorf("%d moves recorded, want %d", len(ref.moves), recorded)
			}
		})
	}
}

func TestADoubleThreeIsForbidden(t *testing.T) {
	// Threes f8 g8 h8 and h6 h7 h8, both open.
	ref := newReferee(4, 15, mustMoves(t, "h6a15h7c15f8e15g8g15"), 0)
	if r := ref.judge(7, 7); r == nil || r.reason != "forbidden" {
		t.Errorf("ruled %+v, want forbidden", r)
	}
}

func mustMoves(t *testing.T, s string) []board.Move {
	t.Helper()
	m, err := board.ParseMoves(s, 22, 22)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDrawsByFullBoardAndByCount(t *testing.T) {
	ref := newReferee(0, 15, mustMoves(t, "h8i9"), 4)
	if r := ref.judge(0, 0); r != nil {
		t.Fatalf("third stone: %+v", r)
	}
	if r := ref.judge(1, 0); r == nil || r.outcome != record.Drawn || r.reason != "draw" {
		t.Errorf("fourth stone of four: %+v", r)
	}
	// A full 5x5 board without a five: rows in the pattern XXOOX OOXXO.
	var black, white []board.Move
	for y := range 5 {
		for x := range 5 {
			if (x/2+y)%2 == 0 {
				black = append(black, board.At(x, y))
			} else {
				white = append(white, board.At(x, y))
			}
		}
	}
	ref = newReferee(0, 5, nil, 0)
	var last *ruling
	for i := range 25 {
		list := &black
		if i%2 == 1 {
			list = &white
		}
		m := (*list)[0]
		*list = (*list)[1:]
		if last = ref.judge(m.X(), m.Y()); last != nil && i < 24 {
			t.Fatalf("stone %d: %+v", i+1, last)
		}
	}
	if last == nil || last.outcome != record.Drawn || !strings.Contains(last.detail, "full") {
		t.Errorf("25 stones: %+v", last)
	}
}

// A continuous game that ends at a number of stones is decided by the rows.
func TestRowsAreCountedAtANumberOfStones(t *testing.T) {
	for opening, want := range map[string]string{
		"a1a2b1b2c1c2d1o2": "1-0 rows 1 to 0",
		"a1a2b1b2c1c2o1d2": "0-1 rows 1 to 0",
		"a1a2b1b2c1c2d1d2": "1/2-1/2 draw 1 rows each",
		"a1a2b1b2c1c2o1o2": "1/2-1/2 draw 0 rows each",
	} {
		ref := newReferee(board.Continuous, 15, mustMoves(t, opening), 10)
		if r := ref.judge(4, 0); r != nil {
			t.Errorf("%s: %+v after nine stones", opening, r)
		}
		r := ref.judge(4, 1)
		if r == nil {
			t.Errorf("%s: no ruling after ten stones", opening)
		} else if got := r.outcome.String() + " " + r.reason + " " + r.detail; got != want {
			t.Errorf("%s: %s, want %s", opening, got, want)
		}
	}
}

// rowsOf is the slow twin of the rows of a continuous game: it plays the moves on a map and walks
// the lines through each. Exact tells that six in a row do not count.
func rowsOf(moves []board.Move, exact bool) (rows []scoredRow) {
	cells := map[[2]int]int{} // side 0 or 1
	for i, m := range moves {
		x, y, side := m.X(), m.Y(), i%2
		cells[[2]int{x, y}] = side
		var gone [][2]int
		for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
			end := func(sign int) (at [2]int, n int) {
				for at = [2]int{x, y}; ; n++ {
					next := [2]int{at[0] + sign*d[0], at[1] + sign*d[1]}
					if c, ok := cells[next]; !ok || c != side {
						return at, n
					}
					at = next
				}
			}
			first, before := end(-1)
			last, after := end(1)
			n := 1 + before + after
			if n < 5 || exact && n > 5 {
				continue
			}
			rows = append(rows, scoredRow{i + 1, board.At(first[0], first[1]).String() + board.At(last[0], last[1]).String()})
			for k := range n {
				gone = append(gone, [2]int{first[0] + k*d[0], first[1] + k*d[1]})
			}
		}
		for _, at := range gone {
			cells[at] = 2 // a blocked cell
		}
	}
	return rows
}

// A continuous game goes on to the full board, and most rows win it.
func TestContinuousGames(t *testing.T) {
	decided := 0
	for _, rule := range []int{2, 3} {
		openings := []string{"e5", "d4e5", "c3d4e5", "g7c3", "b2h8e5"}
		m := play1(t, settings{Engines: []engine{fake(t, "a", "", "1"), fake(t, "b", "", "2")}, Rule: rule, Size: 9, Games: 10, Openings: openings})
		for _, g := range m.sorted() {
			moves := mustMoves(t, g.Moves)
			if len(moves) != 81 {
				t.Errorf("rule %d game %d ended by %s (%s) after %d moves", rule, g.Game, g.Reason, g.Detail, len(moves))
			}
			want := rowsOf(moves, rule == 3)
			byEnds := func(a, b scoredRow) int { return cmp.Or(a.Move-b.Move, strings.Compare(a.Ends, b.Ends)) }
			got := slices.SortedFunc(slices.Values(g.Rows), byEnds)
			if slices.SortFunc(want, byEnds); !slices.Equal(got, want) {
				t.Errorf("rule %d game %d, %s: rows %v, want %v", rule, g.Game, g.Moves, got, want)
			}
			lead := 0 // of Black
			for _, row := range want {
				lead += row.Move%2*2 - 1
			}
			result, reason := "1/2-1/2", "draw"
			if lead != 0 {
				result, reason = map[bool]string{true: "1-0", false: "0-1"}[lead > 0], "rows"
				decided++
			}
			if g.Result != result || g.Reason != reason {
				t.Errorf("rule %d game %d: %s by %s, want %s by %s after %v", rule, g.Game, g.Result, g.Reason, result, reason, want)
			}
		}
		for _, e := range m.sum().Engines {
			if len(e.Failures) > 0 {
				t.Errorf("%s: %v are no failures", e.Name, e.Failures)
			}
		}
	}
	if decided < 3 {
		t.Errorf("%d games with a winner are too few for a test", decided)
	}
}
