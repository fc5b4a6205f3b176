package main

import (
	"fmt"
	"io"
	"os"

	"tengen/brain"
	"tengen/cmd/internal/heap"
	"tengen/protocol"
)

// The engine that comes with the window is the window's own program, started once more
// with this word. It is spoken to like any other.
const engineWord = "engine"

// serveEngine is the other program: a brain on its standard input and output.
func serveEngine(r io.Reader, w io.Writer) error {
	return protocol.Serve(r, w, brain.New(brain.Config{LimitHeap: heap.Limit}))
}

// A spec says how an engine is started and what it can do beyond the protocol.
type spec struct {
	command string   // as the user gave it
	args    []string // used instead of command if not empty
	env     []string
	own     bool // the engine that comes with the window: knows YXBOARD, YXNBEST and YXSTOP
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
