//go:build !unix || solaris || aix

package resume

import "os"

// lock does nothing here: not to start two runs on one file is up to the user.
func lock(*os.File) error { return nil }
