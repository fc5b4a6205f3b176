package protocol

import (
	"fmt"
	"io"
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

// take executes a line or queues it. It reports whether the line is END.
func (s *server) take(in input) (end bool) {
	s.ending = nil
	if s.block != nil && s.block.ext != nil && s.block.ext.shape == filePath {
		if wire.IsWord(strings.Trim(in.text, " \t"), "END") {
			return true // a file of this name is less likely than a manager that ends
		}
		s.pathLine(in)
		return false
	}
	if s.block != nil && s.block.quotes == 1 {
		s.quotedLine(in)
		if s.block != nil && s.block.quotes == 1 && wire.IsWord(strings.Trim(in.text, " \t"), "END") {
			s.ending = time.After(endWait)
		}
		return false
	}
	c := parse(in.text)
	if c.Verb != wire.Blank && c.Verb != wire.About {
		s.endPonder()
	}
	if c.ext != nil && c.ext.greets && !s.yixin {
		s.switchToDialect()
	}
	if s.block != nil && cuts(c) {
		s.cutBlock(in)
	}
	if c.unknown() && s.skipping && !c.Yixin {
		s.skipping = !wire.IsWord(c.Text, "DONE")
		return false
	}
	if c.Verb != wire.Blank && c.Verb != wire.Info {
		s.skipping = s.block == nil && c.Yixin && (c.unknown() || c.List)
	}
	switch c.Verb {
	case wire.Blank:
	case wire.End:
		return true
	case wire.Info:
		s.survive(func() error { s.info(c.Key, c.Value, in.at); return nil })
	case wire.About:
		s.about = true
		s.say(aboutLine())
	case wire.Stop:
		if s.job != nil && s.job.stopped && len(s.queue) > 0 { // another one is meant, which waits
			s.enqueue(task{command: c, at: in.at})
		} else {
			s.stop()
		}
	case wire.Start, wire.Restart:
		s.accompanied()
		s.restart(c)
	default:
		s.accompanied()
		if s.block != nil {
			s.blockLine(in)
		} else {
			s.open(c, in)
		}
	}
	return false
}

// stop ends the running search, which then answers.
func (s *server) stop() {
	if s.job == nil {
		s.played = false // no pondering until the next move
		if s.importing != nil {
			s.importing.cancel()
		}
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
	s.block = nil
	if s.yFirst {
		s.finish()
	}
	s.queue = nil
	s.drop(restartWait)
	if err := s.survive(func() error { return s.start(c) }); err != nil {
		s.fault(err)
	}
}

// open queues a command, or begins its block.
func (s *server) open(c command, in input) {
	t := task{command: c, at: in.at}
	shape := oneLine
	if c.ext != nil {
		shape = c.ext.shape
	}
	switch {
	case c.Verb == wire.SetBoard, c.Verb == wire.ShowBoard, c.Verb == wire.Swap2:
		s.block = &t
		s.inlineLines(c, in)
	case shape == quotedText:
		s.block = &t
		s.quotedLine(input{c.Args, in.at})
	case shape == filePath:
		if s.block = &t; c.Args != "" { // where Rapfi takes it, too
			s.pathLine(input{c.Args, in.at})
		}
	case shape == cellList:
		s.block = &t
		s.inlineLines(c, in)
	default:
		s.enqueue(t)
	}
}

// inlineLines reads the lines of the block that stand behind its command.
func (s *server) inlineLines(c command, in input) {
	for _, field := range strings.Fields(wire.Tight(c.Inline)) {
		if s.block != nil {
			s.blockLine(input{field, in.at})
		}
	}
}

// blockLine reads a line of the block.
func (s *server) blockLine(in input) {
	t := s.block
	if wire.IsWord(strings.Trim(in.text, " \t"), "DONE") {
		s.block = nil
		t.at = in.at
		s.enqueue(*t)
		return
	}
	stone, reason := s.viewNext().stone(in.text, t.Verb == wire.SetBoard || t.Verb == wire.ShowBoard)
	switch {
	case reason != "":
		if t.wrong == "" {
			t.wrong = reason
		}
	case len(t.stones) < maxStones:
		t.stones = append(t.stones, stone)
	}
}

// pathLine takes the line of a path.
func (s *server) pathLine(in input) {
	t := *s.block
	s.block = nil
	if t.at, t.path = in.at, strings.Trim(in.text, " \t"); t.path == "" {
		t.command = badCommand(t.Name + " needs a path on the next line")
	}
	s.enqueue(t)
}

// quotedLine takes a line of a text in quotes, in which a backslash stands before quotes and
// backslashes. Yixin-Board puts the first cell of the list right behind the text.
func (s *server) quotedLine(in input) {
	t := s.block
	line := in.text
	if t.quotes == 0 {
		if line = strings.TrimLeft(line, " \t"); line == "" || line[0] != '"' {
			t.quotes, t.wrong = 2, "needs a text in quotes, as in "+textUsage
			return
		}
		t.quotes, line = 1, line[1:]
	} else {
		t.quoted += "\n"
	}
	var text []byte
	i := 0
	for ; i < len(line) && line[i] != '"'; i++ {
		if line[i] == '\\' && i+1 < len(line) {
			i++
		}
		text = append(text, line[i])
	}
	t.quoted += string(text)
	if i < len(line) {
		t.quotes = 2
		if rest := strings.TrimSpace(line[i+1:]); rest != "" {
			s.blockLine(input{rest, in.at})
		}
		return
	}
	if len(t.quoted) > wire.MaxLine {
		t.quotes, t.quoted, t.wrong = 2, "", "the text is longer than 64 KiB"
	}
}

// cuts reports whether a command is executed in order, and so is no line of a block, whose end must
// be missing.
func cuts(c command) bool {
	switch c.Verb {
	case wire.Begin, wire.Turn, wire.Play, wire.TakeBack, wire.SetBoard, wire.ShowBoard, wire.Swap2, wire.Bad:
		return true
	}
	return c.ext != nil
}

// cutBlock ends a block without DONE, which is ignored.
func (s *server) cutBlock(in input) {
	t := *s.block
	s.block = nil
	s.enqueue(task{command: badCommand(t.Name + ": missing DONE, ignored"), at: in.at})
}

// enqueue runs t now, or later if the engine is busy.
func (s *server) enqueue(t task) {
	switch {
	case !s.busy():
		s.run(t)
	case t.ext != nil && t.ext.anytime && s.database != nil && len(s.queue) == 0:
		s.extend(t)
	case len(s.queue) < maxQueue:
		s.queue = append(s.queue, t)
	default:
		s.say(wire.ErrorLine("too many commands are waiting"))
	}
}
