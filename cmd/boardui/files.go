package main

import (
	"net/http"
	"strings"

	"tengen/brain/board"
	"tengen/brain/record"
)

// A saved is a game of a file, as the page sends and receives it.
type saved struct {
	position
	Opening int    `json:"opening"` // stones of the opening
	Black   string `json:"black"`
	White   string `json:"white"`
	Outcome string `json:"outcome"` // black, white, draw or nothing
	Reason  string `json:"reason"`
	Date    string `json:"date"`
	Millis  []int  `json:"millis"` // of each move
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

// open answers the games of a .psq or SGF file that can be shown.
func (s *server) open(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Game string     `json:"game"`
		Text string     `json:"text"`
		Rule board.Rule `json:"rule"` // of files without a rule
	}
	if !s.accept(w, r, 2*maxFile, &q, &q.Game) { // JSON escapes make the text longer
		return
	}
	list, f := readGames(q.Text, q.Rule)
	if f != nil {
		answerFault(w, f)
		return
	}
	answer(w, list)
}

// maxShown is the number of games of a file that the page offers.
const maxShown = 200

// readGames reads the games of a .psq or SGF file. Games of .psq have the given rule. A game
// that is not legal under its rule is read as freestyle.
func readGames(text string, rule board.Rule) ([]saved, *fault) {
	if len(text) > maxFile {
		return nil, &fault{413, "big", "the file is too big"}
	}
	text = strings.TrimPrefix(text, "\ufeff")
	var games []record.Game
	var err error
	switch trimmed := strings.TrimSpace(text); {
	case strings.HasPrefix(trimmed, "Piskvorky "):
		games, err = record.ReadPSQ(strings.NewReader(text))
		for i := range games {
			games[i].Rule = rule
		}
	case strings.HasPrefix(trimmed, "("):
		games, err = record.ReadSGF(strings.NewReader(text))
	default:
		return nil, bad("format", "this is neither .psq nor SGF")
	}
	if err != nil {
		return nil, bad("format", "%v", err)
	}
	if len(games) > maxShown {
		games = games[:maxShown]
	}
	var list []saved
	var last *fault
	for _, g := range games {
		v := saved{
			position: position{g.Width, g.Height, g.Rule &^ board.Continuous, record.FormatMoves(g.Moves)},
			Opening:  g.Opening, Black: g.Black, White: g.White, Outcome: outcomeWord(g.Outcome),
			Reason: g.Reason, Date: g.Date, Millis: g.Millis,
		}
		_, _, f := v.set()
		if f != nil && v.Rule != board.Freestyle {
			v.Rule = board.Freestyle
			_, _, f = v.set()
		}
		if f != nil {
			last = f
			continue
		}
		list = append(list, v)
	}
	if len(list) == 0 {
		if last == nil {
			last = bad("format", "there is no game in the file")
		}
		return nil, last
	}
	return list, nil
}

// save answers the text of a file with a game.
func (s *server) save(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Game   string `json:"game"`
		Format string `json:"format"` // psq, sgf
		saved
	}
	if !s.accept(w, r, maxBody, &q, &q.Game) {
		return
	}
	text, f := q.write(q.Format)
	if f != nil {
		answerFault(w, f)
		return
	}
	answer(w, struct {
		Text string `json:"text"`
	}{text})
}

func (v *saved) write(format string) (string, *fault) {
	_, moves, f := v.set()
	if f != nil {
		return "", f
	}
	outcome, known := outcomes[v.Outcome]
	switch {
	case !known:
		return "", bad("request", "unknown outcome %q", v.Outcome)
	case v.Opening < 0 || v.Opening > len(moves) || len(v.Millis) > len(moves):
		return "", bad("request", "the game has %d moves", len(moves))
	}
	if stoneCount(moves) < len(moves) {
		return "", bad("format", "a game with passes cannot be written as %s", format)
	}
	g := record.Game{
		Rule: v.Rule, Width: v.Width, Height: v.Height, Black: v.Black, White: v.White,
		Moves: moves, Opening: v.Opening, Millis: v.Millis, Outcome: outcome, Reason: v.Reason,
		Date: v.Date, Event: "boardui", Round: "1",
	}
	var b strings.Builder
	var err error
	switch format {
	case "psq":
		err = record.WritePSQ(&b, &g)
	case "sgf":
		err = record.WriteSGF(&b, &g)
	default:
		return "", bad("format", "files are written as psq or sgf, not %q", format)
	}
	if err != nil {
		return "", bad("format", "%v", err)
	}
	return b.String(), nil
}
