package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"tengen/cmd/internal/flags"
)

// logStart is how every log begins.
const logStart = "# dialogue of arena"

// A log is the file of -log: the lines between arena and the engines, as they come. A line is
//
//	GAME SECONDS > ENGINE: TEXT
//
// with the number of the game, the seconds since it began, and > for what the engine was sent, < for
// what it said.
type log struct {
	mu     sync.Mutex
	file   *os.File
	failed func(error) // is called once
}

// openLog opens a log for one more run. No other file is continued.
func openLog(name, match string) (*log, error) {
	if err := flags.CheckReplaced(name, logStart); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(f, "%s, match %s, %s\n", logStart, match, stamp(time.Now()))
	return &log{file: f}, err
}

// A dialogue is the part of a log that one worker writes: its games one after the other. A nil one writes
// nothing.
type dialogue struct {
	log   *log
	game  int // under log.mu, as are the others
	began time.Time
}

// begin says which game the lines belong to from now on.
func (d *dialogue) begin(game int) {
	if d == nil {
		return
	}
	d.log.mu.Lock()
	defer d.log.mu.Unlock()
	d.game, d.began = game, time.Now()
}

// lines returns a function that writes the lines of an engine, nil for a nil dialogue.
func (d *dialogue) lines(engine string) func(sent bool, line string) {
	if d == nil {
		return nil
	}
	return func(sent bool, line string) {
		sign := '<'
		if sent {
			sign = '>'
		}
		l := d.log
		l.mu.Lock()
		defer l.mu.Unlock()
		_, err := fmt.Fprintf(l.file, "%d %.3f %c %s: %s\n", d.game, time.Since(d.began).Seconds(), sign, engine, line)
		if err != nil && l.failed != nil {
			l.failed(fmt.Errorf("log: %w", err))
			l.failed = nil
		}
	}
}
