// Package board knows the rules of gomoku and renju: stones, rows, line
// patterns and forbidden points. It knows nothing of search, scores, clocks
// or protocols. The rules become lookup tables when a board is made, so that
// little code above this package asks which rule is played: for the capped rows of caro, the
// forbidden points of renju and continuous games.
package board

// A Rule is the set of rule bits of the Gomocup protocol, unchanged: INFO rule 9
// is Rule(9). Zero is freestyle, where five or more in a row win.
// Source: Gomoku AI protocol, INFO rule; combinations as Piskvork and qpiskvork send them.
type Rule uint8

const (
	ExactFive  Rule = 1 << iota // six or more in a row do not win
	Continuous                  // play goes on after a five; its stones become blocked cells
	Renju                       // black wins with exactly five and may not make 3x3, 4x4 or six; white wins with five or more
	Caro                        // exactly five with an opponent stone at both ends does not win

	Freestyle Rule = 0
)

// Valid reports whether r is a combination this package can play: any of the
// bits, except that renju and caro exclude each other.
func (r Rule) Valid() bool {
	return r < 16 && r&(Renju|Caro) != Renju|Caro
}

// Shapes returns the rule by which the shapes of r are counted: r without Continuous, which changes
// no line. Evaluations and files are of such rules.
func (r Rule) Shapes() Rule { return r &^ Continuous }

// exact reports whether more than five in a row do not win for color c.
func (r Rule) exact(c Color) bool {
	return r&ExactFive != 0 || r&Renju != 0 && c == Black
}

// Wins reports whether a row of exactly n stones of color c wins. Capped tells that
// both cells beyond its ends hold opponent stones; an edge or a blocked cell does not cap.
func (r Rule) Wins(c Color, n int, capped bool) bool {
	switch {
	case n < 5:
		return false
	case n > 5:
		return !r.exact(c)
	}
	return r&Caro == 0 || !capped
}

// String returns the name of the rule in words.
func (r Rule) String() string {
	s := "freestyle"
	switch {
	case r&Renju != 0:
		s = "renju"
	case r&Caro != 0:
		s = "caro"
	case r&ExactFive != 0:
		s = "standard"
	}
	if r&ExactFive != 0 && r&(Renju|Caro) != 0 {
		s += ", exactly five"
	}
	if r&Continuous != 0 {
		s += ", continuous"
	}
	return s
}

// fileNames are the results of FileName.
var fileNames = [16]string{
	Freestyle: "freestyle", ExactFive: "standard", Renju: "renju", Caro: "caro", Caro | ExactFive: "exact-caro",
}

// FileName returns the name of the rule in names of files and on command lines. It is empty for the
// rules without one: Renju|ExactFive and those of continuous games.
func (r Rule) FileName() string {
	if !r.Valid() {
		return ""
	}
	return fileNames[r]
}

// NamedRules returns the rules that have a FileName, by their numbers.
func NamedRules() []Rule {
	var all []Rule
	for r, name := range fileNames {
		if name != "" {
			all = append(all, Rule(r))
		}
	}
	return all
}

// RuleNamed returns the rule with that FileName.
func RuleNamed(name string) (r Rule, ok bool) {
	for _, r := range NamedRules() {
		if r.FileName() == name {
			return r, true
		}
	}
	return 0, false
}
