//go:build unix

package protocol

import (
	"os/exec"
	"syscall"
)

// ownGroup makes cmd the leader of a new process group, so that killTree finds every
// process it starts.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// killTree kills the process group of cmd, if it still exists. It must be called before the
// ID of the group can be reused.
func killTree(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}
