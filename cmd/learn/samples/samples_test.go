package samples

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record"
)

// write makes a file of games of one origin, with one stone each, and returns its name.
func write(t *testing.T, name, origin string, rules ...board.Rule) string {
	t.Helper()
	var buf bytes.Buffer
	w, err := record.NewSampleWriter(&buf, origin)
	if err != nil {
		t.Fatal(err)
	}
	for n, rule := range rules {
		g := &record.SampleGame{Number: uint32(n), Rule: rule, Width: 15, Height: 15, Outcome: record.Drawn}
		g.Plies = []record.SamplePly{{Move: board.At(n, 0), Best: board.At(n, 0), Value: 1}}
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, buf.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestGamesOfOneRuleAreRead(t *testing.T) {
	a, b := write(t, "a", "one", 4, 0, 4|board.Continuous), write(t, "b", "two", 0, 4)
	f := &Files{Names: []string{a, b}, Rule: -1}
	for range 2 { // the second time the rule is known, and nothing is counted twice
		var columns []int
		for g, err := range f.Games() {
			if err != nil {
				t.Fatal(err)
			}
			columns = append(columns, g.Plies[0].Move.X())
		}
		if len(columns) != 3 || columns[0] != 0 || columns[1] != 2 || columns[2] != 1 || f.Rule != 4 || f.Others != 2 {
			t.Errorf("columns %v, rule %d, %d others", columns, f.Rule, f.Others)
		}
		if len(f.Sums) != 2 || !strings.HasPrefix(f.Sums[0], "a ") || len(f.Sums[1]) != 10 || len(f.Origins) != 2 || f.Origins[1] != "two" {
			t.Errorf("sums %q, origins %q", f.Sums, f.Origins)
		}
	}
	for range f.Games() {
		break
	}
	if len(f.Sums) != 0 {
		t.Errorf("stopped at the first game, but the sums are %q", f.Sums)
	}
}

func TestErrorsNameTheFile(t *testing.T) {
	cut := write(t, "cut", "x", 0, 0)
	raw, err := os.ReadFile(cut)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, raw[:len(raw)-1], 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{cut, filepath.Join(t.TempDir(), "none"), os.DevNull} {
		f := &Files{Names: []string{name, name}}
		errs := 0
		for _, err := range f.Games() {
			if err != nil {
				errs++
				if !strings.HasPrefix(err.Error(), name) && !strings.Contains(err.Error(), name) {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
		if errs != 1 {
			t.Errorf("%s: %d errors, want one", name, errs)
		}
	}
}
