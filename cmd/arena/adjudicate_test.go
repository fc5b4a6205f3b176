package main

import (
	"testing"

	"tengen/brain/record"
)

// scoring is a match of two engines that give their scores as the modes say, on the empty board. The first
// has Black in game 1.
func scoring(t *testing.T, first, second, resign, draw string) *gameRecord {
	t.Helper()
	s := settings{Engines: []engine{fake(t, "a", first, "1"), fake(t, "b", second, "2")}, Games: 2}
	var err error
	if resign != "" {
		if s.Resign, err = parseResign(resign); err != nil {
			t.Fatal(err)
		}
	}
	if draw != "" {
		if s.Draw, err = parseDraw(draw); err != nil {
			t.Fatal(err)
		}
	}
	return play1(t, s).games[1]
}

func TestGamesAreAdjudicatedByScores(t *testing.T) {
	for _, tt := range []struct {
		name, first, second string
		resign, draw        string
		moves               int // at the end, 0 for a game to its own end
		result              string
	}{
		{"own score", "scores -600@2", "", "movecount=2,score=600", "", 5, "0-1"},
		{"white", "", "scores -M8", "movecount=3,score=600", "", 6, "1-0"},
		{"not enough", "scores -599", "scores 700", "movecount=2,score=600", "", 0, ""},
		{"ahead", "scores 700", "", "movecount=2,score=600", "", 0, ""},
		{"no agreement", "scores -900", "scores 10", "score=600,twosided=on", "", 0, ""},
		{"agreement", "scores -900", "scores +M9@4", "movecount=3,score=600,twosided=on", "", 12, "0-1"},
		{"black agrees", "scores 600@5", "scores -600", "movecount=1,score=600,twosided=true", "", 9, "1-0"},
		{"even", "scores 10", "scores -10", "", "movecount=4,score=10", 8, "1/2-1/2"},
		{"from a move on", "scores 0", "scores 0", "", "movenumber=6,movecount=2,score=0", 12, "1/2-1/2"},
		{"one is ahead", "scores 11", "scores 0", "", "movecount=2,score=10", 0, ""},
		{"no score", "scores 0", "", "", "movecount=2,score=10", 0, ""},
		{"proven", "scores M5", "scores -M4", "", "movecount=2,score=1000", 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := scoring(t, tt.first, tt.second, tt.resign, tt.draw)
			if tt.moves == 0 {
				if g.Reason == "adjudication" || len(g.Time) < 9 {
					t.Errorf("%s (%s) after %d moves, want an end on the board", g.Reason, g.Detail, len(g.Time))
				}
				return
			}
			if g.Reason != "adjudication" || g.Detail == "" || len(g.Time) != tt.moves || g.Result != tt.result {
				t.Errorf("%s by %s (%s) after %d moves, want %s by adjudication after %d", g.Result, g.Reason, g.Detail, len(g.Time), tt.result, tt.moves)
			}
		})
	}
}

// A five on the board counts, whatever the scores say.
func TestAFiveComesBeforeAnAdjudication(t *testing.T) {
	s := settings{
		Engines:  []engine{fake(t, "a", "scores -900", "1"), fake(t, "b", "scores 900", "2")},
		Openings: []string{"h8a1i8a2j8a3k8a4"}, Resign: &resignRule{Moves: 1, Score: 600, TwoSided: true},
	}
	if g := play1(t, s).games[1]; g.Reason != "five" || record.ParseOutcome(g.Result) != record.BlackWon {
		t.Errorf("%s by %s", g.Result, g.Reason)
	}
}

func TestBadAdjudicationIsRefused(t *testing.T) {
	for _, text := range []string{"", "score=0", "score=-5", "movecount=0,score=5", "score=x", "score=5,moves=3", "score=5,twosided=perhaps", "score"} {
		if r, err := parseResign(text); err == nil {
			t.Errorf("-resign %q is %+v", text, r)
		}
	}
	for _, text := range []string{"", "movecount=3", "score=-1", "score=5,movenumber=-1", "score=5,twosided=on", "score=99999999999999999999"} {
		if r, err := parseDraw(text); err == nil {
			t.Errorf("-draw %q is %+v", text, r)
		}
	}
}

// A match that is continued by other rules of adjudication would have games of two kinds.
func TestAdjudicationIsPartOfTheMatch(t *testing.T) {
	a := settings{Games: 2, Rounds: 1, Resign: &resignRule{Moves: 3, Score: 600}}
	b := settings{Games: 2, Rounds: 1, Resign: &resignRule{Moves: 3, Score: 700}}
	if diff := a.differences(&b); diff != "resign score was 700 and is now 600" {
		t.Error(diff)
	}
	if a.id() == b.id() {
		t.Error("two matches have one identity")
	}
}
