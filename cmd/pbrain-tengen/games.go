package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/query"
)

// A game is read from the command line or a file. Its moves are legal, except the fouls that a
// gameReader allows.
type game struct {
	name          string // where it is from, for people
	rule          board.Rule
	width, height int
	moves         []board.Move
	mirrored      bool // the moves are those of the file upside down, so that their labels count from the bottom
	opening       int  // moves of the opening
	black, white  string

	typed string       // the text itself, if it is moves as text
	tree  *record.Tree // what the file says beside
}

// A gameReader reads games in whichever format and encoding they are.
type gameReader struct {
	on       flags.Board   // of games that do not tell
	flags    *flag.FlagSet // that on has
	force    bool          // the rule is that of all games
	encoding string        // of files, if it is not to be found out
	player   string        // one of the players of games that are read, all if empty
	event    string        // theirs, all if empty

	// Without fromTop a label such as h8 counts rows from the bottom, as people and gomoku
	// sites do, and with it from the top, as pos notation does. Row 0 of a move is the first in
	// either case, so that moves as text keep their labels.
	fromTop bool

	fouls bool // the last move of a game may be forbidden to Black, who has lost by it
	after int  // moves of each game that are kept, whatever comes after them; all if negative

	// keep, if not nil, is asked about each game that is wanted, with its number from 1. It may use the game
	// and have it left out, so that a large database of games takes little memory.
	keep func(n int, t *record.Tree) bool

	// refuse is given the error of a game that a file has among others, or of one of several files,
	// and may return nil to go on with the others. Without it the error ends the reading.
	refuse func(error) error

	// objects uses a stream whose first line is an object of JSON. Without it such a line is an error.
	objects func(in io.Reader, name string) error

	// said gets a line for each game of which something was left out, or taken for something else.
	said io.Writer
}

// add adds the flags that say what files leave open.
func (r *gameReader) add(fs *flag.FlagSet) {
	r.on.Add(fs)
	r.flags = fs
	fs.BoolVar(&r.force, "force", false, "play all games by -rule, whatever rule their files tell (default off)")
	fs.StringVar(&r.encoding, "encoding", "", "`NAME` of the encoding of the files, such as GBK, Shift_JIS, Big5, EUC-KR or Windows-1251 (default: found out)")
	fs.StringVar(&r.player, "player", "", "read only games of this player: all words of `NAME` stand in the name, in whatever case (default: of all)")
	fs.StringVar(&r.event, "event", "", "read only games of this event: all words of `NAME` stand in its name, in whatever case (default: of all)")
}

// wants reports whether a game is one of -player and -event.
func (r *gameReader) wants(t *record.Tree) bool {
	return (hasWords(t.Black, r.player) || hasWords(t.White, r.player)) && hasWords(t.Event, r.event)
}

// hasWords reports whether all words stand in a name, in whatever case.
func hasWords(name, words string) bool {
	name = strings.ToLower(name)
	for _, word := range strings.Fields(strings.ToLower(words)) {
		if !strings.Contains(name, word) {
			return false
		}
	}
	return true
}

// errUnwanted is the error of what has no game of -player and -event.
var errUnwanted = errors.New("there is no game of -player and -event")

// emptyBoard is the text of a game without a move.
const emptyBoard = query.EmptyBoard

// maxFile is the most bytes of a file that are read.
const maxFile = 32 << 20

// named calls use for each game that the arguments name: positions and files. Without arguments
// games are read from stdin.
func (r *gameReader) named(args []string, stdin io.Reader, use func(*game) error) error {
	if len(args) == 0 {
		return r.stream(stdin, "standard input", use)
	}
	for _, arg := range args {
		err := r.operand(arg, use)
		if len(args) > 1 && errors.Is(err, flags.ErrUsage) {
			err = r.refused(err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// operand calls use for each game that arg names, a position or a file.
func (r *gameReader) operand(arg string, use func(*game) error) error {
	g, err := r.text(arg)
	if err == nil {
		g.name = arg
		return r.tell(g, use)
	}
	f, fileErr := os.Open(arg)
	switch {
	case fileErr == nil:
		defer f.Close()
		return r.stream(f, arg, use)
	case record.Detect([]byte(arg)) != record.UnknownFormat && !isFileName(arg):
		return flags.Usage("%.60q: %v", arg, err)
	case errors.Is(fileErr, os.ErrNotExist):
		return flags.Usage("%.60q is neither a position such as h8i9j7 nor a file", arg)
	}
	return flags.Usage("%v", fileErr)
}

// isFileName reports whether a text that begins as moves do, such as e5.sgf, names a file: it has a
// folder or an ending of letters, and is no link.
func isFileName(text string) bool {
	if strings.Contains(text, "://") {
		return false
	}
	ending := strings.TrimPrefix(filepath.Ext(text), ".")
	letters := ending != "" && !strings.ContainsFunc(ending, func(r rune) bool { return !unicode.IsLetter(r) })
	return letters || filepath.Base(text) != text
}

// isRegular reports whether in is a file on a disk, which has an end, and not a terminal or a pipe.
func isRegular(in io.Reader) bool {
	f, ok := in.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// stream reads the games of a file. Moves as text are used line by line, as soon as they come, but of a file on
// a disk those whose meaning other lines tell.
func (r *gameReader) stream(in io.Reader, name string, use func(*game) error) error {
	used, unwanted := false, false
	line := func(where, text string) error {
		g, err := r.text(text)
		if errors.Is(err, errUnwanted) {
			unwanted = true
			return nil
		}
		used = true
		if err != nil {
			return r.refused(flags.Usage("%s: %.60q: %v", where, text, err))
		}
		g.name = where
		return r.tell(g, use)
	}
	whole := isRegular(in)
	if r.objects != nil || whole {
		again, first := firstLine(in)
		in = again
		switch {
		case r.objects != nil && isObject(first) && !record.IsAppJSON(first):
			return r.objects(in, name)
		case whole && record.IsListLine(first):
			raw, err := io.ReadAll(io.LimitReader(in, maxFile+1))
			if err != nil {
				return named(name, err)
			}
			return r.file(raw, name, use)
		}
	}
	err := eachLine(in, name, line, func(raw []byte) error { return r.file(raw, name, use) })
	if err == nil && unwanted && !used {
		err = flags.Usage("%s: %v", name, errUnwanted)
	}
	return err
}

// eachLine calls use for every line of a file that is neither empty nor a comment, as soon as it
// comes, and with where it is. If the first of them is no game and whole is not nil, it calls
// whole for the file instead.
func eachLine(in io.Reader, name string, use func(where, text string) error, whole func(raw []byte) error) error {
	limited := &io.LimitedReader{R: in, N: maxFile + 1}
	lines := bufio.NewReader(limited)
	var before []byte // lines without a game
	found := false
	for n := 1; ; n++ {
		line, err := lines.ReadString('\n')
		if err != nil && err != io.EOF {
			return named(name, err)
		}
		last := err == io.EOF
		long := last && limited.N == 0
		text := strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		plain := utf8.ValidString(line) && strings.IndexByte(line, 0) < 0
		switch {
		case plain && (text == "" || text[0] == '#' && !record.IsGameLine(text)):
			if !found {
				before = append(before, line...)
			}
		case !found && whole != nil && text != emptyBoard && !(plain && record.IsGameLine(text)):
			limited.N += int64(record.MostBytes([]byte(line)) - maxFile)
			rest, err := io.ReadAll(lines)
			if err != nil {
				return named(name, err)
			}
			return whole(slices.Concat(before, []byte(line), rest))
		default:
			found, limited.N = true, maxFile+1 // of a line: a script may go on for days
			if err := use(fmt.Sprintf("%s, line %d", name, n), text); err != nil {
				return err
			}
		}
		if long {
			return flags.Usage("%s: more than %d MiB", name, maxFile>>20)
		}
		if last && !found {
			return flags.Usage("%s: there is no position", name)
		}
		if last {
			return nil
		}
	}
}

// file uses the games of a whole file.
func (r *gameReader) file(raw []byte, name string, use func(*game) error) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return flags.Usage("%s: there is no position", name)
	}
	trees, err := r.read(raw, false)
	var broken record.BrokenGames
	if err != nil && !errors.As(err, &broken) {
		return fileFault(name, err)
	}
	var before []error // of games before the first that is used
	used := false
	for i, t := range trees {
		if t == nil && broken[i] == nil {
			continue // unwanted
		}
		where := name
		if len(trees) > 1 {
			where = fmt.Sprintf("%s, game %d", name, i+1)
		}
		var g *game
		err := broken[i]
		if err == nil {
			g, err = r.game(t)
		}
		switch {
		case err != nil && !used && r.refuse != nil:
			before = append(before, flags.Usage("%s: %v", where, err))
			continue
		case err != nil:
			err = r.refused(flags.Usage("%s: %v", where, err))
		default:
			g.name = where
			err = r.tell(g, use)
			if used = true; err == nil {
				err = r.refusedAll(before)
			}
			before = nil
		}
		if err != nil {
			return err
		}
	}
	return r.refusedAll(before)
}

func (r *gameReader) refusedAll(all []error) error {
	for _, err := range all {
		if err := r.refused(err); err != nil {
			return err
		}
	}
	return nil
}

func (r *gameReader) refused(err error) error {
	if r.refuse == nil {
		return err
	}
	return r.refuse(err)
}

// tell uses a game after a line about what was left out of its file.
func (r *gameReader) tell(g *game, use func(*game) error) error {
	if g.tree != nil {
		r.remark(g.name, g.tree)
	}
	return use(g)
}

// remark says what was left out of a game, or taken for something else.
func (r *gameReader) remark(name string, t *record.Tree) {
	if r.said != nil && len(t.Remarks) > 0 {
		fmt.Fprintf(r.said, "pbrain-tengen: %s: %s\n", shortened(name), printable(strings.Join(t.Remarks, "; ")))
	}
}

// readFile reads a file, or a byte more than one may have.
func readFile(in io.Reader) ([]byte, error) {
	b := bufio.NewReader(in)
	head, _ := b.Peek(64)
	return io.ReadAll(io.LimitReader(b, int64(record.MostBytes(head))+1))
}

// trees reads the games of a file, of standard input for "-", or of the text that the argument is. Rows
// of moves as text count from the bottom, as people write them, and in .pos files from the top. The error
// may be a record.BrokenGames.
func (r *gameReader) trees(arg string, stdin io.Reader) ([]*record.Tree, error) {
	bottom := !strings.EqualFold(filepath.Ext(arg), ".pos")
	name := fmt.Sprintf("%.60s", arg)
	var raw []byte
	f, err := os.Open(arg)
	switch {
	case arg == "-":
		name = "standard input"
		raw, err = readFile(stdin)
	case err == nil:
		defer f.Close()
		raw, err = readFile(f)
	case record.Detect([]byte(arg)) != record.UnknownFormat && !isFileName(arg):
		raw, err = []byte(arg), nil
	case errors.Is(err, os.ErrNotExist):
		return nil, flags.Usage("%.60q is neither a position such as h8i9j7 nor a file", arg)
	default:
		return nil, flags.Usage("%v", err)
	}
	if err != nil {
		return nil, named(name, err)
	}
	trees, err := r.read(raw, bottom)
	if broken := (record.BrokenGames)(nil); err != nil && !errors.As(err, &broken) {
		return nil, fileFault(name, err)
	}
	return trees, err
}

// fileFault returns the error of a file, with its line as eachLine has it.
func fileFault(name string, err error) error {
	if text := err.Error(); strings.HasPrefix(text, "line ") {
		return flags.Usage("%s, %s", name, text)
	}
	return flags.Usage("%s: %v", name, err)
}

// read reads the games of a file. Those that are not wanted are nil.
func (r *gameReader) read(raw []byte, bottom bool) ([]*record.Tree, error) {
	n, wanted := 0, 0
	want := func(t *record.Tree) bool {
		if n++; !r.wants(t) {
			return false
		}
		wanted++
		return r.keep == nil || r.keep(n, t)
	}
	width, height := 0, 0
	r.flags.Visit(func(f *flag.Flag) {
		if f.Name == "size" {
			width, height = r.on.Width, r.on.Height
		}
	})
	trees, err := record.Read(raw, record.Reading{Rule: r.on.Rule, Force: r.force, Width: width, Height: height, FromBottom: bottom, Encoding: r.encoding, Want: want})
	if err == nil && wanted == 0 {
		err = errUnwanted
	}
	return trees, err
}

// text returns the game of one line, which is moves or what else of one game fits there.
func (r *gameReader) text(line string) (*game, error) {
	if line == emptyBoard {
		return &game{rule: r.on.Rule, width: r.on.Width, height: r.on.Height, typed: line}, nil
	}
	if record.Detect([]byte(line)) == record.UnknownFormat {
		return nil, errors.New("want moves as in h8i9j7")
	}
	plain := *r
	plain.encoding = "" // a line of a terminal or a script is decoded already
	trees, err := plain.read([]byte(line), false)
	if err == nil && len(trees) != 1 {
		err = fmt.Errorf("games: %d, want one", len(trees))
	}
	if err != nil {
		if inner := errors.Unwrap(err); inner != nil && strings.HasPrefix(err.Error(), "line 1: ") {
			err = inner // without the number of the line
		}
		return nil, err
	}
	g, err := r.game(trees[0])
	if g != nil && trees[0].Format.Typed() && trees[0].Format != record.Problems {
		g.typed = line
	}
	return g, err
}

// game checks the main line of a tree.
func (r *gameReader) game(t *record.Tree) (*game, error) {
	if t.Rule&board.Continuous != 0 {
		return nil, errors.New("continuous games are not analyzed")
	}
	of, err := t.Game()
	if err != nil {
		return nil, err
	}
	g := &game{
		rule: t.Rule, width: t.Width, height: t.Height, moves: of.Moves, mirrored: !r.fromTop && !t.Format.Typed(), opening: of.Opening,
		black: printable(of.Black), white: printable(of.White), tree: t,
	}
	for i, m := range of.Moves {
		if m == board.None && i >= of.Opening && (i == 0 || i+1 < len(of.Moves)) || m == board.None && i == 0 && of.Opening == 1 {
			if i == 0 {
				t.Remarks = append(t.Remarks, "White moves first, after a pass of Black")
			} else {
				t.Remarks = append(t.Remarks, fmt.Sprintf("%v does not move as number %d, which is a pass", board.Color(i&1), i+1))
			}
			break
		}
	}
	if r.after >= 0 && r.after < len(g.moves) {
		g.moves, g.opening = g.moves[:r.after], min(g.opening, r.after)
	}
	g.moves = g.mirror(g.moves)
	_, err = g.board(len(g.moves))
	if r.fouls && errors.Is(err, board.ErrForbidden) {
		if _, before := g.board(len(g.moves) - 1); before == nil {
			err = nil
		}
	}
	return g, err
}

// printable returns a name from a file without what would change a terminal or begin a line, and
// without blanks at its ends.
func printable(name string) string {
	return strings.TrimSpace(strings.Join(strings.FieldsFunc(name, unicode.IsControl), " "))
}

// mirror returns moves of the file as those of the game, or the other way round.
func (g *game) mirror(moves []board.Move) []board.Move {
	if !g.mirrored {
		return moves
	}
	turned := make([]board.Move, len(moves))
	for i, m := range moves {
		if turned[i] = m; m != board.None {
			turned[i] = board.At(m.X(), g.height-1-m.Y())
		}
	}
	return turned
}

// board returns the board after n moves. Its error names the first move that is not legal.
func (g *game) board(n int) (*board.Board, error) {
	b, err := board.New(g.rule, g.width, g.height)
	if err != nil {
		return nil, err
	}
	return b, b.PlayAll(g.moves[:n])
}

// pos returns the first n moves as text that a gameReader reads.
func (g *game) pos(n int) string { return posText(g.moves[:n]) }

// posText returns moves as text that a gameReader reads.
func posText(moves []board.Move) string {
	if len(moves) == 0 {
		return emptyBoard
	}
	return record.FormatMoves(moves)
}

// on describes the rule and the size.
func (g *game) on() string { return fmt.Sprintf("%v, %dx%d", g.rule, g.width, g.height) }

// counted returns a number with the word for one or that for several.
func counted[N int | int64](n N, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}
