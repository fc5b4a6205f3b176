//go:build !js

package main

import (
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tengen/brain/level"
)

// Every key of the table has a text in every language, with the same values to fill in, and the
// page has a use for it; what the page asks for is there.
func TestTextsAreWhole(t *testing.T) {
	value := regexp.MustCompile(`\{\w+\}`)
	var rows map[string][]string
	if err := json.Unmarshal(words, &rows); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(words), "],\n"); n != len(rows)-1 {
		t.Errorf("%d rows have %d keys", n+1, len(rows))
	}
	if _, err := wordsOf(words); err != nil {
		t.Error(err)
	}
	for key, texts := range rows {
		want := value.FindAllString(texts[0], -1)
		slices.Sort(want)
		for i, s := range texts {
			got := value.FindAllString(s, -1)
			slices.Sort(got)
			if strings.TrimSpace(s) == "" || !slices.Equal(got, want) {
				t.Errorf("%s, language %d: %q has the values %q, want %q", key, i, s, got, want)
			}
		}
	}
	source := ""
	for _, name := range pageFiles(t) {
		if strings.HasSuffix(name, ".js") || strings.HasSuffix(name, ".html") {
			source += pageFile(t, name)
		}
	}
	for _, key := range append(found(`data-(?:t|label|hint)="([^"]+)"`, source), found(`[^\w.]t\('([\w.-]+)'[,)]`, source)...) {
		if rows[key] == nil {
			t.Errorf("the page wants the text %s, which is nowhere", key)
		}
	}
	// Some keys are put together, as rule4 is, or are codes of the server's faults, as e.rate is.
	made := found(`'((?:e|rank|mark_|opens|foul|seat|ask|do|did|class|clock|result|rule|ruleText)\.?)' \+`, source)
	made = append(made, "help")
	for key := range rows {
		used := strings.Contains(source, "'"+key+"'") || strings.Contains(source, `"`+key+`"`)
		if !used && !slices.ContainsFunc(made, func(start string) bool { return strings.HasPrefix(key, start) }) {
			t.Errorf("no part of the page uses the text %s", key)
		}
	}
}

// The page offers the languages of the table, and keeps them all for when there is no connection.
func TestLanguagesOfThePage(t *testing.T) {
	wanted := slices.Sorted(slices.Values(languages))
	for name, pattern := range map[string]string{"text.js": `[{,] (\w+): '`, "sw.js": `'(\w+)'[,\]]`} {
		_, list, _ := strings.Cut(pageFile(t, name), "const languages = ")
		list, _, _ = strings.Cut(list, ";")
		if got := found(pattern, list); !slices.Equal(got, wanted) {
			t.Errorf("%s has the languages %q, want %q", name, got, wanted)
		}
	}
}

// The page has as many levels as the engine, each with a name of its own in every language.
func TestLevelsOfThePage(t *testing.T) {
	if got := found(`levels = (\d+);`, pageFile(t, "levels.js")); !slices.Equal(got, []string{strconv.Itoa(level.Count)}) {
		t.Errorf("the page has %v levels, the engine %d", got, level.Count)
	}
	var rows map[string][]string
	if err := json.Unmarshal(words, &rows); err != nil {
		t.Fatal(err)
	}
	for i, language := range languages {
		names := map[string]bool{}
		for n := range level.Count {
			row := rows["rank"+strconv.Itoa(n+1)]
			if len(row) == 0 || names[row[i]] {
				t.Fatalf("%s: level %d has the name %q", language, n+1, row)
			}
			names[row[i]] = true
		}
	}
}

// Before the script has loaded its words the page has those in English.
func TestPageHasItsWords(t *testing.T) {
	var rows map[string][]string
	if err := json.Unmarshal(words, &rows); err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`data-t="([^"]+)"[^<>]*>([^<]*)<`).FindAllStringSubmatch(pageFile(t, "index.html"), -1) {
		if got := html.UnescapeString(m[2]); len(rows[m[1]]) == 0 || got != rows[m[1]][0] {
			t.Errorf("%s says %q, want %q", m[1], got, rows[m[1]])
		}
	}
}

// A number comes after what it counts, or before a word that has no plural: "1 moves" is wrong in
// English, and Russian and Estonian change their words more than once.
func TestTextsNeedNoPlural(t *testing.T) {
	var rows map[string][]string
	if err := json.Unmarshal(words, &rows); err != nil {
		t.Fatal(err)
	}
	counted := map[string]*regexp.Regexp{
		"en": regexp.MustCompile(`\{[nk]\} ([a-z]+ )?[a-z]{2,}s\b`),
		"ru": regexp.MustCompile(`\{[nk]\} [а-я]{2,}(ов|ей|ий|а|я|ы|и)$`),
		"et": regexp.MustCompile(`\{[nk]\} [a-zäõöü]+(u|e|me|i)$`),
	}
	for key, texts := range rows {
		for i, language := range languages {
			if c := counted[language]; c != nil && c.MatchString(texts[i]) {
				t.Errorf("%s: %q counts in a plural", key, texts[i])
			}
		}
	}
}

// The colors are plural in Russian, "Чёрные", and do not change: neither after a preposition nor before
// a verb of one.
func TestTextsOfColorsInRussian(t *testing.T) {
	var rows map[string][]string
	if err := json.Unmarshal(words, &rows); err != nil {
		t.Fatal(err)
	}
	wrong := regexp.MustCompile(`(?i)(^| )(у|для|от|за|на) \{who\}|\{who\} [а-яё]+(ит|ет|ёт|ат)( |$)`)
	for key, texts := range rows {
		if text := texts[slices.Index(languages, "ru")]; wrong.MatchString(text) {
			t.Errorf("%s: %q needs another form of the color", key, text)
		}
	}
}

func TestWordsThatAreMissing(t *testing.T) {
	if _, err := wordsOf([]byte(`{"new": ["New"]}`)); err == nil || err.Error() != "new has 1 texts, want 7" {
		t.Errorf("a row of one text gives %v", err)
	}
	all, err := wordsOf([]byte(`{"a": ["1", "2", "3", "4", "5", "6", "7"]}`))
	if err != nil || string(all["ko"]) != `{"a":"4"}` {
		t.Errorf("the Korean words are %s, %v", all["ko"], err)
	}
}
