//go:build !unix || solaris || aix

package longrun

import "os"

// Lock does nothing here: two runs on one file are the user's to avoid.
func Lock(*os.File) error { return nil }
