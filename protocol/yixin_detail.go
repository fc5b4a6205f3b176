package protocol

import (
	"fmt"
	"strconv"
	"time"

	"tengen/brain"
)

// Bits of INFO show_detail: what front ends that draw the search want to know.
const (
	detailRoot  = 1 // MESSAGE REALTIME lines about the moves of the root
	detailLines = 2 // INFO lines about each principal variation
)

// rootDelay is how long a search lasts before its root moves are reported.
const rootDelay = 300 * time.Millisecond

// detail returns the value of show_detail for a search for t. It is 0 for commands of all managers
// before a greeting: they would not know the lines.
func (s *server) detail(t task) int {
	if !s.yixin && t.ext == nil {
		return 0
	}
	return s.showDetail
}

// A report is one report of a search: an event of the root if it has a kind, else an Info.
type report struct {
	info  brain.Info
	event brain.RootEvent
	root  bool // event counts
}

// show writes a report. The lines of an iteration come at the pace of a reader: a lost position has
// hundreds of iterations in a moment.
func (s *server) show(r report) {
	if r.root {
		s.job.pace.stale = s.job.pace.stale || r.event.Kind == brain.MoveIsBest
		s.say(s.view().rootEvent(r.event))
		return
	}
	now := time.Now()
	if s.job.pace.admits(r.info, now) {
		s.sayReport(r.info, s.detail(s.job.task))
		return
	}
	if wait, ok := s.job.pace.wait(now); ok && s.job.showAt == nil {
		s.job.showAt = time.After(wait)
	}
}

// showWaiting writes the lines that are due, without those of root moves if another is the best by now.
func (s *server) showWaiting() {
	s.job.showAt = nil
	now, p := time.Now(), &s.job.pace
	wait, ok := p.wait(now)
	if !ok {
		return // a newer iteration was shown
	}
	if wait > 0 {
		s.job.showAt = time.After(wait)
		return
	}
	detail := s.detail(s.job.task)
	if p.stale {
		detail &^= detailRoot
	}
	for _, i := range p.release(now) {
		s.sayReport(i, detail)
	}
}

func (s *server) sayReport(i brain.Info, detail int) {
	for _, line := range s.view().report(i, detail) {
		s.say(line)
	}
}

// rootReports returns a function that passes the events of a search on, and the moves that
// were proved to lose before it began to. It never blocks.
func rootReports(out chan<- report) func(brain.RootEvent) {
	start := time.Now()
	begun := false // from an event that the front end can begin with
	var lost []brain.RootEvent
	pass := func(e brain.RootEvent) {
		select {
		case out <- report{event: e, root: true}:
		default: // the manager does not read as fast
		}
	}
	return func(e brain.RootEvent) {
		if !begun {
			if e.Kind == brain.MoveLoses {
				lost = append(lost, e)
			}
			if e.Kind != brain.IterationBegins && e.Kind != brain.MoveIsBest || time.Since(start) < rootDelay {
				return
			}
			begun = true
			pass(e)
			for _, l := range lost {
				pass(l)
			}
			return
		}
		pass(e)
	}
}

// rootEvent is what Yixin-Board draws: the best move, and of the others which are being
// searched, were searched, or lose.
func (v view) rootEvent(e brain.RootEvent) string {
	switch e.Kind {
	case brain.IterationBegins:
		return "MESSAGE REALTIME REFRESH"
	case brain.MoveBegins:
		return "MESSAGE REALTIME POS " + v.move(e.Move)
	case brain.MoveEnds:
		return "MESSAGE REALTIME DONE " + v.move(e.Move)
	case brain.MoveLoses:
		return "MESSAGE REALTIME LOST " + v.move(e.Move)
	}
	return "MESSAGE REALTIME BEST " + v.move(e.Move)
}

// report describes a line of a search: first the MESSAGE line for people, then as much for the
// program as show_detail asks for.
func (v view) report(i brain.Info, detail int) []string {
	lines := []string{v.statsLine(i)}
	if detail&detailRoot != 0 && i.Line == 0 && len(i.PV) > 0 {
		lines = append(lines, "MESSAGE REALTIME BEST "+v.move(i.PV[0]),
			"MESSAGE REALTIME VAL "+strconv.Itoa(int(i.Score)), "MESSAGE REALTIME PV "+v.labels(i.PV))
	}
	if detail&detailLines != 0 {
		lines = append(lines, v.lineBlock(i)...)
	}
	return lines
}

// lineBlock describes a line of a search for a program.
func (v view) lineBlock(i brain.Info) []string {
	lines := []string{
		fmt.Sprintf("INFO PV %d", i.Line),
		fmt.Sprintf("INFO NUMPV %d", max(i.Lines, 1)),
		fmt.Sprintf("INFO DEPTH %d", i.Depth),
		fmt.Sprintf("INFO SELDEPTH %d", i.SelDepth),
		fmt.Sprintf("INFO NODES %d", i.Nodes),
		fmt.Sprintf("INFO TOTALNODES %d", i.Nodes),
		fmt.Sprintf("INFO TOTALTIME %d", i.Elapsed.Milliseconds()),
		fmt.Sprintf("INFO SPEED %d", i.Speed()),
		"INFO EVAL " + brain.ScoreText(i.Score),
		fmt.Sprintf("INFO WINRATE %.4f", brain.WinRate(i.Score)),
	}
	if len(i.PV) > 0 {
		lines = append(lines, "INFO BESTLINE "+v.moves(i.PV))
	}
	return append(lines, "INFO PV DONE")
}
