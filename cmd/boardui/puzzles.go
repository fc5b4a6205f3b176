package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/testdata"
)

// A puzzle is a position in which the side to move has a proven win.
type puzzle struct {
	position
	Plies int `json:"plies"` // to the five at most
	Level int `json:"level"` // from 1, as in levelPlies

	wins []board.Move // known to win
}

// levelPlies are the plies to the five up to which a puzzle that is not graded has that level, from 1.
var levelPlies = [...]int{5, 9, 13, 19, 1 << 10}

// puzzles are those of the folder testdata, easy ones first.
var puzzles = sync.OnceValue(func() []puzzle {
	list, err := readPuzzles(testdata.Positions)
	if err != nil {
		panic(err) // the files are part of the program, and a test reads them
	}
	return list
})

func readPuzzles(files fs.FS) ([]puzzle, error) {
	var list []puzzle
	seen := map[position]bool{}
	add := func(rule board.Rule, size int, moves, wins []board.Move, plies, level int) {
		p := puzzle{position: position{size, size, rule, record.FormatMoves(moves)}, Plies: plies, Level: level, wins: wins}
		if level == 0 {
			for p.Level = 1; plies > levelPlies[p.Level-1]; p.Level++ {
			}
		}
		if !seen[p.position] {
			seen[p.position] = true
			list = append(list, p)
		}
	}
	names, err := fs.Glob(files, "*/*.txt")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(name, "tactics/") {
			all, err := record.ReadTactics(bytes.NewReader(text))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			for _, t := range all {
				add(t.Rule, t.Size, t.Moves, t.Wins, t.Plies, 0)
			}
			continue
		}
		all, err := record.ReadPuzzles(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, p := range all {
			if p.Plies > 0 {
				add(p.Rule, p.Size, p.Moves, []board.Move{p.First}, p.Plies, p.Level)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b puzzle) int { return cmp.Compare(a.Plies, b.Plies) })
	return list, nil
}

// listPuzzles answers the puzzles of a rule and a level.
func (s *server) listPuzzles(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Game  string     `json:"game"`
		Rule  board.Rule `json:"rule"`
		Level int        `json:"level"`
	}
	if !s.accept(w, r, maxBody, &q, &q.Game) {
		return
	}
	var a struct {
		Puzzles []puzzle `json:"puzzles"`
	}
	a.Puzzles = []puzzle{}
	for _, p := range puzzles() {
		if p.Rule == q.Rule && p.Level == q.Level {
			a.Puzzles = append(a.Puzzles, p)
		}
	}
	answer(w, a)
}

// An attempt is a move in a position that is won for the side to move.
type attempt struct {
	Game string `json:"game"`
	position
	Move string `json:"move"` // pos notation
}

// attemptLimit is the time to prove that an attempt wins.
const attemptLimit = 3 * time.Second

// An attemptResult is the answer to an attempt.
type attemptResult struct {
	Wait  *int   `json:"wait,omitempty"`
	Done  bool   `json:"done,omitempty"`
	Right bool   `json:"right,omitempty"` // the move wins by force
	Won   bool   `json:"won,omitempty"`   // it has won
	Reply string `json:"reply,omitempty"` // of the other side, if the move is right; or one that stops it if it is wrong

	*fault
}

// attempt answers whether a move keeps a win, checked by the solver.
func (s *server) attempt(w http.ResponseWriter, r *http.Request) {
	var q attempt
	if f := read(w, r, maxBody, &q); f != nil {
		answerFault(w, f)
		return
	}
	s.stream(w, r, q.Game, func(ctx context.Context, _ <-chan struct{}, say func(any)) (any, *fault) {
		b, moves, f := q.after(q.Move)
		if f != nil {
			return nil, f
		}
		if verdict, winner := b.Verdict(); verdict != board.Unfinished {
			won := winner == b.Side().Other()
			return attemptResult{Done: true, Right: won, Won: won}, nil
		}
		l, err := s.pool.enter(ctx, forMove, 1, func(n int) { say(attemptResult{Wait: &n}) })
		if err != nil {
			return attemptResult{fault: s.refused(err)}, nil
		}
		defer s.pool.leave(l, nil)
		return s.check(ctx, &q, moves), nil
	})
}

// check asks the solver whether the other side is lost after moves.
func (s *server) check(ctx context.Context, q *attempt, moves []board.Move) attemptResult {
	solver, f := s.solvers.get(&q.position, moves)
	if f != nil {
		return attemptResult{fault: f}
	}
	defer s.solvers.put(&q.position, solver)
	ctx, cancel := context.WithTimeout(ctx, attemptLimit)
	defer cancel()
	found := solver.Lost(ctx, anyThreat)
	a := attemptResult{Done: true, Right: found.Win && len(found.Holds) == 0}
	switch {
	case a.Right:
		a.Reply = found.Reply.String()
	case found.Win:
		a.Reply = found.Holds[0].String()
		a.Right = q.known()
	}
	return a
}

// known reports whether the attempt is a move that is known to win, although the solver did
// not prove it in time.
func (q *attempt) known() bool {
	return slices.ContainsFunc(puzzles(), func(p puzzle) bool {
		return p.position == q.position && slices.ContainsFunc(p.wins, func(m board.Move) bool { return m.String() == q.Move })
	})
}
