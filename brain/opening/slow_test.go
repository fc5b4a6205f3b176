package opening

import (
	"slices"
	"strings"

	"tengen/brain/board"
)

// A plain is the slow twin of State: the rules as their texts tell them, one function of the
// choices made so far. It knows no parts and no symmetries of a position; two fifth moves are
// the same if the boards after them look the same from one of the eight sides.
type plain struct {
	w, h     int
	stones   []board.Move
	asked    []Action // answers to questions, in order
	declared int
	offers   []board.Move
	picked   bool
	black    Player
}

// A legal is one way on: a choice and who makes it.
type legal struct {
	by Player
	c  Choice
}

// next lists every legal choice under rule r after the choices.
func next(r Rule, w, h int, choices []Choice) []legal {
	p := &plain{w: w, h: h}
	for _, c := range choices {
		p.follow(r, c)
	}
	n := len(p.stones)
	white := p.black ^ 1
	switch r {
	case Pro, LongPro:
		far := map[Rule]int{Pro: 3, LongPro: 4}[r]
		switch n {
		case 0:
			return p.puts(First, p.isMiddle)
		case 1:
			return p.puts(Second, p.anywhere)
		case 2:
			return p.puts(First, func(m board.Move) bool { return p.far(m) >= far })
		}
	case Swap:
		switch {
		case n < 3:
			return p.puts(First, p.anywhere)
		case len(p.asked) == 0:
			return answers(Second, DoSwap, Stay)
		}
	case Swap2:
		switch {
		case n < 3:
			return p.puts(First, p.anywhere)
		case len(p.asked) == 0:
			return answers(Second, DoSwap, Stay, Two)
		case p.asked[0] == Two && n < 5:
			return p.puts(Second, p.anywhere)
		case p.asked[0] == Two && len(p.asked) == 1:
			return answers(First, DoSwap, Stay)
		}
	case RIF:
		switch {
		case n < 3:
			return p.canonical()
		case len(p.asked) == 0:
			return answers(Second, DoSwap, Stay)
		case n == 3:
			return p.puts(white, p.anywhere)
		default:
			return p.fifth(2)
		}
	case Soosyrv8:
		switch {
		case n < 3:
			return p.canonical()
		case len(p.asked) == 0:
			return answers(Second, DoSwap, Stay)
		case n == 3:
			return p.puts(white, p.anywhere)
		case p.declared == 0:
			return numbers(white, 8)
		case len(p.asked) == 1:
			return answers(p.black, DoSwap, Stay)
		default:
			return p.fifth(p.declared)
		}
	case Yamaguchi:
		switch {
		case n < 3:
			return p.canonical()
		case p.declared == 0:
			if w*h%2 == 0 {
				return numbers(First, (w*h-4)/4)
			}
			return numbers(First, (w*h-4)/2)
		case len(p.asked) == 0:
			return answers(Second, DoSwap, Stay)
		case n == 3:
			return p.puts(white, p.anywhere)
		default:
			return p.fifth(p.declared)
		}
	case Taraguchi10:
		switch {
		case n == 5 && (p.picked || len(p.asked) == 5):
			return nil
		case len(p.asked) == 4 && p.asked[3] == Ten:
			return p.fifth(10)
		case n == len(p.asked) && n == 0:
			return p.puts(First, p.isMiddle)
		case n == len(p.asked):
			return p.puts([]Player{p.black, white}[n%2], func(m board.Move) bool { return p.far(m) <= n })
		case n == 4:
			return answers(p.black, DoSwap, Stay, Ten)
		default:
			return answers([]Player{p.black, white}[n%2], DoSwap, Stay)
		}
	}
	return nil
}

func (p *plain) follow(r Rule, c Choice) {
	switch c.Action {
	case Put:
		p.stones = append(p.stones, c.Move)
		if r == Swap2 && len(p.stones) == 5 {
			p.black = Second // the first player now answers as white did before
		}
	case Pick:
		p.stones = append(p.stones, c.Move)
		p.picked = true
	case Offer:
		p.offers = append(p.offers, c.Move)
	case Declare:
		p.declared = c.Number
	default:
		p.asked = append(p.asked, c.Action)
		if c.Action == DoSwap {
			p.black = p.black ^ 1
		}
	}
}

func answers(by Player, list ...Action) []legal {
	var l []legal
	for _, a := range list {
		l = append(l, legal{by, Choice{Action: a}})
	}
	return l
}

func numbers(by Player, most int) []legal {
	var l []legal
	for n := 1; n <= most; n++ {
		l = append(l, legal{by, Choice{Action: Declare, Number: n}})
	}
	return l
}

func (p *plain) puts(by Player, ok func(board.Move) bool) []legal {
	return p.cells(by, Put, ok)
}

func (p *plain) cells(by Player, a Action, ok func(board.Move) bool) []legal {
	var l []legal
	for y := range p.h {
		for x := range p.w {
			if m := board.At(x, y); !slices.Contains(p.stones, m) && ok(m) {
				l = append(l, legal{by, Choice{Action: a, Move: m}})
			}
		}
	}
	return l
}

func (p *plain) anywhere(board.Move) bool { return true }

func (p *plain) isMiddle(m board.Move) bool {
	dx, dy := 2*m.X()-(p.w-1), 2*m.Y()-(p.h-1)
	return dx*dx <= 1 && dy*dy <= 1
}

func (p *plain) far(m board.Move) int {
	for d := 0; ; d++ {
		x, y := p.stones[0].X(), p.stones[0].Y()
		if m.X() >= x-d && m.X() <= x+d && m.Y() >= y-d && m.Y() <= y+d {
			return d
		}
	}
}

func (p *plain) canonical() []legal {
	n := len(p.stones)
	return p.puts(First, func(m board.Move) bool {
		if n == 0 {
			return p.isMiddle(m)
		}
		return p.far(m) <= n
	})
}

// fifth lists the offers until there are n of them, then the picks.
func (p *plain) fifth(n int) []legal {
	if p.picked {
		return nil
	}
	if len(p.offers) < n {
		return p.cells(p.black, Offer, func(m board.Move) bool {
			for _, o := range p.offers {
				if p.alike(o, m) {
					return false
				}
			}
			return true
		})
	}
	return p.cells(p.black^1, Pick, func(m board.Move) bool { return slices.Contains(p.offers, m) })
}

// alike reports whether the boards with a and with b as the fifth stone look the same from
// some side.
func (p *plain) alike(a, b board.Move) bool {
	one := p.picture(append(slices.Clone(p.stones), a))
	two := p.picture(append(slices.Clone(p.stones), b))
	for range 2 {
		for range 4 {
			if slices.Equal(one, two) {
				return true
			}
			two = rotate(two)
		}
		slices.Reverse(two)
	}
	return false
}

// picture draws the board, a string a row.
func (p *plain) picture(stones []board.Move) []string {
	rows := make([][]byte, p.h)
	for y := range rows {
		rows[y] = []byte(strings.Repeat(".", p.w))
	}
	for i, m := range stones {
		rows[m.Y()][m.X()] = "XO"[i%2]
	}
	var text []string
	for _, r := range rows {
		text = append(text, string(r))
	}
	return text
}

// rotate turns a picture by a quarter.
func rotate(rows []string) []string {
	turned := make([]string, len(rows[0]))
	for x := range turned {
		for y := range rows {
			turned[x] += string(rows[len(rows)-1-y][x])
		}
	}
	return turned
}
