package longrun

import (
	"errors"
	"fmt"
	"strings"
)

// ErrUsage marks errors of the command line, for which the exit status is 2.
var ErrUsage = errors.New("usage")

// Usage returns an error that is an ErrUsage.
func Usage(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), ErrUsage)
}

// OneLine is what people are told of err: no line ends, and not the mark of Usage.
func OneLine(err error) string {
	return strings.Join(strings.Fields(strings.TrimSuffix(err.Error(), ": usage")), " ")
}
