package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/protocol/client"
	"tengen/protocol/wire"
)

const (
	maxLines   = 9
	maxPV      = 24 // moves of a line that are shown
	maxThreads = 256
	maxClock   = 24 * 3600_000
	maxMillis  = 120_000          // for one move
	patience   = 10 * time.Second // beyond its time, after which an engine has failed
	stopLimit  = 2 * time.Second  // for the answer to YXSTOP
	stopGap    = 50 * time.Millisecond

	longest     = 24 * time.Hour // an analysis without end
	noLimit     = 1<<31 - 1      // as a number of milliseconds in the protocol
	leastMemory = 16 << 20       // bytes of an engine

	manyNodes = 1 << 50 // a limit of nodes alone is one without a limit of time
)

// An order asks an engine for a move, or for a step of swap2.
type order struct {
	Game   string `json:"game"`
	Engine int    `json:"engine"`
	position
	Millis   int  `json:"millis"`
	Strength int  `json:"strength"` // 0..100
	Style    int  `json:"style"`    // -100 defense .. 100 attack
	Lines    int  `json:"lines"`    // best lines to report, 0 as 1
	Swap2    bool `json:"swap2"`    // ask for a step of the opening
	Threats  bool `json:"threats"`  // include them in the look after the move

	// The clock, in milliseconds; Left is 0 if there is none.
	Match     int  `json:"match"`     // for the whole game
	Left      int  `json:"left"`      // of that
	Increment int  `json:"increment"` // added after each move
	Score     bool `json:"score"`     // a short search for its score, after all others

	search
}

// A search says how an order is executed; the page does not set it directly.
type search struct {
	rank    rank
	threads int          // 0 as 1
	endless bool         // until it is stopped; Millis does not count
	depth   int          // at most, 0 for no limit
	nodes   int64        // at most, 0 for no limit
	memory  int64        // bytes of the engine, 0 for what the pool allows
	blocked []board.Move // not to be considered
	balance int          // moves that leave the game even to ask for, 0 for none
}

// scoreNodes is the length of a search for a score: about 0.1 s.
const scoreNodes = 30_000

// check checks the ranges of the numbers.
func (o *order) check(engines int) *fault {
	switch {
	case o.Engine < 0 || o.Engine >= engines:
		return bad("engine", "there is no engine %d", o.Engine)
	case o.Millis < 1 || o.Millis > maxMillis:
		return bad("millis", "want 1 to %d milliseconds for a move, got %d", maxMillis, o.Millis)
	case min(o.Match, o.Left, o.Increment) < 0 || max(o.Match, o.Left, o.Increment) > maxClock:
		return bad("millis", "want clocks of 0 to %d milliseconds", maxClock)
	case o.Strength < 0 || o.Strength > fullStrength:
		return bad("strength", "want a strength of 0 to %d, got %d", fullStrength, o.Strength)
	case o.Style < -maxStyle || o.Style > maxStyle:
		return bad("style", "want a style of %d to %d, got %d", -maxStyle, maxStyle, o.Style)
	case o.Lines < 0 || o.Lines > maxLines:
		return bad("lines", "want 0 to %d lines, got %d", maxLines, o.Lines)
	}
	return nil
}

// An event is a line of the stream that answers an order. The last has moves, a swap or a
// fault.
type event struct {
	Wait   *int    `json:"wait,omitempty"` // orders before this one in the queue
	Report *report `json:"report,omitempty"`

	Moves  string `json:"moves,omitempty"` // the answer, pos notation
	Swap   bool   `json:"swap,omitempty"`
	Millis int64  `json:"millis,omitempty"` // of the answer
	Look   *look  `json:"look,omitempty"`   // after it

	*fault
}

// pageGone is the fault of an order that nobody waits for any more.
var pageGone = &fault{499, "gone", "the page has gone"}

// execute executes an order in position b after moves, and leaves b unchanged. It calls say for
// every event but the last, which it returns.
func (p *pool) execute(ctx context.Context, o *order, b *board.Board, moves []board.Move, hurry <-chan struct{}, say func(event)) event {
	for {
		e, yielded := p.executeOnce(ctx, o, b, moves, hurry, say)
		if !yielded {
			return e
		}
	}
}

// executeOnce is execute, but if another request goes before this one, it ends early and reports
// that it has yielded.
func (p *pool) executeOnce(ctx context.Context, o *order, b *board.Board, moves []board.Move, hurry <-chan struct{}, say func(event)) (last event, yielded bool) {
	w, l, err := p.borrow(ctx, o.Engine, o.Game, o.rank, o.threads, func(n int) { say(event{Wait: &n}) })
	if err != nil {
		return p.failed(o.Engine, err), false
	}
	defer func() {
		if o.endless {
			w.studied = time.Now()
		}
		p.giveBack(l, w)
	}()

	reports, done := w.begin(p, o, l.threads, moves)
	own := p.specs[o.Engine].own
	var yield <-chan struct{} // nil for orders that cannot be interrupted
	if o.endless && w.canStop {
		yield = l.yield
	}
	best := report{} // of the best line
	tell := func(r report) {
		if r.Line <= 1 && r.Scored {
			best = r
		}
		if ctx.Err() != nil {
			return
		}
		if own {
			r.check(b, board.None)
		}
		say(event{Report: &r})
	}
	if own && !o.Swap2 && o.Strength == fullStrength && o.Style == 0 && len(o.blocked) == 0 && o.balance == 0 {
		defer func() { p.explorer.found(b, best) }()
	}
	slice := time.NewTicker(timeSlice)
	defer slice.Stop()
	var again <-chan time.Time // while the engine is asked to stop
	var give <-chan time.Time
	stop := func() {
		// If the engine has not got the order yet, it ignores the stop.
		w.client.Stop()
		again = time.After(stopGap)
	}
	left := ctx.Done()
	for {
		select {
		case r := <-reports:
			tell(r)
		case <-left:
			left, hurry, yield = nil, nil, nil
			if !w.canStop {
				w.client.Kill()
				continue
			}
			give = time.After(p.stopLimit)
			stop()
		case <-hurry:
			hurry, yield = nil, nil
			if w.canStop {
				stop()
			}
		case <-yield:
			yield, yielded = nil, true
			give = time.After(p.stopLimit)
			stop()
		case <-slice.C:
			p.share()
		case <-again:
			stop()
		case <-give:
			w.client.Kill()
		case out := <-done:
			if ctx.Err() != nil {
				w.spoiled = out.err != nil
				return event{fault: pageGone}, false
			}
			if out.err != nil {
				w.spoiled = true
				return p.failed(o.Engine, out.err), false
			}
			for len(reports) > 0 { // those just before the answer
				tell(<-reports)
			}
			e := p.answer(o, b, out.reply)
			if e.Report != nil {
				e.Report.Tables = w.byTables()
			}
			return e, yielded
		}
	}
}

// An outcome is what ask returns.
type outcome struct {
	reply client.Reply
	err   error
}

// begin starts ask in a goroutine. It returns the reports of the search, of which it drops
// some if they are not read in time, and its outcome.
func (w *worker) begin(p *pool, o *order, threads int, moves []board.Move) (<-chan report, <-chan outcome) {
	reports, done := make(chan report, 64), make(chan outcome, 1)
	w.listen(func(line string) {
		if s, n, ok := wire.ParseMessage(line); ok && n <= maxLines && (s.Depth > 0 || s.Scored || s.Nodes > 0) {
			r := newReport(s, n)
			r.Tables = w.byTables()
			select {
			case reports <- r:
			default:
			}
		}
	})
	go func() {
		reply, err := w.ask(p, o, threads, moves)
		done <- outcome{reply, err}
	}()
	return reports, done
}

// An option is a key of INFO and its value.
type option struct {
	key   string
	value int64
}

// optionsFor lists what the engine gets to know of an order. Keys that few engines know are in it only
// where they matter.
func (w *worker) optionsFor(p *pool, o *order, threads int, moves []board.Move) []option {
	turn, left, nodes := int64(o.Millis), int64(noLimit), o.nodes
	if o.Left > 0 {
		left = int64(o.Left)
	}
	if o.endless {
		turn, nodes = noLimit, cmp.Or(o.nodes, manyNodes)
	}
	memory := p.memory
	if o.memory > 0 {
		memory = min(max(o.memory, leastMemory), p.memory)
	}
	list := []option{
		{"rule", int64(o.Rule)}, {"game_type", 0}, {"max_memory", memory}, {"thread_num", int64(threads)},
		{"timeout_turn", turn}, {"timeout_match", int64(o.Match)}, {"time_left", left},
		{"strength", int64(o.Strength)},
	}
	if o.Style != 0 || w.options["style"] != "" {
		list = append(list, option{"style", int64(o.Style)})
	}
	if o.Increment != 0 || w.options["time_increment"] != "" {
		list = append(list, option{"time_increment", int64(o.Increment)})
	}
	if p.specs[w.spec].own && (nodes > 0 || w.options["max_node"] != "") {
		list = append(list, option{"max_node", nodes})
	}
	if p.specs[w.spec].own && (o.depth > 0 || w.options["max_depth"] != "") {
		list = append(list, option{"max_depth", int64(o.depth)})
	}
	if p.specs[w.spec].own { // a pass is not in the list of stones, and they may be set up
		list = append(list, option{"side", int64(1 + len(moves)%2)})
	}
	return list
}

// setUp sends the options of an order, and START if the engine has another game.
func (w *worker) setUp(p *pool, o *order, threads int, moves []board.Move) error {
	own := p.specs[w.spec].own
	again := stoneCount(moves) == 0 || w.game != o.Game || w.width != o.Width || w.height != o.Height || w.rule != o.Rule
	for _, i := range w.optionsFor(p, o, threads, moves) {
		sent, err := w.info(i.key, i.value)
		if err != nil {
			return err
		}
		again = again || sent && !own && i.key != "time_left" // which changes with every move
	}
	// Without START an engine keeps its hash table; BOARD alone sets the position.
	if again {
		w.game = ""
		if err := w.start(o.Width, o.Height, p.startLimit); err != nil {
			return err
		}
		w.game, w.width, w.height, w.rule = o.Game, o.Width, o.Height, o.Rule
	}
	if blocked := record.FormatMoves(o.blocked); own && (blocked != w.blocked || again && blocked != "") {
		if err := w.client.Block(o.blocked); err != nil {
			return err
		}
		w.blocked = blocked
	}
	return nil
}

// ask sends the options, the position and the order, and waits for the answer.
func (w *worker) ask(p *pool, o *order, threads int, moves []board.Move) (client.Reply, error) {
	if err := w.setUp(p, o, threads, moves); err != nil {
		return client.Reply{}, err
	}
	limit := time.Duration(o.Millis)*time.Millisecond + patience
	if o.endless {
		limit = longest
	}
	lines := p.specs[w.spec].own && (o.Lines > 1 || o.endless)
	if o.balance > 0 || lines && !o.Swap2 {
		if err := w.client.Position(moves); err != nil {
			return client.Reply{}, err
		}
	}
	switch {
	case o.balance > 0:
		return w.client.Balance(o.balance, limit)
	case o.Swap2:
		w.game = "" // an engine may have played the moves on its board
		return w.client.Swap2(moves, limit)
	case lines:
		return w.client.NBest(max(o.Lines, 1), limit)
	case stoneCount(moves) == 0 && !o.endless:
		return w.client.Begin(limit)
	}
	return w.client.Board(moves, limit)
}

// stoneCount counts the moves that are not passes.
func stoneCount(moves []board.Move) int {
	n := 0
	for _, m := range moves {
		if m != board.None {
			n++
		}
	}
	return n
}

// answer returns the last event for a reply, with the look of the position after it.
func (p *pool) answer(o *order, b *board.Board, reply client.Reply) event {
	r := newReport(reply.Stats, 1)
	e := event{Report: &r, Swap: reply.Swap, Millis: reply.Elapsed.Milliseconds()}
	if reply.Swap {
		if b.Ply() == 0 {
			return p.failed(o.Engine, errors.New("answered SWAP on an empty board"))
		}
		r.check(b, board.None)
		return e
	}
	if o.Swap2 {
		want := map[int]string{0: "3", 3: "1 or 2", 5: "1"}[b.Ply()]
		if n := len(reply.Moves); b.Ply() == 0 && n != 3 || b.Ply() == 3 && n > 2 || b.Ply() == 5 && n != 1 {
			return p.failed(o.Engine, fmt.Errorf("answered %d moves after %d stones of swap2, want %s", n, b.Ply(), want))
		}
	}
	var played []board.Move
	first := board.None
	for _, xy := range reply.Moves {
		err := b.Try(xy[0], xy[1])
		if err != nil {
			for range played {
				b.Undo()
			}
			where := fmt.Sprintf("%d,%d", xy[0], xy[1]) // as the engine says it
			if b.On(xy[0], xy[1]) {
				where = name(b, board.At(xy[0], xy[1]))
			}
			return p.failed(o.Engine, fmt.Errorf("illegal move to %s: %v", where, err))
		}
		m := board.At(xy[0], xy[1])
		if !o.Swap2 {
			first = m
			r.check(b, first)
		}
		b.Play(m)
		played = append(played, m)
	}
	l := see(b, o.Threats)
	for range played {
		b.Undo()
	}
	e.Moves, e.Look = record.FormatMoves(played), &l
	return e
}

// failed returns the last event after an error.
func (p *pool) failed(engine int, err error) event {
	var f *fault
	if errors.As(err, &f) {
		return event{fault: f}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return event{fault: pageGone}
	}
	code := "broken"
	var failure *client.Failure
	if errors.As(err, &failure) {
		code = string(failure.Reason)
	}
	return event{fault: &fault{200, code, fmt.Sprintf("%s: %v", p.name(engine), err)}}
}
