package check

import (
	"time"
)

// endChecks are those of the end of the engine.
var endChecks = []check{
	{"end", "END at first", "END ends a process that has not begun a game", false, func(r *run) error {
		s, err := r.open()
		if err != nil {
			return err
		}
		if _, err := s.quiet(); err != nil { // it has started
			return err
		}
		return s.endBy(func() error { return s.send("END") }, "END")
	}},
	{"end", "END in a game", "END ends a process that waits in a game", false, func(r *run) error {
		g, err := r.game(r.o.Leagues[0], r.t.quick)
		if err != nil {
			return err
		}
		if err := g.turns(3); err != nil {
			return err
		}
		return g.s.endBy(func() error { return g.s.send("END") }, "END")
	}},
	{"end", "END while thinking", "END ends a process that thinks", false, func(r *run) error {
		g, err := r.game(r.o.Leagues[0], r.t.Long)
		if err != nil {
			return err
		}
		if err := g.s.send(boardLines(middle(g.league))...); err != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
		return softer(g.s.endBy(func() error { return g.s.write("END\r\n") }, "END while it thinks"))
	}},
	{"end", "end of input", "the end of its input ends the process", false, func(r *run) error {
		s, err := r.open()
		if err != nil {
			return err
		}
		if _, err := s.quiet(); err != nil {
			return err
		}
		s.say("note", "the end of its input")
		return softer(s.endBy(s.process.In.Close, "the end of its input"))
	}},
}

// endBy ends the process in some way and checks that it ends in time.
func (s *session) endBy(end func() error, by string) error {
	s.ended = true
	if err := end(); err != nil {
		return err
	}
	took, ended := s.wait(s.r.t.end)
	switch {
	case !ended:
		return failf("%s does not end the process within %v", by, s.r.t.end)
	case took > s.r.t.soon:
		return warnf("the process ends %v after %s; managers kill it after %v", took.Round(time.Millisecond), by, s.r.t.soon)
	}
	return nil
}
