package main

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/record/charset"
)

// A saved is a game of a file, as the page sends and receives it.
type saved struct {
	Width   int        `json:"width"`
	Height  int        `json:"height"`
	Rule    board.Rule `json:"rule"` // without board.Continuous
	Root    *pageNode  `json:"root"`
	Opening int        `json:"opening"` // moves of the opening
	Moves   int        `json:"moves"`   // of the whole tree; not read
	Black   string     `json:"black"`
	White   string     `json:"white"`
	Outcome string     `json:"outcome"` // of the main line: black, white, draw or nothing
	Result  string     `json:"result"`  // as SGF has it, used if it is not at odds with Outcome
	Reason  string     `json:"reason"`
	Event   string     `json:"event"`
	Round   string     `json:"round"`
	Date    string     `json:"date"`

	RuleText string   `json:"ruleText,omitempty"` // as the file tells the rule, if that says more than Rule
	Encoding string   `json:"encoding,omitempty"` // of the file, if it is not UTF-8
	Remarks  []string `json:"remarks,omitempty"`  // what was left out of the file, or taken for something else; not read

	// Continuous says that rows did not end the game, which the page shows as one that they end;
	// not read.
	Continuous bool `json:"continuous,omitempty"`
}

var outcomes = map[string]record.Outcome{"": record.Unknown, "black": record.BlackWon, "white": record.WhiteWon, "draw": record.Drawn}

var opposite = map[string]string{"black": "white", "white": "black"}

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
	answer(w, opened{list, all})
}

// An opened is what a file has.
type opened struct {
	Games []saved `json:"games"` // the first of them
	All   int     `json:"all"`   // how many there are
}

// maxShown is the number of games of a file that the page offers.
const maxShown = 200

// readGames reads the games of a file, those that the page can show, and counts all of them. The
// fault, if there is none to show, is that of the first. A game whose rule the file does not tell
// is freestyle if its main line breaks the rule of o.
func readGames(raw []byte, o record.Reading) (list []saved, all int, f *fault) {
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
		p := pageTree{width: t.Width, items: items}
		v := saved{
			Width: t.Width, Height: t.Height, Rule: t.Rule &^ board.Continuous, Black: t.Black, White: t.White,
			Outcome: outcomeWord(t.Outcome()), Result: t.Result, Reason: t.Reason, Event: t.Event, Round: t.Round, Date: t.Date,
			Continuous: t.Rule&board.Continuous != 0,
		}
		v.RuleText, v.Remarks = t.RuleText, t.Remarks
		if t.Encoding != charset.UTF8 {
			v.Encoding = t.Encoding.String()
		}
		if v.Root, err = p.read(t); err == errManyItems && len(list) > 0 {
			break
		}
		if err != nil {
			f = cmp.Or(f, bad("format", "%v", err))
			continue
		}
		v.Opening, v.Moves, items = p.opening, p.moves, p.items
		reason, result := strings.ToLower(v.Reason), strings.ToUpper(v.Result)
		flagged := strings.HasPrefix(reason, "timeout") || strings.Contains(result, "+T")
		resigned := reason == "resigned" || strings.Contains(result, "+R")
		if (flagged || resigned) && (v.Outcome == "black" || v.Outcome == "white") {
			end := v.Root.last()
			end.Resigned, end.Flagged = opposite[v.Outcome], flagged
		}
		if !t.RuleKnown && v.Rule != board.Freestyle && !v.legal() {
			v.Rule = board.Freestyle
		}
		list = append(list, v)
	}
	if len(list) == 0 {
		return nil, 0, f
	}
	return list, len(trees), nil
}

// legal reports whether the moves of the main line obey the rule.
func (v *saved) legal() bool {
	b, err := board.New(v.Rule, v.Width, v.Height)
	if err != nil {
		return false
	}
	p := pageTree{width: v.Width}
	var moves []board.Move
	for n := v.Root; len(n.Next) > 0; {
		n = n.Next[0]
		moves = append(moves, p.at(*n.Cell))
	}
	return replay(b, moves) == nil
}

// save answers the text of a file with a game, or its bytes in base64 if it is not text.
func (s *server) save(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Game   string `json:"game"`
		Format string `json:"format"` // the name of a record.Output
		saved
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

func (v *saved) write(format string) ([]byte, *fault) {
	if !board.ValidSize(v.Width, v.Height) {
		return nil, bad("size", "a board of %d x %d", v.Width, v.Height)
	}
	if !v.Root.whole() {
		return nil, bad("request", "there is no game")
	}
	if end := v.Root.last(); opposite[end.Resigned] != "" {
		v.Outcome, v.Reason = opposite[end.Resigned], "resigned"
		if end.Flagged {
			v.Reason = "timeout"
		}
	} else if result := strings.ToUpper(v.Result); strings.Contains(result, "+R") || strings.Contains(result, "+T") {
		v.Result = "" // of an end that was taken back
	}
	outcome, known := outcomes[v.Outcome]
	switch {
	case !known:
		return nil, bad("request", "unknown outcome %q", v.Outcome)
	case !v.Rule.Valid() || v.Rule&board.Continuous != 0:
		return nil, bad("rule", "unknown rule %d", v.Rule)
	}
	p := pageTree{width: v.Width, opening: v.Opening}
	t, f := p.write(v.Root, v.Width, v.Height)
	if f != nil {
		return nil, f
	}
	t.Rule, t.RuleKnown, t.Black, t.White, t.Reason = v.Rule, true, v.Black, v.White, v.Reason
	t.Event, t.Round, t.Date, t.RuleText = v.Event, v.Round, v.Date, v.RuleText
	t.Encoding, _ = charset.Lookup(v.Encoding)
	t.Result = v.Result
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
