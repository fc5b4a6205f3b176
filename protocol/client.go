package protocol

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"tengen/brain/board"
)

// Default bounds of a Client.
const (
	DefaultMaxOutput = 64 << 20        // bytes between two commands
	maxLine          = 64 << 10        // bytes kept of one line
	writeLimit       = 5 * time.Second // for a line that gets no answer, if the engine does not read
	endGrace         = time.Second     // from END to the kill
	reapLimit        = 5 * time.Second // from the kill to giving up on the operating system
)

// ClientOptions say how an engine is started and watched.
type ClientOptions struct {
	Command string   // split like a shell splits words, quotes honoured; nothing else is interpreted
	Args    []string // used instead of Command if not empty, program first
	Dir     string   // working directory; "" is ours
	Env     []string // added to our environment, as KEY=VALUE

	Pause     time.Duration // least time from an answer to the next line sent, charged to nobody
	MaxOutput int64         // bytes the engine may print between two commands; 0 is DefaultMaxOutput

	// Hooks. Received lines come from the goroutine that asks or from another, one at a
	// time and after their time was taken; a slow hook delays the delivery of answers.
	Log       func(sent bool, line string) // every line, blank ones left out
	OnMessage func(line string)            // MESSAGE and DEBUG lines
	Stderr    *os.File                     // nil discards it; it is never mixed with answers

	aside bool // one goroutine reads all the time, as where the system cannot wait; for tests
}

// A Reason is the kind of a Failure, in the word a game record uses.
type Reason string

// What an engine can do wrong at the level of the protocol.
const (
	Timeout  Reason = "timeout"  // no answer within the limit
	Crash    Reason = "crash"    // the process ended or closed a pipe
	Protocol Reason = "protocol" // another line in place of an answer, or too much output
)

// A Failure is the error of all commands of a Client.
type Failure struct {
	Reason Reason
	Detail string // one line for people
}

func (f *Failure) Error() string { return string(f.Reason) + ": " + f.Detail }

// A Reply is an engine's answer to a command that asks for a move.
type Reply struct {
	X, Y    int           // column and row as given; they may lie off the board
	Moves   [][2]int      // all coordinates of the answer: one, or up to three for Swap2
	Swap    bool          // the answer to Swap2 was SWAP; X, Y and Moves are zero
	Elapsed time.Duration // from handing our line to the system to the arrival of the answer
	Stats   Stats         // what MESSAGE lines told meanwhile
}

// Move returns the cell of the reply, None if it is off a board of the given size.
func (r Reply) Move(width, height int) board.Move {
	if r.X < 0 || r.X >= width || r.Y < 0 || r.Y >= height {
		return board.None
	}
	return board.At(r.X, r.Y)
}

// A Client is the manager's side of the protocol: it drives one engine process. Every
// wait has a limit and memory is bounded whatever the engine does. Commands are sent by
// one goroutine at a time; Stop, Kill, Pid and Err may be called from any.
//
// After a timeout, a crash or too much output the client is done: every later command
// returns the same Failure, so that no late answer is taken for another. After a line
// that is merely wrong (ERROR, UNKNOWN) it can be used on.
type Client struct {
	o      ClientOptions
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File

	dead   chan struct{} // closed with the first failure that lasts
	exited chan struct{} // closed when the process has been reaped
	silent chan struct{} // closed when nobody will read its output any more

	writing sync.Mutex // held over a write, so that lines stay whole

	direct  bool          // whoever asks reads
	reading chan struct{} // holds a token while somebody may read and use the two below
	chunk   []byte        // of one read
	line    []byte        // the line that has begun
	hushed  sync.Once

	asked question // of the goroutine that sends

	mu         sync.Mutex
	failure    *Failure
	accept     func(line string) (Reply, *Failure, bool) // nil while no answer is due
	answers    chan answer
	stats      Stats
	output     int64     // bytes since the last command that wants an answer
	answered   time.Time // when the last answer came
	aboutOwed  bool      // ABOUT was given up and may still be answered
	ended      bool      // the end is our doing
	exitDetail string
}

// A question has been sent and its answer not been taken.
type question struct {
	open  bool
	start time.Time
	limit time.Duration // from start
	soft  bool          // no answer is no failure
	err   error         // of sending it
}

type answer struct {
	reply Reply
	err   *Failure
	at    time.Time
}

// Err returns the failure that ended the use of the client, or nil.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure == nil {
		return nil
	}
	return c.failure
}

// fail makes f the lasting failure if there is none yet, and wakes whoever waits or writes.
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
		c.stdin.Close()
	}
}

// receive handles one line without its end and without blanks around it.
func (c *Client) receive(line string, at time.Time) {
	if line == "" {
		return
	}
	if c.o.Log != nil {
		c.o.Log(false, line)
	}
	if word, rest, _ := strings.Cut(line, " "); isWord(word, "MESSAGE") || isWord(word, "DEBUG") {
		if c.o.OnMessage != nil {
			c.o.OnMessage(line)
		}
		c.mu.Lock()
		if stats, n, ok := c.stats.updated(rest); ok && n == 1 {
			c.stats = stats
		}
		c.mu.Unlock()
		return
	}
	c.mu.Lock()
	about := c.aboutOwed && len(line) >= 5 && isWord(line[:5], "name=")
	if about {
		c.aboutOwed = false
	}
	accept := c.accept
	if accept != nil && !about {
		if reply, failure, done := accept(line); done {
			reply.Stats = c.stats
			c.accept = nil
			c.answers <- answer{reply, failure, at}
		}
	}
	c.mu.Unlock()
	if accept != nil {
		return
	}
	if _, _, move := pair(line); move {
		c.fail(&Failure{Protocol, fmt.Sprintf("a move that was not asked for: %s", clip(line))})
	}
}

// isWord reports whether s is the keyword, in any case.
func isWord(s, keyword string) bool {
	return len(s) == len(keyword) && strings.EqualFold(s, keyword) // all keywords are ASCII
}

// clip shortens a line that is quoted in a Failure.
func clip(line string) string {
	if len(line) > 80 {
		return fmt.Sprintf("%q...", line[:80])
	}
	return fmt.Sprintf("%q", line)
}

// write sends text in one piece. If the engine does not take it within limit, the
// client fails with a timeout.
func (c *Client) write(text string, limit time.Duration) error {
	if c.o.Log != nil {
		for line := range strings.Lines(text) {
			c.o.Log(true, strings.TrimSuffix(line, "\n"))
		}
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.direct {
		// All of it as a rule, and what comes now costs more than writing it.
		if text = text[writeNow(c.stdin, text):]; text == "" {
			return nil
		}
	}
	watch := time.AfterFunc(limit, func() {
		c.fail(&Failure{Timeout, "the engine does not read its input"})
	})
	defer watch.Stop()
	if _, err := c.stdin.WriteString(text); err != nil {
		select { // the process may just be going, with a better reason
		case <-c.dead:
		case <-time.After(500 * time.Millisecond):
			c.fail(&Failure{Crash, "the engine closed its input"})
		}
		return c.Err()
	}
	return nil
}

// rest waits until the pause after the last answer is over.
func (c *Client) rest() {
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

// ask sends text and waits at most limit for a line that accept takes. If soft, no
// answer is no failure and gives a zero Reply.
func (c *Client) ask(text string, limit time.Duration, soft bool, accept func(string) (Reply, *Failure, bool)) (Reply, error) {
	c.send(text, limit, soft, accept)
	return c.Answer()
}

// send is the first half of ask, Answer the second.
func (c *Client) send(text string, limit time.Duration, soft bool, accept func(string) (Reply, *Failure, bool)) {
	c.rest()
	if c.direct && c.seize() {
		c.skim()
		<-c.reading
	}
	c.asked = question{open: true, limit: limit, soft: soft}
	c.mu.Lock()
	if c.failure != nil {
		c.asked.err = c.failure
		c.mu.Unlock()
		return
	}
	select {
	case <-c.answers: // to a question that is forgotten
	default:
	}
	c.accept, c.stats, c.output = accept, Stats{}, 0
	c.mu.Unlock()

	// An engine may answer before our write returns, so the time is taken before it.
	c.asked.start = time.Now()
	c.asked.err = c.write(text, max(limit, 0))
}

// Answer waits for the answer to what was sent by one of the Send methods, as the method
// of the same name without Send does. It fails if nothing was sent.
func (c *Client) Answer() (Reply, error) {
	q := c.asked
	c.asked = question{}
	switch {
	case !q.open:
		return Reply{}, errors.New("nothing was asked")
	case q.start.IsZero():
		return Reply{}, q.err // the client had failed before
	}
	until := q.start.Add(q.limit)
	switch {
	case q.err != nil:
	case c.direct:
		if c.seize() {
			c.await(until)
			<-c.reading
		}
	default:
		timer := time.NewTimer(time.Until(until))
		defer timer.Stop()
		select {
		case a := <-c.answers:
			return c.settle(a, q.start)
		case <-c.dead:
		case <-timer.C:
		}
	}
	// An answer that came in time counts, whatever happened next.
	c.mu.Lock()
	c.accept = nil
	c.mu.Unlock()
	select {
	case a := <-c.answers:
		return c.settle(a, q.start)
	default:
	}
	if q.err == nil && q.soft && c.Err() == nil {
		return Reply{}, nil
	}
	c.fail(&Failure{Timeout, fmt.Sprintf("no answer within %v", q.limit)})
	return Reply{}, c.Err()
}

func (c *Client) settle(a answer, start time.Time) (Reply, error) {
	c.mu.Lock()
	c.answered = a.at
	c.mu.Unlock()
	a.reply.Elapsed = max(a.at.Sub(start), 0)
	if a.err != nil {
		return a.reply, a.err
	}
	return a.reply, nil
}

// ok takes OK, fails on ERROR and UNKNOWN, and passes over anything else.
func ok(line string) (Reply, *Failure, bool) {
	word, _, _ := strings.Cut(line, " ")
	switch {
	case isWord(line, "OK"):
		return Reply{}, nil, true
	case isWord(word, "ERROR"), isWord(word, "UNKNOWN"):
		return Reply{}, &Failure{Protocol, "answered " + clip(line)}, true
	}
	return Reply{}, nil, false
}

// move takes one pair of coordinates and fails on anything else.
func move(line string) (Reply, *Failure, bool) {
	x, y, isPair := pair(line)
	if !isPair {
		return Reply{}, &Failure{Protocol, "not a move: " + clip(line)}, true
	}
	return Reply{X: x, Y: y, Moves: [][2]int{{x, y}}}, nil, true
}

// swap takes SWAP or one to three pairs of coordinates and fails on anything else.
func swap(line string) (Reply, *Failure, bool) {
	if isWord(line, "SWAP") {
		return Reply{Swap: true}, nil, true
	}
	var r Reply
	for _, word := range strings.Fields(line) {
		x, y, isPair := pair(word)
		if !isPair || len(r.Moves) == 3 {
			return Reply{}, &Failure{Protocol, "not an answer to SWAP2BOARD: " + clip(line)}, true
		}
		r.Moves = append(r.Moves, [2]int{x, y})
	}
	if len(r.Moves) == 0 {
		return Reply{}, nil, false
	}
	r.X, r.Y = r.Moves[0][0], r.Moves[0][1]
	return r, nil, true
}

// Start begins a game on an empty board, with START if it is square, else RECTSTART,
// and waits for OK. Lines before it that are no refusal are passed over.
func (c *Client) Start(width, height int, limit time.Duration) error {
	c.SendStart(width, height, limit)
	_, err := c.Answer()
	return err
}

// SendStart is Start without the wait, for which Answer follows and tells what failed.
// As with all Send methods the limit counts from the sending, an answer that comes before
// Answer is called is timed when it is read, and a question before that nobody asked the
// answer of is forgotten.
func (c *Client) SendStart(width, height int, limit time.Duration) {
	text := fmt.Sprintf("RECTSTART %d,%d\n", width, height)
	if width == height {
		text = fmt.Sprintf("START %d\n", width)
	}
	c.send(text, limit, false, ok)
}

// Restart empties the board and waits for OK.
func (c *Client) Restart(limit time.Duration) error {
	_, err := c.ask("RESTART\n", limit, false, ok)
	return err
}

// Info sends INFO key value, which has no answer. The value may hold blanks but no line end.
func (c *Client) Info(key, value string) error { return c.Infos([][2]string{{key, value}}) }

// Infos sends several keys with their values in one piece, as Info does one.
func (c *Client) Infos(pairs [][2]string) error {
	var text strings.Builder
	for _, kv := range pairs {
		line := "INFO " + kv[0] + " " + kv[1]
		if strings.ContainsAny(line, "\r\n") {
			return fmt.Errorf("INFO %s: the value %q holds a line end", kv[0], kv[1])
		}
		text.WriteString(line + "\n")
	}
	if err := c.Err(); err != nil {
		return err
	}
	c.rest()
	return c.write(text.String(), writeLimit)
}

// About asks for the line that names the engine. An engine that does not answer within
// limit, or answers that it does not know the command, gives "" and no error.
func (c *Client) About(limit time.Duration) (string, error) {
	var text string
	r, err := c.ask("ABOUT\n", limit, true, func(line string) (Reply, *Failure, bool) {
		word, _, _ := strings.Cut(line, " ")
		if !isWord(word, "ERROR") && !isWord(word, "UNKNOWN") {
			text = line
		}
		return Reply{Swap: true}, nil, true // Swap only marks that there was an answer
	})
	if err == nil && !r.Swap {
		c.mu.Lock()
		c.aboutOwed = true
		c.mu.Unlock()
		return "", nil
	}
	return text, err
}

// Begin asks for the first move on an empty board.
func (c *Client) Begin(limit time.Duration) (Reply, error) {
	c.SendBegin(limit)
	return c.Answer()
}

// SendBegin is Begin without the wait.
func (c *Client) SendBegin(limit time.Duration) { c.send("BEGIN\n", limit, false, move) }

// Turn tells the opponent's move and asks for the reply to it.
func (c *Client) Turn(m board.Move, limit time.Duration) (Reply, error) {
	c.SendTurn(m, limit)
	return c.Answer()
}

// SendTurn is Turn without the wait.
func (c *Client) SendTurn(m board.Move, limit time.Duration) {
	c.send("TURN "+moveLine(m)+"\n", limit, false, move)
}

// Board sets up the position after moves, which the two sides played in turn, and asks for
// the next.
func (c *Client) Board(moves []board.Move, limit time.Duration) (Reply, error) {
	c.SendBoard(moves, limit)
	return c.Answer()
}

// SendBoard is Board without the wait.
func (c *Client) SendBoard(moves []board.Move, limit time.Duration) {
	c.send(block("BOARD", moves, true), limit, false, move)
}

// Position sets up the position after moves by YXBOARD, a command of Yixin and of the
// engines that follow it, which has no answer.
func (c *Client) Position(moves []board.Move) error {
	if err := c.Err(); err != nil {
		return err
	}
	c.rest()
	return c.write(block("YXBOARD", moves, true), writeLimit)
}

// NBest asks by YXNBEST, as Position a command of Yixin's, for the n >= 1 best lines, which
// come as MESSAGE lines, and for a move. The engine plays the move on its board.
func (c *Client) NBest(n int, limit time.Duration) (Reply, error) {
	return c.ask(fmt.Sprintf("YXNBEST %d\n", n), limit, false, move)
}

// Swap2 asks for the next step of the swap2 opening: 0, 3 or 5 stones are on the board.
func (c *Client) Swap2(moves []board.Move, limit time.Duration) (Reply, error) {
	return c.ask(block("SWAP2BOARD", moves, false), limit, false, swap)
}

// block lists moves behind the command name. With owners, each says whose it is to the
// engine, which plays the move after the last.
func block(name string, moves []board.Move, owners bool) string {
	var b strings.Builder
	b.WriteString(name + "\n")
	for i, m := range moves {
		b.WriteString(moveLine(m))
		switch {
		case !owners:
		case (len(moves)-i)%2 == 0:
			b.WriteString(",1")
		default:
			b.WriteString(",2")
		}
		b.WriteByte('\n')
	}
	b.WriteString("DONE\n")
	return b.String()
}

// TakeBack takes the stone on m from the board and waits for OK.
func (c *Client) TakeBack(m board.Move, limit time.Duration) error {
	_, err := c.ask("TAKEBACK "+moveLine(m)+"\n", limit, false, ok)
	return err
}

// Stop asks a thinking engine to answer now. Engines that do not know YXSTOP answer
// UNKNOWN, which counts as a wrong answer if a move is awaited.
func (c *Client) Stop() error {
	if err := c.Err(); err != nil {
		return err
	}
	return c.write("YXSTOP\n", writeLimit)
}
