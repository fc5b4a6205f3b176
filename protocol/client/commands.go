package client

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"tengen/brain/board"
	"tengen/protocol/wire"
)

// acceptOK takes OK, with or without a text behind it, fails on ERROR and UNKNOWN, and ignores other lines.
func acceptOK(line string) (Reply, *Failure, bool) {
	word, _ := wire.CutWord(line)
	switch {
	case wire.IsWord(strings.TrimRightFunc(word, unicode.IsPunct), "OK"):
		return Reply{}, nil, true
	case wire.IsRefusal(line):
		return Reply{}, &Failure{Reason: Protocol, Detail: "answered " + wire.Quote(line, 80)}, true
	}
	return Reply{}, nil, false
}

// acceptMove takes a pair of coordinates, fails on ERROR and UNKNOWN, and ignores other lines.
func acceptMove(line string) (Reply, *Failure, bool) {
	x, y, isPair := wire.ParsePair(line)
	switch {
	case isPair:
		return Reply{X: x, Y: y, Moves: [][2]int{{x, y}}}, nil, true
	case wire.IsRefusal(line):
		return Reply{}, &Failure{Reason: Protocol, Detail: "not a move: " + wire.Quote(line, 80)}, true
	}
	return Reply{}, nil, false
}

// acceptSwap takes SWAP or one to three pairs of coordinates, fails on ERROR and UNKNOWN, and ignores
// other lines.
func acceptSwap(line string) (Reply, *Failure, bool) {
	if wire.IsWord(line, "SWAP") {
		return Reply{Swap: true}, nil, true
	}
	if wire.IsRefusal(line) {
		return Reply{}, &Failure{Reason: Protocol, Detail: "not moves: " + wire.Quote(line, 80)}, true
	}
	var r Reply
	for _, word := range strings.Fields(wire.Tight(line)) {
		x, y, isPair := wire.ParsePair(word)
		switch {
		case !isPair:
			return Reply{}, nil, false
		case len(r.Moves) == 3:
			return Reply{}, &Failure{Reason: Protocol, Detail: "not moves: " + wire.Quote(line, 80)}, true
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
	c.mu.Lock()
	if c.o.Patience > 0 {
		c.infosOwed += mostRefusals * len(pairs)
	} else {
		c.infosOwed += len(pairs)
	}
	c.mu.Unlock()
	return c.tell(text.String())
}

// Need says which keys of INFO the engine must not refuse: if an ERROR names one of them, the command with
// an answer that waits, or the next one, fails at once. Other errors about INFO are passed over.
func (c *Client) Need(keys ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.needed = keys
}

// About asks for the line that describes the engine. If the engine does not answer within
// limit or does not know the command, About returns "" and no error.
func (c *Client) About(limit time.Duration) (string, error) {
	text, answered := "", false
	c.send("ABOUT\n", limit, func(line string) (Reply, *Failure, bool) {
		answered = true
		if !wire.IsRefusal(line) {
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
	c.send("TURN "+wire.MoveText(m)+"\n", limit, acceptMove)
}

// Board sets up the position after moves, which the two sides played in turn, and asks for
// the next.
func (c *Client) Board(moves []board.Move, limit time.Duration) (Reply, error) {
	c.SendBoard(moves, limit)
	return c.Answer()
}

// SendBoard is Board without the wait.
func (c *Client) SendBoard(moves []board.Move, limit time.Duration) {
	c.send(wire.Block("BOARD", moves, true), limit, acceptMove)
}

// Position sets up the position after moves by YXBOARD, a command of Yixin and of the
// engines that follow it, which has no answer.
func (c *Client) Position(moves []board.Move) error {
	return c.tell(wire.Block("YXBOARD", moves, true))
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
		text += wire.Block("YXBLOCK", cells, false)
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
	c.SendSwap2(moves, limit)
	return c.Answer()
}

// SendSwap2 is Swap2 without the wait.
func (c *Client) SendSwap2(moves []board.Move, limit time.Duration) {
	c.send(wire.Block("SWAP2BOARD", moves, false), limit, acceptSwap)
}

// SendSoosyrv asks for a step of Soosyrv-8, 1 to 6, by YXSOOSORVSTEPn, a command of Yixin: three stones; to swap
// or not; the fourth stone and the number of fifth moves; to swap or not; so many fifth moves; one of them.
// Stones are those so far, in step 6 with the fifth moves behind the fourth; declared counts in steps 4 and 5.
// The answer comes in MESSAGE lines.
func (c *Client) SendSoosyrv(step int, stones []board.Move, declared int, limit time.Duration) {
	text := fmt.Sprintf("YXSOOSORVSTEP%d", step)
	if step == 4 || step == 5 {
		text += fmt.Sprintf(" %d", declared)
	}
	if step == 1 {
		text += "\n"
	} else {
		text = wire.Block(text, stones, false)
	}
	var reply Reply
	c.sendTo(text, limit, true, func(line string) (Reply, *Failure, bool) {
		if wire.IsRefusal(line) {
			return Reply{}, &Failure{Reason: Protocol, Detail: "not a choice: " + wire.Quote(line, 80)}, true
		}
		done := reply.soosyrv(step, strings.Fields(strings.ToUpper(line)))
		return reply, nil, done
	})
}

// soosyrv takes a line of the answer to a step and reports whether it is the last one.
func (r *Reply) soosyrv(step int, words []string) (done bool) {
	if len(words) < 4 || words[0] != "MESSAGE" || words[1] != "SOOSORV" {
		return false
	}
	name, rest := words[2], words[3:]
	switch {
	case name == fmt.Sprintf("SWAP%d", step/2) && (step == 2 || step == 4):
		r.Swap = rest[0] == "YES"
		return r.Swap || rest[0] == "NO"
	case step == 5 && name == "MOVE5" && rest[0] == "DONE":
		return true
	}
	var n []int
	for _, word := range rest {
		number, err := wire.ParseNumber(word)
		if err != nil {
			return false
		}
		n = append(n, number)
	}
	want := map[int]string{1: fmt.Sprintf("MOVE%d", len(r.Moves)+1), 3: "MOVE4", 5: "MOVE5", 6: "MOVE5C"}[step]
	if name != want || len(n) < 2 || step == 3 && len(n) < 3 {
		return false
	}
	if r.Moves = append(r.Moves, [2]int{n[0], n[1]}); step == 3 {
		r.Number = n[2]
	}
	r.X, r.Y = r.Moves[0][0], r.Moves[0][1]
	return len(r.Moves) == map[int]int{1: 3, 3: 1, 6: 1}[step]
}

// Stop asks a thinking engine to answer now, by YXSTOP. An engine that does not know the command says
// UNKNOWN. That ends the wait as an error for an answer, unless the engine may refuse a line of INFO
// sent since its last answer: it is skipped then.
func (c *Client) Stop() error {
	if err := c.Err(); err != nil {
		return err
	}
	return c.write("YXSTOP\n", writeLimit)
}
