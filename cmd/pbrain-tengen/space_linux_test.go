//go:build !race

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestPlaysInLittleAddressSpace: under ulimit -v there is less than the hash table has by
// default, and the engine plays with a smaller one. The race detector needs far more.
func TestPlaysInLittleAddressSpace(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("BE_THE_ENGINE", "1")
	play := func(shell string) (mapped int64, move string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "sh", "-c", shell+` exec "$0"`, exe)
		var errs strings.Builder
		cmd.Stderr = &errs
		in, out := converse(t, cmd)
		lines := bufio.NewScanner(out)
		answer := func(command string) string {
			io.WriteString(in, command)
			for lines.Scan() {
				if !strings.HasPrefix(lines.Text(), "MESSAGE") {
					return lines.Text()
				}
			}
			return ""
		}
		answer("START 15\n")
		if statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", cmd.Process.Pid)); err == nil {
			fmt.Sscan(string(statm), &mapped)
		}
		move = answer("INFO usedatabase 0\nINFO max_node 3000\nBEGIN\n")
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s %v: %.200s", shell, err, errs.String())
		}
		return mapped * int64(os.Getpagesize()), move
	}
	mapped, want := play("")
	if mapped == 0 {
		t.Fatal("the system does not tell what the engine has mapped")
	}
	if _, got := play(fmt.Sprintf("ulimit -v %d;", (mapped+180<<20)>>10)); got != want {
		t.Errorf("with 180 MiB left the engine plays %q, without a limit %q", got, want)
	}
}

// A limit beyond what the machine has, as a manager may send that knows none, does not end the
// engine when it makes its table.
func TestMoreMemoryThanTheMachineHas(t *testing.T) {
	out, errs, status := engine(t, "", "analyze", "-memory", "1048576", "-nodes", "100", "h8")
	if status != 0 || errs != "" || !strings.Contains(out, "100 nodes in") {
		t.Errorf("status %d, errors %.200q, output %q", status, errs, out)
	}
}
