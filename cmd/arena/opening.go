package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"tengen/brain/board"
	"tengen/brain/opening"
	"tengen/protocol/client"
)

// chosen is how the opening of a game came about, as the journal holds it.
type chosen struct {
	First   string    `json:"first"`   // the engine that put the first stones
	Choices []string  `json:"choices"` // as package opening writes them: "put h8", "two", "swap"
	Time    []float64 `json:"time"`    // ms of each decision
	Asked   []string  `json:"asked"`   // the engine that made it; in old journals both by turns
}

// by reports whether the decision n was that of an engine.
func (c *chosen) by(name string, n int) bool {
	if n < len(c.Asked) {
		return c.Asked[n] == name
	}
	return (c.First == name) == (n%2 == 0)
}

// The ways in which an engine chooses in openings.
const (
	byCommand  = "command"  // of the protocol or of Yixin
	bySearches = "searches" // of the positions that a choice leads to; arena compares their scores
)

// commands are the opening rules for which the protocol or Yixin has commands, and those commands.
var commands = map[opening.Rule]string{opening.Swap2: "SWAP2BOARD", opening.Soosyrv8: "YXSOOSORVSTEP1 to 6"}

// parseOpening returns the name of an opening rule, "" for none.
func parseOpening(text string) (string, error) {
	rule, err := opening.Parse(text)
	if err != nil || rule == opening.Free {
		return "", err
	}
	return rule.String(), nil
}

// checkOpening returns an error if the match cannot be played by its opening rule.
func (s *settings) checkOpening() error {
	var rule opening.Rule
	if s.Opening != "" {
		rule, _ = opening.Parse(s.Opening)
		if _, err := opening.New(rule, s.Size, s.Size); err != nil {
			return fmt.Errorf("-opening: %w", err)
		}
	}
	for _, e := range s.Engines {
		switch {
		case e.Choose == "":
		case s.Opening == "":
			return fmt.Errorf("%s: choose=%s needs -opening", e.Name, e.Choose)
		case e.Choose == byCommand && commands[rule] == "":
			return fmt.Errorf("%s: no command asks for choices by %v, choose=%s does without", e.Name, rule, bySearches)
		}
	}
	return nil
}

// chooses returns how the engine chooses by an opening rule: by the command that Gomocup's manager has for
// it, and else by searches.
func (e *engine) chooses(rule opening.Rule) string {
	switch {
	case e.Choose != "":
		return e.Choose
	case rule == opening.Swap2:
		return byCommand
	}
	return bySearches
}

// A decision is what an engine chooses at a step of an opening.
type decision struct {
	list    []opening.Choice // at least one
	move    *client.Reply    // the next move of the game, where that comes with the choice; nil for none
	command string           // by which it was asked, or "BOARD"
	elapsed time.Duration
}

// A decider asks an engine for its choices. The error is a *client.Failure.
type decider interface {
	decide(state *opening.State) (decision, error)
}

// decider returns what asks a player for choices.
func (p *player) decider(set *settings, rule opening.Rule, game int) decider {
	switch {
	case p.engine.chooses(rule) == bySearches:
		return newSearchChooser(p.consult, set.id(), game)
	case rule == opening.Soosyrv8:
		return soosyrvCommands{p}
	}
	return swap2Command{p}
}

// choose plays the opening: engines are asked by turns until the colors are settled. players are those
// of black and white; the one of black puts the first stones. They and the names of g change places if the
// colors do. A choice that is not allowed loses.
func choose(set *settings, g *gameRecord, ref *referee, players *[2]*player) *ruling {
	rule, err := opening.Parse(set.Opening)
	if err != nil {
		return lost(board.Black, string(client.Protocol), err.Error()) // of a journal that holds another text
	}
	state, err := opening.New(rule, set.Size, set.Size)
	if err != nil {
		panic(err) // the settings are checked
	}
	g.Chosen = &chosen{First: g.Black, Choices: []string{}, Time: []float64{}, Asked: []string{}}
	var deciders [2]decider
	for i, p := range players {
		deciders[i] = p.decider(set, rule, g.Game)
	}
	var last decision
	for !state.Done() {
		by := state.Step().By
		last, err = deciders[by].decide(state)
		if err != nil {
			return fault(board.Color(by), err)
		}
		g.Chosen.Time = append(g.Chosen.Time, float64(last.elapsed.Microseconds())/1000)
		g.Chosen.Asked = append(g.Chosen.Asked, players[by].engine.Name)
		var texts []string
		for _, c := range last.list {
			if err := state.Apply(c); err != nil {
				return lost(board.Color(by), string(client.Protocol), last.command+": "+err.Error())
			}
			texts = append(texts, c.String())
		}
		g.Chosen.Choices = append(g.Chosen.Choices, texts...)
		for _, m := range state.Stones()[len(ref.moves):] {
			ref.play(ref.b.Side(), m)
		}
		g.Opening = len(ref.moves)
		ref.show()
	}
	if state.Holder(board.Black) == opening.Second {
		players[0], players[1] = players[1], players[0]
		g.Black, g.White = g.White, g.Black
		g.Programs[0], g.Programs[1] = g.Programs[1], g.Programs[0]
	}
	for i, p := range players {
		if err := p.restore(); err != nil {
			return fault(board.Color(i), err)
		}
	}
	if last.move == nil {
		return nil
	}
	return take(set, g, ref, last.move)
}

// A choiceCount counts the choices of one engine in its games.
type choiceCount struct {
	proposed int
	asked    map[int]map[opening.Action]int // by the number of stones and offers, what it did there
	declared []int                          // numbers of fifth moves
	offered  int                            // fifth moves
	picked   int
}

// countChoices counts the choices of each engine in its place in the settings.
func (m *match) countChoices() []choiceCount {
	list := make([]choiceCount, len(m.settings.Engines))
	index := map[string]int{}
	for i, e := range m.settings.Engines {
		list[i].asked = map[int]map[opening.Action]int{}
		index[e.Name] = i
	}
	rule, err := opening.Parse(m.settings.Opening)
	if err != nil {
		return list
	}
	for _, g := range m.games {
		if g.Chosen == nil {
			continue
		}
		state, err := opening.New(rule, g.Size, g.Size)
		if err != nil {
			continue
		}
		other := g.White
		if other == g.Chosen.First {
			other = g.Black
		}
		players := [2]int{opening.First: index[g.Chosen.First], opening.Second: index[other]}
		for _, text := range g.Chosen.Choices {
			c, err := opening.ParseChoice(text, g.Size, g.Size)
			by, stones := state.Step().By, len(state.Stones())
			if err != nil || state.Apply(c) != nil {
				break // a journal holds another text
			}
			list[players[by]].add(c, stones)
		}
	}
	return list
}

// add counts a choice that was made with so many stones on the board.
func (n *choiceCount) add(c opening.Choice, stones int) {
	switch c.Action {
	case opening.Put:
		if stones == 0 {
			n.proposed++
		}
	case opening.Declare:
		n.declared = append(n.declared, c.Number)
	case opening.Offer:
		n.offered++
	case opening.Pick:
		n.picked++
	default:
		if n.asked[stones] == nil {
			n.asked[stones] = map[opening.Action]int{}
		}
		n.asked[stones][c.Action]++
	}
}

// String gives the counts that are not 0.
func (n *choiceCount) String() string {
	words := []string{fmt.Sprintf("proposed %d", n.proposed)}
	for _, stones := range slices.Sorted(maps.Keys(n.asked)) {
		count, all := n.asked[stones], 0
		var did []string
		for _, a := range []opening.Action{opening.DoSwap, opening.Stay, opening.Two, opening.Ten} {
			if all += count[a]; count[a] > 0 {
				did = append(did, fmt.Sprintf("%d %v", count[a], a))
			}
		}
		word := "stones"
		if stones == 1 {
			word = "stone"
		}
		words = append(words, fmt.Sprintf("asked after %d %s %d: %s", stones, word, all, strings.Join(did, ", ")))
	}
	if len(n.declared) > 0 {
		sum := 0
		for _, number := range n.declared {
			sum += number
		}
		words = append(words, fmt.Sprintf("declared %d: %.1f fifth moves in the mean", len(n.declared), float64(sum)/float64(len(n.declared))))
	}
	if n.offered > 0 {
		words = append(words, fmt.Sprintf("fifth moves offered %d", n.offered))
	}
	if n.picked > 0 {
		words = append(words, fmt.Sprintf("picked %d", n.picked))
	}
	return strings.Join(words, "; ")
}

// writeChoices prints a line of choices for each engine, if there is an opening rule.
func writeChoices(w io.Writer, m *match) {
	if m.settings.Opening == "" {
		return
	}
	for i, c := range m.countChoices() {
		fmt.Fprintf(w, "%s by %s: %v\n", m.settings.Engines[i].Name, m.settings.Opening, &c)
	}
}
