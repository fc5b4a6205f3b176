package flags

import (
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"tengen/brain/about"
)

// versionWords are what people type to see the version of a program.
var versionWords = []string{"version", "-version", "--version"}

// AsksVersion reports whether a command line asks for the version and nothing else.
func AsksVersion(args []string) bool { return len(args) == 1 && slices.Contains(versionWords, args[0]) }

// WriteVersion writes a line with name and version of the engine, to which all programs belong, and
// the commit of the build if that is known.
func WriteVersion(w io.Writer) error {
	revision := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = " " + s.Value + revision
			case s.Key == "vcs.modified" && s.Value == "true":
				revision += " with changes"
			}
		}
	}
	_, err := fmt.Fprintln(w, about.Name, about.Version+revision)
	return err
}

// UnknownCommand returns the usage error for a command that a program does not have. known are those
// that it has, if they are few.
func UnknownCommand(program, name string, known ...string) error {
	want := ""
	if len(known) > 0 {
		want = ", want " + strings.Join(known, ", ")
	}
	return Usage("unknown command %q%s (see %s -help)", name, want, program)
}
