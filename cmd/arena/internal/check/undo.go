package check

import (
	"strings"

	"tengen/brain/board"
	"tengen/protocol/wire"
)

// undoChecks are those of the commands that an engine need not know.
var undoChecks = []check{
	{"optional", "RESTART", "RESTART begins another game", false, restart},
	{"optional", "TAKEBACK", "TAKEBACK takes back moves of both sides", false, takeback},
	{"optional", "RECTSTART", "RECTSTART is answered, by OK or an error", false, rectstart},
	{"optional", "SWAP2BOARD", "SWAP2BOARD is answered, by moves, SWAP or an error", false, swap2},
}

// optional waits for OK after a command that an engine may refuse: told says what happens then.
func optional(s *session, command, told string) (ok bool, err error) {
	if err := s.send(command); err != nil {
		return false, err
	}
	line, err := s.next(s.r.t.answer)
	switch {
	case err == errSilent:
		return false, warnf("%q is not answered", command)
	case err != nil:
		return false, err
	case wire.IsRefusal(line.text):
		s.r.told = told
		return false, nil
	case !wire.IsWord(strings.TrimSpace(line.text), "OK"):
		return false, failf("%q is answered by %s, not by OK", command, wire.Quote(line.text, 60))
	}
	return true, nil
}

func restart(r *run) error {
	g, err := r.game(r.o.Leagues[0], r.t.quick)
	if err != nil {
		return err
	}
	if err := g.turns(3); err != nil {
		return err
	}
	if ok, err := optional(g.s, "RESTART", "RESTART is not known, which is allowed"); !ok {
		return err
	}
	g.reset()
	if err := g.s.limits(int(g.league.Rule), r.t.quick, 0); err != nil {
		return err
	}
	return g.turns(3)
}

func takeback(r *run) error {
	g, err := r.game(r.o.Leagues[0], r.t.quick)
	if err != nil {
		return err
	}
	first := g.b.Central()
	if err := g.reply(first); err != nil {
		return err
	}
	for range 2 {
		m := g.b.Move(g.b.Ply() - 1)
		if ok, err := optional(g.s, "TAKEBACK "+wire.MoveText(m), "TAKEBACK is not known, which is allowed"); !ok {
			return err
		}
		g.b.Undo()
	}
	// The cell is free again.
	if err := g.reply(first); err != nil {
		return failf("the move again after TAKEBACK: %v", err)
	}
	if m := g.b.Move(g.b.Ply() - 1); m == first {
		return failf("the move again after TAKEBACK is answered by itself")
	}
	return nil
}

func rectstart(r *run) error {
	s, err := r.open()
	if err != nil {
		return err
	}
	ok, err := optional(s, "RECTSTART 20,15", "RECTSTART is not known, which is allowed")
	if !ok {
		return err
	}
	if err := s.limits(0, r.t.quick, 0); err != nil {
		return err
	}
	b, err := board.New(board.Freestyle, 20, 15)
	if err != nil {
		return err
	}
	m := board.At(19, 14)
	b.Play(m)
	a, err := s.ask(r.t.quick, r.t.answer, "TURN "+wire.MoveText(m))
	if err != nil {
		return err
	}
	if err := b.Try(a.x, a.y); err != nil {
		return failf("answered %d,%d on a board of 20,15: %v", a.x, a.y, err)
	}
	return nil
}

func swap2(r *run) error {
	s, err := r.open()
	if err != nil {
		return err
	}
	const size = 15
	if err := s.start(size, 0, r.t.quick); err != nil {
		return err
	}
	if err := s.send("SWAP2BOARD", "DONE"); err != nil {
		return err
	}
	line, err := s.next(r.t.quick + r.t.answer)
	if err == errSilent {
		return warnf("SWAP2BOARD is not answered")
	}
	if err != nil {
		return err
	}
	if wire.IsRefusal(line.text) {
		s.r.told = "SWAP2BOARD is not known, which is allowed"
		s.hung = true // DONE may have an answer of its own
		return nil
	}
	words := strings.Fields(line.text)
	seen := map[board.Move]bool{}
	for _, word := range words {
		x, y, isPair := wire.ParsePair(word)
		m, err := board.AtOn(x, y, size, size)
		if !isPair || err != nil || seen[m] {
			return warnf("SWAP2BOARD without stones is answered by %s, not by three moves", wire.Quote(line.text, 60))
		}
		seen[m] = true
	}
	if len(seen) != 3 {
		return warnf("SWAP2BOARD without stones is answered by %d moves, not by three", len(seen))
	}
	return nil
}
