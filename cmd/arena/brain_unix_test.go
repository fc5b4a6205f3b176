//go:build unix

package main

import (
	"os"
	"os/exec"
	"syscall"
)

func ownSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// stopSignals are what Ctrl-Z and the shell's fg send.
func stopSignals() (stop, proceed os.Signal) { return syscall.SIGSTOP, syscall.SIGCONT }
