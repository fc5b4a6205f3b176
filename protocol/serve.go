// Package protocol is the engine's side of the Gomocup protocol, with the dialect of Yixin-Board:
// Serve executes the commands of a manager. Package client is the manager's side.
package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/database"
	"tengen/protocol/wire"
)

// An Engine is what the protocol itself needs of brain.Engine, which documents the methods. Only Set
// and Options may be called while Think or Opening runs.
type Engine interface {
	Set(key, value string) error
	Options() brain.Options

	NewGame(width, height int) error
	Restart() error
	Prepare()
	Setup(stones []brain.Stone) error
	Play(m board.Move) error
	TakeBack(m board.Move) error
	Stones() int

	Think(ctx context.Context, q brain.Query) (brain.Thought, error)
	Opening(ctx context.Context, stones []board.Move, q brain.Query) (brain.Opening, error)
}

const (
	messageGap  = 300 * time.Millisecond        // minimum between two MESSAGE lines of a search
	batchGap    = time.Second                   // the same between two iterations of several lines
	dropWait    = 50 * time.Millisecond         // for a search to end that is not waited for
	restartWait = time.Hour                     // the same before another game: until it ends
	endWait     = 100 * time.Millisecond        // for more of a text in quotes after a line of it that is END
	orphanLimit = time.Minute                   // for a search after the end of input
	maxReports  = board.MaxSize * board.MaxSize // lines of a search waiting to be written
	readAhead   = 64                            // lines read, with their time, while one is executed
	maxQueue    = 4096                          // commands waiting
	maxStones   = 4096                          // lines kept of one list
)

// Serve executes the commands read from r and writes the answers to w until END, end of
// input, the end of ctx, which counts as END, or a write error. Each line is written by one Write.
// It returns the write error, or that of saving the database.
//
// Serve reads on while the engine thinks. INFO, ABOUT, STOP and YXSTOP act at once, and so do
// questions to the database; large files are read and written in the background. A search waits for a
// database or a hash table that is read, one with a clock for at most a quarter of its time. START,
// RECTSTART and RESTART cancel a running search without an answer, drop the searches and questions that
// wait, and are executed at once; only Yixin-Board, which leaves out a move where a game begins during a
// search, gets that move with the next command, and what waits is executed. END ends Serve without an
// answer. All other commands are executed in order. What changes the database or writes a file is always
// executed, also what waits when END comes. After the end of input the remaining commands
// are still answered, but searches not limited to a minute are canceled. A database that was changed
// is saved at the end, if it has a file.
//
// Serve does not wait for the goroutine that reads r, which ends at the end of r or after
// its next line. After END, the end of ctx or a write error it waits at most 50 ms for the engine, and
// until all files are written.
func Serve(ctx context.Context, r io.Reader, w io.Writer, e Engine) error {
	quit := make(chan struct{})
	defer close(quit)
	lines := make(chan input, readAhead)
	go readLines(r, lines, quit)
	s := &server{w: w, e: e, state: betweenCommands, idleSince: time.Now()}
	s.d, _ = e.(DialectEngine)
	gone := ctx.Done()
	for {
		if s.err != nil && !s.leaving {
			s.leave()
		}
		if s.leaving {
			lines, gone = nil, nil
		}
		if s.job == nil && len(s.queue) > 0 && !s.mustWait(s.queue[0]) {
			s.runNext()
			continue
		}
		if s.changed && s.job == nil && s.pondering == nil && len(lines) == 0 && !s.leaving {
			s.prepare()
		}
		s.ponder()
		var reports chan report
		var done chan result
		var overdue, showAt <-chan time.Time
		if s.job != nil {
			reports, done, overdue, showAt = s.job.reports, s.job.done, s.job.overdue, s.job.showAt
		} else if lines == nil && s.files.work == nil && s.dumps.work == nil {
			return errors.Join(s.err, s.end())
		}
		var read, dumped chan workEnd
		var tick <-chan time.Time
		if s.files.work != nil && s.job == nil {
			read, tick = s.files.work.done, s.files.tick.C
		}
		if s.dumps.work != nil {
			dumped = s.dumps.work.done
		}
		select {
		case in, open := <-lines:
			if !open {
				lines = nil
				s.eof = true
				s.closeList()
				s.endPonder()
				s.hurry()
			} else if end := s.handle(in); end {
				s.leave()
			}
		case r := <-reports:
			s.show(r)
		case <-showAt:
			s.showWaiting()
		case r := <-done:
			s.answer(r)
		case r := <-read:
			s.workEnded(&s.files, r)
		case r := <-dumped:
			s.workEnded(&s.dumps, r)
		case <-tick:
			s.workProgress(&s.files)
		case <-s.files.left:
			s.leaveBehind(&s.files)
		case <-s.impatience():
			s.giveWay()
		case <-overdue:
			s.job.cancel()
		case <-s.due:
			s.playBothColors()
		case <-s.ending:
			if len(lines) == 0 {
				s.leave()
			}
		case <-gone:
			s.leave()
		}
	}
}

// leave begins the end of the conversation. The running search is dropped, and so are searches and questions
// that wait; what changes the database or writes a file is executed.
func (s *server) leave() {
	s.leaving, s.eof = true, true
	s.closeList()
	s.due, s.ending = nil, nil
	s.queue, _ = lasting(s.queue, true)
	if s.job == nil || s.job.load == nil || !slices.ContainsFunc(s.queue, task.dumps) {
		limit := dropWait
		if len(s.queue) > 0 {
			limit = restartWait
		}
		s.drop(limit)
	}
	if len(s.queue) == 0 || !s.files.opens() { // else what waits may be about the database
		s.leaveLane(&s.files)
	}
}

// end saves the database at the end of the conversation. An error is shown too, while somebody may
// still listen: what the engine has found would be lost without a word.
func (s *server) end() error {
	err := s.keepDatabase()
	if err != nil {
		s.say(wire.MessageLine("the database is not saved: " + err.Error()))
	}
	return err
}

// A task is a command waiting for execution, with the lines that belong to it.
type task struct {
	command
	at     time.Time // when its last line was read
	stones []brain.Stone
	wrong  string // what is wrong with the first bad line of the list, which is then refused
	path   string // of a file
	quoted string // the text of a quotedText

	hurried bool // a search that waits for no file
	again   bool // a load of the table that has given way
}

// dumps reports whether t writes the hash table.
func (t task) dumps() bool { return t.Name == hashDump }

// searches reports whether t may start a search.
func (t task) searches() bool {
	switch t.Verb {
	case wire.Begin, wire.Turn, wire.SetBoard, wire.Swap2:
		return true
	}
	return t.ext != nil && t.ext.searches
}

// moves returns the cells of the list.
func (t *task) moves() []board.Move {
	list := make([]board.Move, len(t.stones))
	for i, stone := range t.stones {
		list[i] = stone.Move
	}
	return list
}

// A job is a running search, or something else for which the engine is needed alone.
type job struct {
	task    task // that it is for
	cancel  context.CancelFunc
	reports chan report
	done    chan result
	options brain.Options
	stopped bool             // by a command
	overdue <-chan time.Time // set after the end of input
	pace    pace             // of the lines shown
	showAt  <-chan time.Time // when lines that wait are due; nil if none do
	alone   *board.Move      // of playBothColors: the move, once it is done
	load    *load            // of a load of the hash table, which is no search
}

// isStopped reports whether a command has ended it already.
func (j *job) isStopped() bool { return j.stopped || j.load != nil && j.load.givesWay }

// A result is what a search returns at its end.
type result struct {
	notes []string // see note
	lines []string // of the answer
	moved bool     // the engine has moved, the other side is to move
}

// failed is the result of a search that returned an error.
func failed(err error) result { return result{lines: []string{wire.ErrorLine(err.Error())}} }

// A server is the state of Serve. Only the goroutine of Serve uses it.
type server struct {
	w   io.Writer
	err error // of the first failed Write
	e   Engine
	d   DialectEngine // the same, or nil if it lacks what the dialect needs

	width, height int  // of the game; zero before START
	yixin         bool // the manager speaks the dialect, see switchToDialect
	yFirst        bool // it is Yixin-Board, whose coordinates are row,column

	// Last values of INFO keys.
	rule        string
	turn, match string
	folder      string
	ponders     bool // may think on the other's time
	swapable    bool // under a rule of swapping the engine may still swap
	showDetail  int  // of the reports: 1 moves of the root, 2 lines, 3 both

	state     state            // what the next line is
	list      *task            // whose lines are being read; nil between commands
	ending    <-chan time.Time // when END within a text in quotes is taken for the command
	queue     []task
	kept      []string // answers of searches that START has ended: see keepAnswers
	job       *job
	idleSince time.Time
	eof       bool
	played    bool      // the engine has moved last
	pondering *ponderer // nil unless it thinks on the other's time
	changed   bool      // an option has changed since the engine was prepared

	about     bool             // ABOUT was sent
	soleMover bool             // only this engine has moved since the board was set up
	playsBoth bool             // ... and for both colors, see alone.go
	due       <-chan time.Time // when it is to move again
	dueSince  time.Time        // when the line was read that asks for that

	database     *database.Database // nil for none
	databasePath string             // its file, empty for none
	files        lane               // reads and writes it
	usageTold    bool               // INFO usedatabase came since YXSETDATABASE

	dumps   lane          // writes the hash table
	dumping int           // dumps that are not written yet
	dumped  chan struct{} // closed when all are

	leaving bool // see leave
}

// say writes one line.
func (s *server) say(line string) {
	if s.err == nil {
		_, s.err = s.w.Write([]byte(line + "\n"))
	}
}

// fault answers a command with an error, in which cells have the names of the manager.
func (s *server) fault(err error) { s.say(wire.ErrorLine(s.view().fault(err).Error())) }

// busy reports whether a command has to wait.
func (s *server) busy() bool { return s.job != nil || len(s.queue) > 0 }

// drop cancels the running job without an answer and waits at most limit for its end. It says what is not
// read.
func (s *server) drop(limit time.Duration) {
	s.endPonder()
	if s.job == nil {
		return
	}
	s.job.cancel()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case r := <-s.job.done:
		if s.job.load != nil {
			s.job.load.givesWay = false
			s.answer(r)
			return
		}
	case <-timer.C:
	}
	s.idle()
}

// answer writes the result of the running job, which has ended.
func (s *server) answer(r result) {
	j := s.job
	j.cancel()
	s.idle()
	if j.load == nil {
		s.played = r.moved
	}
	if j.load != nil && j.load.canceled && j.load.givesWay {
		s.putBack(j.task)
		return
	}
	for _, note := range r.notes {
		s.note(note)
	}
	for _, line := range r.lines {
		s.say(line)
	}
}

// idle notes that the running job has ended. The time of a search that has waited for a load of the table
// counts from before.
func (s *server) idle() {
	if s.job.load == nil {
		s.idleSince = time.Now()
	}
	s.job = nil
}

// startOf returns when the time of t begins: when the command was read, or if that had to wait when the
// engine was free.
func (s *server) startOf(t task) time.Time {
	if s.idleSince.After(t.at) {
		return s.idleSince
	}
	return t.at
}

// start begins a game.
func (s *server) start(c command) error {
	var err error
	if c.Verb == wire.Restart {
		err = s.e.Restart()
	} else if err = s.e.NewGame(c.Width, c.Height); err == nil {
		s.width, s.height = c.Width, c.Height
	}
	if err != nil {
		return err
	}
	s.played = false
	s.prepare() // before OK, since managers measure the time of a move and not that of START
	s.say("OK")
	return nil
}

// prepare gets the engine ready for a move. A failure is noted: it may not matter to the move.
func (s *server) prepare() {
	s.changed = false
	s.recoverPanic(func() error {
		if s.folder != "" { // else that may still come
			s.wantDatabase()
		}
		s.e.Prepare()
		return nil
	})
}

// isNumber reports whether the value of a key of INFO is a number.
func isNumber(key string) bool {
	return slices.ContainsFunc(brain.InfoKeys(), func(k brain.InfoKey) bool { return k.Name == key && k.Numeric() })
}

// setOption sets an option.
func (s *server) setOption(key, value string, at time.Time) {
	if key == "" {
		return
	}
	if own, err := s.setOwn(key, value); own {
		if err != nil {
			s.refuseInfo(err, at)
		}
		return
	}
	if isNumber(key) {
		value = wire.WithoutFraction(value)
	}
	o := s.e.Options()
	if err := o.Set(key, value); err != nil { // the value before stays
		s.refuseInfo(err, at)
		return
	}
	given := value
	value = s.meaning(key, given)
	if err := s.e.Set(key, value); err != nil { // of a file
		s.refuseInfo(err, at)
		return
	}
	if also := followUps[key]; also != nil {
		also(s, given, value)
	}
}

// refuseInfo answers a bad value of INFO by ERROR, in its turn: a line while the engine thinks would be
// taken for the answer.
func (s *server) refuseInfo(err error, at time.Time) {
	s.enqueue(task{command: badCommand("INFO " + err.Error()), at: at})
}

// runNext executes the first command that waits, and the STOP that waits behind it.
func (s *server) runNext() {
	next := s.queue[0]
	s.queue = s.queue[1:]
	s.run(next)
	if s.job != nil && len(s.queue) > 0 && s.queue[0].Verb == wire.Stop {
		s.queue = s.queue[1:]
		s.stop()
	}
}

// run executes a command. The engine must be idle.
func (s *server) run(t task) {
	if t.Verb == wire.Stop {
		return // what it was for has ended
	}
	s.sendKeptAnswers(t)
	switch {
	case t.ext != nil:
		s.extend(t)
		return
	case t.Verb == wire.Unknown:
		s.say(wire.UnknownLine(t.Text))
		return
	case t.Verb == wire.Bad:
		s.say(wire.ErrorLine(t.Text))
		return
	}
	if s.width == 0 {
		s.fault(brain.ErrNoGame)
		return
	}
	if t.wrong != "" {
		s.say(wire.ErrorLine(t.wrong))
		return
	}
	if err := s.recoverPanic(func() error { return s.obey(t) }); err != nil {
		s.fault(err)
	}
}

// obey executes a command that needs a game.
func (s *server) obey(t task) error {
	var m board.Move // of the commands that have one
	switch t.Verb {
	case wire.Turn, wire.Play, wire.TakeBack:
		var err error
		if m, err = s.view().at(t.X, t.Y); err != nil {
			return err
		}
	}
	s.played = false
	s.soleMover, s.playsBoth = t.Verb == wire.Begin || t.Verb == wire.SetBoard, false
	switch t.Verb {
	case wire.Begin:
		if n := s.e.Stones(); n > 0 {
			return fmt.Errorf("BEGIN needs an empty board, there are %d stones", n)
		}
		s.think(t, 1)
	case wire.Turn:
		if err := s.e.Play(m); err != nil {
			return err
		}
		s.think(t, 1)
	case wire.Play:
		if err := s.e.Play(m); err != nil {
			return err
		}
		s.played = true
		s.say(s.view().move(m))
	case wire.TakeBack:
		if err := s.e.TakeBack(m); err != nil {
			return err
		}
		s.say("OK")
	case wire.SetBoard:
		if err := s.e.Setup(t.stones); err != nil {
			return err
		}
		s.think(t, 1)
	case wire.Swap2:
		s.swap2(t)
	}
	return nil
}
