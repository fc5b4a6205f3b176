package search

import (
	"context"
	"math"
	"reflect"
	"testing"

	"tengen/brain/internal/boardtest"
	"tengen/brain/longtest"
)

// TestLogarithms compares ln and exp with those of package math.
func TestLogarithms(t *testing.T) {
	for n := 1; n < 1<<30; n += 1 + n/5 {
		if got, want := ln(n), math.Log(float64(n))*1024; math.Abs(float64(got)-want) > 2 {
			t.Errorf("ln(%d) is %d/1024, want %.1f", n, got, want)
		}
	}
	for x := 0; x < 7*1024; x += 100 {
		if got, want := exp(x), math.Exp(float64(x)/1024); math.Abs(float64(got)-want) > 1+want/300 || got < 1 {
			t.Errorf("exp(%d/1024) is %d, want %.2f", x, got, want)
		}
	}
}

// TestTunables: each is the number of the field that it is named after, and the default lies in
// its range.
func TestTunables(t *testing.T) {
	p := DefaultParams()
	fields := reflect.ValueOf(&p).Elem()
	seen := map[string]bool{}
	for _, tt := range p.Tunables() {
		if seen[tt.Name] {
			t.Errorf("%s is listed twice", tt.Name)
		}
		seen[tt.Name] = true
		if f := fields.FieldByName(tt.Name); !f.IsValid() || f.Addr().Interface() != any(tt.Value) {
			t.Errorf("%s is the number of another field", tt.Name)
		}
		if *tt.Value < tt.Min || *tt.Value > tt.Max || tt.Step < 1 {
			t.Errorf("%s is %d, its range %d to %d in steps of %d", tt.Name, *tt.Value, tt.Min, tt.Max, tt.Step)
		}
	}
}

// TestTunablesCount: each number changes the search at both ends of its range, unless the default is
// that end: else a tuner would move what nothing reads. Most show in the first position at a small
// depth, those of large depths and reductions only in a deeper search.
func TestTunablesCount(t *testing.T) {
	longtest.Here(t)
	p := newTestPool(1, 1<<20)
	type bench struct{ position, depth int }
	var benches []bench
	for _, depth := range []int{8, 11, 15} {
		few := len(benchPositions)
		if depth < 15 {
			few = 3
		}
		for i := range few {
			benches = append(benches, bench{i, depth})
		}
	}
	nodes := func(on bench, params Params) int64 {
		pos := benchPositions[on.position]
		p.numbers = newNumbers(params)
		p.workers[0].p = p.numbers
		p.Clear()
		return p.Search(context.Background(), boardtest.After(t, pos.rule, pos.size, pos.moves), Limits{Depth: on.depth}, nil).Info.Nodes
	}
	defaults := map[bench]int64{}
	params := DefaultParams()
	for _, tunable := range params.Tunables() {
		for _, end := range []int{tunable.Min, tunable.Max} {
			*tunable.Value = end
			changed := end == tunable.Default
			for i := 0; i < len(benches) && !changed; i++ {
				on := benches[i]
				if defaults[on] == 0 {
					defaults[on] = nodes(on, DefaultParams())
				}
				changed = nodes(on, params) != defaults[on]
			}
			if !changed {
				t.Errorf("%s: %d searches as many nodes as the default, %d, in all positions", tunable.Name, end, tunable.Default)
			}
		}
		*tunable.Value = tunable.Default
	}
}
