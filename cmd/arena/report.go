package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"tengen/brain/board"
	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/flags"
)

//go:embed page
var pageFiles embed.FS

// runReport writes the page of a match from its journals.
func runReport(args []string, stdout io.Writer) error {
	m, _, err := sources(flags.New("report"), args, stdout)
	if err != nil {
		return err
	}
	return writeReport(stdout, m)
}

// writeReport writes an HTML page that needs no other file: tables and charts of the result
// as HTML and SVG, and all games as JSON for the script that replays them.
func writeReport(w io.Writer, m *match) error {
	files, err := pageTexts("report.html", "report.css", "board.js", "report.js")
	if err != nil {
		return err
	}
	p := newPage(m)
	data, err := json.Marshal(p.Data) // which leaves no < in a text
	if err != nil {
		return err
	}
	_, err = strings.NewReplacer(
		"{{title}}", html.EscapeString(p.Title), "{{summary}}", html.EscapeString(p.Summary),
		"{{facts}}", p.facts(), "{{test}}", p.test(), "{{standings}}", p.standings(), "{{cross}}", p.crosstable(), "{{setup}}", p.setupList(),
		"{{css}}", files[1], "{{data}}", string(data), "{{js}}", files[2]+files[3],
	).WriteString(w, files[0])
	return err
}

// pageTexts returns files of the folder page.
func pageTexts(names ...string) (texts []string, err error) {
	for _, name := range names {
		raw, err := pageFiles.ReadFile("page/" + name)
		if err != nil {
			return nil, err
		}
		texts = append(texts, string(raw))
	}
	return texts, nil
}

// A page is what the report shows.
type page struct {
	Data pageData

	Title, Summary string
	Facts          []fact // the result in big numbers
	Test           string // the state of the sequential test, "" if there is none
	Rows           []pageRow
	Cross          bool     // there is a crosstable
	Failures       []string // the kinds that occurred
	Setup          []fact
}

type fact struct{ Name, Value, Note string }

// A pageRow is an engine in the standings and the crosstable.
type pageRow struct {
	standing
	Rank    int
	Limits  string
	Share   string      // of the points
	Against []elo.Score // the engines in order of rank; no games against itself
}

// pageData is for the script.
type pageData struct {
	Size    int          `json:"size"`
	Engines []string     `json:"engines"`
	Games   []gameRecord `json:"games"`
}

func newPage(m *match) *page {
	s, r, games := m.settings, m.sum(), m.sorted()
	p := &page{Data: pageData{Size: s.Size}, Cross: len(r.Engines) > 2}
	for _, e := range s.Engines {
		p.Data.Engines = append(p.Data.Engines, e.Name)
	}
	for _, g := range games {
		game := *g
		game.Settings = nil
		p.Data.Games = append(p.Data.Games, game)
	}
	p.Title = title(s)
	p.Summary = fmt.Sprintf("%v, %d×%d, %d games", board.Rule(s.Rule), s.Size, s.Size, r.Played)
	if len(games) > 0 {
		day, _, _ := strings.Cut(games[0].Started, "T")
		p.Summary += ", " + day
	}
	if s.SPRT != nil {
		p.Test = testLine(s.SPRT, r)
	}
	p.result(r)
	p.table(m, r)
	p.setup(m, r)
	return p
}

// title names the engines of a match.
func title(s *settings) string {
	var names []string
	for _, e := range s.Engines {
		names = append(names, e.Name)
	}
	switch n := len(names); {
	case n == 2:
		return strings.Join(names, " against ")
	case n <= 5:
		return strings.Join(names, ", ")
	default:
		return fmt.Sprintf("%d engines", n)
	}
}

// result fills the big numbers of a match between two engines.
func (p *page) result(r *result) {
	if len(r.Engines) != 2 {
		return
	}
	f, e := r.First, r.First.Estimate()
	name := r.Engines[0].Name
	p.Facts = []fact{
		{"Score", points(f) + " : " + points(f.Flip()), fmt.Sprintf("%d won, %d lost, %d drawn by %s", f.Wins, f.Losses, f.Draws, name)},
		{"Elo", signed(e.Elo), fmt.Sprintf("95 %%: %s to %s", signed(e.Low), signed(e.High))},
		{"Superiority", elo.Format(100*e.LOS, 1) + " %", "likelihood that " + name + " is stronger"},
		{"Draws", elo.Format(100*e.DrawRatio, 1) + " %", fmt.Sprintf("normalised Elo %s ± %s", signed(e.NElo), elo.Format(e.NEloError, 0))},
	}
	if f.Complete() > 0 {
		p.Facts = append(p.Facts, fact{"Game pairs", f.PairsString(), "with 0, ½, 1, 1½ and 2 points"})
	}
}

// signed writes Elo for people.
func signed(x float64) string {
	s := strings.Replace(elo.Format(x, 0), "inf", "∞", 1)
	if digits, negative := strings.CutPrefix(s, "-"); negative {
		return "−" + digits
	}
	if s == "0" {
		return s
	}
	return "+" + s
}

func (p *page) table(m *match, r *result) {
	for _, kind := range failureKinds {
		if slices.ContainsFunc(r.Engines, func(e standing) bool { return e.Failures[kind] > 0 }) {
			p.Failures = append(p.Failures, kind)
		}
	}
	order := r.ranked()
	for k, i := range order {
		e := r.Engines[i]
		row := pageRow{standing: e, Rank: k + 1, Limits: m.settings.Engines[i].limits()}
		row.Share = fmt.Sprintf("%.1f %%", 100*e.Score.Points()/float64(max(e.Score.Games(), 1)))
		for _, j := range order {
			row.Against = append(row.Against, r.Cross[i][j])
		}
		p.Rows = append(p.Rows, row)
	}
}

// setup describes how the match was played.
func (p *page) setup(m *match, r *result) {
	s := m.settings
	add := func(name, format string, args ...any) {
		p.Setup = append(p.Setup, fact{Name: name, Value: fmt.Sprintf(format, args...)})
	}
	openings := "empty board"
	if s.Opening != "" {
		openings = s.Opening + ", the engines put the first stones in turn"
	}
	if n := len(s.Openings); n > 0 {
		openings = fmt.Sprintf("%d, each from both sides, in order", n)
		if s.Order == "random" {
			openings = fmt.Sprintf("%d, each from both sides, shuffled with seed %d", n, s.Seed)
		}
		if s.Symmetries {
			openings += ", rotated and mirrored after that"
		}
	}
	add("Openings", "%s", openings)
	if s.DrawAfter > 0 {
		end := "Draw after"
		if board.Rule(s.Rule)&board.Continuous != 0 {
			end = "Rows counted after"
		}
		add(end, "%d stones", s.DrawAfter)
	}
	if r := s.Resign; r != nil {
		who := "own score"
		if r.TwoSided {
			who = "scores of both sides"
		}
		add("Lost by adjudication", "%d or more behind by the %s for %d moves", r.Score, who, r.Moves)
	}
	if r := s.Draw; r != nil {
		add("Drawn by adjudication", "from move %d on, at most %d ahead by the scores of both sides for %d moves", r.Number, r.Score, r.Moves)
	}
	if r.Beyond > 0 {
		add("After the verdict", "%d games, not counted", r.Beyond)
	}
	if r.Repeated > 0 {
		add("Repeated pairs", "%d, move for move, not counted", r.Repeated)
	}
	add("Match", "%s", m.id())
}
