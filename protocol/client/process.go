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
}

// A process is the process of an engine.
type process struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed when it has ended

	mu     sync.Mutex
	detail string // how it ended, empty before
}

// Launch starts an engine and sends nothing yet. A relative program path is relative to
// Dir, as in os/exec. The standard error of the engine is discarded.
func Launch(p Program, o Options) (*Client, error) {
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
	ownGroup(cmd)
	err = cmd.Start()
	inR.Close()
	outW.Close()
	if err != nil {
		inW.Close()
		outR.Close()
		return nil, fmt.Errorf("starting the engine: %w", err)
	}
	c := newClient(inW, outR, o)
	c.process = &process{cmd: cmd, exited: make(chan struct{})}
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
	return c.process.cmd.Process.Pid
}

// reap waits for the end of the process and kills what it has left behind, as far as that can
// be found.
func (c *Client) reap() {
	p := c.process
	err := p.cmd.Wait()
	detail := "the engine exited"
	if err != nil {
		detail += " (" + err.Error() + ")"
	}
	p.mu.Lock()
	p.detail = detail
	p.mu.Unlock()
	killRest(p.cmd)
	close(p.exited)
	c.drain()
	c.fail(&Failure{Crash, detail})
}

// kill kills the process group if the process has not ended.
func (p *process) kill() {
	select {
	case <-p.exited:
	default:
		killTree(p.cmd)
	}
}

// endWithin waits at most limit for the end of the process and returns how it ended, or instead if
// it has not.
func (p *process) endWithin(limit time.Duration, instead string) string {
	select {
	case <-p.exited:
	case <-time.After(limit):
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.detail == "" {
		return instead
	}
	return p.detail
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
