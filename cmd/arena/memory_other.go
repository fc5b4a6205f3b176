//go:build !linux && !windows

package main

import (
	"os/exec"
	"strconv"
	"strings"
)

// memoryOf returns the bytes of memory of the process pid, as ps knows it. Processes that it has started
// are left out.
func memoryOf(mark string, pid int) (used int64, ok bool) {
	out, err := exec.Command("ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0, false
	}
	kib, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return kib << 10, err == nil
}
