package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"

	"tengen/brain"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/heap"
	"tengen/protocol"
	"tengen/protocol/client"
)

// The built-in engine is this program, started with this argument. It is used like any
// other engine.
const engineWord = "engine"

// serveEngine is the built-in engine.
func serveEngine(r io.Reader, w io.Writer) error {
	return protocol.Serve(context.Background(), r, w, brain.New(brain.Config{LimitHeap: heap.Limit, MostMemory: heap.Room(), MostThreads: brain.ThreadsFor(runtime.GOMAXPROCS(0))}))
}

// A spec says how an engine is started.
type spec struct {
	command string   // of the user
	args    []string // used instead of command if not empty
	env     []string
	own     bool // the built-in engine, which knows YXBOARD, YXNBEST and YXSTOP
}

// opponents lists the engines: those of the user in their order, then the built-in one. Those
// whose program is not there are left out and noted in missing.
func opponents(given []string) (list []spec, missing []string, err error) {
	for _, command := range given {
		words, err := client.SplitCommand(command)
		if err != nil {
			return nil, nil, err
		}
		if len(words) == 0 {
			return nil, nil, fmt.Errorf("%q names no program", command)
		}
		if _, err := exec.LookPath(words[0]); err != nil {
			missing = append(missing, fmt.Sprintf("the engine %q is left out: %s", command, flags.OneLine(err)))
			continue
		}
		list = append(list, spec{command: command})
	}
	self, err := os.Executable()
	if err != nil {
		return nil, nil, fmt.Errorf("finding this program, to start it as the engine: %w", err)
	}
	return append(list, spec{command: brain.Name, args: []string{self, engineWord}, own: true}), missing, nil
}
