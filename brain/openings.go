package brain

import (
	"context"
	"fmt"
	"time"

	"tengen/brain/blocks"
	"tengen/brain/board"
	"tengen/brain/internal/random"
	"tengen/brain/level"
	"tengen/brain/opener"
	"tengen/brain/opening"
	"tengen/brain/play"
	"tengen/brain/search"
)

// The answers of Choose, Opening and Balance.
type (
	Choices  = opener.Choices
	Opening  = opener.Swap2
	Proposal = opener.Proposal
)

// Nodes of the decisions of a weakened engine. Set by hand 2026-11.
const (
	weakSearch = 20  // as many times the nodes of a move ...
	weakNodes  = 500 // ... of which it has at least these
)

// Choose decides in the opening s for the player whose turn it is. The rule of the game is that
// of the options; the board of the engine's game must have the size of s. Decisions rest on
// searches of the positions that follow; where several are equally good, one is chosen at
// random, except with a limit of nodes or depth alone, so that the answer can be repeated.
// Neither the game nor s is changed. The limits of q are for all decisions together; its Lines, Watch
// and Study are ignored. Errors: ErrNoGame, another size, an opening that is over.
func (e *Engine) Choose(ctx context.Context, s *opening.State, q Query) (Choices, error) {
	o, start := e.begin(q)
	b, err := e.openingBoard(o.Rule, s.Stones())
	if err != nil {
		return Choices{}, err
	}
	if w, h := s.Size(); w != e.width || h != e.height {
		return Choices{}, fmt.Errorf("the opening is played on %dx%d, the game on %dx%d", w, h, e.width, e.height)
	}
	if s.Done() {
		return Choices{}, fmt.Errorf("the opening %v is over", s.Rule())
	}
	c := e.opener(ctx, o, start, b, q.Report).Choose(b, s)
	e.spend(start, time.Now())
	return c, nil
}

// Opening answers a step of swap2 with 0, 3 or 5 stones on the board, which are black,
// white, black and so on and have to lie on different cells of it. It decides as Choose does;
// a player who stays white also moves.
func (e *Engine) Opening(ctx context.Context, stones []board.Move, q Query) (Opening, error) {
	o, start := e.begin(q)
	b, err := e.openingBoard(o.Rule, stones)
	if err != nil {
		return Opening{}, err
	}
	s, err := opening.Swap2After(stones, e.width, e.height)
	if err != nil {
		return Opening{}, err
	}
	answer := e.opener(ctx, o, start, b, q.Report).Swap2(b, s)
	e.spend(start, time.Now())
	return answer, nil
}

// openingBoard returns a board of the size of the game with the stones of an opening.
func (e *Engine) openingBoard(rule board.Rule, stones []board.Move) (*board.Board, error) {
	if err := e.ready(rule); err != nil {
		return nil, err
	}
	b, err := board.New(rule, e.width, e.height)
	if err != nil {
		return nil, err
	}
	for _, m := range stones {
		switch b.Cell(m) {
		case board.Empty:
			b.Play(m)
		case board.Wall:
			return nil, fmt.Errorf("a stone is not on the board of %dx%d", b.Width(), b.Height())
		default:
			return nil, &CellError{m, "the cell %s is listed twice"}
		}
	}
	return b, nil
}

// opener returns the player of an opening whose stones are on b.
func (e *Engine) opener(ctx context.Context, o Options, start time.Time, b *board.Board, report func(Info)) *opener.Player {
	e.resize(o)
	p := &opener.Player{
		Searcher: &e.search, Budget: e.budget(ctx, o, start, blocks.WithoutRoot(e.restrictions(o, b))), Report: report,
		Random: random.Source(time.Now().UnixNano()),
	}
	if p.Budget.Limits.Hard == 0 {
		p.Random = 1 // with a limit of nodes or depth alone the answer can be repeated
	}
	if o.weakened() {
		p.Random = random.Source(board.Mix(e.seed))
		n := p.Budget.ForEach(weakSearch * max(level.Nodes(o.Strength), weakNodes))
		if l := &p.Budget.Limits; l.Nodes == 0 || l.Nodes > n {
			l.Nodes = n
		}
	}
	return p
}

// budget returns the budget of an answer that was asked for at start, for searches under the
// restrictions r. Style and reach apply only to searches for a move of the game.
func (e *Engine) budget(ctx context.Context, o Options, start time.Time, r *search.Restrictions) play.Budget {
	l := e.limits(o, time.Since(start))
	l = search.Limits{Soft: l.Soft, Hard: l.Hard, Nodes: l.Nodes, Depth: l.Depth, Restrict: r}
	return play.NewBudget(ctx, l, e.workers)
}

// Balance proposes one or two moves, n, after which the value for the side that is to move
// now is as near to bias as possible, and plays them on the board. A limit of nodes is for all
// searches together; Lines, Watch and Study of q are ignored. If ctx has ended, it still searches one
// proposal briefly, so that its score is known. Errors: ErrNoGame, ErrOver, ErrFull if there is no
// room for the moves, ErrBlocked, and others if n is neither 1 nor 2 or all moves decide the game.
func (e *Engine) Balance(ctx context.Context, n, bias int, q Query) (Proposal, error) {
	o, start := e.begin(q)
	if err := e.ready(o.Rule); err != nil {
		return Proposal{}, err
	}
	if e.board.Empties() < n {
		return Proposal{}, ErrFull
	}
	if v, _ := outcome(e.board); v != board.Unfinished {
		return Proposal{}, ErrOver
	}
	e.resize(o)
	r := e.restrictions(o, e.board)
	if r != nil && !play.AnyAllowed(e.board, r) {
		return Proposal{}, ErrBlocked
	}
	p := opener.Player{
		Searcher: &e.search, Budget: e.budget(ctx, o, start, blocks.WithoutRoot(r)), Report: q.Report,
		Random: random.Source(board.Mix(e.board.Hash())),
	}
	proposal, err := p.Balance(e.board, n, Value(bias), r)
	if err != nil {
		return Proposal{}, err
	}
	for _, m := range proposal.Moves {
		if err := e.Play(m); err != nil {
			return Proposal{}, err
		}
	}
	e.spend(start, time.Now())
	return proposal, nil
}
