package main

import (
	"fmt"

	"tengen/brain/board"
	"tengen/brain/opening"
	"tengen/protocol/client"
)

// A swap2Command asks by SWAP2BOARD.
type swap2Command struct{ p *player }

func (d swap2Command) decide(state *opening.State) (decision, error) {
	d.p.prepare()
	d.p.client.SendSwap2(state.Stones(), d.p.limit)
	reply, err := d.p.answer()
	if err != nil {
		return decision{}, err
	}
	done := decision{command: "SWAP2BOARD", elapsed: reply.Elapsed}
	step := state.Step()
	stones := reply.Moves
	switch n := len(reply.Moves); {
	case step.Can(opening.Put) && n == step.Left && n > 0:
	case step.Can(opening.DoSwap) && reply.Swap:
		done.list = append(done.list, opening.Choice{Action: opening.DoSwap})
	case step.Can(opening.Stay) && n == 1:
		done.list, done.move, stones = append(done.list, opening.Choice{Action: opening.Stay}), &reply, nil
	case step.Can(opening.Two) && n == 2:
		done.list = append(done.list, opening.Choice{Action: opening.Two})
	default:
		answer := fmt.Sprintf("%d moves", n)
		if reply.Swap {
			answer = "SWAP"
		}
		return done, done.failure(fmt.Sprintf("%s after %d stones", answer, len(state.Stones())))
	}
	return done, done.add(state, opening.Put, stones)
}

// failure is that of an answer which is no choice.
func (d *decision) failure(text string) error {
	return &client.Failure{Reason: client.Protocol, Detail: d.command + ": " + text}
}

// add adds a choice for each of the cells.
func (d *decision) add(state *opening.State, a opening.Action, cells [][2]int) error {
	width, height := state.Size()
	for _, xy := range cells {
		m, err := board.AtOn(xy[0], xy[1], width, height)
		if err != nil {
			return d.failure(err.Error())
		}
		d.list = append(d.list, opening.Choice{Action: a, Move: m})
	}
	return nil
}

// A soosyrvCommands asks by the commands of Yixin.
type soosyrvCommands struct{ p *player }

func (d soosyrvCommands) decide(state *opening.State) (decision, error) {
	step, now := state.Step(), 1
	stones := len(state.Stones())
	switch {
	case step.Can(opening.Pick):
		now = 6
	case step.Can(opening.Offer):
		now = 5
	case step.Can(opening.Stay):
		now = 2 * (stones - 2)
	case stones == 3:
		now = 3
	}
	d.p.prepare()
	d.p.client.SendSoosyrv(now, append(state.Stones()[:stones:stones], state.Offers()...), state.Declared(), d.p.limit)
	reply, err := d.p.answer()
	if err != nil {
		return decision{}, err
	}
	done := decision{command: fmt.Sprintf("YXSOOSORVSTEP%d", now), elapsed: reply.Elapsed}
	switch now {
	case 1:
		err = done.add(state, opening.Put, reply.Moves)
	case 2, 4:
		action := opening.Stay
		if reply.Swap {
			action = opening.DoSwap
		}
		done.list = append(done.list, opening.Choice{Action: action})
	case 3:
		err = done.add(state, opening.Put, reply.Moves)
		done.list = append(done.list, opening.Choice{Action: opening.Declare, Number: reply.Number})
	case 5:
		if err = done.add(state, opening.Offer, reply.Moves); err == nil && len(reply.Moves) != step.Left {
			err = done.failure(fmt.Sprintf("%d fifth moves, not %d", len(reply.Moves), step.Left))
		}
	case 6:
		err = done.add(state, opening.Pick, reply.Moves)
	}
	return done, err
}
