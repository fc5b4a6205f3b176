package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"tengen/brain/about"
	"tengen/brain/board"
	"tengen/protocol/client"
)

const (
	maxWaiting   = 256                    // requests waiting for an engine
	startLimit   = 10 * time.Second       // for the answer to START, start of the program included
	startTries   = 3                      // after a wrong answer
	lateLines    = 200 * time.Millisecond // for the rest of a wrong answer
	aboutLimit   = 5 * time.Second        // for the answer to ABOUT
	processIdle  = 5 * time.Minute        // after which an unused process is ended
	studyTime    = time.Minute            // for which the process of an analysis is left to its game, where another can be started
	tablesTime   = time.Minute            // after which a process that plays without its network is ended: another may load that
	maxLineBytes = 8 << 20                // of output between two commands
)

// A pool lends engine processes with at most max threads at a time, so that there are at most
// max processes too. Requests are served by rank, and in their order.
type pool struct {
	specs  []spec
	web    bool  // the engines run in the page
	max    int   // threads
	most   int   // threads of one search, at most max
	memory int64 // bytes for each process

	startLimit time.Duration // see startLimit
	stopLimit  time.Duration // for the answer to YXSTOP
	tablesTime time.Duration // see tablesTime

	explorer *explorer // gets what searches at full strength find

	mu        sync.Mutex
	gone      *sync.Cond // a process has ended
	alive     int        // processes, including those being started or ended
	lent      int        // threads of leases
	leases    []*lease   // the oldest first
	idle      []*worker  // unused processes, the one used last at the end
	waiting   []*waiter  // by rank, then in their order
	names     []string   // of the specs, from ABOUT, empty before that
	aboutSent []bool     // ABOUT has been sent once
}

// A worker is an engine process and the state it is in.
type worker struct {
	spec    int
	client  *client.Client
	canStop bool // knows YXSTOP

	game          string // of the last START, with the size and the rule
	width, height int
	rule          board.Rule
	options       map[string]string // INFO
	blocked       string            // cells that it leaves out, pos notation
	used          time.Time
	studied       time.Time // end of its last analysis, whose hash table is worth keeping
	spoiled       bool      // after a wrong answer the right one may still come
	started       time.Time

	mu     sync.Mutex
	hook   func(line string)
	tables bool // see noNetwork
}

func newPool(specs []spec, max int, memory int64) *pool {
	p := &pool{specs: specs, max: max, most: max, memory: memory, startLimit: startLimit, stopLimit: stopLimit, tablesTime: tablesTime, explorer: newExplorer(), names: make([]string, len(specs)), aboutSent: make([]bool, len(specs))}
	p.gone = sync.NewCond(&p.mu)
	return p
}

// builtIn returns the number of the built-in engine, the last of specs.
func (p *pool) builtIn() int { return len(p.specs) - 1 }

// borrow returns a worker of an engine, preferably the one with the hash table of the game,
// and the lease of its threads. While the request waits, ahead is called as by enter. Errors:
// those of enter, an engine that does not start.
func (p *pool) borrow(ctx context.Context, engine int, game string, r rank, threads int, ahead func(n int)) (*worker, *lease, error) {
	l, err := p.enter(ctx, r, threads, ahead)
	if err != nil {
		return nil, nil, err
	}
	w, victims := p.choose(engine, game)
	p.end(victims...)
	if w != nil {
		return w, l, nil
	}
	// There are threads, but the process that had them may not have ended yet.
	p.mu.Lock()
	for p.alive >= p.max {
		p.gone.Wait()
	}
	p.alive++
	p.mu.Unlock()
	w, err = p.launch(engine)
	if err != nil {
		p.noteEnd()
		p.leave(l, nil)
		return nil, nil, err
	}
	return w, l, nil
}

// end ends unused processes.
func (p *pool) end(list ...*worker) {
	for _, w := range list {
		w.client.Close()
		p.noteEnd()
	}
}

func (p *pool) noteEnd() {
	p.mu.Lock()
	p.alive--
	p.mu.Unlock()
	p.gone.Broadcast()
}

// choose takes an idle worker for the holder of a lease. If there is none, the victims must
// end before another process may start.
func (p *pool) choose(engine int, game string) (chosen *worker, victims []*worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	best := -1
	for i := 0; i < len(p.idle); i++ {
		w := p.idle[i]
		if w.client.Err() != nil || w.byTables() && time.Since(w.started) >= p.tablesTime { // it has crashed, or another may be better
			victims = append(victims, w)
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			i--
			continue
		}
		if w.spec == engine && (best < 0 || w.game == game) {
			best = i
		}
	}
	if best >= 0 && p.idle[best].game != game && time.Since(p.idle[best].studied) < studyTime && len(p.idle)+len(p.leases) <= p.max {
		best = -1 // there is room for another
	}
	if best >= 0 {
		chosen = p.idle[best]
		p.idle = append(p.idle[:best], p.idle[best+1:]...)
		return chosen, victims
	}
	for len(p.idle) > 0 && len(p.idle)+len(p.leases) > p.max {
		victims = append(victims, p.idle[0])
		p.idle = p.idle[1:]
	}
	return nil, victims
}

// launch starts a process and asks for its name.
func (p *pool) launch(engine int) (*worker, error) {
	s := p.specs[engine]
	w := &worker{spec: engine, options: map[string]string{}, started: time.Now()}
	c, err := connect(s, client.Options{
		MaxOutput: maxLineBytes,
		OnMessage: func(line string) {
			w.mu.Lock()
			hook := w.hook
			w.tables = w.tables || s.own && strings.HasPrefix(line, noNetwork)
			w.mu.Unlock()
			if hook != nil {
				hook(line)
			}
			if strings.Contains(line, about.SearchFailed) {
				fmt.Fprintln(os.Stderr, "boardui:", line)
			}
		},
	})
	if err != nil {
		return nil, err
	}
	w.client = c
	p.mu.Lock()
	sent := p.aboutSent[engine]
	p.mu.Unlock()
	if !sent {
		about, err := c.About(aboutLimit)
		if err != nil {
			c.Close()
			return nil, err
		}
		p.mu.Lock()
		p.names[engine], p.aboutSent[engine] = aboutName(about), true
		p.mu.Unlock()
	}
	w.canStop = s.own || p.name(engine) == engineName
	return w, nil
}

// warm starts the built-in engine, so that the first move does not wait for it.
func (p *pool) warm(ctx context.Context) {
	if w, l, err := p.borrow(ctx, p.builtIn(), "", forMove, 1, func(int) {}); err == nil {
		p.leave(l, w)
	}
}

// giveBack returns a worker, or ends it after a failure.
func (p *pool) giveBack(l *lease, w *worker) {
	w.listen(nil)
	if w.client.Err() == nil && !w.spoiled {
		p.leave(l, w)
		return
	}
	p.end(w)
	p.leave(l, nil)
}

// trim ends processes that have not been used for long, but keeps one for the next request.
func (p *pool) trim(now time.Time) {
	p.mu.Lock()
	var victims []*worker
	for len(p.idle) > 1 && now.Sub(p.idle[0].used) >= processIdle {
		victims = append(victims, p.idle[0])
		p.idle = p.idle[1:]
	}
	p.mu.Unlock()
	p.end(victims...)
}

// close ends all unused processes. Those in use end with their request.
func (p *pool) close() {
	for wait := 0; wait < 40; wait++ {
		p.mu.Lock()
		victims, lent := p.idle, len(p.leases)
		p.idle = nil
		p.mu.Unlock()
		p.end(victims...)
		if lent == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// name returns the name of an engine.
func (p *pool) name(engine int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.names[engine] != "" {
		return p.names[engine]
	}
	s := p.specs[engine]
	if s.own {
		return s.command
	}
	return programName(s.command)
}

// label returns the name of an engine, with its command if another has the same name.
func (p *pool) label(engine int) string {
	name, same := p.name(engine), 0
	for i := range p.specs {
		if p.name(i) == name {
			same++
		}
	}
	if same == 1 {
		return name
	}
	if p.specs[engine].own {
		return name + " (built in)"
	}
	return name + " (" + p.specs[engine].command + ")"
}

// listen sets the function that gets the MESSAGE lines of the engine.
func (w *worker) listen(hook func(line string)) {
	w.mu.Lock()
	w.hook = hook
	w.mu.Unlock()
}

// byTables reports whether the engine has said that it has no network.
func (w *worker) byTables() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tables
}

// info sends an option if its value has changed, and reports whether it did.
func (w *worker) info(key string, value int64) (sent bool, err error) {
	text := strconv.FormatInt(value, 10)
	if w.options[key] == text {
		return false, nil
	}
	if err := w.client.Info(key, text); err != nil {
		return false, err
	}
	w.options[key] = text
	return true, nil
}

// start begins a game. Some engines answer unknown options with ERROR, against the protocol,
// which is then taken for the answer to START. They are asked again, and get some time for
// the rest of such answers.
func (w *worker) start(width, height int, limit time.Duration) error {
	for try := 0; ; try++ {
		err := w.client.Start(width, height, limit)
		var f *client.Failure
		if err == nil && try > 0 {
			time.Sleep(lateLines)
		}
		if err == nil || !errors.As(err, &f) || f.Reason != client.Protocol || w.client.Err() != nil || try == startTries {
			return err
		}
	}
}
