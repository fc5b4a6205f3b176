package charset

import (
	"bytes"
	"compress/flate"
	"embed"
	"encoding/binary"
	"io"
	"sync"
)

//go:generate go run ../../../cmd/internal/charsets $INDEXES

// files are the tables that cmd/internal/charsets has written, packed.
//
//go:embed tables/*.z
var files embed.FS

// A table has the code points of an encoding by the pointers of the Encoding Standard, 0 where
// there is none. Their inverse has the least pointer of each, except for what skip says.
type table struct {
	file string
	at   int                    // which of the file
	skip func(pointer int) bool // pointers to which no text is encoded, may be nil

	once    sync.Once
	points  []rune
	reverse sync.Once
	inverse map[rune]int
}

var (
	jis0208 = &table{file: "jis0208", skip: func(p int) bool { return p >= 8272 && p <= 8835 }} // of NEC, twice there
	gb18030 = &table{file: "gb18030"}
	big5    = &table{file: "big5", skip: func(p int) bool { return p < (0xa1-0x81)*157 }} // of Hong Kong alone
	eucKR   = &table{file: "euc-kr"}

	gbStarts = &table{file: "gb18030", at: 1} // pointers of ranges, each with one more
	gbPoints = &table{file: "gb18030", at: 2}
)

// singles are the tables of the encodings of one byte, in the order of the command.
var singles = func() (list [14]*table) {
	for i := range list {
		list[i] = &table{file: "single", at: i}
	}
	return list
}()

func (t *table) len() int {
	t.once.Do(t.load)
	return len(t.points)
}

// point returns the code point of a pointer, -1 if it has none.
func (t *table) point(pointer int) rune {
	t.once.Do(t.load)
	if pointer < 0 || pointer >= len(t.points) || t.points[pointer] == 0 {
		return -1
	}
	return t.points[pointer]
}

// pointer returns the pointer of a code point.
func (t *table) pointer(r rune) (int, bool) {
	t.once.Do(t.load)
	t.reverse.Do(func() {
		t.inverse = make(map[rune]int, len(t.points))
		for p, r := range t.points {
			if _, twice := t.inverse[r]; r != 0 && !twice && (t.skip == nil || !t.skip(p)) {
				t.inverse[r] = p
			}
		}
	})
	p, ok := t.inverse[r]
	return p, ok
}

// load unpacks the table: a number of code points, then each as its distance from the one before.
func (t *table) load() {
	raw, err := files.ReadFile("tables/" + t.file + ".z")
	if err != nil {
		panic(err)
	}
	plain, err := io.ReadAll(flate.NewReader(bytes.NewReader(raw)))
	if err != nil {
		panic(err)
	}
	for range t.at {
		t.points, plain = unpack(plain)
	}
	t.points, _ = unpack(plain)
}

func unpack(b []byte) (points []rune, rest []byte) {
	n, k := binary.Uvarint(b)
	b = b[k:]
	points = make([]rune, n)
	before := 0
	for i := range points {
		step, k := binary.Varint(b)
		b = b[k:]
		before += int(step)
		points[i] = rune(before)
	}
	return points, b
}
