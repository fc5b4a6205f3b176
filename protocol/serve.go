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
	endWait     = 100 * time.Millisecond        // for more of a text in quotes after a line of it that is END
	restartWait = time.Hour                     // the same before another game: until it ends
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
// questions to the database; a large file is read into that in the background. START, RECTSTART
// and RESTART cancel a running search without an answer, drop the commands that wait, and are
// executed at once; only Yixin-Board, which leaves out a move where a game begins during a search,
// gets that move with the next command, and what waits is executed. END ends Serve without an
// answer. All other commands are executed in order. After the end of input the remaining commands
// are still answered, but searches not limited to a minute are canceled. A database that was changed
// is saved at the end, if it has a file.
//
// Serve does not wait for the goroutine that reads r, which ends at the end of r or after
// its next line. After END, the end of ctx or a write error it waits at most 50 ms for the engine.
func Serve(ctx context.Context, r io.Reader, w io.Writer, e Engine) error {
	quit := make(chan struct{})
	defer close(quit)
	lines := make(chan input, readAhead)
	go readLines(r, lines, quit)
	s := &server{w: w, e: e, state: betweenCommands, idleSince: time.Now()}
	s.d, _ = e.(DialectEngine)
	for s.err == nil && ctx.Err() == nil {
		if s.job == nil && len(s.queue) > 0 {
			s.runNext()
			continue
		}
		if s.changed && s.job == nil && s.pondering == nil && len(lines) == 0 {
			s.prepare()
		}
		s.ponder()
		var reports chan report
		var done chan result
		var overdue, showAt <-chan time.Time
		if s.job != nil {
			reports, done, overdue, showAt = s.job.reports, s.job.done, s.job.overdue, s.job.showAt
		} else if lines == nil && s.importing == nil {
			return s.end()
		}
		var read chan imported
		var tick <-chan time.Time
		if s.importing != nil && s.job == nil {
			read, tick = s.importing.done, s.importing.tick.C
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
				s.drop(dropWait)
				return s.end()
			}
		case r := <-reports:
			s.show(r)
		case <-showAt:
			s.showWaiting()
		case r := <-done:
			s.answer(r)
		case r := <-read:
			s.imported(r)
		case <-tick:
			s.importProgress()
		case <-overdue:
			s.job.cancel()
		case <-s.due:
			s.playBothColors()
		case <-s.ending:
			if len(lines) == 0 {
				s.drop(dropWait)
				return s.end()
			}
		case <-ctx.Done():
		}
	}
	s.drop(dropWait)
	return errors.Join(s.err, s.end())
}

// end saves the database at the end of the conversation. An error is shown too, while somebody may
// still listen: what the engine has found would be lost without a word.
func (s *server) end() error {
	s.endImport()
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
}

// moves returns the cells of the list.
func (t *task) moves() []board.Move {
	list := make([]board.Move, len(t.stones))
	for i, stone := range t.stones {
		list[i] = stone.Move
	}
	return list
}

// A job is a running search.
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
}

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

	width, height int    // of the game; zero before START
	yixin         bool   // the manager speaks the dialect, see switchToDialect
	yFirst        bool   // it is Yixin-Board, whose coordinates are row,column
	rule          string // last values of INFO keys
	turn, match   string
	folder        string
	ponders       bool // may think on the other's time
	swapable      bool // under a rule of swapping the engine may still swap
	showDetail    int  // of the reports: 1 moves of the root, 2 lines, 3 both

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
	importing    *importing         // a file that is being read into it, nil for none
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

// drop cancels the running search without an answer and waits at most limit for its end.
func (s *server) drop(limit time.Duration) {
	s.endPonder()
	if s.job == nil {
		return
	}
	s.job.cancel()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-s.job.done:
	case <-timer.C:
	}
	s.idle()
}

// answer writes the result of the running search, which has ended.
func (s *server) answer(r result) {
	s.job.cancel()
	s.idle()
	s.played = r.moved
	for _, note := range r.notes {
		s.note(note)
	}
	for _, line := range r.lines {
		s.say(line)
	}
}

// idle notes that the running search has ended.
func (s *server) idle() { s.job, s.idleSince = nil, time.Now() }

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

// prepare gets the engine ready for a move. That this fails is noted, and may not matter to the move.
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
	switch key {
	case "rule":
		s.rule = value
	case "timeout_turn":
		s.turn = value
	case "timeout_match":
		s.match = value
	}
	value = s.meaning(key, value)
	if err := s.e.Set(key, value); err != nil { // of a file
		s.refuseInfo(err, at)
		return
	}
	if key == "timeout_turn" && value == "0" && s.job != nil {
		s.job.cancel() // move now
	}
	switch key {
	case "rule", "thread_num", "max_memory", "hash_size", "strength", "usedatabase":
		s.changed = true
	}
	if key == "time_left" {
		s.scheduleSelfMove()
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
