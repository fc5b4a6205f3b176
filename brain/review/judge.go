// Package review judges the moves of a game by an engine's evaluations of its positions: which
// moves were mistakes, what they cost, and what would have been better.
package review

import (
	"math"

	"tengen/brain/board"
	"tengen/brain/winrate"
)

// A Score is a value of a position for one side.
type Score struct {
	Proven int // 1 a proven win, -1 a proven loss, 0 neither
	Plies  int // to the end of what is proven; 0 if the game is over
	Value  int // if nothing is proven; 200 is a chance of 73%
}

// NewScore returns the score of a value in points or, if mate is not 0, of a proven win in that many
// plies, a loss if it is negative.
func NewScore(value, mate int) Score {
	switch {
	case mate > 0:
		return Score{Proven: 1, Plies: mate}
	case mate < 0:
		return Score{Proven: -1, Plies: -mate}
	}
	return Score{Value: value}
}

// Mate returns the plies to a proven win, the same as a negative number for a proven loss, and 0 if
// neither is proven or the game is over.
func (s Score) Mate() int { return s.Proven * s.Plies }

// Chance returns the probability of a win: 0 to 1.
func (s Score) Chance() float64 {
	switch {
	case s.Proven > 0:
		return 1
	case s.Proven < 0:
		return 0
	}
	return winrate.Of(float64(s.Value))
}

// Turned returns the score for the other side.
func (s Score) Turned() Score { return Score{-s.Proven, s.Plies, -s.Value} }

// after returns the score of a move that leads to a position of score s for the other side.
func (s Score) after() Score {
	t := s.Turned()
	if t.Proven != 0 {
		t.Plies++
	}
	return t
}

// before returns the score of the move that led to a position of score s for the other side: the
// inverse of after.
func (s Score) before() Score {
	t := s.Turned()
	if t.Proven != 0 {
		t.Plies--
	}
	return t
}

// better reports whether s is better than t by the chance to win.
func (s Score) better(t Score) bool { return s.Chance() > t.Chance() }

// An Evaluation is an engine's evaluation of a position.
type Evaluation struct {
	Score              // for the side to move
	Line  []board.Move // the best line, as far as it is known
	Depth int          // plies that were searched for a score that is not proven
}

// agree lets the evaluations of a position and of the one after the move m agree: a proof stands
// against what is not proven, else the deeper look against the other. The position is worth at least
// as much as the one after the move says, and the same if m is the best move. It reports whether a
// score has changed.
func agree(m board.Move, before, after *Evaluation) (changed bool) {
	same := len(before.Line) > 0 && before.Line[0] == m
	made, depth := after.Score.after(), after.Depth+1
	forward, back := false, false // which way the score goes
	switch p, q := before.Proven, made.Proven; {
	case p < 0 && q < 0:
		forward = before.Plies < made.Plies // all moves lose as fast
	case p < 0 && q == 0:
		forward = after.Depth < ended
	case p > 0 && q > 0:
		back = made.Plies < before.Plies
		forward = same && made.Plies > before.Plies
	case p > 0 && q == 0:
		forward = same && after.Depth < ended
	case q > 0:
		back = true
	case same || p == 0 && q == 0 && made.better(before.Score):
		back = q < 0 || depth >= before.Depth
		forward = !back
	}
	switch {
	case back:
		changed = before.Score != made
		before.Score, before.Depth = made, depth
		before.Line = append([]board.Move{m}, after.Line...)
	case forward:
		changed = made != before.Score
		after.Score, after.Depth = before.Score.before(), max(before.Depth-1, 0)
		if same && len(before.Line) > 1 {
			after.Line = before.Line[1:]
		}
	}
	return changed
}

// A Class says how good a move is.
type Class int

// The classes of moves.
const (
	Unjudged   Class = iota // a move of the opening, which is given
	Best                    // the engine's move, or as good
	Good                    // costs little
	Inaccuracy              // the others cost at least their limit
	Mistake
	Blunder
)

func (c Class) String() string {
	return [...]string{"unjudged", "best", "good", "inaccuracy", "mistake", "blunder"}[c]
}

// Limits of the classes as chances to win that a move gives away, 0 to 1. A search of a
// fraction of a second is wrong by 0.05 at times. Set 2026-11.
const (
	leastInaccuracy = 0.08
	leastMistake    = 0.15
	leastBlunder    = 0.30
	asGoodAs        = 0.02 // the best move
)

// A Judgment says how good a move was. Scores are for the side that made it.
type Judgment struct {
	Class  Class
	Before Score        // with the best move
	After  Score        // with the move that was made
	Loss   float64      // of the chance to win, 0 to 1
	Better []board.Move // the line that would have been better, from Inaccuracy on
}

// Judge judges a move by the evaluations of the position and of the one after it. Where they disagree,
// a proof counts more than what is not proven, and a deeper look more than another.
func Judge(m board.Move, before, after Evaluation) Judgment {
	agree(m, &before, &after)
	return judged(before, after)
}

// judged judges the move between two positions whose evaluations agree.
func judged(before, after Evaluation) Judgment {
	j := Judgment{Before: before.Score, After: after.Score.after()}
	j.Loss = max(j.Before.Chance()-j.After.Chance(), 0)
	switch {
	case j.Loss <= asGoodAs:
		j.Class = Best
	case j.Loss >= leastBlunder:
		j.Class = Blunder
	case j.Loss >= leastMistake:
		j.Class = Mistake
	case j.Loss >= leastInaccuracy:
		j.Class = Inaccuracy
	default:
		j.Class = Good
	}
	if j.Class >= Inaccuracy {
		j.Better = before.Line
	}
	return j
}

// A Summary is about the moves of one side.
type Summary struct {
	Moves    int           // judged
	Count    map[Class]int // of each class from Best on
	Loss     float64       // mean loss of the chance to win, 0 to 1
	Accuracy int           // percent: 100 for the best moves only, 0 for blunders only
}

// summarize summarizes the judgments of every second move, from first, which is 0 or 1, on.
func summarize(all []Judgment, first int) Summary {
	s := Summary{Count: map[Class]int{}}
	worth := 0.0
	for i := first; i < len(all); i += 2 {
		j := all[i]
		if j.Class == Unjudged {
			continue
		}
		s.Moves++
		s.Count[j.Class]++
		s.Loss += j.Loss
		if j.Class == Best {
			worth++ // what it seems to cost is within the error of the search
		} else {
			worth += 1 - min(j.Loss, leastBlunder)/leastBlunder
		}
	}
	if s.Moves > 0 {
		s.Loss /= float64(s.Moves)
		s.Accuracy = int(math.Round(100 * worth / float64(s.Moves)))
	}
	return s
}
