package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/cmd/internal/flags"
)

// A game is read from the command line or a file. Its moves are legal, but for the fouls that a
// gameReader allows.
type game struct {
	name          string // where it is from, for people
	rule          board.Rule
	width, height int
	moves         []board.Move
	mirrored      bool // the moves are those of the file upside down, so that their labels count from the bottom
	opening       int  // moves of the opening
	black, white  string
}

// A gameReader reads games in whichever format they are.
type gameReader struct {
	on flags.Board // of games that do not tell

	// Without fromTop a label such as h8 counts rows from the bottom, as people and gomoku
	// sites do, and with it from the top, as pos notation does. Row 0 of a move is the first in
	// either case, so that moves as text keep their labels.
	fromTop bool

	fouls bool // the last move of a game may be forbidden to Black, who has lost by it
	after int  // moves of each game that are kept, whatever comes after them; all if negative

	// refuse is given the error of a game that a file has among others, or of one of several files,
	// and may return nil to go on with the others. Without it the error ends the reading.
	refuse func(error) error
}

// emptyBoard is the text of a game without a move.
const emptyBoard = "-"

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
		return use(g)
	}
	f, fileErr := os.Open(arg)
	switch {
	case fileErr == nil:
		defer f.Close()
		return r.stream(f, arg, use)
	case record.Detect([]byte(arg)) == record.MoveText && !isFileName(arg):
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

// stream reads the games of a file. Moves as text are used line by line, as soon as they come.
func (r *gameReader) stream(in io.Reader, name string, use func(*game) error) error {
	line := func(where, text string) error {
		g, err := r.text(text)
		if err != nil {
			return r.refused(flags.Usage("%s: %.60q: %v", where, text, err))
		}
		g.name = where
		return use(g)
	}
	return eachLine(in, name, line, func(raw []byte) error { return r.file(raw, name, use) })
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
		switch {
		case text == "" || text[0] == '#':
			if !found {
				before = append(before, line...)
			}
		case !found && whole != nil && text != emptyBoard && !isGameLine(text):
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

// isGameLine reports whether a line is a game of its own: moves without numbers.
func isGameLine(line string) bool {
	return record.Detect([]byte(line)) == record.MoveText && !strings.HasPrefix(line, "1.")
}

// file uses the games of a whole file.
func (r *gameReader) file(raw []byte, name string, use func(*game) error) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return flags.Usage("%s: there is no position", name)
	}
	trees, mirrored, err := r.read(raw)
	var broken record.BrokenGames
	if err != nil && !errors.As(err, &broken) {
		return flags.Usage("%s: %v", name, err)
	}
	for i, t := range trees {
		where := name
		if len(trees) > 1 {
			where = fmt.Sprintf("%s, game %d", name, i+1)
		}
		var g *game
		err := broken[i]
		if err == nil {
			g, err = r.game(t, mirrored)
		}
		if err != nil {
			err = r.refused(flags.Usage("%s: %v", where, err))
		} else {
			g.name = where
			err = use(g)
		}
		if err != nil {
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

// read also reports whether the rows of the games are to be mirrored: the labels of moves as
// text stay as they are, all else tells where its rows begin.
func (r *gameReader) read(raw []byte) (trees []*record.Tree, mirrored bool, err error) {
	trees, err = record.Read(raw, record.Reading{Rule: r.on.Rule, Width: r.on.Width, Height: r.on.Height})
	typed := record.Detect(raw) == record.MoveText && !isLink(raw)
	return trees, !r.fromTop && !typed, err
}

// isLink reports whether moves as text are a link, which a comment beside them may have too.
func isLink(text []byte) bool {
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")) && bytes.Contains(line, []byte("://")) {
			return true
		}
	}
	return false
}

// text returns the game of one line of moves.
func (r *gameReader) text(line string) (*game, error) {
	if line == emptyBoard {
		return &game{rule: r.on.Rule, width: r.on.Width, height: r.on.Height}, nil
	}
	if record.Detect([]byte(line)) != record.MoveText {
		return nil, errors.New("want moves as in h8i9j7")
	}
	trees, mirrored, err := r.read([]byte(line))
	if err != nil {
		if inner := errors.Unwrap(err); inner != nil {
			err = inner // without the number of the line
		}
		return nil, err
	}
	return r.game(trees[0], mirrored)
}

// game checks the main line of a tree.
func (r *gameReader) game(t *record.Tree, mirrored bool) (*game, error) {
	if t.Rule&board.Continuous != 0 {
		return nil, errors.New("continuous games are not analyzed")
	}
	of, err := t.Game()
	if err != nil {
		return nil, err
	}
	g := &game{
		rule: t.Rule, width: t.Width, height: t.Height, moves: of.Moves, mirrored: mirrored, opening: of.Opening,
		black: printable(of.Black), white: printable(of.White),
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

// printable returns a name from a file without what would change a terminal or begin a line.
func printable(name string) string {
	return strings.Join(strings.FieldsFunc(name, unicode.IsControl), " ")
}

// mirror returns moves of the file as those of the game, or the other way round.
func (g *game) mirror(moves []board.Move) []board.Move {
	if !g.mirrored {
		return moves
	}
	turned := make([]board.Move, len(moves))
	for i, m := range moves {
		turned[i] = board.At(m.X(), g.height-1-m.Y())
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
func (g *game) pos(n int) string {
	if n == 0 {
		return emptyBoard
	}
	return record.FormatMoves(g.moves[:n])
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
