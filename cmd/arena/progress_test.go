package main

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
)

func itoa(n int) string { return strconv.Itoa(n) }

// testProgress is a progress with a clock that the test moves.
func testProgress(s *settings, terminal bool) (*progress, *bytes.Buffer, *time.Time) {
	var out bytes.Buffer
	now := time.Unix(1e9, 0)
	m := &match{settings: s, games: map[int]*gameRecord{}}
	p := &progress{out: &out, terminal: terminal, every: time.Second, match: m, goal: s.Games, now: func() time.Time { return now }, began: now}
	p.columns = func() int { return 100 }
	return p, &out, &now
}

func (p *progress) play(n int) {
	g := &gameRecord{Game: n, Black: "a", White: "b", Result: "1-0", Reason: "five"}
	if n%2 == 0 {
		g.Black, g.White, g.Result = "b", "a", "1/2-1/2"
	}
	p.match.games[n] = g
	p.finished(g)
}

func TestProgressTellsHowItStands(t *testing.T) {
	s := &settings{Engines: []engine{{Name: "a"}, {Name: "b"}}, Games: 100, Rounds: 1, Size: 15, SPRT: &sprt{0, 5, 0.05, 0.05, false}}
	p, out, now := testProgress(s, false)
	for n := 1; n <= 20; n++ {
		*now = now.Add(36 * time.Second)
		p.play(n)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	last := lines[len(lines)-1]
	for _, want := range []string{"20/100", "10-0-10", "Elo 190.8", "LLR", "[-2.94, 2.94]", "100 games/h", "to go 48m00s"} {
		if !strings.Contains(last, want) {
			t.Errorf("%q lacks %q", last, want)
		}
	}
}

func TestProgressDoesNotFloodAFileAndRewritesATerminal(t *testing.T) {
	s := &settings{Engines: []engine{{Name: "a"}, {Name: "b"}}, Games: 100, Rounds: 1, Size: 15}
	p, out, now := testProgress(s, false)
	for n := 1; n <= 100; n++ {
		*now = now.Add(100 * time.Millisecond)
		p.play(n)
	}
	if got := strings.Count(out.String(), "\n"); got < 10 || got > 12 || !strings.Contains(out.String(), "100/100") {
		t.Errorf("%d lines for ten seconds, want about ten and the last game:\n%s", got, out)
	}
	p, out, now = testProgress(s, true)
	for n := 1; n <= 100; n++ {
		*now = now.Add(100 * time.Millisecond)
		p.play(n)
	}
	p.Write([]byte("chatter\n"))
	p.end()
	if got := strings.Count(out.String(), "\n"); got != 2 || strings.Count(out.String(), "\r") < 10 {
		t.Errorf("%d line ends and %d returns on a terminal", got, strings.Count(out.String(), "\r"))
	}
	if !strings.Contains(out.String(), "\rchatter\n100/100") {
		t.Error("the line does not stand below what was said")
	}
}

func TestProgressIsNeverWiderThanTheTerminal(t *testing.T) {
	duel := &settings{Engines: []engine{{Name: "a"}, {Name: "b"}}, Games: 10000, Rounds: 1, Size: 15, SPRT: &sprt{-10, 10, 0.05, 0.05, false}}
	league := &settings{Engines: []engine{{Name: "a"}, {Name: "b"}, {Name: "a brain with a name that is long"}}, Games: 10000, Rounds: 1, Size: 15}
	for width := 1; width <= 130; width++ {
		for _, s := range []*settings{duel, league} {
			p, out, now := testProgress(s, true)
			p.columns = func() int { return width }
			for n := 1; n <= 40; n++ {
				*now = now.Add(time.Second)
				p.play(n)
			}
			for _, line := range strings.Split(out.String(), "\r") {
				if got := len([]rune(strings.TrimRight(line, " "))); got > width {
					t.Fatalf("%d columns: %d are written: %q", width, got, line)
				}
			}
		}
	}
}

func TestAllOfProgressIsThereOnATerminalOf80Columns(t *testing.T) {
	s := &settings{Engines: []engine{{Name: "a"}, {Name: "b"}}, Games: 10000, Rounds: 1, Size: 15, SPRT: &sprt{0, 5, 0.05, 0.05, false}}
	p, out, now := testProgress(s, true)
	p.columns = func() int { return 80 }
	*now = now.Add(20 * time.Minute)
	p.done = 1200
	r := &result{Engines: make([]standing, 2), Played: 1200, Counted: 1200, LLR: -0.05,
		First: score{Wins: 512, Losses: 412, Draws: 276}, Est: estimate{Elo: -28.96, EloError: 17.04}}
	p.show(p.words(r, *now))
	if got, want := out.String(), "\r1200/10000  512-412-276  Elo -29±17  LLR -0.05[-2.94,2.94]  3600/h  2h26m"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestAtFirstProgressSaysOnlyWhatIsKnown(t *testing.T) {
	s := &settings{Engines: []engine{{Name: "a"}, {Name: "b"}}, Games: 100, Rounds: 1, Size: 15}
	p, out, now := testProgress(s, true)
	p.begin()
	if got := out.String(); got != "\r0/100" {
		t.Errorf("before the first game %q, want 0/100", got)
	}
	*now = now.Add(time.Minute)
	p.play(1)
	if got := out.String(); strings.Contains(got, "±inf") || !strings.Contains(got, "Elo inf [") {
		t.Errorf("after one game %q, want both ends of the interval", got)
	}
}

func TestTheTimeToGoOfATestFollowsItsRatio(t *testing.T) {
	s := &settings{Engines: []engine{{Name: "a"}, {Name: "b"}}, Games: endlessGames, Rounds: 1, Size: 15, SPRT: &sprt{0, 5, 0.05, 0.05, false}}
	p, _, now := testProgress(s, false)
	*now = now.Add(10 * time.Hour)
	p.done = 100
	r := &result{Engines: make([]standing, 2), Played: 200, Counted: 200, LLR: 1}
	line := join(p.words(r, *now), " | ", false)
	// 10 games an hour; at this pace 200*1.944 more until the ratio is 2.944.
	for _, want := range []string{"200 games |", "to go ~38h53m"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q lacks %q", line, want)
		}
	}
	r.LLR = 0
	if line := join(p.words(r, *now), " | ", false); !strings.Contains(line, "to go long") {
		t.Errorf("%q does not say that it may take long", line)
	}
	r.LLR, r.Verdict = 3, acceptH1
	if line := join(p.words(r, *now), " | ", false); strings.Contains(line, "to go") {
		t.Errorf("%q goes on after the verdict", line)
	}
}

func TestZeroHasNoSign(t *testing.T) {
	for x, want := range map[float64]string{math.Copysign(0, -1): "0.00", -0.001: "0.00", -0.01: "-0.01", -10: "-10.00"} {
		if got := number(x, 2); got != want {
			t.Errorf("%g is written %q, want %q", x, got, want)
		}
	}
	var out bytes.Buffer
	r := &result{Engines: []standing{{Name: "a", Rating: rating{Elo: -1e-9}}, {Name: "b"}, {Name: "c"}}, Cross: [][]score{make([]score, 3), make([]score, 3), make([]score, 3)}}
	writeTable(&out, r)
	if strings.Contains(out.String(), "-0.0") {
		t.Errorf("the table has a zero with a sign:\n%s", &out)
	}
}

func TestSpansAreReadable(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 59 * time.Second: "59s", 61 * time.Second: "1m01s", 3*time.Hour + 5*time.Minute: "3h05m", 1e18: "long",
	} {
		if got := span(d); got != want {
			t.Errorf("%v is written %q, want %q", d, got, want)
		}
	}
}
