package play

import (
	"testing"
	"time"

	"tengen/brain/search"
)

// What is left of an answer is never without a limit, even when nothing is left.
func TestBudget(t *testing.T) {
	for _, test := range []struct {
		name string
		b    Budget
		ok   bool
	}{
		{"nodes", Budget{Limits: search.Limits{Nodes: 1000}, spent: 400}, true},
		{"few nodes", Budget{Limits: search.Limits{Nodes: 2}}, true},
		{"no node left", Budget{Limits: search.Limits{Nodes: 1000}, spent: 1200}, false},
		{"an hour", Budget{Limits: search.Limits{Soft: time.Hour, Hard: time.Hour}, begun: time.Now()}, true},
		{"no time left", Budget{Limits: search.Limits{Soft: time.Minute, Hard: time.Minute}, begun: time.Now().Add(-time.Hour)}, false},
		{"neither", Budget{}, true},
	} {
		test.b.Context = t.Context()
		if test.b.Over() == test.ok {
			t.Errorf("%s: over is %v", test.name, !test.ok)
		}
		l := test.b.Left()
		if (l.Nodes > 0) != (test.b.Limits.Nodes > 0) || (l.Hard > 0) != (test.b.Limits.Hard > 0) || l.Nodes > test.b.Limits.Nodes || l.Hard > test.b.Limits.Hard {
			t.Errorf("%s: %d nodes, %v", test.name, l.Nodes, l.Hard)
		}
	}
	for _, test := range []struct {
		soft, hard, used time.Duration // milliseconds
		nodes, spent     int64
		n                int
		wantNodes        int64
		want, give       time.Duration // milliseconds; used up while the test runs
	}{
		{soft: 40_000, hard: 100_000, nodes: 1000, n: 4, wantNodes: 250, want: 10_000},
		{soft: 40_000, hard: 100_000, used: 95_000, nodes: 1000, spent: 900, n: 4, wantNodes: 100, want: 5000, give: 5000},
		{soft: 40_000, hard: 100_000, used: 200_000, nodes: 2, spent: 2, n: 4, wantNodes: 1, want: 1},
		{nodes: 1000, n: 4, wantNodes: 250},
		{n: 4},
	} {
		const ms = time.Millisecond
		b := Budget{
			Context: t.Context(), begun: time.Now().Add(-test.used * ms), spent: test.spent,
			Limits: search.Limits{Soft: test.soft * ms, Hard: test.hard * ms, Nodes: test.nodes},
		}
		l := b.Share(test.n)
		if l.Nodes != test.wantNodes || l.Soft != l.Hard || l.Hard > test.want*ms || l.Hard < (test.want-test.give)*ms {
			t.Errorf("%+v: %d nodes, %v", test, l.Nodes, l.Hard)
		}
	}
}
