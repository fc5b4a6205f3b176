package protocol

import (
	"context"
	"time"

	"tengen/brain"
	"tengen/protocol/wire"
)

// think starts the search for a move.
func (s *server) think(t task, lines int) {
	v, detail := s.view(), s.detail(t)
	maySwap := s.maySwap()
	s.launch(t, func(ctx context.Context, q brain.Query) result {
		q.Lines, q.Study = lines, t.ext != nil
		thought, err := s.e.Think(ctx, q)
		if err != nil {
			return failed(err)
		}
		var lines []string
		for _, i := range thought.Infos {
			report := v.report(i, detail)
			if thought.Book {
				report[0] = v.bookLine(i)
			}
			lines = append(lines, report...)
		}
		if maySwap && len(thought.Infos) > 0 && thought.Infos[0].Score < 0 && s.e.TakeBack(thought.Move) == nil {
			return result{thought.Notes, append(lines, "SWAP"), false}
		}
		return result{thought.Notes, append(lines, v.move(thought.Move)), true}
	})
}

// swap2 starts the search for a step of a swap2 opening.
func (s *server) swap2(t task) {
	v, stones := s.view(), t.moves()
	s.launch(t, func(ctx context.Context, q brain.Query) result {
		answer, err := s.e.Opening(ctx, stones, forStep(q))
		if err != nil {
			return failed(v.fault(err))
		}
		return result{answer.Notes, []string{v.opening(answer)}, false}
	})
}

// launch runs a search in a goroutine, with the options as they are now. Its time counts
// from when the command was read, or if that had to wait from when the engine was free.
func (s *server) launch(t task, search func(context.Context, brain.Query) result) {
	s.wantDatabase()
	start := s.startOf(t)
	ctx, cancel := context.WithCancel(context.Background())
	j := &job{task: t, options: s.forDialect(t, s.e.Options()), cancel: cancel, reports: make(chan report, maxReports), done: make(chan result, 1)}
	q := brain.Query{Options: &j.options, Start: start, Report: reporter(j.reports)}
	if !s.yixin && t.ext == nil {
		j.pace.last = time.Now() // as other managers know it: nothing of a quick search
	}
	if s.detail(t)&detailRoot != 0 {
		q.Watch = rootReports(j.reports)
	}
	s.job = j
	s.played = false
	s.hurry()
	go j.run(func() result { return search(ctx, q) })
}

// run sends the result of f, or that of its panic.
func (j *job) run(f func() result) {
	var answer result
	defer func() {
		if r := recover(); r != nil {
			text, note := panicTexts(internalFailure, r)
			answer = result{notes: []string{note}, lines: []string{wire.ErrorLine(text)}}
		}
		j.done <- answer
	}()
	answer = f()
}

// hurry limits the running search to a minute after the end of input, when nothing can stop it
// any more. It cancels a search at once that only a longer limit of the move, or none, would
// end.
func (s *server) hurry() {
	if !s.eof || s.job == nil || s.job.load != nil {
		return
	}
	o := s.job.options
	if o.Turn > orphanLimit && o.Left == brain.NoLimit && o.Match == brain.NoLimit && o.Nodes == 0 && o.Depth == 0 {
		s.job.cancel()
		return
	}
	s.job.overdue = time.After(orphanLimit)
}

// reporter returns a report function that sends each Info to out and never blocks.
func reporter(out chan<- report) func(brain.Info) {
	return func(i brain.Info) {
		select {
		case out <- report{info: i}:
		default: // the manager does not read as fast
		}
	}
}
