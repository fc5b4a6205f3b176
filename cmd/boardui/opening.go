package main

import (
	"context"
	"net/http"
	"time"

	"tengen/brain/board"
	"tengen/brain/opening"
	"tengen/brain/record"
)

const (
	mostChoices  = 256                     // of an opening: Yamaguchi's rule may take 218 fifth moves on 21x21
	openingTime  = 1500 * time.Millisecond // for the decisions of the engine at a step
	openingHash  = 16 << 20                // bytes of its hash table
	openingLimit = 20 * time.Second        // for a step, after which the search has failed
)

// An openingOrder asks how an opening goes on after some choices.
type openingOrder struct {
	Game    string     `json:"game"`
	Width   int        `json:"width"`
	Height  int        `json:"height"`
	Rule    board.Rule `json:"rule"`
	Opening string     `json:"opening"` // the opening rule, as opening.Parse reads it
	Choices []string   `json:"choices"` // so far, as opening.ParseChoice reads them
	Choose  bool       `json:"choose"`  // the engine decides what is next
}

// An openingStep is a line of the stream that answers an openingOrder. The last has Known or a
// fault.
type openingStep struct {
	Wait *int `json:"wait,omitempty"`

	Known   bool     `json:"known,omitempty"`
	Choices []string `json:"choices,omitempty"` // with those of the engine, if it chose
	Stones  string   `json:"stones"`            // on the board
	Offers  string   `json:"offers"`            // fifth moves offered so far
	Done    bool     `json:"done"`              // the opening is over
	By      string   `json:"by"`                // who decides: first, second
	Actions []string `json:"actions"`           // what he may do
	Cells   string   `json:"cells"`             // where: legal cells of put, offer and pick
	Most    int      `json:"most"`              // number that may be declared
	Left    int      `json:"left"`              // stones or offers in a row, this one included
	Black   string   `json:"black"`             // who holds black, as of now
	Move    string   `json:"move"`              // color of the next stone

	*fault
}

func newOpeningStep(s *opening.State) openingStep {
	step := s.Step()
	a := openingStep{
		Known: true, Stones: record.FormatMoves(s.Stones()), Offers: record.FormatMoves(s.Offers()), Done: s.Done(), By: step.By.String(),
		Cells: record.FormatMoves(step.Cells.Append(nil)), Most: step.Most, Left: step.Left,
		Black: s.Holder(board.Black).String(), Move: s.ToMove().String(), Actions: []string{}, Choices: []string{},
	}
	for _, action := range step.Actions {
		a.Actions = append(a.Actions, action.String())
	}
	for _, c := range s.Choices() {
		a.Choices = append(a.Choices, c.String())
	}
	return a
}

// state returns the opening after the choices.
func (o *openingOrder) state() (*opening.State, *fault) {
	rule, err := opening.Parse(o.Opening)
	if err != nil {
		return nil, bad("request", "%v", err)
	}
	if !o.Rule.Valid() || o.Rule&board.Continuous != 0 {
		return nil, bad("rule", "rule %d", o.Rule)
	}
	if len(o.Choices) > mostChoices {
		return nil, bad("request", "%d choices are more than any opening has", len(o.Choices))
	}
	s, err := opening.New(rule, o.Width, o.Height)
	if err != nil {
		return nil, bad("size", "%v", err)
	}
	for i, text := range o.Choices {
		c, err := opening.ParseChoice(text, o.Width, o.Height)
		if err == nil {
			err = s.Apply(c)
		}
		if err != nil {
			return nil, bad("moves", "choice %d: %v", i+1, err)
		}
	}
	return s, nil
}

// opening answers an openingOrder with a stream of steps.
func (s *server) opening(w http.ResponseWriter, r *http.Request) {
	var o openingOrder
	if f := read(w, r, maxBody, &o); f != nil {
		answerFault(w, f)
		return
	}
	s.stream(w, r, o.Game, func(ctx context.Context, _ <-chan struct{}, say func(any)) (any, *fault) {
		state, f := o.state()
		if f == nil && o.Choose && state.Done() {
			f = bad("over", "the opening is over")
		}
		if f != nil {
			return nil, f
		}
		if !o.Choose {
			return newOpeningStep(state), nil
		}
		l, err := s.pool.enter(ctx, forMove, 1, func(n int) { say(openingStep{Wait: &n}) })
		if err == nil {
			defer s.pool.leave(l, nil)
			err = choose(ctx, o.Rule, state, s.openingTime)
		}
		if err != nil {
			return openingStep{fault: s.refused(err)}, nil
		}
		return newOpeningStep(state), nil
	})
}
