package protocol

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
			[]string{"depth 12-25 eval +M7 nodes 123456 nps 540000 time 512 pv h8 g7 i9 cutoffs 900 first 93%"},
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
			if next, n, ok := got.updated(line); ok && n == 1 {
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
