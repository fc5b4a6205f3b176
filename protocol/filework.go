package protocol

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tengen/brain/database"
	"tengen/protocol/wire"
)

// Times of work on files.
const (
	workWait  = 50 * time.Millisecond // for a small file, before it goes on in the background
	workGap   = time.Second           // between two lines about how far it is
	leaveWait = time.Second           // at the end of the conversation, for reading that is canceled
)

// A workKind says what work on a file is for.
type workKind uint8

const (
	workAdd  workKind = iota // a file is read into the database; STOP ends that while no search runs, and so does END
	workOpen                 // the file of another database is read, for which all commands about the database wait; STOP ends it
	workFind                 // the same for the database of INFO folder, without STOP
	workSave                 // the database is written to a file
	workDump                 // the hash table is written to a file; STOP ends it
)

// A fileWork is a file that is read or written in the background, while Serve goes on.
type fileWork struct {
	kind   workKind
	path   string
	input  *database.Input // says how far it is, if it is read
	cancel context.CancelFunc
	done   chan workEnd
}

// A workEnd is the end of a fileWork.
type workEnd struct {
	then  func() error // what is left to be done by Serve
	stack string       // of a panic
}

// A lane does one fileWork after the other.
type lane struct {
	work    *fileWork // nil if there is none
	tick    *time.Ticker
	waiting []func() error   // what is done after it
	left    <-chan time.Time // when the work is left behind; nil if it is not
}

// opens reports whether another database is being read.
func (l *lane) opens() bool {
	return l.work != nil && (l.work.kind == workOpen || l.work.kind == workFind)
}

// after runs f when the lane has nothing to do.
func (l *lane) after(f func() error) error {
	switch {
	case l.work == nil:
		return f()
	case len(l.waiting) >= maxQueue:
		return errors.New("too many commands are waiting")
	}
	l.waiting = append(l.waiting, f)
	return nil
}

// stop cancels the work if STOP does.
func (l *lane) stop() {
	if l.work != nil && l.work.kind != workSave && l.work.kind != workFind {
		l.work.cancel()
	}
}

// begin does work in the background, or before it returns if it does not take long. do returns what
// Serve has to do at its end. The lane must be idle.
func (s *server) begin(l *lane, w *fileWork, do func(ctx context.Context) (then func() error)) {
	var ctx context.Context
	ctx, w.cancel = context.WithCancel(context.Background())
	w.done = make(chan workEnd, 1)
	go func() {
		var end workEnd
		defer func() {
			if p := recover(); p != nil {
				text, note := panicTexts(internalFailure, p)
				end = workEnd{func() error { return errors.New(text) }, note}
			}
			w.done <- end
		}()
		end.then = do(ctx)
	}()
	l.work, l.tick = w, time.NewTicker(workGap)
	select {
	case end := <-w.done:
		s.workEnded(l, end)
		return
	case <-time.After(workWait):
	}
	switch w.kind {
	case workAdd, workOpen:
		s.say(wire.MessageLine("reading " + w.path + " in the background; STOP ends it"))
	case workFind:
		s.say(wire.MessageLine("reading " + w.path + " in the background"))
	case workDump:
		s.say(wire.MessageLine("writing " + w.path + " in the background; STOP ends it"))
	case workSave:
		s.say(wire.MessageLine("writing " + w.path + " in the background"))
	}
	if s.leaving {
		s.leaveLane(l)
	}
}

// workProgress tells how far the work is.
func (s *server) workProgress(l *lane) {
	in := l.work.input
	if in == nil {
		return
	}
	s.changed = true // the database takes more of the memory
	if read, size := in.Progress(); size > 0 && read < size {
		s.say(wire.MessageLine(fmt.Sprintf("reading %s: %d%% of %d MiB", l.work.path, 100*read/size, size>>20)))
	}
}

// workEnded does what is left to be done at the end of the work, and what waits for it.
func (s *server) workEnded(l *lane, end workEnd) {
	w, waiting := l.work, l.waiting
	w.cancel()
	l.tick.Stop()
	*l = lane{}
	if w.input != nil {
		s.changed = true
	}
	if w.kind == workDump {
		s.dumpEnded()
	}
	if end.stack != "" {
		s.note(end.stack)
	}
	if err := s.recoverPanic(end.then); err != nil {
		s.workFailed(w, err)
	}
	s.runWaiting(l, waiting)
}

// workFailed tells why the work has failed.
func (s *server) workFailed(w *fileWork, err error) {
	switch {
	case !errors.Is(err, context.Canceled):
		s.fault(err)
	case w.kind == workDump:
		s.say(wire.MessageLine("nothing is written to " + w.path + ": it was stopped"))
	case w.kind == workOpen:
		s.say(wire.MessageLine("nothing is read from " + w.path + ": it was stopped" + s.stillUsing()))
	default:
		s.say(wire.MessageLine("nothing is read from " + w.path + ": it was stopped"))
	}
}

// runWaiting does what has waited for the lane. Where that begins other work the rest waits for it.
func (s *server) runWaiting(l *lane, waiting []func() error) {
	for i, f := range waiting {
		if l.work != nil {
			l.waiting = append(l.waiting, waiting[i:]...)
			return
		}
		if err := s.recoverPanic(f); err != nil {
			s.fault(err)
		}
	}
}

// leaveLane ends reading at the end of the conversation: what is added is not needed any more, nor
// another database for which no command waits. Writing goes on.
func (s *server) leaveLane(l *lane) {
	if l.work == nil || l.work.kind == workSave || l.work.kind == workDump || l.opens() && len(l.waiting) > 0 {
		return
	}
	l.work.cancel()
	l.left = time.After(leaveWait)
}

// leaveBehind gives up waiting for the end of canceled work.
func (s *server) leaveBehind(l *lane) {
	s.say(wire.MessageLine(l.work.path + " is not read to its end"))
	waiting := l.waiting
	l.tick.Stop()
	*l = lane{}
	s.runWaiting(l, waiting)
}
