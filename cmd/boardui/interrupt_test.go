//go:build unix

package main

import (
	"bufio"
	"os"
	"testing"
	"time"
)

func TestInterruptEndsTheProgram(t *testing.T) {
	cmd, out := start(t, "-addr", "127.0.0.1:0", "-open=false", "-threads", "1")
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("its output is %q, %v", line, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("it ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it does not end")
	}
}
