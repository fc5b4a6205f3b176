package query

import (
	"encoding/json"
	"math"
	"slices"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/review"
)

// An Analysis is what was found in a position.
type Analysis struct {
	Source      string     `json:"source"`
	Pos         string     `json:"pos"`
	Rule        board.Rule `json:"rule"`
	Width       int        `json:"width"`
	Height      int        `json:"height"`
	Moves       int        `json:"moves"`
	Side        string     `json:"side"`
	Over        string     `json:"over,omitempty"`
	Move        string     `json:"move,omitempty"`
	Lines       []Line     `json:"lines,omitempty"`
	Nodes       int64      `json:"nodes"`
	Ms          int64      `json:"ms"`
	Interrupted bool       `json:"interrupted,omitempty"`
}

// A Line is a line of an analysis.
type Line struct {
	Move     string `json:"move"`
	Line     string `json:"line"`
	Depth    int    `json:"depth"`
	SelDepth int    `json:"seldepth"`
	Worth
}

// A Worth is a score.
type Worth struct {
	Score   *int    `json:"score,omitempty"`
	Mate    *int    `json:"mate,omitempty"`
	WinRate float64 `json:"winrate"`
}

// NewWorth returns a score as JSON.
func NewWorth(s review.Score) *Worth {
	w := &Worth{WinRate: rounded(s.Chance())}
	if mate := s.Mate(); s.Proven != 0 {
		w.Mate = &mate // 0 if the game is over
	} else {
		w.Score = &s.Value
	}
	return w
}

// rounded keeps four digits of a share.
func rounded(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// New returns the analysis of a position without what was found, for where it is from. Over says who has
// won, or a draw, "" if the game goes on.
func New(source string, p *Position, b *board.Board) Analysis {
	pos, over := EmptyBoard, ""
	if len(p.Moves) > 0 {
		pos = record.FormatMoves(p.Moves)
	}
	if v, winner := b.Verdict(); v != board.Unfinished {
		over = OverText(winner)
	}
	return Analysis{Source: source, Pos: pos, Rule: p.Rule, Width: p.Width, Height: p.Height, Moves: len(p.Moves), Side: b.Side().String(), Over: over}
}

// Add adds a line, the best first.
func (a *Analysis) Add(line []board.Move, depth, selDepth int, score review.Score) {
	a.Lines = append(a.Lines, Line{line[0].String(), record.FormatMoves(line), depth, selDepth, *NewWorth(score)})
	a.Move = a.Lines[0].Move
}

// OverText names who has won, or a draw.
func OverText(winner board.Color) string {
	if winner == board.Black || winner == board.White {
		return winner.String()
	}
	return "draw"
}

// An Answer is the answer to a query.
type Answer struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Update bool            `json:"update,omitempty"`
	Analysis
	Blocked   string    `json:"blocked,omitempty"`
	Policy    []Share   `json:"policy,omitempty"`
	Threats   *Threats  `json:"threats,omitempty"`
	Forbidden *string   `json:"forbidden,omitempty"`
	Solver    *Solution `json:"solver,omitempty"`
}

// A Share is a move of the policy.
type Share struct {
	Move  string  `json:"move"`
	Share float64 `json:"share"`
}

// Threats say by cells what a stone of each side would make there.
type Threats struct {
	Black map[string]string `json:"black"`
	White map[string]string `json:"white"`
}

// A Solution is what the solver has found. Holds is nil where it was not asked for.
type Solution struct {
	Win    string  `json:"win"`
	Threat string  `json:"threat"`
	Holds  *string `json:"holds,omitempty"`
}

// An Error is the answer to a bad query or a bad stop.
type Error struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Stop   json.RawMessage `json:"stop,omitempty"`
	Source string          `json:"source"`
	Error  string          `json:"error"`
}

// Answer returns the answer to a query without what a search finds. source is where the query is from.
func (one *Query) Answer(source string, b *board.Board) *Answer {
	return &Answer{ID: one.ID, Analysis: New(source, &one.Position, b), Blocked: record.FormatMoves(one.Blocked)}
}

// ByRules adds what the query includes and the rules alone say.
func (a *Answer) ByRules(one *Query, b *board.Board) {
	if one.Includes["forbidden"] {
		text := record.FormatMoves(slices.DeleteFunc(b.Open().Append(nil), func(m board.Move) bool { return !b.Forbidden(m) }))
		a.Forbidden = &text
	}
	if one.Includes["threats"] {
		a.Threats = &Threats{made(b, board.Black), made(b, board.White)}
	}
}

// smallestShare is that of a move of the policy that is listed.
const smallestShare = 0.001

// AddShare adds a move of the policy, the likeliest first, if its share is not too small.
func (a *Answer) AddShare(m board.Move, share float64) {
	if share >= smallestShare {
		a.Policy = append(a.Policy, Share{m.String(), rounded(share)})
	}
}

// classNames are the names of what a stone makes, from the three on.
var classNames = map[board.Class]string{
	board.MakesThree: "three", board.MakesThreeTwo: "three", board.MakesTwoThrees: "double-three",
	board.MakesFour: "four", board.MakesFourPlus: "four", board.MakesFourThree: "four-three",
	board.MakesOpenFour: "open-four", board.MakesFive: "five",
}

// made returns by cells what a stone of color c would make there.
func made(b *board.Board, c board.Color) map[string]string {
	list := map[string]string{}
	for _, m := range b.Open().Append(nil) {
		if name := classNames[b.Class(c, m)]; name != "" {
			list[m.String()] = name
		}
	}
	return list
}
