//go:build !js

package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// The texts of the page: a row for each key, with a text in each of the languages.
//
//go:embed words.json
var words []byte

// languages are English and those of the countries where the game is played most, in the order
// of the texts in a row.
var languages = []string{"en", "zh", "ja", "ko", "ru", "vi", "et"}

// wordsOf returns the texts of each language as a JSON object of its own, so that a page loads
// no others.
func wordsOf(table []byte) (map[string][]byte, error) {
	var rows map[string][]string
	if err := json.Unmarshal(table, &rows); err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for i, language := range languages {
		texts := map[string]string{}
		for key, row := range rows {
			if len(row) != len(languages) {
				return nil, fmt.Errorf("%s has %d texts, want %d", key, len(row), len(languages))
			}
			texts[key] = row[i]
		}
		data, err := json.Marshal(texts)
		if err != nil {
			return nil, err
		}
		all[language] = data
	}
	return all, nil
}
