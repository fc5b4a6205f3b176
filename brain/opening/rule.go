// Package opening knows the opening rules of gomoku and renju: how the first stones are placed
// and who then plays which color. A State is a game under such a rule; its Step says who decides
// what, and Apply takes the decision or says why it is not allowed. The package knows which
// choices are legal, not which are good.
package opening

import (
	"fmt"
	"strings"

	"tengen/brain/board"
)

// A Rule is an opening rule.
type Rule uint8

const (
	Free        Rule = iota // no opening rule: black moves anywhere
	Pro                     // black in the middle, white anywhere, black outside the 5x5 in the middle
	LongPro                 // the same with a 7x7
	Swap                    // one player puts three stones, the other chooses a color
	Swap2                   // the other may also put two more and leave the choice of color to the first
	RIF                     // a renju opening, swap, fourth stone, two fifth moves offered, one is picked
	Soosyrv8                // a renju opening, swap, fourth stone and the number of fifth moves, swap, offers
	Taraguchi10             // a swap after every stone of the first five, or ten fifth moves offered
	Yamaguchi               // a renju opening and the number of fifth moves, swap, fourth stone, offers
	rules
)

// MostSoosyrv is the greatest number of fifth moves that can be declared under Soosyrv-8.
const MostSoosyrv = 8

// ruleNames are the names in Parse and String; the least side of a board leaves room for the
// squares of the rule.
var ruleNames = [rules]struct {
	name  string
	least int
}{
	Free:        {"free", board.MinSize},
	Pro:         {"pro", 7},
	LongPro:     {"long pro", 9},
	Swap:        {"swap", board.MinSize},
	Swap2:       {"swap2", board.MinSize},
	RIF:         {"rif", 9},
	Soosyrv8:    {"soosyrv-8", 9},
	Taraguchi10: {"taraguchi-10", 9},
	Yamaguchi:   {"yamaguchi", 9},
}

// String returns the name of the rule, in lower case.
func (r Rule) String() string {
	if r >= rules {
		return fmt.Sprintf("opening rule %d", uint8(r))
	}
	return ruleNames[r].name
}

// LeastSize returns the smallest side of a board on which the rule can be played.
func (r Rule) LeastSize() int { return ruleNames[r].least }

// Rules lists all rules, in the order of their numbers.
func Rules() []Rule {
	list := make([]Rule, rules)
	for i := range list {
		list[i] = Rule(i)
	}
	return list
}

// Parse returns the rule with the given name. Case, blanks, hyphens and underscores do not
// matter: "Long Pro", "longpro" and "long-pro" are the same.
func Parse(name string) (Rule, error) {
	plain := strings.NewReplacer(" ", "", "-", "", "_", "")
	key := plain.Replace(strings.ToLower(name))
	var known []string
	for _, r := range Rules() {
		if plain.Replace(r.String()) == key {
			return r, nil
		}
		known = append(known, r.String())
	}
	return Free, fmt.Errorf("opening rule %q is not known, want one of %s", name, strings.Join(known, ", "))
}

// A part is one decision in the course of a rule.
type part struct {
	actions []Action
	by      role

	// Of a stone: it lies in a square about the first stone that has this many cells to
	// either side of the middle, or outside it, or anywhere if both are 0. The first stone
	// of a rule with a middle lies in the middle of the board.
	inside, outside int
	middle          bool

	count int // of offers; 0 is the number declared
	least int // least and most numbers that can be declared; most 0 is what the board allows
	most  int
}

// A role says who decides.
type role uint8

const (
	mover  role = iota // who holds the color that is to move
	opener             // the first player
	waiter             // who holds the other color: after a fourth stone, who put it
	adder              // who chose to put two more stones
)

var (
	swapOrStay = []Action{DoSwap, Stay}
	putStone   = []Action{Put}
)

// stone is a part in which a stone is put anywhere.
func stone(by role) part { return part{actions: putStone, by: by} }

// canonical are the first three stones of a renju opening, put by the first player.
var canonical = []part{
	{actions: putStone, by: opener, middle: true},
	{actions: putStone, by: opener, inside: 1},
	{actions: putStone, by: opener, inside: 2},
}

var (
	ask  = part{actions: swapOrStay}
	pick = part{actions: []Action{Pick}, by: waiter}
)

func offers(n int) part { return part{actions: []Action{Offer}, count: n} }
func declare(by role, most int) part {
	return part{actions: []Action{Declare}, by: by, least: 1, most: most}
}

// course lists the parts of every rule. Two and Ten replace what is left of it by what is
// in detours.
//
// Sources: the rule pages of the Renju International Federation (renju.net) for renju, the
// rules of the gomoku world championships for the others.
var course = [rules][]part{
	Pro: {
		{actions: putStone, middle: true},
		stone(mover),
		{actions: putStone, outside: 2},
	},
	LongPro: {
		{actions: putStone, middle: true},
		stone(mover),
		{actions: putStone, outside: 3},
	},
	Swap: {stone(opener), stone(opener), stone(opener), ask},
	Swap2: {
		stone(opener), stone(opener), stone(opener),
		{actions: []Action{DoSwap, Stay, Two}},
	},
	RIF:      append(canonical[:3:3], ask, stone(mover), offers(2), pick),
	Soosyrv8: append(canonical[:3:3], ask, stone(mover), declare(waiter, MostSoosyrv), ask, offers(0), pick),
	Taraguchi10: {
		{actions: putStone, middle: true}, ask,
		{actions: putStone, inside: 1}, ask,
		{actions: putStone, inside: 2}, ask,
		{actions: putStone, inside: 3},
		{actions: []Action{DoSwap, Stay, Ten}},
		{actions: putStone, inside: 4}, ask,
	},
	Yamaguchi: append(canonical[:3:3], declare(opener, 0), ask, stone(mover), offers(0), pick),
}

var detours = map[Action][]part{
	Two: {stone(adder), stone(adder), ask},
	Ten: {offers(10), pick},
}
