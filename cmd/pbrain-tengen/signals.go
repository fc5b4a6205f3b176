//go:build !js

package main

import (
	"os"
	"os/signal"
	"slices"
	"syscall"

	"tengen/cmd/internal/flags"
)

// ignorePipe keeps a manager that is gone from ending the program.
func ignorePipe() { signal.Ignore(syscall.SIGPIPE) }

// endings returns the signals that count as END. A manager may have an interrupt ignored, so that
// it reaches only itself.
func endings() []os.Signal {
	return slices.DeleteFunc(flags.Signals(), func(s os.Signal) bool { return s == os.Interrupt && signal.Ignored(s) })
}
