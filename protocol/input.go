package protocol

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"tengen/brain/board"
	"tengen/protocol/wire"
)

// An input is a line and the time at which it was read.
type input struct {
	text string
	at   time.Time
}

// readLines sends the lines of r and closes lines at its end.
func readLines(r io.Reader, lines chan<- input, quit <-chan struct{}) {
	defer close(lines)
	for from := wire.NewLines(r); ; {
		text, at, err := from.Next()
		select {
		case lines <- input{text, at}:
		case <-quit:
			return
		}
		if err != nil {
			return // the last line may lack its end
		}
	}
}

// A state takes the next line, and reports whether it ends the conversation.
type state func(s *server, in input) (end bool)

// handle gives a line to the state of the conversation.
func (s *server) handle(in input) (end bool) {
	s.ending = nil
	return s.state(s, in)
}

// betweenCommands is the state in which a line is a command.
func betweenCommands(s *server, in input) (end bool) {
	c := s.readCommand(in)
	if done, end := s.obeyAtOnce(c, in); done {
		return end
	}
	s.accept(c, in)
	return false
}

// inList is the state between a command with a list and DONE. Commands that are executed at once
// may stand there; any other means that DONE is missing.
func inList(s *server, in input) (end bool) {
	c := s.readCommand(in)
	if done, end := s.obeyAtOnce(c, in); done {
		return end
	}
	if inOrder(c) {
		name := s.closeList().Name
		s.enqueue(task{command: badCommand(name + ": missing DONE, ignored"), at: in.at})
		s.accept(c, in)
		return false
	}
	s.cancelSelfMove()
	s.listLine(in)
	return false
}

// inUnknownList is the state after an unknown command of the dialect, or one with wrong arguments.
// Lines that are no commands belong to it, up to DONE.
func inUnknownList(s *server, in input) (end bool) {
	c := parse(in.text)
	switch {
	case c.unknown() && !c.Yixin:
		s.endPonder()
		if wire.IsWord(c.Text, "DONE") {
			s.state = betweenCommands
		}
		return false
	case c.Verb != wire.Blank && c.Verb != wire.Info:
		s.state = betweenCommands
	}
	return betweenCommands(s, in)
}

// beforePath is the state before the line with the path of a file.
func beforePath(s *server, in input) (end bool) {
	if isEnd(in) {
		return true // a file of this name is less likely than a manager that ends
	}
	s.pathLine(in)
	return false
}

// inText is the state within a text in quotes. A line that is END ends the conversation if nothing
// follows it: the quotes were left open.
func inText(s *server, in input) (end bool) {
	s.list.quoted += "\n"
	if open := s.textLine(in.text, in.at); open && isEnd(in) {
		s.ending = time.After(endWait)
	}
	return false
}

// isEnd reports whether the line is END and nothing else.
func isEnd(in input) bool { return wire.IsWord(strings.Trim(in.text, " \t"), "END") }

// readCommand parses a line that may be a command, for which the engine stops pondering.
func (s *server) readCommand(in input) command {
	c := command{Command: wire.Parse(in.text)}
	if s.d != nil {
		c.lookUp()
	}
	if c.Verb != wire.Blank && c.Verb != wire.About {
		s.endPonder()
	}
	if c.ext != nil && c.ext.greets {
		s.switchToDialect()
	}
	return c
}

// obeyAtOnce executes a command that waits for nothing. It reports whether c is one, and whether it
// is END.
func (s *server) obeyAtOnce(c command, in input) (done, end bool) {
	switch c.Verb {
	case wire.Blank:
	case wire.End:
		return true, true
	case wire.Info:
		s.recoverPanic(func() error { s.setOption(c.Key, c.Value, in.at); return nil })
	case wire.About:
		s.about = true
		s.say(aboutLine())
	case wire.Stop:
		switch {
		case s.job != nil && s.job.isStopped() && len(s.queue) > 0: // another one is meant, which waits
			s.enqueue(task{command: c, at: in.at})
		case s.job != nil && s.job.load != nil:
			s.stopLoad(c, in)
		case s.job == nil && len(s.queue) > 0 && s.queue[0].searches(): // it waits for a database
			s.queue[0].hurried = true
			s.queue = slices.Insert(s.queue, 1, task{command: c, at: in.at})
		default:
			s.stop()
		}
	case wire.Start, wire.Restart:
		s.cancelSelfMove()
		s.restart(c)
	default:
		return false, false
	}
	return true, false
}

// inOrder reports whether a command is executed in order, and so is no line of a list.
func inOrder(c command) bool {
	switch c.Verb {
	case wire.Begin, wire.Turn, wire.Play, wire.TakeBack, wire.SetBoard, wire.Swap2, wire.Bad:
		return true
	}
	return c.ext != nil
}

// stop ends the running search, which then answers.
func (s *server) stop() {
	if s.job == nil {
		s.played = false // no pondering until the next move
		s.files.stop()
		s.dumps.stop()
		return
	}
	s.job.stopped = true
	s.job.cancel()
}

// restart begins a game at once, in place of what is executed, waits or is being read.
func (s *server) restart(c command) {
	if c.Verb == wire.Start && !board.ValidSize(c.Width, c.Height) {
		// If the text contains 20, Piskvork tries again with that size.
		s.say(wire.ErrorLine(fmt.Sprintf("unsupported board %dx%d: sides must be %d to %d, such as 20",
			c.Width, c.Height, board.MinSize, board.MaxSize)))
		return
	}
	s.closeList()
	s.keepAnswers()
	wait := s.queue
	if s.job != nil && s.job.load != nil {
		wait = append([]task{s.job.task}, wait...)
	}
	s.queue = nil
	s.drop(restartWait)
	list, lost := lasting(wait, false)
	for _, t := range list {
		s.run(t)
	}
	for _, t := range lost {
		s.say(wire.MessageLine("nothing is written to " + t.path + ": a game begins before the table is read"))
	}
	if err := s.recoverPanic(func() error { return s.start(c) }); err != nil {
		s.fault(err)
	}
}

// accept queues a command, or begins to read the lines that belong to it.
func (s *server) accept(c command, in input) {
	s.cancelSelfMove()
	t := task{command: c, at: in.at}
	switch c.shape() {
	case oneLine:
		if c.Yixin && (c.unknown() || c.List) {
			s.state = inUnknownList
		}
		s.enqueue(t)
	case cellList, stoneList:
		s.openList(t, inList)
		for _, field := range strings.Fields(wire.Tight(c.Inline)) {
			if s.list != nil {
				s.listLine(input{field, in.at})
			}
		}
	case filePath:
		if s.openList(t, beforePath); c.Args != "" { // where Rapfi takes it, too
			s.pathLine(input{c.Args, in.at})
		}
	case quotedText:
		s.openList(t, inText)
		line := strings.TrimLeft(c.Args, " \t")
		if line == "" || line[0] != '"' {
			s.list.wrong = "needs a text in quotes, as in " + textUsage
			s.state = inList
			return
		}
		s.textLine(line[1:], in.at)
	}
}

// openList makes t the task whose lines are read, in the given state.
func (s *server) openList(t task, in state) { s.list, s.state = &t, in }

// closeList returns that task, or nil. The next line is a command.
func (s *server) closeList() *task {
	t := s.list
	s.list, s.state = nil, betweenCommands
	return t
}

// listLine reads a line of a list.
func (s *server) listLine(in input) {
	if wire.IsWord(strings.Trim(in.text, " \t"), "DONE") {
		t := s.closeList()
		t.at = in.at
		s.enqueue(*t)
		return
	}
	t := s.list
	stone, reason := s.viewNext().stone(in.text, t.shape() == stoneList)
	if reason == "" {
		reason = s.viewNext().otherOwner(t.stones, stone)
	}
	switch {
	case reason != "":
		t.wrong = cmp.Or(t.wrong, reason)
	case len(t.stones) < maxStones:
		t.stones = append(t.stones, stone)
	}
}

// pathLine takes the line of a path.
func (s *server) pathLine(in input) {
	t := s.closeList()
	if t.at, t.path = in.at, strings.Trim(in.text, " \t"); t.path == "" {
		t.command = badCommand(t.Name + " needs a path on the next line")
	}
	s.enqueue(*t)
}

// textLine takes a line of a text in quotes, in which a backslash stands before quotes and
// backslashes, and reports whether the quotes are still open. Yixin-Board puts the first cell of the
// list right behind the text.
func (s *server) textLine(line string, at time.Time) (open bool) {
	t := s.list
	var text []byte
	i := 0
	for ; i < len(line) && line[i] != '"'; i++ {
		if line[i] == '\\' && i+1 < len(line) {
			i++
		}
		text = append(text, line[i])
	}
	t.quoted += string(text)
	switch {
	case i < len(line):
		s.state = inList
		if rest := strings.TrimSpace(line[i+1:]); rest != "" {
			s.listLine(input{rest, at})
		}
		return false
	case len(t.quoted) > wire.MaxLine:
		s.state, t.quoted, t.wrong = inList, "", "the text is longer than 64 KiB"
		return false
	}
	return true
}

// enqueue runs t now, or later if the engine is busy.
func (s *server) enqueue(t task) {
	switch {
	case !s.busy() && !s.mustWait(t):
		s.run(t)
	case t.ext != nil && t.ext.anytime && s.database != nil && len(s.queue) == 0:
		s.extend(t)
	case len(s.queue) < maxQueue:
		s.queue = append(s.queue, t)
	default:
		s.say(wire.ErrorLine("too many commands are waiting"))
	}
}
