package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"slices"

	"tengen/brain/board"
	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/resume"
)

// The settings of a match are everything that decides which games it consists of. Their
// hash identifies the match.
type settings struct {
	Engines    []engine        `json:"engines"`
	Rule       int             `json:"rule"`
	Size       int             `json:"size"`
	Openings   []string        `json:"openings,omitempty"` // pos notation, in file order
	Opening    string          `json:"opening,omitempty"`  // the opening rule, "" for none
	Order      string          `json:"order,omitempty"`
	Seed       uint64          `json:"seed,omitempty"`
	Symmetries bool            `json:"symmetries,omitempty"`
	Games      int             `json:"games"`
	Rounds     int             `json:"rounds"`
	Gauntlet   bool            `json:"gauntlet,omitempty"`
	DrawAfter  int             `json:"drawafter,omitempty"`
	Adjudicate json.RawMessage `json:"adjudicate,omitempty"` // only in old journals
	Resign     *resignRule     `json:"resign,omitempty"`
	Draw       *drawRule       `json:"draw,omitempty"`
	SPRT       *elo.SPRT       `json:"sprt,omitempty"`
}

// endlessGames is the length of the schedule of a test without -games: it stops by itself.
const endlessGames = 1_000_000

// endless reports whether the match ends only when the test decides.
func (s *settings) endless() bool {
	return s.SPRT != nil && s.Games == endlessGames && s.Rounds == 1
}

// fixed reports whether limits other than the clock end all searches, so that engines may play a
// game again move for move.
func (s *settings) fixed() bool {
	return !slices.ContainsFunc(s.Engines, func(e engine) bool { return e.Nodes == 0 && e.Depth == 0 })
}

// id returns the hash of the settings, 16 hexadecimal digits.
func (s *settings) id() string {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err) // plain data always marshals
	}
	// A byte that is not UTF-8, as in the name of an old file, comes back from a journal as this
	// character, which JSON writes in another way than what stands for such a byte.
	raw = bytes.ReplaceAll(raw, []byte(`\ufffd`), []byte("\ufffd"))
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}

func (s *settings) schedule() *schedule {
	openings := make([][]board.Move, len(s.Openings))
	for i, text := range s.Openings {
		openings[i], _ = board.ParseMoves(text, s.Size, s.Size) // none if a journal holds another text
	}
	var order []int
	if s.Order == "random" {
		order = rand.New(rand.NewPCG(s.Seed, 0x74656e67656e)).Perm(len(s.Openings))
	}
	return &schedule{s, pairings(len(s.Engines), s.Gauntlet), order, openings}
}

// differences returns the differences between s and the settings of a journal, held, if games
// of the journal cannot count in a match under s, else "". The number of games may differ as
// long as game n stays the same game: with more than two engines only -rounds may.
func (s *settings) differences(held *settings) string {
	numbers := []string{"rounds"}
	if len(s.Engines) == 2 {
		numbers = append(numbers, "games")
	}
	return resume.Differences(held, s, numbers...)
}
