package database

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"tengen/brain/lz4"
)

// A fileReader reads the records of a file one after another.
type fileReader struct {
	in       *bufio.Reader
	total, i uint32
	isUTF8   bool
	buf      []byte
}

// newFileReader begins to read a file of at most most bytes once it is unpacked.
func newFileReader(r io.Reader, most int64) (*fileReader, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	if head, _ := in.Peek(len(frameMagic)); string(head) == frameMagic {
		in = bufio.NewReaderSize(lz4.NewReader(in), 1<<16)
	}
	f := &fileReader{in: bufio.NewReaderSize(&atMost{in, most, most}, 1<<16)}
	var n [4]byte
	if _, err := io.ReadFull(f.in, n[:]); err != nil {
		return nil, fmt.Errorf("not a database: %w", truncated(err))
	}
	f.total = binary.LittleEndian.Uint32(n[:])
	return f, nil
}

// field reads a length and as many bytes into buf.
func (f *fileReader) field() error {
	var n [2]byte
	if _, err := io.ReadFull(f.in, n[:]); err != nil {
		return truncated(err)
	}
	size := int(binary.LittleEndian.Uint16(n[:]))
	f.buf = slices.Grow(f.buf[:0], size)[:size]
	_, err := io.ReadFull(f.in, f.buf)
	return truncated(err)
}

// next returns the next record. After the last one it returns io.EOF, if the file ends there.
func (f *fileReader) next() (Key, Record, error) {
	for ; f.i < f.total; f.i++ {
		key, r, err := f.entry()
		if err != nil && f.i == 0 { // of another file the number of records says nothing
			return "", Record{}, fmt.Errorf("not a database: %w", err)
		}
		if err != nil {
			return "", Record{}, fmt.Errorf("record %d of %d: %w", f.i+1, f.total, err)
		}
		if key != "" {
			f.i++
			return key, r, nil
		}
	}
	switch _, err := f.in.ReadByte(); {
	case err == nil:
		return "", Record{}, fmt.Errorf("there is data after the last of %d records", f.total)
	case err != io.EOF:
		return "", Record{}, fmt.Errorf("after record %d: %w", f.total, truncated(err)) // the checksum, for one
	}
	return "", Record{}, io.EOF
}

// entry reads an entry. Its key is empty if it is that of no position.
func (f *fileReader) entry() (Key, Record, error) {
	if err := f.field(); err != nil || len(f.buf) == 0 {
		return "", Record{}, err // no record follows an empty key
	}
	key := Key(f.buf)
	meta := key.isMeta()
	if !meta {
		if err := key.check(); err != nil {
			return "", Record{}, err
		}
	}
	if err := f.field(); err != nil {
		return "", Record{}, err
	}
	r := recordOf(f.buf, f.isUTF8)
	if meta {
		f.isUTF8 = f.isUTF8 || strings.HasPrefix(r.text, utf8Meta)
		return "", Record{}, nil
	}
	return key, r, nil
}

// isMeta reports whether it is that of the record that describes the file.
func (key Key) isMeta() bool { return len(key) == keyHead && key[1] == 0 && key[2] == 0 }

// recordOf returns the record that a file has in these bytes.
func recordOf(raw []byte, isUTF8 bool) (r Record) {
	if len(raw) > 0 {
		r.Label = Label(raw[0])
	}
	if len(raw) > 2 {
		r.Value = int16(binary.LittleEndian.Uint16(raw[1:]))
	}
	if len(raw) >= recordFixed {
		r.depth = int16(binary.LittleEndian.Uint16(raw[3:]))
		r.text = decode(raw[recordFixed:], isUTF8)
	}
	return r
}

// An atMost passes on a reader that must not have more than most bytes.
type atMost struct {
	r          io.Reader
	left, most int64
}

func (a *atMost) Read(p []byte) (int, error) {
	n, err := a.r.Read(p)
	if a.left -= int64(n); a.left < 0 {
		return 0, fmt.Errorf("the database has more than %d KiB", a.most>>10)
	}
	return n, err
}

// truncated returns err, with the end of the file in plain words.
func truncated(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("the file ends early")
	}
	return err
}

// decode returns a text in UTF-8. One of an old file is taken for Latin-1 unless it is UTF-8.
func decode(raw []byte, isUTF8 bool) string {
	if isUTF8 || utf8.Valid(raw) {
		return string(raw)
	}
	var b strings.Builder
	for _, c := range raw {
		b.WriteRune(rune(c))
	}
	return clip(b.String())
}
