package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every key of the tables has a text in every language, with the same values to fill in.
func TestTextsAreWhole(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\t'?([\w.-]+)'?: \[(.*)\],$`)
	text := regexp.MustCompile(`'((?:[^'\\]|\\.)*)'`)
	value := regexp.MustCompile(`\{\w+\}`)
	known := map[string]string{}
	for _, name := range []string{"words.js", "study-text.js"} {
		raw, err := page.ReadFile("page/" + name)
		if err != nil {
			t.Fatal(err)
		}
		rows := row.FindAllStringSubmatch(string(raw), -1)
		if n := strings.Count(string(raw), "],\n"); len(rows) != n {
			t.Errorf("%s: %d of %d rows have the form of a row", name, len(rows), n)
		}
		for _, r := range rows {
			key, texts := r[1], text.FindAllStringSubmatch(r[2], -1)
			if known[key] != "" {
				t.Errorf("%s is in %s and in %s", key, known[key], name)
			}
			known[key] = name
			if len(texts) != 7 {
				t.Errorf("%s has %d texts, want 7", key, len(texts))
				continue
			}
			want := value.FindAllString(texts[0][1], -1)
			slices.Sort(want)
			for i, s := range texts {
				got := value.FindAllString(s[1], -1)
				slices.Sort(got)
				if strings.TrimSpace(s[1]) == "" || !slices.Equal(got, want) {
					t.Errorf("%s, language %d: %q has the values %q, want %q", key, i, s[1], got, want)
				}
			}
		}
	}
	// What the page asks for is there.
	html, err := page.ReadFile("page/index.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`data-(?:t|label|hint)="([^"]+)"`).FindAllStringSubmatch(string(html), -1) {
		if known[m[1]] == "" {
			t.Errorf("the page wants the text %s, which is nowhere", m[1])
		}
	}
}
