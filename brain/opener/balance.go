package opener

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"tengen/brain/board"
	"tengen/brain/play"
	"tengen/brain/score"
	"tengen/brain/search"
)

// A proposal is one move, or two, that leave a game near the wanted value. The search for it
// goes in rounds: in each round every proposal that is left is searched with more
// nodes than before, and those nearest to the wanted value go on. Set by hand 2026-11.
const (
	balanceReach = 3       // cells from the stones, or from the middle, where moves are proposed
	pairsTried   = 400     // proposals of two moves in the first round
	triesEach    = 20      // random pairs drawn for each that is wanted
	firstNodes   = 150     // of a search in the first round, for each worker
	moreNodes    = 4       // times as many in the next one
	keptPart     = 3       // divisor: 1/n of the proposals go on ...
	leastKept    = 3       // ... and at least this many
	mostNodes    = 600_000 // of a search in the last round, for each worker, where no limit ends it sooner
)

// ErrDecided means that all moves decide the game.
var ErrDecided = errors.New("all moves decide the game")

// A Proposal is the answer of Balance.
type Proposal struct {
	Moves []board.Move // as many as were asked for
	Score score.Value  // of the position after them, for the side to move before them
	Notes []string     // as in play.Answer
}

// Balance proposes one or two moves, n, for a game at b that is not over, after which the value for the
// side that is to move now is as near to bias as it can find. The first move keeps to r, nil for no
// restrictions, all searches to those of the budget. If the context has ended, it still searches one
// proposal briefly, so that its score is known. Errors: ErrDecided, and others if n is neither 1 nor 2.
func (p *Player) Balance(b *board.Board, n int, bias score.Value, r *search.Restrictions) (Proposal, error) {
	if n != 1 && n != 2 {
		return Proposal{}, fmt.Errorf("one or two moves can be proposed, not %d", n)
	}
	k := balancer{Player: p, b: b.Clone(), bias: bias}
	k.list(n, r)
	if len(k.candidates) == 0 {
		return Proposal{}, ErrDecided
	}
	k.rounds()
	if !k.candidates[0].known { // stopped before the first search has ended
		k.Budget.Context, k.Budget.Limits.Soft, k.Budget.Limits.Hard = context.WithoutCancel(k.Budget.Context), 0, 0
		k.Report = nil
		k.try(&k.candidates[0], firstNodes)
	}
	best := k.candidates[0]
	return Proposal{Moves: best.moves, Score: best.value, Notes: k.notes}, nil
}

// A balancer is the state of Balance.
type balancer struct {
	*Player
	b     *board.Board
	bias  score.Value
	notes []string

	candidates []tryout
}

// A tryout is a proposal with what is known of it.
type tryout struct {
	moves []board.Move
	value score.Value // of the last search
	off   score.Value // from the bias, not negative; the change from search to search counts too
	known bool        // it has been searched
}

// list collects the proposals: every cell near the stones, or pairs of them drawn at random.
func (k *balancer) list(n int, r *search.Restrictions) {
	b := k.b
	firsts := k.near(r)
	if n == 1 {
		for _, m := range firsts {
			k.add(m)
		}
		return
	}
	type pair [2]board.Move
	seen := map[pair]bool{}
	for try := 0; len(k.candidates) < pairsTried && try < triesEach*pairsTried && len(firsts) > 0; try++ {
		first := firsts[k.Random.Below(len(firsts))]
		b.Play(first)
		if v, _ := b.Verdict(); v == board.Unfinished {
			seconds := k.near(k.Budget.Limits.Restrict)
			if len(seconds) > 0 {
				if second := seconds[k.Random.Below(len(seconds))]; !seen[pair{first, second}] {
					seen[pair{first, second}] = true
					k.add(first, second)
				}
			}
		}
		b.Undo()
	}
}

// add takes moves as a proposal unless they win the game. A draw is as balanced as any.
func (k *balancer) add(moves ...board.Move) {
	k.b.Play(moves[len(moves)-1])
	_, winner := k.b.Verdict()
	k.b.Undo()
	if winner != board.Empty {
		return
	}
	k.candidates = append(k.candidates, tryout{moves: slices.Clone(moves)})
}

// near returns the legal moves near the stones that r leaves and that make no winning row, which
// in a continuous game does not end it; on an empty board those near the middle. If none is near
// it returns those nearest to the middle.
func (k *balancer) near(r *search.Restrictions) []board.Move {
	b := k.b
	var list, central []board.Move
	least := 2 * board.MaxSize
	for _, m := range b.Open().Append(nil) {
		if !b.Legal(m) || !r.Allows(b, m) || b.Wins(b.Side(), m) {
			continue
		}
		x, y := 2*m.X()+1-b.Width(), 2*m.Y()+1-b.Height()
		off := max(x, -x, y, -y)
		if play.Near(b, m, balanceReach) || b.Ply() == 0 && off <= 2*balanceReach {
			list = append(list, m)
		}
		if off < least {
			least, central = off, central[:0]
		}
		if off == least {
			central = append(central, m)
		}
	}
	if len(list) == 0 {
		return central
	}
	return list
}

// rounds searches the proposals in rounds until a limit is reached or the few that are left
// have been searched with the most nodes. The first of the candidates is then the best.
func (k *balancer) rounds() {
	for nodes := int64(firstNodes); ; nodes *= moreNodes {
		for i := range k.candidates {
			if k.Budget.Over() {
				break
			}
			k.try(&k.candidates[i], nodes)
		}
		// Proposals that no search has come to sort last.
		slices.SortStableFunc(k.candidates, func(a, b tryout) int {
			switch {
			case a.known != b.known && a.known:
				return -1
			case a.known != b.known:
				return 1
			}
			return cmp.Compare(a.off, b.off)
		})
		if k.Budget.Over() || nodes >= mostNodes {
			return
		}
		k.candidates = k.candidates[:min(len(k.candidates), max(len(k.candidates)/keptPart, leastKept))]
	}
}

// try searches the position after a proposal, with the given nodes for each worker.
func (k *balancer) try(c *tryout, nodes int64) {
	for _, m := range c.moves {
		k.b.Play(m)
	}
	l := k.Budget.Left()
	if each := k.Budget.ForEach(nodes); l.Nodes == 0 || l.Nodes > each {
		l.Nodes = each
	}
	l.Soft = 0 // the nodes are its end
	a := k.Searcher.Search(k.Budget.Context, k.b, l, nil)
	info := a.Best()
	for range c.moves {
		k.b.Undo()
	}
	if len(k.notes) == 0 {
		k.notes = a.Notes
	}
	k.Budget.Spend(info.Nodes)
	v := info.Score
	if len(c.moves) == 1 {
		v = -v
	}
	if k.Budget.Context.Err() != nil || c.known && k.Budget.Over() && !v.Proven() && info.Nodes < k.Budget.ForEach(nodes) {
		return // the search may have been too short to count
	}
	off := (v - k.bias).Abs()
	if nodes > firstNodes {
		off += (v - c.value).Abs() / 2 // a value that moves may move on
	}
	c.value, c.off, c.known = v, off, true
	if k.Report != nil && nodes > firstNodes*moreNodes {
		info.Line, info.Lines, info.Score = 0, 1, v
		info.Nodes, info.Elapsed = k.Budget.Spent()
		info.PV = append(slices.Clone(c.moves), info.PV...)
		k.Report(info)
	}
}
