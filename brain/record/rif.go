package record

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"tengen/brain/board"
)

// The database of RenjuNet (.rif) is XML: lists of countries, cities, rules, openings, players,
// tournaments and games, whose attributes refer to the others by their numbers. Moves are points with
// rows from the bottom.
// Source: renju.net, and the importers of renju-note and whr_renju.

// rifParts are elements one of which is near the beginning of such a file.
var rifParts = []string{"<countries", "<cities", "<rules", "<openings", "<players", "<tournaments", "<games"}

// isRIF reports whether a text is a database of RenjuNet.
func isRIF(head string) bool {
	if !strings.HasPrefix(head, "<") {
		return false
	}
	for _, part := range rifParts {
		if strings.Contains(head, part) {
			return true
		}
	}
	return false
}

// A rifReader collects what games refer to.
type rifReader struct {
	rules       map[string][2]string // name and category
	players     map[string]string
	tournaments map[string][2]string // name and start
	openings    map[string]string

	trees  []*Tree
	broken BrokenGames
	items  int
}

// readRIF reads the games of a database of RenjuNet. Offered fifth moves and swaps, which mean something
// else under each rule, are comments of the root.
func readRIF(s string) ([]*Tree, error) {
	p := rifReader{rules: map[string][2]string{}, players: map[string]string{}, tournaments: map[string][2]string{}, openings: map[string]string{}, broken: BrokenGames{}}
	in := xml.NewDecoder(strings.NewReader(s))
	in.Strict = false
	in.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is decoded
	list := ""
	for {
		token, err := in.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("XML: %w", err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if name := start.Name.Local; name != "game" || list != "games" {
			p.refer(name, attributes(start))
			if strings.HasSuffix(name, "s") {
				list = name
			}
			continue
		}
		var body struct {
			Move string `xml:"move"`
			Info string `xml:"info"`
		}
		if err := in.DecodeElement(&body, &start); err != nil {
			return nil, fmt.Errorf("XML: %w", err)
		}
		t, err := p.game(attributes(start), body.Move, body.Info)
		if p.items += treeItems + strings.Count(body.Move, " "); p.items > maxItems {
			return nil, errItems
		}
		if err != nil {
			p.broken[len(p.trees)], t = err, nil
		}
		p.trees = append(p.trees, t)
	}
	return p.trees, p.broken.orNil()
}

func attributes(e xml.StartElement) map[string]string {
	all := map[string]string{}
	for _, a := range e.Attr {
		all[a.Name.Local] = strings.TrimSpace(a.Value)
	}
	return all
}

// refer keeps what games refer to.
func (p *rifReader) refer(name string, a map[string]string) {
	switch id := a["id"]; name {
	case "rule":
		p.rules[id] = [2]string{a["name"], a["category"]}
	case "player":
		p.players[id] = strings.Join(strings.Fields(a["name"]+" "+a["surname"]), " ")
	case "tournament":
		p.tournaments[id] = [2]string{a["name"], a["start"]}
	case "opening":
		p.openings[id] = a["name"]
	}
}

// game returns a game of the list.
func (p *rifReader) game(a map[string]string, moves, info string) (*Tree, error) {
	r := moveReader{width: 15, height: 15, bottom: true}
	if err := r.text(folded(moves)); err != nil {
		return nil, err
	}
	if len(r.moves) == 0 {
		return nil, errors.New("there is no move")
	}
	t, err := r.tree()
	if err != nil {
		return nil, err
	}
	t.Format = RIF
	t.Black, t.White = p.players[a["black"]], p.players[a["white"]]
	t.Event, t.Date, t.Round = p.tournaments[a["tournament"]][0], p.tournaments[a["tournament"]][1], a["round"]
	switch strings.TrimRight(strings.TrimSuffix(a["bresult"], "."), " ") {
	case "1", "1.0":
		t.Result = "B+1"
	case "0.5", ".5":
		t.Result = "0"
	case "0", "0.0":
		t.Result = "W+1"
	}
	if rule, ok := p.rules[a["rule"]]; ok {
		if t.Rule, t.RuleKnown = ruleOf(rule[0]); !t.RuleKnown && rule[1] == "1" {
			t.Rule, t.RuleKnown = board.Renju, true
		}
		if t.RuleKnown && saysMore(rule[0], t.Rule) {
			t.RuleText = rule[0]
		}
	}
	var notes []string
	for _, note := range [][2]string{{"opening", p.openings[a["opening"]]}, {"offered fifth moves", a["alt"]}, {"swaps", a["swap"]}, {"", strings.TrimSpace(info)}} {
		switch {
		case note[1] == "":
		case note[0] == "":
			notes = append(notes, note[1])
		default:
			notes = append(notes, note[0]+": "+note[1])
		}
	}
	t.Root.Comment = strings.Join(notes, "\n")
	return t, nil
}
