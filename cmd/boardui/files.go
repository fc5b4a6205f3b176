package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/record/charset"
)

// A fileGame is a game of a file, as the page sends and receives it.
type fileGame struct {
	Tree     *record.Tree `json:"tree"`
	Outcome  string       `json:"outcome"`            // of the main line: black, white, draw or nothing
	Encoding string       `json:"encoding,omitempty"` // of the file, if it is not UTF-8
	Remarks  []string     `json:"remarks,omitempty"`  // what was left out of the file, or taken for something else; not read
}

var outcomes = map[string]record.Outcome{"": record.Unknown, "black": record.BlackWon, "white": record.WhiteWon, "draw": record.Drawn}

func outcomeWord(o record.Outcome) string {
	for word, value := range outcomes {
		if value == o {
			return word
		}
	}
	return ""
}

// open answers the games of a file or a pasted text that can be shown.
func (s *server) open(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Game   string     `json:"game"`
		Data   []byte     `json:"data"` // of a file, base64
		Text   string     `json:"text"` // pasted
		Rule   board.Rule `json:"rule"` // of games without a rule
		Width  int        `json:"width"`
		Height int        `json:"height"` // cells, of moves as text
		Top    bool       `json:"top"`    // rows of moves as text count from the top

		Encoding string `json:"encoding"` // of the file; if empty it is found out
	}
	if !s.accept(w, r, 2*maxFile, &q, &q.Game) { // base64 and JSON escapes make it longer
		return
	}
	if q.Width == 0 && q.Height == 0 {
		q.Width, q.Height = 15, 15
	}
	if !board.ValidSize(q.Width, q.Height) {
		answerFault(w, bad("size", "a board of %d x %d", q.Width, q.Height))
		return
	}
	o := record.Reading{Rule: q.Rule, Width: q.Width, Height: q.Height, FromBottom: !q.Top, Encoding: q.Encoding}
	if q.Text != "" {
		q.Data = []byte(q.Text)
	}
	list, all, f := readGames(q.Data, o)
	if f != nil {
		answerFault(w, f)
		return
	}
	answer(w, openedFile{list, all})
}

// An openedFile is what a file has.
type openedFile struct {
	Games []fileGame `json:"games"` // the first of them
	All   int        `json:"all"`   // how many there are
}

// maxShown is the number of games of a file that the page offers.
const maxShown = 200

// readGames reads the games of a file, those that the page can show, and counts all of them. The
// fault, if there is none to show, is that of the first. A game whose rule the file does not tell
// is freestyle if its main line breaks the rule of o.
func readGames(raw []byte, o record.Reading) (list []fileGame, all int, f *fault) {
	if len(raw) > maxFile {
		return nil, 0, &fault{413, "big", fmt.Sprintf("the file has more than %d MiB", maxFile>>20)}
	}
	trees, err := record.Read(raw, o)
	if err != nil {
		f = bad("format", "%v", err)
	}
	items := 0
	for _, t := range trees[:min(len(trees), maxShown)] {
		if t == nil {
			continue // one of record.BrokenGames
		}
		var n int
		setup, err := setupInTurn(t)
		if err == nil {
			n, err = itemsOf(t, setup)
		}
		if err != nil {
			f = cmp.Or(f, bad("format", "%v", err))
			continue
		}
		if items += n; items > maxItems {
			break
		}
		if !t.RuleKnown && !legal(t) {
			t.Rule = board.Freestyle
		}
		t.RuleKnown = true
		v := fileGame{Tree: t, Outcome: outcomeWord(t.Outcome()), Remarks: t.Remarks}
		if t.Encoding != charset.UTF8 {
			v.Encoding = t.Encoding.String()
		}
		list = append(list, v)
	}
	if len(list) == 0 {
		return nil, 0, f
	}
	return list, len(trees), nil
}

// What the page can show. It writes and copies trees node by node, and a browser has no room for
// many calls within each other; no line of a game that can be played is as long.
const (
	maxItems = 100_000       // moves, stones and marks in a file
	maxLine  = 2 * maxPasses // moves of a line, passes included
)

var (
	errLateSetup = errors.New("stones are set up or taken away in the middle of the game, which cannot be shown here")
	errManyItems = fmt.Errorf("the file has more than %d moves and marks, which is too much for the page", maxItems)
	errLongLine  = fmt.Errorf("a line has more than %d moves, which is too much for the page", maxLine)
)

// setupInTurn orders the stones that t sets up as moves in turn, which the page makes of them, and returns
// the number of these, with the passes between them.
func setupInTurn(t *record.Tree) (plies int, err error) {
	var stones [2][]board.Move
	for _, s := range t.Root.Setup {
		if s.Color >= board.Wall {
			return 0, errLateSetup
		}
		stones[s.Color] = append(stones[s.Color], s.At)
	}
	moves := record.InTurn(t.Rule, t.Width, t.Height, stones[board.Black], stones[board.White])
	t.Root.Setup = nil
	for i, m := range moves {
		if m != board.None {
			t.Root.Setup = append(t.Root.Setup, record.Stone{At: m, Color: board.Color(i & 1)})
		}
	}
	return len(moves), nil
}

// itemsOf counts the moves, stones and marks of t; setup is the number of moves that set it up. The error
// says why the page cannot show it. There sides alternate, with a pass between two moves of a player.
func itemsOf(t *record.Tree, setup int) (items int, err error) {
	type step struct {
		node  *record.Node
		plies int // before it
	}
	for stack := []step{{t.Root, setup}}; len(stack) > 0; {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if s.node != t.Root && len(s.node.Setup) > 0 {
			return 0, errLateSetup
		}
		if s.node.Color < board.Wall {
			if s.node.Color != board.Color(s.plies&1) {
				s.plies++
			}
			s.plies++
		}
		if s.plies > maxLine {
			return 0, errLongLine
		}
		items += len(s.node.Marks) + len(s.node.Children)
		for _, child := range s.node.Children {
			stack = append(stack, step{child, s.plies})
		}
	}
	if items += setup; items > maxItems {
		err = errManyItems
	}
	return items, err
}

// legal reports whether the moves of the main line obey the rule.
func legal(t *record.Tree) bool {
	b, err := board.New(t.Rule, t.Width, t.Height)
	if err != nil {
		return false
	}
	g, err := t.Game()
	return err == nil && replay(b, g.Moves) == nil
}

// save answers the text of a file with a game, or its bytes in base64 if it is not text.
func (s *server) save(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Game   string `json:"game"`
		Format string `json:"format"` // the name of a record.Output
		fileGame
	}
	if !s.accept(w, r, 2*maxFile, &q, &q.Game) {
		return
	}
	data, f := q.write(q.Format)
	if f != nil {
		answerFault(w, f)
		return
	}
	answer(w, struct {
		Data []byte `json:"data"`
	}{data})
}

func (v *fileGame) write(format string) ([]byte, *fault) {
	if v.Tree == nil {
		return nil, bad("request", "there is no game")
	}
	outcome, known := outcomes[v.Outcome]
	if !known {
		return nil, bad("request", "unknown outcome %q", v.Outcome)
	}
	t := v.Tree
	t.Encoding, _ = charset.Lookup(v.Encoding)
	if t.Outcome() != outcome {
		t.Result = map[string]string{"black": "B+1", "white": "W+1", "draw": "0"}[v.Outcome]
	}
	output, ok := record.OutputNamed(format)
	if !ok {
		return nil, bad("format", "unknown format %q", format)
	}
	var b bytes.Buffer
	if err := output.Write(&b, t); err != nil {
		return nil, bad("format", "%v", err)
	}
	return b.Bytes(), nil
}
