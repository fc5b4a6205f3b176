package protocol

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Launch starts an engine and sends nothing yet. A relative program path is relative to
// Dir, as in os/exec.
func Launch(o ClientOptions) (*Client, error) {
	args := o.Args
	if len(args) == 0 {
		var err error
		if args, err = SplitCommand(o.Command); err != nil {
			return nil, err
		}
	}
	if len(args) == 0 {
		return nil, errors.New("no command to start the engine")
	}
	if o.MaxOutput <= 0 {
		o.MaxOutput = defaultMaxOutput
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = o.Dir
	if len(o.Env) > 0 {
		cmd.Env = append(os.Environ(), o.Env...)
	}
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		inR.Close()
		inW.Close()
		return nil, err
	}
	cmd.Stdin, cmd.Stdout = inR, outW
	ownGroup(cmd)
	err = cmd.Start()
	inR.Close()
	outW.Close()
	if err != nil {
		inW.Close()
		outR.Close()
		return nil, fmt.Errorf("starting the engine: %w", err)
	}
	c := &Client{
		o: o, cmd: cmd, stdin: inW, stdout: outR,
		dead: make(chan struct{}), exited: make(chan struct{}), outputEnd: make(chan struct{}),
		answers: make(chan answer, 1),
	}
	go c.readOutput()
	go c.reap()
	return c, nil
}

// SplitCommand splits a command line into words as a shell does: spaces separate words,
// single quotes quote everything, double quotes everything but \" and \\. Outside quotes a
// backslash quotes a space, quote or backslash after it, and stands for itself otherwise
// (C:\x). Nothing else has a meaning.
func SplitCommand(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	open, quote := false, byte(0)
	for i := 0; i < len(s); i++ {
		ch := s[i]
		escapable := " \t\"'\\"
		if quote == '"' {
			escapable = "\"\\"
		}
		switch {
		case ch == '\\' && quote != '\'' && i+1 < len(s) && strings.IndexByte(escapable, s[i+1]) >= 0:
			i++
			word.WriteByte(s[i])
			open = true
		case quote != 0 && ch == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(ch)
		case ch == '"' || ch == '\'':
			quote, open = ch, true
		case ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r':
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
		default:
			word.WriteByte(ch)
			open = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("command %q: quote %c is not closed", s, quote)
	}
	if open {
		words = append(words, word.String())
	}
	return words, nil
}

// Pid returns the process ID of the engine, which on Unix is also that of its process group.
func (c *Client) Pid() int { return c.cmd.Process.Pid }

// readOutput calls receive for each line that the engine prints, until its output ends or is
// too much. The client has failed then.
func (c *Client) readOutput() {
	defer close(c.outputEnd)
	chunk := make([]byte, 64<<10)
	var line []byte
	for {
		n, err := c.stdout.Read(chunk)
		at := time.Now()
		c.mu.Lock()
		c.output += int64(n)
		over := c.output > c.o.MaxOutput
		c.mu.Unlock()
		if over {
			c.fail(&Failure{Protocol, fmt.Sprintf("more than %d bytes of output", c.o.MaxOutput)})
			return
		}
		for _, ch := range chunk[:n] {
			if ch != '\n' && ch != '\r' {
				if len(line) < maxLine {
					line = append(line, ch)
				}
				continue
			}
			c.receive(strings.TrimSpace(string(line)), at)
			line = line[:0]
		}
		if err != nil {
			break
		}
	}
	select {
	case <-c.exited: // a better reason than the end of the output
	case <-time.After(outputGrace):
	}
	c.mu.Lock()
	detail := c.exitDetail
	c.mu.Unlock()
	if detail == "" {
		detail = "the engine closed its output"
	}
	c.fail(&Failure{Crash, detail})
}

// drain waits until all that an ended process has printed is read. There is a limit because
// a descendant that left the process group may keep the pipe open.
func (c *Client) drain() {
	select {
	case <-c.outputEnd:
	case <-time.After(drainLimit):
	}
}

// reap waits for the end of the process and kills what it has left behind, as far as that can
// be found.
func (c *Client) reap() {
	err := c.cmd.Wait()
	detail := "the engine exited"
	if err != nil {
		detail += " (" + err.Error() + ")"
	}
	c.mu.Lock()
	c.exitDetail = detail
	c.mu.Unlock()
	killRest(c.cmd)
	close(c.exited)
	c.drain()
	c.fail(&Failure{Crash, detail})
}

// Kill kills the process group of the engine. Unlike Close it does not wait.
func (c *Client) Kill() {
	select {
	case <-c.exited:
	default:
		killTree(c.cmd)
	}
}

// Close sends END, gives the engine a second to exit, kills what is left of its process
// group and waits for its end. The error is that the process does not end. Close may be
// called more than once.
func (c *Client) Close() error {
	c.mu.Lock()
	again := c.ended
	c.ended = true
	c.mu.Unlock()
	if !again && c.Err() == nil {
		c.pause()
		if c.write("END\n", endGrace) == nil {
			select {
			case <-c.exited:
			case <-time.After(endGrace):
			}
		}
	}
	c.fail(&Failure{Crash, "the engine was closed"})
	c.Kill()
	select {
	case <-c.exited:
	case <-time.After(reapLimit):
		return fmt.Errorf("process %d did not end", c.Pid())
	}
	c.drain()
	c.stdout.Close()
	<-c.outputEnd
	return nil
}
