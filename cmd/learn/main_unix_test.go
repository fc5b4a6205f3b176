//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// The test binary is learn if the environment says so.
func TestMain(m *testing.M) {
	if os.Getenv("BE_LEARN") != "" {
		main()
	}
	os.Exit(m.Run())
}

// GNU timeout sends its signal to the process and to its group: what comes again must not keep the
// run from ending in good order.
func TestASignalThatComesAgainIsOne(t *testing.T) {
	games := filepath.Join(t.TempDir(), "x.tgs")
	cmd := exec.CommandContext(t.Context(), os.Args[0], "selfplay", "-o", games, "-games", "1000000", "-nodes", "1000000", "-quiet")
	cmd.Env = append(os.Environ(), "BE_LEARN=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if info, err := os.Stat(games); err == nil && info.Size() > 0 {
			break
		}
	}
	for range 100 { // one of them comes while the run ends
		cmd.Process.Signal(syscall.SIGTERM)
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("%v, want status 130", err)
	}
}
