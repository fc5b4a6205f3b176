//go:build !js

package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pageFiles are the names of the files of the page, without the words.
func pageFiles(t *testing.T) []string {
	t.Helper()
	entries, err := page.ReadDir("page")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func pageFile(t *testing.T, name string) string {
	t.Helper()
	data, err := page.ReadFile("page/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// found are the first groups of all matches, sorted.
func found(pattern, text string) []string {
	var list []string
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// What the page loads in all is small, in every language. The page names all modules of the
// first visit, so that they arrive together, and the service worker those that come later.
func TestPageIsSmall(t *testing.T) {
	const limit = 120_000 // bytes, compressed
	html := pageFile(t, "index.html")
	modules := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if modules[name] {
			return
		}
		modules[name] = true
		for _, other := range found(`(?m)^(?:import|\})[^;]* from '\./([\w-]+\.js)';$`, pageFile(t, name)) {
			visit(other)
		}
	}
	visit("app.js")
	for name := range modules {
		if !strings.Contains(html, `="`+name+`"`) {
			t.Errorf("the page does not preload %s", name)
		}
	}
	first := append(found(`(?:href|src)="([\w.-]+)"`, html), "index.html", "sw.js")
	if n := len(found(`"([\w-]+\.js)"`, html)); n != len(modules) {
		t.Errorf("the page names %d modules, of which it imports %d", n, len(modules))
	}
	_, list, _ := strings.Cut(pageFile(t, "sw.js"), "const later = [")
	list, _, _ = strings.Cut(list, "]")
	later := found(`'([\w-]+\.js)'`, list)
	begin, total := 0, 0
	for _, name := range pageFiles(t) {
		data := []byte(pageFile(t, name))
		n := len(data)
		if small := compress(data); small != nil {
			n = len(small)
		}
		total += n
		switch isFirst := slices.Contains(first, name); {
		case isFirst == slices.Contains(later, name):
			t.Errorf("%s is not in one of the lists of index.html and sw.js", name)
		case isFirst:
			begin += n
		}
	}
	all, err := wordsOf(words)
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range languages {
		if n := total + len(compress(all[language])); n > limit {
			t.Errorf("%s: all parts of the page have %d bytes, want at most %d", language, n, limit)
		}
	}
	english := len(compress(all["en"]))
	t.Logf("in English the first visit loads %d bytes, all parts of the page have %d", begin+english, total+english)
}

// Words can be read in both themes: their color and that of what they are on differ by 4.5 to 1, as
// the guidelines for accessibility of the W3C want it for text (WCAG 2.2, 1.4.3).
func TestColorsOfWords(t *testing.T) {
	colors := map[string][]string{} // by name: light, dark
	for _, m := range regexp.MustCompile(`(--[\w-]+): light-dark\((#\w{6}), (#\w{6})\)`).FindAllStringSubmatch(pageFile(t, "style.css"), -1) {
		colors[m[1]] = m[2:]
	}
	for words, grounds := range map[string][]string{
		"--ink":        {"--paper", "--card", "--press", "--good-soft", "--bad-soft"},
		"--soft":       {"--paper", "--card", "--press", "--good-soft"},
		"--accent":     {"--card", "--press"},
		"--accent-ink": {"--accent", "--bad"},
		"--good":       {"--paper", "--card"},
		"--bad":        {"--paper", "--card"},
		"--doubt":      {"--paper"},
		"--fault":      {"--paper"},
		"--paper":      {"--ink"},
	} {
		for _, ground := range grounds {
			for i, theme := range []string{"light", "dark"} {
				if len(colors[words]) != 2 || len(colors[ground]) != 2 {
					t.Fatalf("no color %s or %s", words, ground)
				}
				a, b := luminance(t, colors[words][i]), luminance(t, colors[ground][i])
				if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < 4.5 {
					t.Errorf("%s on %s, %s: %.2f to 1", words, ground, theme, ratio)
				}
			}
		}
	}
}

// luminance is that of a color such as #f3eee4, from 0 to 1, as WCAG defines it.
func luminance(t *testing.T, color string) float64 {
	t.Helper()
	rgb, err := strconv.ParseUint(color[1:], 16, 24)
	if err != nil {
		t.Fatal(err)
	}
	linear := func(shift int) float64 {
		c := float64(rgb>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
}

func TestPageLoadsNothingFromOtherSites(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	paths := []string{"/words/en.json", "/words/vi.json"}
	for _, name := range pageFiles(t) {
		paths = append(paths, "/"+strings.TrimSuffix(name, "index.html"))
	}
	for _, path := range paths {
		response, err := q.client.Get(q.url + path)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != 200 {
			t.Fatalf("GET %s: %s, %v", path, response.Status, err)
		}
		r, _ := http.NewRequest("GET", q.url+path, nil)
		r.Header.Set("Accept-Encoding", "gzip") // so that the client leaves the answer as it is
		if response, err = q.client.Do(r); err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if response.Header.Get("Content-Encoding") == "gzip" {
			z, err := gzip.NewReader(bytes.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			if plain, err := io.ReadAll(z); err != nil || !bytes.Equal(plain, data) {
				t.Errorf("%s: compressed, it is another file: %v", path, err)
			}
		}
		if kind := response.Header.Get("Content-Type"); kind == "" || strings.HasPrefix(kind, "text/plain") {
			t.Errorf("%s is served as %q", path, kind)
		}
		for key, value := range headers {
			if response.Header.Get(key) != value {
				t.Errorf("%s: header %s is %q", path, key, response.Header.Get(key))
			}
		}
		if strings.HasSuffix(path, ".png") {
			continue
		}
		for _, sign := range []string{"http:", "https:", "://", "url(//", `"//`, `'//`, "@import"} {
			if bytes.Contains(data, []byte(sign)) {
				t.Errorf("%s contains %q", path, sign)
			}
		}
		for _, sign := range []string{" onclick=", " style=", "<style", "javascript:", "eval("} {
			if path == "/" && bytes.Contains(data, []byte(sign)) {
				t.Errorf("%s contains %q, which the policy of the page forbids", path, sign)
			}
		}
	}
}
