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

// killTree kills the process group of cmd, and reports whether there was one.
func killTree(cmd *exec.Cmd) bool {
	return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) == nil
}

// hasRest reports whether something is left of the process group of cmd, which has just ended.
func hasRest(cmd *exec.Cmd) bool { return syscall.Kill(-cmd.Process.Pid, 0) == nil }

// killRest kills what is left of the process group of cmd, which has just ended, and reports whether
// there was something: the ID of the group is not reused while a process is in it, and hardly in the
// moment after.
func killRest(cmd *exec.Cmd) bool { return killTree(cmd) }
