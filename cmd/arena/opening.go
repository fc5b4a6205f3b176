package main

import (
	"fmt"
	"io"
	"strings"

	"tengen/brain/board"
	"tengen/brain/opening"
	"tengen/protocol/client"
)

// chosen is how the opening of a game came about, as the journal holds it.
type chosen struct {
	First   string    `json:"first"`   // the engine that put the first stones
	Choices []string  `json:"choices"` // as package opening writes them: "put h8", "two", "swap"
	Time    []float64 `json:"time"`    // ms of each question: to the first engine, to the other, to the first
}

// parseOpening returns the name of an opening rule by which engines can play.
func parseOpening(text string) (string, error) {
	rule, err := opening.Parse(text)
	switch {
	case err != nil:
		return "", err
	case rule == opening.Free:
		return "", nil
	case rule != opening.Swap2:
		return "", fmt.Errorf("no command of the protocol asks engines for their choices by %v, only by swap2", rule)
	}
	return rule.String(), nil
}

// choose plays the opening: engines are asked by turns until the colors are settled. players are those
// of black and white; the one of black puts the first stones. They and the names of g change places if the
// colors do. A choice that is not allowed loses.
func choose(set *settings, g *gameRecord, ref *referee, players *[2]*player) *ruling {
	state, err := opening.New(opening.Swap2, set.Size, set.Size)
	if err != nil {
		panic(err) // the settings are checked
	}
	g.Chosen = &chosen{First: g.Black, Choices: []string{}, Time: []float64{}}
	asked := *players
	var reply client.Reply
	for !state.Done() {
		by := state.Step().By
		p := asked[by]
		p.sendSwap2(state.Stones())
		if reply, err = p.answer(); err != nil {
			return fault(board.Color(by), err)
		}
		g.Chosen.Time = append(g.Chosen.Time, float64(reply.Elapsed.Microseconds())/1000)
		if err := g.apply(state, &reply); err != nil {
			return lost(board.Color(by), string(client.Protocol), "SWAP2BOARD: "+err.Error())
		}
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
	if reply.Swap {
		return nil
	}
	return take(set, g, ref, &reply) // with the choice to stay comes the next move
}

// apply takes an answer to SWAP2BOARD as choices.
func (g *gameRecord) apply(state *opening.State, r *client.Reply) error {
	step := state.Step()
	var list []opening.Choice
	switch n := len(r.Moves); {
	case step.Can(opening.Put) && n == step.Left && n > 0:
	case step.Can(opening.DoSwap) && r.Swap:
		list = append(list, opening.Choice{Action: opening.DoSwap})
	case step.Can(opening.Stay) && n == 1:
		list = append(list, opening.Choice{Action: opening.Stay})
	case step.Can(opening.Two) && n == 2:
		list = append(list, opening.Choice{Action: opening.Two})
	default:
		answer := fmt.Sprintf("%d moves", n)
		if r.Swap {
			answer = "SWAP"
		}
		return fmt.Errorf("%s after %d stones", answer, len(state.Stones()))
	}
	stones := r.Moves
	if len(stones) == 1 {
		stones = nil // it is a move of the game
	}
	width, height := state.Size()
	for _, xy := range stones {
		m, err := board.AtOn(xy[0], xy[1], width, height)
		if err != nil {
			return err
		}
		list = append(list, opening.Choice{Action: opening.Put, Move: m})
	}
	var texts []string
	for _, c := range list {
		if err := state.Apply(c); err != nil {
			return err
		}
		texts = append(texts, c.String())
	}
	g.Chosen.Choices = append(g.Chosen.Choices, texts...)
	return nil
}

// A choiceCount counts the choices of one engine in its games.
type choiceCount struct {
	proposed int
	asked    map[opening.Action]int // after three stones of the other
	last     map[opening.Action]int // after two more
}

// countChoices counts the choices of each engine in its place in the settings.
func (m *match) countChoices() []choiceCount {
	list := make([]choiceCount, len(m.settings.Engines))
	index := map[string]int{}
	for i, e := range m.settings.Engines {
		list[i] = choiceCount{asked: map[opening.Action]int{}, last: map[opening.Action]int{}}
		index[e.Name] = i
	}
	for _, g := range m.games {
		if g.Chosen == nil {
			continue
		}
		first, other := index[g.Chosen.First], index[g.Black]
		if other == first {
			other = index[g.White]
		}
		if len(g.Chosen.Choices) >= 3 {
			list[first].proposed++
		}
		count := list[other].asked
		for _, text := range g.Chosen.Choices {
			c, err := opening.ParseChoice(text, g.Size, g.Size)
			if err != nil || c.Action == opening.Put {
				continue
			}
			count[c.Action]++
			count = list[first].last
		}
	}
	return list
}

// writeChoices prints a line of choices for each engine, if there is an opening rule.
func writeChoices(w io.Writer, m *match) {
	if m.settings.Opening == "" {
		return
	}
	for i, c := range m.countChoices() {
		words := []string{fmt.Sprintf("proposed %d", c.proposed)}
		if n := c.asked[opening.DoSwap] + c.asked[opening.Stay] + c.asked[opening.Two]; n > 0 {
			words = append(words, fmt.Sprintf("answered %d: %d swap, %d stay, %d two more", n, c.asked[opening.DoSwap], c.asked[opening.Stay], c.asked[opening.Two]))
		}
		if n := c.last[opening.DoSwap] + c.last[opening.Stay]; n > 0 {
			words = append(words, fmt.Sprintf("after two more %d: %d swap, %d stay", n, c.last[opening.DoSwap], c.last[opening.Stay]))
		}
		fmt.Fprintf(w, "%s by %s: %s\n", m.settings.Engines[i].Name, m.settings.Opening, strings.Join(words, "; "))
	}
}
