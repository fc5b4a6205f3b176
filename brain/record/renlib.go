package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"tengen/brain/board"
	"tengen/brain/record/charset"
)

// A RenLib library (.lib) is a header of 20 bytes and the nodes of a tree of moves on a board
// of 15x15, a node before its children and its children before its next sibling:
//
//	u8    column 1 to 15 in the low half, row 0 to 14 from the top in the high half; 0 is a
//	      pass, and for the first node of the file the root without a move
//	u8    flags
//	u8x2  further flags, high byte first, if flagged
//	...   comment, if flagged: bytes up to a 0, one more 0 if their number would be odd;
//	      a byte 8 divides the first line from what is below
//	...   board text, if flagged: the same, drawn on the cell of the node
//
// A node that is flagged as no move is there for its board text alone.
//
// RenLib writes texts in the code page of the computer, which the file does not tell: it is the one
// that all texts together are likeliest in. Libraries of RenLib 2 have no header and begin with h8.
// Source: format of RenLib 3.
const (
	libExtended   = 0x01
	libNoMove     = 0x02
	libStart      = 0x04
	libComment    = 0x08
	libMark       = 0x10
	libOldComment = 0x20 // the last byte has its high bit set instead of a 0 behind it
	libLeaf       = 0x40 // no children
	libSibling    = 0x80 // a sibling follows after the children

	libBoardText = 0x0001 // of the further flags

	libHeader = 20
)

// LibSize is the side of the board of every RenLib library, in cells.
const LibSize = 15

var libMagic = []byte("\xffRenLib\xff")

// isLib reports whether raw is a library: by its header, by the 20 zeros that Renjulibviewer writes for
// one, or, as those of RenLib 2, by its first move, h8, and nodes up to the end.
func isLib(raw []byte) bool {
	switch {
	case bytes.HasPrefix(raw, libMagic):
		return true
	case len(raw) > libHeader+1 && len(bytes.Trim(raw[:libHeader], "\x00")) == 0:
		return true
	case len(raw) < 2 || raw[0] != 0x78 || bytes.IndexFunc(raw[:min(len(raw), 512)], unicode.IsControl) < 0:
		return false
	}
	l := LibReader{in: libInput{buf: raw}}
	return l.isWhole()
}

// isWhole reports whether nodes go up to the end.
func (l *LibReader) isWhole() bool {
	for {
		if _, err := l.Next(); err != nil {
			return err == io.EOF && !l.cut
		}
	}
}

// A LibNode is a node of a RenLib library.
type LibNode struct {
	Depth     int        // moves to it from the empty board; 0 only for the root
	Move      board.Move // board.None is a pass
	NoMove    bool       // Text is drawn on the cell of Move after the parent's moves
	Mark      bool
	Start     bool
	Comment   string // lines end in "\n"
	Text      string // drawn on the cell of Move before it is played
	flags     byte
	extension uint16
}

// A LibReader reads the nodes of a RenLib library one after another.
type LibReader struct {
	in       libInput
	zeros    bool  // the header is that of Renjulibviewer
	open     []int // depths at which a sibling is still to come
	depth    int   // of the next node
	encoding charset.Encoding
	texts    *[]byte // where texts are collected, or nil
	started  bool
	done     bool
	cut      bool // the last node has children that are still to come
}

// NewLibReader returns a reader of the library raw, or an error if it is none. It reads nodes
// once to find out in which encoding their texts are.
func NewLibReader(raw []byte) (*LibReader, error) { return newLibReader(raw, "") }

// newLibReader is NewLibReader for texts in the encoding of that name, if there is one.
func newLibReader(raw []byte, encoding string) (*LibReader, error) {
	return openLib(func() (libInput, error) { return libInput{buf: raw}, nil }, encoding)
}

// NewLibStream is NewLibReader for a file, which it reads a part at a time, in about 128 KiB of memory:
// up to three times from its beginning.
func NewLibStream(f io.ReadSeeker) (*LibReader, error) {
	return openLib(func() (libInput, error) {
		_, err := f.Seek(0, io.SeekStart)
		return libInput{r: f}, err
	}, "")
}

// openLib returns a reader of a library that begin reads from its beginning.
func openLib(begin func() (libInput, error), encoding string) (*LibReader, error) {
	reader := func() (*LibReader, error) {
		in, err := begin()
		if err != nil {
			return nil, err
		}
		in.more(libHeader + 2)
		return &LibReader{in: in}, in.fault()
	}
	l, err := reader()
	if err != nil {
		return nil, err
	}
	head := l.in.buf
	switch {
	case bytes.HasPrefix(head, libMagic) || l.in.r == nil && isLib(head) || len(head) > libHeader+1 && len(bytes.Trim(head[:libHeader], "\x00")) == 0:
	case l.in.r == nil || len(head) < 2 || head[0] != 0x78 || bytes.IndexFunc(head[:min(len(head), 512)], unicode.IsControl) < 0 || !l.isWhole():
		return nil, errors.New("not a RenLib library")
	default:
		if l, err = reader(); err != nil {
			return nil, err
		}
		head = l.in.buf
	}
	l.zeros = head[0] == 0
	if head[0] != 0x78 {
		if len(head) < libHeader {
			return nil, errors.New("not a RenLib library: its header is cut off")
		}
		if l.in.at = libHeader; !l.zeros && head[8] > 3 {
			return nil, fmt.Errorf("a RenLib library of version %d.%d, want 3", head[8], head[9])
		}
	}
	if encoding != "" {
		e, ok := charset.Lookup(encoding)
		if !ok {
			return nil, fmt.Errorf("unknown encoding %.40q", encoding)
		}
		l.encoding = e
		return l, nil
	}
	var texts []byte
	at := l.in.at
	for l.texts = &texts; len(texts) < maxTexts; {
		if _, err := l.Next(); err != nil {
			break // Next of the reader that is returned gives it, too
		}
	}
	zeros := l.zeros
	if l, err = reader(); err != nil {
		return nil, err
	}
	l.in.at, l.zeros = at, zeros
	l.encoding, _ = charset.Guess(texts)
	return l, nil
}

// A libInput is the bytes of a library: all of them, or a part of what r reads.
type libInput struct {
	r    io.Reader // nil if buf has all
	buf  []byte
	at   int   // of the next byte in buf
	base int64 // of buf in the file
	err  error // of r
}

const (
	libPart    = 64 << 10 // bytes that are read at once
	maxLibText = 16 << 20 // bytes of one text
)

// more reads on until n bytes are there behind at, and reports whether they are.
func (in *libInput) more(n int) bool {
	for len(in.buf)-in.at < n && in.r != nil && in.err == nil {
		if in.at > 0 {
			in.buf = in.buf[:copy(in.buf, in.buf[in.at:])]
			in.base += int64(in.at)
			in.at = 0
		}
		k := len(in.buf)
		in.buf = slices.Grow(in.buf, libPart)[:k+libPart]
		var read int
		read, in.err = in.r.Read(in.buf[k:])
		in.buf = in.buf[:k+read]
	}
	return len(in.buf)-in.at >= n
}

// fault returns the error of reading, which the end is not.
func (in *libInput) fault() error {
	if in.err == io.EOF {
		return nil
	}
	return in.err
}

// index returns how far behind at the first byte is that is is, reading on. Without one it returns all
// that there are, and false.
func (in *libInput) index(is func([]byte) int) (int, bool) {
	from := 0
	for {
		if k := is(in.buf[in.at+from:]); k >= 0 {
			return from + k, true
		}
		if from = len(in.buf) - in.at; from > maxLibText || !in.more(from+1) {
			return from, false
		}
	}
}

// maxTexts is how many bytes of texts tell their encoding.
const maxTexts = 256 << 10

// Offset returns how many bytes have been read.
func (l *LibReader) Offset() int64 { return l.in.base + int64(l.in.at) }

// Next returns the next node, parents before children, or io.EOF. Other errors name the
// offset in the file.
func (l *LibReader) Next() (LibNode, error) {
	if more := l.in.more(2); l.done || !more {
		if err := l.in.fault(); err != nil {
			return LibNode{}, err
		}
		// RenLib leaves branches open where it writes a part of a tree, and ignores an odd byte.
		if more {
			return LibNode{}, l.fault("more bytes follow the last move")
		}
		return LibNode{}, io.EOF
	}
	pos, flags, ok := l.pair()
	if !ok {
		return LibNode{}, l.fault("the file ends within a move")
	}
	n := LibNode{flags: flags, NoMove: flags&libNoMove != 0, Mark: flags&libMark != 0, Start: flags&libStart != 0}
	if pos != 0 {
		var err error
		if n.Move, err = board.AtOn(int(pos&15)-1, int(pos>>4), LibSize, LibSize); err != nil {
			return n, l.fault("a move off the board")
		}
	}
	if flags&libExtended != 0 {
		a, b, ok := l.pair()
		if !ok {
			return n, l.fault("the file ends within a move")
		}
		n.extension = uint16(a)<<8 | uint16(b)
	}
	var err error
	if flags&(libComment|libOldComment) != 0 {
		if n.Comment, err = l.text(flags&libOldComment != 0); err != nil {
			return n, err
		}
		n.Comment = libLines(n.Comment)
	}
	if n.extension&libBoardText != 0 {
		if n.Text, err = l.text(false); err != nil {
			return n, err
		}
		n.Text = libText(n.Text)
	} else if flags&libExtended != 0 && n.extension == 0 && l.zeros {
		// Renjulibviewer writes no bit for the text that follows.
		if n.Text, err = l.text(false); err != nil {
			return n, err
		}
		n.Text = libText(n.Text)
	}
	root := !l.started && pos == 0
	l.started = true
	if root {
		l.depth = 1
		return n, nil // whether it has children is seen at the end of the file
	}
	n.Depth = max(l.depth, 1)
	l.cut = flags&libLeaf == 0
	if n.Depth > maxDepth {
		return n, errDepth
	}
	if flags&libSibling != 0 {
		l.open = append(l.open, n.Depth)
	}
	if l.depth = n.Depth + 1; flags&libLeaf != 0 {
		if len(l.open) == 0 {
			l.done = true
		} else {
			l.depth = l.open[len(l.open)-1]
			l.open = l.open[:len(l.open)-1]
		}
	}
	return n, nil
}

func (l *LibReader) fault(what string) error {
	if err := l.in.fault(); err != nil {
		return err
	}
	return &LibFault{l.Offset(), what}
}

// A LibFault is what is wrong with a library at a byte, counted from 0.
type LibFault struct {
	At   int64
	What string
}

func (f *LibFault) Error() string { return fmt.Sprintf("byte %d: %s", f.At, f.What) }

// Cut reports whether the library ends where its last node says that moves follow.
func (l *LibReader) Cut() bool { return l.cut }

func (l *LibReader) pair() (a, b byte, ok bool) {
	if !l.in.more(2) {
		return 0, 0, false
	}
	l.in.at += 2
	return l.in.buf[l.in.at-2], l.in.buf[l.in.at-1], true
}

// text reads a text in pairs of bytes.
func (l *LibReader) text(old bool) (string, error) {
	end := func(b []byte) int { return bytes.IndexByte(b, 0) }
	if old {
		end = func(b []byte) int { return slices.IndexFunc(b, func(c byte) bool { return c >= 0x80 }) }
	}
	n, ok := l.in.index(end)
	size := n + 1 + (n+1)%2
	if !ok || !l.in.more(size) {
		l.in.at = len(l.in.buf)
		if n > maxLibText {
			return "", l.fault(fmt.Sprintf("a text of more than %d MiB", maxLibText>>20))
		}
		return "", l.fault("the file ends within a text")
	}
	raw := l.in.buf[l.in.at : l.in.at+n]
	last := l.in.buf[l.in.at+n]
	l.in.at += size
	if old {
		return oldText.Replace(string(raw) + string(rune(last&0x7f))), nil
	}
	if l.texts != nil && len(*l.texts) < maxTexts {
		*l.texts = append(append(*l.texts, raw...), '\n')
	}
	text, _ := l.encoding.Decode(raw)
	return text, nil
}

// oldText puts the letters of Swedish for the signs that stood for them in texts of 7 bits.
var oldText = strings.NewReplacer("}", "å", "{", "ä", "|", "ö", "]", "Å", "[", "Ä", "\\", "Ö")

// libLines joins the first line of a comment and the others.
func libLines(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.ReplaceAll(s, "\r", "\n")
	first, rest, two := strings.Cut(s, "\x08")
	switch {
	case !two || rest == "":
		s = first
	case first == "":
		s = rest
	default:
		s = first + "\n" + rest
	}
	return withoutControls(strings.ReplaceAll(s, "\x08", "\n"))
}

// readLib reads a RenLib library as one tree without a rule. Board texts become labels of
// the position before the move. Moves on stones are left out with all behind them, and of a library
// that is cut off what is there is read. Errors name the offset in the file.
func readLib(raw []byte, encoding string) (*Tree, error) {
	l, err := newLibReader(raw, encoding)
	if err != nil {
		return nil, err
	}
	t := NewTree(LibSize, LibSize)
	t.Format, t.Encoding = RenLib, l.encoding
	var said remarks
	line := []*Node{t.Root} // to the node read last
	var labeled []*Node     // with several labels
	for items := 0; ; items++ {
		n, err := l.Next()
		if err == io.EOF {
			if l.cut {
				said.add("the library is cut off behind its last move")
			}
			break
		}
		if err == nil && items == maxItems {
			err = errItems
		}
		if err != nil && (items < 2 || errors.Is(err, errItems) || errors.Is(err, errDepth)) {
			return nil, err
		}
		if err != nil {
			said.add("the library is read up to a fault: %v", err)
			break
		}
		if n.Depth == 0 {
			t.Root.Comment, t.Root.Hot, t.Root.Start = n.Comment, n.Mark, n.Start
			continue
		}
		parent := line[n.Depth-1]
		if n.Text != "" && n.Move != board.None {
			parent.Marks = append(parent.Marks, Mark{At: n.Move, Text: n.Text})
			if len(parent.Marks) == 2 {
				labeled = append(labeled, parent)
			}
		}
		child := NewNode()
		child.Color, child.Move = board.Color((n.Depth-1)&1), n.Move
		child.Comment, child.Hot, child.Start = n.Comment, n.Mark, n.Start
		line = append(line[:n.Depth], child)
		if n.NoMove && n.Comment == "" && n.flags&libLeaf != 0 {
			continue // only the label
		}
		parent.Children = append(parent.Children, child)
	}
	if !t.prune(&said) {
		return nil, errors.New("its first moves are on stones")
	}
	for _, n := range labeled { // in the order in which WriteLib writes them
		texts, rest := libLabels(n)
		n.Marks = n.Marks[:0]
		for i, text := range texts {
			if text != "" {
				n.Marks = append(n.Marks, Mark{At: n.Children[i].Move, Text: text})
			}
		}
		n.Marks = append(n.Marks, rest...)
	}
	t.Remarks = said.all()
	return t, nil
}

// libLabels returns the labels of n as a library has them: those of its children, and those on
// cells that no child moves to. Of several on a cell the last counts.
func libLabels(n *Node) (texts []string, rest []Mark) {
	labels := map[board.Move]string{}
	for _, m := range n.Marks {
		if text := libText(m.Text); m.Kind == Label && text != "" {
			labels[m.At] = text
		}
	}
	texts = make([]string, len(n.Children))
	for i, child := range n.Children {
		texts[i] = labels[child.Move]
		delete(labels, child.Move)
	}
	for _, m := range n.Marks {
		if text, ok := labels[m.At]; ok && m.Kind == Label {
			rest = append(rest, Mark{At: m.At, Text: text})
			delete(labels, m.At)
		}
	}
	return texts, rest
}

// WriteLib writes t as a RenLib library. What the format lacks is an error if it is a
// position that RenLib cannot show: another size of the board, stones set up, a player who
// moves twice. Names, results and other marks than labels are left out. Texts are in the encoding of
// t if that holds all of them and a LibReader finds it out from them, else in UTF-8. It makes one
// Write.
func WriteLib(w io.Writer, t *Tree) error {
	if t.Width != LibSize || t.Height != LibSize {
		return fmt.Errorf("a RenLib library is of a board of 15x15, this one is of %dx%d", t.Width, t.Height)
	}
	root := t.Root
	if root.Color < board.Wall { // some files of SGF have a move in the root
		root = NewNode()
		root.Children = []*Node{t.Root}
	}
	l := libWriter{encoding: t.Encoding}
	if err := l.write(root, 0, "", 0); err != nil {
		return err
	}
	if e, _ := charset.Guess(l.texts); l.encoding != charset.UTF8 && (l.lacking || e != l.encoding) {
		l = libWriter{}
		if err := l.write(root, 0, "", 0); err != nil {
			return err
		}
	}
	header := append(bytes.Clone(libMagic), 3, 4)
	for len(header) < libHeader {
		header = append(header, 0xff)
	}
	_, err := w.Write(append(header, l.b.Bytes()...))
	return err
}

// A libWriter writes the nodes of a library.
type libWriter struct {
	b        bytes.Buffer
	encoding charset.Encoding
	texts    []byte // all of them, up to as many as a LibReader looks at
	lacking  bool   // the encoding does not hold every text so far
}

func (l *libWriter) write(n *Node, depth int, label string, flags byte) error {
	if len(n.Setup) > 0 {
		return errors.New("a RenLib library has moves only, and here stones are set up")
	}
	if depth == 0 && n.Color < board.Wall || depth > 0 && n.Color != board.Color((depth-1)&1) {
		return fmt.Errorf("a RenLib library has moves in turn, and move %d is not", max(depth, 1))
	}
	texts, rest := libLabels(n)
	children := len(n.Children) + len(rest)
	if children == 0 && depth > 0 {
		flags |= libLeaf
	}
	if n.Hot {
		flags |= libMark
	}
	if n.Start {
		flags |= libStart
	}
	l.node(n.Move, flags, n.Comment, label)
	for i := range children {
		var flags byte
		if i < children-1 {
			flags = libSibling
		}
		if i >= len(n.Children) {
			m := rest[i-len(n.Children)]
			l.node(m.At, flags|libNoMove|libLeaf, "", m.Text)
		} else if err := l.write(n.Children[i], depth+1, texts[i], flags); err != nil {
			return err
		}
	}
	return nil
}

func (l *libWriter) node(m board.Move, flags byte, comment, label string) {
	var pos byte
	if m != board.None {
		pos = byte(m.Y()<<4 | m.X() + 1)
	}
	comment, label = libText(comment), libText(label)
	if comment != "" {
		flags |= libComment
	}
	if label != "" {
		flags |= libExtended
	}
	l.b.Write([]byte{pos, flags})
	if label != "" {
		l.b.Write([]byte{libBoardText >> 8, libBoardText & 0xff})
	}
	if strings.Contains(comment, "\n") {
		comment = "\x08" + strings.ReplaceAll(comment, "\n", "\r\n")
	}
	for _, s := range []string{comment, label} {
		if s == "" {
			continue
		}
		raw := l.encode(s)
		l.b.Write(raw)
		l.b.Write(make([]byte, 2-len(raw)%2))
	}
}

// encode returns the bytes of a text.
func (l *libWriter) encode(s string) []byte {
	raw, ok := l.encoding.Encode(s)
	l.lacking = l.lacking || !ok || bytes.IndexByte(raw, 0) >= 0
	if len(l.texts) < maxTexts {
		l.texts = append(append(l.texts, raw...), '\n')
	}
	return raw
}

// libText returns a text as a library has it.
func libText(s string) string { return withoutControls(strings.ReplaceAll(s, "\r", "")) }
