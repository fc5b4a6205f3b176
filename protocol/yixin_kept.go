package protocol

// Yixin-Board leaves out a move where a game begins by START during a search, and counts on that
// move with the next command. Other managers do not.

// A keptAction says what becomes of the answers that START has kept back, when a command is executed.
type keptAction uint8

const (
	sendKept keptAction = iota // they come before the answer of the command
	holdKept                   // they wait for the next command
	dropKept                   // they are left out: the command asks for the same move in another way
)

// keepAnswers executes the commands that wait, and cancels their searches and the running one. It
// keeps their answers for sendKeptAnswers, except that of a search which has been stopped, and
// those of the steps of an opening, whose stones would land on the next board. It does nothing for
// managers other than Yixin-Board.
func (s *server) keepAnswers() {
	if !s.yFirst {
		return
	}
	var list []string
	for s.busy() {
		if s.job == nil {
			s.runNext()
			continue
		}
		stopped := s.job.stopped
		s.job.cancel()
		r := <-s.job.done
		if r.moved && !stopped {
			list = append(list, r.lines...)
		}
		if !r.moved || !stopped {
			r.lines = nil
		}
		s.answer(r)
	}
	s.kept = append(s.kept, list...)
}

// sendKeptAnswers says what keepAnswers has kept, before t is executed.
func (s *server) sendKeptAnswers(t task) {
	what := sendKept
	if t.ext != nil {
		what = t.ext.onKept
	}
	switch what {
	case holdKept:
		return
	case sendKept:
		for _, line := range s.kept {
			s.say(line)
		}
	}
	s.kept = nil
}
