package resume

import (
	"testing"
	"time"
)

func TestDifferences(t *testing.T) {
	type limit struct{ Turn time.Duration }
	type engine struct {
		Name string
		TC   limit
		Info [][2]string
		note string
	}
	type place struct{ Size int }
	type settings struct {
		place
		Engines []engine
		Test    *limit
		Games   int
	}
	one := settings{place{15}, []engine{{"a", limit{time.Second}, nil, "x"}}, nil, 4}
	two := settings{place{20}, []engine{{"a", limit{2 * time.Second}, [][2]string{{"k", "v"}}, "y"}}, &limit{1}, 6}
	for _, tt := range []struct {
		a, b   settings
		except []string
		want   string
	}{
		{one, one, nil, ""},
		{one, two, []string{"games", "test turn", "engine 1 tc turn", "size"}, "engine 1 info 1 1 was not given and is now k, engine 1 info 1 2 was not given and is now v"},
		{two, one, []string{"engine 1 info 1 1", "engine 1 info 1 2", "test turn"}, "engine 1 tc turn was 2s and is now 1s, games was 6 and is now 4, size was 20 and is now 15"},
		{one, two, nil, "engine 1 info 1 1 was not given and is now k, engine 1 info 1 2 was not given and is now v, engine 1 tc turn was 1s and is now 2s, and 3 more"},
	} {
		if got := Differences(&tt.a, &tt.b, tt.except...); got != tt.want {
			t.Errorf("got %q\nwant %q", got, tt.want)
		}
	}
}

func TestDifferentSettings(t *testing.T) {
	for _, tt := range [][3]string{
		{"", "", ""},
		{"selfplay rule=0 nodes=200", "selfplay rule=0 nodes=200", ""},
		{"selfplay rule=0 nodes=200", "selfplay rule=4 nodes=200 playout", "rule was 0 and is now 4, word 2 was not given and is now playout"},
		{"rule 0, a.tgs 01, {Epochs:4 Batch:64}", "rule 0, b.tgs 01, {Epochs:4 Batch:32}", "batch was 64 and is now 32, word 3 was a.tgs and is now b.tgs"},
	} {
		if got := DifferentSettings(tt[0], tt[1]); got != tt[2] {
			t.Errorf("%q and %q: %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
}
