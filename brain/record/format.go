package record

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tengen/brain/board"
)

// A Format is a kind of file or text with games.
type Format uint8

const (
	UnknownFormat Format = iota
	SGF                  // a collection of games with variations
	PSQ                  // games of Piskvork
	RenLib               // a library
	MoveText             // moves as text, a game a line: pos or gomocalc's
	Database             // positions of Yixin or Rapfi, packed by LZ4
	SAV                  // a game of Yixin-Board
)

var errFormat = errors.New("this is neither SGF, a RenLib library, .psq, .sav nor moves as in h8i9j7")

// Detect says which format a file or a pasted text has. It looks at its beginning only.
func Detect(raw []byte) Format {
	switch {
	case bytes.HasPrefix(raw, libMagic):
		return RenLib
	case bytes.HasPrefix(raw, []byte{0x04, 0x22, 0x4d, 0x18}):
		return Database
	}
	head := bytes.TrimLeft(bytes.TrimPrefix(raw, []byte("\ufeff")), " \t\r\n")
	switch {
	case bytes.HasPrefix(head, []byte("Piskvorky ")):
		return PSQ
	case len(head) > 0 && head[0] == '(':
		return SGF
	case isSAV(head):
		return SAV
	case bytes.HasPrefix(head, []byte("http://")), bytes.HasPrefix(head, []byte("https://")):
		return MoveText
	}
	for _, line := range bytes.Split(head[:min(len(head), 4096)], []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		words := moveWords(string(line))
		if len(words) == 0 {
			continue
		}
		w := words[0]
		if len(w) > 1 && (w[0]|0x20 >= 'a' && w[0]|0x20 <= 'z') && w[1] >= '0' && w[1] <= '9' {
			return MoveText
		}
		break
	}
	return UnknownFormat
}

// textSize is the side of the board of moves as text where Reading has none.
const textSize = 15

// Reading says how Read takes what a file leaves open.
type Reading struct {
	Rule          board.Rule // of games without a rule
	Width, Height int        // cells, of moves as text; 15 if zero
	FromBottom    bool       // rows of moves as text count from the bottom, as in gomocalc, and not from the top, as in pos
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

// Read reads the games of a file or a pasted text in whichever format it is. RuleKnown tells
// of each tree whether the rule was in the file. There is at least one tree if there is no
// error, and the error may be a BrokenGames.
func Read(raw []byte, o Reading) ([]*Tree, error) {
	if len(raw) > maxText {
		return nil, errLarge
	}
	var trees []*Tree
	var err error
	switch Detect(raw) {
	case SGF:
		trees, err = ReadSGFTrees(bytes.NewReader(raw))
	case RenLib:
		var t *Tree
		t, err = readLib(bytes.NewReader(raw))
		trees = []*Tree{t}
	case PSQ:
		trees, err = readPSQTrees(bytes.TrimPrefix(raw, []byte("\ufeff")))
	case MoveText:
		trees, err = readMoveText(string(raw), o)
	case SAV:
		var t *Tree
		t, err = readSAV(string(raw))
		trees = []*Tree{t}
	case Database:
		err = errors.New("this is a database of positions, not a game")
	default:
		err = errFormat
		if len(bytes.TrimSpace(raw)) == 0 {
			err = errors.New("the file is empty")
		}
	}
	if err == nil && len(trees) == 0 {
		err = errors.New("there is no game in the file")
	}
	if broken := (BrokenGames)(nil); err != nil && !errors.As(err, &broken) {
		return nil, err
	}
	for _, t := range trees {
		if t != nil && !t.RuleKnown {
			t.Rule = o.Rule
		}
	}
	return trees, err
}

// readPSQTrees reads games of Piskvork.
func readPSQTrees(raw []byte) ([]*Tree, error) {
	games, err := ReadPSQ(bytes.NewReader(raw))
	broken := BrokenGames{}
	if err != nil && !errors.As(err, &broken) {
		return nil, err
	}
	var trees []*Tree
	items := 0
	for i := range games {
		g := &games[i]
		if broken[i] != nil {
			trees = append(trees, nil)
			continue
		}
		if items += len(g.Moves) + treeItems; items > maxItems {
			return nil, errItems
		}
		// The last move of a game lost by an illegal move may lie on a stone.
		if n := len(g.Moves); n > 0 && slices.Contains(g.Moves[:n-1], g.Moves[n-1]) {
			g.Moves = g.Moves[:n-1]
		}
		t := treeOf(g)
		if err := t.check(); err != nil {
			broken[i], t = err, nil
		}
		trees = append(trees, t)
	}
	return trees, broken.orNil()
}

// moveWords splits a line into words of moves, without the numbers of moves as in "1. h8".
func moveWords(line string) []string {
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r,;-", r) })
	kept := words[:0]
	for _, w := range words {
		if i := strings.IndexByte(w, '.'); i >= 0 && strings.Trim(w[:i], "0123456789") == "" {
			w = strings.TrimLeft(w[i:], ".")
		}
		if w != "" {
			kept = append(kept, w)
		}
	}
	return kept
}

// readMoveText reads moves as text: a game a line, or one game if moves are numbered. A link
// of gomocalc counts rows from the bottom.
func readMoveText(s string, o Reading) ([]*Tree, error) {
	if !utf8.ValidString(s) {
		return nil, errFormat
	}
	width, height := o.Width, o.Height
	if width == 0 || height == 0 {
		width, height = textSize, textSize
	}
	lines := strings.Split(strings.TrimPrefix(s, "\ufeff"), "\n")
	numbered := false
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
		if strings.HasPrefix(lines[i], "#") {
			lines[i] = ""
		}
		numbered = numbered || strings.HasPrefix(lines[i], "1.")
	}
	if numbered {
		lines = []string{strings.Join(lines, " ")}
	}
	var trees []*Tree
	items := 0
	for i, line := range lines {
		if line == "" {
			continue
		}
		bottom := o.FromBottom
		if strings.Contains(line, "://") {
			line = line[strings.LastIndexAny(line, "/#")+1:]
			bottom = true
		}
		moves, err := board.ParseMoves(strings.Join(moveWords(line), ""), width, height)
		if items += len(moves) + treeItems; err == nil && items > maxItems {
			err = errItems
		}
		if err == nil && len(moves) > maxMoves {
			err = errors.New("more moves than cells")
		}
		if err == nil {
			err = distinct(moves)
		}
		if err != nil && numbered {
			return nil, err // of one game on several lines
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if bottom {
			for k, m := range moves {
				moves[k] = board.At(m.X(), height-1-m.Y())
			}
		}
		trees = append(trees, treeOf(&Game{Width: width, Height: height, Moves: moves}))
	}
	return trees, nil
}

// distinct returns an error if a move is on the cell of an earlier one. It names the move as in
// the text, from whichever side the rows count.
func distinct(moves []board.Move) error {
	var taken board.Set
	for i, m := range moves {
		if taken.Has(m) {
			return fmt.Errorf("move %d, %v, is on a stone", i+1, m)
		}
		taken.Add(m)
	}
	return nil
}

// isSAV reports whether a text begins as a .sav file does.
func isSAV(head []byte) bool {
	f := bytes.Fields(head[:min(len(head), 64)])
	if len(f) < 3 {
		return false
	}
	for _, w := range f[:3] {
		if len(bytes.Trim(w, "0123456789")) > 0 {
			return false
		}
	}
	return true
}

// readSAV reads a game of Yixin-Board: height and width of the board, the number of moves,
// and row and column of each, from the top left.
// Source: Yixin-Board, .sav.
func readSAV(s string) (*Tree, error) {
	words := strings.Fields(strings.TrimPrefix(s, "\ufeff"))
	if len(words) > 3+2*maxMoves {
		return nil, errors.New("more moves than cells")
	}
	n := make([]int, len(words))
	for i, w := range words {
		v, err := strconv.Atoi(w)
		if err != nil {
			return nil, fmt.Errorf("%.40q is not a number", w)
		}
		n[i] = v
	}
	height, width, moves := n[0], n[1], n[2]
	if !board.ValidSize(width, height) {
		return nil, fmt.Errorf("a board of %dx%d, want sides of %d to %d", width, height, board.MinSize, board.MaxSize)
	}
	if len(n)%2 == 0 {
		return nil, errors.New("the last move is a row without a column")
	}
	if len(n) != 3+2*moves {
		return nil, fmt.Errorf("%d moves are announced, %d follow", moves, (len(n)-3)/2)
	}
	g := Game{Width: width, Height: height}
	for i := 3; i < len(n); i += 2 {
		m, err := board.AtOn(n[i+1], n[i], width, height)
		if err != nil {
			return nil, fmt.Errorf("move %d: row %d, column %d is not on a board of %dx%d, where they count from 0", len(g.Moves)+1, n[i], n[i+1], width, height)
		}
		g.Moves = append(g.Moves, m)
	}
	t := treeOf(&g)
	return t, t.check()
}

// latin1 decodes what SGF has where no encoding is stated. Those that a file may state are not
// known here.
func latin1(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}
