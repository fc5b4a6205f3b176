package opening

import (
	"fmt"
	"slices"
	"strings"

	"tengen/brain/board"
)

// A Player is one of the two players, whatever color he plays.
type Player uint8

const (
	First  Player = iota // holds black at the start; the tentative black of renju
	Second               // holds white at the start
)

// String gives "first" or "second".
func (p Player) String() string { return [...]string{"first", "second"}[p&1] }

// An Action is a kind of decision.
type Action uint8

const (
	Put     Action = iota // a stone of the color to move on Move
	DoSwap                // the colors change hands
	Stay                  // they do not
	Two                   // swap2: put two more stones, the other player then chooses a color
	Ten                   // Taraguchi-10: stay, and offer ten fifth moves instead of playing one
	Declare               // Number fifth moves will be offered
	Offer                 // Move as a fifth move, black
	Pick                  // Move, one of the offers, becomes the fifth move
	actions
)

var actionNames = [actions]string{"put", "swap", "stay", "two", "ten", "declare", "offer", "pick"}

// String returns the name of the action, in lower case.
func (a Action) String() string { return actionNames[a%actions] }

// OnCell reports whether a choice of this kind names a cell.
func (a Action) OnCell() bool { return a == Put || a == Offer || a == Pick }

// A Step is what is to be decided next.
type Step struct {
	By      Player   // who decides
	Actions []Action // what he may do; empty when the opening is over; must not be changed

	// Cells are the legal cells of Put, Offer or Pick. A cell that mirrors an offer is not
	// among them.
	Cells board.Set

	Least, Most int // the numbers that may be declared

	// Left is the number of stones or offers that By decides on one after the other,
	// this one included.
	Left int
}

// Can reports whether a is one of the actions of the step.
func (s *Step) Can(a Action) bool { return slices.Contains(s.Actions, a) }

// A State is a game under an opening rule, from the empty board to the first ordinary move.
type State struct {
	rule          Rule
	width, height int
	rest          []part // the first is to be decided
	stones        []board.Move
	offers        []board.Move
	declared      int
	black         Player // holds black
	adder         Player // chose Two
	choices       []Choice
}

// New returns the state before the first stone. Errors: a board too small for the rule, or
// of a size that package board does not support.
func New(rule Rule, width, height int) (*State, error) {
	if rule >= rules {
		return nil, fmt.Errorf("%v is not known", rule)
	}
	if least := rule.LeastSize(); min(width, height) < least || max(width, height) > board.MaxSize {
		return nil, fmt.Errorf("%v is not played on a board of %dx%d, want sides of %d to %d", rule, width, height, least, board.MaxSize)
	}
	return &State{rule: rule, width: width, height: height, rest: course[rule]}, nil
}

// Swap2After returns the state of swap2 with stones on the board: none, three, or five, the last
// two put by Two.
func Swap2After(stones []board.Move, width, height int) (*State, error) {
	s, err := New(Swap2, width, height)
	if err != nil {
		return nil, err
	}
	if n := len(stones); n != 0 && n != 3 && n != 5 {
		return nil, fmt.Errorf("swap2 has 0, 3 or 5 stones on the board, not %d", n)
	}
	for i, m := range stones {
		if i == 3 {
			if err := s.Apply(Choice{Action: Two}); err != nil {
				return nil, err
			}
		}
		if err := s.Apply(Choice{Action: Put, Move: m}); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Clone returns an independent copy.
func (s *State) Clone() *State {
	c := *s
	c.stones, c.offers, c.choices = slices.Clone(s.stones), slices.Clone(s.offers), slices.Clone(s.choices)
	return &c
}

// Rule returns the opening rule.
func (s *State) Rule() Rule { return s.rule }

// Size returns the size of the board in cells.
func (s *State) Size() (width, height int) { return s.width, s.height }

// Stones returns the stones on the board in the order in which they were placed, black, white,
// black and so on. It must not be changed.
func (s *State) Stones() []board.Move { return s.stones }

// Offers returns the fifth moves offered so far. It must not be changed.
func (s *State) Offers() []board.Move { return s.offers }

// Declared returns the number of fifth moves to be offered, or 0 if it is not known yet.
func (s *State) Declared() int { return s.declared }

// Choices returns what has been decided so far. It must not be changed.
func (s *State) Choices() []Choice { return s.choices }

// Done reports whether the opening is over. From then on the rules of the game alone count.
func (s *State) Done() bool { return len(s.rest) == 0 }

// ToMove returns the color of the next stone.
func (s *State) ToMove() board.Color { return board.Color(len(s.stones) & 1) }

// Holder returns the player who holds color c, black or white, as of now.
func (s *State) Holder(c board.Color) Player { return s.black ^ Player(c&1) }

// by returns who decides p.
func (s *State) by(p *part) Player {
	switch p.by {
	case opener:
		return First
	case waiter:
		return s.Holder(s.ToMove().Other())
	case adder:
		return s.adder
	}
	return s.Holder(s.ToMove())
}

// Step returns what is to be decided next. When the opening is over it has no actions, and By
// is who makes the first ordinary move.
func (s *State) Step() Step {
	if s.Done() {
		return Step{By: s.Holder(s.ToMove())}
	}
	p := &s.rest[0]
	step := Step{By: s.by(p), Actions: p.actions, Left: 1}
	switch p.actions[0] {
	case Put, Offer, Pick:
		for y := range s.height {
			for x := range s.width {
				if m := board.At(x, y); s.try(p, m) == nil {
					step.Cells.Add(m)
				}
			}
		}
	case Declare:
		step.Least, step.Most = p.least, s.most(p)
	}
	switch p.actions[0] {
	case Put:
		for p.by != mover && step.Left < len(s.rest) && s.rest[step.Left].actions[0] == Put && s.rest[step.Left].by == p.by {
			step.Left++
		}
	case Offer:
		step.Left = s.wanted(p) - len(s.offers)
	}
	return step
}

// most returns the greatest number that can be declared: that of the free cells that differ. Where
// the board has a cell in the middle black has one of his two stones there and one elsewhere,
// so that one mirror image at most leaves them in place; else two and a half turn may.
func (s *State) most(p *part) int {
	if p.most > 0 {
		return p.most
	}
	free := s.width*s.height - 4
	if s.width%2 == 0 || s.height%2 == 0 {
		return free / 4
	}
	return free / 2
}

// wanted returns the number of fifth moves that are offered in all.
func (s *State) wanted(p *part) int {
	if p.count > 0 {
		return p.count
	}
	return s.declared
}

// Apply takes the choice of the player whose turn it is. An error of one line says why it is
// not allowed; the state is then unchanged.
func (s *State) Apply(c Choice) error {
	if s.Done() {
		return fmt.Errorf("the opening is over, %v cannot be applied", c)
	}
	p := &s.rest[0]
	if !slices.Contains(p.actions, c.Action) {
		return fmt.Errorf("%v is not possible now, want %s", c, actionList(p.actions))
	}
	rest := s.rest[1:]
	switch c.Action {
	case Put:
		if err := s.try(p, c.Move); err != nil {
			return err
		}
		s.stones = append(s.stones, c.Move)
		if p.by == adder && (len(rest) == 0 || rest[0].by != adder) {
			s.black ^= 1 // the other player chooses next, as the one who holds the color to move
		}
	case DoSwap:
		s.black ^= 1
	case Two:
		s.adder = s.by(p)
		rest = detours[Two]
	case Ten:
		rest = detours[Ten]
	case Declare:
		if c.Number < p.least || c.Number > s.most(p) {
			return fmt.Errorf("%d fifth moves cannot be declared, want %d to %d", c.Number, p.least, s.most(p))
		}
		s.declared = c.Number
	case Offer:
		if err := s.try(p, c.Move); err != nil {
			return err
		}
		s.offers = append(s.offers, c.Move)
		if len(s.offers) < s.wanted(p) {
			rest = s.rest
		}
	case Pick:
		if err := s.try(p, c.Move); err != nil {
			return err
		}
		s.stones = append(s.stones, c.Move)
	}
	s.rest = rest
	s.choices = append(s.choices, c)
	return nil
}

// A CellError says why a stone may not be put, offered or picked somewhere.
type CellError struct {
	state *State
	Move  board.Move
	Other board.Move // that is in its way, or None
	text  string     // with $cell and $other for them
}

func (e *CellError) Error() string { return e.Text(e.state.label) }

// Text is Error with cells called as name calls them.
func (e *CellError) Text(name func(board.Move) string) string {
	text := strings.ReplaceAll(e.text, "$cell", name(e.Move))
	if e.Other != board.None {
		text = strings.ReplaceAll(text, "$other", name(e.Other))
	}
	return text
}

// try returns why m may not be put, offered or picked in p, or nil if it may.
func (s *State) try(p *part, m board.Move) error {
	if _, err := board.AtOn(m.X(), m.Y(), s.width, s.height); err != nil {
		return fmt.Errorf("the cell is not on the board of %dx%d", s.width, s.height)
	}
	if slices.Contains(s.stones, m) {
		return &CellError{s, m, board.None, "$cell is taken"}
	}
	switch p.actions[0] {
	case Pick:
		if !slices.Contains(s.offers, m) {
			return &CellError{s, m, board.None, "$cell is not one of the fifth moves offered"}
		}
		return nil
	case Offer:
		return s.tryOffer(m)
	}
	switch far := s.distance(m); {
	case p.middle && !s.middle(m):
		return &CellError{s, m, board.None, "the first stone lies in the middle of the board, not on $cell"}
	case p.inside > 0 && far > p.inside:
		return &CellError{s, m, board.None, fmt.Sprintf("$cell is outside the %dx%[1]d about the first stone", 2*p.inside+1)}
	case p.outside > 0 && far <= p.outside:
		return &CellError{s, m, board.None, fmt.Sprintf("$cell is inside the %dx%[1]d about the first stone", 2*p.outside+1)}
	}
	return nil
}

// tryOffer returns why m may not be offered as one more fifth move, or nil if it may.
func (s *State) tryOffer(m board.Move) error {
	for _, o := range s.offers {
		switch {
		case o == m:
			return &CellError{s, m, board.None, "$cell is offered already"}
		case Symmetric(s.stones, o, m, s.width, s.height):
			return &CellError{s, m, o, "$cell is a mirror image of $other, which is offered already"}
		}
	}
	return nil
}

// label names m for people.
func (s *State) label(m board.Move) string { return m.Label(s.height) }

// Symmetric reports whether a symmetry of the board that leaves the stones in place, black,
// white, black and so on, maps a to b.
func Symmetric(stones []board.Move, a, b board.Move, width, height int) bool {
	for sym := range board.SymmetriesOf(width, height) {
		if board.Transform(a, sym, width, height) != b {
			continue
		}
		same := true
		for i, m := range stones {
			j := slices.Index(stones, board.Transform(m, sym, width, height))
			same = same && j >= 0 && j&1 == i&1
		}
		if same {
			return true
		}
	}
	return false
}

// middle reports whether m is the cell in the middle of the board, or one of them where a
// side is even.
func (s *State) middle(m board.Move) bool {
	return (m.X() == s.width/2 || m.X() == (s.width-1)/2) && (m.Y() == s.height/2 || m.Y() == (s.height-1)/2)
}

// distance returns how many cells m is from the first stone, along the longer coordinate; 0
// if there is none.
func (s *State) distance(m board.Move) int {
	if len(s.stones) == 0 {
		return 0
	}
	return board.Distance(m, s.stones[0])
}
