package protocol

import (
	"os/exec"
	"strconv"
	"syscall"
)

// ownGroup keeps Ctrl-C of our console from the engine, which is ended by its manager.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killTree ends the started cmd and its descendants. Windows has no signal for a group;
// taskkill walks the tree, and the engine itself is ended in any case.
func killTree(cmd *exec.Cmd) {
	exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
	cmd.Process.Kill()
}
