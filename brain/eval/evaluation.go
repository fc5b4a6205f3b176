package eval

import "tengen/brain/board"

// A Follower evaluates the positions of one board: an Evaluator or a NetworkEvaluator. The
// methods are those of search.Evaluator.
type Follower interface {
	Reset(b *board.Board, style int)
	Undone()
	Value() int
	StylePart() int
	Order(moves []board.Move, scores []int32)
}

// An Evaluation evaluates positions under every rule: by a network under the rules that have
// one, by tables under all others. It is read-only, so that engines may share it.
type Evaluation struct {
	tables  *tableSet
	network [16]func() *Network // by rule, loaded at the first call; nil for none
}

// Carried returns the evaluation by the networks and tables that the program carries.
func Carried() *Evaluation {
	e := ByTables()
	for r := range e.network {
		e.network[r] = func() *Network { return defaultNetwork(board.Rule(r)) }
	}
	return e
}

// ByTables returns the evaluation by the given tables, and by those that the program carries
// under all other rules.
func ByTables(tables ...*Tables) *Evaluation { return &Evaluation{tables: newTableSet(tables...)} }

// WithTables returns e with the given tables for their rules, which have no network then. Of
// several for one rule the last counts.
func (e *Evaluation) WithTables(tables ...*Tables) *Evaluation {
	with := Evaluation{tables: e.tables.with(tables), network: e.network}
	for _, t := range tables {
		with.network[t.Rule] = nil
	}
	return &with
}

// WithNetworks returns e with the given networks for their rules. Of several for one rule the
// last counts.
func (e *Evaluation) WithNetworks(networks ...*Network) *Evaluation {
	with := *e
	for _, n := range networks {
		with.network[n.rule] = func() *Network { return n }
	}
	return &with
}

// New returns a Follower of b from its present position.
func (e *Evaluation) New(b *board.Board) Follower {
	if n := e.Network(b.Rule()); n != nil {
		return n.New(b)
	}
	return e.Tables(b)
}

// Tables returns a Follower of b that uses tables even if there is a network.
func (e *Evaluation) Tables(b *board.Board) Follower { return e.tables.New(b) }

// Network returns the network for r, nil if there is none. A call for another rule than the last
// may take 2 ms.
func (e *Evaluation) Network(r board.Rule) *Network {
	if of := e.network[r&^board.Continuous]; of != nil {
		return of()
	}
	return nil
}

// Origin describes the network or the tables used under r, for people.
func (e *Evaluation) Origin(r board.Rule) string {
	if n := e.Network(r); n != nil {
		return "network " + n.origin
	}
	return "tables " + e.tables.originOf(r)
}
