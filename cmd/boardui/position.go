package main

import (
	"errors"
	"fmt"
	"strings"

	"tengen/brain/board"
	"tengen/brain/record"
)

// A position is a game as every request has it: the moves in order, black first.
type position struct {
	Width  int        `json:"width"`
	Height int        `json:"height"`
	Rule   board.Rule `json:"rule"`
	Moves  string     `json:"moves"` // pos notation, as in "h8i9", with "-" for a pass
}

// A fault is an error in the answer to a request. The page translates the code; the text has
// the details in English.
type fault struct {
	status int
	Code   string `json:"code"`
	Text   string `json:"error"`
}

func (f *fault) Error() string { return f.Text }

func bad(code, format string, args ...any) *fault {
	return &fault{400, code, fmt.Sprintf(format, args...)}
}

// set plays the moves on a board. Every move must be legal, and the game not over before the
// last: engines are never asked about impossible positions. With the fault of a move it returns
// the board before it and all moves.
func (p *position) set() (*board.Board, []board.Move, *fault) {
	b, f := p.board()
	if f != nil {
		return nil, nil, f
	}
	moves, f := p.moves()
	if f != nil {
		return nil, nil, f
	}
	return b, moves, replay(b, moves)
}

// game returns the moves of a game that may be over: as for set, but the last may be forbidden to
// black, who has lost by it.
func (p *position) game() ([]board.Move, *fault) {
	b, moves, f := p.set()
	if f != nil && (f.Code != "forbidden" || b.Ply() < len(moves)-1) {
		return nil, f
	}
	return moves, nil
}

// show is set for looking at a position, which may be one of a file: a game may go on after its
// end, and black may have made a forbidden move, which loses. The look is that of the end.
func (p *position) show(threats bool) (*look, *fault) {
	b, err := p.board()
	if err != nil {
		return nil, err
	}
	moves, f := p.moves()
	if f != nil {
		return nil, f
	}
	var end *look
	for i, m := range moves {
		if m == board.None {
			b.Pass()
			continue
		}
		switch err := b.Try(m.X(), m.Y()); err {
		case nil, board.ErrForbidden:
		default:
			return nil, bad("taken", "move %d: %s: %v", i+1, name(b, m), err)
		}
		foul := b.Side() == board.Black && b.Forbidden(m)
		b.Play(m)
		if v, _ := b.Verdict(); end == nil && (foul || v != board.Unfinished) {
			l := see(b, false)
			if foul {
				l.Over, l.Rows, l.Foul = board.White.String(), nil, true
			}
			end = &l
		}
	}
	l := see(b, threats && end == nil)
	if end != nil {
		l.Over, l.Rows, l.Foul = end.Over, end.Rows, end.Foul
	}
	return &l, nil
}

// board returns an empty board for the position.
func (p *position) board() (*board.Board, *fault) {
	if p.Rule&board.Continuous != 0 {
		return nil, bad("rule", "continuous games are not supported")
	}
	b, err := board.New(p.Rule, p.Width, p.Height)
	if err != nil {
		return nil, bad("size", "%v", err)
	}
	return b, nil
}

func (p *position) moves() ([]board.Move, *fault) {
	moves, err := readMoves(p.Moves, p.Width, p.Height)
	if err != nil {
		return nil, bad("moves", "%v", err)
	}
	return moves, nil
}

// point reads one move in pos notation.
func (p *position) point(text string) (board.Move, *fault) {
	moves, err := board.ParseMoves(text, p.Width, p.Height)
	if err != nil || len(moves) != 1 {
		return board.None, bad("moves", "%q is not a move", text)
	}
	return moves[0], nil
}

// after is set with one more move, in pos notation, on the board and behind the moves.
func (p *position) after(text string) (*board.Board, []board.Move, *fault) {
	b, moves, f := p.set()
	if f != nil {
		return nil, nil, f
	}
	move, f := p.point(text)
	if f != nil {
		return nil, nil, f
	}
	return b, append(moves, move), replay(b, []board.Move{move})
}

// name is the name of a point for people, who count rows from the bottom.
func name(b *board.Board, m board.Move) string {
	if m == board.None {
		return "pass"
	}
	return m.Label(b.Height())
}

// maxPasses is the number of passes that a game may have: those of a position with stones of
// one color only.
const maxPasses = board.MaxSize * board.MaxSize

// readMoves reads pos notation with "-" for a pass, which is board.None.
func readMoves(text string, width, height int) ([]board.Move, error) {
	var moves []board.Move
	for i, part := range strings.Split(text, "-") {
		if i > 0 {
			moves = append(moves, board.None)
		}
		if i > maxPasses {
			return nil, fmt.Errorf("more than %d passes", maxPasses)
		}
		some, err := board.ParseMoves(part, width, height)
		if err != nil {
			return nil, err
		}
		moves = append(moves, some...)
	}
	return moves, nil
}

// replay is board.Board.PlayAll with a fault that the page translates.
func replay(b *board.Board, moves []board.Move) *fault {
	var e *board.MoveError
	if !errors.As(b.PlayAll(moves), &e) {
		return nil
	}
	switch at := name(b, e.Move); e.Err {
	case board.ErrOver:
		return bad("over", "move %d, %s, comes after the end of the game", e.Number, at)
	case board.ErrForbidden:
		return bad("forbidden", "move %d: %s is forbidden for black", e.Number, at)
	default:
		return bad("taken", "move %d: %s: %v", e.Number, at, e.Err)
	}
}

// A look is what the page shows of a position.
type look struct {
	Side      string   `json:"side"`            // to move: black, white
	Over      string   `json:"over,omitempty"`  // who won: black, white; or draw
	Rows      []string `json:"rows,omitempty"`  // stones of each winning row, in order
	Foul      bool     `json:"foul,omitempty"`  // black has lost by a forbidden move
	Forbidden string   `json:"forbidden"`       // forbidden points of black
	Fouls     []string `json:"fouls,omitempty"` // why, for each of them: overline, fours, threes
	Threats   []threat `json:"threats,omitempty"`
}

// A threat is a four or an open three on the board, with a cell that makes it a five or an
// open four.
type threat struct {
	Color  string `json:"color"`
	Kind   int    `json:"kind"`   // stones in it: 4, 3
	At     string `json:"at"`     // the cell
	Stones string `json:"stones"` // pos notation, in order
}

// see returns the look of b, with threats only if asked for.
func see(b *board.Board, threats bool) look {
	l := look{Side: b.Side().String()}
	verdict, winner := b.Verdict()
	switch verdict {
	case board.FullBoard:
		l.Over = "draw"
		return l
	case board.WinningRow:
		l.Rows = rows(b, b.Back(1))
		l.Over = winner.String()
		return l
	case board.NoMove:
		l.Over = winner.String()
	}
	var forbidden, empty []board.Move
	empty = b.Open().Append(nil)
	for _, m := range empty {
		if b.Forbidden(m) {
			forbidden = append(forbidden, m)
			l.Fouls = append(l.Fouls, foulOf(b, m))
		}
	}
	l.Forbidden = record.FormatMoves(forbidden)
	if threats && verdict == board.Unfinished {
		l.Threats = threatsOn(b, empty)
	}
	return l
}

// foulOf says why m is forbidden to black.
func foulOf(b *board.Board, m board.Move) string {
	for d := range board.Directions {
		if _, n, _ := b.Row(board.Black, m, d); n > 5 {
			return "overline"
		}
	}
	if _, sure := b.FoulThrees(m); sure {
		return "fours"
	}
	return "threes"
}

// stones returns the stones of color c next to each other through m in direction d, from
// one end to the other. The cell m is left out if it is empty.
func stones(b *board.Board, c board.Color, m board.Move, d int) (list []board.Move) {
	first, n, _ := b.Row(c, m, d)
	for i := range n {
		if at := first + board.Move(i*board.Step(d)); b.Cell(at) == c {
			list = append(list, at)
		}
	}
	return list
}

// rows returns the winning rows through the stone on m.
func rows(b *board.Board, m board.Move) []string {
	var list []string
	c := b.Cell(m)
	for d := range board.Directions {
		if _, n, capped := b.Row(c, m, d); b.Rule().Wins(c, n, capped) {
			list = append(list, record.FormatMoves(stones(b, c, m, d)))
		}
	}
	return list
}

// threatsOn lists the fours and open threes of both sides.
func threatsOn(b *board.Board, empty []board.Move) []threat {
	var list []threat
	for _, c := range []board.Color{board.Black, board.White} {
		for _, m := range empty {
			if c == board.Black && b.Forbidden(m) {
				continue
			}
			for d := range board.Directions {
				kind := 0
				switch b.Pattern(c, m, d) {
				case board.Five:
					kind = 4
				case board.OpenFour:
					kind = 3
				default:
					continue
				}
				list = append(list, threat{c.String(), kind, m.String(), record.FormatMoves(stones(b, c, m, d))})
			}
		}
	}
	return list
}
