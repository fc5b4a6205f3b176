//go:build !linux && !windows

package mapped

func advise([]byte) {}

func drop([]byte) {}
