package protocol

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tengen/brain"
	"tengen/brain/opening"
)

// stepTime is for a step of an opening in the dialect if neither time nor nodes are limited.
const stepTime = 10 * time.Second

// forStep returns the query of a search for a step of an opening, which nobody stops.
func forStep(q brain.Query) brain.Query {
	o := *q.Options
	if o.Endless && o.Turn == brain.NoLimit && o.Left == brain.NoLimit && o.Nodes == 0 {
		o.Turn = stepTime
	}
	q.Options = &o
	return q
}

// The steps of swap2 in the dialect: three stones, the answer to three, the answer to five.
// The stones are those of YXBOARD.
func swap2Step(step int) func(*server, task) error {
	return func(s *server, t task) error {
		stones := s.d.Moves()
		if want := []int{0, 3, 5}[step-1]; step > 1 && len(stones) != want {
			return fmt.Errorf("%s needs %d stones on the board, there are %d", t.Name, want, len(stones))
		}
		if step == 1 {
			stones = nil
		}
		state, err := opening.Swap2After(stones, s.width, s.height)
		if err != nil {
			return err
		}
		v := s.view()
		s.choose(t, state, func(list []opening.Choice) (lines []string) {
			for _, c := range list {
				switch c.Action {
				case opening.Put:
					lines = append(lines, fmt.Sprintf("MESSAGE SWAP2 MOVE%d %s", len(stones)+len(lines)+1, v.spaced(c.Move)))
				case opening.DoSwap:
					return []string{fmt.Sprintf("MESSAGE SWAP2 SWAP%d YES", step-1)}
				case opening.Stay:
					return []string{fmt.Sprintf("MESSAGE SWAP2 SWAP%d NO", step-1)}
				}
			}
			return lines
		})
		return nil
	}
}

// The steps of Soosyrv-8, which Yixin-Board calls Soosorv, with the stones so far after the
// command: 1 puts three stones, 2 swaps or not, 3 puts the fourth and declares how many fifth
// moves there will be, 4 swaps or not, 5 offers that number, 6 picks one of them. From 4 on the
// number declared is an argument of the command; in 6 it is how many stones follow the fourth.
func soosyrvStep(step int) func(*server, task) error {
	return func(s *server, t task) error {
		choices, err := soosyrvChoices(step, t)
		if err != nil {
			return err
		}
		v := s.view()
		state, err := s.soosyrvState(t.Name, choices, v)
		if err != nil {
			return err
		}
		s.choose(t, state, func(list []opening.Choice) []string { return soosyrvLines(step, list, v) })
		return nil
	}
}

// soosyrvState returns the state after the choices. An error names the line of the list that is
// wrong, as it was sent, or what is wrong with the number of fifth moves.
func (s *server) soosyrvState(name string, choices []opening.Choice, v view) (*opening.State, error) {
	state, err := opening.New(opening.Soosyrv8, s.width, s.height)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	line := 0
	for _, c := range choices {
		step := state.Step()
		if c.Action == opening.Declare && (c.Number < step.Least || c.Number > step.Most) {
			return nil, fmt.Errorf("%s: there are %d to %d fifth moves, not %d", name, step.Least, step.Most, c.Number)
		}
		listed := c.Action == opening.Put || c.Action == opening.Offer
		if listed {
			line++
		}
		err := state.Apply(c)
		if cell, ok := errors.AsType[*opening.CellError](err); ok && listed {
			return nil, fmt.Errorf("%s: stone %d of the list: %s", name, line, cell.Text(v.move))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return state, nil
}

// soosyrvChoices returns what was decided before a step.
func soosyrvChoices(step int, t task) (choices []opening.Choice, err error) {
	stones := t.moves()
	want := []int{0, 3, 3, 4, 4, 5}[step-1]
	if len(stones) < want || step < 6 && len(stones) > want {
		return nil, fmt.Errorf("%s needs %d stones, got %d", t.Name, want, len(stones))
	}
	for i, m := range stones {
		c := opening.Choice{Action: opening.Put, Move: m}
		if i == 3 { // the swap was decided before the fourth stone
			choices = append(choices, opening.Choice{Action: opening.Stay})
		}
		if i >= 4 {
			c.Action = opening.Offer
		}
		choices = append(choices, c)
		if i == 3 {
			declared := len(stones) - 4
			if step < 6 {
				declared = t.Numbers[0]
			}
			choices = append(choices, opening.Choice{Action: opening.Declare, Number: declared})
			if step > 4 {
				choices = append(choices, opening.Choice{Action: opening.Stay})
			}
		}
	}
	if step == 3 {
		choices = append(choices, opening.Choice{Action: opening.Stay})
	}
	return choices, nil
}

// soosyrvLines tells the choices of a step; a player may have decided more than it asks for.
func soosyrvLines(step int, list []opening.Choice, v view) (lines []string) {
	switch step {
	case 1:
		for i, c := range list {
			lines = append(lines, fmt.Sprintf("MESSAGE SOOSORV MOVE%d %s", i+1, v.spaced(c.Move)))
		}
	case 2, 4:
		answer := "NO"
		if list[0].Action == opening.DoSwap {
			answer = "YES"
		}
		lines = append(lines, fmt.Sprintf("MESSAGE SOOSORV SWAP%d %s", step/2, answer))
	case 3:
		fourth, declared := list[0].Move, 1
		for _, c := range list {
			if c.Action == opening.Declare {
				declared = c.Number
			}
		}
		lines = append(lines, fmt.Sprintf("MESSAGE SOOSORV MOVE4 %s %d", v.spaced(fourth), declared))
	case 5:
		lines = append(lines, "MESSAGE SOOSORV MOVE5 REFRESH")
		for _, c := range list {
			if c.Action == opening.Offer {
				lines = append(lines, "MESSAGE SOOSORV MOVE5 "+v.spaced(c.Move))
			}
		}
		lines = append(lines, "MESSAGE SOOSORV MOVE5 DONE")
	case 6:
		lines = append(lines, "MESSAGE SOOSORV MOVE5C "+v.spaced(list[0].Move))
	}
	return lines
}

// choose starts the search for the choices in an opening, which tell turns into the answer.
func (s *server) choose(t task, state *opening.State, tell func([]opening.Choice) []string) {
	s.launch(t, func(ctx context.Context, q brain.Query) result {
		c, err := s.d.Choose(ctx, state, forStep(q))
		if err != nil {
			return failed(err)
		}
		return result{notes: c.Notes, lines: tell(c.List)}
	})
}
