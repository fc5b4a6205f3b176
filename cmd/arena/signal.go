package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// impatience is how long after the first signal another counts as the second. GNU
// timeout and shells that pass a signal on may send the same one twice.
const impatience = 500 * time.Millisecond

// onSignal returns a context that ends with the first signal, the loss of the terminal
// among them; the second one kills all engines at once and leaves. The function tells
// whether there was a signal. A reader of ours that goes away is no reason to end: what
// cannot be written to standard output is an error in its place.
func onSignal(t *tournament) (context.Context, func() bool) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	onContinue(func() { t.stopped.Add(1) })
	got := make(chan struct{})
	go func() {
		<-signals
		first := time.Now()
		close(got)
		cancel()
		for range signals {
			if time.Since(first) >= impatience {
				killMarked(t.tag + ".")
				os.Exit(130)
			}
		}
	}()
	return ctx, func() bool {
		select {
		case <-got:
			return true
		default:
			return false
		}
	}
}
