//go:build unix

package client

import (
	"os/exec"
	"syscall"
)

// ownGroup makes cmd the leader of a new process group, so that killTree finds every
// process it starts.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// killTree kills the process group of cmd.
func killTree(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}

// killRest kills what is left of the process group of cmd, which has just ended: the ID of the
// group is not reused while a process is in it, and hardly in the moment after.
func killRest(cmd *exec.Cmd) { killTree(cmd) }
