package protocol

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"tengen/brain/board"
)

// Limits of a Client.
const (
	defaultMaxOutput = 64 << 20               // bytes between two commands
	maxLine          = 64 << 10               // bytes kept of one line
	writeLimit       = 5 * time.Second        // for writing a line that has no answer
	endGrace         = time.Second            // from END to killing the process
	reapLimit        = 5 * time.Second        // from killing the process to its end
	drainLimit       = 300 * time.Millisecond // for reading what a process printed before it ended
	inputGrace       = 500 * time.Millisecond // from a write that failed to taking that for the reason
	outputGrace      = time.Second            // from the end of the output to the same
)

// ClientOptions say how an engine is started and watched. Its standard error is discarded.
type ClientOptions struct {
	Command string   // split into words by SplitCommand
	Args    []string // used instead of Command if not empty, program first
	Dir     string   // working directory; "" is that of this process
	Env     []string // added to the environment, as KEY=VALUE

	Pause     time.Duration // minimum from an answer to the next line sent; not charged to the engine
	MaxOutput int64         // bytes the engine may print between two commands; 0 is 64 MiB

	// OnMessage is called with every MESSAGE and DEBUG line, one at a time, by a goroutine
	// of the Client. Answers wait while it runs, but their time has been taken before.
	OnMessage func(line string)
}

// A Reason is the kind of a Failure, as game records name it.
type Reason string

// The ways in which an engine can fail at the level of the protocol.
const (
	Timeout  Reason = "timeout"  // no answer within the limit
	Crash    Reason = "crash"    // the process ended or closed a pipe
	Protocol Reason = "protocol" // a line that is no answer, or too much output
)

// A Failure is the error of the commands of a Client.
type Failure struct {
	Reason Reason
	Detail string // one line of text
}

func (f *Failure) Error() string { return string(f.Reason) + ": " + f.Detail }

// A Reply is an engine's answer to a command that asks for a move.
type Reply struct {
	X, Y    int           // column and row as given; they may be off the board
	Moves   [][2]int      // all coordinates of the answer: one, or up to three for Swap2
	Swap    bool          // the answer to Swap2 was SWAP; X, Y and Moves are zero
	Elapsed time.Duration // from writing the command to the arrival of the answer
	Stats   Stats         // from the MESSAGE lines before the answer
}

// Move returns the move, or board.None if it is off a board of the given size.
func (r Reply) Move(width, height int) board.Move {
	m, _ := board.AtOn(r.X, r.Y, width, height) // None with the error
	return m
}

// A Client is the manager's side of the protocol: it drives one engine process. Every
// wait has a limit, and memory is bounded whatever the engine does. Commands must be sent
// by one goroutine at a time; Stop, Kill, Pid and Err may be called by any.
//
// A timeout, a crash or too much output is final: every later command returns the same
// Failure, so that a late answer is not taken for another one. After a wrong line (ERROR,
// UNKNOWN) the client can still be used.
type Client struct {
	o      ClientOptions
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File

	dead      chan struct{} // closed by the first final failure
	exited    chan struct{} // closed when the process has ended
	outputEnd chan struct{} // closed when readOutput has returned

	writing sync.Mutex // held during a write, so that lines stay whole

	asked question // used by the goroutine that sends commands

	mu         sync.Mutex
	failure    *Failure
	accept     func(line string) (Reply, *Failure, bool) // nil while no answer is expected
	answers    chan answer
	stats      Stats
	output     int64     // bytes since the last command that has an answer
	answered   time.Time // when the last answer arrived
	aboutOwed  bool      // ABOUT timed out and may still be answered
	doubtful   *Failure  // by a refusal that was taken for that answer
	ended      bool      // Close has been called
	exitDetail string
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
		c.stdin.Close()
	}
}

// receive handles one line, from which white space around it has been removed.
func (c *Client) receive(line string, at time.Time) {
	if line == "" {
		return
	}
	word, rest, _ := strings.Cut(line, " ")
	if isWord(word, "MESSAGE") || isWord(word, "DEBUG") {
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
	refusal := isWord(word, "ERROR") || isWord(word, "UNKNOWN")
	about := c.aboutOwed && (refusal || len(line) >= 5 && isWord(line[:5], "name="))
	accept := c.accept
	if accept != nil {
		reply, failure, done := accept(line)
		switch {
		case about && refusal:
			c.doubtful = failure
		case done && !about:
			reply.Stats = c.stats
			c.accept, c.aboutOwed = nil, false // answers come in order
			c.answers <- answer{reply, failure, at}
		}
	}
	c.aboutOwed = c.aboutOwed && !about
	c.mu.Unlock()
	if accept != nil {
		return
	}
	if _, _, move := pair(line); move {
		c.fail(&Failure{Protocol, "a move without a command: " + quote(line, 80)})
	}
}

// isWord reports whether s is the keyword, ignoring case.
func isWord(s, keyword string) bool {
	return len(s) == len(keyword) && strings.EqualFold(s, keyword) // all keywords are ASCII
}

// write sends text in one write. If the engine does not read it within limit, the client
// fails with a timeout.
func (c *Client) write(text string, limit time.Duration) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	watch := time.AfterFunc(limit, func() {
		c.fail(&Failure{Timeout, "the engine does not read its input"})
	})
	defer watch.Stop()
	if _, err := c.stdin.WriteString(text); err != nil {
		select { // the end of the process may be a better reason
		case <-c.dead:
		case <-time.After(inputGrace):
			c.fail(&Failure{Crash, "the engine closed its input"})
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
	c.accept, c.stats, c.output, c.doubtful = accept, Stats{}, 0, nil
	c.mu.Unlock()

	// The engine may answer before write returns, so the time is taken first.
	c.asked.start = time.Now()
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
			return c.settle(a, q.start)
		case <-c.dead:
		case <-timer.C:
		}
	}
	// An answer in time counts, whatever happened next.
	c.mu.Lock()
	c.accept = nil
	doubtful := c.doubtful
	c.mu.Unlock()
	select {
	case a := <-c.answers:
		return c.settle(a, q.start)
	default:
	}
	if q.err == nil && q.optional && c.Err() == nil {
		return Reply{}, nil
	}
	// If nothing else has come, what was taken for the answer to ABOUT was the answer to this.
	c.fail(cmp.Or(doubtful, &Failure{Timeout, fmt.Sprintf("no answer within %v", q.limit)}))
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

// acceptOK takes OK, fails on ERROR and UNKNOWN, and ignores other lines.
func acceptOK(line string) (Reply, *Failure, bool) {
	word, _, _ := strings.Cut(line, " ")
	switch {
	case isWord(line, "OK"):
		return Reply{}, nil, true
	case isWord(word, "ERROR"), isWord(word, "UNKNOWN"):
		return Reply{}, &Failure{Protocol, "answered " + quote(line, 80)}, true
	}
	return Reply{}, nil, false
}

// acceptMove takes a pair of coordinates and fails on other lines.
func acceptMove(line string) (Reply, *Failure, bool) {
	x, y, isPair := pair(line)
	if !isPair {
		return Reply{}, &Failure{Protocol, "not a move: " + quote(line, 80)}, true
	}
	return Reply{X: x, Y: y, Moves: [][2]int{{x, y}}}, nil, true
}

// acceptSwap takes SWAP or one to three pairs of coordinates and fails on other lines.
func acceptSwap(line string) (Reply, *Failure, bool) {
	if isWord(line, "SWAP") {
		return Reply{Swap: true}, nil, true
	}
	var r Reply
	for _, word := range strings.Fields(tight(line)) {
		x, y, isPair := pair(word)
		if !isPair || len(r.Moves) == 3 {
			return Reply{}, &Failure{Protocol, "not moves: " + quote(line, 80)}, true
		}
		r.Moves = append(r.Moves, [2]int{x, y})
	}
	if len(r.Moves) == 0 {
		return Reply{}, nil, false
	}
	r.X, r.Y = r.Moves[0][0], r.Moves[0][1]
	return r, nil, true
}

// Start begins a game on an empty board, by START if it is square and RECTSTART if not, and
// waits for OK. Other lines before it are ignored unless they are an error.
func (c *Client) Start(width, height int, limit time.Duration) error {
	c.SendStart(width, height, limit)
	_, err := c.Answer()
	return err
}

// SendStart is Start without the wait: Answer waits and returns the error. As for all Send
// methods, the limit counts from sending, and Answer has to be called before the next command:
// an answer that has arrived by then is dropped, and a later one is taken for the next.
func (c *Client) SendStart(width, height int, limit time.Duration) {
	text := fmt.Sprintf("RECTSTART %d,%d\n", width, height)
	if width == height {
		text = fmt.Sprintf("START %d\n", width)
	}
	c.send(text, limit, acceptOK)
}

// Info sends INFO key value, which has no answer. The value may contain spaces but no line
// end.
func (c *Client) Info(key, value string) error { return c.Infos([][2]string{{key, value}}) }

// Infos sends several keys with their values in one write.
func (c *Client) Infos(pairs [][2]string) error {
	var text strings.Builder
	for _, kv := range pairs {
		line := "INFO " + kv[0] + " " + kv[1]
		if strings.ContainsAny(line, "\r\n") {
			return fmt.Errorf("INFO %s: the value %q contains a line end", kv[0], kv[1])
		}
		text.WriteString(line + "\n")
	}
	return c.tell(text.String())
}

// About asks for the line that describes the engine. If the engine does not answer within
// limit or does not know the command, About returns "" and no error.
func (c *Client) About(limit time.Duration) (string, error) {
	text, answered := "", false
	c.send("ABOUT\n", limit, func(line string) (Reply, *Failure, bool) {
		answered = true
		word, _, _ := strings.Cut(line, " ")
		if !isWord(word, "ERROR") && !isWord(word, "UNKNOWN") {
			text = line
		}
		return Reply{}, nil, true
	})
	c.asked.optional = true
	_, err := c.Answer()
	if err == nil && !answered {
		c.mu.Lock()
		c.aboutOwed = true
		c.mu.Unlock()
	}
	return text, err
}

// Begin asks for the first move on an empty board.
func (c *Client) Begin(limit time.Duration) (Reply, error) {
	c.SendBegin(limit)
	return c.Answer()
}

// SendBegin is Begin without the wait.
func (c *Client) SendBegin(limit time.Duration) { c.send("BEGIN\n", limit, acceptMove) }

// Turn sends the opponent's move and asks for the reply.
func (c *Client) Turn(m board.Move, limit time.Duration) (Reply, error) {
	c.SendTurn(m, limit)
	return c.Answer()
}

// SendTurn is Turn without the wait.
func (c *Client) SendTurn(m board.Move, limit time.Duration) {
	c.send("TURN "+moveLine(m)+"\n", limit, acceptMove)
}

// Board sets up the position after moves, which the two sides played in turn, and asks for
// the next.
func (c *Client) Board(moves []board.Move, limit time.Duration) (Reply, error) {
	c.SendBoard(moves, limit)
	return c.Answer()
}

// SendBoard is Board without the wait.
func (c *Client) SendBoard(moves []board.Move, limit time.Duration) {
	c.send(block("BOARD", moves, true), limit, acceptMove)
}

// Position sets up the position after moves by YXBOARD, a command of Yixin and of the
// engines that follow it, which has no answer.
func (c *Client) Position(moves []board.Move) error {
	return c.tell(block("YXBOARD", moves, true))
}

// NBest asks by YXNBEST, also a command of Yixin, for a move and the n >= 1 best lines,
// which come as MESSAGE lines. The engine plays the move on its board.
func (c *Client) NBest(n int, limit time.Duration) (Reply, error) {
	return c.ask(fmt.Sprintf("YXNBEST %d\n", n), limit, acceptMove)
}

// Block makes the engine leave out the given cells in searches of the position from now on, by
// YXBLOCKRESET and YXBLOCK, and allows all others again.
func (c *Client) Block(cells []board.Move) error {
	text := "YXBLOCKRESET\n"
	if len(cells) > 0 {
		text += block("YXBLOCK", cells, false)
	}
	return c.tell(text)
}

// Balance asks, by YXBALANCEONE or YXBALANCETWO, for one move or two, n, that leave the game
// even. For another n it returns an error and asks nothing.
func (c *Client) Balance(n int, limit time.Duration) (Reply, error) {
	switch n {
	case 1:
		return c.ask("YXBALANCEONE 0\n", limit, acceptSwap)
	case 2:
		return c.ask("YXBALANCETWO 0\n", limit, acceptSwap)
	}
	return Reply{}, fmt.Errorf("no command asks for %d moves that leave the game even", n)
}

// Swap2 asks for the next step of a swap2 opening after 0, 3 or 5 moves.
func (c *Client) Swap2(moves []board.Move, limit time.Duration) (Reply, error) {
	return c.ask(block("SWAP2BOARD", moves, false), limit, acceptSwap)
}

// block returns the command with a list of moves. With owners, each line says whose move it
// was: the engine's or the opponent's. The engine plays the next move. A pass, board.None,
// counts as a move but has no line.
func block(name string, moves []board.Move, owners bool) string {
	var b strings.Builder
	b.WriteString(name + "\n")
	for i, m := range moves {
		if m == board.None {
			continue
		}
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

// Stop asks a thinking engine to answer now, by YXSTOP. Engines that do not know the
// command answer UNKNOWN, which is taken for the answer.
func (c *Client) Stop() error {
	if err := c.Err(); err != nil {
		return err
	}
	return c.write("YXSTOP\n", writeLimit)
}
