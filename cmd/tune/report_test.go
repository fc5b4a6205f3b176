package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"tengen/brain/search"
	"tengen/cmd/internal/longrun"
)

// TestThePlotShowsEveryParameter reads the plot of runs of several lengths.
func TestThePlotShowsEveryParameter(t *testing.T) {
	for _, n := range []int{0, 1, 2, 700, 5000} {
		r := testRun(testParams, max(n, 1), 4)
		r.Size, r.Nodes = 15, 2000
		if n > 0 {
			climb(t, r, hill(testParams, []float64{500, 80, 9}, 4, 11, 4))
		}
		var b bytes.Buffer
		if err := r.plot(&b); err != nil {
			t.Fatal(err)
		}
		var text []string
		curves, points := 0, 0
		for in := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
			token, err := in.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%d iterations: %v", n, err)
			}
			switch x := token.(type) {
			case xml.CharData:
				text = append(text, string(x))
			case xml.StartElement:
				for _, a := range x.Attr {
					if x.Name.Local == "polyline" && a.Name.Local == "points" {
						curves++
						points = len(strings.Fields(a.Value))
					}
					if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
						t.Errorf("%d iterations: %s of %s is %s", n, a.Name.Local, x.Name.Local, a.Value)
					}
				}
			}
		}
		all := strings.Join(text, "\n")
		for i, p := range testParams {
			for _, want := range []string{p.Name, fmt.Sprintf("%d → %d", p.Start, whole(r.theta())[i])} {
				if !strings.Contains(all, want) {
					t.Errorf("%d iterations: no %q in %q", n, want, all)
				}
			}
		}
		if curves != len(testParams) || points < min(n, 100) || points > mostPoints+2 {
			t.Errorf("%d iterations: %d curves of %d points", n, curves, points)
		}
	}
}

// TestTheLiteralIsSource: every number is there once, under its name, in the order of
// Params, and formatted.
func TestTheLiteralIsSource(t *testing.T) {
	p := search.DefaultParams()
	for i, n := range p.Tunables() {
		*n.Value = 1000 + i
	}
	text, err := literal(p)
	if err != nil {
		t.Fatal(err)
	}
	body, ok := strings.CutPrefix(text, "var defaultParams = ")
	if !ok {
		t.Fatalf("got %s", text)
	}
	expr, err := parser.ParseExpr(body)
	if err != nil {
		t.Fatal(err)
	}
	fields := expr.(*ast.CompositeLit).Elts
	v := reflect.ValueOf(p)
	if len(fields) != v.NumField() {
		t.Fatalf("%d fields, want %d", len(fields), v.NumField())
	}
	for i, f := range fields {
		kv := f.(*ast.KeyValueExpr)
		name := v.Type().Field(i).Name
		if kv.Key.(*ast.Ident).Name != name {
			t.Errorf("field %d is %v, want %s", i, kv.Key, name)
		}
		if lit, ok := kv.Value.(*ast.BasicLit); ok && lit.Value != fmt.Sprint(v.Field(i)) {
			t.Errorf("%s is %s, want %v", name, lit.Value, v.Field(i))
		}
	}
}

func TestTheReportNamesWhatMoved(t *testing.T) {
	base := search.DefaultParams()
	params, err := choose(&base, "ReduceCut,CountBase")
	if err != nil {
		t.Fatal(err)
	}
	r := testRun(params, 100, 4)
	r.Base = base
	r.iterations = []iteration{{K: 1, score: score{Wins: 3, Losses: 4, Draws: 1, Pairs: [5]int{1, 1, 1, 1}},
		Theta: []float64{float64(base.ReduceCut) - 100.4, 5.6}}}
	var b strings.Builder
	if err := r.report(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"after 1 iterations, 4 pairs, 12.5% of games drawn",
		fmt.Sprintf("ReduceCut %13d %6d   -0.5\n", base.ReduceCut, base.ReduceCut-100),
		fmt.Sprintf("CountBase %13d %6d   %+.1f\n", base.CountBase, 6, 5.6-float64(base.CountBase)),
		fmt.Sprintf("ReduceCut:      %d,\n", base.ReduceCut-100),
		"CountBase:      6,\n",
		fmt.Sprintf("CountPower:     %d,\n", base.CountPower),
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if base != search.DefaultParams() {
		t.Error("the defaults have changed")
	}
}

func TestProgress(t *testing.T) {
	var b strings.Builder
	now := time.Unix(0, 0)
	p := &progress{out: &b, every: 30 * time.Second, now: func() time.Time { return now }, total: 100, began: now}
	before := func() []string { return []string{"iteration 1/9"} }
	after := func() []string { return []string{"X 7"} }
	for range 40 {
		now = now.Add(10 * time.Second)
		p.pair(before, after)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if want := "iteration 1/9 | 360 pairs/h | to go 10m00s | X 7"; lines[len(lines)-1] != want {
		t.Errorf("got %q, want %q", lines[len(lines)-1], want)
	}
	if len(lines) != 14 {
		t.Errorf("%d lines in 400 s, want 14", len(lines))
	}
	(*progress)(nil).pair(before, after) // nothing
}

// TestProgressOnATerminal: lines are short, and a showing begins by going back to the
// first line of the one before.
func TestProgressOnATerminal(t *testing.T) {
	var b strings.Builder
	p := &progress{out: &b, terminal: true}
	var words []string
	for i := range 11 {
		words = append(words, fmt.Sprintf("SomeParameter%d %d", i, 1000*i))
	}
	p.show(words)
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	for _, l := range lines {
		if len(l) > 78 {
			t.Errorf("a line of %d columns: %s", len(l), l)
		}
	}
	if got := strings.Join(lines, " | "); got != strings.Join(words, " | ") {
		t.Errorf("got %s", got)
	}
	b.Reset()
	p.show(words[:1])
	if want := fmt.Sprintf("\x1b[%dA\x1b[J%s\n", len(lines), words[0]); b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	if f, err := os.CreateTemp(t.TempDir(), ""); err != nil || longrun.IsTerminal(f) {
		t.Errorf("a file is a terminal (%v)", err)
	} else if err := errors.Join(f.Close()); err != nil {
		t.Error(err)
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		9 * time.Second: "9s", 61 * time.Second: "1m01s", 90 * time.Minute: "1h30m", 2000 * time.Hour: "long",
	} {
		if got := span(d); got != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
	}
}
