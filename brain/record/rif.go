package record

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"tengen/brain/board"
)

// The database of RenjuNet (.rif) is XML: lists of countries, cities, rules, openings, players,
// tournaments and games, whose attributes refer to the others by their numbers. Moves are points with
// rows from the bottom.
// Source: renju.net, and the importers of renju-note and whr_renju.
//
// That of RenjuOffline (games.xml) is XML too: games whose elements have the names of the players and the
// moves.

// rifParts are elements one of which is near the beginning of such a file.
var rifParts = []string{"<countries", "<cities", "<rules", "<openings", "<players", "<tournaments", "<games"}

// isRIF reports whether a text is a database of RenjuNet.
func isRIF(s string) bool {
	if !strings.HasPrefix(strings.TrimLeft(s, " \t\n"), "<") {
		return false
	}
	for _, part := range rifParts {
		if strings.Contains(s, part) {
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

// readRIF reads the games of a database of RenjuNet or RenjuOffline. Those for which finish returns false
// are nil; of a game with a fault it gets the names and the event. Offered fifth moves and swaps, which
// mean something else under each rule, are comments of the root.
func readRIF(s string, finish func(*Tree) bool) ([]*Tree, error) {
	p := rifReader{rules: map[string][2]string{}, players: map[string]string{}, tournaments: map[string][2]string{}, openings: map[string]string{}, broken: BrokenGames{}}
	in := xmlReader{s: s}
	list := ""
	for {
		tag, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			err = fmt.Errorf("XML: %w", err)
			if len(p.trees) == 0 {
				return nil, err
			}
			p.broken[len(p.trees)] = err
			p.trees = append(p.trees, nil)
			break
		}
		if tag.end {
			continue
		}
		if tag.name != "game" || list != "games" {
			p.refer(tag.name, tag.attributes)
			if strings.HasSuffix(tag.name, "s") {
				list = tag.name
			}
			continue
		}
		var t *Tree
		parts, err := in.children(tag)
		moves := parts["move"]
		if tag.attributes == nil {
			if moves = parts["board"]; strings.TrimSpace(moves) == "" {
				moves = parts["moves"]
			}
		}
		if err == nil {
			t, err = rifMoves(moves)
		}
		if err != nil {
			t = NewTree(LibSize, LibSize)
		}
		if tag.attributes == nil {
			offlineGame(t, parts)
		} else {
			p.game(t, tag.attributes, parts["info"])
		}
		switch {
		case !finish(t):
			t = nil
		case err != nil:
			p.broken[len(p.trees)], t = err, nil
		}
		if t != nil {
			p.items += treeItems + strings.Count(moves, " ")
		}
		if p.trees = append(p.trees, t); p.items > maxItems {
			return nil, errItems
		}
	}
	return p.trees, p.broken.orNil()
}

// children returns the texts of the elements within one that has begun, and goes behind its end.
func (x *xmlReader) children(parent xmlTag) (map[string]string, error) {
	texts := map[string]string{}
	if parent.empty {
		return texts, nil
	}
	child := ""
	for {
		tag, err := x.next()
		switch {
		case err == io.EOF:
			return texts, fmt.Errorf("the file ends within <%s>", parent.name)
		case err != nil:
			x.at = len(x.s)
			return texts, fmt.Errorf("XML: %w", err)
		}
		if child != "" {
			texts[child] = strings.TrimLeft(texts[child]+" "+tag.text, " ") // a tag ends a word
		}
		switch {
		case tag.end && tag.name == parent.name:
			return texts, nil
		case tag.end && tag.name == child:
			child = ""
		case child == "" && !tag.end && !tag.empty:
			child = tag.name
		}
	}
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

// offlineGame sets the other facts of a game of RenjuOffline, whose moves t has.
func offlineGame(t *Tree, parts map[string]string) {
	t.Black, t.White = strings.TrimSpace(parts["black"]), strings.TrimSpace(parts["white"])
	if seconds, err := strconv.ParseInt(strings.TrimSpace(parts["creation_time"]), 10, 64); err == nil && seconds > 0 {
		t.Date = time.Unix(seconds, 0).UTC().Format(time.DateOnly)
	}
	switch strings.ToLower(strings.TrimSpace(parts["winner"])) {
	case "black":
		t.Result = "B+1"
	case "white":
		t.Result = "W+1"
	}
	t.Reason = strings.TrimSpace(parts["winby"])
	if t.Rule, t.RuleKnown = ruleOf(parts["rule"]); !t.RuleKnown && strings.TrimSpace(parts["rule"]) != "" {
		t.Remarks = append(t.Remarks, fmt.Sprintf("unknown rule %.40q", strings.TrimSpace(parts["rule"])))
	}
	if alt := strings.TrimSpace(parts["alt5"]); alt != "" {
		t.Root.Comment = "offered fifth moves: " + alt
	}
}

// rifMoves returns the game of some moves.
func rifMoves(moves string) (*Tree, error) {
	r := moveReader{width: 15, height: 15, bottom: true}
	if err := r.text(strings.Join(strings.Fields(folded(moves)), " ")); err != nil {
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
	return t, nil
}

// game sets the other facts of a game of the list, whose moves t has.
func (p *rifReader) game(t *Tree, a map[string]string, info string) {
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
}
