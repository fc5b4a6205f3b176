package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"tengen/cmd/internal/elo"
)

// reportMatch is a finished match of n engines in which the earlier engine always wins,
// with a few losses of other kinds.
func reportMatch(n int) *match {
	s := settings{Games: 4, Rounds: 1, Size: 15, Openings: []string{"h8i9j10", "g7g8"}}
	for i := range n {
		s.Engines = append(s.Engines, engine{Name: fmt.Sprintf("e%d", i+1), TC: timeControl{Turn: 1e9}})
	}
	m := newMatch(&s)
	for k := 1; k <= s.schedule().total(); k++ {
		f := s.schedule().fixture(k)
		g := &gameRecord{
			Game: k, Round: 1, Black: s.Engines[f.Black].Name, White: s.Engines[f.White].Name, Result: "1-0", Reason: "five",
			Rule: 0, Size: 15, Started: "2026-05-06T07:08:09Z", Match: m.id(),
			Moves: "h8i9j10a1a2b1b2c1c2d1d2", Opening: 3, Time: []float64{1, 2, 3, 4, 5, 6, 7, 800},
			Depth: []int{1, 2, 3, 4, 5, 6, 7, 8}, Eval: []eval{{true, 10, 0}, {true, -9, 0}, {}, {true, 300, 0}, {true, 0, 7}, {true, 0, -6}, {true, 0, 5}, {true, 0, -4}},
		}
		if f.Black > f.White {
			g.Result = "0-1"
		}
		if k%5 == 0 {
			g.Reason, g.Detail = "timeout", "answered after 3s, allowed were 2s"
		}
		m.games[k] = g
	}
	return m
}

func pageOf(t *testing.T, m *match) string {
	t.Helper()
	var b bytes.Buffer
	if err := writeReport(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// outside finds what would make a browser load something: addresses other than data:
// and the names of XML.
var outside = regexp.MustCompile(`(?i)(src|href|url|@import|fetch|XMLHttpRequest)\s*[=(]\s*["']?(https?:|//|[a-z0-9_./-]+\.(js|css|png|svg|woff2?))`)

func TestTheReportNeedsNoOtherFile(t *testing.T) {
	page := pageOf(t, reportMatch(3))
	if found := outside.FindString(page); found != "" {
		t.Errorf("the page refers to %q", found)
	}
	for _, want := range []string{"<title>e1, e2, e3</title>", `id="standings"`, `id="cross"`, "1 s a move"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if again := pageOf(t, reportMatch(3)); again != page {
		t.Error("the same journal gave another page")
	}
}

func TestTheReportHoldsEveryGame(t *testing.T) {
	page := pageOf(t, reportMatch(2))
	_, rest, _ := strings.Cut(page, `<script type="application/json" id="data">`)
	text, _, ok := strings.Cut(rest, "</script>")
	var d pageData
	if err := json.Unmarshal([]byte(text), &d); err != nil || !ok {
		t.Fatalf("the data cannot be read: %v", err)
	}
	if len(d.Games) != 4 || d.Size != 15 || d.Games[0].Moves != "h8i9j10a1a2b1b2c1c2d1d2" || d.Games[1].Eval[4] != (eval{true, 0, 7}) {
		t.Errorf("data %+v", d)
	}
}

func TestNamesCannotBreakThePage(t *testing.T) {
	m := reportMatch(3)
	const evil = `</script><img src=x onerror=alert(1)>"'&`
	for _, g := range m.games {
		if g.Black == "e2" {
			g.Black = evil
		}
		if g.White == "e2" {
			g.White = evil
		}
		g.Detail = evil
	}
	m.settings.Engines[1].Name = evil
	page := pageOf(t, m)
	if strings.Contains(page, "<img") || strings.Count(page, "</script>") != 2 {
		t.Error("a name became part of the page's code")
	}
}

func TestThePageHasNoBrokenNumbers(t *testing.T) {
	tests := []struct {
		name string
		m    *match
	}{
		{"two engines, one of which won all", reportMatch(2)},
		{"five engines", reportMatch(5)},
		{"a test", func() *match {
			m := reportMatch(2)
			m.settings.SPRT = &elo.SPRT{Elo0: 0, Elo1: 50, Alpha: 0.05, Beta: 0.05}
			return m
		}()},
		{"a single game", func() *match {
			m := reportMatch(2)
			m.games = map[int]*gameRecord{1: m.games[1]}
			return m
		}()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			page := pageOf(t, tt.m)
			if bad := regexp.MustCompile(`NaN|[-+]?Inf\b|ZgotmplZ|%!`).FindString(page); bad != "" {
				t.Errorf("the page has %q", bad)
			}
		})
	}
}

// A continuous game that ends at a number of stones is a draw only if the rows are as many.
func TestThePageSaysHowGamesEnd(t *testing.T) {
	for rule, want := range map[int]string{0: "<dt>Draw after</dt><dd>60 stones</dd>", 2: "<dt>Rows counted after</dt><dd>60 stones</dd>"} {
		m := reportMatch(2)
		m.settings.Rule, m.settings.DrawAfter = rule, 60
		if page := pageOf(t, m); !strings.Contains(page, want) {
			t.Errorf("rule %d: the page has no %s", rule, want)
		}
	}
}
