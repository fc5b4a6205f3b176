//go:build !js

package main

import (
	"fmt"
	"os"
	"os/exec"

	"tengen/cmd/internal/flags"
	"tengen/protocol/client"
)

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
	return append(list, spec{command: engineName, args: []string{self, engineWord}, own: true}), missing, nil
}

// connect starts an engine.
func connect(s spec, o client.Options) (*client.Client, error) {
	return client.Launch(client.Program{Command: s.command, Args: s.args, Env: s.env}, o)
}
