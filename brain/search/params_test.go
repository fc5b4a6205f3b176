package search

import (
	"math"
	"reflect"
	"testing"
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
