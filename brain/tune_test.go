package brain

import (
	"context"
	"go/ast"
	"go/parser"
	"reflect"
	"strings"
	"testing"

	"tengen/brain/search"
)

// A manager must not be able to set the parameters of the search: they are tuned as a
// whole, and two copies of the engine with the same name play the same.

// TestNoKeyOfINFOSetsTheNumbersOfTheSearch tries every known key, and every name of a
// parameter in likely spellings, and checks the parameters of the search.
func TestNoKeyOfINFOSetsTheNumbersOfTheSearch(t *testing.T) {
	var keys []string
	for _, k := range infoKeys {
		keys = append(keys, k.Name)
	}
	names := reflect.TypeFor[search.Params]()
	for i := range names.NumField() {
		name := names.Field(i).Name
		keys = append(keys, name, strings.ToLower(name), "tune_"+strings.ToLower(name))
	}
	defaults := search.DefaultParams()
	for _, key := range keys {
		const value = "3"
		e := newGame(t, 7, 7, "hash_size", "64", "max_node", "30")
		e.Set(key, value)
		if err := e.NewGame(7, 7); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Think(context.Background(), Query{}); err != nil {
			t.Fatal(err)
		}
		sets := 0
		eachParams(reflect.ValueOf(e), map[uintptr]bool{}, func(v reflect.Value) {
			if sets++; !v.Equal(reflect.ValueOf(defaults)) {
				t.Errorf("INFO %s %s: the engine searches with %v, want %v", key, value, v, defaults)
			}
		})
		if sets == 0 {
			t.Fatal("the test finds no search.Params in the engine")
		}
	}
}

// eachParams calls f for every search.Params that can be reached from v, exported or not.
func eachParams(v reflect.Value, seen map[uintptr]bool, f func(reflect.Value)) {
	if !v.IsValid() || !mayHold(v.Type(), map[reflect.Type]bool{}) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[search.Params]() {
			f(v)
			return
		}
		for i := range v.NumField() {
			eachParams(v.Field(i), seen, f)
		}
	case reflect.Pointer:
		if !v.IsNil() && !seen[v.Pointer()] {
			seen[v.Pointer()] = true
			eachParams(v.Elem(), seen, f)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			eachParams(v.Index(i), seen, f)
		}
	}
}

// mayHold reports whether a value of type t can lead to a search.Params by fields,
// elements and pointers.
func mayHold(t reflect.Type, seen map[reflect.Type]bool) bool {
	if t == reflect.TypeFor[search.Params]() {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if mayHold(t.Field(i).Type, seen) {
				return true
			}
		}
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return mayHold(t.Elem(), seen)
	}
	return false
}

// TestOnlyTheTunerSetsTheNumbersOfTheSearch: outside of package search no other source uses
// what sets them.
func TestOnlyTheTunerSetsTheNumbersOfTheSearch(t *testing.T) {
	tuner := 0
	syntax(t, parser.SkipObjectResolution, func(file, pkg string, tree *ast.File) {
		if pkg == "brain/search" || strings.HasSuffix(file, "_test.go") {
			return
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			of, _ := s.X.(*ast.Ident)
			reaches := s.Sel.Name == "Tunables" || of != nil && of.Name == "search" && s.Sel.Name == "Params"
			switch {
			case reaches && strings.HasPrefix(pkg, "cmd/learn"):
				tuner++
			case reaches:
				t.Errorf("%s uses %s, which is for the tuner", file, s.Sel.Name)
			}
			return true
		})
	})
	if tuner == 0 {
		t.Error("the test finds no use of search.Params in the tuner")
	}
}
