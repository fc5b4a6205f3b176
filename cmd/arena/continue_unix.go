//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// onContinue calls f each time this process runs on after it was stopped, by Ctrl-Z say.
func onContinue(f func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGCONT)
	go func() {
		for range signals {
			f()
		}
	}()
}
