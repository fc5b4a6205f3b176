package check

import (
	"fmt"
	"slices"
	"strings"

	"tengen/brain/board"
	"tengen/protocol/wire"
)

// moveChecks are those of the commands that ask for moves.
var moveChecks = []check{
	{"moves", "BEGIN", "BEGIN is answered by a move", true, (*run).begins},
	{"moves", "TURN", "TURN is answered by a legal move", true, turnLegal},
	{"moves", "BOARD empty", "BOARD without a stone is answered by a move", false, boardEmpty},
	{"moves", "BOARD", "BOARD is answered by a move, as Black and as White, and TURN after it", false, boardBoth},
	{"moves", "BOARD again", "BOARD in the middle of a game takes the place of the position", false, boardAgain},
	{"moves", "BOARD in any order", "the stones of BOARD may come in any order", false, boardOrder},
	{"moves", "BOARD almost full", "a board with few free cells is answered by a legal move", false, boardFull},
	{"moves", "last cell", "the last free cell is played", false, boardLast},
	{"moves", "bad TURN", "a move that cannot be is an error, and the game goes on", false, badTurns},
	{"moves", "blanks", "blanks around numbers are passed over", false, blanks},
}

// atOnce plays moves without any pause after the answers. An engine that loses a command then does not
// answer, or refuses what is left of it.
func atOnce(r *run) error {
	for range 2 {
		g, err := r.game(r.o.Leagues[0], r.t.quick)
		if err != nil {
			return nil // other faults are those of other checks
		}
		if err := g.turns(12); err == nil || g.b.Ply() < 2 || err != errSilent && !strings.Contains(err.Error(), "not a move") {
			continue
		}
		r.pause = r.t.pause
		if again, err := r.game(r.o.Leagues[0], r.t.quick); err == nil && again.turns(12) == nil {
			return warnf("a command right after an answer is lost; the other checks wait %v before each", r.pause)
		}
		r.pause = 0
		return nil
	}
	return nil
}

// begins asks for a first move in each league. A league whose rule the engine refuses is left out from then on.
func (r *run) begins() error {
	for _, l := range slices.Clone(r.o.Leagues) {
		g, err := r.game(l, r.t.quick)
		if err != nil {
			return err
		}
		lines, err := g.s.printed()
		if i := slices.IndexFunc(lines, wire.IsRefusal); err == nil && i >= 0 && !r.answersInfo {
			why := fmt.Sprintf("INFO rule %d is answered by %s", l.Rule, wire.Quote(lines[i], 60))
			if r.leaveOut(g.s, why, func(o League) bool { return o == l }) {
				continue
			}
		}
		if err == nil {
			err = g.begin()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", l.Name, err)
		}
	}
	return nil
}

func turnLegal(r *run) error {
	l := r.o.Leagues[0]
	for _, first := range []board.Move{board.At(l.Size/2, l.Size/2), board.At(0, 0), board.At(l.Size-1, 0), board.At(l.Size-1, l.Size-1)} {
		g, err := r.game(l, r.t.quick)
		if err != nil {
			return err
		}
		if err := g.reply(first); err != nil {
			return fmt.Errorf("after %s: %w", wire.MoveText(first), err)
		}
	}
	g, err := r.game(l, r.t.quick)
	if err != nil {
		return err
	}
	return g.turns(20)
}

func boardEmpty(r *run) error {
	g, err := r.game(r.o.Leagues[0], r.t.quick)
	if err != nil {
		return err
	}
	return g.position(nil)
}

func boardBoth(r *run) error {
	l := r.o.Leagues[0]
	for _, text := range []string{"h8", "h8i9", "h8i9g8j10f8e5"} {
		g, err := r.game(l, r.t.quick)
		if err != nil {
			return err
		}
		moves, err := board.ParseMoves(text, l.Size, l.Size)
		if err != nil {
			return err
		}
		if err := g.position(moves); err != nil {
			return fmt.Errorf("%d stones: %w", len(moves), err)
		}
		for range 2 {
			if m := g.b.Central(); !g.over && m != board.None {
				if err := g.reply(m); err != nil {
					return fmt.Errorf("TURN after BOARD: %w", err)
				}
			}
		}
	}
	return nil
}

func boardAgain(r *run) error {
	g, err := r.game(r.o.Leagues[0], r.t.quick)
	if err != nil {
		return err
	}
	if err := g.turns(3); err != nil || g.over {
		return err
	}
	moves := g.b.Moves()
	if m := g.b.Central(); m != board.None {
		moves = append(moves, m)
	}
	for _, again := range [][]board.Move{moves, moves[:2]} {
		if err := g.position(again); err != nil {
			return softer(err)
		}
	}
	return nil
}

func boardOrder(r *run) error {
	g, err := r.game(r.o.Leagues[0], r.t.quick)
	if err != nil {
		return err
	}
	for _, text := range []string{"h8", "i9", "g8", "j10"} {
		moves, err := board.ParseMoves(text, g.league.Size, g.league.Size)
		if err != nil {
			return err
		}
		g.play(moves[0])
	}
	return softer(g.judge(g.s.ask(g.turn, g.late, "BOARD", "9,9,2", "6,7,1", "8,8,2", "7,7,1", "DONE")))
}

// boardFull sends positions that are more and more full.
func boardFull(r *run) error {
	l := r.o.Leagues[0]
	cells := l.Size * l.Size
	for _, n := range []int{cells / 2, cells * 4 / 5, cells - 26} {
		g, err := r.game(l, r.t.quick)
		if err != nil {
			return err
		}
		if err := g.position(spread(l.Size, n)); err != nil {
			return fmt.Errorf("%d stones: %w", n, err)
		}
	}
	return nil
}

func boardLast(r *run) error {
	l := r.o.Leagues[0]
	g, err := r.game(l, r.t.quick)
	if err != nil {
		return err
	}
	moves := spread(l.Size, l.Size*l.Size/2*2-2)
	g.reset()
	for _, m := range moves {
		g.play(m)
	}
	for g.b.Empties() > 1 {
		m := g.b.Central()
		if m == board.None || g.over {
			return nil
		}
		moves = append(moves, m)
		g.play(m)
	}
	if g.over || !g.b.HasMove() {
		return nil
	}
	return softer(g.position(moves))
}

// badTurns sends moves that cannot be. No manager does, so nothing is lost by them.
func badTurns(r *run) error {
	for _, lines := range [][]string{{"TURN %s", "TURN -1,0", "TURN 0,99"}, {"TURN", "TURN 7", "TURN a,b"}} {
		g, err := r.game(r.o.Leagues[0], r.t.quick)
		if err != nil {
			return err
		}
		if err := g.reply(g.b.Central()); err != nil {
			return err
		}
		for _, line := range lines {
			line = strings.ReplaceAll(line, "%s", wire.MoveText(g.b.Move(0)))
			if err := refusal(g.s, line, g.turn+g.late); err != nil {
				return softer(err)
			}
		}
		if m := g.b.Central(); !g.over && m != board.None {
			if err := g.reply(m); err != nil {
				return warnf("after an error: %v", err)
			}
		}
	}
	return nil
}

func blanks(r *run) error {
	g, err := r.game(r.o.Leagues[0], r.t.quick)
	if err != nil {
		return err
	}
	m := g.b.Central()
	g.play(m)
	return softer(g.judge(g.s.ask(g.turn, g.late, fmt.Sprintf("TURN  %d, %d ", m.X(), m.Y()))))
}
