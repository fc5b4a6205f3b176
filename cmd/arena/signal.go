package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// repeatAfter is how long after the first signal another one counts as the second. GNU
// timeout, and shells that pass a signal on, may send the same one twice.
const repeatAfter = 500 * time.Millisecond

// onSignal returns a context that ends with the first signal, the loss of the terminal
// included; the second one kills all processes with the tag at once and exits. A reader
// of ours that goes away does not end the program: the failed write is an error where it
// matters.
func onSignal(tag string) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go func() {
		<-signals
		first := time.Now()
		cancel()
		for range signals {
			if time.Since(first) >= repeatAfter {
				killMarked(tag + ".")
				os.Exit(130)
			}
		}
	}()
	return ctx
}
