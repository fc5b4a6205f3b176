package protocol

import (
	"fmt"
	"strings"
	"time"
)

// How a Client takes what its engine prints. Where the system can wait for a pipe with a
// limit, whoever asks reads the answer himself: between the answer and the next line to
// the other engine no goroutine has to be woken. Between two questions nobody reads, and
// an engine that prints more than its pipe holds waits. Elsewhere one goroutine reads
// all the time.

const (
	glance     = 100 * time.Millisecond // between looks at whether the client has failed
	drainLimit = 300 * time.Millisecond // for the last words of a process that has gone
)

// readAll reads for as long as there is something to come.
func (c *Client) readAll() {
	for c.pump() >= 0 {
	}
}

// seize waits for the right to read, which <-c.reading gives back. False means that
// there is nothing more to read.
func (c *Client) seize() bool {
	select {
	case <-c.silent:
		return false
	default:
	}
	select {
	case <-c.silent:
		return false
	case c.reading <- struct{}{}:
		return true
	}
}

// skim reads what came unasked. It returns when there is nothing for now.
func (c *Client) skim() {
	for c.pump() > 0 {
	}
}

// await reads until an answer has been accepted, the output has ended, the client has
// failed or the time is up.
func (c *Client) await(until time.Time) {
	for len(c.answers) == 0 {
		select {
		case <-c.dead:
			return
		default:
		}
		left := time.Until(until)
		switch {
		case wait(c.stdout, min(max(left, 0), glance)):
			if c.pump() < 0 {
				return
			}
		case left <= 0:
			return
		}
	}
}

// drain reads the last words of a process that is gone. A process that left its group
// may hold the pipe open for ever, so there is a limit.
func (c *Client) drain() {
	timer := time.NewTimer(drainLimit)
	defer timer.Stop()
	select {
	case <-c.silent:
	case <-timer.C:
	case c.reading <- struct{}{}:
		until := time.Now().Add(drainLimit)
		for left := drainLimit; left > 0 && wait(c.stdout, left) && c.pump() >= 0; {
			left = time.Until(until)
		}
		<-c.reading
	}
}

// pump reads once and hands on the lines that are complete. It returns how much there
// was, which may be nothing where whoever asks reads, and -1 when the output has ended or
// grown past its limit; the client has failed then. The right to read is the caller's.
func (c *Client) pump() int {
	n, again, err := c.fetch()
	at := time.Now()
	if again {
		return 0
	}
	c.mu.Lock()
	c.output += int64(n)
	over := c.output > c.o.MaxOutput
	c.mu.Unlock()
	if over {
		c.fail(&Failure{Protocol, fmt.Sprintf("more than %d bytes of output", c.o.MaxOutput)})
		c.hush()
		return -1
	}
	for _, ch := range c.chunk[:n] {
		if ch != '\n' && ch != '\r' {
			if len(c.line) < maxLine {
				c.line = append(c.line, ch)
			}
			continue
		}
		c.receive(strings.TrimSpace(string(c.line)), at)
		c.line = c.line[:0]
	}
	if err == nil {
		return n
	}
	select {
	case <-c.exited: // tells more than the end of output does
	case <-time.After(200 * time.Millisecond):
	}
	c.mu.Lock()
	detail := c.exitDetail
	c.mu.Unlock()
	if detail == "" {
		detail = "the engine closed its output"
	}
	c.fail(&Failure{Crash, detail})
	c.hush()
	return -1
}

// fetch reads what is there, and waits for it where one goroutine reads all the time.
func (c *Client) fetch() (n int, again bool, err error) {
	if c.direct {
		return readNow(c.stdout, c.chunk)
	}
	n, err = c.stdout.Read(c.chunk)
	return n, false, err
}

// hush notes that nothing will be read any more.
func (c *Client) hush() { c.hushed.Do(func() { close(c.silent) }) }
