package search

import (
	"context"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/longtest"
	"tengen/brain/score"
)

// checkLine plays line from b and reports whether its last move makes a five. Every move must
// be legal, and none may follow the end of the game.
func checkLine(t *testing.T, b *board.Board, line []board.Move) (five bool) {
	t.Helper()
	b = b.Clone()
	for i, m := range line {
		if five || !b.Legal(m) {
			t.Fatalf("move %d of the line %v after %d plies: legal %v, after a five %v", i+1, line, b.Ply(), b.Legal(m), five)
		}
		five = b.Wins(b.Side(), m)
		b.Play(m)
	}
	return five
}

// TestLinesAreWorthReading plays games with searches that are interrupted. The line of each
// move must be legal and long, and that of a proven win or loss must end with the five.
func TestLinesAreWorthReading(t *testing.T) {
	longtest.Here(t)
	var deep, short, proven, open int
	for _, rule := range []board.Rule{board.Freestyle, board.Renju} {
		{
			b := boardtest.After(t, rule, 15, "h8h9j8")
			p := newTestPool(1, 8<<20)
			for i := range 60 {
				last := Info{}
				limits := Limits{Nodes: int64(12_000 + 977*i)}
				if i%2 > 0 {
					limits.Hard = time.Hour // there is time to complete a line
				}
				r := p.Search(context.Background(), b, limits, func(i Info) {
					checkLine(t, b, i.PV)
					last = i
				})
				if r.Move == board.None {
					break
				}
				if r.Info.PV[0] != r.Move {
					t.Fatalf("the line %v does not begin with the move %v", r.Info.PV, r.Move)
				}
				five := checkLine(t, b, r.Info.PV)
				switch {
				case r.Info.Score.Proven():
					proven++
					if wins := len(r.Info.PV)%2 == 1; !five || wins != (r.Info.Score > 0) {
						open++
						t.Logf("score %d, line %v\n%v", r.Info.Score, r.Info.PV, boardtest.Drawing(b))
					}
				case last.Depth >= 10:
					deep++
					if len(r.Info.PV) <= 2 {
						short++
					}
				}
				b.Play(r.Move)
				if v, _ := b.Verdict(); v != board.Unfinished {
					break
				}
			}
		}
	}
	t.Logf("%d of %d deep lines are short, %d of %d proven ones open", short, deep, open, proven)
	if deep < 25 || short*50 > deep {
		t.Errorf("%d of %d lines have one or two moves", short, deep)
	}
	if proven < 20 || open > 0 {
		t.Errorf("%d of %d lines of proven values do not end with the five", open, proven)
	}
}

// The line of a win goes on to the five where Black in renju may not stop it.
func TestLineWithoutABlock(t *testing.T) {
	b := boardtest.After(t, board.Renju, 13, "e9f7i6f6e7d5h9g9e6h5i8i9f9d8d6h4d7g5g6")
	r := newTestPool(1, 1<<20).Search(context.Background(), b, Limits{Depth: 4}, nil)
	if r.Info.Score != score.WinIn(3) || len(r.Info.PV) != 3 || !checkLine(t, b, r.Info.PV) {
		t.Errorf("score %d, line %v, want a win in 3 plies", r.Info.Score, r.Info.PV)
	}
}
