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
)

// A player is an engine of one worker: its process, if it runs, and its side of the
// current game.
type player struct {
	engine *engine
	tag    string       // environment variable that marks its processes, NAME=VALUE prefix
	note   func(string) // is given what the engine says of a failed search, in any goroutine
	log    *dialogue    // nil writes none
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
	var err error
	p.client, err = client.Launch(client.Program{Command: p.engine.Cmd, Dir: p.engine.Dir, Env: []string{p.mark}}, client.Options{
		Pause: p.engine.Pause,
		OnMessage: func(line string) {
			if strings.Contains(line, about.SearchFailed) {
				p.note(p.engine.Name + ": " + line)
			}
		},
		OnLine: p.log.lines(p.engine.Name),
	})
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
	p.left, p.fresh = e.TC.Match, true
	var lines [][2]string
	add := func(key string, n int64) { lines = append(lines, [2]string{key, strconv.FormatInt(n, 10)}) }
	addSet := func(key string, n int64) {
		if n > 0 {
			add(key, n)
		}
	}
	add("max_memory", cmp.Or(e.Memory, toldMemory))
	add("timeout_match", e.TC.Match.Milliseconds())
	addSet("timeout_turn", cmp.Or(e.TC.Turn, e.Hang).Milliseconds())
	addSet("time_increment", e.TC.Increment.Milliseconds())
	if e.TC.Match == 0 {
		add("time_left", math.MaxInt32) // no limit; once, since it does not change
	}
	add("game_type", 2)
	add("rule", int64(rule))
	addSet("max_depth", e.Depth)
	addSet("max_node", e.Nodes)
	addSet("thread_num", e.Threads)
	return p.client.Infos(append(lines, e.Info...))
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

// sendSwap2 asks for the choice after the stones of a swap2 opening.
func (p *player) sendSwap2(stones []board.Move) {
	p.prepare()
	p.client.SendSwap2(stones, p.limit)
}

// answer waits for what send or sendSwap2 asked for.
func (p *player) answer() (client.Reply, error) {
	reply, err := p.client.Answer()
	if used := p.over(); used > 0 {
		return reply, &client.Failure{Reason: "memory", Detail: fmt.Sprintf("%d MiB used, %d allowed", used>>20, p.engine.Memory>>20)}
	}
	if err == nil && reply.Elapsed > p.limit {
		err = &client.Failure{Reason: client.Timeout, Detail: fmt.Sprintf("answered after %v, %v allowed", reply.Elapsed.Round(time.Millisecond), p.limit)}
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
