package main

import (
	"os/exec"
	"syscall"
)

// dieWithUs makes a child end when the thread that starts it is gone, so that a run that
// was killed can be gone on with at once. main keeps its thread.
func dieWithUs(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }
