package wire

import (
	"testing"
	"time"
)

func TestStatsAreReadFromMessages(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		want  Stats
	}{
		{"our own form",
			[]string{"depth 12-25 eval +M7 nodes 123456 nps 540000 time 512 pv h8 g7 i9"},
			Stats{12, 25, true, 0, 7, 123456, 540000, 512 * time.Millisecond, "h8 g7 i9"}},
		{"between bars, with units",
			[]string{"Depth 18-28 | Eval -283 | Time 470ms | G7 G6", "Speed 1125K | Depth 18-28 | Eval -283 | Node 1.5M | Time 2s"},
			Stats{18, 28, true, -283, 0, 1500000, 1125000, 2 * time.Second, "G7 G6"}},
		{"the best of several lines",
			[]string{"line 1/2 depth 5-9 eval 40 pv a1", "line 2/2 depth 5-9 eval 10 pv b2"},
			Stats{Depth: 5, SelDepth: 9, Scored: true, Eval: 40, PV: "a1"}},
		{"a later line without a principal variation", []string{"ev 12 n 345 tm 5ms pv h8", "MESSAGE ev: -M6 pv"},
			Stats{Scored: true, Mate: -6, Nodes: 345, Time: 5 * time.Millisecond, PV: "h8"}},
		{"words that are no numbers", []string{"depth of field", "eval unknown", "time flies | h8", "nodes -3", "nodes nank", "time nan", "time infs", "pv"}, Stats{}},
		{"times that are too long", []string{"time 1000000000min", "time 1e30", "tm -1s"}, Stats{}},
	}
	for _, test := range tests {
		var got Stats
		for _, line := range test.lines {
			if next, n, ok := got.Updated(line); ok && n == 1 {
				got = next
			}
		}
		if got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestMessagesNameTheirLine(t *testing.T) {
	tests := []struct {
		text string
		want Stats
		line int
		ok   bool
	}{
		{"MESSAGE line 2/3 depth 9-11 eval -M6 nodes 1 pv a1", Stats{Depth: 9, SelDepth: 11, Scored: true, Mate: -6, Nodes: 1, PV: "a1"}, 2, true},
		{"DEBUG multipv 3 seldepth 7 ev +M7", Stats{SelDepth: 7, Scored: true, Mate: 7}, 3, true},
		{"MESSAGE hello, nodes are many", Stats{}, 1, false},
		{"MESSAGE depth", Stats{}, 1, false},
		{"line 0 eval --5 eval +-5 eval 1.5 eval M", Stats{}, 1, false},
		{"", Stats{}, 1, false},
	}
	for _, test := range tests {
		s, line, ok := ParseMessage(test.text)
		if s != test.want || line != test.line || ok != test.ok {
			t.Errorf("%q: got %+v, line %d, %v", test.text, s, line, ok)
		}
	}
}

// What this engine writes is read back, to the millisecond.
func TestStatsAreReadAsWritten(t *testing.T) {
	for _, test := range []struct {
		stats    Stats
		n, lines int
		want     string
	}{
		{Stats{12, 25, true, 34, 0, 1000, 2000, 500 * time.Millisecond, "h8 g7"}, 1, 1, "depth 12-25 eval 34 nodes 1000 nps 2000 time 500 pv h8 g7"},
		{Stats{Depth: 3, SelDepth: 4, Scored: true, Mate: 7}, 1, 1, "depth 3-4 eval +M7 nodes 0 time 0"},
		{Stats{Depth: 3, SelDepth: 4, Scored: true, Mate: -6, PV: "a1"}, 5, 20, "line 5/20 depth 3-4 eval -M6 nodes 0 time 0 pv a1"},
		{Stats{Depth: 1, SelDepth: 1, Scored: true, Eval: -7, Nodes: 9}, 2, 2, "line 2/2 depth 1-1 eval -7 nodes 9 time 0"},
		{Stats{Depth: 1, SelDepth: 1}, 1, 1, "depth 1-1 nodes 0 time 0"},
	} {
		text := test.stats.Text(test.n, test.lines)
		got, line, ok := ParseMessage(text)
		if text != test.want || !ok || line != test.n || got != test.stats {
			t.Errorf("%+v: written as %q, read as line %d of %+v", test.stats, text, line, got)
		}
	}
}
