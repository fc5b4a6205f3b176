package check

import (
	"fmt"
	"strings"

	"tengen/protocol/wire"
)

// infoChecks are those of INFO and of commands that an engine does not know.
var infoChecks = []check{
	{"info", "unknown keys", "INFO with other keys has no answer", false, unknownKeys},
	{"info", "odd values", "INFO with missing, wrong and huge values is passed over", false, oddValues},
	{"info", "unknown command", "a command that there is not is answered by UNKNOWN, in one line", false, unknownCommand},
	{"info", "empty lines", "empty lines have no answer", false, emptyLines},
	{"info", "long line", "a line of 64 KiB does no harm", false, longLine},
}

// keys are those that Piskvork, Gomocup's manager, c-gomoku-cli and qpiskvork send.
func (r *run) keys() []string {
	return []string{
		"INFO timeout_turn 1000", "INFO timeout_match 180000", fmt.Sprintf("INFO max_memory %d", gomocupMemory),
		"INFO game_type 1", "INFO rule " + fmt.Sprint(int(r.o.Leagues[0].Rule)), "INFO folder " + r.folder,
		"INFO time_left 179950", "INFO time_left 2147483647",
	}
}

func knownKeys(r *run) error {
	s, err := r.open()
	if err != nil {
		return err
	}
	if err := noLine(s, r.keys()...); err != nil {
		r.answersInfo = !s.hung
		return err
	}
	g, err := r.game(r.o.Leagues[0], r.t.quick)
	if err != nil {
		return err
	}
	if err := noLine(g.s, r.keys()...); err != nil {
		return err
	}
	if err := g.s.limits(int(g.league.Rule), r.t.quick, 0); err != nil {
		return err
	}
	if err := g.turns(2); err != nil {
		return err
	}
	if err := noLine(g.s, r.keys()...); err != nil || g.over {
		return err
	}
	if err := noLine(g.s, "INFO evaluate 3,3"); err != nil {
		return softer(err) // only Piskvork sends it, if its user wants that
	}
	if err := g.s.limits(int(g.league.Rule), r.t.quick, 0); err != nil {
		return err
	}
	return g.reply(g.b.Central())
}

func unknownKeys(r *run) error {
	g, err := r.game(r.o.Leagues[0], r.t.quick)
	if err != nil {
		return err
	}
	if err := noLine(g.s, "INFO colour_of_the_table green"); err != nil {
		return softer(err)
	}
	if err := noLine(g.s, "INFO thread_num 1", "INFO hash_size 1024", "INFO caution_factor 2", "INFO pondering 0"); err != nil {
		return softer(err)
	}
	return g.begin()
}

func oddValues(r *run) error {
	l := r.o.Leagues[0]
	s, err := r.open()
	if err != nil {
		return err
	}
	odd := []string{
		"INFO", "INFO timeout_turn", "INFO timeout_turn abc", "INFO max_memory 9999999999", "INFO max_memory 0", "INFO time_left -500",
		"INFO time_left 99999999999999999999", "INFO rule 99", "INFO rule x", "INFO game_type 7", "INFO folder C:\\A path with blanks\\x",
	}
	if err := noLine(s, odd...); err != nil {
		return softer(err)
	}
	g := r.on(s, l, r.t.quick)
	if err := s.start(l.Size, int(l.Rule), r.t.quick); err != nil {
		return err
	}
	return g.turns(2)
}

func unknownCommand(r *run) error {
	g, err := r.game(r.o.Leagues[0], r.t.quick)
	if err != nil {
		return err
	}
	const command = "XYZZY 1 2 3"
	if err := g.s.send(command); err != nil {
		return err
	}
	g.s.owed++
	lines, err := g.s.printed()
	if len(lines) == 0 && err == nil && r.about == "" { // without ABOUT that was a moment only
		var line received
		if line, err = g.s.next(r.t.answer); err == nil {
			lines = []string{strings.TrimSpace(line.text)}
		} else if err == errSilent {
			err = nil
		}
	}
	switch {
	case err != nil:
		return failf("%q: %v", command, err)
	case len(lines) == 0:
		err = warnf("%q is not answered", command)
	case len(lines) > 1:
		err = warnf("%q is answered by more than one line: %s", command, wire.Quote(lines[1], 60))
	default:
		if word, _ := wire.CutWord(lines[0]); !wire.IsWord(word, "UNKNOWN") {
			err = warnf("%q is answered by %s, not by UNKNOWN", command, wire.Quote(lines[0], 60))
		}
	}
	if other := g.turns(2); other != nil {
		return failf("after %q: %v", command, other)
	}
	return err
}

func emptyLines(r *run) error {
	g, err := r.game(r.o.Leagues[0], r.t.quick)
	if err != nil {
		return err
	}
	if err := noLine(g.s, "", "   ", "\t", ""); err != nil {
		return softer(err)
	}
	return softer(g.begin())
}

func longLine(r *run) error {
	g, err := r.game(r.o.Leagues[0], r.t.quick)
	if err != nil {
		return err
	}
	g.s.provoked = true
	if err := g.s.send(strings.Repeat("A", 64<<10)); err != nil {
		return softer(err)
	}
	if _, err := g.s.quiet(); err != nil {
		return softer(err)
	}
	return softer(g.begin())
}
