package record

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// A fileFormat is what the package knows of a Format: how it is recognized, read and written. Commands,
// their help and the page take their formats from this table. A new one is a constant before Table, an
// entry here with its reader or writer, a file in testdata/files with its row in want.txt, and its ending
// in the page's list of files, which a test of boardui compares with those in testdata/files.
type fileFormat struct {
	format Format
	name   string // for people

	// How a file is recognized, by one of these: all its bytes, the beginning of its text, or the first
	// line that is neither empty nor a comment. The first entry that recognizes it counts.
	raw  func(raw []byte) bool
	text func(s string) bool
	line func(line string) bool

	read    func(f source) ([]*Tree, error) // nil if only programs read it
	outputs []Output
	holds   []string // what the outputs hold beside moves, see Lacks
}

// A source is the content of a file to read.
type source struct {
	raw  []byte
	text text // decoded; without content if the format is known by its bytes
	o    Reading

	format Format
}

// everything says that an output holds all that a tree has.
var everything = []string{"everything"}

// fileFormats has the formats in the order in which they are tried.
var fileFormats = []fileFormat{
	{
		format: JSON, name: "JSON", text: isJSON,
		read:    func(f source) ([]*Tree, error) { return readJSON(f.text.s) },
		outputs: []Output{{Name: "json", Doc: "as sgf, an object a line, which analyze and convert read again", Write: WriteJSON}},
		holds:   everything,
	},
	{
		format: AppJSON, name: "JSON of another program", text: appBegin.MatchString,
		read: func(f source) ([]*Tree, error) { return readAppJSON(f.text.s, f.o) },
	},
	{
		format: RIF, name: "XML database of games", text: isRIF,
		read: func(f source) ([]*Tree, error) { return readRIF(f.text.s, f.finish) },
	},
	{
		format: RenJS, name: "RenJS", text: renjsFirst.MatchString,
		read: func(f source) ([]*Tree, error) { return readRenJS(f.text.s) },
	},
	{
		format: PSQ, name: ".psq", text: isPSQ,
		read:    func(f source) ([]*Tree, error) { return readPSQTrees(f.text.s) },
		outputs: []Output{{Name: "psq", Doc: "Piskvork: main lines with times and names; Piskvork itself opens the first game of a file", Write: writeMainLine}},
		holds:   []string{"names", "the size"},
	},
	{
		format: SGF, name: "SGF", text: func(s string) bool { return sgfBegin(s) >= 0 },
		read:    func(f source) ([]*Tree, error) { return readSGFGames(f.raw, f.o) }, // each part in its own encoding
		outputs: []Output{{Name: "sgf", Doc: "games with variations, comments and marks, in UTF-8", Write: WriteSGFTree}},
		holds:   everything,
	},
	{
		format: RenLib, name: "RenLib library", raw: isLib,
		read:    one(func(f source) (*Tree, error) { return readLib(f.raw, f.o.Encoding) }),
		outputs: []Output{{Name: "lib", Doc: "a RenLib library: moves with variations, comments and labels of boards of 15x15", Write: WriteLib}},
		holds:   []string{"variations", "comments", "labels", "marks of positions", "the size"},
	},
	{
		format: Database, name: "database of positions", raw: func(raw []byte) bool { return bytes.HasPrefix(raw, []byte("\x04\x22\x4d\x18")) },
	},
	{
		format: BinaryPos, name: ".pos", raw: isBinaryPos,
		read: one(func(f source) (*Tree, error) { return readBinaryPos(f.raw) }),
	},
	{
		format: Zip, name: "zip archive", raw: func(raw []byte) bool { return bytes.HasPrefix(raw, []byte("PK\x03\x04")) },
	},
	{
		format: WZQ, name: ".wzq", raw: isWZQ,
		read: one(func(f source) (*Tree, error) { return readWZQ(f.raw) }),
	},
	{
		format: BUF, name: ".buf", raw: isBUF,
		read: func(f source) ([]*Tree, error) { return readBUF(f.raw) },
	},
	{
		format: RDF, name: ".rdf", text: rdfGame.MatchString,
		read: func(f source) ([]*Tree, error) { return readRDF(f.text.s) },
	},
	{
		format: REC, name: ".rec", text: isREC,
		read: one(func(f source) (*Tree, error) { return readREC(folded(f.text.s)) }),
	},
	{
		format: Diagram, name: "drawn board", text: isDiagram,
		read: func(f source) ([]*Tree, error) { return readDiagrams(folded(f.text.s)) },
	},
	{
		format: SAV, name: ".sav", text: isSAV,
		read: func(f source) ([]*Tree, error) { return readSAV(folded(f.text.s)) },
	},
	{
		format: Table, name: "table of moves", text: isTable,
		read: func(f source) ([]*Tree, error) { return readTable(folded(f.text.s), f.o) },
	},
	{
		format: Session, name: "session of the protocol", line: isSession,
		read: func(f source) ([]*Tree, error) { return readSession(folded(f.text.s), f.o) },
	},
	{
		format: BDT, name: ".bdt", line: bdtLine.MatchString,
		read: func(f source) ([]*Tree, error) { return readBDT(f.text.s) },
	},
	{
		format: Link, name: "link", line: isLinkText, read: readTexts,
		outputs: []Output{{Name: "link", Doc: "main lines as links of gomocalc, which have no size and rule", Write: writeLine((*Tree).Link)}},
	},
	{
		format: Problems, name: "list of positions", line: isProblem, read: readTexts,
	},
	{
		format: MoveList, name: "moves as text", line: isMoveLine, read: readTexts,
		outputs: []Output{
			{Name: "pos", Doc: "main lines, a game a line, rows from the top", Write: writeLine(func(t *Tree) (string, error) { return t.Pos(false) })},
			{Name: "txt", Doc: "the same with rows from the bottom, as people write them", Write: writeLine(func(t *Tree) (string, error) { return t.Pos(true) })},
		},
	},
	{
		format: Pairs, name: "pairs of numbers", text: isNumberedPairs, // those without numbers are read as MoveList
		read: func(f source) ([]*Tree, error) { return readNumberedPairs(folded(f.text.s), f.o) },
	},
}

// find returns the entry of f; that of an unknown format is empty.
func (f Format) find() *fileFormat {
	for i := range fileFormats {
		if fileFormats[i].format == f {
			return &fileFormats[i]
		}
	}
	return &fileFormat{name: "unknown"}
}

// String names the format for people.
func (f Format) String() string { return f.find().name }

// one reads the only tree of a file.
func one(read func(source) (*Tree, error)) func(source) ([]*Tree, error) {
	return func(f source) ([]*Tree, error) {
		t, err := read(f)
		return []*Tree{t}, err
	}
}

func readTexts(f source) ([]*Tree, error) { return readMoveList(foldedMoves(f.text.s), f.o) }

// An Output is a way to write a tree.
type Output struct {
	Name   string // the ending of its files
	Doc    string // what it holds, for the help of a command
	Format Format // of what it writes
	Write  func(io.Writer, *Tree) error
}

// Outputs returns all outputs.
func Outputs() []Output {
	var all []Output
	for _, f := range fileFormats {
		for _, o := range f.outputs {
			o.Format = f.format
			all = append(all, o)
		}
	}
	return all
}

// OutputNamed returns the output with that name, which is an ending in lower case without the point.
func OutputNamed(name string) (o Output, ok bool) {
	all := Outputs()
	if i := slices.IndexFunc(all, func(o Output) bool { return o.Name == name }); i >= 0 {
		return all[i], true
	}
	return Output{}, false
}

// writeMainLine writes the main line of a tree as a game of Piskvork.
func writeMainLine(w io.Writer, t *Tree) error {
	g, err := t.Game()
	if err != nil {
		return err
	}
	return WritePSQ(w, &g)
}

// writeLine writes one line for a tree.
func writeLine(line func(*Tree) (string, error)) func(io.Writer, *Tree) error {
	return func(w io.Writer, t *Tree) error {
		text, err := line(t)
		if err == nil {
			_, err = fmt.Fprintln(w, text)
		}
		return err
	}
}
