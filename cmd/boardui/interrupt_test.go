//go:build unix

package main

import (
	"bufio"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// A signal ends the program in good order, so that it saves what the explorer has learned. SIGHUP
// comes when the window of its terminal is closed, which is how most users end it on macOS.
func TestSignalsEndTheProgram(t *testing.T) {
	// A child inherits what is ignored, as nohup does it, but not what is caught.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(caught) })
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGHUP} {
		cmd, out := start(t, "-addr", "127.0.0.1:0", "-open=false", "-threads", "1")
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatalf("its output is %q, %v", line, err)
		}
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("after %v it ended with %v", s, err)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("after %v it does not end", s)
		}
	}
}
