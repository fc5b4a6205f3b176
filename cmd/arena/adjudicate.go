package main

import (
	"fmt"
	"strconv"

	"tengen/brain/board"
	"tengen/brain/record"
)

// A resignRule ends a game that a side has given up by its scores.
type resignRule struct {
	Moves    int  `json:"movecount"`          // in a row, of the side that loses
	Score    int  `json:"score"`              // it is at least so much behind
	TwoSided bool `json:"twosided,omitempty"` // the other side agrees in as many moves
}

// A drawRule ends a game that both sides call even.
type drawRule struct {
	Number int `json:"movenumber"` // of moves of each side, opening included, before there is a draw
	Moves  int `json:"movecount"`  // in a row, of each side
	Score  int `json:"score"`      // the scores are no more, for either side
}

// parseResign parses the value of -resign.
func parseResign(text string) (*resignRule, error) {
	r := &resignRule{Moves: 3}
	err := parseAdjudication(text, map[string]any{"movecount": &r.Moves, "score": &r.Score, "twosided": &r.TwoSided})
	if err == nil && r.Score < 1 {
		err = fmt.Errorf("score=%d: want a positive number", r.Score)
	}
	return r, err
}

// parseDraw parses the value of -draw.
func parseDraw(text string) (*drawRule, error) {
	r := &drawRule{Moves: 8, Score: -1}
	err := parseAdjudication(text, map[string]any{"movenumber": &r.Number, "movecount": &r.Moves, "score": &r.Score})
	if err == nil && r.Score < 0 {
		err = fmt.Errorf("score is missing or negative")
	}
	return r, err
}

// parseAdjudication sets the fields of a rule, which are numbers or booleans, by name. movecount is
// positive, no number is negative.
func parseAdjudication(text string, fields map[string]any) error {
	list, err := parseSettings(text)
	if err != nil {
		return err
	}
	for _, kv := range list {
		switch field := fields[kv.key].(type) {
		case *int:
			n, err := strconv.Atoi(kv.value)
			if err != nil || n < 0 || n > 1<<30 || kv.key == "movecount" && n == 0 {
				return fmt.Errorf("%s=%s is not a number of its range", kv.key, kv.value)
			}
			*field = n
		case *bool:
			if *field, err = onOff(kv.value); err != nil {
				return fmt.Errorf("%s: %w", kv.key, err)
			}
		default:
			return fmt.Errorf("unknown setting %q", kv.key)
		}
	}
	return nil
}

// adjudicate returns the ruling on a game that goes on, by the scores of its moves so far, or nil.
func (s *settings) adjudicate(g *gameRecord) *ruling {
	ply := g.Opening + len(g.Eval)
	mover := board.Color((ply - 1) % 2) // of the last move
	if r := s.Resign; r != nil {
		behind := func(e eval) bool { return e.told && (e.mate < 0 || e.mate == 0 && e.value <= -r.Score) }
		ahead := func(e eval) bool { return e.told && (e.mate > 0 || e.mate == 0 && e.value >= r.Score) }
		for _, loser := range [2]board.Color{mover, mover.Other()} {
			if g.all(loser, r.Moves, behind) && (!r.TwoSided || g.all(loser.Other(), r.Moves, ahead)) {
				return lost(loser, "adjudication", fmt.Sprintf("%v was %d or more behind for %d moves", loser, r.Score, r.Moves))
			}
			if !r.TwoSided {
				break // the other has moved before
			}
		}
	}
	if r := s.Draw; r != nil && ply >= 2*r.Number {
		even := func(e eval) bool { return e.told && e.mate == 0 && -r.Score <= e.value && e.value <= r.Score }
		if g.all(board.Black, r.Moves, even) && g.all(board.White, r.Moves, even) {
			return &ruling{record.Drawn, "adjudication", fmt.Sprintf("no side was more than %d ahead for %d moves", r.Score, r.Moves)}
		}
	}
	return nil
}

// all reports whether ok is true of the scores of the last n moves of a side.
func (g *gameRecord) all(side board.Color, n int, ok func(eval) bool) bool {
	for i := len(g.Eval) - 1; i >= 0 && n > 0; i-- {
		if board.Color((g.Opening+i)%2) != side {
			continue
		}
		if !ok(g.Eval[i]) {
			return false
		}
		n--
	}
	return n == 0
}
