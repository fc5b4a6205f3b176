package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"tengen/brain"
	"tengen/brain/atomicfile"
	"tengen/protocol/wire"
)

// dumpTable writes the hash table, as it is now, to a file in the background.
func (s *server) dumpTable(t task) error {
	if err := s.notDatabase(t.path); err != nil {
		return err
	}
	write, release, err := s.d.DumpTable()
	if err != nil {
		return err
	}
	if s.dumping++; s.dumping == 1 {
		s.dumped = make(chan struct{})
	}
	return s.dumps.after(func() error {
		s.begin(&s.dumps, &fileWork{kind: workDump, path: t.path}, func(ctx context.Context) func() error {
			defer release()
			n, err := writeTable(ctx, t.path, write)
			return func() error { return s.tell("HASH DUMP %d entries", int(n), err) }
		})
		return nil
	})
}

// dumpEnded notes the end of a dump.
func (s *server) dumpEnded() {
	if s.dumping--; s.dumping == 0 {
		close(s.dumped)
	}
}

// writeTable has write write a hash table to the file at path, which is replaced only when all of it is
// written, and only if it is a hash table.
func writeTable(ctx context.Context, path string, write func(context.Context, io.Writer) (int64, error)) (entries int64, err error) {
	ok, err := atomicfile.Replaceable(path, brain.IsTable)
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, fmt.Errorf("%s is there already and is not a hash table", path)
	}
	err = atomicfile.WriteTo(path, func(w io.Writer) (err error) {
		entries, err = write(ctx, w)
		return err
	})
	return entries, err
}

// A load of the hash table from a file is a job, since nothing else may use the table: what comes
// meanwhile waits. But a move with a clock must not be late. The load gives way to the first search that
// waits when a part of its time is over, and begins again after it.
//
// loadPart is that part, 1/n.
const loadPart = 4

// loadTable replaces the hash table by that of a file. It waits for dumpTable, which may be writing it.
func (s *server) loadTable(t task) error {
	if err := s.notDatabase(t.path); err != nil {
		return err
	}
	var dumped <-chan struct{}
	if s.dumping > 0 {
		dumped = s.dumped
	}
	ctx, cancel := context.WithCancel(context.Background())
	j := &job{task: t, cancel: cancel, done: make(chan result, 1), load: &load{}}
	s.job = j
	go j.run(func() result {
		if dumped != nil {
			select {
			case <-dumped:
			case <-ctx.Done():
			}
		}
		n, err := readTable(ctx, s.d, t.path)
		switch {
		case errors.Is(err, context.Canceled):
			j.load.canceled = true
			return result{lines: []string{wire.MessageLine("nothing is read from " + t.path + ": it was stopped")}}
		case err != nil:
			return failed(err)
		}
		return result{lines: []string{wire.MessageLine(fmt.Sprintf("HASH LOAD %d entries", n))}}
	})
	select {
	case r := <-j.done:
		s.answer(r)
	case <-time.After(workWait):
		s.say(wire.MessageLine("reading " + t.path + " in the background; STOP ends it"))
	}
	return nil
}

// A load is what a job has that reads the hash table.
type load struct {
	givesWay bool // it is canceled for a search
	canceled bool // it has ended without a result
}

// readTable replaces the hash table by that of the file at path.
func readTable(ctx context.Context, e DialectEngine, path string) (entries int64, err error) {
	f, err := atomicfile.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if entries, err = e.LoadTable(ctx, f); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return entries, err
}

// patience returns when t, a search, is to begin though a file is still being read; false if t has no clock
// and can wait.
func (s *server) patience(t task) (until time.Time, ok bool) {
	if t.hurried {
		return t.at, true
	}
	o := s.forDialect(t, s.e.Options())
	left := o.Left
	if left == brain.NoLimit {
		left = o.Match
	}
	limit := min(o.Turn, left)
	if limit == brain.NoLimit {
		return time.Time{}, false
	}
	if s.job != nil && s.job.task.again {
		return t.at, true
	}
	return s.startOf(t).Add(max(limit, 0) / loadPart), true
}

// waitingSearch returns the number of the first command that waits and is a search, or -1.
func (s *server) waitingSearch() int { return slices.IndexFunc(s.queue, task.searches) }

// mustWait reports whether t is a search that waits for a database that is being opened.
func (s *server) mustWait(t task) bool {
	if !t.searches() {
		return false
	}
	if s.wantDatabase(); !s.files.opens() {
		return false
	}
	until, ok := s.patience(t)
	return !ok || time.Now().Before(until)
}

// impatience returns a channel for the moment at which a search stops waiting for a file, or nil.
func (s *server) impatience() <-chan time.Time {
	i := s.waitingSearch()
	if i < 0 || s.job != nil && (s.job.load == nil || s.job.load.givesWay) || s.job == nil && i > 0 {
		return nil
	}
	until, ok := s.patience(s.queue[i])
	if !ok {
		return nil
	}
	return time.After(time.Until(until))
}

// giveWay ends the load that runs, if there is one, for the search that waits.
func (s *server) giveWay() {
	if s.job != nil {
		s.job.load.givesWay = true
		s.job.cancel()
	}
}

// putBack has t, a load that has given way, begin again behind the first search that waits, and with it
// the commands about the table before that. One STOP stays behind its search.
func (s *server) putBack(t task) {
	t.again = true
	end := s.waitingSearch() + 1
	if end > 0 && end < len(s.queue) && s.queue[end].Verb == wire.Stop {
		end++
	}
	var first, later []task
	for _, q := range s.queue[:end] {
		if q.ext != nil && q.ext.table {
			later = append(later, q)
		} else {
			first = append(first, q)
		}
	}
	s.queue = slices.Concat(first, []task{t}, later, s.queue[end:])
}

// stopLoad is STOP while the hash table is read: it is for the search that waits, if there is one.
func (s *server) stopLoad(c command, in input) {
	i := s.waitingSearch()
	if i < 0 {
		s.job.cancel()
		return
	}
	s.queue = slices.Insert(s.queue, i+1, task{command: c, at: in.at})
	s.giveWay()
}

// lasting returns those of the commands that are executed although a game or the conversation ends: what
// changes the database or writes a file. If loads is false, no table is loaded, and lost are the dumps of
// those tables.
func lasting(queue []task, loads bool) (list, lost []task) {
	unread := false
	for i, t := range queue {
		switch {
		case t.ext == nil:
		case t.Name == hashLoad && loads && slices.ContainsFunc(queue[i:], task.dumps):
			list = append(list, t)
		case t.Name == hashLoad:
			unread = true
		case t.dumps() && unread:
			lost = append(lost, t)
		case t.ext.lasts:
			list = append(list, t)
		}
	}
	return list, lost
}
