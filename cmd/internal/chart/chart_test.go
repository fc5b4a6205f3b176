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
		p := Panel{Title: "a < b & c", Epochs: test.x, Training: test.values, Validation: test.values, Mark: 1}
		raw := Draw("title", p, p, p)
		lines, points, rings := 0, 0, 0
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
			} else if ok && el.Name.Local == "circle" {
				rings++
			}
		}
		want := 3
		if len(test.x) < 2 {
			want = 0
		}
		if lines != 6 || rings != want || points < min(len(test.x), 500) || points > maxPoints+1 {
			t.Errorf("%s: %d lines, the last of %d points, %d rings", name, lines, points, rings)
		}
		if text := string(raw); strings.Contains(text, "NaN") && name != "not a number" || strings.Contains(text, "Inf") {
			t.Errorf("%s: a coordinate is no number", name)
		}
	}
}
