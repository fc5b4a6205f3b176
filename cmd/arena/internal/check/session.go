package check

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"tengen/protocol/client"
	"tengen/protocol/wire"
)

// What a session keeps of a talk with an engine.
const (
	mostLines  = 2000     // of a dialogue
	mostLine   = 240      // bytes of a line of a dialogue
	mostOutput = 16 << 20 // bytes that an engine may print in a session
	waiting    = 4096     // readings that are kept until they are used
)

// A Line is a line of a dialogue.
type Line struct {
	At   float64 `json:"at"`   // seconds since the start of the process
	From string  `json:"from"` // "manager", "engine", "stderr", or "note" for what happened
	Text string  `json:"text"`
}

// A received is a line of the engine.
type received struct {
	text string // without its end
	cr   bool   // a lone CR ended it, which most managers do not see
	at   time.Time
	n    int // lines of the dialogue up to it
}

// A session is one process of the engine and the talk with it. Its methods are called by one
// goroutine.
type session struct {
	r       *run
	process *client.Process
	mark    string
	began   time.Time
	lines   chan []received // of one reading; closed at the end of the output
	pending []received      // of the last reading
	stderr  *os.File
	release func() bool // lets the end of the run be
	erred   sync.WaitGroup

	answered time.Time // when the last answer came
	ended    bool      // END or the end of the input has been sent
	hung     bool      // an answer did not come
	provoked bool      // the manager has sent a line as long
	owed     int       // lines sent that may be refused and whose refusal may still come

	mu       sync.Mutex
	dialogue []Line
	skipped  int // lines of the dialogue that are not kept
	used     int // lines of it up to the last one of the engine that was looked at
	loud     bool
}

// open starts a process of the engine.
func (r *run) open() (*session, error) {
	r.launches++
	s := &session{r: r, mark: fmt.Sprintf("%s.%d.", r.o.Tag, r.launches), began: time.Now(), lines: make(chan []received, waiting)}
	errR, errW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	program := r.o.Program
	program.Env = append([]string{s.mark, "TMPDIR=" + r.temporary, "TMP=" + r.temporary, "TEMP=" + r.temporary}, program.Env...)
	program.Stderr, program.Grace = errW, r.t.grace
	s.process, err = client.Start(program)
	errW.Close()
	if err != nil {
		errR.Close()
		r.startError = fmt.Errorf("%w: %w", ErrStart, err)
		return nil, err
	}
	s.stderr = errR
	s.release = context.AfterFunc(r.ctx, s.process.Kill)
	s.erred.Go(s.readErrors)
	go s.read()
	r.current = append(r.current, s)
	return s, nil
}

// say adds a line to the dialogue and returns the number of lines.
func (s *session) say(from, text string) int {
	if len(text) > mostLine {
		text = text[:mostLine] + "..."
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.dialogue) == mostLines {
		s.skipped++
		return mostLines
	}
	s.dialogue = append(s.dialogue, Line{time.Since(s.began).Seconds(), from, wire.Printable(text)})
	if from != "engine" {
		s.used = len(s.dialogue)
	}
	return len(s.dialogue)
}

// talk returns the dialogue up to the last line that has been looked at.
func (s *session) talk() []Line {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := slices.Clone(s.dialogue[:s.used])
	if rest := len(s.dialogue) - s.used + s.skipped; rest > 0 {
		list = append(list, Line{time.Since(s.began).Seconds(), "note", fmt.Sprintf("more lines of the engine: %d", rest)})
	}
	return list
}

// readErrors takes what the engine writes to standard error.
func (s *session) readErrors() {
	defer s.stderr.Close()
	lines := wire.NewLines(s.stderr)
	for {
		line, _, err := lines.Next()
		if strings.TrimSpace(line) != "" {
			s.say("stderr", line)
			s.mu.Lock()
			s.loud = true
			s.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// read takes what the engine prints, line by line.
func (s *session) read() {
	defer close(s.lines)
	chunk := make([]byte, 32<<10)
	var rest []byte
	total := 0
	for {
		n, err := s.process.Out.Read(chunk)
		at := time.Now()
		if total += n; total > mostOutput {
			s.say("note", fmt.Sprintf("more than %d MiB of output; the process is killed", mostOutput>>20))
			s.process.Kill()
			return
		}
		rest = append(rest, chunk[:n]...)
		var lines []received
		for {
			i := bytes.IndexAny(rest, "\r\n")
			if i < 0 || rest[i] == '\r' && i+1 == len(rest) && err == nil {
				break // an LF may follow
			}
			line := received{text: string(rest[:i]), at: at, cr: rest[i] == '\r'}
			rest = rest[i+1:]
			if line.cr && len(rest) > 0 && rest[0] == '\n' {
				line.cr, rest = false, rest[1:]
			}
			lines = s.take(lines, line)
		}
		if len(rest) > 0 && rest[len(rest)-1] == '\r' && err == nil { // alone, so far
			lines = s.take(lines, received{text: string(rest[:len(rest)-1]), at: at, cr: true})
			rest = rest[:0]
		}
		if len(lines) > 0 {
			s.lines <- lines
		}
		if err != nil {
			if len(rest) > 0 {
				s.say("engine", string(rest)+" (without a line end)")
			}
			return
		}
		if len(rest) > wire.MaxLine {
			rest = rest[:wire.MaxLine]
		}
	}
}

// take adds a line that is not empty.
func (s *session) take(lines []received, line received) []received {
	if line.text != "" || line.cr {
		line.n = s.say("engine", line.text)
		lines = append(lines, line)
	}
	return lines
}

// receive waits for a line until a channel gives its time. In is false then, and open is false at the end
// of the output.
func (s *session) receive(end <-chan time.Time) (line received, in, open bool) {
	for len(s.pending) == 0 {
		select {
		case s.pending, open = <-s.lines:
			if !open {
				return line, true, false
			}
		case <-end:
			return line, false, true
		}
	}
	line, s.pending = s.pending[0], s.pending[1:]
	s.mu.Lock()
	s.used = max(s.used, line.n)
	s.mu.Unlock()
	return line, true, true
}

// send sends lines in one write, with the ends that Gomocup's and Piskvork's managers use.
func (s *session) send(lines ...string) error {
	s.drain()
	return s.write(strings.Join(lines, "\r\n") + "\r\n")
}

// write sends text as it is, after the pause that the engine needs.
func (s *session) write(text string) error {
	time.Sleep(time.Until(s.answered.Add(s.r.pause)))
	for line := range strings.Lines(text) {
		s.say("manager", strings.TrimRight(line, "\r\n"))
		if word, _ := wire.CutWord(line); wire.IsWord(word, "INFO") {
			s.owed++
		}
	}
	watch := time.AfterFunc(s.r.t.answer, s.process.Kill) // an engine that does not read
	_, err := s.process.In.WriteString(text)
	switch inTime := watch.Stop(); {
	case !inTime:
		s.hung = true
		return failf("the engine does not read its input")
	case err != nil:
		return s.gone()
	}
	return nil
}

// drain takes lines that have come without a command.
func (s *session) drain() {
	now := make(chan time.Time)
	close(now)
	for {
		if len(s.pending) == 0 && len(s.lines) == 0 {
			return
		}
		line, in, open := s.receive(now)
		if !in || !open {
			return
		}
		s.unasked(line)
	}
}

// unasked notes a line that no command has asked for.
func (s *session) unasked(line received) {
	s.form(line)
	text := strings.TrimSpace(line.text)
	if _, _, isPair := wire.ParsePair(text); isPair {
		s.r.note(s, "one answer", failf("a move that no command asked for: %s", wire.Quote(text, 60)))
	} else if !isChat(text) {
		s.r.note(s, "no other text", warnf("a line that no command asked for: %s", wire.Quote(text, 60)))
	}
}

// isChat reports whether a line is empty or a MESSAGE or DEBUG, which are allowed at any time.
func isChat(text string) bool {
	word, _ := wire.CutWord(text)
	return text == "" || wire.IsWord(word, "MESSAGE") || wire.IsWord(word, "DEBUG")
}

// form notes what managers dislike in any line.
func (s *session) form(line received) {
	if line.cr {
		s.r.note(s, "line ends", failf("a line ends in a CR alone: managers do not see its end"))
	}
	text := strings.TrimSpace(line.text)
	word, rest := wire.CutWord(text)
	if isChat(text) && text != "" && rest == "" {
		s.r.note(s, "no other text", failf("%s without a text is taken for an answer by Piskvork", word))
	}
	if len(line.text) > 8000 && !s.provoked {
		s.r.note(s, "line ends", warnf("a line of %d bytes: Piskvork cuts lines at 8000", len(line.text)))
	}
}

// gone returns how the engine has ended.
func (s *session) gone() error {
	select {
	case <-s.process.Exited():
	case <-time.After(s.r.t.grace + time.Second):
		return failf("the engine closed a pipe")
	}
	how, _ := s.process.Ended()
	if !s.ended {
		s.say("note", how)
	}
	s.ended = true
	return failf("%s", how)
}

// next waits for the next line that is neither empty nor a MESSAGE or DEBUG.
func (s *session) next(limit time.Duration) (received, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		line, in, open := s.receive(timer.C)
		switch {
		case !open:
			return line, s.gone()
		case !in:
			s.r.timeouts++
			s.hung = true
			s.say("note", fmt.Sprintf("no answer within %v", limit.Round(time.Millisecond)))
			return received{}, errSilent
		}
		s.form(line)
		if !isChat(strings.TrimSpace(line.text)) {
			s.answered = line.at
			return line, nil
		}
	}
}

// errSilent is the error of an answer that did not come.
var errSilent = failf("no answer")

// ok waits for OK.
func (s *session) ok() error {
	line, err := s.next(s.r.t.answer)
	switch text := strings.TrimSpace(line.text); {
	case err != nil:
		return err
	case !wire.IsWord(text, "OK"):
		return &finding{verdict: Fail, text: fmt.Sprintf("answered %s, not OK", wire.Quote(text, 60)), refused: wire.IsRefusal(text)}
	case text != line.text:
		s.r.note(s, "form of answers", warnf("blanks around OK: %q", line.text))
	case text != "OK":
		s.r.note(s, "form of answers", warnf("%q for OK: some managers are case-sensitive", text))
	}
	return nil
}

// An answerTo is a move with the time that it took.
type answerTo struct {
	x, y    int
	elapsed time.Duration
}

// answer waits for a move after what has been sent at a time. Lines that are no answer are noted and
// passed over. ERROR and UNKNOWN, unless they may be those of lines sent before, are too if a move follows soon.
func (s *session) answer(sent time.Time, limit time.Duration) (answerTo, error) {
	refused, before := "", "" // by lines sent before, it may be, and by these
	for {
		hung := s.hung
		line, err := s.next(time.Until(sent.Add(limit)))
		if err == errSilent && before != "" { // it has answered
			s.hung = hung
			s.r.timeouts--
		}
		if text := cmp.Or(before, refused); err == errSilent && text != "" {
			return answerTo{}, failf("answered %s, not a move", wire.Quote(text, 60))
		}
		if err != nil {
			return answerTo{}, err
		}
		text := strings.TrimSpace(line.text)
		x, y, isPair := wire.ParsePair(text)
		switch {
		case isPair:
			if before != "" {
				s.r.note(s, "no other text", failf("%s before a move; Piskvork ends the game", wire.Quote(before, 60)))
			}
			if strict := wire.PairText(x, y); text != strict || line.text != text {
				s.r.note(s, "form of answers", warnf("%q: some managers want %q, without anything else", line.text, strict))
			}
			s.owed = 0
			return answerTo{x, y, max(line.at.Sub(sent), 0)}, nil
		case wire.IsRefusal(text) && s.owed > 0:
			s.owed--
			refused = cmp.Or(refused, text)
			continue
		case wire.IsRefusal(text):
			if before == "" {
				before, limit = text, min(limit, line.at.Sub(sent)+s.r.t.quiet)
			}
			continue
		}
		if word, _ := wire.CutWord(text); wire.IsWord(word, "SUGGEST") {
			return answerTo{}, failf("SUGGEST for a move: Gomocup's manager does not answer it")
		}
		s.r.note(s, "no other text", failf("text where a move is expected: %s; Piskvork ends the game", wire.Quote(text, 60)))
	}
}

// ask sends lines and waits for a move. Late is the time after the limit for which it waits.
func (s *session) ask(limit, late time.Duration, lines ...string) (answerTo, error) {
	if err := s.send(lines...); err != nil {
		return answerTo{}, err
	}
	return s.answer(time.Now(), limit+late)
}

// quiet checks that nothing has been printed for what was sent before. It returns the first line, ""
// for none.
func (s *session) quiet() (string, error) {
	lines, err := s.printed()
	if len(lines) == 0 {
		return "", err
	}
	return lines[0], err
}

// printed returns what has been printed for what was sent before: it asks ABOUT, whose answer comes
// behind that, or waits where the engine does not know it.
func (s *session) printed() (lines []string, err error) {
	keep := func(line received) {
		if text := strings.TrimSpace(line.text); !isChat(text) && len(lines) < mostLines {
			lines = append(lines, text)
		}
	}
	if s.r.about == "" {
		timer := time.NewTimer(s.r.t.quiet)
		defer timer.Stop()
		for {
			line, in, open := s.receive(timer.C)
			switch {
			case !open:
				return lines, s.gone()
			case !in:
				return lines, nil
			}
			keep(line)
		}
	}
	if err := s.write("ABOUT\r\n"); err != nil {
		return nil, err
	}
	for end := time.Now().Add(s.r.t.answer); ; {
		if time.Now().After(end) { // it prints without end
			s.hung = true
			return lines, errSilent
		}
		line, err := s.next(time.Until(end))
		if err != nil {
			return lines, err
		}
		if strings.TrimSpace(line.text) == s.r.about {
			s.owed = 0
			return lines, nil
		}
		keep(line)
	}
}

// start begins a game of that size with the limit of a move and the rule.
func (s *session) start(size int, rule int, turn time.Duration) error {
	if err := s.send(fmt.Sprintf("START %d", size)); err != nil {
		return err
	}
	if err := s.ok(); err != nil {
		return err
	}
	return s.limits(rule, turn, 0)
}

// limits sends what Gomocup's manager sends before a game. A match of 0 is 36 turns.
func (s *session) limits(rule int, turn, match time.Duration) error {
	if match == 0 {
		match = 36 * turn
	}
	err := s.send(
		fmt.Sprintf("INFO timeout_turn %d", turn.Milliseconds()),
		fmt.Sprintf("INFO timeout_match %d", match.Milliseconds()),
		fmt.Sprintf("INFO max_memory %d", gomocupMemory),
		"INFO game_type 1",
		fmt.Sprintf("INFO rule %d", rule),
		"INFO folder "+s.r.folder,
		fmt.Sprintf("INFO time_left %d", match.Milliseconds()),
	)
	if err == nil && s.r.answersInfo {
		_, err = s.quiet()
	}
	return err
}

// close ends the process, and notes what it has left running.
func (s *session) close() {
	defer s.release()
	if !s.ended && !s.hung {
		s.quietly()
	}
	if !s.ended {
		s.write("END\r\n")
	}
	limit := s.r.t.end
	if s.r.stays { // another check says so
		limit = s.r.t.quiet
	}
	took, ended := s.wait(limit)
	s.r.stays = s.r.stays || !ended || took > s.r.t.soon
	select {
	case <-s.process.Exited():
		_, group := s.process.Ended()
		if n := s.r.left(s.mark); group || n > 0 {
			s.r.note(s, "processes", failf("processes that the engine has started run on after its end"))
			s.r.kill(s.mark)
		}
	default:
		s.process.Kill()
		<-s.process.Exited()
		s.r.kill(s.mark)
	}
	s.process.In.Close()
	s.process.Out.Close()
	for range s.lines {
		continue // the reader ends
	}
	s.stderr.Close()
	s.erred.Wait()
	if s.loud {
		s.r.note(s, "standard error", warnf("text on standard error, which Piskvork reads as answers"))
	}
}

// wait waits for the end of the process and of its output, and returns the time it took.
func (s *session) wait(limit time.Duration) (took time.Duration, ended bool) {
	began, timer := time.Now(), time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case _, ok := <-s.lines:
			if ok {
				continue
			}
		case <-timer.C:
			return time.Since(began), false
		}
		select {
		case <-s.process.Exited():
			return time.Since(began), true
		case <-timer.C:
			return time.Since(began), false
		}
	}
}

// quietly notes what comes without a command before the end of a session.
func (s *session) quietly() (string, error) {
	text, err := s.quiet()
	if err == nil && text != "" {
		s.unasked(received{text: text})
	}
	return text, err
}
