package protocol

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"tengen/brain"
	"tengen/protocol/wire"
)

const (
	internalFailure = "internal failure"

	stackFile    = "tengen-panics.txt" // see ownFile
	maxStackFile = 1 << 20             // bytes after which no more is appended
)

// note writes a note of the engine as a MESSAGE line. A note of several lines is about a
// recovered panic: the lines after the first are its stack, which goes to a file if the
// manager has named a folder for files.
func (s *server) note(note string) {
	text, stack, _ := strings.Cut(note, "\n")
	s.say(wire.MessageLine(text))
	if stack == "" || s.folder == "" {
		return
	}
	if err := saveStack(s.folder, text, stack); err != nil {
		s.say(wire.MessageLine("the stack is not saved: " + err.Error()))
	}
}

// panicTexts returns the text of a panic r that was recovered, after what has failed, and a note of it
// with the stack.
func panicTexts(what string, r any) (text, note string) {
	text = wire.Printable(fmt.Sprint(what, ": ", r))
	return text, text + "\n" + string(debug.Stack())
}

// recoverPanic calls f, the execution of a command. A panic becomes its error, so that a fault in one
// command does not end the game; the stack is noted.
func (s *server) recoverPanic(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			text, note := panicTexts(internalFailure, r)
			s.note(note)
			err = errors.New(text)
		}
	}()
	return f()
}

// saveStack appends the stack of a panic to the file in folder, unless that file is full.
func saveStack(folder, text, stack string) error {
	path := ownFile(folder, stackFile)
	if err := makeRoom(path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if info, statErr := f.Stat(); statErr != nil {
		err = statErr
	} else if info.Size() < maxStackFile {
		_, err = fmt.Fprintf(f, "%s %s %s: %s\n%s\n", time.Now().Format(time.RFC3339), brain.Name, brain.Version, text, stack)
	}
	return errors.Join(err, f.Close())
}
