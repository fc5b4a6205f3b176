package chart

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"
)

// The picture is a well-formed file with every line, whatever the numbers are.
func TestDraw(t *testing.T) {
	long := make([]float64, 5000)
	for i := range long {
		long[i] = float64(i)
	}
	for name, test := range map[string]struct {
		x, values []float64
	}{
		"falling":      {[]float64{0, 1, 2}, []float64{0.7, 0.6, 0.5}},
		"one point":    {[]float64{0.5}, []float64{0.7}},
		"nothing":      {nil, nil},
		"all alike":    {[]float64{0, 1}, []float64{3, 3}},
		"not a number": {[]float64{0, 1}, []float64{math.NaN(), 1}},
		"many points":  {long, long},
	} {
		p := Panel{Title: "a < b & c", Epochs: test.x, Training: test.values, Validation: test.values}
		raw := Draw("title", p, p, p)
		lines, points := 0, 0
		for d := xml.NewDecoder(bytes.NewReader(raw)); ; {
			tok, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if el, ok := tok.(xml.StartElement); ok && el.Name.Local == "polyline" {
				lines++
				for _, a := range el.Attr {
					if a.Name.Local == "points" {
						points = len(strings.Fields(a.Value))
					}
				}
			}
		}
		if lines != 6 || points < min(len(test.x), 500) || points > maxPoints+1 {
			t.Errorf("%s: %d lines, the last of %d points", name, lines, points)
		}
		if text := string(raw); strings.Contains(text, "NaN") && name != "not a number" || strings.Contains(text, "Inf") {
			t.Errorf("%s: a coordinate is no number", name)
		}
	}
}

// The labels of an axis are round numbers.
func TestAxisLabelsAreRound(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   string
	}{
		{[]float64{0.088678, 0.0567}, "0.060 0.065 0.070 0.075 0.080 0.085"},
		{[]float64{2.9, 2.153}, "2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9"},
		{[]float64{1234, 17}, "200 400 600 800 1000 1200"},
		{[]float64{3, 3}, "2.6 2.8 3.0 3.2 3.4"},
	} {
		p := Panel{Epochs: []float64{0, 1}, Training: test.values}
		var labels []string
		for _, part := range strings.Split(string(Draw("", p)), `text-anchor="end">`)[1:] {
			label, _, _ := strings.Cut(part, "<")
			labels = append(labels, label)
		}
		if got := strings.Join(labels, " "); got != test.want {
			t.Errorf("from %v to %v: labels %s, want %s", test.values[1], test.values[0], got, test.want)
		}
	}
}
