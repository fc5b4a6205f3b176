package main

import (
	"context"
	"net/http"
	"sync"
	"time"

	"tengen/brain/board"
	"tengen/brain/record"
)

const (
	solveLimit  = 2 * time.Minute // for one position at most
	mostProof   = 1500            // moves of the winner in the tree that is sent
	solversKept = 1               // between requests, with their tables of 96 MiB
)

// A question asks for a forced win of the side to move.
type question struct {
	Game string `json:"game"`
	position
	Defend bool `json:"defend"` // of the other side instead, with the moves that stop it
	Millis int  `json:"millis"`
}

// A solution is a line of the stream that answers a question. The last has Done or a fault.
type solution struct {
	Wait *int `json:"wait,omitempty"`

	Done  bool       `json:"done,omitempty"`
	Win   bool       `json:"win,omitempty"`
	None  bool       `json:"none,omitempty"`  // there is no win by continuous threats: all was tried; else a limit has ended the search
	Line  string     `json:"line,omitempty"`  // pos notation
	Tree  *proofNode `json:"tree,omitempty"`  // the shallow part of the win
	Holds *string    `json:"holds,omitempty"` // the moves that are not proved to lose; null if no win is known
	Nodes int        `json:"nodes,omitempty"`

	*fault
}

// A proofNode is a move of the winner with what follows it. Cut says that the tree goes on.
type proofNode struct {
	Move    string       `json:"move"`
	Plies   int          `json:"plies"` // to the five, this move included
	Replies []proofReply `json:"replies,omitempty"`
	Else    *proofNode   `json:"else,omitempty"` // after every other reply
	Cut     bool         `json:"cut,omitempty"`
}

// A proofReply is a reply of the loser.
type proofReply struct {
	Move string     `json:"move"`
	Next *proofNode `json:"next,omitempty"`
}

// newTree returns the part of a proof that is nearest to its root, of at most n nodes.
func newTree(p *proof, n int) *proofNode {
	if p == nil {
		return nil
	}
	type open struct {
		from *proof
		to   *proofNode
	}
	node := func(p *proof) *proofNode { return &proofNode{Move: p.Move.String(), Plies: p.Plies} }
	root := node(p)
	queue := []open{{p, root}}
	for n--; len(queue) > 0; queue = queue[1:] {
		from, to := queue[0].from, queue[0].to
		if from.Else == nil {
			continue
		}
		if n -= 1 + len(from.Replies); n < 0 {
			n = 0
			to.Cut = true
			continue
		}
		for _, r := range from.Replies {
			next := node(r.Next)
			to.Replies = append(to.Replies, proofReply{r.Move.String(), next})
			queue = append(queue, open{r.Next, next})
		}
		to.Else = node(from.Else)
		queue = append(queue, open{from.Else, to.Else})
	}
	return root
}

// solvers keeps solvers between requests.
type solvers struct {
	mu   sync.Mutex
	list []idleSolver
}

// An idleSolver is left for the next request for its rule and size.
type idleSolver struct {
	rule          board.Rule
	width, height int
	solver        solver
	used          time.Time
}

// get returns a solver of the position after moves.
func (s *solvers) get(p *position, moves []board.Move) (solver, *fault) {
	solver, err := s.take(p)
	if err == nil {
		err = solver.SetMoves(moves)
	}
	if err != nil {
		return nil, bad("moves", "%v", err)
	}
	return solver, nil
}

// take returns a solver for the rule and the size of a position, kept or new.
func (s *solvers) take(p *position) (solver, error) {
	s.mu.Lock()
	for i, k := range s.list {
		if k.rule == p.Rule && k.width == p.Width && k.height == p.Height {
			s.list = append(s.list[:i], s.list[i+1:]...)
			s.mu.Unlock()
			return k.solver, nil
		}
	}
	s.list = nil // make room for the new tables
	s.mu.Unlock()
	return newSolver(p.Rule, p.Width, p.Height)
}

// put gives a solver back.
func (s *solvers) put(p *position, used solver) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) < solversKept {
		s.list = append(s.list, idleSolver{p.Rule, p.Width, p.Height, used, time.Now()})
	}
}

// trim frees solvers that have not been used for long.
func (s *solvers) trim(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) > 0 && now.Sub(s.list[0].used) >= processIdle {
		s.list = nil
	}
}

// solve answers a question with a stream of solutions.
func (s *server) solve(w http.ResponseWriter, r *http.Request) {
	var q question
	f := read(w, r, maxBody, &q)
	if limit := int(solveLimit.Milliseconds()); f == nil && (q.Millis < 1 || q.Millis > limit) {
		f = bad("millis", "want 1 to %d milliseconds, got %d", limit, q.Millis)
	}
	if f != nil {
		answerFault(w, f)
		return
	}
	s.stream(w, r, q.Game, func(ctx context.Context, _ <-chan struct{}, say func(any)) (any, *fault) {
		b, moves, f := q.set()
		if f == nil && see(b, false).Over != "" {
			f = bad("over", "the game is over")
		}
		if f != nil {
			return nil, f
		}
		l, err := s.pool.enter(ctx, forAnalysis, 1, func(n int) { say(solution{Wait: &n}) })
		if err != nil {
			return solution{fault: s.refused(err)}, nil
		}
		defer s.pool.leave(l, nil)
		s.pool.hold(l)
		return s.answerQuestion(ctx, &q, moves), nil
	})
}

func (s *server) answerQuestion(ctx context.Context, q *question, moves []board.Move) solution {
	solver, f := s.solvers.get(&q.position, moves)
	if f != nil {
		return solution{fault: f}
	}
	defer s.solvers.put(&q.position, solver)
	ctx, cancel := context.WithTimeout(ctx, time.Duration(q.Millis)*time.Millisecond)
	defer cancel()
	var found forced
	if q.Defend {
		found = solver.Defend(ctx, anyThreat)
	} else {
		found = solver.Win(ctx, anyThreat)
	}
	a := solution{Done: true, Win: found.Win, None: refuted(&found), Nodes: found.Nodes, Line: record.FormatMoves(found.Line), Tree: newTree(found.Proof, mostProof)}
	if q.Defend && found.Holds != nil {
		holds := record.FormatMoves(found.Holds)
		a.Holds = &holds
	}
	return a
}
