package main

import (
	"embed"
	"encoding/json"
	"html/template"
	"math"
	"strings"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/review"
	"tengen/cmd/internal/query"
)

// A reviewJSON is a review as review -json prints it; the page shows the same.
type reviewJSON struct {
	Source    string              `json:"source"`
	Rule      board.Rule          `json:"rule"`
	Width     int                 `json:"width"`
	Height    int                 `json:"height"`
	Pos       string              `json:"pos"`
	Black     string              `json:"black"`
	White     string              `json:"white"`
	Opening   int                 `json:"opening"`
	From      int                 `json:"from"`
	Positions []*positionJSON     `json:"positions"`
	Moves     []moveJSON          `json:"moves"`
	Sides     map[string]sideJSON `json:"sides"`
}

// A positionJSON is the evaluation of a position.
type positionJSON struct {
	query.Worth
	Line string `json:"line"`
}

// A moveJSON is the judgment of a move.
type moveJSON struct {
	Number int          `json:"number"`
	Side   string       `json:"side"`
	Move   string       `json:"move"`
	Class  string       `json:"class"`
	Loss   float64      `json:"loss"`
	Before *query.Worth `json:"before,omitempty"`
	After  *query.Worth `json:"after,omitempty"`
	Better string       `json:"better,omitempty"`
	Foul   bool         `json:"foul,omitempty"`
}

// A sideJSON is the summary of a side.
type sideJSON struct {
	Moves    int            `json:"moves"`
	Accuracy int            `json:"accuracy"`
	Loss     float64        `json:"loss"`
	Count    map[string]int `json:"count"`
}

// rounded keeps four digits of a share.
func rounded(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// newReview returns the review of a game from the given number of moves on.
func newReview(g *game, r *review.Result, from int) reviewJSON {
	j := reviewJSON{
		Source: g.name, Rule: g.rule, Width: g.width, Height: g.height, Pos: g.pos(len(g.moves)),
		Black: g.black, White: g.white, Opening: g.opening, From: from, Sides: map[string]sideJSON{},
	}
	for k, e := range r.Positions {
		if k < from {
			j.Positions = append(j.Positions, nil)
			continue
		}
		score := e.Score
		if k%2 == 1 {
			score = score.Turned()
		}
		j.Positions = append(j.Positions, &positionJSON{*query.NewWorth(score), record.FormatMoves(e.Line)})
	}
	for k, of := range r.Moves {
		m := moveJSON{Number: k + 1, Side: board.Color(k & 1).String(), Move: g.moves[k].String(), Class: of.Class.String(), Loss: rounded(of.Loss)}
		if of.Class != review.Unjudged {
			m.Before, m.After, m.Better = query.NewWorth(of.Before), query.NewWorth(of.After), record.FormatMoves(of.Better)
		}
		m.Foul = r.Foul && k == len(r.Moves)-1
		j.Moves = append(j.Moves, m)
	}
	for i, of := range r.Sides {
		count := map[string]int{}
		for _, c := range classes {
			count[c.String()] = of.Count[c]
		}
		j.Sides[board.Color(i).String()] = sideJSON{of.Moves, of.Accuracy, rounded(of.Loss), count}
	}
	return j
}

// reviewText returns the review as one line of JSON.
func reviewText(g *game, r *review.Result, from int) (string, error) {
	raw, err := json.Marshal(newReview(g, r, from))
	return string(raw) + "\n", err
}

//go:embed page
var pageFiles embed.FS

// reviewPage returns a page that needs no other file.
func reviewPage(g *game, r *review.Result, from int) (string, error) {
	t, err := template.ParseFS(pageFiles, "page/review.html")
	if err != nil {
		return "", err
	}
	css, err := pageFiles.ReadFile("page/review.css")
	if err != nil {
		return "", err
	}
	js, err := pageFiles.ReadFile("page/review.js")
	if err != nil {
		return "", err
	}
	title := g.name
	if g.black != "" && g.white != "" {
		title = g.black + " against " + g.white
	}
	var s strings.Builder
	err = t.Execute(&s, struct {
		CSS    template.CSS
		JS     template.JS
		Title  string
		On     string
		Length string
		First  int // move that is judged
		Data   reviewJSON
	}{template.CSS(css), template.JS(js), title, g.on(), counted(len(g.moves), "move", "moves"), from + 1, newReview(g, r, from)})
	return s.String(), err
}
