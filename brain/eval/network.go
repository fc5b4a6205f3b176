package eval

import (
	"fmt"

	"tengen/brain/board"
	"tengen/brain/internal/inuse"
	"tengen/brain/nnue"
)

// A Network is a network laid out for evaluating boards of one rule. It is read-only, so
// that all evaluators share it.
type Network struct {
	rule    board.Rule // as Shapes returns it
	origin  string     // where it comes from, text for people
	weights *nnue.Weights
}

// NewNetwork lays n out, which has to pass its Check. Errors: n's rule is unknown, or n
// has one set of numbers for a rule whose colors differ, or two for one whose do not.
func NewNetwork(n *nnue.Network) (*Network, error) {
	r := board.Rule(n.Rule)
	switch {
	case !r.Valid() || r != r.Shapes():
		return nil, fmt.Errorf("a network for rule %d, which is not known", n.Rule)
	case (len(n.Heads) == 1) != sameForBoth(r):
		return nil, fmt.Errorf("a network for %v with %d sets of numbers", r, len(n.Heads))
	}
	return &Network{rule: r, origin: n.Origin, weights: nnue.NewWeights(n, &codes().number)}, nil
}

// Rule returns the rule that the network was trained for, as Shapes returns it.
func (n *Network) Rule() board.Rule { return n.rule }

// LoadNetwork reads a file of a network, for -net and the like. Errors: those of nnue.Load
// and NewNetwork. About 2 ms.
func LoadNetwork(data []byte) (*Network, error) {
	n, err := nnue.Load(data)
	if err != nil {
		return nil, err
	}
	return NewNetwork(n)
}

// largeBoard is the number of cells from which freestyle has a network of its own. Set 2026-11 between
// the boards that tournaments use, 15x15 and 20x20: trained on from the other one on 20x20 alone, at
// 150,000 nodes it won 132 games of 241 there and lost 108, and on 15x15 won 7 of 23 and lost 10.
const largeBoard = 18 * 18

// A networkKey says which of the built-in networks is meant.
type networkKey struct {
	rule  board.Rule // as Shapes returns it
	large bool       // that for boards of largeBoard cells and more
}

// networkFor returns the key of the network for r on boards of width x height.
func networkFor(r board.Rule, width, height int) networkKey {
	r = r.Shapes()
	return networkKey{r, r == board.Freestyle && width*height >= largeBoard}
}

// file returns the name of the file.
func (k networkKey) file() string {
	if k.large {
		return k.rule.FileName() + "-20.tnn"
	}
	return k.rule.FileName() + ".tnn"
}

// NetworkFile returns the name and the content of the built-in file of the network for r on boards of
// width x height. The content is nil if there is none.
func NetworkFile(r board.Rule, width, height int) (name string, data []byte) {
	name = networkFor(r, width, height).file()
	data, err := readNetwork(name)
	if err != nil {
		return name, nil // the only error of an embedded file is that it is not there
	}
	return name, data
}

// embeddedNetworks are the networks of readNetwork that are in use.
var embeddedNetworks inuse.Cache[networkKey, Network]

// defaultNetwork returns the embedded network for r on boards of width x height, or nil if there is
// none. Where the one for large boards cannot be read, it is the other. It takes about 2 ms unless that
// network is in use or was asked for last. It panics if the file is damaged; a test rules that out, and
// that the network fails its Check.
func defaultNetwork(r board.Rule, width, height int) *Network {
	key := networkFor(r, width, height)
	n := embeddedNetworks.Get(key, key.load)
	if n == nil && key.large {
		key.large = false
		n = embeddedNetworks.Get(key, key.load)
	}
	return n
}

// load loads the network, nil for none.
func (k networkKey) load() *Network {
	data, err := readNetwork(k.file())
	if err != nil {
		return nil
	}
	var n *Network
	file, err := nnue.LoadUnchecked(data)
	if err == nil {
		n, err = NewNetwork(file)
	}
	if err == nil && n.rule != k.rule {
		err = fmt.Errorf("a network for %v", n.rule)
	}
	if err != nil {
		panic(fmt.Sprintf("eval: network %s: %v", k.file(), err))
	}
	return n
}

// A NetworkEvaluator is an Evaluator by a network. Positions that are not evaluated cost nothing.
type NetworkEvaluator struct {
	choose networkChoice
	net    *Network // what choose returned for the board's size, or the one before where that was nil
	b      *board.Board
	acc    *nnue.Accumulator
	region [nnue.Cells]uint8
	cells  [board.MaxSize * board.MaxSize]uint16 // for Order
	batch  [64]nnue.Cell                         // for set, which fills it again where a full row changes more

	// ply is up to where the states of acc are of the board's present history.
	ply int

	// style is whether the tables add what they see in the style of the last Reset:
	// the value of styled less that of neutral. Both are nil until a style is asked for.
	style           bool
	styled, neutral *tableEvaluator
}

// A networkChoice returns the network of one rule for boards of width x height, nil for none.
type networkChoice func(width, height int) *Network

// New returns an evaluator that follows b, a board of the network's rule, from its present
// position. It allocates once: nnue.AccumulatorBytes and a little.
func (n *Network) New(b *board.Board) *NetworkEvaluator {
	return newNetworkEvaluator(func(int, int) *Network { return n }, n, b)
}

// newNetworkEvaluator returns an evaluator that follows b by net, which choose has for its size, and
// boards of other sizes by what choose has for those.
func newNetworkEvaluator(choose networkChoice, net *Network, b *board.Board) *NetworkEvaluator {
	e := &NetworkEvaluator{choose: choose, net: net, b: b}
	e.acc = nnue.NewAccumulator(e.net.weights, &e.region)
	e.Reset(b, 0)
	return e
}

// Reset makes e follow b. A style other than 0 adds to Value styleWeight times what it adds to
// that of the embedded tables: networks are trained without styles. A board of another size may have
// another network, which takes 2 ms to load. It panics if b is of another rule.
func (e *NetworkEvaluator) Reset(b *board.Board, style int) {
	if b.Rule().Shapes() != e.net.rule {
		panic("eval: a network for another rule")
	}
	if b.Width() != e.b.Width() || b.Height() != e.b.Height() {
		if n := e.choose(b.Width(), b.Height()); n != nil {
			e.net = n
		}
	}
	e.b = b
	for i := range b.Width() * b.Height() {
		x, y := i%b.Width(), i/b.Width()
		e.region[board.At(x, y)] = uint8(nnue.RegionOf(x, y, b.Width(), b.Height()))
	}
	e.refresh()
	e.style = style != 0
	if !e.style {
		return
	}
	if e.styled == nil {
		tables := newTableSet()
		e.styled, e.neutral = tables.New(b), tables.New(b)
	}
	e.neutral.Reset(b, 0)
	e.styled.Reset(b, style)
}

// policyPoints is how many points of NetworkEvaluator.Order make a move e times likelier. By
// it the scores of candidates lie as far apart as those of the tables, which the histories
// of the search are tuned to: 2026-11, 200 random positions, the first network.
const policyPoints = 8

// styleWeight is how many times the change that a style makes to the value of the tables is
// added to that of a network, whose choice of moves is more decided. Set 2026-11 so that a
// style changes about as many moves as by tables.
const styleWeight = 3

// Undone notes that moves were taken back.
func (e *NetworkEvaluator) Undone() {
	e.ply = min(e.ply, e.b.Ply())
	if e.style {
		e.styled.Undone()
		e.neutral.Undone()
	}
}

// Value returns the static value for the side to move, within Max.
func (e *NetworkEvaluator) Value() int {
	e.follow()
	v := e.acc.Value(int(e.b.Side()&1), e.b.ThreatMask())
	if e.style {
		v = max(-Max, min(v+e.StylePart(), Max))
	}
	return v
}

// StylePart returns the part of Value that the style adds.
func (e *NetworkEvaluator) StylePart() int {
	if !e.style {
		return 0
	}
	return styleWeight * (e.styled.Value() - e.neutral.Value())
}

// Order sets scores[i] to how promising the empty cell moves[i] is for the side to move, in
// points of which policyPoints are a logit. Only differences mean something.
func (e *NetworkEvaluator) Order(moves []board.Move, scores []int32) {
	e.Logits(moves, scores)
	for i, v := range scores {
		scores[i] = v / (nnue.LogitOne / policyPoints) // the product could overflow
	}
}

// Logits sets dst[i] to the policy's logit of the empty cell moves[i], 1/nnue.LogitOne.
func (e *NetworkEvaluator) Logits(moves []board.Move, dst []int32) {
	e.follow()
	cells := e.cells[:len(moves)]
	for i, m := range moves {
		cells[i] = uint16(m)
	}
	e.acc.Logits(dst, cells, int(e.b.Side()&1), int(e.b.Back(1)), int(e.b.Back(2)))
}

// follow brings the accumulator to the position of the board.
func (e *NetworkEvaluator) follow() {
	b, acc := e.b, e.acc
	ply := b.Ply()
	acc.Back(min(e.ply, ply))
	e.ply = ply
	known := acc.Ply()
	switch {
	case known == ply:
		return
	case known < 0 || !acc.Begin(): // taken back further than where it began, or full
		e.refresh()
		return
	}
	for i := known; i < ply; i++ {
		if m := b.Move(i); m != board.None {
			acc.Take(int(m))
		}
	}
	for i := known; i < ply; i++ {
		e.set(b.Changes(i))
	}
	acc.Commit(ply)
}

// refresh sets up the position from scratch, in about 5 microseconds.
func (e *NetworkEvaluator) refresh() {
	b := e.b
	e.ply = b.Ply()
	e.acc.Reset(e.net.weights, &e.region)
	e.acc.Begin()
	for y := range b.Height() {
		n := 0
		for x := range b.Width() {
			if m := board.At(x, y); b.Cell(m) == board.Empty {
				e.batch[n] = cellOf(b, m)
				n++
			}
		}
		e.acc.Set(e.batch[:n])
	}
	e.acc.Commit(e.ply)
}

// set tells the accumulator what the changed cells are now.
func (e *NetworkEvaluator) set(changes []board.Change) {
	for len(changes) > 0 {
		n := min(len(changes), len(e.batch))
		for i := range changes[:n] {
			e.batch[i%len(e.batch)] = cellOf(e.b, changes[i].Cell)
		}
		e.acc.Set(e.batch[:n])
		changes = changes[n:]
	}
}

// cellOf returns what the empty cell m is.
func cellOf(b *board.Board, m board.Move) nnue.Cell {
	return nnue.Cell{Lines: b.LineNumbers(m), Code: uint32(b.Code(m)), At: uint32(m)}
}
