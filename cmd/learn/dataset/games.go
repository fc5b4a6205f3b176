package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/sample"
)

// journalStart is how every journal of arena begins.
const journalStart = `{"game":`

// A journal reads the games of a journal of arena. One that a killed match left unfinished at the
// end is left out.
type journal struct {
	in    *json.Decoder
	games uint32
}

func (j *journal) Read(g *sample.Game) error {
	var line struct {
		Game    int    `json:"game"`
		Result  string `json:"result"`
		Moves   string `json:"moves"`
		Opening int    `json:"opening"`
		Rule    int    `json:"rule"`
		Size    int    `json:"size"`
	}
	if err := j.in.Decode(&line); err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return io.EOF
	} else if err != nil {
		return fmt.Errorf("line %d: %w", j.games+1, err)
	}
	if line.Rule != int(board.Rule(line.Rule)) {
		return fmt.Errorf("game %d: unknown rule %d", line.Game, line.Rule)
	}
	moves, err := board.ParseMoves(line.Moves, line.Size, line.Size)
	if err != nil {
		return fmt.Errorf("game %d: %w", line.Game, err)
	}
	err = fromRecord(g, j.games, &record.Game{
		Rule: board.Rule(line.Rule), Width: line.Size, Height: line.Size,
		Moves: moves, Opening: line.Opening, Outcome: record.ParseOutcome(line.Result),
	})
	j.games++
	return err
}

// records returns the games of a file that package record has read.
type records struct {
	trees []*record.Tree
	next  int
}

// newRecords reads all of r. Errors: a game that cannot be used, or without a rule where rule is
// negative.
func newRecords(r io.Reader, rule int) (*records, error) {
	const most = 64 << 20 // bytes, more than package record reads
	raw, err := io.ReadAll(io.LimitReader(r, most))
	if err != nil {
		return nil, err
	}
	trees, err := record.Read(raw, record.Reading{Rule: board.Rule(max(rule, 0))})
	if err != nil {
		return nil, err
	}
	for i, t := range trees {
		if rule < 0 && !t.RuleKnown {
			return nil, fmt.Errorf("game %d: the file does not say which rule was played", i+1)
		}
	}
	return &records{trees: trees}, nil
}

func (r *records) Read(g *sample.Game) error {
	if r.next == len(r.trees) {
		return io.EOF
	}
	r.next++
	game, err := r.trees[r.next-1].Game()
	if err == nil {
		err = fromRecord(g, uint32(r.next-1), &game)
	}
	if err != nil {
		return fmt.Errorf("game %d: %w", r.next, err)
	}
	return nil
}

// fromRecord sets g to a game without values.
func fromRecord(g *sample.Game, number uint32, from *record.Game) error {
	*g = sample.Game{Number: number, Rule: from.Rule, Width: from.Width, Height: from.Height,
		Outcome: from.Outcome, Opening: from.Opening, Plies: g.Plies[:0], Lines: g.Lines[:0]}
	for _, m := range from.Moves {
		g.Plies = append(g.Plies, sample.Ply{Move: m, Value: sample.NoValue})
	}
	return g.Check()
}
