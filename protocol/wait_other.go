//go:build !linux

package protocol

import (
	"os"
	"time"
)

// canWait reports whether wait works for the pipe f.
func canWait(*os.File) bool { return false }

// wait is never called.
func wait(*os.File, time.Duration) bool { return false }
