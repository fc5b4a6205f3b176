package opening

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
)

// everyChoice lists all choices that could be legal at some time, and some that never are.
func everyChoice(w, h int) []Choice {
	list := []Choice{{Action: DoSwap}, {Action: Stay}, {Action: Two}, {Action: Ten}}
	for n := -1; n <= w*h; n++ {
		list = append(list, Choice{Action: Declare, Number: n})
	}
	for _, a := range []Action{Put, Offer, Pick} {
		list = append(list, Choice{Action: a})
		for y := -1; y <= h; y++ {
			for x := -1; x <= w; x++ {
				list = append(list, Choice{Action: a, Move: board.At(x, y)})
			}
		}
	}
	return list
}

// TestAgainstPlainRules plays random openings under every rule and compares what Apply
// accepts, and what Step says, with the plain rules.
func TestAgainstPlainRules(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	decided := map[Action]int{}
	for _, size := range [][3]int{{9, 9, 4}, {10, 10, 2}, {12, 9, 2}, {15, 15, 1}} {
		w, h := size[0], size[1]
		all := everyChoice(w, h)
		for _, rule := range Rules() {
			for range size[2] {
				s, err := New(rule, w, h)
				if err != nil {
					t.Fatal(err)
				}
				for {
					want := next(rule, w, h, s.Choices())
					step := s.Step()
					var can, said []Choice
					before, try := fmt.Sprint(s), s.Clone()
					for _, c := range all {
						err := try.Apply(c)
						if err == nil {
							can = append(can, c)
							try = s.Clone()
						} else if strings.Contains(err.Error(), "\n") || len(err.Error()) > 100 {
							t.Fatalf("%v: the error of %v is not one short line: %v", rule, c, err)
						}
						switch {
						case !step.Can(c.Action):
						case c.Action.OnCell() && !(c.Move < board.Cells && step.Cells.Has(c.Move)):
						case c.Action == Declare && (c.Number < step.Least || c.Number > step.Most):
						default:
							said = append(said, c)
						}
					}
					if fmt.Sprint(try) != before {
						t.Fatalf("%v after %v: a choice that is refused changes the state", rule, s.Choices())
					}
					key := func(list []Choice) string {
						var text []string
						for _, c := range list {
							text = append(text, fmt.Sprint(c))
						}
						slices.Sort(text)
						return strings.Join(text, " ")
					}
					var wanted []Choice
					for _, l := range want {
						wanted = append(wanted, l.c)
						if l.by != step.By {
							t.Fatalf("%v after %v: the %v player decides, want the %v", rule, s.Choices(), step.By, l.by)
						}
					}
					if key(can) != key(wanted) || key(said) != key(wanted) {
						t.Fatalf("%v %dx%d after %v:\napply %s\nstep  %s\nwant  %s", rule, w, h, s.Choices(), key(can), key(said), key(wanted))
					}
					if s.Done() != (len(want) == 0) {
						t.Fatalf("%v after %v: done is %v", rule, s.Choices(), s.Done())
					}
					if s.Done() {
						break
					}
					c := want[rnd.Intn(len(want))].c
					if c.Action == Declare {
						c.Number = min(c.Number, 1+rnd.Intn(12))
					}
					if slices.Contains([]Action{Put, Offer}, c.Action) && rnd.Intn(2) == 0 {
						c = nearest(want, w, h) // mirror images are common near the middle
					}
					decided[c.Action]++
					if err := s.Apply(c); err != nil {
						t.Fatal(err)
					}
				}
				if n := len(s.Stones()); rule != Free && n < 3 || n > 5 {
					t.Fatalf("%v ends with %d stones", rule, n)
				}
				if back, err := replay(rule, w, h, s.Choices()); err != nil || fmt.Sprint(back) != fmt.Sprint(s) {
					t.Fatalf("replayed: %v, %v, want %v", back, err, s)
				}
			}
		}
	}
	for a := range actions {
		if decided[a] == 0 {
			t.Errorf("%v was never chosen", a)
		}
	}
}

// replay returns the state after the choices.
func replay(rule Rule, width, height int, choices []Choice) (*State, error) {
	s, err := New(rule, width, height)
	if err != nil {
		return nil, err
	}
	for i, c := range choices {
		if err := s.Apply(c); err != nil {
			return nil, fmt.Errorf("choice %d: %w", i+1, err)
		}
	}
	return s, nil
}

// nearest returns the choice whose cell is nearest to the middle.
func nearest(list []legal, w, h int) Choice {
	return slices.MinFunc(list, func(a, b legal) int {
		far := func(m board.Move) int {
			dx, dy := 2*m.X()-w+1, 2*m.Y()-h+1
			return dx*dx + dy*dy
		}
		return far(a.c.Move) - far(b.c.Move)
	}).c
}

// TestLeft: the numbers of stones and offers that one player still decides on.
func TestLeft(t *testing.T) {
	for _, c := range []struct {
		rule    Rule
		choices string
		by      Player
		left    int
	}{
		{Pro, "", First, 1},
		{Pro, "put h8", Second, 1},
		{Swap, "", First, 3},
		{Swap2, "put a1,put b2", First, 1},
		{Swap2, "put a1,put b2,put c3,two", Second, 2},
		{Swap2, "put a1,put b2,put c3,two,put d4", Second, 1},
		{Taraguchi10, "put h8,swap", First, 1},
		{Taraguchi10, "put h8,stay,put h9,stay,put h10,stay,put h11,ten", First, 10},
		{RIF, "put h8,put h9,put i9,swap,put a1,offer b1", Second, 1},
		{Soosyrv8, "put h8,put h9,put i9,stay,put a1,declare 8,stay", First, 8},
		{Yamaguchi, "put h8,put h9,put i9,declare 3,swap,put a1,offer o1", Second, 2},
	} {
		s := state(t, c.rule, c.choices)
		if step := s.Step(); step.Left != c.left || step.By != c.by {
			t.Errorf("%v after %s: %d left for the %v player, want %d for the %v", c.rule, c.choices, step.Left, step.By, c.left, c.by)
		}
	}
}

// TestSoManyFifthMovesDiffer: however alike the images of the position are, as many fifth moves
// as may be declared can be offered.
func TestSoManyFifthMovesDiffer(t *testing.T) {
	for _, c := range []struct {
		w, h  int
		moves string
	}{
		{15, 15, "h8g8h9i8"}, {10, 10, "e5f5f6e6"}, {20, 20, "j10k10k11j11"}, {21, 21, "k11j11k12l11"},
		{9, 10, "e5e4e6e7"}, {10, 9, "e5d5f5g5"}, {12, 10, "f5g5g6f6"},
	} {
		stones, err := board.ParseMoves(c.moves, c.w, c.h)
		if err != nil {
			t.Fatal(err)
		}
		var differ []board.Move
		for x := range c.w {
			for y := range c.h {
				m := board.At(x, y)
				if !slices.Contains(stones, m) && !slices.ContainsFunc(differ, func(o board.Move) bool { return Symmetric(stones, m, o, c.w, c.h) }) {
					differ = append(differ, m)
				}
			}
		}
		s, err := New(Yamaguchi, c.w, c.h)
		if err != nil {
			t.Fatal(err)
		}
		most := s.most(&part{})
		if most > len(differ) || most < len(differ)/3 {
			t.Errorf("%dx%d: up to %d fifth moves, and after %s %d differ", c.w, c.h, most, c.moves, len(differ))
		}
	}
}

func state(t *testing.T, r Rule, choices string) *State {
	t.Helper()
	var list []Choice
	for _, text := range strings.FieldsFunc(choices, func(r rune) bool { return r == ',' }) {
		c, err := ParseChoice(text, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	s, err := replay(r, 15, 15, list)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCellErrors: cells are named with rows counted from the bottom, choices from the top.
func TestCellErrors(t *testing.T) {
	for _, c := range []struct {
		rule            Rule
		choices, choice string
		want            string
	}{
		{RIF, "", "put a1", "the first stone lies in the middle of the board, not on a15"},
		{RIF, "put h8", "put h10", "h6 is outside the 3x3 about the first stone"},
		{RIF, "put h8,put h9", "put h5", "h11 is outside the 5x5 about the first stone"},
		{Pro, "put h8,put a1", "put h10", "h6 is inside the 5x5 about the first stone"},
		{LongPro, "put h8,put a1", "put h11", "h5 is inside the 7x7 about the first stone"},
		{Swap, "put h9", "put h9", "h7 is taken"},
		{RIF, "put h8,put h9,put h10,stay,put h11,offer g7", "offer g7", "g9 is offered already"},
		{RIF, "put h8,put h9,put h10,stay,put h11,offer g7", "offer i7", "i9 is a mirror image of g9, which is offered already"},
		{RIF, "put h8,put h9,put h10,stay,put h11,offer g7,offer g6", "pick g5", "g11 is not one of the fifth moves offered"},
	} {
		choice, err := ParseChoice(c.choice, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		if err := state(t, c.rule, c.choices).Apply(choice); err == nil || err.Error() != c.want {
			t.Errorf("%v, %s after %s: %v, want %s", c.rule, c.choice, c.choices, err, c.want)
		}
	}
}

// TestClonesAreIndependent: what is applied to one copy does not change another.
func TestClonesAreIndependent(t *testing.T) {
	for _, c := range []struct {
		rule    Rule
		choices string
		action  Action
	}{
		{Swap2, "put a1,put b2,put c3,two", Put},
		{Soosyrv8, "put h8,put h9,put i9,stay,put a1,declare 8,stay,offer b1,offer c1,offer d1", Offer},
	} {
		s := state(t, c.rule, c.choices)
		one, two := s.Clone(), s.Clone()
		for i, s := range []*State{one, two} {
			if err := s.Apply(Choice{Action: c.action, Move: board.At(9+i, 12)}); err != nil {
				t.Fatal(err)
			}
		}
		for i, s := range []*State{one, two} {
			m := board.At(9+i, 12)
			cells := append(slices.Clone(s.Stones()), s.Offers()...)
			if cells[len(cells)-1] != m || s.Choices()[len(s.Choices())-1].Move != m {
				t.Errorf("%v: copy %d has %v and %v, want %v last", c.rule, i, cells, s.Choices(), m)
			}
		}
	}
}

// TestEnumerations counts what the rules allow.
func TestEnumerations(t *testing.T) {
	// Three stones of a renju opening: 8 second stones, and 23 third stones each.
	s, err := New(RIF, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	total := 0
	var walk func(s *State)
	walk = func(s *State) {
		step := s.Step()
		if !step.Can(Put) {
			n, ok := NameOf(s.Stones())
			if !ok {
				t.Fatalf("%v is no opening", s.Stones())
			}
			count[n.Code]++
			total++
			return
		}
		for _, m := range step.Cells.Append(nil) {
			after := s.Clone()
			if err := after.Apply(Choice{Action: Put, Move: m}); err != nil {
				t.Fatal(err)
			}
			walk(after)
		}
	}
	walk(s)
	if total != 8*23 || len(count) != 26 {
		t.Errorf("%d ways to %d openings, want 184 to 26", total, len(count))
	}
	four := 0 // openings that are their own mirror image come in four positions, others in eight
	for _, n := range count {
		if n == 4 {
			four++
		} else if n != 8 {
			t.Errorf("an opening comes in %d positions", n)
		}
	}
	if four != 6 {
		t.Errorf("%d openings are symmetric, want 6", four)
	}

	// Fifth moves that differ: 221 cells are free. In Kansei, all in column h, with a fourth
	// stone there, 15-4 cells of the column are their own images and 14*15/2 pairs are left.
	for _, c := range []struct {
		choices string
		want    int
	}{
		{"put h8,put h9,put h10,stay,put h11", 11 + 14*15/2},
		{"put h8,put h9,put h10,stay,put i11", 221},
		{"put h8,put i9,put j10,stay,put a1", 11 + 14*15/2},   // a diagonal
		{"put h8,put h9,put h6,stay,put h7", 11 + 14*15/2},    // Zuisei
		{"put h8,put h9,put j8,stay,put h7", 13 + (221-13)/2}, // whites mirrored about row 8
	} {
		s := state(t, RIF, c.choices)
		s.rest = []part{offers(1 << 20)}
		n := 0
		for {
			step := s.Step()
			m := step.Cells.First()
			if m == board.None {
				break
			}
			if err := s.Apply(Choice{Action: Offer, Move: m}); err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != c.want {
			t.Errorf("%s: %d fifth moves differ, want %d", c.choices, n, c.want)
		}
	}
}

// TestNames: the 26 openings are distinct, each is found from all eight sides and wherever
// its first stone lies, and together they are all that a third stone in the 5x5 can make.
func TestNames(t *testing.T) {
	all := Openings()
	if len(all) != 26 {
		t.Fatalf("%d openings", len(all))
	}
	codes := map[string]bool{}
	for i, n := range all {
		if want := fmt.Sprintf("%d%c", i%13+1, "DI"[i/13]); n.Code != want {
			t.Errorf("opening %d has the code %s, want %s", i, n.Code, want)
		}
		codes[n.Name], codes[n.Kanji] = true, true
		if star := strings.HasSuffix(n.Kanji, "星"); star != (strings.HasSuffix(n.Name, "sei") || n.Name == "Myojo") || !star && !strings.HasSuffix(n.Name, "getsu") {
			t.Errorf("%s is written %s", n.Name, n.Kanji)
		}
		for sym := range board.Symmetries {
			stones := n.Stones(15, 15)
			for j, m := range stones {
				m = board.Transform(m, sym, 15, 15)
				stones[j] = board.At(m.X()+2, m.Y()-3)
			}
			if got, ok := NameOf(stones[:]); !ok || got.Code != n.Code {
				t.Errorf("%s turned by %d is found as %s", n.Code, sym, got.Code)
			}
		}
		second := board.At(8, 6) // above and right of the first
		if n.Code[len(n.Code)-1] == 'D' {
			second = board.At(7, 6)
		}
		s := n.Stones(15, 15)
		if s[0] != board.At(7, 7) || s[1] != second {
			t.Errorf("%s has its second stone on %v", n.Code, s[1])
		}
		if _, err := replay(RIF, 15, 15, []Choice{{Action: Put, Move: s[0]}, {Action: Put, Move: s[1]}, {Action: Put, Move: s[2]}}); err != nil {
			t.Errorf("%s: %v", n.Code, err)
		}
	}
	if len(codes) != 52 {
		t.Errorf("%d names", len(codes))
	}
	for _, text := range []string{"h8h10h9", "h8h9k9", "h8i9"} {
		stones, err := board.ParseMoves(text, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := NameOf(stones); ok {
			t.Errorf("%s is called %s", text, n.Name)
		}
	}
}

func TestParse(t *testing.T) {
	for _, r := range Rules() {
		for _, text := range []string{r.String(), strings.ToUpper(r.String()), strings.ReplaceAll(r.String(), "-", "")} {
			if got, err := Parse(text); err != nil || got != r {
				t.Errorf("%q is %v, %v", text, got, err)
			}
		}
	}
	if r, err := Parse("Long-Pro"); err != nil || r != LongPro {
		t.Errorf("Long-Pro is %v, %v", r, err)
	}
	for _, text := range []string{"", "pro2", "soosyrv"} {
		if r, err := Parse(text); err == nil {
			t.Errorf("%q is %v", text, r)
		}
	}
	for _, c := range everyChoice(15, 15) {
		on := c.Move < board.Cells && c.Move.X() >= 0 && c.Move.X() < 15 && c.Move.Y() >= 0 && c.Move.Y() < 15
		if c.Action.OnCell() && !on {
			continue
		}
		if got, err := ParseChoice(c.String(), 15, 15); err != nil || got != c {
			t.Errorf("%v is read as %v, %v", c, got, err)
		}
	}
	for _, text := range []string{"", "put", "put z9", "put h8i9", "put h8 h9", "swap now", "declare", "declare x", "move h8", "\x00"} {
		if c, err := ParseChoice(text, 15, 15); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q is read as %v, %v", text, c, err)
		}
	}
}

func TestSizes(t *testing.T) {
	for _, r := range Rules() {
		if _, err := New(r, r.LeastSize(), r.LeastSize()); err != nil {
			t.Errorf("%v: %v", r, err)
		}
		for _, size := range [][2]int{{r.LeastSize() - 1, 15}, {15, 23}, {0, 0}} {
			if _, err := New(r, size[0], size[1]); err == nil {
				t.Errorf("%v is played on %v", r, size)
			}
		}
	}
	if _, err := New(rules, 15, 15); err == nil {
		t.Error("a rule that is none is played")
	}
}
