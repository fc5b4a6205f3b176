package continuous

import (
	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/inuse"
	"tengen/brain/threat"
)

// Points of the static value, and limits of the tree. Set by hand 2026-11.
const (
	hopeMost  = 600  // of the value of shapes, at most
	hopeHalf  = 350  // points of shapes for half of hopeMost
	onMove    = 40   // points of shapes for being on move
	forced    = 750  // a row that can be forced, whatever follows
	hotFive   = 900  // a five that the side to move can make, or has to stop
	fourThree = 60   // points of shapes for a four with an open three, or two open threes, to be made
	theirFour = -120 // ... and for an open four that the other side can make

	futileDepth = 3   // plies up to which a node far above beta is left ...
	futileStep  = 130 // ... by this much for each
	firstWidth  = 8   // moves tried at depth 0 ...
	widthStep   = 4   // ... and more for each ply
	fewCells    = 12  // empty cells with which all moves are tried
	lateCells   = 60  // empty cells with which a move that changes nothing is tried
	deepest     = 16  // plies of the quiescence search
	foursDepth  = 10  // plies of it in which fours are made
	plainDepth  = 4   // plies of it in which fours are made that do nothing else
	extendTimes = 3   // depths of the iteration up to which moves that stop a five are extended
	hotWidth    = 6   // moves tried where a five can be made
	openWidth   = 12  // moves tried where the other side has an open three
	pvWidth     = 2   // times as many in the principal variation

	historyScale = 4       // added for a beta cutoff, times the square of its depth, ...
	historyMost  = 1 << 11 // ... after which all are halved
	historyFade  = 8       // divisor of what the search before has left

	reduceDepth    = 3  // plies from which late moves are searched a ply less deep: ...
	reduceFrom     = 3  // ... those after this many
	reduceLate     = 10 // moves after which it is two plies
	reduceDeep     = 6  // plies from which it is one more ...
	reduceDeepFrom = 6  // ... after this many moves
	nullDepth      = 3  // plies from which a pass is tried ...
	nullReduction  = 3  // plies less deep that it is searched
)

// Scores by which moves are ordered, with those of the evaluator, the history and the points of shapes.
const (
	scoreFirst     = 1 << 24 // the move of the hash table, or of the iteration before
	scoreFive      = 1 << 22 // makes a row
	scoreStopsFive = 1 << 21
	scoreOpenFour  = 1 << 20
	scoreStopsFour = 1 << 19 // takes the cell of an open four
	scoreStops     = 1 << 18 // stops one in another way
	scoreKiller    = 1 << 13
	scoreDead      = -1 << 20 // changes nothing
	scorePolicy    = 8        // times what the evaluator says of the move
)

// Points for one empty cell where a stone would make the pattern in one direction, and for the
// class of the cell. A cell where a five can be made counts nothing, since the search looks at it.
var (
	patternPoints = [16]int16{
		board.OpenOne: 1, board.ClosedTwo: 1, board.OpenTwo: 4, board.OpenTwoA: 5, board.OpenTwoB: 5,
		board.ClosedThree: 5, board.OpenThree: 16, board.OpenThreeS: 20, board.ClosedFour: 16, board.OpenFour: 36,
	}
	classPoints = [16]int16{
		board.MakesTwoTwos: 7, board.MakesClosedThreeTwo: 11, board.MakesThreeTwo: 22, board.MakesTwoThrees: 60,
		board.MakesFourPlus: 25, board.MakesFourThree: 80, board.MakesOpenFour: 50,
	}
)

// tables are the points of one color by the four patterns of a cell. The order of moves is that of
// the tables set by hand.
type tables struct{ cell, order [1 << 16]int16 }

// A side is a color under a rule.
type side struct {
	rule  board.Rule
	color board.Color
}

// built are the tables of the sides in use, 256 KiB each.
var built inuse.Cache[side, tables]

// tablesFor returns the tables of a color, which only under renju differ from those of the other.
func tablesFor(r board.Rule, c board.Color) *tables {
	if r&board.Renju == 0 {
		c = board.Black
	}
	return built.Get(side{r, c}, func() *tables { return newTables(r, c) })
}

func newTables(r board.Rule, c board.Color) *tables {
	t := new(tables)
	hand := eval.ByHand(r &^ board.Continuous)
	for code := range t.cell {
		class := board.ClassOf(r, c, uint16(code))
		if class == board.MakesFoul {
			continue
		}
		cell := classPoints[class]
		for d := 0; d < 16; d += 4 {
			cell += patternPoints[code>>d&15]
		}
		if class == board.MakesFive {
			cell = 0
		}
		t.cell[code], t.order[code] = cell, hand.Sides[c&1].Own[eval.CodeNumber(uint16(code))]
	}
	return t
}

// points follows a board and adds up the points of its cells.
type points struct {
	of   [2]*tables
	sums [board.MaxHistory + 1]int32 // black's less white's, by ply
	done int                         // sums are valid up to this ply
}

func (p *points) follow(b *board.Board) {
	p.of = [2]*tables{tablesFor(b.Rule(), board.Black), tablesFor(b.Rule(), board.White)}
}

// begin adds up the position.
func (p *points) begin(b *board.Board) {
	p.done = b.Ply()
	var sum int32
	for _, m := range b.Open().Append(nil) {
		sum += p.cell(b.Code(m))
	}
	p.sums[p.done] = sum
}

func (p *points) cell(k board.Code) int32 {
	return int32(p.of[board.Black].cell[k.Of(board.Black)]) - int32(p.of[board.White].cell[k.Of(board.White)])
}

func (p *points) undone(b *board.Board) { p.done = min(p.done, b.Ply()) }

// sum returns the points of the cells, black's less white's.
func (p *points) sum(b *board.Board) int32 {
	ply := b.Ply()
	for ; p.done < ply; p.done++ {
		v := p.sums[p.done]
		if m := b.Move(p.done); m != board.None {
			v -= p.cell(b.Code(m)) // its code is as it was when it was taken
			changes := b.Changes(p.done)
			for j := range changes {
				v += p.cell(changes[j].New) - p.cell(changes[j].Old())
			}
		}
		p.sums[p.done+1] = v
	}
	return p.sums[ply]
}

// order returns how promising m is for the side to move.
func (p *points) order(b *board.Board, m board.Move) int32 {
	s := b.Side()
	k := b.Code(m)
	return int32(p.of[s&1].order[k.Of(s)]) + int32(p.of[s&1^1].order[k.Of(s.Other())])/2
}

// static returns the value of the position without a search: what the evaluator says where no row can
// be made or forced at once, since it takes the next row for the end of the game. A side with two cells
// for fives has a row for sure, and it need not make it now: as long as the other side does not stop
// one of the fives it can do something else. More of them count no more, since most use the same stones.
func (s *Searcher) static() Value {
	b := s.b
	side, other := b.Side(), b.Side().Other()
	own, theirs := b.Count(side, board.MakesFive), b.Count(other, board.MakesFive)
	win := Value(0)
	if own+theirs == 0 {
		switch n := threat.StaticWin(b); {
		case n > 0:
			win = forced
		case n < 0:
			win = -forced
		default:
			return hope(s.eval.Value())
		}
	}
	v := s.points.sum(b)
	if side == board.White {
		v = -v
	}
	v += onMove
	rows := Row * Value(min(own/2, 1)-min(theirs/2, 1))
	switch {
	case own&1 != 0:
		rows += hotFive
		v -= onMove
	case theirs&1 != 0:
		rows -= hotFive / 4
		v -= 2 * onMove
	case own+theirs > 0 && b.Count(side, board.MakesOpenFour) > 0:
		win = forced
	}
	if win != 0 {
		return rows + hope(int(v))/2 + win
	}
	v += fourThree*min(1, int32(b.Count(side, board.MakesFourThree)+b.Count(side, board.MakesTwoThrees))) +
		theirFour*min(1, int32(b.Count(other, board.MakesOpenFour)))
	return rows + hope(int(v))
}

// hope returns the value of points of shapes, or of the evaluator.
func hope(points int) Value { return Value(points * hopeMost / (max(points, -points) + hopeHalf)) }
