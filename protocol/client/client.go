// Package client is the manager's side of the Gomocup protocol. A Client drives one engine: a
// process that Launch has started, or whatever reads and writes the two ends given to Connect.
package client

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"tengen/brain/board"
	"tengen/protocol/wire"
)

// Limits of a Client.
const (
	defaultMaxOutput = 64 << 20               // bytes between two commands
	writeLimit       = 5 * time.Second        // for writing a line that has no answer
	endGrace         = time.Second            // from END to closing both pipes and killing the process
	endLimit         = 5 * time.Second        // from that to the end of the engine
	drainLimit       = 300 * time.Millisecond // for reading what a process printed before it ended
	inputGrace       = 500 * time.Millisecond // from a failed write until it counts as the reason
	outputGrace      = time.Second            // from the end of the output until that counts as the reason

	mostRefusals = 3 // lines for one of INFO, from an engine that is given Patience
)

// Options say how a Client treats its engine. The zero Options are good.
type Options struct {
	Pause     time.Duration // minimum from an answer to the next line sent; not charged to the engine
	MaxOutput int64         // bytes the engine may print between two commands; 0 is 64 MiB

	// Patience is how long an ERROR or UNKNOWN for a command may be followed by its answer, within the
	// limit of the command. MESSAGE and DEBUG lines begin it again. With 0 the refusal is the answer.
	Patience time.Duration

	// OnMessage is called with every MESSAGE and DEBUG line, one at a time, by a goroutine
	// of the Client. Answers wait while it runs, but their time has been taken before.
	OnMessage func(line string)

	// OnLine is called with every line that is written to the engine, before it is, and every line of
	// the engine but empty ones, before it is used. Both may be at the same time, in several
	// goroutines.
	OnLine func(sent bool, line string)
}

// A Reason is the kind of a Failure, as game records name it.
type Reason string

// The ways in which an engine can fail at the level of the protocol.
const (
	Timeout  Reason = "timeout"  // no answer within the limit
	Crash    Reason = "crash"    // the process ended or closed a pipe
	Protocol Reason = "protocol" // an error for an answer, or nothing after one; a move that nobody asked for; too much output
)

// A Failure is the error of the commands of a Client.
type Failure struct {
	Reason  Reason
	Detail  string // one line of text
	Refused bool   // a key of INFO that is needed, see Client.Need
}

func (f *Failure) Error() string { return string(f.Reason) + ": " + f.Detail }

// A Reply is an engine's answer to a command that asks for a move.
type Reply struct {
	X, Y    int           // column and row as given; they may be off the board
	Moves   [][2]int      // all coordinates of the answer: one, up to three for Swap2, more for Soosyrv
	Swap    bool          // the answer to Swap2 was SWAP, or that to Soosyrv YES; X, Y and Moves are zero
	Number  int           // of fifth moves, that Soosyrv declares
	Elapsed time.Duration // from writing the command to the arrival of the answer
	Stats   wire.Stats    // from the MESSAGE lines before the answer
}

// Move returns the move, or board.None if it is off a board of the given size.
func (r Reply) Move(width, height int) board.Move {
	m, _ := board.AtOn(r.X, r.Y, width, height) // None with the error
	return m
}

// A Client drives one engine. Every wait has a limit, and memory is bounded whatever the engine
// does. Commands must be sent by one goroutine at a time; Stop, Kill, Pid and Err may be called by
// any.
//
// A timeout, a crash or too much output is final: every later command returns the same
// Failure, so that a late answer is not taken for another one. After an answer that is an error (ERROR,
// UNKNOWN) the client can still be used. As other managers do, it passes over lines that are no answer:
// those errors where INFO was sent before and they do not name the command that waits, OK, and what is
// no word of the protocol. Options.Patience lets it pass over more of them. SUGGEST X,Y is answered by
// PLAY X,Y.
type Client struct {
	o       Options
	in      io.WriteCloser // the engine reads it
	out     io.ReadCloser  // the engine writes it
	process *Process       // nil if the engine is no process of this client

	dead      chan struct{} // closed by the first final failure
	outputEnd chan struct{} // closed when readOutput has returned

	writing sync.Mutex // held during a write, so that lines stay whole

	asked question // used by the goroutine that sends commands

	mu        sync.Mutex
	failure   *Failure
	accept    func(line string) (Reply, *Failure, bool) // nil while no answer is expected
	inMessage bool                                      // accept takes MESSAGE lines too
	answers   chan answer
	stats     wire.Stats
	output    int64     // bytes since the last command that has an answer
	answered  time.Time // when the last answer arrived
	infosOwed int       // lines that may refuse those of INFO since the last answer
	asking    string    // the word of the last command that has an answer
	skipped   string    // the first refusal since that command, else the first line, that is no answer
	needed    []string  // keys of INFO: see Need
	early     string    // the first refusal of INFO before the next such command
	refused   *Failure  // an error that names a needed key of INFO since the last answer
	aboutOwed bool      // ABOUT timed out and may still be answered
	doubtful  *Failure  // by a refusal that was taken for that answer
	borne     *Failure  // by the first refusal of the command that waits, until Patience is over
	patience  *time.Timer
	ended     bool // Close has been called
}

// Connect returns a client of an engine that reads what is written to in and whose output is out.
// It sends nothing yet. Closing in must end a Write that waits, and closing out a Read, as for
// pipes of package os and of package io.
func Connect(in io.WriteCloser, out io.ReadCloser, o Options) *Client {
	c := newClient(in, out, o)
	go c.readOutput()
	return c
}

func newClient(in io.WriteCloser, out io.ReadCloser, o Options) *Client {
	if o.MaxOutput <= 0 {
		o.MaxOutput = defaultMaxOutput
	}
	return &Client{
		o: o, in: in, out: out,
		dead: make(chan struct{}), outputEnd: make(chan struct{}), answers: make(chan answer, 1),
	}
}

// A question is a command whose answer has not been returned yet.
type question struct {
	open     bool
	start    time.Time
	limit    time.Duration // from start
	optional bool          // no answer is no failure, and gives a zero Reply
	err      error         // of sending it
}

type answer struct {
	reply Reply
	err   *Failure
	at    time.Time
}

// Err returns the final failure, or nil.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure == nil {
		return nil
	}
	return c.failure
}

// fail makes f the final failure if there is none yet, and wakes goroutines that wait or
// write.
func (c *Client) fail(f *Failure) {
	c.mu.Lock()
	first := c.failure == nil
	if first {
		c.failure = f
		c.accept = nil
		close(c.dead)
	}
	c.mu.Unlock()
	if first {
		c.in.Close()
	}
}

// errTooMuch ends readOutput after MaxOutput bytes.
var errTooMuch = errors.New("too much output")

// A countedOutput is the output of the engine, which Read limits.
type countedOutput struct{ c *Client }

func (r countedOutput) Read(p []byte) (int, error) {
	n, err := r.c.out.Read(p)
	r.c.mu.Lock()
	r.c.output += int64(n)
	over := r.c.output > r.c.o.MaxOutput
	r.c.mu.Unlock()
	if over {
		return 0, errTooMuch
	}
	return n, err
}

// readOutput calls receive for each line of the engine, until its output ends or is too much. The
// client has failed then.
func (c *Client) readOutput() {
	defer close(c.outputEnd)
	lines := wire.NewLines(countedOutput{c})
	for {
		line, at, err := lines.Next()
		if err == errTooMuch {
			c.fail(&Failure{Reason: Protocol, Detail: fmt.Sprintf("more than %d bytes of output", c.o.MaxOutput)})
			return
		}
		if err != nil { // a line without its end is not complete
			break
		}
		c.receive(strings.TrimSpace(line), at)
	}
	detail := "the engine closed its output"
	if c.process != nil {
		detail = c.process.endWithin(outputGrace, detail) // a better reason
	}
	c.fail(&Failure{Reason: Crash, Detail: detail})
}

// gone returns a channel that is closed when the engine has ended, as far as the client can know.
func (c *Client) gone() <-chan struct{} {
	if c.process != nil {
		return c.process.exited
	}
	return c.outputEnd
}

// Kill ends the engine without END: it closes both pipes, and kills the process group of a process.
// Unlike Close it does not wait.
func (c *Client) Kill() {
	if c.process != nil {
		c.process.Kill()
		return
	}
	c.in.Close()
	c.out.Close()
}

// Close sends END, gives the engine a second to end, and then ends it as Kill does. It waits for
// the end of the engine and of its output; the error is that one of them does not come. Close may
// be called more than once.
func (c *Client) Close() error {
	c.mu.Lock()
	again := c.ended
	c.ended = true
	c.mu.Unlock()
	if !again && c.Err() == nil {
		c.pause()
		if c.write("END\n", endGrace) == nil {
			select {
			case <-c.gone():
			case <-time.After(endGrace):
			}
		}
	}
	c.fail(&Failure{Reason: Crash, Detail: "the engine was closed"})
	c.Kill()
	limit := time.After(endLimit)
	select {
	case <-c.gone():
	case <-limit:
		return errors.New(c.name() + " did not end")
	}
	c.drain()
	c.out.Close()
	select {
	case <-c.outputEnd:
		return nil
	case <-limit:
		return errors.New("the output of " + c.name() + " did not end")
	}
}

// name is what errors call the engine.
func (c *Client) name() string {
	if c.process != nil {
		return fmt.Sprintf("process %d", c.Pid())
	}
	return "the engine"
}

// drain waits until all that an ended engine has printed is read. There is a limit because a
// descendant that left the process group may keep the pipe open.
func (c *Client) drain() {
	select {
	case <-c.outputEnd:
	case <-time.After(drainLimit):
	}
}

// receive handles one line, from which white space around it has been removed.
func (c *Client) receive(line string, at time.Time) {
	if line == "" {
		return
	}
	if c.o.OnLine != nil {
		c.o.OnLine(false, line)
	}
	word, rest := wire.CutWord(line)
	if wire.IsWord(word, "MESSAGE") || wire.IsWord(word, "DEBUG") {
		if c.o.OnMessage != nil {
			c.o.OnMessage(line)
		}
		c.mu.Lock()
		if stats, n, ok := c.stats.Updated(rest); ok && n == 1 {
			c.stats = stats
		}
		answer := c.inMessage && c.accept != nil
		if c.borne != nil && c.accept != nil {
			c.patience.Reset(c.o.Patience)
		}
		c.mu.Unlock()
		if !answer {
			return
		}
	}
	c.mu.Lock()
	refusal := wire.IsRefusal(line)
	if refusal && c.infosOwed > 0 && c.isNeeded(word, rest) && c.refused == nil {
		c.refused = &Failure{Reason: Protocol, Detail: "answered " + wire.Quote(line, 80), Refused: true}
	}
	about := c.aboutOwed && (refusal || len(line) >= 5 && wire.IsWord(line[:5], "name="))
	accept := c.accept
	if accept != nil {
		reply, failure, done := accept(line)
		switch {
		case about && refusal:
			c.doubtful = failure
		case c.refused != nil:
			c.refuse()
		case refusal && c.infosOwed > 0 && !names(line, c.asking):
			c.infosOwed--
			c.skip(line)
		case refusal && failure != nil && c.o.Patience > 0 && !about:
			c.bear(failure)
		case done && !about:
			reply.Stats = c.stats
			c.accept, c.aboutOwed, c.infosOwed = nil, false, 0 // answers come in order
			c.answers <- answer{reply, failure, at}
		case !about:
			c.skip(line)
		}
	}
	if accept == nil && refusal && !about && c.infosOwed > 0 && c.early == "" {
		c.early = line
	}
	c.aboutOwed = c.aboutOwed && !about
	c.mu.Unlock()
	if accept != nil {
		return
	}
	if _, _, move := wire.ParsePair(line); move {
		c.fail(&Failure{Reason: Protocol, Detail: "a move without a command: " + wire.Quote(line, 80)})
	}
}

// bear waits for an answer behind a refusal of the command. c.mu is held.
func (c *Client) bear(failure *Failure) {
	if c.borne != nil {
		return
	}
	c.borne = failure
	c.patience = time.AfterFunc(c.o.Patience, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.accept != nil && c.borne == failure {
			c.accept, c.aboutOwed, c.infosOwed = nil, false, 0
			c.answers <- answer{Reply{}, failure, time.Now()}
		}
	})
}

// skip takes a line that is no answer. One that suggests a move is answered: the engine plays it then.
// c.mu is held.
func (c *Client) skip(line string) {
	if word, rest := wire.CutWord(line); wire.IsWord(word, "SUGGEST") {
		if x, y, ok := wire.ParsePair(wire.Tight(rest)); ok {
			go c.write(fmt.Sprintf("PLAY %d,%d\n", x, y), writeLimit)
			return
		}
	}
	if c.skipped == "" || wire.IsRefusal(line) && !wire.IsRefusal(c.skipped) {
		c.skipped = line
	}
}

// isNeeded reports whether a line of the given word and rest is an error that names a needed key of INFO.
func (c *Client) isNeeded(word, rest string) bool {
	return wire.IsWord(word, "ERROR") && slices.ContainsFunc(words(rest), func(w string) bool {
		return slices.ContainsFunc(c.needed, func(key string) bool { return wire.IsWord(w, key) || wire.IsWord(w, key+"s") })
	})
}

// refuse answers the command that waits by the refusal of INFO. c.mu is held.
func (c *Client) refuse() {
	c.answers <- answer{Reply{}, c.refused, time.Now()}
	c.accept, c.aboutOwed, c.infosOwed, c.refused = nil, false, 0, nil
}

// names reports whether a refusal is of that command and not of INFO. Words are compared as they are
// written: "turn" may be one of a sentence.
func names(line, command string) bool {
	list := words(line)
	return slices.Contains(list, command) && !slices.Contains(list, "INFO")
}

// words returns the words of a text.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// write sends text in one write. If the engine does not read it within limit, the client
// fails with a timeout.
func (c *Client) write(text string, limit time.Duration) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	watch := time.AfterFunc(limit, func() {
		c.fail(&Failure{Reason: Timeout, Detail: "the engine does not read its input"})
	})
	defer watch.Stop()
	if c.o.OnLine != nil {
		for line := range strings.Lines(text) {
			c.o.OnLine(true, strings.TrimSuffix(line, "\n"))
		}
	}
	if _, err := io.WriteString(c.in, text); err != nil {
		select { // the end of the process may be a better reason
		case <-c.dead:
		case <-time.After(inputGrace):
			c.fail(&Failure{Reason: Crash, Detail: "the engine closed its input"})
		}
		return c.Err()
	}
	return nil
}

// pause waits until the pause after the last answer is over.
func (c *Client) pause() {
	if c.o.Pause <= 0 {
		return
	}
	c.mu.Lock()
	left := time.Until(c.answered.Add(c.o.Pause))
	c.mu.Unlock()
	if left <= 0 {
		return
	}
	select {
	case <-time.After(left):
	case <-c.dead:
	}
}

// tell sends text, which has no answer.
func (c *Client) tell(text string) error {
	if err := c.Err(); err != nil {
		return err
	}
	c.pause()
	return c.write(text, writeLimit)
}

// ask sends text and waits at most limit for a line that accept takes.
func (c *Client) ask(text string, limit time.Duration, accept func(string) (Reply, *Failure, bool)) (Reply, error) {
	c.send(text, limit, accept)
	return c.Answer()
}

// send is the first half of ask, Answer the second.
func (c *Client) send(text string, limit time.Duration, accept func(string) (Reply, *Failure, bool)) {
	c.sendTo(text, limit, false, accept)
}

// sendTo is send where the answer may stand in MESSAGE lines.
func (c *Client) sendTo(text string, limit time.Duration, inMessage bool, accept func(string) (Reply, *Failure, bool)) {
	c.pause()
	c.asked = question{open: true, limit: limit}
	c.mu.Lock()
	if c.failure != nil {
		c.asked.err = c.failure
		c.mu.Unlock()
		return
	}
	select {
	case <-c.answers: // to a command whose answer was never asked for
	default:
	}
	c.accept, c.inMessage, c.stats, c.output, c.doubtful, c.skipped, c.early = accept, inMessage, wire.Stats{}, 0, nil, c.early, ""
	c.borne = nil
	c.asking = strings.Fields(text)[0]
	// The engine may answer before write returns, so the time is taken first.
	c.asked.start = time.Now()
	if c.refused != nil { // before the command
		c.refuse()
		c.mu.Unlock()
		return
	}
	c.mu.Unlock()
	c.asked.err = c.write(text, max(limit, 0))
}

// Answer waits for the answer to the command that a Send method sent, and returns what the
// method without Send returns. It is an error if no command was sent.
func (c *Client) Answer() (Reply, error) {
	q := c.asked
	c.asked = question{}
	switch {
	case !q.open:
		return Reply{}, errors.New("no command has been sent")
	case q.start.IsZero():
		return Reply{}, q.err // the client had failed before
	}
	if q.err == nil {
		timer := time.NewTimer(time.Until(q.start.Add(q.limit)))
		defer timer.Stop()
		select {
		case a := <-c.answers:
			return c.take(a, q)
		case <-c.dead:
		case <-timer.C:
		}
	}
	// An answer in time counts, whatever happened next.
	c.mu.Lock()
	c.accept = nil
	doubtful, skipped := cmp.Or(c.borne, c.doubtful), c.skipped
	c.mu.Unlock()
	select {
	case a := <-c.answers:
		return c.take(a, q)
	default:
	}
	if q.err == nil && q.optional && c.Err() == nil {
		return Reply{}, nil
	}
	// If nothing else has come, what was taken for the answer to ABOUT was the answer to this.
	late := &Failure{Reason: Timeout, Detail: fmt.Sprintf("no answer within %v", q.limit)}
	if skipped != "" {
		late.Detail += ", only " + wire.Quote(skipped, 80)
		if wire.IsRefusal(skipped) { // of the command, it seems, and not of INFO
			late.Reason = Protocol
		}
	}
	c.fail(cmp.Or(doubtful, late))
	return Reply{}, c.Err()
}

// AnsweredAfter begins the detail of a timeout where an answer came after the limit.
const AnsweredAfter = "answered after"

// take returns the answer a to the question q. One that came too late is a timeout, also if this goroutine
// had no processor when the limit was over.
func (c *Client) take(a answer, q question) (Reply, error) {
	c.mu.Lock()
	c.answered = a.at
	c.mu.Unlock()
	a.reply.Elapsed = max(a.at.Sub(q.start), 0)
	switch {
	case a.err != nil:
		return a.reply, a.err
	case a.reply.Elapsed > q.limit && !q.optional:
		c.fail(&Failure{Reason: Timeout, Detail: fmt.Sprintf("%s %v, %v allowed", AnsweredAfter, a.reply.Elapsed.Round(time.Millisecond), q.limit)})
		return a.reply, c.Err()
	}
	return a.reply, nil
}
