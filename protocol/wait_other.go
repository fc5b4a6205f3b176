//go:build !linux

package protocol

import (
	"os"
	"time"
)

// canWait reports whether wait, readNow and writeNow work for the pipe f.
func canWait(*os.File) bool { return false }

// wait is never called.
func wait(*os.File, time.Duration) bool { return false }

// readNow is never called.
func readNow(*os.File, []byte) (n int, again bool, err error) { return 0, true, nil }

// writeNow is never called.
func writeNow(*os.File, string) int { return 0 }
