package resume

import "runtime/debug"

// Build names the source that the program was built from, as far as the build knows: a
// run may have to go on with the program it was begun with.
func Build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return info.Main.Version
}
