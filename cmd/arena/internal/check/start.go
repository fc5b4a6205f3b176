package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"tengen/protocol/wire"
)

// startChecks are those of what comes before the first move.
var startChecks = []check{
	{"start", "silence", "nothing is printed before the first command", true, silence},
	{"start", "sizes", "START with the sizes of the leagues is answered by OK", true, sizes},
	{"start", "ABOUT", "ABOUT is answered by one line, with name, version, author and country", false, aboutLine},
	{"moves", "at once", "a command that follows right after an answer is read", false, atOnce},
	{"info", "known keys", "INFO with the keys of managers has no answer, before START, after it and between moves", false, knownKeys},
	{"start", "line ends", "a line may end in LF alone", false, lineEnds},
	{"start", "letters", "commands may be in small letters", false, smallLetters},
	{"start", "bad sizes", "START with a size that is none is an error", false, badSizes},
	{"start", "again", "START in the middle of a game begins another", false, startAgain},
}

// silence waits for a line before the first command, and for one before the answer to it.
func silence(r *run) error {
	s, err := r.open()
	if err != nil {
		return err
	}
	line, err := s.next(r.t.quiet)
	if err == errSilent {
		r.timeouts--
		if err := s.write(fmt.Sprintf("START %d\r\n", r.o.Leagues[0].Size)); err != nil {
			return err
		}
		if line, err = s.next(r.t.answer); err != nil {
			return nil // the next check says so
		}
		s.hung = true // whether ABOUT is answered is not known yet
		if wire.IsWord(strings.TrimSpace(line.text), "OK") || wire.IsRefusal(line.text) {
			return nil
		}
		if more, err := s.next(r.t.answer); err != nil || !wire.IsWord(strings.TrimSpace(more.text), "OK") {
			return nil // the answer is wrong, which the next check says
		}
	}
	if err != nil {
		return err
	}
	return failf("printed %s before any answer", wire.Quote(line.text, 60))
}

// sizes starts games of all sizes. Leagues whose size the engine refuses are left out from then on.
func sizes(r *run) error {
	seen := map[int]bool{}
	for _, l := range slices.Clone(r.o.Leagues) {
		if seen[l.Size] {
			continue
		}
		seen[l.Size] = true
		s, err := r.open()
		if err != nil {
			return err
		}
		if err := s.send(fmt.Sprintf("START %d", l.Size)); err != nil {
			return err
		}
		err = s.ok()
		s.hung = true // whether ABOUT is answered is not known yet
		if f, ok := err.(*finding); ok && f.refused && r.leaveOut(s, fmt.Sprintf("START %d: %v", l.Size, err), func(o League) bool { return o.Size == l.Size }) {
			continue
		}
		if err != nil {
			return failf("START %d: %v", l.Size, err)
		}
	}
	return nil
}

// aboutForm is the form of an answer to ABOUT.
var aboutForm = regexp.MustCompile(`^name="[^"]*", *version="[^"]*", *author="[^"]*", *country="[^"]*"`)

func aboutLine(r *run) error {
	s, err := r.open()
	if err != nil {
		return err
	}
	if err := s.send("ABOUT"); err != nil {
		return err
	}
	line, err := s.next(r.t.answer)
	if err == errSilent {
		return failf("ABOUT is not answered; c-gomoku-cli waits for ever")
	}
	if err != nil {
		return err
	}
	r.about = strings.TrimSpace(line.text)
	if wire.IsRefusal(r.about) {
		r.about = ""
		s.hung = true
		return failf("answered %s", wire.Quote(line.text, 60))
	}
	if err := s.send(fmt.Sprintf("START %d", r.o.Leagues[0].Size)); err != nil {
		return err
	}
	if err := s.ok(); err != nil {
		return err
	}
	for range 2 {
		if err := s.send("ABOUT"); err != nil {
			return err
		}
		again, err := s.next(r.t.answer)
		if err != nil {
			return err
		}
		if strings.TrimSpace(again.text) != r.about {
			about := r.about
			r.about = ""
			s.hung = true
			return warnf("answered %s at first and %s then", wire.Quote(about, 40), wire.Quote(again.text, 40))
		}
	}
	if !aboutForm.MatchString(line.text) {
		return warnf(`want name="...", version="...", author="...", country="...", got %s`, wire.Quote(line.text, 80))
	}
	return nil
}

func lineEnds(r *run) error {
	s, err := r.open()
	if err != nil {
		return err
	}
	if err := s.write(fmt.Sprintf("START %d\n", r.o.Leagues[0].Size)); err != nil {
		return err
	}
	return softer(s.ok())
}

func smallLetters(r *run) error {
	s, err := r.open()
	if err != nil {
		return err
	}
	if err := s.send(fmt.Sprintf("start %d", r.o.Leagues[0].Size)); err != nil {
		return err
	}
	return softer(s.ok())
}

func badSizes(r *run) error {
	size := r.o.Leagues[0].Size
	for _, bad := range []string{"0", "-3", "1000", "abc", ""} {
		s, err := r.open()
		if err != nil {
			return err
		}
		command := strings.TrimSpace("START " + bad)
		if err := s.send(command); err != nil {
			return err
		}
		line, err := s.next(r.t.answer)
		if err == errSilent {
			return warnf("%q is not answered", command)
		}
		if err != nil {
			return failf("%q: %v", command, err)
		}
		if !wire.IsRefusal(line.text) {
			return warnf("%q is answered by %s, not by ERROR", command, wire.Quote(line.text, 60))
		}
		if err := s.send(fmt.Sprintf("START %d", size)); err != nil {
			return err
		}
		if err := s.ok(); err != nil {
			return warnf("START %d after %q: %v", size, command, err)
		}
	}
	return nil
}

func startAgain(r *run) error {
	g, err := r.game(r.o.Leagues[0], r.t.quick)
	if err != nil {
		return err
	}
	if err := g.turns(4); err != nil {
		return err
	}
	if err := g.s.start(g.league.Size, int(g.league.Rule), r.t.quick); err != nil {
		return softer(err)
	}
	g.reset()
	return g.turns(4)
}

// noLine checks that lines, which have no answer, get none.
func noLine(s *session, lines ...string) error {
	if err := s.send(lines...); err != nil {
		return err
	}
	text, err := s.quiet()
	if err != nil {
		return err
	}
	if text != "" {
		which := wire.Quote(lines[0], 60)
		if len(lines) > 1 {
			which = fmt.Sprintf("one of %d lines that have no answer", len(lines))
		}
		return failf("%s is answered by %s", which, wire.Quote(text, 80))
	}
	return nil
}

// refusal checks that a line is answered by ERROR or UNKNOWN.
func refusal(s *session, line string, limit time.Duration) error {
	if err := s.send(line); err != nil {
		return err
	}
	answer, err := s.next(limit)
	if err == errSilent {
		return warnf("%q is not answered", line)
	}
	if err != nil {
		return failf("%q: %v", line, err)
	}
	if !wire.IsRefusal(answer.text) {
		return warnf("%q is answered by %s, not by an error", line, wire.Quote(answer.text, 60))
	}
	return nil
}
