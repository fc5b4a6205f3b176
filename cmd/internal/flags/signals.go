package flags

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Signals returns those that end a program in good order: an interrupt, SIGTERM, SIGQUIT, after which
// it would else write the stacks of all goroutines, and SIGHUP where nohup does not have it ignored,
// which comes when the window of its terminal is closed.
func Signals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if hangup != nil && !signal.Ignored(hangup) {
		all = append(all, hangup)
	}
	return all
}

// repeatAfter is the time after the first signal from which on another one counts as the
// second. GNU timeout, and shells that pass a signal on, may send the same one twice, and where a
// terminal is closed the system and the shell both send SIGHUP.
const repeatAfter = 500 * time.Millisecond

// UntilSignal returns a context that is canceled by the first of the signals. The second one calls
// atOnce and ends the process with status 130.
func UntilSignal(signals []os.Signal, atOnce func()) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	came := make(chan os.Signal, 2)
	signal.Notify(came, signals...)
	go func() {
		<-came
		first := time.Now()
		cancel()
		for range came {
			if time.Since(first) >= repeatAfter {
				atOnce()
				os.Exit(130)
			}
		}
	}()
	return ctx
}
