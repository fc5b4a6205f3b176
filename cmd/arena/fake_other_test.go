//go:build !unix

package main

import "os/exec"

func ownSession(*exec.Cmd) {}
