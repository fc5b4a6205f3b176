// Package protocol implements the Gomocup protocol with the extensions of Yixin-Board, engine
// and manager sides: Serve executes the commands of a manager, and Client drives an engine.
package protocol

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/database"
	"tengen/brain/opening"
)

// An Engine is what Serve uses of brain.Engine, which documents the methods. Only Set and
// Options may be called while Analyze, Opening, Balance or Ponder runs.
type Engine interface {
	Set(key, value string)
	Options() brain.Options
	NewGame(width, height int) error
	Restart() error
	Setup(stones []brain.Stone) error
	Play(m board.Move) error
	TakeBack(m board.Move) error
	Stones() int
	Forbidden() ([]board.Move, error)
	Forget()
	Analyze(ctx context.Context, o brain.Options, start time.Time, q brain.Query, report func(brain.Info)) (brain.Thought, error)
	Opening(ctx context.Context, o brain.Options, start time.Time, stones []board.Move, report func(brain.Info)) (brain.Opening, error)

	// For the dialect of Yixin-Board.
	Choose(ctx context.Context, o brain.Options, start time.Time, s *opening.State, report func(brain.Info)) (brain.Choices, error)
	Moves() []board.Move
	Balance(ctx context.Context, o brain.Options, start time.Time, n, bias int, report func(brain.Info)) (brain.Proposal, error)
	Ponder(ctx context.Context, o brain.Options) error
	Block(m board.Move, on bool)
	BlockPath(path []board.Move, on bool)
	BlockFor(c board.Color, m board.Move, on bool)
	Unblock(paths bool)
	KeepTable(keep bool)
	TableUsage() (used, room int64)
	DumpTable(path string) (entries int64, err error)
	LoadTable(path string) (entries int64, err error)
	UseDatabase(d *database.Database)
	Position() (*board.Board, error)
}

const (
	messageGap  = 300 * time.Millisecond        // minimum between two MESSAGE lines of a search
	batchGap    = time.Second                   // the same between two iterations of several lines
	dropWait    = 50 * time.Millisecond         // for a search to end that is not waited for
	orphanLimit = time.Minute                   // for a search after the end of input
	maxReports  = board.MaxSize * board.MaxSize // lines of a search waiting to be written
	readAhead   = 64                            // lines read, with their time, while one is executed
	maxQueue    = 4096                          // commands waiting
	maxStones   = 4096                          // lines kept of one block
)

// Serve executes the commands read from r and writes the answers to w until END, end of
// input, or a write error, which it returns. Each line is written by one Write.
//
// Serve reads on while the engine thinks. INFO, ABOUT, STOP and YXSTOP act at once, and so do
// questions to the database. START, RECTSTART and RESTART cancel a running search without an
// answer, drop the commands that wait, and are executed at once. END ends Serve without an
// answer. All other commands are executed in order. After the end of input the remaining
// commands are still answered, but searches not limited to a minute are cancelled. A database
// that was changed is saved at the end, if it has a file.
//
// Serve does not wait for the goroutine that reads r, which ends at the end of r or after
// its next line. After END or a write error it waits at most 50 ms for the engine.
func Serve(r io.Reader, w io.Writer, e Engine) error {
	quit := make(chan struct{})
	defer close(quit)
	lines := make(chan input, readAhead)
	go readLines(r, lines, quit)
	s := &server{w: w, e: e, idleSince: time.Now()}
	for s.err == nil {
		if s.job == nil && len(s.queue) > 0 {
			next := s.queue[0]
			s.queue = s.queue[1:]
			s.run(next)
			continue
		}
		s.ponder()
		var reports chan report
		var done chan result
		var overdue <-chan time.Time
		if s.job != nil {
			reports, done, overdue = s.job.reports, s.job.done, s.job.overdue
		} else if lines == nil {
			return s.keepDatabase()
		}
		select {
		case in, open := <-lines:
			if !open {
				lines = nil
				s.eof = true
				s.block = nil
				s.endPonder()
				s.hurry()
			} else if end := s.take(in); end {
				s.drop(dropWait)
				return s.keepDatabase()
			}
		case r := <-reports:
			s.show(r)
		case answer := <-done:
			s.job.cancel()
			s.job = nil
			s.idleSince = time.Now()
			s.played = answer.moved
			for _, note := range answer.notes {
				s.note(note)
			}
			for _, line := range answer.lines {
				s.say(line)
			}
		case <-overdue:
			s.job.cancel()
		case <-s.due:
			s.moveAlone()
		}
	}
	s.drop(dropWait)
	return s.err
}

// An input is a line and the time at which it was read.
type input struct {
	text string
	at   time.Time
}

// readLines sends the lines of r, which may end in LF, CR or both, and closes lines at the
// end of r. Lines longer than any command are truncated.
func readLines(r io.Reader, lines chan<- input, quit <-chan struct{}) {
	defer close(lines)
	chunk := make([]byte, 32<<10)
	var line []byte
	afterCR := false
	for {
		n, err := r.Read(chunk)
		at := time.Now()
		data := chunk[:n]
		if err != nil {
			data = append(data, '\n') // the last line may lack a line end
		}
		for _, ch := range data {
			if ch != '\n' && ch != '\r' {
				if len(line) < maxLine {
					line = append(line, ch)
				}
				afterCR = false
				continue
			}
			if ch == '\n' && afterCR {
				afterCR = false
				continue // one line end
			}
			afterCR = ch == '\r'
			select {
			case lines <- input{string(line), at}:
			case <-quit:
				return
			}
			line = line[:0]
		}
		if err != nil {
			return
		}
	}
}

// A task is a command waiting for execution, with the lines of its block.
type task struct {
	Command
	at      time.Time // when its last line was read
	stones  []brain.Stone
	errors  []string // in lines of the block that were read while the engine was busy
	noStart bool     // there was no game at its first line: the block is read and ignored
	wrong   string   // what is wrong with the first bad line of a list of the dialect
	path    string   // of a file
	quoted  string   // the text of a quotedText
	quotes  int      // of that text so far
}

// A job is a running search.
type job struct {
	cancel  context.CancelFunc
	reports chan report
	done    chan result
	options brain.Options
	overdue <-chan time.Time // set after the end of input
	alone   *board.Move      // of moveAlone: the move, once it is done
}

// A result is what a search returns at its end.
type result struct {
	notes []string // see note
	lines []string // of the answer
	moved bool     // the engine has moved, the other side is to move
}

// A server is the state of Serve. Only the goroutine of Serve uses it.
type server struct {
	w   io.Writer
	err error // of the first failed Write
	e   Engine

	width, height int    // of the game; zero before START
	yixin         bool   // the manager speaks the dialect of Yixin-Board
	yFirst        bool   // it is Yixin-Board, whose coordinates are row,column
	rule          string // last values of INFO keys
	turn, match   string
	folder        string

	block     *task // being read
	queue     []task
	job       *job
	idleSince time.Time
	eof       bool
	played    bool      // the engine has moved last
	pondering *ponderer // nil unless it thinks on the other's time
	skipping  bool      // lines that belong to a command that is not known

	alone bool             // only this engine has moved since the board was set up
	due   <-chan time.Time // when it is to move again, see alone.go

	database     *database.Database // nil for none
	databasePath string             // its file, empty for none
}

// say writes one line.
func (s *server) say(line string) {
	if s.err == nil {
		_, s.err = s.w.Write([]byte(line + "\n"))
	}
}

// fault answers a command with an error.
func (s *server) fault(err error) { s.say(errorLine(err.Error())) }

// busy reports whether a command has to wait.
func (s *server) busy() bool { return s.job != nil || len(s.queue) > 0 }

// take executes a line or queues it. It reports whether the line is END.
func (s *server) take(in input) (end bool) {
	if s.block != nil && s.block.Verb == Extension && dialect[s.block.Name].shape == filePath {
		s.pathLine(in)
		return false
	}
	if s.block != nil && s.block.quotes == 1 {
		s.quotedLine(in)
		return false
	}
	c := Parse(in.text)
	if c.Verb != Blank && c.Verb != About {
		s.endPonder()
	}
	if c.Yixin && !s.yixin {
		s.meetYixin()
	}
	if c.Verb == Unknown && s.skipping && !c.Yixin {
		return false
	}
	if c.Verb != Blank && c.Verb != Info {
		s.skipping = c.Yixin && (c.Verb == Unknown || c.Verb == Bad)
	}
	switch c.Verb {
	case Blank, End, Info, About, Stop:
	default:
		s.accompanied()
	}
	switch c.Verb {
	case Blank:
	case End:
		return true
	case Info:
		s.info(c.Key, c.Value)
	case About:
		s.say(aboutLine())
	case Stop:
		if s.job != nil {
			s.job.cancel()
		}
	case Start, Restart:
		if c.Verb == Start && !supported(c.Width, c.Height) {
			// If the text contains 20, Piskvork tries again with that size.
			s.say(errorLine(fmt.Sprintf("unsupported board %dx%d: sides must be %d to %d, such as 20",
				c.Width, c.Height, board.MinSize, board.MaxSize)))
			return false
		}
		s.block = nil
		s.queue = nil
		s.drop(time.Hour)
		s.start(c)
	default:
		if s.block != nil {
			s.blockLine(in)
			return false
		}
		t := task{Command: c, at: in.at}
		switch c.Verb {
		case SetBoard, ShowBoard, Swap2:
			s.openBlock(t)
			for _, field := range strings.Fields(c.Inline) {
				if s.block != nil {
					s.blockLine(input{field, in.at})
				}
			}
		case Extension:
			if dialect[c.Name].shape == oneLine {
				s.enqueue(t)
			} else {
				s.block = &t
				if dialect[c.Name].shape == quotedText {
					s.quotedLine(input{c.Args, in.at})
				}
			}
		default:
			s.enqueue(t)
		}
	}
	return false
}

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
	s.job = nil
	s.idleSince = time.Now()
}

// supported reports whether the engine can play on a board of that size.
func supported(width, height int) bool {
	return min(width, height) >= board.MinSize && max(width, height) <= board.MaxSize
}

// start begins a game.
func (s *server) start(c Command) {
	var err error
	if c.Verb == Restart {
		err = s.e.Restart()
	} else if err = s.e.NewGame(c.Width, c.Height); err == nil {
		s.width, s.height = c.Width, c.Height
	}
	if err != nil {
		s.fault(err)
		return
	}
	s.played = false
	s.say("OK")
}

// info sets an option. Two values differ if the manager is Yixin-Board: rule 2 is renju
// instead of continuous, and timeout_turn 0 is no limit instead of no time.
func (s *server) info(key, value string) {
	switch key {
	case "":
		return
	case "rule":
		s.rule = value
		if s.yixin {
			value = ruleInDialect(value)
		}
	case "timeout_turn":
		s.turn = value
		if value == "0" && s.job != nil {
			s.job.cancel() // move now
		}
		if s.yixin && value == "0" {
			value = "-1"
		}
	case "timeout_match":
		s.match = value
	case "folder":
		s.folder = value
	}
	s.e.Set(key, value)
	if key == "time_left" {
		s.awaitAlone()
	}
}

// openBlock begins the block of t.
func (s *server) openBlock(t task) {
	if s.width == 0 {
		t.noStart = true
		s.fault(brain.ErrNoGame)
	}
	s.block = &t
}

// blockLine reads a line of the block.
func (s *server) blockLine(in input) {
	t := s.block
	if isWord(strings.Trim(in.text, " \t"), "DONE") {
		s.block = nil
		t.at = in.at
		if !t.noStart {
			s.enqueue(*t)
		}
		return
	}
	if t.noStart {
		return
	}
	stone, reason := s.view().stone(in.text, t.Verb == SetBoard || t.Verb == ShowBoard)
	switch {
	case reason != "" && t.Verb == Extension:
		if t.wrong == "" {
			t.wrong = reason
		}
	case reason != "" && !s.busy():
		s.say(errorLine(reason))
	case reason != "" && len(t.errors) < maxQueue:
		t.errors = append(t.errors, reason)
	case reason == "" && len(t.stones) < maxStones:
		t.stones = append(t.stones, stone)
	}
}

// pathLine takes the line of a path.
func (s *server) pathLine(in input) {
	path := strings.Trim(in.text, " \t")
	if path == "" {
		return
	}
	t := *s.block
	s.block = nil
	t.at, t.path = in.at, path
	s.enqueue(t)
}

// enqueue runs t now, or later if the engine is busy.
func (s *server) enqueue(t task) {
	switch {
	case !s.busy():
		s.run(t)
	case t.Verb == Extension && dialect[t.Name].anytime && s.database != nil && len(s.queue) == 0:
		s.extend(t)
	case len(s.queue) < maxQueue:
		s.queue = append(s.queue, t)
	default:
		s.say(errorLine("too many commands are waiting"))
	}
}

// run executes a command. The engine must be idle.
func (s *server) run(t task) {
	for _, reason := range t.errors {
		s.say(errorLine(reason))
	}
	switch t.Verb {
	case Unknown:
		s.say(unknownLine(t.Text))
		return
	case Bad:
		s.say(errorLine(t.Text))
		return
	case Extension:
		s.extend(t)
		return
	}
	if s.width == 0 {
		s.fault(brain.ErrNoGame)
		return
	}
	if err := s.obey(t); err != nil {
		s.fault(err)
	}
}

// obey executes a command that needs a game.
func (s *server) obey(t task) error {
	var m board.Move // of the commands that have one
	switch t.Verb {
	case Turn, Play, TakeBack:
		var err error
		if m, err = s.at(t.X, t.Y); err != nil {
			return err
		}
	}
	s.played = false
	s.alone = t.Verb == Begin || t.Verb == SetBoard
	switch t.Verb {
	case Begin:
		if n := s.e.Stones(); n > 0 {
			return fmt.Errorf("BEGIN needs an empty board, there are %d stones", n)
		}
		s.think(t, 1)
	case Turn:
		if err := s.e.Play(m); err != nil {
			return err
		}
		s.think(t, 1)
	case Play:
		if err := s.e.Play(m); err != nil {
			return err
		}
		s.played = true
		s.say(s.view().move(m))
	case TakeBack:
		if err := s.e.TakeBack(m); err != nil {
			return err
		}
		s.say("OK")
	case SetBoard:
		if err := s.e.Setup(t.stones); err != nil {
			return err
		}
		s.think(t, 1)
	case ShowBoard:
		return s.e.Setup(t.stones)
	case Swap2:
		s.swap2(t)
	}
	return nil
}

// think starts the search for a move.
func (s *server) think(t task, lines int) {
	v, detail := s.view(), s.detail()
	maySwap := s.maySwap()
	s.launch(t, func(r request) result {
		thought, err := s.e.Analyze(r.ctx, r.options, r.start, brain.Query{Lines: lines, Watch: r.watch, NoBook: t.Verb == Extension}, r.info)
		if err != nil {
			return result{lines: []string{errorLine(err.Error())}}
		}
		var lines []string
		for _, i := range thought.Infos {
			lines = append(lines, v.report(i, i.Line == len(thought.Infos)-1, detail)...)
		}
		if maySwap && len(thought.Infos) > 0 && thought.Infos[0].Score < 0 && s.e.TakeBack(thought.Move) == nil {
			return result{thought.Notes, append(lines, "SWAP"), false}
		}
		return result{thought.Notes, append(lines, v.move(thought.Move)), true}
	})
}

// swap2 starts the search for a step of a swap2 opening.
func (s *server) swap2(t task) {
	stones := make([]board.Move, len(t.stones))
	for i, stone := range t.stones {
		stones[i] = stone.Move
	}
	v := s.view()
	s.launch(t, func(r request) result {
		answer, err := s.e.Opening(r.ctx, r.options, r.start, stones, r.info)
		if err != nil {
			return result{lines: []string{errorLine(err.Error())}}
		}
		return result{answer.Notes, []string{v.opening(answer)}, false}
	})
}

// A request is what a search is given.
type request struct {
	ctx     context.Context
	options brain.Options
	start   time.Time
	info    func(brain.Info)
	watch   func(brain.RootEvent) // nil if nobody wants to know
}

// launch runs a search in a goroutine, with the options as they are now. Its time counts
// from when the command was read, or if that had to wait from when the engine was free.
func (s *server) launch(t task, search func(request) result) {
	s.wantDatabase()
	start := t.at
	if s.idleSince.After(start) {
		start = s.idleSince
	}
	ctx, cancel := context.WithCancel(context.Background())
	j := &job{options: s.forDialect(s.e.Options()), cancel: cancel, reports: make(chan report, maxReports), done: make(chan result, 1)}
	r := request{ctx: ctx, options: j.options, start: start, info: throttle(j.reports)}
	if s.detail()&detailRoot != 0 {
		r.watch = rootReports(j.reports)
	}
	s.job = j
	s.played = false
	s.hurry()
	go func() {
		var answer result
		defer func() {
			if r := recover(); r != nil {
				text := plain(fmt.Sprint("internal failure: ", r))
				answer = result{notes: []string{text + "\n" + string(debug.Stack())}, lines: []string{errorLine(text)}}
			}
			j.done <- answer
		}()
		answer = search(r)
	}()
}

// hurry limits the running search to a minute after the end of input, when nothing can stop it
// any more. It cancels a search at once that only a longer limit of the move, or none, would
// end.
func (s *server) hurry() {
	if !s.eof || s.job == nil {
		return
	}
	o := s.job.options
	if o.Turn > orphanLimit && o.Left == brain.NoLimit && o.Match == brain.NoLimit && o.Nodes == 0 && o.Depth == 0 {
		s.job.cancel()
		return
	}
	s.job.overdue = time.After(orphanLimit)
}

// throttle returns a report function that sends a few lines a second to out and never
// blocks. Of a search for several lines it sends whole iterations.
func throttle(out chan<- report) func(brain.Info) {
	last := time.Now()
	open := false
	return func(i brain.Info) {
		if i.Line == 0 {
			gap := messageGap
			if i.Lines > 1 {
				gap = batchGap
			}
			now := time.Now()
			if open = now.Sub(last) >= gap; open {
				last = now
			}
		}
		if !open {
			return
		}
		select {
		case out <- report{info: i}:
		default: // the manager does not read as fast
		}
	}
}
