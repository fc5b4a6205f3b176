//go:build !windows && (!unix || solaris || aix)

package longrun

import "os"

// Columns knows nothing of terminals here.
func Columns(*os.File) int { return 0 }
