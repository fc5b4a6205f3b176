package sample

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// A sample file is a list of sections:
//
//	tag     4 bytes   "TGSH" a header, "TGSB" a block of games
//	length  u32       bytes of the body
//	sum     u32       CRC-32C of tag, length and body
//	body
//
// All numbers are little-endian. The body of a header is the version (u16), zero (u16) and
// the origin of the games after it as UTF-8 text. The body of a block is a list of games (see
// appendGame). The first section is a header, and there may be more of them, so that
// concatenated files are a file.
const (
	version     = 1
	tagHeader   = "TGSH"
	tagGames    = "TGSB"
	sectionHead = 4 + 4 + 4

	maxSection = 1 << 20 // bytes of a body; bounds the memory that a damaged length costs a reader
	fullBlock  = 1 << 16 // bytes at which the writer begins a new block
	leastZeros = 16      // at the end of a file, see endsInZeros
)

var le = binary.LittleEndian

// Errors that a Reader wraps.
var (
	ErrNotSamples = errors.New("not a sample file")
	ErrTruncated  = errors.New("the file ends within a section")
	ErrChecksum   = errors.New("wrong checksum")
)

// A Writer writes a sample file. Games stay in memory until their block is full or
// Flush is called. It makes one Write for each section.
type Writer struct {
	w     io.Writer
	block []byte // the next section with its head
	err   error
}

// NewWriter writes a header with the origin of the games to come, any text of at most
// 64 KiB.
func NewWriter(w io.Writer, origin string) (*Writer, error) {
	if len(origin) > 1<<16 {
		return nil, fmt.Errorf("an origin of %d bytes is longer than 64 KiB", len(origin))
	}
	s := Continue(w)
	head := le.AppendUint16(make([]byte, sectionHead), version)
	head = append(le.AppendUint16(head, 0), origin...)
	s.put(tagHeader, head)
	return s, s.err
}

// Continue returns a writer that appends blocks to a file that has a header.
func Continue(w io.Writer) *Writer {
	return &Writer{w: w, block: make([]byte, sectionHead, fullBlock)}
}

// Write adds a game. A game that fails Check is an error and not written. An error of the
// underlying writer is final.
func (s *Writer) Write(g *Game) error {
	if err := g.Check(); err != nil {
		return err
	}
	s.block = appendGame(s.block, g)
	if len(s.block) >= fullBlock-sectionHead {
		return s.Flush()
	}
	return s.err
}

// Flush writes the games in memory as a block. It must be called after the last game.
func (s *Writer) Flush() error {
	if len(s.block) > sectionHead {
		s.put(tagGames, s.block)
		s.block = s.block[:sectionHead]
	}
	return s.err
}

// put completes the head of a section and writes it.
func (s *Writer) put(tag string, section []byte) {
	if s.err != nil {
		return
	}
	copy(section, tag)
	le.PutUint32(section[4:], uint32(len(section)-sectionHead))
	le.PutUint32(section[8:], checksum(section, section[sectionHead:]))
	_, s.err = s.w.Write(section)
}

// A Reader reads a sample file.
type Reader struct {
	r       io.Reader
	origin  string
	section int   // sections read
	start   int64 // offset of the current section
	end     int64 // offset of the end of the last complete section
	body    []byte
	rest    []byte // of body, games not returned yet
	game    int    // games of body returned
	err     error
}

// NewReader reads the header. Errors: ErrNotSamples, ErrTruncated, ErrChecksum, an
// unknown version, or one of r, which should be buffered: it is read in small pieces.
func NewReader(r io.Reader) (*Reader, error) {
	s := &Reader{r: r}
	err := s.next()
	if err == io.EOF {
		err = fmt.Errorf("byte 0: %w: the file is empty", ErrNotSamples)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Origin returns the origin of the game read last.
func (s *Reader) Origin() string { return s.origin }

// CheckUnfinished returns an error if the bytes of f from end to size cannot be the beginning
// of one section with one game, which a killed writer left. A damaged length looks the same,
// but the games after it must not be removed.
func CheckUnfinished(f io.ReaderAt, end, size int64) error {
	const most = 1 << 17 // bytes of a header and a game, and some more
	tail := make([]byte, min(size-end, most))
	if _, err := f.ReadAt(tail, end); err != nil && err != io.EOF {
		return err
	}
	after := tail[min(len(tail), len(tagGames)):]
	if len(tail) < most && !bytes.Contains(after, []byte(tagGames)) && !bytes.Contains(after, []byte(tagHeader)) {
		return nil
	}
	return fmt.Errorf("the section at byte %d is damaged: its length is wrong", end)
}

// Offset returns the number of bytes of complete sections read. After ErrTruncated the file can
// be truncated there and continued.
func (s *Reader) Offset() int64 { return s.end }

// Read reads the next game into g, whose Plies and Lines it reuses. It returns io.EOF after the last
// game. Other errors name the section and its offset, and are final.
func (s *Reader) Read(g *Game) error {
	for s.err == nil && len(s.rest) == 0 {
		s.err = s.next()
	}
	if s.err != nil {
		return s.err
	}
	rest, err := parseGame(s.rest, g)
	if err != nil {
		s.err = fmt.Errorf("section %d at byte %d, game %d: %w", s.section, s.start, s.game+1, err)
		return s.err
	}
	s.rest = rest
	s.game++
	return nil
}

// next reads a section.
func (s *Reader) next() error {
	s.start = s.end
	s.section++
	fail := func(err error) error {
		return fmt.Errorf("section %d at byte %d: %w", s.section, s.start, err)
	}
	var head [sectionHead]byte
	switch n, err := io.ReadFull(s.r, head[:]); {
	case err == io.EOF:
		return io.EOF
	case err == io.ErrUnexpectedEOF:
		if s.section == 1 && !strings.HasPrefix(tagHeader, string(head[:min(n, 4)])) {
			return fail(ErrNotSamples)
		}
		return fail(ErrTruncated)
	case err != nil:
		return fail(err)
	}
	tag, n := string(head[:4]), int64(le.Uint32(head[4:]))
	switch {
	case s.section == 1 && tag != tagHeader:
		return fail(ErrNotSamples)
	case tag != tagHeader && tag != tagGames && s.endsInZeros(head[:]):
		return fail(ErrTruncated)
	case tag != tagHeader && tag != tagGames:
		return fail(fmt.Errorf("unknown section tag %q", tag))
	case n > maxSection:
		return fail(fmt.Errorf("a section of %d bytes, at most %d are allowed", n, maxSection))
	}
	s.body = append(s.body[:0], make([]byte, n)...)
	switch _, err := io.ReadFull(s.r, s.body); {
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return fail(ErrTruncated)
	case err != nil:
		return fail(err)
	}
	if checksum(head[:], s.body) != le.Uint32(head[8:]) {
		if s.endsInZeros(append(head[:], s.body...)) {
			return fail(ErrTruncated)
		}
		return fail(ErrChecksum)
	}
	s.rest, s.game = nil, 0
	if tag == tagGames {
		s.rest = s.body
	} else {
		if n < 4 {
			return fail(errors.New("a header without a version"))
		}
		if v := le.Uint16(s.body); v != version {
			return fail(fmt.Errorf("unknown version %d, want %d", v, version))
		}
		s.origin = string(s.body[4:])
	}
	s.end += sectionHead + n
	return nil
}

// endsInZeros reports whether last, the bytes read last, ends in zeros and the rest of the file is
// zeros, leastZeros of them or more. No game ends in that many zeros. A power cut leaves such a file when its
// length reached the disk before its content.
func (s *Reader) endsInZeros(last []byte) bool {
	zeros := len(last) - len(bytes.TrimRight(last, "\x00"))
	if zeros == 0 {
		return false
	}
	var part [512]byte
	for {
		n, err := s.r.Read(part[:])
		if part != ([len(part)]byte{}) {
			return false
		}
		if zeros += n; err != nil || n == 0 {
			return err == io.EOF && zeros >= leastZeros
		}
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum returns the CRC-32C of the head of a section, up to the sum, and its body.
func checksum(head, body []byte) uint32 {
	return crc32.Update(crc32.Checksum(head[:8], castagnoli), castagnoli, body)
}
