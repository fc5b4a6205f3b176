package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"tengen/brain"
	"tengen/protocol"
)

// The engine that comes with the window is the window's own program, started once more
// with this word. It is spoken to like any other.
const engineWord = "engine"

// serveEngine is the other program: a brain on its standard input and output.
func serveEngine(r io.Reader, w io.Writer) error {
	return protocol.Serve(r, w, &analyst{Engine: brain.New()})
}

// A spec says how an engine is started and what it can do beyond the protocol.
type spec struct {
	command string   // as the user gave it
	args    []string // used instead of command if not empty
	env     []string
	own     bool // the engine that comes with the window: knows INFO lines and YXSTOP
}

// opponents lists the engines to play with: those of the user in their order, then our own.
func opponents(given []string) ([]spec, error) {
	var list []spec
	for _, command := range given {
		words, err := protocol.SplitCommand(command)
		if err != nil {
			return nil, err
		}
		if len(words) == 0 {
			return nil, fmt.Errorf("-engine %q names no program", command)
		}
		list = append(list, spec{command: command})
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program, to start it as the engine: %w", err)
	}
	return append(list, spec{command: "Tengen", args: []string{self, engineWord}, own: true}), nil
}

// An analyst is a brain that knows one more option: INFO lines n makes every search
// report its n best lines. The plain protocol has no way to ask for them together with a
// position.
type analyst struct {
	*brain.Engine
	lines atomic.Int32
}

// Set takes a value of INFO. Like that of the brain it may be called at any time.
func (a *analyst) Set(key, value string) {
	if key != "lines" {
		a.Engine.Set(key, value)
		return
	}
	if n, err := strconv.Atoi(value); err == nil && n >= 1 && n <= maxLines {
		a.lines.Store(int32(n))
	}
}

// Think is that of the brain with as many lines as were asked for last.
func (a *analyst) Think(ctx context.Context, start time.Time, lines int, report func(brain.Info)) (brain.Thought, error) {
	return a.Engine.Think(ctx, start, max(lines, int(a.lines.Load())), report)
}
