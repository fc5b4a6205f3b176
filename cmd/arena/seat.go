package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/protocol"
)

const (
	okLimit     = 5 * time.Second        // for OK after START
	memoryWatch = 100 * time.Millisecond // between looks at the memory of a thinking engine
	noLimit     = "2147483647"           // what managers send as time_left of an unlimited game
)

// A seat is one engine as one worker uses it: its process, if it runs, and its side of
// the game that is played.
type seat struct {
	engine *engine
	tag    string // environment variable that marks its processes, NAME=VALUE prefix
	client *protocol.Client
	mark   string // the tag of the running process

	unused bool // the process has not played yet

	trouble error // the machine could not start the process, which is nobody's loss

	game    context.Context // its end kills the process, also one that replaced another; nil between games
	release func() bool     // frees the process from it

	reused bool  // the process has played before the game that begins
	failed error // what kept START from being sent

	left  time.Duration // of the match time
	fresh bool          // has not been told the position of this game
	limit time.Duration // for the answer that is due, tolerance included
	over  func() int64  // ends the watch over its memory
}

var launches atomic.Int64

// launch starts the process if there is none that can be used.
func (s *seat) launch() error {
	if s.client != nil && (s.unused || s.client.Err() == nil) {
		return nil
	}
	s.close()
	args, err := s.engine.argv()
	if err != nil {
		return err
	}
	s.mark = s.tag + "." + strconv.FormatInt(launches.Add(1), 10) + "."
	s.unused = true
	s.client, err = protocol.Launch(protocol.ClientOptions{
		Args: args, Dir: s.engine.Dir, Pause: s.engine.Pause, Env: []string{s.mark},
	})
	if err != nil {
		s.client = nil
		if shortage(err) {
			s.trouble = err
		}
		return &protocol.Failure{Reason: protocol.Crash, Detail: err.Error()}
	}
	s.watch()
	return nil
}

// shortage reports whether a process could not be started for want of something that the
// machine or our limits owe it: files, processes, memory.
func shortage(err error) bool {
	for _, e := range []error{syscall.EMFILE, syscall.ENFILE, syscall.EAGAIN, syscall.ENOMEM} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// enter binds the process, and those that may replace it, to a game: when ctx ends they
// are killed. It holds until the game is left with ctx nil.
func (s *seat) enter(ctx context.Context) {
	s.game = ctx
	s.watch()
}

// watch lets the end of the game kill the process that runs now.
func (s *seat) watch() {
	if s.release != nil {
		s.release()
		s.release = nil
	}
	if s.game != nil && s.client != nil {
		s.release = context.AfterFunc(s.game, s.client.Kill)
	}
}

func isCrash(err error) bool {
	f, ok := err.(*protocol.Failure)
	return ok && f.Reason == protocol.Crash
}

// close ends the process and everything it started.
func (s *seat) close() {
	if s.leave() && !s.shared() {
		killMarked(s.mark)
	}
}

// leave ends the process and its group, which is enough at the end of a tournament: what
// left the group is looked for once for all engines. It reports whether there was one.
func (s *seat) leave() bool {
	if s.client == nil {
		return false
	}
	s.client.Close()
	s.client = nil
	return true
}

// shared reports whether the engine's helpers may serve other engines too, as the wine
// server does; they go when the tournament ends.
func (s *seat) shared() bool {
	args, _ := s.engine.argv()
	return len(args) > 0 && strings.HasPrefix(filepath.Base(args[0]), "wine")
}

// running reports whether there is a process that can be used.
func (s *seat) running() bool { return s.client != nil && s.client.Err() == nil }

// begin sends START for a new game, without the wait for OK, which is ready's: engines
// can get ready side by side.
func (s *seat) begin(size int) {
	s.reused = s.running() && !s.unused
	s.failed = s.call(size)
}

// call starts the process if need be and sends START.
func (s *seat) call(size int) error {
	if err := s.launch(); err != nil {
		return err
	}
	s.unused = false
	s.client.SendStart(size, size, cmp.Or(s.engine.okLimit, okLimit))
	return nil
}

// ready waits until the engine, for which begin has been called, is at the empty board.
func (s *seat) ready(size int) error {
	err := s.failed
	if err == nil {
		_, err = s.client.Answer()
	}
	if s.reused && isCrash(err) {
		// It went after the end of an earlier game, which is no fault.
		s.close()
		if err = s.call(size); err == nil {
			_, err = s.client.Answer()
		}
	}
	return err
}

// tell gives the engine all limits of the game.
func (s *seat) tell(rule int) error {
	e := s.engine
	s.left, s.fresh = e.TC.Match, true
	memory := e.Memory
	if memory == 0 {
		memory = toldMemory
	}
	lines := [][2]string{
		{"max_memory", strconv.FormatInt(memory, 10)},
		{"timeout_match", millis(e.TC.Match)},
	}
	add := func(key, value string) { lines = append(lines, [2]string{key, value}) }
	switch {
	case e.TC.Turn > 0:
		add("timeout_turn", millis(e.TC.Turn))
	case e.TC == (timeControl{}):
		add("timeout_turn", millis(e.Hang))
	}
	if e.TC.Increment > 0 {
		add("time_increment", millis(e.TC.Increment))
	}
	if e.TC.Match == 0 {
		add("time_left", noLimit) // once, since it stays so
	}
	add("game_type", "2")
	add("rule", strconv.Itoa(rule))
	if e.Depth > 0 {
		add("max_depth", strconv.FormatInt(e.Depth, 10))
	}
	if e.Nodes > 0 {
		add("max_node", strconv.FormatInt(e.Nodes, 10))
	}
	if e.Threads > 0 {
		add("thread_num", strconv.FormatInt(e.Threads, 10))
	}
	return s.client.Infos(append(lines, e.Info...))
}

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// think tells the engine the position and asks for its move.
func (s *seat) think(r *referee) (protocol.Reply, error) {
	s.send(r)
	return s.answer()
}

// send is the first half of think. What fails in it lasts and is answer's to tell.
func (s *seat) send(r *referee) {
	if s.engine.TC.Match > 0 {
		s.client.Info("time_left", millis(s.left))
	}
	s.limit = s.engine.turnLimit(s.left) + s.engine.Tolerance
	s.over = s.watchMemory()
	switch {
	case len(r.moves) == 0:
		s.client.SendBegin(s.limit)
	case s.fresh:
		s.client.SendBoard(r.moves, s.limit)
	default:
		s.client.SendTurn(r.moves[len(r.moves)-1], s.limit)
	}
	s.fresh = false
}

// answer waits for the move that send has asked for.
func (s *seat) answer() (protocol.Reply, error) {
	reply, err := s.client.Answer()
	if used := s.over(); used > 0 {
		return reply, &protocol.Failure{Reason: "memory", Detail: fmt.Sprintf("%d MiB, allowed are %d", used>>20, s.engine.Memory>>20)}
	}
	if err == nil && reply.Elapsed > s.limit {
		err = &protocol.Failure{Reason: protocol.Timeout, Detail: fmt.Sprintf("answered after %v, allowed were %v", reply.Elapsed.Round(time.Millisecond), s.limit)}
	}
	s.left += s.engine.TC.Increment - reply.Elapsed
	return reply, err
}

// watchMemory looks after the engine's processes until the returned function is called,
// which looks a last time and gives the bytes found if they were too many, else 0. A
// process tree that grows too large while thinking is killed.
func (s *seat) watchMemory() func() int64 {
	limit := s.engine.Memory
	if limit == 0 {
		return func() int64 { return 0 }
	}
	client, done, seen := s.client, make(chan struct{}), make(chan int64, 1)
	go func() {
		tick := time.NewTicker(memoryWatch)
		defer tick.Stop()
		for {
			select {
			case <-done:
				seen <- overMemory(client.Pid(), limit)
				return
			case <-tick.C:
				if used := overMemory(client.Pid(), limit); used > 0 {
					client.Kill()
					<-done
					seen <- used
					return
				}
			}
		}
	}()
	return func() int64 {
		close(done)
		return <-seen
	}
}

// playGame plays one game between two seats and returns its record without the fields
// that belong to the tournament. Processes that failed are ended before it returns.
func playGame(set *settings, f fixture, opening []board.Move, black, white *seat) *gameRecord {
	began := time.Now()
	g := &gameRecord{
		Game: f.Game, Round: f.Round, Black: black.engine.Name, White: white.engine.Name,
		Opening: len(opening), Rule: set.Rule, Size: set.Size, Started: stamp(began), Time: []float64{},
	}
	seats := [2]*seat{board.Black: black, board.White: white}
	for _, s := range seats {
		s.begin(set.Size)
	}
	ref, err := newReferee(board.Rule(set.Rule), set.Size, opening, set.DrawAfter) // while they get ready
	if err != nil {
		panic(err) // rule and size were checked before the tournament began
	}
	rule := play(set, g, ref, seats)
	g.Result, g.Reason, g.Detail = rule.outcome.String(), rule.reason, rule.detail
	g.Moves = record.FormatMoves(ref.moves)
	g.Seconds = float64(time.Since(began).Milliseconds()) / 1000
	g.trim()
	if failed(rule.reason) {
		seats[map[record.Outcome]board.Color{record.WhiteWon: board.Black, record.BlackWon: board.White}[rule.outcome]].close()
	}
	for _, s := range seats {
		if s.engine.Restart {
			s.close()
		}
	}
	return g
}

// play asks for moves until there is a ruling. What a move takes of work is done after
// the next engine has been told of it, as far as that can be.
func play(set *settings, g *gameRecord, ref *referee, seats [2]*seat) *ruling {
	var failures [2]error
	for side, s := range seats {
		failures[side] = s.ready(set.Size)
	}
	for side, s := range seats {
		if failures[side] == nil {
			failures[side] = s.tell(set.Rule)
		}
	}
	for side, err := range failures {
		if err != nil {
			return fault(board.Color(side), err)
		}
	}
	seats[ref.b.Side()].send(ref)
	for {
		side := ref.b.Side()
		next := seats[side.Other()]
		reply, err := seats[side].answer()
		if err != nil {
			return fault(side, err)
		}
		rule := ref.judge(reply.X, reply.Y)
		if rule != nil && failed(rule.reason) {
			return rule
		}
		if rule == nil && set.Adjudicate == nil {
			next.send(ref)
		}
		ref.follow()
		g.note(&reply)
		if rule == nil && set.Adjudicate != nil {
			if rule = set.Adjudicate.rule(g.Eval, side); rule == nil {
				next.send(ref)
			}
		}
		if rule != nil {
			return rule
		}
	}
}

// fault turns the failure of a client into a ruling.
func fault(side board.Color, err error) *ruling {
	if f, ok := err.(*protocol.Failure); ok {
		return lost(side, string(f.Reason), f.Detail)
	}
	return lost(side, string(protocol.Crash), err.Error())
}

// note keeps what is known of a move that was played.
func (g *gameRecord) note(r *protocol.Reply) {
	g.Time = append(g.Time, float64(r.Elapsed.Microseconds())/1000)
	g.Depth = append(g.Depth, r.Stats.Depth)
	g.Nodes = append(g.Nodes, r.Stats.Nodes)
	g.Eval = append(g.Eval, eval{r.Stats.Scored, r.Stats.Eval, r.Stats.Mate})
}

// trim drops lists in which nothing was told.
func (g *gameRecord) trim() {
	depth, nodes, evals := false, false, false
	for i := range g.Depth {
		depth = depth || g.Depth[i] != 0
		nodes = nodes || g.Nodes[i] != 0
		evals = evals || g.Eval[i].told
	}
	if !depth {
		g.Depth = nil
	}
	if !nodes {
		g.Nodes = nil
	}
	if !evals {
		g.Eval = nil
	}
}
