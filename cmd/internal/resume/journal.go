// Package resume keeps the state of a long run on disk, so that the same command continues
// it after it was killed: in journals, which only grow and are locked while open. Package checkpoint
// saves states.
package resume

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// ErrLocked means that another process writes the file.
var ErrLocked = errors.New("another process is writing it")

// Open opens or creates a file for appending and locks it. Errors name the file.
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err == nil {
		err = lock(f)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Truncate removes what follows the first whole bytes of f, which a killed process left
// unfinished. The next write goes there.
func Truncate(f *os.File, whole int64) error {
	if err := f.Truncate(whole); err != nil {
		return err
	}
	_, err := f.Seek(whole, io.SeekStart)
	return err
}

// A Journal is a file that only grows, one JSON object a line, each of them on disk before
// Add returns. It is locked while open. A process that is killed loses at most the line that
// it was writing. A nil Journal records nothing.
type Journal struct {
	file *os.File
	err  error // of the first Add that failed
}

// OpenJournal opens or creates a journal and calls each for every line in it. It returns nil
// for the name "". The first line must begin with first, so that no other file is changed. A
// last line that a killed writer left unfinished is removed. Errors, also those of each, name
// the file and the line.
func OpenJournal(path, first string, each func(line []byte) error) (*Journal, error) {
	if path == "" {
		return nil, nil
	}
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	whole, ended, err := scan(f, first, each)
	if err == nil {
		err = Truncate(f, whole)
	}
	if err == nil && !ended {
		_, err = f.Write([]byte("\n"))
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Journal{file: f}, nil
}

// ReadJournal is OpenJournal for reading only; another process may be writing the journal.
func ReadJournal(path, first string, each func(line []byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, _, err := scan(f, first, each); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// scan reads a journal and returns the number of bytes in whole lines, and whether the last
// of them ends in a newline. Only the last line may be damaged, and only as an interrupted
// write leaves it: the beginning of an object, or zeros if the data never reached the disk.
func scan(r io.Reader, first string, each func(line []byte) error) (whole int64, ended bool, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	head, err := in.Peek(len(first))
	if err != nil && err != io.EOF {
		return 0, true, err
	}
	if text := bytes.TrimRight(head, "\x00"); !strings.HasPrefix(first, string(text)) || len(text) == 0 && len(head) > 0 {
		return 0, true, fmt.Errorf("not a journal of this kind: it does not begin with %s", first)
	}
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return 0, true, err
		}
		last := err == io.EOF
		text := bytes.TrimSpace(line)
		if last && (len(text) == 0 || torn(text)) {
			return whole, true, nil
		}
		if len(text) > 0 {
			if err := each(text); err != nil {
				return 0, true, fmt.Errorf("line %d: %w", n, err)
			}
		}
		whole += int64(len(line))
		if last {
			return whole, false, nil
		}
	}
}

// torn reports whether text is an object of which an interrupted write has left only the beginning.
func torn(text []byte) bool {
	trimmed := bytes.TrimRight(text, "\x00")
	if len(trimmed) < len(text) {
		return true
	}
	var object map[string]json.RawMessage
	return errors.Is(json.NewDecoder(bytes.NewReader(text)).Decode(&object), io.ErrUnexpectedEOF)
}

// Add appends v as a line and waits until it is on disk. After an error it adds no more and returns
// that error again: the file may end within a line, as a full disk leaves it. One goroutine at a
// time may call it.
func (j *Journal) Add(v any) error {
	if j == nil {
		return nil
	}
	if j.err != nil {
		return j.err
	}
	raw, err := json.Marshal(v)
	if err == nil {
		_, err = j.file.Write(append(raw, '\n'))
	}
	if err == nil {
		err = j.file.Sync()
	}
	j.err = err
	return err
}

// Close closes the file and unlocks it.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	return j.file.Close()
}
