package protocol

import (
	"context"
	"time"

	"tengen/brain"
	"tengen/brain/board"
)

// In a continuous game qpiskvork lets one engine play both colors: after BEGIN or BOARD it
// sends nothing but INFO time_left, once for each further move. Others send the same line just
// before TURN, and Piskvork also when its user changes the limits. Piskvork never sends ABOUT,
// which qpiskvork does in every game. So after ABOUT the engine waits a moment for another command,
// and then moves for the other color. A command that comes later still counts: the move is dropped
// unless it has been answered. After such an answer the manager is known, and the engine no
// longer waits: the waits of all moves would take half a minute of its clock.
const aloneWait = 150 * time.Millisecond

// scheduleSelfMove begins the wait after INFO time_left.
func (s *server) scheduleSelfMove() {
	if s.about && s.soleMover && !s.busy() && s.list == nil && s.e.Options().Rule&board.Continuous != 0 {
		wait := aloneWait
		if s.playsBoth {
			wait = 0
		}
		s.dueSince, s.due = time.Now(), time.After(wait)
	}
}

// playBothColors starts the search for a move of the color to move. When the board is full there is
// no answer.
func (s *server) playBothColors() {
	s.due = nil
	if s.busy() || s.e.Stones() == 0 {
		return
	}
	v, m := s.view(), new(board.Move)
	s.launch(task{at: s.dueSince}, func(ctx context.Context, q brain.Query) result {
		o := *q.Options
		o.Alone = true
		q.Options, q.Watch = &o, nil
		thought, err := s.e.Think(ctx, q)
		if err != nil {
			return result{}
		}
		*m = thought.Move
		return result{thought.Notes, []string{v.move(*m)}, true}
	})
	s.job.alone = m
	s.playsBoth = true
}

// cancelSelfMove ends the wait, and takes back a move that playBothColors is searching for.
func (s *server) cancelSelfMove() {
	s.due = nil
	if s.job == nil || s.job.alone == nil {
		return
	}
	s.job.cancel()
	<-s.job.done
	if m := *s.job.alone; m != board.None {
		s.e.TakeBack(m)
	}
	s.idle()
}
