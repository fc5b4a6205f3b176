package main

import (
	"bytes"
	"strings"

	"tengen/brain/record"
	"tengen/brain/sample"
)

// samples returns the file of training samples of all games that no failure ended. Each game is a section of
// its own, so that the file of a match that goes on begins as the one before.
func (m *match) samples(name string, games []*record.Game) (sheet, error) {
	var names []string
	for _, e := range m.settings.Engines {
		names = append(names, e.Name)
	}
	origin := "arena " + strings.Join(names, ", ")
	s := sheet{name: name}
	var part bytes.Buffer
	cut := func() {
		s.games = append(s.games, bytes.Clone(part.Bytes()))
		part.Reset()
	}
	w, err := sample.NewWriter(&part, origin[:min(len(origin), 1<<16)])
	if err != nil {
		return s, err
	}
	cut()
	for i, r := range m.sorted() {
		if failed(r.Reason) {
			continue
		}
		if err := w.Write(r.sample(games[i])); err != nil {
			return s, err
		}
		if err := w.Flush(); err != nil {
			return s, err
		}
		cut()
	}
	return s, nil
}

// sample returns the game as a training sample. The move that an engine plays is its best one.
func (r *gameRecord) sample(g *record.Game) *sample.Game {
	s := &sample.Game{
		Number: uint32(r.Game - 1), Rule: g.Rule, Width: g.Width, Height: g.Height, Outcome: g.Outcome, Opening: g.Opening,
	}
	for i, m := range g.Moves {
		p := sample.Ply{Move: m, Value: sample.NoValue}
		if k := i - r.Opening; k >= 0 && k < len(r.Eval) && r.Eval[k].told {
			p.Best, p.Value = m, sample.ValueOf(r.Eval[k].value, r.Eval[k].mate)
		}
		s.Plies = append(s.Plies, p)
	}
	return s
}
