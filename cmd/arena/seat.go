package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
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

	left  time.Duration // of the match time
	fresh bool          // has not been told the position of this game
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

// start brings the engine to the empty board of a new game and tells it all limits.
func (s *seat) start(rule, size int) error {
	reused := s.client != nil && !s.unused
	err := s.launch()
	if err == nil {
		s.unused = false
		err = s.client.Start(size, size, cmp.Or(s.engine.okLimit, okLimit))
	}
	if reused && isCrash(err) {
		// It went after the end of an earlier game, which is no fault.
		s.close()
		if err = s.launch(); err == nil {
			s.unused = false
			err = s.client.Start(size, size, cmp.Or(s.engine.okLimit, okLimit))
		}
	}
	if err != nil {
		return err
	}
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
	if s.engine.TC.Match > 0 {
		if err := s.client.Info("time_left", millis(s.left)); err != nil {
			return protocol.Reply{}, err
		}
	}
	limit := s.engine.turnLimit(s.left) + s.engine.Tolerance
	over := s.watchMemory()
	var reply protocol.Reply
	var err error
	switch {
	case len(r.moves) == 0:
		reply, err = s.client.Begin(limit)
	case s.fresh:
		reply, err = s.client.Board(stones(r.moves), limit)
	default:
		reply, err = s.client.Turn(r.moves[len(r.moves)-1], limit)
	}
	s.fresh = false
	if used := over(); used > 0 {
		return reply, &protocol.Failure{Reason: "memory", Detail: fmt.Sprintf("%d MiB, allowed are %d", used>>20, s.engine.Memory>>20)}
	}
	if err == nil && reply.Elapsed > limit {
		err = &protocol.Failure{Reason: protocol.Timeout, Detail: fmt.Sprintf("answered after %v, allowed were %v", reply.Elapsed.Round(time.Millisecond), limit)}
	}
	s.left += s.engine.TC.Increment - reply.Elapsed
	return reply, err
}

// stones lists the position for the side to move.
func stones(moves []board.Move) []protocol.Stone {
	list := make([]protocol.Stone, len(moves))
	for i, m := range moves {
		who := protocol.Own
		if i&1 != len(moves)&1 {
			who = protocol.Opponent
		}
		list[i] = protocol.At(m, who)
	}
	return list
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
	ref, err := newReferee(board.Rule(set.Rule), set.Size, opening, set.DrawAfter)
	if err != nil {
		panic(err) // rule and size were checked before the tournament began
	}
	seats := [2]*seat{board.Black: black, board.White: white}
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

// play asks for moves until there is a ruling.
func play(set *settings, g *gameRecord, ref *referee, seats [2]*seat) *ruling {
	var failures [2]error
	var wait sync.WaitGroup
	for side, s := range seats {
		wait.Go(func() { failures[side] = s.start(set.Rule, set.Size) })
	}
	wait.Wait()
	for side, err := range failures {
		if err != nil {
			return fault(board.Color(side), err)
		}
	}
	for {
		side := ref.b.Side()
		reply, err := seats[side].think(ref)
		if err != nil {
			return fault(side, err)
		}
		rule := ref.play(reply.X, reply.Y)
		if rule != nil && failed(rule.reason) {
			return rule
		}
		g.note(&reply)
		if rule == nil {
			rule = set.Adjudicate.rule(g.Eval, side)
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
