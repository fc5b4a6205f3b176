//go:build !unix || solaris || aix

package resume

import "os"

// lock does nothing on this system: the user must not start two runs on one file.
func lock(*os.File) error { return nil }
