package resume

import "runtime/debug"

// Build returns the revision of the program as far as it is known, for runs that only the
// same program can continue.
func Build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return info.Main.Version
}
