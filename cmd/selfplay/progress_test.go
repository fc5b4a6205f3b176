package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestProgressTellsSpeedAndTimeToGo(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p := newProgress(f, "games", 100, 40)
	at := func(s int) time.Time { return p.began.Add(time.Duration(s) * time.Second) }
	for i := range 60 {
		p.finished(1, 30, at(10*(i+1)))
	}
	p.end()
	lines := strings.Split(strings.TrimSpace(string(read(t, f.Name()))), "\n")
	// A line for the first, one a minute, and one for the last.
	if len(lines) != 11 {
		t.Fatalf("%d lines:\n%s", len(lines), strings.Join(lines, "\n"))
	}
	for i, want := range map[int]string{
		0:  "41 of 100 games, 9m50s to go, 360 games and 10800 positions an hour, 30 positions",
		1:  "47 of 100 games, 8m50s to go, 360 games and 10800 positions an hour, 210 positions",
		10: "100 of 100 games, 10m0s spent, 360 games and 10800 positions an hour, 1800 positions",
	} {
		if lines[i] != want {
			t.Errorf("line %d: %q, want %q", i, lines[i], want)
		}
	}
}

func TestProgressRewritesItsLineOnATerminal(t *testing.T) {
	var b strings.Builder
	p := &progress{out: &b, terminal: true, columns: func() int { return 0 }, what: "openings", goal: 2, began: time.Now()}
	p.finished(1, 0, p.began.Add(time.Hour))
	p.finished(1, 0, p.began.Add(2*time.Hour))
	p.end()
	want := "\r1 of 2 openings, 1h0m0s to go, 1 an hour" + "\r2 of 2 openings, 2h0m0s spent, 1 an hour" + " " + "\n"
	if got := b.String(); strings.TrimRight(got, " \n") != strings.TrimRight(want, " \n") || !strings.HasSuffix(got, "\n") {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestProgressStaysOnOneLineOfATerminal(t *testing.T) {
	var b strings.Builder
	p := &progress{out: &b, terminal: true, columns: func() int { return 40 }, what: "games", goal: 100, began: time.Now()}
	p.finished(1, 1000, p.began.Add(time.Hour))
	if got, want := b.String(), "\r1 of 100 games, 99h0m0s to go, 1 games "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestProgressOfARunThatTimeEnds(t *testing.T) {
	for _, test := range []struct {
		goal int
		want string
	}{
		{endless, "1 games, 4m0s to go, 60 games and 600 positions an hour, 10 positions"},
		{10, "1 of 10 games, 4m0s to go, 60 games and 600 positions an hour, 10 positions"},
		{3, "1 of 3 games, 2m0s to go, 60 games and 600 positions an hour, 10 positions"},
	} {
		p := &progress{what: "games", goal: test.goal, began: time.Now()}
		p.until = p.began.Add(5 * time.Minute)
		p.done, p.here, p.positions = 1, 1, 10
		if got := p.line(p.began.Add(time.Minute)); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
