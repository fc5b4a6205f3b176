package client

import (
	"os/exec"
	"strconv"
	"syscall"
)

// ownGroup keeps Ctrl-C in the console from ending the engine, which the manager ends
// itself.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killTree ends cmd and its descendants. Windows has no signal for a group, but taskkill
// walks the tree. The engine itself is ended even without taskkill.
func killTree(cmd *exec.Cmd) {
	exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
	cmd.Process.Kill()
}

// hasRest finds nothing, as killRest.
func hasRest(cmd *exec.Cmd) bool { return false }

// killRest does nothing: Windows cannot find the descendants of a process that has ended, and
// may have given its ID to another one.
func killRest(cmd *exec.Cmd) bool { return false }
