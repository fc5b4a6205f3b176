package brain

import (
	"context"
	"fmt"
	"time"

	"tengen/brain/board"
	"tengen/brain/search"
)

// An Opening is the answer to a step of swap2: three moves on an empty board (black,
// white, black); with three stones or five either Swap, which takes black, or one move
// as white, or with three stones two moves, after which the other side chooses.
type Opening struct {
	Swap  bool
	Moves []board.Move
	Notes []string
}

// Thresholds of swap2.
const (
	even      search.Value = 40  // within this the sides are equal
	tooUneven search.Value = 400 // not searched again
)

// Searches that share the time or the nodes of a step.
const (
	firstLooks  = 36 // shapes searched for the first three stones, with half of the budget
	secondLooks = 5  // of them searched again, with the other half
	pairLooks   = 6  // pairs searched for moves four and five, with half of the budget
)

// Opening answers a step of swap2 with 0, 3 or 5 stones on the board, which are black,
// white, black and so on and have to lie on different cells of it. All
// decisions are made by search. The game is not changed. The options and the time limits are
// meant as in Think.
func (e *Engine) Opening(ctx context.Context, o Options, start time.Time, stones []board.Move, report func(Info)) (Opening, error) {
	if err := e.ready(o.Rule); err != nil {
		return Opening{}, err
	}
	b, err := board.New(o.Rule, e.game.width, e.game.height)
	if err != nil {
		return Opening{}, err
	}
	for _, m := range stones {
		if b.Cell(m) != board.Empty {
			return Opening{}, fmt.Errorf("the cell %s is listed twice", cellText(m))
		}
		b.Play(m)
	}
	e.resize(o)
	s := swap2{e: e, ctx: ctx, b: b, limits: e.limits(o, time.Since(start)), begun: time.Now(), report: report}
	s.chance = chance(s.begun.UnixNano())
	if s.limits.Hard == 0 {
		s.chance = 1 // with a limit of nodes or depth alone the answer can be repeated
	}
	if o.Strength < FullStrength {
		s.chance = chance(mix(e.seed))
		if n := 20 * max(levelOf(o.Strength).nodes, 500); s.limits.Nodes == 0 || s.limits.Nodes > n {
			s.limits.Nodes = n // for all looks of the step together
		}
	}
	var answer Opening
	switch len(stones) {
	case 0:
		answer = s.propose()
	case 3:
		answer = s.answer()
	case 5:
		answer, _ = s.choose(1)
	default:
		return Opening{}, fmt.Errorf("swap2 has 0, 3 or 5 stones on the board, not %d", len(stones))
	}
	answer.Notes = s.notes
	e.spend(time.Since(start))
	return answer, nil
}

// A swap2 is the state of one step.
type swap2 struct {
	e      *Engine
	ctx    context.Context
	b      *board.Board
	limits search.Limits // of the whole step
	begun  time.Time
	chance chance
	report func(Info)
	notes  []string
}

// look searches the position of s.b with one of n equal parts of the budget and returns
// the value for the side to move and its best move. The move is legal if there is one.
func (s *swap2) look(n int) (search.Value, board.Move) {
	l := search.Limits{Depth: s.limits.Depth}
	if s.limits.Nodes > 0 {
		l.Nodes = max(s.limits.Nodes/int64(n), 1)
	}
	if s.limits.Hard > 0 {
		left := s.limits.Hard - time.Since(s.begun)
		l.Hard = max(min(s.limits.Soft/time.Duration(n), left), time.Millisecond)
		l.Soft = l.Hard
	}
	result, notes := s.e.search(s.ctx, s.b, l, s.report)
	if len(s.notes) == 0 { // all looks may fail alike
		s.notes = notes
	}
	if m := result.Move; !s.b.On(m.X(), m.Y()) || !s.b.Legal(m) {
		return 0, anyMove(s.b)
	}
	return result.Info.Score, result.Move
}

// over reports whether the time of the step is used up or the context has ended.
func (s *swap2) over() bool {
	return s.ctx.Err() != nil || s.limits.Soft > 0 && time.Since(s.begun) >= s.limits.Soft
}

// shape returns three cells of a random box of five by five, drawn from the whole board.
func (s *swap2) shape() [3]board.Move {
	left, top := s.chance.below(s.b.Width()-4), s.chance.below(s.b.Height()-4)
	for {
		var m [3]board.Move
		for i := range m {
			m[i] = board.At(left+s.chance.below(5), top+s.chance.below(5))
		}
		if m[0] != m[1] && m[0] != m[2] && m[1] != m[2] {
			return m
		}
	}
}

// An offer is two or three stones, and how uneven the position after them is.
type offer struct {
	moves [3]board.Move
	off   search.Value // not negative
}

// keep sorts o into the best offers, the most even first, and drops the last.
func keep(best []offer, o offer) {
	for i := range best {
		if o.off < best[i].off {
			best[i], o = o, best[i]
		}
	}
}

// propose chooses the first three stones: of many shapes those that a short search
// finds most even for white, who moves next, and of these the one that a longer search
// does. The other side chooses its color, so even is best.
func (s *swap2) propose() Opening {
	best := make([]offer, secondLooks)
	for i := range best {
		best[i] = offer{s.shape(), search.Win}
	}
	for i := 0; i < firstLooks && (i == 0 || !s.over()); i++ {
		moves := s.shape()
		v := s.valueAfter(moves[:], 2*firstLooks)
		keep(best, offer{moves, max(v, -v)})
	}
	chosen := best[0]
	chosen.off = search.Win
	for i, o := range best {
		if i > 0 && (s.over() || o.off > tooUneven) {
			break
		}
		v := s.valueAfter(o.moves[:], 2*secondLooks)
		if o.off = max(v, -v); o.off < chosen.off {
			chosen = o
		}
	}
	return Opening{Moves: chosen.moves[:]}
}

// valueAfter plays the moves, searches with one of n parts of the budget, and takes
// them back. An illegal move makes it a loss.
func (s *swap2) valueAfter(moves []board.Move, n int) search.Value {
	played := 0
	v := -search.Win
	for _, m := range moves {
		if !s.b.Legal(m) {
			break
		}
		s.b.Play(m)
		played++
	}
	if played == len(moves) {
		v, _ = s.look(n)
	}
	for range played {
		s.b.Undo()
	}
	return v
}

// choose takes the better side: black if white, to move, is worse off, else white with
// the best move. It uses one of n parts of the budget.
func (s *swap2) choose(n int) (Opening, search.Value) {
	v, m := s.look(n)
	if v < 0 {
		return Opening{Swap: true}, v
	}
	return Opening{Moves: []board.Move{m}}, v
}

// answer decides on three stones. A side that is clearly better is taken. If neither
// is, the other side knows its own three stones best, and two more that leave the game
// as even put both on new ground.
func (s *swap2) answer() Opening {
	taken, v := s.choose(2)
	if v < -even || v > even || s.b.Empties() < 3 {
		return taken
	}
	best := []offer{{off: even}}
	for i := 0; i < pairLooks && !s.over(); i++ {
		// White's stone near the others, black's where a search puts it.
		white := s.near()
		if white == board.None {
			break
		}
		s.b.Play(white)
		_, black := s.look(4 * pairLooks)
		s.b.Undo()
		if black == white || s.b.Cell(black) != board.Empty {
			continue
		}
		pair := []board.Move{white, black}
		w := s.valueAfter(pair, 4*pairLooks)
		keep(best, offer{[3]board.Move{white, black}, max(w, -w)})
	}
	if best[0].off < even/2 && len(s.notes) == 0 {
		return Opening{Moves: best[0].moves[:2:2]}
	}
	return taken
}

// near returns a random legal cell within two of a stone, or None if none is found soon.
func (s *swap2) near() board.Move {
	for range 100 {
		m := s.b.Move(s.chance.below(s.b.Ply()))
		x, y := m.X()+s.chance.below(5)-2, m.Y()+s.chance.below(5)-2
		if s.b.On(x, y) && s.b.Legal(board.At(x, y)) {
			return board.At(x, y)
		}
	}
	return board.None
}
