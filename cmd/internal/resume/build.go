package resume

import "runtime/debug"

// Build returns the revision that the program was built from, as far as it is known: some
// runs must be continued by the program that began them.
func Build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return info.Main.Version
}
