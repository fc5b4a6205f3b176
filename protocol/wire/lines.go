package wire

import (
	"bytes"
	"io"
	"time"
)

// MaxLine is how many bytes of a line are kept. It is more than any command or answer has.
const MaxLine = 64 << 10

// byteOrderMark begins texts of Windows, also those that its shells pipe.
var byteOrderMark = []byte("\ufeff")

// Lines reads lines, which may end in LF, CR or both and begin with a byte order mark.
type Lines struct {
	r       io.Reader
	chunk   []byte // room for a Read
	rest    []byte // of the last Read
	at      time.Time
	err     error // of the last Read
	afterCR bool  // an LF that follows ends no line
	line    []byte
}

// NewLines returns the lines of r.
func NewLines(r io.Reader) *Lines { return &Lines{r: r, chunk: make([]byte, 32<<10)} }

// Next returns the next line without its end and the time at which that was read. Bytes after
// MaxLine are left out. At the end of r it returns the error of r, with what stands after the last
// line end.
func (l *Lines) Next() (line string, at time.Time, err error) {
	l.line = l.line[:0]
	for {
		if l.afterCR && len(l.rest) > 0 {
			l.rest = bytes.TrimPrefix(l.rest, []byte("\n"))
			l.afterCR = false
		}
		if i := bytes.IndexAny(l.rest, "\r\n"); i >= 0 {
			l.keep(l.rest[:i])
			l.afterCR = l.rest[i] == '\r'
			l.rest = l.rest[i+1:]
			return l.text(), l.at, nil
		}
		l.keep(l.rest)
		l.rest = nil
		if l.err != nil {
			return l.text(), l.at, l.err
		}
		var n int
		n, l.err = l.r.Read(l.chunk)
		l.at, l.rest = time.Now(), l.chunk[:n]
	}
}

// keep appends to the line.
func (l *Lines) keep(b []byte) { l.line = append(l.line, b[:min(len(b), MaxLine-len(l.line))]...) }

func (l *Lines) text() string { return string(bytes.TrimPrefix(l.line, byteOrderMark)) }
