package record

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tengen/brain/board"
	"tengen/brain/record/charset"
)

// A Format is a kind of file or text with games.
type Format uint8

const (
	UnknownFormat Format = iota
	SGF                  // a collection of games with variations
	PSQ                  // games of Piskvork
	RenLib               // a library
	MoveList             // moves as text, a game a line or one of numbered moves
	Database             // positions of Yixin or Rapfi, packed by LZ4
	SAV                  // a game of Yixin-Board
	Link                 // an address of gomocalc and other boards, with the moves in it
	Diagram              // a drawn board
	Pairs                // moves as columns and rows from the top
	JSON                 // a game a line, as WriteJSON writes it
	RIF                  // the database of RenjuNet or RenjuOffline
	BinaryPos            // a game of zjrenju and others, .pos
	BDT                  // games of ShowRenju
	RenJS                // a game of RenJS
	Problems             // positions of testdata: rule, size, moves and what is sought
	Session              // commands and answers of the Gomocup protocol
	AppJSON              // games and puzzles of boards in the web and apps
	WZQ                  // a game of Base City
	BUF                  // games of Datafree
	RDF                  // games of RDF
	REC                  // a game of Piskvork, as .rec
	Zip                  // an archive of files with games
	Table                // moves or games in the rows of a table, CSV or Markdown
)

// Typed reports whether rows of the format count from whichever side the reader means, as those of
// labels that people write do. Those of other formats count from a side that is known.
func (f Format) Typed() bool { return f == MoveList || f == Problems || f == Table }

var errFormat = errors.New("this is neither SGF, a RenLib library, .psq, .sav, a link, a drawn board nor moves as in h8i9j7")

// refused are kinds of files that errors name, by how they begin.
var refused = []struct{ begin, what string }{
	{"!<arch>\n", "this is a library of a compiler, not of RenLib"},
	{"Rar!", "this is a rar archive: unpack it first"},
	{"7z\xbc\xaf\x27\x1c", "this is a 7z archive: unpack it first"},
	{"%PDF", "this is a PDF document, not a game"},
	{"\x89PNG", "this is a picture, not a game"},
	{"\xff\xd8\xff", "this is a picture, not a game"},
	{"GIF8", "this is a picture, not a game"},
}

// detectHead is how much of a file Detect looks at.
const detectHead = 64 << 10 // bytes

// Detect says which format a file or a pasted text has, by its beginning.
func Detect(raw []byte) Format {
	if f := formatOfBytes(raw); f != UnknownFormat || refusal(raw) != nil {
		return f
	}
	t, err := decode(raw[:min(len(raw), detectHead)], "")
	if err != nil {
		return UnknownFormat
	}
	format, _ := recognized(t.s)
	return format
}

// formatOfBytes says which format a file has, if its bytes tell that.
func formatOfBytes(raw []byte) Format {
	for i := range fileFormats {
		if f := &fileFormats[i]; f.raw != nil && f.raw(raw) {
			return f.format
		}
	}
	return UnknownFormat
}

// refusal returns the error of a file that is no game, if it is of a known kind.
func refusal(raw []byte) error {
	for _, r := range refused {
		if bytes.HasPrefix(raw, []byte(r.begin)) {
			return errors.New(r.what)
		}
	}
	if len(raw) > palmKind && bytes.HasPrefix(raw[palmKind:], []byte("DATA5Ren")) {
		return errors.New("this is a database of GoRenjer, which is not read: save its games in another format")
	}
	return nil
}

// palmKind is where a Palm database says what it holds.
const palmKind = 60

// formatOf says which format a text has.
func formatOf(s string) Format {
	plain := folded(s[:min(len(s), detectHead)])
	for i := range fileFormats {
		if f := &fileFormats[i]; f.text != nil && f.text(plain) {
			return f.format
		}
	}
	for line := range strings.Lines(plain) {
		line = strings.TrimSpace(line)
		if line == "" || isComment(line) {
			continue
		}
		for i := range fileFormats {
			if f := &fileFormats[i]; f.line != nil && f.line(line) {
				return f.format
			}
		}
		break
	}
	if headOf(strings.Split(plain, "\n")).lines > 0 {
		return MoveList
	}
	return UnknownFormat
}

// textSize is the side of the board of moves as text where Reading has none.
const textSize = 15

// Reading says how Read takes what a file leaves open.
type Reading struct {
	Rule          board.Rule // of games without a rule
	Force         bool       // Rule is that of all games, whatever their files say
	Width, Height int        // cells, of moves as text; 15 if zero
	FromBottom    bool       // rows of moves as text count from the bottom, as people count, and not from the top, as in pos
	Encoding      string     // of the texts; if empty it is found out

	// Want, if not nil, reports whether a game is wanted; others are nil in the list. A database of games
	// in XML is read a game at a time, and games that are not wanted do not count against the limit of
	// moves. Of a game that is broken Want sees names and event only, if the file is such a database.
	Want func(*Tree) bool
}

// BrokenGames is the error of a file with games that cannot be used: what is wrong with each, by
// its index in the list of trees, which has nil there.
type BrokenGames map[int]error

// Error returns the error of the first game, with its number from 1.
func (b BrokenGames) Error() string {
	first := slices.Min(slices.Collect(maps.Keys(b)))
	return fmt.Sprintf("game %d: %v", first+1, b[first])
}

// orNil returns b, or nil if no game is broken.
func (b BrokenGames) orNil() error {
	if len(b) == 0 {
		return nil
	}
	return b
}

// Read reads the games of a file or a pasted text in whichever format and encoding it is. RuleKnown
// of a tree says whether the rule was in the file, Remarks what was left out or taken for something
// else. There is at least one tree if there is no error, and the error may be a BrokenGames.
func Read(raw []byte, o Reading) ([]*Tree, error) {
	if most := MostBytes(raw); len(raw) > most {
		return nil, tooLarge(most)
	}
	if _, known := charset.Lookup(o.Encoding); o.Encoding != "" && !known {
		_, err := decode(nil, o.Encoding)
		return nil, err
	}
	trees, err := read(raw, o)
	if err == nil && len(trees) == 0 {
		err = errors.New("there is no game in the file")
	}
	if broken := (BrokenGames)(nil); err != nil && !errors.As(err, &broken) {
		return nil, err
	}
	return trees, err
}

// finish gives a tree the rule that its file leaves open. It reports whether the tree is wanted.
func (o *Reading) finish(t *Tree) bool {
	if !t.RuleKnown || o.Force {
		if t.RuleKnown && t.Rule != o.Rule {
			t.RuleText = ""
		}
		t.Rule = o.Rule
	}
	if o.Force {
		t.RuleKnown = true
	}
	return o.Want == nil || o.Want(t)
}

// MostBytes returns how many bytes a file may have that begins with head: more if it is a database of games
// in XML, or packed by gzip as these are.
func MostBytes(head []byte) int {
	if bytes.HasPrefix(head, []byte(gzipMagic)) || bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"), []byte("<")) {
		return maxXML
	}
	return maxText
}

const gzipMagic = "\x1f\x8b"

func read(raw []byte, o Reading) ([]*Tree, error) {
	if bytes.HasPrefix(raw, []byte(gzipMagic)) {
		plain, err := unpacked(raw)
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(plain, []byte(gzipMagic)) {
			return nil, errors.New("this is packed by gzip several times")
		}
		return read(plain, o)
	}
	switch format := formatOfBytes(raw); {
	case format == Zip:
		return readZip(raw, o)
	case format == Database:
		return nil, errors.New("this is a database of positions, not a game")
	case format != UnknownFormat:
		return source{raw: raw, o: o, format: format}.trees()
	}
	if err := refusal(raw); err != nil {
		return nil, err
	}
	text, err := decode(raw, o.Encoding)
	if err != nil {
		return nil, err
	}
	var format Format
	if format, text.s = recognized(text.s); format == UnknownFormat {
		if strings.TrimSpace(folded(text.s)) == "" {
			return nil, errors.New("the file is empty")
		}
		err = errFormat
	}
	f := source{raw, text, o, format}
	var trees []*Tree
	if err == nil {
		trees, err = f.trees()
	}
	if broken := (BrokenGames)(nil); err != nil && (format == UnknownFormat || format == MoveList || format == Link) && !errors.As(err, &broken) {
		if found := readProse(text.s, o); found != nil {
			return f.finishAll(found), nil
		}
	}
	return trees, err
}

// trees reads the games of a source.
func (f source) trees() ([]*Tree, error) {
	trees, err := f.format.find().read(f)
	if f.format == RIF {
		return trees, err // which finishes them one at a time
	}
	return f.finishAll(trees), err
}

// finishAll finishes trees, and takes out those that are not wanted.
func (f *source) finishAll(trees []*Tree) []*Tree {
	for i, t := range trees {
		if t != nil && !f.finish(t) {
			trees[i] = nil
		}
	}
	return trees
}

// finish says in a tree what it was read from. It reports whether the tree is wanted.
func (f *source) finish(t *Tree) bool {
	if f.text.s != "" && f.format != SGF { // whose parts have encodings of their own
		t.Encoding = f.text.encoding
		if t.Format == UnknownFormat {
			t.Format = f.format
		}
		if f.text.remark != "" && t.hasTexts() {
			t.Remarks = append([]string{f.text.remark}, t.Remarks...)
		}
	}
	return f.o.finish(t)
}

// hasTexts reports whether a tree has names, comments or labels.
func (t *Tree) hasTexts() bool {
	if t.Black+t.White+t.Event != "" {
		return true
	}
	for all := []*Node{t.Root}; len(all) > 0; {
		n := all[len(all)-1]
		all = append(all[:len(all)-1], n.Children...)
		if n.Comment != "" || slices.ContainsFunc(n.Marks, func(m Mark) bool { return m.Text != "" }) {
			return true
		}
	}
	return false
}

// distinct returns an error if a move is on the cell of an earlier one. It names the move as in
// the text, from whichever side the rows count.
func distinct(moves []board.Move) error {
	var taken board.Set
	for i, m := range moves {
		if m == board.None {
			continue
		}
		if taken.Has(m) {
			return fmt.Errorf("move %d, %v, is on a stone", i+1, m)
		}
		taken.Add(m)
	}
	return nil
}
