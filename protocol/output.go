package protocol

import (
	"fmt"
	"strings"
	"time"
)

// How a Client reads the output of its engine. Where the system can wait for a pipe with a
// timeout, the caller reads synchronously, and no goroutine has to be woken between the
// answer and the next command. Between two commands no goroutine reads, and an engine that
// prints more than fits in its pipe blocks. On other systems one goroutine reads all the
// time.

const (
	failureCheck = 100 * time.Millisecond // interval at which a waiting reader checks for a failure
	drainLimit   = 300 * time.Millisecond // for reading what a process printed before it ended
)

// readAll reads to the end of the output.
func (c *Client) readAll() {
	for c.readOnce() >= 0 {
	}
}

// lockOutput waits until no other goroutine reads. It returns false at the end of the
// output, and otherwise the caller must unlock by <-c.reading.
func (c *Client) lockOutput() bool {
	select {
	case <-c.outputEnd:
		return false
	default:
	}
	select {
	case <-c.outputEnd:
		return false
	case c.reading <- struct{}{}:
		return true
	}
}

// readPending reads what has arrived, without waiting.
func (c *Client) readPending() {
	for c.readOnce() > 0 {
	}
}

// await reads until an answer is accepted, the output ends, the client fails or the time is
// up.
func (c *Client) await(until time.Time) {
	for len(c.answers) == 0 {
		select {
		case <-c.dead:
			return
		default:
		}
		left := time.Until(until)
		switch {
		case wait(c.stdout, min(max(left, 0), failureCheck)):
			if c.readOnce() < 0 {
				return
			}
		case left <= 0:
			return
		}
	}
}

// drain reads what an ended process has printed. There is a limit because a descendant that
// left the process group may keep the pipe open.
func (c *Client) drain() {
	timer := time.NewTimer(drainLimit)
	defer timer.Stop()
	select {
	case <-c.outputEnd:
	case <-timer.C:
	case c.reading <- struct{}{}:
		until := time.Now().Add(drainLimit)
		for left := drainLimit; left > 0 && wait(c.stdout, left) && c.readOnce() >= 0; {
			left = time.Until(until)
		}
		<-c.reading
	}
}

// readOnce reads once and calls receive for each complete line. It returns the number of
// bytes, which may be zero for a direct read, and -1 if the output ended or was too much,
// after which the client has failed. The caller holds the lock of the output.
func (c *Client) readOnce() int {
	n, again, err := c.read()
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
		c.endOutput()
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
	case <-c.exited: // a better reason than the end of the output
	case <-time.After(200 * time.Millisecond):
	}
	c.mu.Lock()
	detail := c.exitDetail
	c.mu.Unlock()
	if detail == "" {
		detail = "the engine closed its output"
	}
	c.fail(&Failure{Crash, detail})
	c.endOutput()
	return -1
}

// read reads what has arrived. The reader goroutine waits for it.
func (c *Client) read() (n int, again bool, err error) {
	if c.direct {
		return readNow(c.stdout, c.chunk)
	}
	n, err = c.stdout.Read(c.chunk)
	return n, false, err
}

// endOutput marks the end of reading.
func (c *Client) endOutput() { c.endOnce.Do(func() { close(c.outputEnd) }) }
