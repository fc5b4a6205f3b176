package board

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/brain/linecode"
)

// slowPoints is the slow twin of what Board.refresh does: it works out the points of all empty cells anew
// after each change, and walks the cells around each of them.
type slowPoints struct {
	tables *tables
	cells  [Cells]Color
	points [Cells]point
}

func newSlowPoints(b *Board) *slowPoints {
	s := &slowPoints{tables: b.tables, cells: b.cells}
	s.set(None, Wall, 0) // which changes all points
	return s
}

// line returns the number of the line in direction d through the empty cell m, and both patterns.
func (s *slowPoints) line(m Move, d int) (number uint16, patterns uint32) {
	var window, key uint64
	bit := 0
	for i := -windowReach; i <= windowReach; i++ {
		c := uint64(s.cells[int(m)+i*steps[d]])
		window |= c << (2 * (i + windowReach))
		if i != 0 && -linecode.Reach <= i && i <= linecode.Reach {
			key |= c << bit
			bit += 2
		}
	}
	_, patterns = s.tables.look(window)
	return uint16(linecode.Number(uint16(key))), patterns
}

// set puts c on m and returns what that changes elsewhere, and which of these changes, the first of them
// with the index base, turn what is counted.
func (s *slowPoints) set(m Move, c Color, base int) (changes []Change, turns []turn) {
	s.cells[m] = c
	for d := range Directions {
		for cell := range Move(Cells) {
			if s.cells[cell] != Empty {
				continue
			}
			p := &s.points[cell]
			number, patterns := s.line(cell, d)
			black, white := Code(patterns&15)<<(4*d), Code(patterns>>4)<<(16+4*d)
			code := p.code&^(15<<(4*d)|15<<(16+4*d)) | black | white
			if number == p.lines[d] && code == p.code {
				continue
			}
			change := Change{was: p.code, New: code, Cell: cell, from: p.classes, oldLine: p.lines[d] | uint16(d)<<directionBit}
			for color := range White + 1 {
				change.to |= classes(s.tables.class[color][code.Of(color)]) << (8 * color)
			}
			counted := func(k classes) [2]classes { return [2]classes{k >> 4 & 15, k >> 12} }
			if counted(change.from) != counted(change.to) {
				turns = append(turns, turn(base+len(changes)))
			}
			changes = append(changes, change)
			p.lines[d], p.code, p.classes = number, code, change.to
		}
	}
	return changes, turns
}

// TestChange: change and changePlain find and note what the slow twin does, for every stone, blocked cell
// and stone that becomes a blocked cell, on boards of all rules, square and not; Play and PlayRows note the
// same.
func TestChange(t *testing.T) {
	walls := 0
	for rule := range Rule(16) {
		if !rule.Valid() {
			continue
		}
		t.Run(fmt.Sprint(rule), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(rule), 7))
			for _, size := range [][2]int{
				{MinSize, MaxSize}, {MaxSize, MinSize}, {MaxSize, MaxSize}, {MinSize + r.IntN(9), MinSize + r.IntN(9)},
			} {
				g := newChangeGame(t, rule, size[0], size[1])
				for range r.IntN(g.b.empties / 5) {
					g.block(g.choose(r))
				}
				for end := g.b.empties * r.IntN(8) / 8; g.b.empties > end; {
					g.play(g.choose(r))
				}
				walls += len(g.b.walled)
			}
		})
	}
	if walls < 100 {
		t.Errorf("%d stones became blocked cells: too few", walls)
	}
}

// A changeGame has a board and what follows it by each way to find changes.
type changeGame struct {
	t       *testing.T
	b       *Board
	slow    *slowPoints
	ways    []changeWay
	changes []Change // of the last call of set, and those before it of the same ply
	turns   []turn
	base    int // length of Board.changes at the last ply
}

// A changeWay finds changes of its own board, of which only lines and points matter.
type changeWay struct {
	name   string
	b      *Board
	change func(m Move, log *[room]Change, turns *[room]turn) (changed, turned int)
}

func newChangeGame(t *testing.T, rule Rule, width, height int) *changeGame {
	g := &changeGame{t: t}
	var boards [3]*Board
	for i := range boards {
		var err error
		if boards[i], err = New(rule, width, height); err != nil {
			t.Fatal(err)
		}
	}
	g.b, g.slow = boards[0], newSlowPoints(boards[0])
	g.ways = []changeWay{{"change", boards[1], boards[1].change}, {"changePlain", boards[2], boards[2].changePlain}}
	g.compare("an empty board", g.b)
	return g
}

// choose returns an empty cell: one that makes a five if there is one, often one near the others.
func (g *changeGame) choose(r *rand.Rand) Move {
	cells := g.b.Set(g.b.side, MakesFive).Append(nil)
	if near := g.b.Candidates(); len(cells) == 0 && near.First() != None && r.IntN(8) > 0 {
		cells = near.Append(nil)
	}
	if len(cells) == 0 {
		cells = g.b.open.Append(nil)
	}
	return cells[r.IntN(len(cells))]
}

func (g *changeGame) block(m Move) {
	g.base, g.changes, g.turns = 0, nil, nil
	g.b.Block(m)
	g.set(m, Wall)
	g.compare("blocked", g.b)
}

func (g *changeGame) play(m Move) {
	g.base, g.changes, g.turns = len(g.b.changes), nil, nil
	c, ply := g.b.side, g.b.Ply()
	if g.b.rule&Continuous != 0 {
		g.b.PlayRows(m)
	} else {
		g.b.Play(m)
	}
	g.set(m, c)
	for _, w := range g.b.Walled(ply) {
		g.set(w, Wall)
	}
	if got := g.b.Changes(ply); !slices.Equal(got, g.changes) {
		g.t.Fatalf("%v played notes %v, want %v", m, got, g.changes)
	}
	if got := g.b.turns[g.b.frames[ply].turns:]; !slices.Equal(got, g.turns) {
		g.t.Fatalf("%v played turns %v, want %v", m, got, g.turns)
	}
	g.compare("played", g.b)
}

// set puts c on m in all ways and compares them.
func (g *changeGame) set(m Move, c Color) {
	was, base := g.slow.cells[m], g.base+len(g.changes)
	changes, turns := g.slow.set(m, c, base)
	for _, way := range g.ways {
		way.b.lines.toggle(m, uint64(was^c))
		way.b.changes = way.b.changes[:base]
		var log [room]Change
		var turned [room]turn
		n, k := way.change(m, &log, &turned)
		if !slices.Equal(log[:n], changes) {
			g.t.Fatalf("%s: %v turns from %v to %v and changes %v, want %v", way.name, m, was, c, log[:n], changes)
		}
		if !slices.Equal(turned[:k], turns) {
			g.t.Fatalf("%s: %v turns from %v to %v, turns %v, want %v", way.name, m, was, c, turned[:k], turns)
		}
		g.compare(way.name, way.b)
	}
	g.changes, g.turns = append(g.changes, changes...), append(g.turns, turns...)
}

// compare compares the points of the empty cells.
func (g *changeGame) compare(name string, b *Board) {
	for m, c := range g.slow.cells {
		if c == Empty && b.points[m] != g.slow.points[m] {
			g.t.Fatalf("%s: %v has %x, want %x", name, Move(m), b.points[m], g.slow.points[m])
		}
	}
}
