//go:build !unix && !windows

package client

import "os/exec"

func ownGroup(cmd *exec.Cmd) {}

func killTree(cmd *exec.Cmd) { cmd.Process.Kill() }

func hasRest(cmd *exec.Cmd) bool { return false }

func killRest(cmd *exec.Cmd) bool { return false }
