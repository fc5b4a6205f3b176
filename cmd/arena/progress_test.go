package main

import (
	"bytes"
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
	if got := strings.Count(out.String(), "\n"); got != 1 || strings.Count(out.String(), "\r") < 10 {
		t.Errorf("%d line ends and %d returns on a terminal", got, strings.Count(out.String(), "\r"))
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
