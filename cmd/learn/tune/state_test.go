package tune

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/brain/search"
	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/resume"
)

// course returns what a state says of the course of a run: all but the seconds.
func course(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range bytes.Lines(raw) {
		var m map[string]any
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		delete(m, "seconds")
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(text, '\n'))
	}
	return b.String()
}

// carry runs a test run with a state until its goal, or until stop iterations are kept.
func carry(t *testing.T, path string, stop int) {
	t.Helper()
	o := tuning{games: games{journal: path}, gain: 1}
	want := testRun(testParams, 20, 4)
	r, s, err := o.open(&want.settings)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	measure := hill(testParams, []float64{500, 80, 9}, 4, 11, 4)
	tu := &tuner{run: r, goal: 20}
	tu.measure = func(ctx context.Context, k int, plus, minus []int) (elo.Score, error) {
		if err := ctx.Err(); err != nil {
			return elo.Score{}, err
		}
		return measure(ctx, k, plus, minus)
	}
	tu.keep = func(it *iteration) error {
		if it.K == stop {
			cancel()
		}
		return s.Add(it)
	}
	if err := tu.loop(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

// TestARunGoesOnAsIfUncut stops a run at two places, one of them in the middle of a
// line, and compares it with one that was not stopped.
func TestARunGoesOnAsIfUncut(t *testing.T) {
	whole, cut := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "cut")
	carry(t, whole, 0)
	carry(t, cut, 7)
	if n := strings.Count(course(t, cut), "\n"); n != 8 {
		t.Fatalf("%d lines were kept, want 8", n)
	}
	carry(t, cut, 13)
	raw, err := os.ReadFile(cut)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, raw[:len(raw)-40], 0o644); err != nil {
		t.Fatal(err)
	}
	carry(t, cut, 0)
	if got, want := course(t, cut), course(t, whole); got != want {
		t.Errorf("cut:\n%s\nwhole:\n%s", got, want)
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	const head = `{"params":[{"name":"x","start":1,"min":0,"max":9,"step":1}],"horizon":5,"gain":1,"pairs":1}` + "\n"
	const one = `{"k":1,"plus":[1],"minus":[1],"theta":[1]}` + "\n"
	for _, tt := range []struct{ name, text, want string }{
		{"a text without a line end", "notes", "not a journal of this kind"},
		{"another JSON file", `{"game":1}` + "\n", "not a journal of this kind"},
		{"no parameters", `{"params":[],"horizon":5,"gain":1,"pairs":1}` + "\n", "no settings"},
		{"a parameter without a step", `{"params":[{"name":"x"}],"horizon":5,"gain":1,"pairs":1}` + "\n", "x has no range"},
		{"a broken line within", head + "{\n" + one, "line 2"},
		{"a gap", head + one + strings.Replace(one, `"k":1`, `"k":3`, 1), "line 3: iteration 3, want 2"},
		{"a value beyond its range", head + strings.Replace(one, `"theta":[1]`, `"theta":[1e300]`, 1), "line 2: x is 1e+300, not within 0..9"},
		{"a value played beyond its range", head + strings.Replace(one, `"minus":[1]`, `"minus":[-1]`, 1), "line 2: x is -1"},
		{"values of other parameters", head + strings.Replace(one, "[1]", "[1,2]", 3), "line 2: 2 values, want 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(path, []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			o := tuning{games: games{journal: path}}
			_, j, err := o.open(&settings{})
			if err == nil {
				j.Close()
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if raw, _ := os.ReadFile(path); string(raw) != tt.text {
				t.Errorf("the file is now %q", raw)
			}
		})
	}
}

func TestSettingsThatDiffer(t *testing.T) {
	base := testRun(testParams, 20, 4).settings
	base.Base = search.DefaultParams()
	for _, tt := range []struct {
		want   string
		change func(*settings)
	}{
		{"", func(*settings) {}},
		{"param 3", func(s *settings) { s.Params = s.Params[:2] }},
		{"base countpower was ", func(s *settings) { s.Base.CountPower++ }},
		{"nodes was 0 and is now 5", func(s *settings) { s.Nodes = 5 }},
		{"rule was ", func(s *settings) { s.Rule = 4 }},
		{"openings was ", func(s *settings) { s.Openings = "x" }},
		{"engine was ", func(s *settings) { s.Engine = "x" }},
		{"seed was ", func(s *settings) { s.Seed++ }},
	} {
		s := base
		tt.change(&s)
		if got := resume.Differences(&base, &s); !strings.HasPrefix(got, tt.want) || got != "" && tt.want == "" {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
