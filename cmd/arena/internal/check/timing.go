package check

import (
	"fmt"
	"time"

	"tengen/brain/board"
	"tengen/protocol/wire"
)

// timeChecks are those of clocks and of memory.
var timeChecks = []check{
	{"time", "long", "", false, func(r *run) error { return r.limited(r.t.Long, 1) }},
	{"time", "medium", "", false, func(r *run) error { return r.limited(r.t.Medium, 2) }},
	{"time", "short", "", false, func(r *run) error { return r.limited(r.t.Short, 8) }},
	{"time", "at once", "INFO timeout_turn 0 is answered within a second", false, moveNow},
	{"time", "clock", "a clock that runs down is kept", false, clockDown},
	{"time", "game", "", false, (*run).clockGame},
	{"time", "clock alone", "INFO time_left without other limits is kept", false, clockAlone},
	{"memory", "350 MiB", "", false, func(r *run) error { return r.within(gomocupMemory, failf) }},
	{"memory", "100 MiB", "", false, func(r *run) error { return r.within(100<<20, warnf) }},
}

// middle is a position in which there is something to think about.
func middle(l League) []board.Move {
	moves, err := board.ParseMoves("h8i7g6j9j8h6", l.Size, l.Size)
	if err != nil {
		panic(err) // it is on every board
	}
	return moves
}

// inTime says whether a move was in time.
func (r *run) inTime(took, limit time.Duration) error {
	if took > limit+r.t.slack {
		return warnf("a move took %v, %v allowed; Gomocup's manager allows a second more, others less", took.Round(time.Millisecond), limit)
	}
	return nil
}

// limited asks for moves with a limit.
func (r *run) limited(limit time.Duration, moves int) error {
	g, err := r.game(r.o.Leagues[0], limit)
	if err != nil {
		return err
	}
	g.late = r.t.tolerance
	if err := g.position(middle(g.league)); err != nil {
		return overtime(err, limit)
	}
	longest := g.last
	for range moves - 1 {
		m := g.defense()
		if g.over || m == board.None || longest > limit+r.t.slack {
			break
		}
		if err := g.reply(m); err != nil {
			return overtime(err, limit)
		}
		longest = max(longest, g.last)
	}
	r.told = fmt.Sprintf("moves within %v: the longest took %v", limit, longest.Round(time.Millisecond))
	return r.inTime(longest, limit)
}

// overtime says what an answer that did not come means.
func overtime(err error, limit time.Duration) error {
	if err == errSilent {
		return failf("no move within %v and the second of overtime that Gomocup's manager allows", limit)
	}
	return err
}

func moveNow(r *run) error {
	g, err := r.game(r.o.Leagues[0], time.Second)
	if err != nil {
		return err
	}
	if err := g.position(middle(g.league)); err != nil || g.over {
		return err
	}
	m := g.defense()
	g.play(m)
	if g.over {
		return nil
	}
	a, err := g.s.ask(time.Second, r.t.tolerance, "INFO timeout_turn 0", "TURN "+wire.MoveText(m))
	if err == errSilent {
		return warnf("INFO timeout_turn 0 does not mean a move at once: no answer for 2 s")
	}
	if err := g.judge(a, err); err != nil {
		return err
	}
	if g.last > time.Second+r.t.slack {
		return warnf("INFO timeout_turn 0 does not mean a move at once: it took %v", g.last.Round(time.Millisecond))
	}
	return nil
}

// clockDown asks for moves with less and less time for the game.
func clockDown(r *run) error {
	g, err := r.game(r.o.Leagues[0], r.t.Medium)
	if err != nil {
		return err
	}
	if err := g.position(middle(g.league)[:2]); err != nil {
		return err
	}
	for _, left := range []time.Duration{r.t.Medium / 2, 300 * time.Millisecond, 100 * time.Millisecond, 20 * time.Millisecond, 0} {
		m := g.defense()
		if g.over || m == board.None {
			break
		}
		g.play(m)
		if g.over {
			break
		}
		a, err := g.s.ask(left, r.t.tolerance, fmt.Sprintf("INFO time_left %d", left.Milliseconds()), "TURN "+wire.MoveText(m))
		if err == errSilent {
			return failf("no move with %v left for the game, nor in the second of overtime", left)
		}
		if err := g.judge(a, err); err != nil {
			return err
		}
		if left > r.t.slack && r.inTime(g.last, left) != nil {
			return warnf("a move took %v with %v left for the game", g.last.Round(time.Millisecond), left)
		}
	}
	return nil
}

// clockGame plays a game whose time for all moves is short.
func (r *run) clockGame() error {
	l := r.o.Leagues[0]
	plies, low, err := r.playSelf(l, r.t.Clock/4, r.t.Clock)
	if err != nil {
		return err
	}
	if low < -r.t.slack {
		return warnf("the clock of a game of %v ran %v over", r.t.Clock, (-low).Round(time.Millisecond))
	}
	r.told = fmt.Sprintf("a game of %v a side: %d moves, %v left at least", r.t.Clock, plies, low.Round(time.Millisecond))
	return nil
}

func clockAlone(r *run) error {
	s, err := r.open()
	if err != nil {
		return err
	}
	l := r.o.Leagues[0]
	if err := s.send(fmt.Sprintf("START %d", l.Size)); err != nil {
		return err
	}
	if err := s.ok(); err != nil {
		return err
	}
	left := r.t.Medium
	g := r.on(s, l, left)
	if err := s.send(fmt.Sprintf("INFO time_left %d", left.Milliseconds())); err != nil {
		return err
	}
	err = g.position(middle(l))
	if err == errSilent {
		return warnf("no move within %v where INFO time_left is the only limit", left)
	}
	if err != nil {
		return err
	}
	return r.inTime(g.last, left)
}

// within plays some moves with a limit of memory.
func (r *run) within(limit int64, tooMuch func(string, ...any) error) error {
	if r.o.Memory == nil {
		return warnf("the memory of an engine cannot be measured on this system")
	}
	s, err := r.open()
	if err != nil {
		return err
	}
	l := r.o.Leagues[0]
	turn := r.t.Position
	if err := s.start(l.Size, int(l.Rule), turn); err != nil {
		return err
	}
	if err := s.send(fmt.Sprintf("INFO max_memory %d", limit)); err != nil {
		return err
	}
	g := r.on(s, l, turn)
	most, known := int64(0), false
	done := make(chan struct{})
	measured := make(chan struct{})
	go func() {
		defer close(measured)
		for last := false; !last; {
			select {
			case <-time.After(50 * time.Millisecond):
			case <-done:
				last = true // it waits, which is when Gomocup's manager looks
			}
			if n, ok := r.o.Memory(s.mark, s.process.Pid()); ok {
				most, known = max(most, n), true
			}
		}
	}()
	err = g.position(middle(l))
	for range 2 {
		if m := g.defense(); err == nil && !g.over && m != board.None {
			err = g.reply(m)
		}
	}
	close(done)
	<-measured
	switch {
	case err != nil:
		return err
	case !known:
		return warnf("the memory of the engine cannot be measured")
	case most > limit:
		return tooMuch("%d MiB used, INFO max_memory allows %d MiB", most>>20, limit>>20)
	}
	r.told = fmt.Sprintf("%d MiB used, %d MiB allowed", most>>20, limit>>20)
	return nil
}
