package main

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"tengen/brain/board"
	"tengen/protocol"
)

const (
	maxWaiting   = 256              // requests that wait for an engine
	startLimit   = 10 * time.Second // for the answer to START, with the start of the program
	startTries   = 3                // more, after an answer that is none
	lateLines    = 200 * time.Millisecond
	aboutLimit   = 5 * time.Second
	processIdle  = 5 * time.Minute // a process that had nothing to do for so long is ended
	maxLineBytes = 8 << 20         // an engine may print between two commands
)

// A pool lends engine processes, at most max at a time, to whoever asks first.
type pool struct {
	specs  []spec
	max    int
	memory int64 // bytes for each process

	mu      sync.Mutex
	gone    *sync.Cond // a process has ended
	alive   int        // processes, those that are being started or ended too
	lent    int        // slots taken
	idle    []*worker  // processes without work, the one used last at the end
	waiting []*waiter
	names   []string // of the specs, from ABOUT; empty until one was started
	asked   []bool   // ABOUT was asked; engines that do not know it are not asked again
}

// A waiter waits for a slot.
type waiter struct {
	granted chan struct{}
	moved   chan struct{} // told when there are fewer before it
}

// A worker is an engine process and what it was told last.
type worker struct {
	spec    int
	client  *protocol.Client
	canStop bool // it answers YXSTOP with a move

	game          string // of the last START, with the size and the rule
	width, height int
	rule          board.Rule
	told          map[string]string // INFO
	used          time.Time
	spoiled       bool // it gave a wrong answer, and the right one may still come

	mu   sync.Mutex
	hook func(line string)
}

func newPool(specs []spec, max int, memory int64) *pool {
	p := &pool{specs: specs, max: max, memory: memory, names: make([]string, len(specs)), asked: make([]bool, len(specs))}
	p.gone = sync.NewCond(&p.mu)
	return p
}

// borrow gives a worker of the given engine, preferably the one that served the game
// last, whose memory is warm. Ahead is told how many wait before, while there are any;
// it may block. Errors: tooLong, the end of ctx, an engine that does not start.
func (p *pool) borrow(ctx context.Context, engine int, game string, ahead func(n int)) (*worker, error) {
	if err := p.enter(ctx, ahead); err != nil {
		return nil, err
	}
	w, victims := p.pick(engine, game)
	p.end(victims...)
	if w != nil {
		return w, nil
	}
	// There is a slot for it, but a process that made room may still be ending.
	p.mu.Lock()
	for p.alive >= p.max {
		p.gone.Wait()
	}
	p.alive++
	p.mu.Unlock()
	w, err := p.launch(engine)
	if err != nil {
		p.noteEnd()
		p.leave(nil)
		return nil, err
	}
	return w, nil
}

// end ends processes that nobody uses.
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

// enter takes a slot, or waits for one in a queue.
func (p *pool) enter(ctx context.Context, ahead func(n int)) error {
	p.mu.Lock()
	if p.lent < p.max && len(p.waiting) == 0 {
		p.lent++
		p.mu.Unlock()
		return nil
	}
	if len(p.waiting) >= maxWaiting {
		p.mu.Unlock()
		return tooLong
	}
	me := &waiter{make(chan struct{}), make(chan struct{}, 1)}
	p.waiting = append(p.waiting, me)
	n := len(p.waiting) - 1
	p.mu.Unlock()
	for {
		ahead(n)
		select {
		case <-me.granted:
			return nil
		case <-me.moved:
			n = p.before(me)
		case <-ctx.Done():
			if !p.desert(me) {
				p.leave(nil) // the slot came at the same moment
			}
			return ctx.Err()
		}
	}
}

// before counts who waits longer than me.
func (p *pool) before(me *waiter) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, w := range p.waiting {
		if w == me {
			return i
		}
	}
	return 0
}

// desert takes me out of the queue. It reports false if me was not in it any more.
func (p *pool) desert(me *waiter) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, w := range p.waiting {
		if w == me {
			p.waiting = append(p.waiting[:i], p.waiting[i+1:]...)
			p.tell()
			return true
		}
	}
	return false
}

// tell wakes all who wait to look where they stand. The lock is held.
func (p *pool) tell() {
	for _, w := range p.waiting {
		select {
		case w.moved <- struct{}{}:
		default:
		}
	}
}

// pick chooses an idle worker for whoever holds a slot. If there is none, it names the
// processes that have to end before another may start.
func (p *pool) pick(engine int, game string) (chosen *worker, victims []*worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	best := -1
	for i := 0; i < len(p.idle); i++ {
		w := p.idle[i]
		if w.client.Err() != nil { // it died while nobody looked
			victims = append(victims, w)
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			i--
			continue
		}
		if w.spec == engine && (best < 0 || w.game == game) {
			best = i
		}
	}
	if best >= 0 {
		chosen = p.idle[best]
		p.idle = append(p.idle[:best], p.idle[best+1:]...)
		return chosen, victims
	}
	for len(p.idle) > 0 && len(p.idle)+p.lent > p.max {
		victims = append(victims, p.idle[0])
		p.idle = p.idle[1:]
	}
	return nil, victims
}

// leave gives a slot back, and w if it can be used again.
func (p *pool) leave(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w != nil {
		w.used = time.Now()
		p.idle = append(p.idle, w)
	}
	if len(p.waiting) == 0 {
		p.lent--
		return
	}
	next := p.waiting[0]
	p.waiting = p.waiting[1:]
	close(next.granted)
	p.tell()
}

// launch starts a process and asks its name.
func (p *pool) launch(engine int) (*worker, error) {
	s := p.specs[engine]
	w := &worker{spec: engine, told: map[string]string{}}
	client, err := protocol.Launch(protocol.ClientOptions{
		Command: s.command, Args: s.args, Env: s.env, MaxOutput: maxLineBytes,
		OnMessage: func(line string) {
			w.mu.Lock()
			hook := w.hook
			w.mu.Unlock()
			if hook != nil {
				hook(line)
			}
		},
	})
	if err != nil {
		return nil, err
	}
	w.client = client
	p.mu.Lock()
	asked := p.asked[engine]
	p.mu.Unlock()
	if !asked {
		about, err := client.About(aboutLimit)
		if err != nil {
			client.Close()
			return nil, err
		}
		p.mu.Lock()
		p.names[engine], p.asked[engine] = aboutName(about), true
		p.mu.Unlock()
	}
	w.canStop = s.own || p.name(engine) == "Tengen"
	return w, nil
}

// warm starts our own engine, so that the first move does not wait for it.
func (p *pool) warm(ctx context.Context) {
	last := len(p.specs) - 1
	if w, err := p.borrow(ctx, last, "", func(int) {}); err == nil {
		p.leave(w)
	}
}

// giveBack returns a worker whose work is done. One that failed is ended.
func (p *pool) giveBack(w *worker) {
	w.listen(nil)
	if w.client.Err() == nil && !w.spoiled {
		p.leave(w)
		return
	}
	p.end(w)
	p.leave(nil)
}

// trim ends processes that had nothing to do for long. One of the processes stays, so
// that who comes back finds it warm.
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

// close ends all processes that nobody uses; whoever uses one ends it with its request.
func (p *pool) close() {
	for wait := 0; wait < 40; wait++ {
		p.mu.Lock()
		victims, lent := p.idle, p.lent
		p.idle = nil
		p.mu.Unlock()
		p.end(victims...)
		if lent == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// name returns what to call an engine.
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

// listen sets who gets the MESSAGE lines of the engine.
func (w *worker) listen(hook func(line string)) {
	w.mu.Lock()
	w.hook = hook
	w.mu.Unlock()
}

// info tells an option, unless the engine knows it already. It reports whether it did.
func (w *worker) info(key string, value int64) (told bool, err error) {
	text := strconv.FormatInt(value, 10)
	if w.told[key] == text {
		return false, nil
	}
	if err := w.client.Info(key, text); err != nil {
		return false, err
	}
	w.told[key] = text
	return true, nil
}

// start begins a game. Some engines answer an option they do not know with an ERROR,
// against the protocol, which is then taken for the answer to START; they are asked
// again, and what they still say meanwhile is waited for.
func (w *worker) start(width, height int) error {
	for try := 0; ; try++ {
		err := w.client.Start(width, height, startLimit)
		var f *protocol.Failure
		if err == nil && try > 0 {
			time.Sleep(lateLines)
		}
		if err == nil || !errors.As(err, &f) || f.Reason != protocol.Protocol || w.client.Err() != nil || try == startTries {
			return err
		}
	}
}
