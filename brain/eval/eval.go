// Package eval is the static evaluation of positions and the policy that orders moves, by a
// network or by tables of patterns. Other programs than those that train both take package brain.
package eval

import (
	"tengen/brain/board"
	"tengen/brain/nnue"
)

// Max is the greatest static value, of either sign. Values are points; 200 are the advantage
// that wins 73 of 100 games between equals: 1/(1+e^(-v/200)).
const Max = nnue.ValueMax

// An Evaluator evaluates the positions of one board, for one goroutine. Call Undone after every
// Undo of the board, and nothing after a Play: the evaluator brings its state up to date when
// Value, StylePart or Order is called.
type Evaluator interface {
	// Reset makes the evaluator follow b, which may be another board of the same rule, from its
	// present position. From then on the side to move plays in the given style, from -100,
	// defense, to 100, attack; 0 is neutral. Values of different styles cannot be compared.
	Reset(b *board.Board, style int)

	// Undone notes that moves were taken back.
	Undone()

	// Value returns the static value for the side to move, within Max. It does not see what
	// threat.StaticWin decides.
	Value() int

	// StylePart returns the part of Value that the style adds.
	StylePart() int

	// Order sets scores[i] to how promising the empty cell moves[i] is for the side to move:
	// about 0 for nothing, up to about 1000. Only differences mean something; eight points of a
	// network make a move e times likelier. Both slices have the same length.
	Order(moves []board.Move, scores []int32)
}

// An Evaluation evaluates positions under every rule: by a network under the rules that have
// one, by tables under all others. It is read-only, so that engines may share it.
type Evaluation struct {
	tables  *tableSet
	network [16]networkChoice // by rule, loaded at the first call; nil for none
}

// Embedded returns the evaluation by the networks and tables that are part of the program.
func Embedded() *Evaluation {
	e := ByTables()
	for r := range e.network {
		e.network[r] = func(width, height int) *Network { return defaultNetwork(board.Rule(r), width, height) }
	}
	return e
}

// ByTables returns the evaluation by the given tables, and by the embedded ones under all other
// rules.
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

// WithNetworks returns e with the given networks for their rules, on boards of every size. Of several
// for one rule the last counts.
func (e *Evaluation) WithNetworks(networks ...*Network) *Evaluation {
	with := *e
	for _, n := range networks {
		with.network[n.rule] = func(int, int) *Network { return n }
	}
	return &with
}

// New returns an evaluator that follows b from its present position.
func (e *Evaluation) New(b *board.Board) Evaluator {
	if n := e.Network(b.Rule(), b.Width(), b.Height()); n != nil {
		return newNetworkEvaluator(e.network[b.Rule().Shapes()], n, b)
	}
	return e.Tables(b)
}

// Tables returns an evaluator of b that uses tables even if there is a network.
func (e *Evaluation) Tables(b *board.Board) Evaluator { return e.tables.New(b) }

// Network returns the network for r on boards of width x height, nil if there is none. A call for
// another network than the last may take 2 ms.
func (e *Evaluation) Network(r board.Rule, width, height int) *Network {
	if choose := e.network[r.Shapes()]; choose != nil {
		return choose(width, height)
	}
	return nil
}

// Origin describes the network or the tables used under r on boards of width x height, for people.
func (e *Evaluation) Origin(r board.Rule, width, height int) string {
	if n := e.Network(r, width, height); n != nil {
		return "network " + n.origin
	}
	return "tables " + e.tables.originOf(r)
}
