//go:build !unix

package main

import (
	"os"
	"os/exec"
)

func ownSession(*exec.Cmd) {}

func stopSignals() (stop, proceed os.Signal) { return nil, nil }
