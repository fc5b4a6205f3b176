package client

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A Program says how the process of an engine is started.
type Program struct {
	Command string   // split into words by SplitCommand
	Args    []string // used instead of Command if not empty, program first
	Dir     string   // working directory; "" is that of this process
	Env     []string // added to the environment, as KEY=VALUE
	Stderr  *os.File // standard error; nil discards it

	// Grace is the longest time from the end of the program to the end of what it has left in its
	// process group, if that can be found.
	Grace time.Duration
}

// A Process is the process of an engine with the two pipes to it.
type Process struct {
	In  *os.File // what is written here the program reads
	Out *os.File // what the program writes is read here

	cmd    *exec.Cmd
	grace  time.Duration
	exited chan struct{} // closed when it has ended

	mu     sync.Mutex
	detail string // how it ended, empty before
	left   bool
}

// Start starts a program. A relative program path is relative to Dir, as in os/exec. Who starts it
// closes both pipes.
func Start(p Program) (*Process, error) {
	args := p.Args
	if len(args) == 0 {
		var err error
		if args, err = SplitCommand(p.Command); err != nil {
			return nil, err
		}
	}
	if len(args) == 0 {
		return nil, errors.New("no command to start the engine")
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = p.Dir
	if len(p.Env) > 0 {
		cmd.Env = append(os.Environ(), p.Env...)
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
	if p.Stderr != nil {
		cmd.Stderr = p.Stderr
	}
	ownGroup(cmd)
	err = cmd.Start()
	inR.Close()
	outW.Close()
	if err != nil {
		inW.Close()
		outR.Close()
		return nil, fmt.Errorf("starting the engine: %w", err)
	}
	process := &Process{In: inW, Out: outR, cmd: cmd, grace: p.Grace, exited: make(chan struct{})}
	go process.reap()
	return process, nil
}

// Launch starts an engine and sends nothing yet. Its standard error is discarded unless p has a file
// for it.
func Launch(p Program, o Options) (*Client, error) {
	process, err := Start(p)
	if err != nil {
		return nil, err
	}
	c := newClient(process.In, process.Out, o)
	c.process = process
	go c.readOutput()
	go c.reap()
	return c, nil
}

// Pid returns the process ID of the engine, which on Unix is also that of its process group; 0 if
// the engine is no process of this client.
func (c *Client) Pid() int {
	if c.process == nil {
		return 0
	}
	return c.process.Pid()
}

// reap waits for the end of the process.
func (c *Client) reap() {
	<-c.process.exited
	c.drain()
	detail, _ := c.process.Ended()
	c.fail(&Failure{Reason: Crash, Detail: detail})
}

// Pid returns the process ID, which on Unix is also that of the process group.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Exited returns a channel that is closed when the process has ended and what it left behind has been
// killed, as far as that can be found.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Ended says how the process has ended, "" before that, and whether others of its process group
// outlived it and its grace. Systems without such groups do not know.
func (p *Process) Ended() (how string, left bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.detail, p.left
}

// reap waits for the end of the process and kills what it has left behind.
func (p *Process) reap() {
	err := p.cmd.Wait()
	detail := "the engine exited"
	if err != nil {
		detail += " (" + err.Error() + ")"
	}
	p.mu.Lock()
	p.detail = detail
	p.mu.Unlock()
	for end := time.Now().Add(p.grace); hasRest(p.cmd) && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	left := killRest(p.cmd)
	p.mu.Lock()
	p.left = left
	p.mu.Unlock()
	close(p.exited)
}

// Kill kills the process group if the process has not ended.
func (p *Process) Kill() {
	select {
	case <-p.exited:
	default:
		killTree(p.cmd)
	}
}

// endWithin waits at most limit for the end of the process and returns how it ended, or instead if
// it has not.
func (p *Process) endWithin(limit time.Duration, instead string) string {
	select {
	case <-p.exited:
	case <-time.After(limit):
	}
	detail, _ := p.Ended()
	if detail == "" {
		return instead
	}
	return detail
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
