//go:build !js

package main

import (
	"os/signal"
	"syscall"
)

// ignorePipe keeps a manager that is gone from ending the program.
func ignorePipe() { signal.Ignore(syscall.SIGPIPE) }
