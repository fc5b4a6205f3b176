// Package longrun is what commands share that run for hours: a file that one process
// writes and the next goes on with, the terminal that shows how far it is, errors of the
// command line, and what program it was.
package longrun

import (
	"io"
	"os"
)

// Continue cuts off what follows the first whole bytes of f, which a killed process left
// unfinished, and puts the next write behind them.
func Continue(f *os.File, whole int64) error {
	if err := f.Truncate(whole); err != nil {
		return err
	}
	_, err := f.Seek(whole, io.SeekStart)
	return err
}

// IsTerminal reports whether f is a character device other than the null device.
func IsTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
