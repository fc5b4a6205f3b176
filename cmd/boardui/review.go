package main

import (
	"context"
	"net/http"
	"sync"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/review"
)

// efforts are the milliseconds of one search of a review. A game of 40 moves takes about 55
// searches.
var efforts = map[string]int{"fast": 300, "normal": 1000, "deep": 4000}

// mostReviewers is the largest number of searches at a time for one review.
const mostReviewers = 8

// A reviewOrder asks for the review of a game.
type reviewOrder struct {
	Game string `json:"game"`
	position
	Opening int    `json:"opening"` // stones that are given
	Effort  string `json:"effort"`  // a key of efforts
}

// A pageScore is a score for the page: Mate is plies to a win, negative to a loss, 0 if neither
// is proven.
type pageScore struct {
	Value int `json:"value"`
	Mate  int `json:"mate,omitempty"`
	Depth int `json:"depth,omitempty"` // plies of its search; 0 if unknown
}

func newPageScore(s review.Score) pageScore { return pageScore{Value: s.Value, Mate: s.Mate()} }

func (s pageScore) score() review.Score { return review.NewScore(s.Value, s.Mate) }

// A judgment is a move of a reviewed game; scores are for the side that made it.
type judgment struct {
	Class  string    `json:"class"`
	Loss   float64   `json:"loss"` // of the chance to win
	Before pageScore `json:"before"`
	After  pageScore `json:"after"`
	Better string    `json:"better,omitempty"` // pos notation
}

func newJudgment(j review.Judgment) judgment {
	return judgment{j.Class.String(), j.Loss, newPageScore(j.Before), newPageScore(j.After), record.FormatMoves(j.Better)}
}

// A sideSummary summarizes the moves of one side.
type sideSummary struct {
	Moves    int            `json:"moves"`
	Count    map[string]int `json:"count"`
	Loss     float64        `json:"loss"`
	Accuracy int            `json:"accuracy"`
}

// A reviewEvent is a line of the stream that answers a reviewOrder. The last has moves or a
// fault.
type reviewEvent struct {
	Done  int `json:"done,omitempty"`  // searches
	Total int `json:"total,omitempty"` // searches that there will be, as far as is known

	Moves  []judgment   `json:"moves,omitempty"`
	Scores []*pageScore `json:"scores,omitempty"` // by number of stones, for the side to move; null if it was not searched
	Black  *sideSummary `json:"black,omitempty"`
	White  *sideSummary `json:"white,omitempty"`

	*fault
}

// review answers a reviewOrder with a stream of events.
func (s *server) review(w http.ResponseWriter, r *http.Request) {
	var q reviewOrder
	f := read(w, r, maxBody, &q)
	millis, known := efforts[q.Effort]
	switch {
	case f != nil:
	case !known:
		f = bad("request", "unknown effort %q", q.Effort)
	case q.Opening < 0:
		f = bad("request", "the opening has %d stones", q.Opening)
	}
	if f != nil {
		answerFault(w, f)
		return
	}
	s.stream(w, r, q.Game, func(ctx context.Context, _ <-chan struct{}, say func(any)) (any, *fault) {
		moves, f := q.game()
		if f == nil && len(moves) <= q.Opening {
			f = bad("request", "the game has no move after the opening")
		}
		if f != nil {
			return nil, f
		}
		a := analyst{pool: s.pool, order: q, millis: millis, rank: forReview}
		result, err := review.Run(ctx, review.Game{Rule: q.Rule, Width: q.Width, Height: q.Height, Moves: moves, Opening: q.Opening},
			min(s.pool.max, mostReviewers), a.analyze, func(done, total int) { say(reviewEvent{Done: done, Total: total}) })
		if err != nil {
			return reviewEvent{fault: s.refused(err)}, nil
		}
		return newReviewEvent(result, q.Opening, a.depths), nil
	})
}

// newReviewEvent is the last event of a review. Depths are those of its searches by number of stones.
func newReviewEvent(r *review.Result, opening int, depths map[int]int) reviewEvent {
	e := reviewEvent{Scores: make([]*pageScore, len(r.Positions))}
	for k, p := range r.Positions {
		if k >= opening && (p.Proven == 0 || p.Plies > 0) {
			s := newPageScore(p.Score)
			s.Depth = depths[k]
			e.Scores[k] = &s
		}
	}
	for _, j := range r.Moves {
		e.Moves = append(e.Moves, newJudgment(j))
	}
	side := func(s review.Summary) *sideSummary {
		count := map[string]int{}
		for class, n := range s.Count {
			count[class.String()] = n
		}
		return &sideSummary{s.Moves, count, s.Loss, s.Accuracy}
	}
	e.Black, e.White = side(r.Sides[0]), side(r.Sides[1])
	return e
}

// judgeMillis is the time for judging a single move.
const judgeMillis = 1000

// judge answers the judgment of one move, given what is known of the position before it.
func (s *server) judge(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Game string `json:"game"`
		position
		Move   string    `json:"move"`   // pos notation
		Before pageScore `json:"before"` // with the best move
		Better string    `json:"better"` // the best line, pos notation
	}
	f := read(w, r, maxBody, &q)
	if f != nil {
		answerFault(w, f)
		return
	}
	s.stream(w, r, q.Game, func(ctx context.Context, _ <-chan struct{}, _ func(any)) (any, *fault) {
		b, moves, f := q.after(q.Move)
		better, err := board.ParseMoves(q.Better, q.Width, q.Height)
		if f == nil && err != nil {
			f = bad("moves", "%v", err)
		}
		if f != nil {
			return nil, f
		}
		a := analyst{pool: s.pool, order: reviewOrder{Game: q.Game, position: q.position}, millis: judgeMillis, rank: forAnalysis}
		after, over := review.Ended(b)
		if !over {
			if after, err = a.analyze(ctx, moves); err != nil {
				return reviewEvent{fault: s.refused(err)}, nil
			}
		}
		j := review.Judge(moves[len(moves)-1], review.Evaluation{Score: q.Before.score(), Line: better, Depth: q.Before.Depth}, after)
		return reviewEvent{Moves: []judgment{newJudgment(j)}}, nil
	})
}

// An analyst evaluates positions by the built-in engine.
type analyst struct {
	pool   *pool
	order  reviewOrder
	millis int
	rank   rank

	mu     sync.Mutex
	depths map[int]int // of the deepest searches by number of stones
}

func (a *analyst) analyze(ctx context.Context, moves []board.Move) (review.Evaluation, error) {
	o := &order{
		Game: a.order.Game, Engine: a.pool.builtIn(), Millis: a.millis, Strength: fullStrength, Lines: 1,
		position: a.order.position, search: search{rank: a.rank},
	}
	b, err := board.New(o.Rule, o.Width, o.Height)
	if err != nil {
		return review.Evaluation{}, err
	}
	if f := replay(b, moves); f != nil {
		return review.Evaluation{}, f
	}
	e := a.pool.execute(ctx, o, b, moves, nil, func(event) {})
	if e.fault != nil {
		return review.Evaluation{}, e.fault
	}
	a.mu.Lock()
	if a.depths == nil {
		a.depths = map[int]int{}
	}
	a.depths[len(moves)] = max(a.depths[len(moves)], e.Report.Depth)
	a.mu.Unlock()
	found := review.Evaluation{Score: review.NewScore(e.Report.Score, e.Report.Mate), Depth: e.Report.Depth}
	line := e.Report.PV
	if line == "" {
		line = e.Moves
	}
	found.Line, err = board.ParseMoves(line, o.Width, o.Height)
	return found, err
}
