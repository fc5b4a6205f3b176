package main

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"tengen/brain/board"
	"tengen/cmd/internal/atomicfile"
	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/flags"
)

//go:embed page
var pageFiles embed.FS

// runReport writes the page of one or more journals of a match.
func runReport(args []string, stdout io.Writer) error {
	fs := flags.New("report")
	out := fs.String("o", "", "write the page to this `FILE` (default standard output)")
	m, _, err := sources(fs, args, stdout)
	if err != nil {
		return err
	}
	if *out == "" {
		return writeReport(stdout, m)
	}
	f, err := atomicfile.Create(*out)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := writeReport(f, m); err != nil {
		return err
	}
	return f.Commit()
}

// writeReport writes one HTML page that needs no other file: tables and charts of the
// result as HTML and SVG, and all games as JSON for the script that replays them.
func writeReport(w io.Writer, m *match) error {
	text, err := pageFiles.ReadFile("page/report.html")
	if err != nil {
		return err
	}
	t, err := template.New("report").Parse(string(text))
	if err != nil {
		return err
	}
	p, err := newPage(m)
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

// A page is what the template is filled with. Numbers are text already.
type page struct {
	CSS  template.CSS
	JS   template.JS
	Data pageData

	Title, Summary, Match string
	Facts                 []fact // the result in big numbers
	Bars                  []pairBar
	Test                  *testGauge
	Charts                []*eloChart
	Rows                  []pageRow
	Cross                 bool // there is a crosstable to show
	Failures              []string
	Setup                 []fact
	Void                  bool
}

type fact struct{ Name, Value, Note string }

// A pairBar is the share of one result of a pair, widths in percent.
type pairBar struct {
	Points string
	Count  int
	Width  string
}

// A pageRow is one engine of standings and crosstable.
type pageRow struct {
	Rank                       int
	Name, About, Limits        string
	Elo, Error, Points, Share  string
	Games, Wins, Losses, Draws int
	Failures                   []string // one cell for each of page.Failures, "" for none
	Void                       int
	Cells                      []crossCell
}

type crossCell struct {
	Self          bool
	Points, Games string
	Detail        string
	Hue           string // class of the colour: good, even, bad
}

// pageData is for the script. Times are in ms, evaluations as in the journal.
type pageData struct {
	Size    int        `json:"size"`
	Engines []string   `json:"engines"`
	Games   []pageGame `json:"games"`
}

type pageGame struct {
	Game    int       `json:"n"`
	Black   int       `json:"b"` // engines by index
	White   int       `json:"w"`
	Result  string    `json:"r"`
	Reason  string    `json:"why"`
	Detail  string    `json:"detail,omitempty"`
	Moves   string    `json:"m"`
	Opening int       `json:"o"`
	Time    []float64 `json:"t"`
	Depth   []int     `json:"d,omitempty"`
	Eval    []eval    `json:"e,omitempty"`
	Nodes   []int64   `json:"k,omitempty"`
	Started string    `json:"at"`
	Void    bool      `json:"void,omitempty"`
}

var ruleNames = map[board.Rule]string{0: "freestyle", 1: "exactly five", 4: "renju", 8: "caro", 9: "caro, exactly five"}

func newPage(m *match) (*page, error) {
	css, err := pageFiles.ReadFile("page/report.css")
	if err != nil {
		return nil, err
	}
	js, err := pageFiles.ReadFile("page/report.js")
	if err != nil {
		return nil, err
	}
	s, r := m.settings, m.sum()
	p := &page{CSS: template.CSS(css), JS: template.JS(js), Match: m.id(), Data: m.pageData()}
	names := p.Data.Engines
	p.Title = strings.Join(names, ", ")
	switch {
	case len(names) == 2:
		p.Title = names[0] + " against " + names[1]
	case len(names) > 5:
		p.Title = fmt.Sprintf("%d engines", len(names))
	}
	games := m.sorted()
	p.Summary = fmt.Sprintf("%s, %d×%d, %d of %d games", ruleNames[board.Rule(s.Rule)], s.Size, s.Size, r.Played, r.Total)
	if s.SPRT != nil {
		p.Summary = fmt.Sprintf("%s, %d×%d, %d games", ruleNames[board.Rule(s.Rule)], s.Size, s.Size, r.Played)
	}
	if day, _, ok := strings.Cut(games[0].Started, "T"); ok {
		p.Summary += ", " + day
	}
	p.facts(m, r)
	p.Test = newTestGauge(m, r)
	p.Charts = newEloCharts(r)
	p.table(m, r)
	p.setup(m, r)
	return p, nil
}

func (m *match) pageData() pageData {
	d := pageData{Size: m.settings.Size}
	index := map[string]int{}
	for i, e := range m.settings.Engines {
		d.Engines = append(d.Engines, e.Name)
		index[e.Name] = i
	}
	for _, g := range m.sorted() {
		d.Games = append(d.Games, pageGame{
			Game: g.Game, Black: index[g.Black], White: index[g.White], Result: g.Result, Reason: g.Reason,
			Detail: g.Detail, Moves: g.Moves, Opening: g.Opening, Time: g.Time, Depth: g.Depth, Eval: g.Eval,
			Nodes: g.Nodes, Started: g.Started, Void: m.voided(g),
		})
	}
	return d
}

// facts fills the big numbers of a match between two engines.
func (p *page) facts(m *match, r *result) {
	if len(r.Engines) != 2 {
		return
	}
	f, e := r.First, r.Est
	name := r.Engines[0].Name
	p.Facts = []fact{
		{"Score", fmt.Sprintf("%s : %s", points(f), points(f.Flip())), fmt.Sprintf("%d won, %d lost, %d drawn by %s", f.Wins, f.Losses, f.Draws, name)},
		{"Elo", signed(e.Elo), fmt.Sprintf("95 %%: %s to %s", signed(e.Low), signed(e.High))},
		{"Superiority", elo.Format(100*e.LOS, 1) + " %", "likelihood that " + name + " is stronger"},
		{"Draws", elo.Format(100*e.DrawRatio, 1) + " %", fmt.Sprintf("normalised Elo %s ± %s", signed(e.NElo), elo.Format(e.NEloError, 0))},
	}
	if n := f.Complete(); n > 0 {
		for i, points := range []string{"0", "½", "1", "1½", "2"} {
			p.Bars = append(p.Bars, pairBar{points, f.Pairs[i], fmt.Sprintf("%.2f%%", 100*float64(f.Pairs[i])/float64(n))})
		}
	}
}

// signed writes Elo for people.
func signed(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "+∞"
	case math.IsInf(x, -1):
		return "−∞"
	case x < 0 && math.Round(x) != 0:
		return fmt.Sprintf("−%.0f", -x)
	}
	return fmt.Sprintf("+%.0f", math.Abs(x))
}

func (p *page) table(m *match, r *result) {
	for _, kind := range failureKinds {
		for _, e := range r.Engines {
			if e.Failures[kind] > 0 && !slices.Contains(p.Failures, kind) {
				p.Failures = append(p.Failures, kind)
			}
		}
	}
	order := r.ranked()
	p.Cross = len(order) > 2
	for k, i := range order {
		e := &r.Engines[i]
		n := e.Score.Games()
		share := 0.0
		if n > 0 {
			share = e.Score.Points() / float64(n)
		}
		row := pageRow{
			Rank: k + 1, Name: e.Name, About: aboutText(m.about[e.Name]), Limits: m.settings.Engines[i].limits(),
			Elo: signed(e.Rating.Elo), Error: fmt.Sprintf("± %.0f", e.Rating.Error),
			Points: points(e.Score), Share: fmt.Sprintf("%.1f %%", 100*share), Games: n,
			Wins: e.Score.Wins, Losses: e.Score.Losses, Draws: e.Score.Draws, Void: e.Void,
		}
		p.Void = p.Void || e.Void > 0
		for _, kind := range p.Failures {
			text := ""
			if c := e.Failures[kind]; c > 0 {
				text = fmt.Sprint(c)
			}
			row.Failures = append(row.Failures, text)
		}
		for _, j := range order {
			row.Cells = append(row.Cells, newCrossCell(i == j, r.Cross[i][j]))
		}
		p.Rows = append(p.Rows, row)
	}
}

// aboutText shortens what an engine says of itself, name="x", version="1", author="y",
// to the values.
func aboutText(s string) string {
	parts := strings.Split(s, `"`)
	if len(parts) < 3 {
		return s
	}
	var values []string
	for i := 1; i < len(parts); i += 2 {
		key := strings.Trim(parts[i-1], " ,=")
		switch value := strings.TrimSpace(parts[i]); {
		case value == "":
		case key == "version" && len(values) == 1:
			values[0] += " " + value
		case key == "name", key == "author", key == "country", key == "version":
			values = append(values, value)
		}
	}
	return strings.Join(values, ", ")
}

func newCrossCell(self bool, c elo.Score) crossCell {
	if self || c.Games() == 0 {
		return crossCell{Self: self}
	}
	share := c.Points() / float64(c.Games())
	hue := "even"
	if share > 0.55 {
		hue = "good"
	} else if share < 0.45 {
		hue = "bad"
	}
	return crossCell{
		Points: points(c), Games: fmt.Sprint(c.Games()), Hue: hue,
		Detail: fmt.Sprintf("%d won, %d lost, %d drawn", c.Wins, c.Losses, c.Draws),
	}
}

// setup tells how the match was played.
func (p *page) setup(m *match, r *result) {
	s := m.settings
	add := func(name, value string) { p.Setup = append(p.Setup, fact{Name: name, Value: value}) }
	add("Rule", fmt.Sprintf("%d, %s", s.Rule, ruleNames[board.Rule(s.Rule)]))
	add("Board", fmt.Sprintf("%d × %d", s.Size, s.Size))
	openings := "empty board"
	if n := len(s.Openings); n > 0 {
		openings = fmt.Sprintf("%d, each from both sides, in order", n)
		if s.Order == "random" {
			openings = fmt.Sprintf("%d, each from both sides, shuffled with seed %d", n, s.Seed)
		}
		if s.Symmetries {
			openings += ", turned and mirrored when used up"
		}
	}
	add("Openings", openings)
	if s.DrawAfter > 0 {
		add("Draw after", fmt.Sprintf("%d stones", s.DrawAfter))
	}
	for i := range s.Engines {
		e := &s.Engines[i]
		add(e.Name, e.limits())
	}
	if r.Void > 0 {
		add("Void", fmt.Sprintf("%d games, not counted", r.Void))
	}
	if r.Beyond > 0 {
		add("After the verdict", fmt.Sprintf("%d games, not counted", r.Beyond))
	}
	if n := m.repeated(); n > 0 {
		add("Repeated", fmt.Sprintf("%d games, the same as earlier ones move by move", n))
	}
	add("Match", m.id())
}
