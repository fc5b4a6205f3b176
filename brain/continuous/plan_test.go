package continuous

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/brain/board"
)

// endgame plays at random until so many cells are empty, fives only now and then, so that some
// are left.
func endgame(t *testing.T, r *rand.Rand, rule board.Rule, width, height, empties int) *board.Board {
	t.Helper()
	b := newBoard(t, rule, width, height, "")
	for b.Empties() > empties {
		open := b.Open().Append(nil)
		m := open[r.IntN(len(open))]
		for try := 0; try < 5 && b.Class(b.Side(), m) == board.MakesFive; try++ {
			m = open[r.IntN(len(open))]
		}
		b.PlayRows(m)
	}
	return b
}

func walls(b *board.Board) int {
	n := 0
	for y := range b.Height() {
		for x := range b.Width() {
			if b.Cell(board.At(x, y)) == board.Wall {
				n++
			}
		}
	}
	return n
}

// Rows that are settled cannot be prevented: whatever the other side plays on the board as it
// is, a five is left. Where nothing is settled the position stays as it is.
func TestSettle(t *testing.T) {
	owned, unowned := 0, 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 4))
		rule := []board.Rule{board.Freestyle, board.ExactFive, board.Renju, board.Caro, board.Caro | board.ExactFive}[seed%5]
		b := endgame(t, r, rule, 9, 9, 10+r.IntN(50))
		before := b.Clone()
		s, rows := Settle(b)
		if err := s.Check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if b.Hash() != before.Hash() || s.Side() != b.Side() {
			t.Fatalf("seed %d: the board or the side to move has changed", seed)
		}
		taken, blocked := b.Empties()-s.Empties(), walls(s)-walls(b)
		if taken == 0 {
			if s.Hash() != b.Hash() {
				t.Fatalf("seed %d: the position has changed", seed)
			}
			continue
		}
		if rows == 0 {
			continue // both sides have made one
		}
		if blocked < 5 || taken < 2 {
			t.Errorf("seed %d: %d cells taken, %d blocked", seed, taken, blocked)
		}
		owner := b.Side()
		if rows < 0 {
			owner = owner.Other()
		}
		if owner == b.Side() {
			owned++
			b.Pass()
		} else {
			unowned++
		}
		for _, m := range b.Open().Append(nil) {
			if !b.Legal(m) {
				continue
			}
			b.PlayRows(m)
			if b.Count(owner, board.MakesFive) == 0 {
				t.Errorf("seed %d: %v prevents all %d rows", seed, m, rows)
			}
			b.Undo()
		}
		// No row is in the history.
		for n := walls(s); s.Ply() > 0; s.Undo() {
			if walls(s) != n {
				t.Fatalf("seed %d: ply %d made a row", seed, s.Ply())
			}
		}
	}
	if owned < 10 || unowned < 10 {
		t.Errorf("%d and %d positions with rows are too few for a test", owned, unowned)
	}
}

// Under caro one stone may cap two fives and take the cell of neither: white's g8 stops f8 and g9.
func TestSettleSeesCaps(t *testing.T) {
	const caps = "b8a8c8g14d8m1e8m3g10m5g11k1g12o9g13o11"
	if _, rows := Settle(newBoard(t, board.Caro, 15, 15, caps)); rows != 0 {
		t.Errorf("%d rows that a cap prevents", rows)
	}
	if _, rows := Settle(newBoard(t, board.Freestyle, 15, 15, caps)); rows != 1 {
		t.Errorf("%d rows without caps, want 1", rows)
	}
}

// nextRow is a judge without limits: it tries all moves up to the next row. As in the ordinary
// search a quick row is better than a late one.
func nextRow(b *board.Board, without []board.Move) (points int, line []board.Move, won int) {
	score := func(won, plies int) int { return won * (1000 - plies) }
	best := -1 << 20
	for _, m := range b.Open().Append(nil) {
		if !b.Legal(m) || slices.Contains(without, m) {
			continue
		}
		rest, result := []board.Move(nil), 1
		if b.PlayRows(m) == 0 {
			_, rest, result = nextRow(b, nil)
			result = -result
		}
		b.Undo()
		if v := score(result, len(rest)); v > best {
			best, won, line = v, result, append([]board.Move{m}, rest...)
		}
	}
	return 0, line, won
}

// The best plan, by a judge without limits, loses fewer rows in endgames than the judge's own
// move, which is taken unless another plan is better. The slow twin of the search says what a
// move gains.
func TestPlanGainsMore(t *testing.T) {
	lost, lostAlone := 0, 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		rule := []board.Rule{board.Freestyle, board.Freestyle, board.ExactFive, board.Renju}[seed%4]
		b := endgame(t, r, rule, 5+r.IntN(3), 5+r.IntN(3), 6)
		_, line, _ := nextRow(b, nil)
		if len(line) == 0 {
			continue
		}
		after := func(m board.Move) Value {
			v := Row * Value(b.PlayRows(m))
			v -= gain(b)
			b.Undo()
			return v
		}
		planned, plan := line[0], Plan(b, line[0], nextRow)
		best := after(line[0])
		for _, m := range b.Open().Append(nil) {
			if !b.Legal(m) {
				continue
			}
			best = max(best, after(m))
			if v := Plan(b, m, nextRow); v > plan {
				planned, plan = m, v
			}
		}
		lost += int((best - after(planned)) / Row)
		lostAlone += int((best - after(line[0])) / Row)
	}
	t.Logf("plans lose %d rows, the judge alone %d", lost, lostAlone)
	if lostAlone < 10 || lost*2 > lostAlone {
		t.Errorf("plans lose %d rows, the judge alone %d", lost, lostAlone)
	}
}

// Of the ways in which the other side can force a row the worst counts.
func TestPlanFearsTheWorst(t *testing.T) {
	b := newBoard(t, board.Freestyle, 15, 15, "a15f8o15g8a1h8") // white has an open three, black is to move
	at := func(cell string) board.Move { return newBoard(t, board.Freestyle, 15, 15, cell).Move(0) }
	asked := 0
	judge := func(b *board.Board, without []board.Move) (points int, line []board.Move, won int) {
		asked++
		free := func(cell string) bool { return b.Cell(at(cell)) == board.Empty }
		switch {
		case free("e8") && free("i8"):
			for _, m := range []board.Move{at("e8"), at("i8")} {
				if !slices.Contains(without, m) {
					return 0, []board.Move{m}, 1
				}
			}
			return 0, nil, 0
		case free("j8"):
			return 200, nil, 0 // after e8
		default:
			return -200, nil, 0 // after i8
		}
	}
	if got, want := Plan(b, at("o1"), judge), -Row+hope(-200); got != want {
		t.Errorf("%d, want %d", got, want)
	}
	if asked != 5 {
		t.Errorf("the judge was asked %d times, want 5", asked)
	}
}
