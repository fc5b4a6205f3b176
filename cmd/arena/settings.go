package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tengen/brain/board"
	"tengen/cmd/internal/elo"
)

// The settings of a match are everything that decides which games it consists of. Their
// hash identifies the match.
type settings struct {
	Engines    []engine        `json:"engines"`
	Rule       int             `json:"rule"`
	Size       int             `json:"size"`
	Openings   []string        `json:"openings,omitempty"` // pos notation, in file order
	Order      string          `json:"order,omitempty"`
	Seed       uint64          `json:"seed,omitempty"`
	Symmetries bool            `json:"symmetries,omitempty"`
	Games      int             `json:"games"`
	Rounds     int             `json:"rounds"`
	Gauntlet   bool            `json:"gauntlet,omitempty"`
	DrawAfter  int             `json:"drawafter,omitempty"`
	Adjudicate json.RawMessage `json:"adjudicate,omitempty"` // of old journals, in which games could end by agreement
	SPRT       *elo.SPRT       `json:"sprt,omitempty"`
}

// endlessGames is the length of the schedule of a test without -games: it stops by itself.
const endlessGames = 1_000_000

// endless reports whether only a verdict ends the match.
func (s *settings) endless() bool {
	return s.SPRT != nil && s.Games == endlessGames && s.Rounds == 1
}

// id returns the hash of the settings, 16 hexadecimal digits.
func (s *settings) id() string {
	sum := sha256.Sum256(s.json())
	return hex.EncodeToString(sum[:8])
}

func (s *settings) json() []byte {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err) // plain data always marshals
	}
	return raw
}

func (s *settings) schedule() *schedule {
	odd := make([]bool, len(s.Openings))
	for i, text := range s.Openings {
		moves, err := board.ParseMoves(text, s.Size, s.Size)
		odd[i] = err == nil && len(moves)%2 == 1
	}
	return &schedule{
		odd: odd, pairs: pairings(len(s.Engines), s.Gauntlet), games: s.Games, rounds: s.Rounds,
		openings: len(s.Openings), order: openingOrder(len(s.Openings), s.Order == "random", s.Seed),
		symmetries: s.Symmetries, size: s.Size,
	}
}

// differences says what keeps games under the settings held from counting in a match under
// s, or "". The number of games may differ as long as game n stays the same game: with more
// than one pair of engines only -rounds can change.
func (s *settings) differences(held *settings) string {
	there, here := held.flatten(), s.flatten()
	delete(there, "rounds")
	delete(here, "rounds")
	if len(s.Engines) == 2 {
		delete(there, "games")
		delete(here, "games")
	}
	keys := maps.Clone(there)
	maps.Copy(keys, here)
	var list []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if there[key] != here[key] {
			list = append(list, fmt.Sprintf("%s is %s there and %s here", key, orNone(there[key]), orNone(here[key])))
		}
	}
	if n := len(list); n > 3 {
		list = append(list[:3], fmt.Sprintf("and %d more", n-3))
	}
	return strings.Join(list, ", ")
}

func orNone(s string) string {
	if s == "" {
		return "not given"
	}
	return s
}

// flatten returns the settings by name: "size", "engine 2 nodes", "opening 7".
func (s *settings) flatten() map[string]string {
	var tree any
	if err := json.Unmarshal(s.json(), &tree); err != nil {
		panic(err)
	}
	flat := map[string]string{}
	var walk func(key string, node any)
	walk = func(key string, node any) {
		switch node := node.(type) {
		case map[string]any:
			for k, v := range node {
				walk(strings.TrimSpace(key+" "+strings.ToLower(k)), v)
			}
		case []any:
			for i, v := range node {
				walk(fmt.Sprintf("%s %d", strings.TrimSuffix(key, "s"), i+1), v)
			}
		case float64:
			flat[key] = fmt.Sprint(node)
			for _, name := range []string{" match", " turn", " increment", " hang", " tolerance", " pause"} {
				if strings.HasSuffix(key, name) {
					flat[key] = time.Duration(node).String()
				}
			}
		default:
			flat[key] = fmt.Sprint(node)
		}
	}
	walk("", tree)
	return flat
}
