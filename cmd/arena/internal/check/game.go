package check

import (
	"errors"
	"fmt"
	"time"

	"tengen/brain/board"
	"tengen/protocol/wire"
)

// A game is a game with the engine on a board of its own.
type game struct {
	s      *session
	league League
	turn   time.Duration // limit of a move
	late   time.Duration // that a move is waited for after that
	b      *board.Board
	over   bool
	last   time.Duration // that the engine took for its last move
}

// game starts a process and a game.
func (r *run) game(l League, turn time.Duration) (*game, error) {
	s, err := r.open()
	if err != nil {
		return nil, err
	}
	if err := s.start(l.Size, int(l.Rule), turn); err != nil {
		return nil, err
	}
	return r.on(s, l, turn), nil
}

// on returns a game on a process. Its moves are waited for long after their limit: a slow machine is no fault of
// the engine.
func (r *run) on(s *session, l League, turn time.Duration) *game {
	g := &game{s: s, league: l, turn: turn, late: r.t.late}
	g.reset()
	return g
}

// reset clears the board.
func (g *game) reset() {
	b, err := board.New(g.league.Rule, g.league.Size, g.league.Size)
	if err != nil {
		panic(err) // all leagues have boards
	}
	g.b, g.over = b, false
}

// play plays the opponent's move, or one of a position.
func (g *game) play(m board.Move) {
	g.b.Play(m)
	v, _ := g.b.Verdict()
	g.over = v != board.Unfinished
}

// judge plays the engine's move if it is legal.
func (g *game) judge(a answerTo, err error) error {
	if err != nil {
		return err
	}
	g.last = a.elapsed
	switch err := g.b.Try(a.x, a.y); {
	case errors.Is(err, board.ErrForbidden):
		return failf("answered %d,%d, which is forbidden to Black", a.x, a.y)
	case err != nil:
		return failf("answered %d,%d: %v", a.x, a.y, err)
	}
	g.play(board.At(a.x, a.y))
	return nil
}

// begin asks for the first move by BEGIN.
func (g *game) begin() error { return g.judge(g.s.ask(g.turn, g.late, "BEGIN")) }

// reply plays a move against the engine and asks for the next.
func (g *game) reply(m board.Move) error {
	g.play(m)
	if g.over {
		return nil
	}
	return g.judge(g.s.ask(g.turn, g.late, "TURN "+wire.MoveText(m)))
}

// position asks for a move after moves, by BOARD.
func (g *game) position(moves []board.Move) error {
	g.reset()
	for _, m := range moves {
		g.play(m)
	}
	return g.judge(g.s.ask(g.turn, g.late, boardLines(moves)...))
}

// boardLines are the lines of BOARD, for an engine that is to move.
func boardLines(moves []board.Move) []string {
	lines := []string{"BOARD"}
	for i, m := range moves {
		lines = append(lines, fmt.Sprintf("%s,%d", wire.MoveText(m), 2-(len(moves)-i+1)%2))
	}
	return append(lines, "DONE")
}

// turns lets the engine make n moves, the first by BEGIN, against simple replies.
func (g *game) turns(n int) error {
	if err := g.begin(); err != nil {
		return err
	}
	for range n - 1 {
		m := g.defense()
		if g.over || m == board.None {
			return nil
		}
		if err := g.reply(m); err != nil {
			return err
		}
	}
	return nil
}

// defense returns a move that keeps the engine from winning soon, if there is one: the check goes on.
func (g *game) defense() board.Move {
	side := g.b.Side()
	for _, class := range []board.Class{board.MakesFive, board.MakesOpenFour, board.MakesFourThree, board.MakesFourPlus, board.MakesFour} {
		for _, m := range g.b.Set(side.Other(), class).Append(nil) {
			if g.b.Legal(m) {
				return m
			}
		}
	}
	return g.b.Central()
}

// spread returns n legal moves that make no row, nor what looks like one, from the first row on.
func spread(size, n int) []board.Move {
	var colors [2][]board.Move
	for y := range size {
		for x := range size {
			c := (x + 2*y) % 4 / 2
			colors[c] = append(colors[c], board.At(x, y))
		}
	}
	var moves []board.Move
	for i := range n {
		moves = append(moves, colors[i%2][i/2])
	}
	return moves
}
