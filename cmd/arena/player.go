package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"tengen/brain/about"
	"tengen/brain/board"
	"tengen/protocol/client"
)

const (
	okLimit     = 5 * time.Second        // for OK after START, unless the tolerance is longer
	memoryEvery = 250 * time.Millisecond // between checks of the memory of a thinking engine
	patience    = time.Second            // after an ERROR or UNKNOWN for a command, which other managers pass over
)

// A player is an engine of one worker: its process, if it runs, and its side of the
// current game.
type player struct {
	engine *engine
	tag    string       // environment variable that marks its processes, NAME=VALUE prefix
	note   func(string) // is given what the engine says of a failed search, in any goroutine
	log    *dialogue    // nil writes none
	strict bool         // an ERROR or UNKNOWN for a command loses at once
	client *client.Client
	mark   string // tag and number of the running process

	startError error // the process could not be started; the program was there before, so it is not the engine's fault

	game    context.Context // of the current game, whose end kills the process; nil between games
	release func() bool     // detaches the process from game

	reused bool  // the process has played before the game that begins
	failed error // START could not be sent

	left  time.Duration // on the clock of the game
	fresh bool          // has not been told the position of this game
	limit time.Duration // for the pending answer, tolerance included
	part  int           // of the limits of a move that searches for choices have; 0 after other limits
	over  func() int64  // stops watchMemory
}

var launches atomic.Int64

// launch starts the process if there is no usable one.
func (p *player) launch() error {
	if p.client != nil && p.client.Err() == nil {
		return nil
	}
	p.close()
	p.mark = p.tag + "." + strconv.FormatInt(launches.Add(1), 10) + "."
	o := client.Options{
		Pause: p.engine.Pause,
		OnMessage: func(line string) {
			if strings.Contains(line, about.SearchFailed) {
				p.note(p.engine.Name + ": " + line)
			}
		},
		OnLine: p.log.lines(p.engine.Name),
	}
	if !p.strict {
		o.Patience = cmp.Or(p.engine.patience, patience)
	}
	var err error
	p.client, err = client.Launch(client.Program{Command: p.engine.Cmd, Dir: p.engine.Dir, Env: []string{p.mark}}, o)
	if err != nil {
		p.client, p.startError = nil, err
		return &client.Failure{Reason: client.Crash, Detail: err.Error()}
	}
	p.watch()
	return nil
}

// enter ties the process, and any that replaces it, to a game: the end of ctx kills it.
// enter(nil) ends this.
func (p *player) enter(ctx context.Context) {
	p.game = ctx
	p.watch()
}

// watch lets the end of the game kill the running process.
func (p *player) watch() {
	if p.release != nil {
		p.release()
		p.release = nil
	}
	if p.game != nil && p.client != nil {
		p.release = context.AfterFunc(p.game, p.client.Kill)
	}
}

func isCrash(err error) bool {
	f, ok := err.(*client.Failure)
	return ok && f.Reason == client.Crash
}

// close ends the process and all processes it started.
func (p *player) close() {
	if p.leave() && !p.shared() {
		killMarked(p.mark)
	}
}

// leave ends the process and its process group, and reports whether there was one. At the
// end of a tournament this is enough: it kills all marked processes anyway.
func (p *player) leave() bool {
	if p.client == nil {
		return false
	}
	p.client.Close()
	p.client = nil
	return true
}

// shared reports whether processes that the engine started may serve other engines too, like
// the wine server; they end with the tournament.
func (p *player) shared() bool {
	args, _ := client.SplitCommand(p.engine.Cmd)
	return len(args) > 0 && strings.HasPrefix(filepath.Base(args[0]), "wine")
}

// begin sends START for a new game. ready waits for the OK, so that both engines can get
// ready at the same time.
func (p *player) begin(size int) {
	p.reused = p.client != nil && p.client.Err() == nil
	p.failed = p.start(size)
}

// start sends START, to a new process if there is no usable one.
func (p *player) start(size int) error {
	if err := p.launch(); err != nil {
		return err
	}
	p.client.SendStart(size, size, cmp.Or(p.engine.okLimit, max(okLimit, p.engine.Tolerance)))
	return nil
}

// ready waits for the answer to begin.
func (p *player) ready(size int) error {
	err := p.failed
	if err == nil {
		_, err = p.client.Answer()
	}
	if p.reused && isCrash(err) {
		// Engines may exit after a game.
		p.close()
		if err = p.start(size); err == nil {
			_, err = p.client.Answer()
		}
	}
	return err
}

// tell sends all limits of the game.
func (p *player) tell(rule int) error {
	e := p.engine
	p.left, p.fresh, p.part = e.TC.Match, true, 0
	lines := [][2]string{infoLine("max_memory", cmp.Or(e.Memory, toldMemory)), infoLine("timeout_match", e.TC.Match.Milliseconds())}
	if turn := cmp.Or(e.TC.Turn, e.Hang); turn > 0 {
		lines = append(lines, infoLine("timeout_turn", turn.Milliseconds()))
	}
	if e.TC.Increment > 0 {
		lines = append(lines, infoLine("time_increment", e.TC.Increment.Milliseconds()))
	}
	if e.TC.Match == 0 {
		lines = append(lines, infoLine("time_left", math.MaxInt32)) // no limit; once, since it does not change
	}
	lines = append(lines, infoLine("game_type", 2), infoLine("rule", int64(rule)))
	lines = append(lines, e.searchLimits(1)...)
	if e.Threads > 0 {
		lines = append(lines, infoLine("thread_num", e.Threads))
	}
	if p.client.Need(); rule != 0 { // an engine that knows no rules plays freestyle
		p.client.Need("rule")
	}
	return p.client.Infos(append(lines, e.Info...))
}

// infoLine returns the key and the value of a line of INFO.
func infoLine(key string, n int64) [2]string { return [2]string{key, strconv.FormatInt(n, 10)} }

// searchLimits returns the lines of INFO for 1/part of the nodes and the depth of a search.
func (e *engine) searchLimits(part int) (lines [][2]string) {
	if e.Depth > 0 {
		depth := e.Depth
		if part == manyPart {
			depth = max(depth/2, 1) // a ply less is already a fraction of the work
		}
		lines = append(lines, infoLine("max_depth", depth))
	}
	if e.Nodes > 0 {
		lines = append(lines, infoLine("max_node", max(e.Nodes/int64(part), 1)))
	}
	return lines
}

// consult asks for the move after stones with 1/part of the limits of a move. It is not charged to the clock
// of the game: arena asks, not the engine.
func (p *player) consult(stones []board.Move, part int) (client.Reply, error) {
	left := p.left
	turn := cmp.Or(p.engine.TC.Turn, p.engine.Hang, left/gameMoves)
	turn = max(turn/time.Duration(part), min(turn, leastSearch))
	if p.part != part {
		lines := [][2]string{infoLine("timeout_turn", turn.Milliseconds())}
		if p.engine.TC.Match > 0 {
			lines = append(lines, infoLine("time_left", left.Milliseconds()))
		}
		if err := p.client.Infos(append(lines, p.engine.searchLimits(part)...)); err != nil {
			return client.Reply{}, err
		}
		p.part = part
	}
	p.limit, p.over = turn+p.engine.Tolerance, p.watchMemory()
	p.client.SendBoard(stones, p.limit)
	reply, err := p.answer()
	p.left = left
	return reply, err
}

// restore sends the limits of a move again, if consult has changed them.
func (p *player) restore() error {
	if p.part == 0 {
		return nil
	}
	p.part = 0
	turn := cmp.Or(p.engine.TC.Turn, p.engine.Hang, p.engine.TC.Match) // 0 would mean at once
	lines := append([][2]string{infoLine("timeout_turn", turn.Milliseconds())}, p.engine.searchLimits(1)...)
	return p.client.Infos(append(lines, p.engine.Info...))
}

// send sends the position and asks for a move. answer returns its failures too.
func (p *player) send(r *referee) {
	p.prepare()
	switch {
	case len(r.moves) == 0:
		p.client.SendBegin(p.limit)
	case p.fresh:
		p.client.SendBoard(r.moves, p.limit)
	default:
		p.client.SendTurn(r.moves[len(r.moves)-1], p.limit)
	}
	p.fresh = false
}

// prepare sends what is left of the clock and sets the limit of the next answer.
func (p *player) prepare() {
	if p.engine.TC.Match > 0 {
		p.client.Info("time_left", strconv.FormatInt(p.left.Milliseconds(), 10))
	}
	p.limit = p.engine.turnLimit(p.left) + p.engine.Tolerance
	p.over = p.watchMemory()
}

// answer waits for what send or another command asked for.
func (p *player) answer() (client.Reply, error) {
	reply, err := p.client.Answer()
	if used := p.over(); used > 0 {
		return reply, &client.Failure{Reason: "memory", Detail: fmt.Sprintf("%d MiB used, %d allowed", used>>20, p.engine.Memory>>20)}
	}
	p.left += p.engine.TC.Increment - reply.Elapsed
	return reply, err
}

// watchMemory checks the memory of the engine's processes, and kills them if they use too
// much, until the returned function is called. That checks a last time and returns the bytes
// in use if they are too many, else 0.
func (p *player) watchMemory() func() int64 {
	limit := p.engine.Memory
	if limit == 0 {
		return func() int64 { return 0 }
	}
	client, mark, done, seen := p.client, p.mark, make(chan struct{}), make(chan int64, 1)
	go func() {
		tick := time.NewTicker(memoryEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				seen <- overMemory(mark, limit)
				return
			case <-tick.C:
				if used := overMemory(mark, limit); used > 0 {
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
