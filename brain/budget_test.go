package brain

import (
	"testing"
	"time"

	"tengen/brain/search"
)

// What is left for a part of an answer is never without a limit, even when nothing is left.
func TestBudget(t *testing.T) {
	for _, test := range []struct {
		name string
		b    budget
		ok   bool
	}{
		{"nodes", budget{limits: search.Limits{Nodes: 1000}, spent: 400}, true},
		{"few nodes", budget{limits: search.Limits{Nodes: 2}}, true},
		{"no node left", budget{limits: search.Limits{Nodes: 1000}, spent: 1200}, false},
		{"an hour", budget{limits: search.Limits{Soft: time.Hour, Hard: time.Hour}, begun: time.Now()}, true},
		{"no time left", budget{limits: search.Limits{Soft: time.Minute, Hard: time.Minute}, begun: time.Now().Add(-time.Hour)}, false},
		{"neither", budget{}, true},
	} {
		test.b.ctx = t.Context()
		l, ok := test.b.part(1, 10)
		if ok != test.ok || test.b.over() == test.ok {
			t.Errorf("%s: %v, want %v", test.name, ok, test.ok)
		}
		if (l.Nodes > 0) != (test.b.limits.Nodes > 0) || (l.Hard > 0) != (test.b.limits.Hard > 0) || l.Nodes > test.b.limits.Nodes || l.Hard > test.b.limits.Hard {
			t.Errorf("%s: %d nodes, %v", test.name, l.Nodes, l.Hard)
		}
	}
	b := budget{ctx: t.Context(), limits: search.Limits{Nodes: 1000}, spent: 400}
	if l, _ := b.part(1, 3); l.Nodes != 200 {
		t.Errorf("a third of 600 nodes is %d", l.Nodes)
	}
}
