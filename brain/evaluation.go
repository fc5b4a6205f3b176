package brain

import (
	"bytes"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/search"
)

// An Evaluation values positions: by a network under the rules that have one; by tables
// under all others and at less than full strength. It is read-only, so that
// engines may share it.
type Evaluation struct {
	tables  *eval.Set
	network [16]func() *eval.Network // by rule; nil for none
}

// DefaultEvaluation returns the evaluation by the networks and tables that the program
// carries.
func DefaultEvaluation() *Evaluation {
	e := TablesEvaluation()
	for r := range e.network {
		e.network[r] = func() *eval.Network { return eval.DefaultNetwork(board.Rule(r)) }
	}
	return e
}

// TablesEvaluation returns the evaluation by the tables that the program carries, under
// all rules.
func TablesEvaluation() *Evaluation { return &Evaluation{tables: eval.NewSet()} }

// WithTables returns e with the tables of files that `learn tables` wrote for the rules
// they are for, which have no network then, and with the tables that the program carries
// for the others. Of two for one rule the later counts. A damaged file is an error.
func (e *Evaluation) WithTables(files ...[]byte) (*Evaluation, error) {
	with := *e
	var all []*eval.Tables
	for _, file := range files {
		tables, err := eval.Load(bytes.NewReader(file))
		if err != nil {
			return nil, err
		}
		all = append(all, tables...)
	}
	with.tables = eval.NewSet(all...)
	for _, t := range all {
		with.network[t.Rule] = nil
	}
	return &with, nil
}

// WithNetwork returns e with the network of a file that `learn network` wrote, for the
// rule it is for. A damaged file is an error.
func (e *Evaluation) WithNetwork(file []byte) (*Evaluation, error) {
	network, err := eval.LoadNetwork(file)
	if err != nil {
		return nil, err
	}
	with := *e
	with.network[network.Rule()] = func() *eval.Network { return network }
	return &with, nil
}

// New returns an evaluator that follows b as it stands.
func (e *Evaluation) New(b *board.Board) search.Evaluator {
	if n := e.Network(b.Rule()); n != nil {
		return n.New(b)
	}
	return e.Tables(b)
}

// Tables returns an evaluator by tables that follows b as it stands.
func (e *Evaluation) Tables(b *board.Board) search.Evaluator { return e.tables.New(b) }

// Network returns the network for r, nil if there is none. The first call for a rule may
// take 10 ms.
func (e *Evaluation) Network(r board.Rule) *eval.Network {
	if of := e.network[r&^board.Continuous]; of != nil {
		return of()
	}
	return nil
}
