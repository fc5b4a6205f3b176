package tune

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"go/ast"
	"go/parser"
	"io"
	"reflect"
	"strings"
	"tengen/cmd/internal/elo"
	"testing"

	"tengen/brain/search"
)

// TestThePlotShowsEveryParameter reads the plot of runs of several lengths.
func TestThePlotShowsEveryParameter(t *testing.T) {
	for _, n := range []int{0, 1, 2, 700, 5000} {
		r := testRun(testParams, max(n, 1), 4)
		r.Width, r.Height, r.Nodes = 15, 15, 2000
		if n > 0 {
			climb(t, r, hill(testParams, []float64{500, 80, 9}, 4, 11, 4))
		}
		var text []string
		curves, points := 0, 0
		for in := xml.NewDecoder(bytes.NewReader(r.plot())); ; {
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
		if curves != len(testParams) || points < min(n, 100) || points > 602 {
			t.Errorf("%d iterations: %d curves of %d points", n, curves, points)
		}
	}
}

// TestNumbersAreWrittenAsSource: every number is there once, under its name, in the order of
// Params, and formatted.
func TestNumbersAreWrittenAsSource(t *testing.T) {
	p := search.DefaultParams()
	for i, n := range p.Tunables() {
		*n.Value = 1000 + i
	}
	text, err := goSource(p)
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
	r.iterations = []iteration{{K: 1, Score: elo.Score{Wins: 3, Losses: 4, Draws: 1, Pairs: [5]int{1, 1, 1, 1}},
		Theta: []float64{float64(base.ReduceCut) - 100.4, 5.6}}}
	var b strings.Builder
	if err := r.report(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"after 1 iterations, 4 pairs, 12.5% of games drawn",
		fmt.Sprintf("ReduceCut %13d %6d   -0.5\n", base.ReduceCut, base.ReduceCut-100),
		fmt.Sprintf("CountBase %13d %6d   %+.1f\n", base.CountBase, 6, 5.6-float64(base.CountBase)),
		fmt.Sprintf("ReduceCut:       %d,\n", base.ReduceCut-100),
		"CountBase:       6,\n",
		fmt.Sprintf("CountPower:      %d,\n", base.CountPower),
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if base != search.DefaultParams() {
		t.Error("the defaults have changed")
	}
}
