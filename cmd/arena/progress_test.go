package main

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/progress"
)

func itoa(n int) string { return strconv.Itoa(n) }

// words returns the line of progress after a run that has finished some games in the time spent.
func words(t *testing.T, s *settings, r *result, finished int, spent time.Duration) (text string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		line := progress.New(&bytes.Buffer{}, false)
		time.Sleep(spent)
		shown := slices.DeleteFunc(progressWords(&match{settings: s}, r, line, finished, s.Games), func(word string) bool { return word == "" })
		text = strings.Join(shown, " | ")
	})
	return text
}

func TestProgressShowsTheStanding(t *testing.T) {
	two := []engine{{Name: "a"}, {Name: "b"}}
	test := &elo.SPRT{Elo1: 5, Alpha: 0.05, Beta: 0.05}
	score := elo.Score{Wins: 512, Losses: 412, Draws: 276}
	for _, tt := range []struct {
		name     string
		settings settings
		result   result
		finished int
		spent    time.Duration
		want     string
	}{
		{"before the first game", settings{Engines: two, Games: 100}, result{}, 0, time.Minute, "0/100 games"},
		{"a test", settings{Engines: two, Games: 10000, SPRT: test},
			result{Engines: make([]standing, 2), Played: 1200, LLR: -0.05, First: score}, 1200, 20 * time.Minute,
			"1200/10000 games | +512 -412 =276, 54.2%, Elo 29.0 [11.8, 46.4] | LLR -0.05 [-2.94, 2.94] | to go 2h26m | 3600 games/h"},
		// 10 games an hour; 200*1.944 more until the ratio is 2.944.
		{"a test that will decide", settings{Engines: two, Games: endlessGames, Rounds: 1, SPRT: test},
			result{Engines: make([]standing, 2), Played: 200, LLR: 1, First: score}, 100, 10 * time.Hour,
			"200 games | +512 -412 =276, 54.2%, Elo 29.0 [11.8, 46.4] | LLR 1.00 [-2.94, 2.94] | to go 38h53m | 10 games/h"},
		{"a test that may take long", settings{Engines: two, Games: endlessGames, Rounds: 1, SPRT: test},
			result{Engines: make([]standing, 2), Played: 200, First: score}, 100, 10 * time.Hour,
			"200 games | +512 -412 =276, 54.2%, Elo 29.0 [11.8, 46.4] | LLR 0.00 [-2.94, 2.94] | to go long | 10 games/h"},
		{"a test that has decided", settings{Engines: two, Games: endlessGames, Rounds: 1, SPRT: test},
			result{Engines: make([]standing, 2), Played: 200, LLR: 3, Verdict: elo.AcceptH1, First: score}, 100, 10 * time.Hour,
			"200 games | +512 -412 =276, 54.2%, Elo 29.0 [11.8, 46.4] | LLR 3.00 [-2.94, 2.94] | 10 games/h"},
		{"one game, won", settings{Engines: two, Games: 100},
			result{Engines: make([]standing, 2), Played: 1, First: elo.Score{Wins: 1}}, 0, 0,
			"1/100 games | +1 -0 =0, 100.0%, Elo inf [-158.8, inf]"},
		{"three engines", settings{Engines: make([]engine, 3), Games: 100},
			result{Played: 9, Engines: []standing{
				{Name: "a", Score: elo.Score{Wins: 1, Losses: 2, Draws: 3}, Rating: elo.Rating{Elo: -10, Error: 5}},
				{Name: "an engine with a long name", Rating: elo.Rating{Elo: 30, Error: 6}}, {Name: "c"}}}, 0, 0,
			"9/100 games | a 1-2-3 Elo -10 ±5 | best an engine with a lo… +30 ±6"},
	} {
		if got := words(t, &tt.settings, &tt.result, tt.finished, tt.spent); got != tt.want {
			t.Errorf("%s: %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

func TestTheTableHasNoNegativeZero(t *testing.T) {
	var out bytes.Buffer
	row := make([]elo.Score, 3)
	r := &result{Engines: []standing{{Name: "a", Rating: elo.Rating{Elo: -1e-9}}, {Name: "b"}, {Name: "c"}}, Cross: [][]elo.Score{row, row, row}}
	writeTable(&out, r)
	if strings.Contains(out.String(), "-0.0") {
		t.Errorf("the table has a zero with a sign:\n%s", &out)
	}
}
