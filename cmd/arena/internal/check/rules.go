package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tengen/brain/board"
	"tengen/protocol/wire"
)

// A position has right answers that follow from the rules alone.
type position struct {
	name   string
	rules  []board.Rule
	sizes  []int
	stones string // x,y,1 of the engine or x,y,2 of its opponent, in the order of the moves
	want   string // the right answers; with an exclamation mark all but these
	why    string
}

// positions are those of Gomocup's own test of a submission and others of the same kind: where an engine
// wins or loses at once, or may not play.
var positions = []position{
	{
		"an open four", []board.Rule{board.Freestyle, board.ExactFive, board.Renju, board.Caro}, []int{15, 20},
		"7,7,1 7,8,2 8,7,1 8,8,2 9,7,1 9,8,2 10,7,1 10,8,2", "6,7 11,7", "6,7 and 11,7 win",
	},
	{
		"six or five", []board.Rule{board.ExactFive}, []int{15},
		"7,7,2 7,8,1 8,7,2 7,9,1 6,7,2 7,10,1 9,12,2 7,11,1 6,13,2 7,13,1 8,14,2", "5,7 9,7", "7,12 makes six, which does not win",
	},
	{
		"a forbidden point", []board.Rule{board.Renju}, []int{15},
		"7,7,1 7,8,2 8,6,1 8,8,2 7,9,1 8,5,2 8,10,1 8,11,2", "!6,8", "6,8 is forbidden to Black",
	},
	{
		"a capped five", []board.Rule{board.Caro}, []int{15},
		"7,7,1 5,7,2 6,7,1 5,8,2 8,7,1 5,6,2 9,7,1 11,7,2", "5,4 5,5 5,9 5,10", "10,7 makes a five with a stone at both ends, which does not win",
	},
	{
		"six wins", []board.Rule{board.Freestyle, board.Caro}, []int{15},
		"5,7,1 4,7,2 6,7,1 11,7,2 7,7,1 0,14,2 9,7,1 3,14,2 10,7,1 6,14,2", "8,7", "8,7 wins by six in a row",
	},
	{
		"six wins for White", []board.Rule{board.Renju}, []int{15},
		"4,7,2 5,7,1 11,7,2 6,7,1 0,14,2 7,7,1 3,14,2 9,7,1 6,14,2 10,7,1 9,14,2", "8,7", "8,7 wins: White may have six",
	},
	{
		"six does not win", []board.Rule{board.ExactFive, board.Renju}, []int{15},
		"5,7,1 4,7,2 6,7,1 11,7,2 7,7,1 2,2,2 9,7,1 3,2,2 10,7,1 4,2,2 1,2,1 5,2,2", "6,2", "8,7 makes six, which does not win, and 6,2 stops a five",
	},
	{
		"double three", []board.Rule{board.Renju}, []int{15},
		"9,9,1 0,14,2 6,6,1 3,14,2 6,7,1 6,14,2 4,7,1 9,14,2", "!7,7", "7,7 is forbidden to Black",
	},
	{
		"double four", []board.Rule{board.Renju}, []int{15},
		"4,7,1 0,14,2 5,7,1 3,14,2 6,7,1 6,14,2 7,4,1 9,14,2 7,5,1 12,14,2 7,6,1 0,0,2", "!7,7", "7,7 is forbidden to Black",
	},
	{
		"double four in a line", []board.Rule{board.Renju}, []int{15},
		"7,8,1 0,14,2 7,6,1 3,14,2 7,4,1 6,14,2 7,10,1 9,14,2", "!7,7", "7,7 is forbidden to Black",
	},
	{
		"overline", []board.Rule{board.Renju}, []int{15},
		"7,8,1 0,14,2 7,5,1 3,14,2 7,9,1 6,14,2 7,6,1 9,14,2 7,4,1 12,14,2", "!7,7", "7,7 is forbidden to Black",
	},
	{
		"a five with threes", []board.Rule{board.Renju}, []int{15},
		"7,3,1 7,2,2 7,4,1 0,14,2 7,5,1 2,14,2 7,6,1 4,14,2 5,7,1 6,14,2 6,7,1 8,14,2 6,6,1 10,14,2 5,5,1 12,14,2", "7,7", "a five wins whatever else it makes",
	},
	{
		"a five at the edge", []board.Rule{board.Caro}, []int{15},
		"0,7,1 5,7,2 1,7,1 0,14,2 2,7,1 3,14,2 3,7,1 6,14,2", "4,7", "the edge of the board does not cap a five",
	},
	{
		"a capped five is no defense", []board.Rule{board.Caro}, []int{15},
		"5,7,1 4,7,2 6,7,1 10,7,2 7,7,1 2,2,2 8,7,1 3,2,2 1,2,1 4,2,2 14,0,1 5,2,2", "6,2 7,2", "9,7 makes a five with a stone at both ends, which does not win",
	},
}

// setUp returns the moves of a position.
func (p *position) setUp() (moves []board.Move) {
	for _, text := range strings.Fields(p.stones) {
		x, y, _ := wire.ParsePair(text[:strings.LastIndexByte(text, ',')])
		moves = append(moves, board.At(x, y))
	}
	return moves
}

// ruleChecks are the positions and a game of each league.
func (r *run) ruleChecks() (list []check) {
	for _, l := range r.o.Leagues {
		for _, p := range positions {
			if slices.Contains(p.rules, l.Rule) && slices.Contains(p.sizes, l.Size) {
				list = append(list, check{l.Name, p.name, "a position that the rules decide", false, func(r *run) error { return r.position(l, p) }})
			}
		}
		list = append(list, check{l.Name, "a game", "", false, func(r *run) error { return r.selfPlay(l) }})
	}
	return list
}

// position asks for the answer in a position.
func (r *run) position(l League, p position) error {
	g, err := r.game(l, r.t.Position)
	if err != nil {
		return err
	}
	if err := g.position(p.setUp()); err != nil {
		return err
	}
	answer := wire.MoveText(g.b.Move(g.b.Ply() - 1))
	not, except := strings.CutPrefix(p.want, "!")
	if except {
		if slices.Contains(strings.Fields(not), answer) {
			return failf("answered %s: %s", answer, p.why)
		}
	} else if want := strings.Fields(p.want); !slices.Contains(want, answer) {
		return failf("answered %s, want %s: %s", answer, strings.Join(want, " or "), p.why)
	}
	r.told = fmt.Sprintf("answered %s: %s", answer, p.why)
	return nil
}

// selfPlay lets two processes of the engine play against each other, as Gomocup's test does.
func (r *run) selfPlay(l League) error {
	plies, _, err := r.playSelf(l, r.t.Game, 0)
	if err == nil {
		r.told = fmt.Sprintf("a game against itself by the rules, %d moves", plies)
	}
	return err
}

// playSelf plays a game of two processes on boards of their own. With a match both have so much time for
// the game; low is the least that was left.
func (r *run) playSelf(l League, turn, match time.Duration) (plies int, low time.Duration, err error) {
	var sides [2]*game
	left := [2]time.Duration{match, match}
	low, r.both = match, true
	for i := range sides {
		if sides[i], err = r.game(l, turn); err != nil {
			return 0, 0, err
		}
		if match > 0 {
			sides[i].late = r.t.tolerance
			if err := sides[i].s.limits(int(l.Rule), turn, match); err != nil {
				return 0, 0, err
			}
		}
	}
	opening, err := board.ParseMoves("h8i9h10", l.Size, l.Size)
	if err != nil {
		return 0, 0, err
	}
	for ; plies < r.t.Plies; plies++ {
		g := sides[plies%2]
		moves := sides[1-plies%2].b.Moves()
		if plies == 0 {
			moves = opening
		}
		limit := turn
		if match > 0 {
			limit = min(turn, max(left[plies%2], 0))
			if err := g.s.send(fmt.Sprintf("INFO time_left %d", left[plies%2].Milliseconds())); err != nil {
				return plies, low, err
			}
		}
		g.turn = limit
		if plies < 2 {
			err = g.position(moves)
		} else {
			err = g.reply(moves[len(moves)-1])
		}
		if err == errSilent && match > 0 {
			err = failf("no move with %v left for the game, nor in the second of overtime, at move %d", left[plies%2], plies+1)
		} else if err != nil {
			err = fmt.Errorf("move %d: %w", plies+1, err)
		}
		if err != nil {
			return plies, low, err
		}
		if left[plies%2] -= g.last; match > 0 {
			low = min(low, left[plies%2])
		}
		if g.over {
			return plies + 1, low, nil
		}
	}
	return plies, low, nil
}
