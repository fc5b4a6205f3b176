package flags

import (
	"os"
	"os/signal"
	"syscall"
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
