package flags

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Signals returns those that end a program in good order: an interrupt, SIGTERM, and SIGHUP where
// nohup does not have it ignored, which comes when the window of its terminal is closed.
func Signals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// repeatAfter is the time after the first signal from which on another one counts as the
// second. GNU timeout, and shells that pass a signal on, may send the same one twice.
const repeatAfter = 500 * time.Millisecond

// UntilSignal returns a context that is canceled by the first of Signals. The second one calls
// atOnce and ends the process with status 130.
func UntilSignal(atOnce func()) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, Signals()...)
	go func() {
		<-signals
		first := time.Now()
		cancel()
		for range signals {
			if time.Since(first) >= repeatAfter {
				atOnce()
				os.Exit(130)
			}
		}
	}()
	return ctx
}
