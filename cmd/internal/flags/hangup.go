//go:build !js

package flags

import (
	"os"
	"syscall"
)

// hangup is SIGHUP, nil where there is none.
var hangup os.Signal = syscall.SIGHUP
