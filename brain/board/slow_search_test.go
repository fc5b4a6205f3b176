package board

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Forced wins by looking at every reply, on the slow twin.

// slowForcedWin reports whether the side to move can force a winning row within
// plies stones, counting its own and the opponent's, against every legal reply.
// A full board is a draw. Black in renju may not play forbidden points, neither to
// attack nor to defend. A win that is reported is a win; one that works only because
// the opponent has to move somewhere may be missed.
// On 15x15 up to 3 plies take about 1 ms, 5 plies 10 to 100 ms, 7 plies minutes.
func slowForcedWin(b *slowBoard, plies int) bool {
	for n := 1; n <= plies; n += 2 {
		if _, _, ok := b.attack(n, -1, -1); ok {
			return true
		}
	}
	return false
}

// slowForcedLoss reports whether every legal move of the side to move lets the
// opponent force a winning row, within plies stones in all. Cost as slowForcedWin(plies-1).
func slowForcedLoss(b *slowBoard, plies int) bool {
	for n := 2; n <= plies; n += 2 {
		if b.defenseFails(n) {
			return true
		}
	}
	return false
}

// attack returns a move of the side to move that forces a winning row within n
// plies, n odd. The cell firstX, firstY is tried first, if it is on the board and empty.
func (b *slowBoard) attack(n, firstX, firstY int) (x, y int, ok bool) {
	if x, y, ok = b.winAt(b.side); ok || n < 3 {
		return x, y, ok
	}
	if b.at(firstX, firstY) == Empty && b.attackBy(n, firstX, firstY) {
		return firstX, firstY, true
	}
	for y := range b.height {
		for x := range b.width {
			if b.cells[y][x] == Empty && b.attackBy(n, x, y) {
				return x, y, true
			}
		}
	}
	return 0, 0, false
}

// attackBy reports whether the move x, y, which does not win at once, forces a
// winning row within n plies, this move included.
func (b *slowBoard) attackBy(n, x, y int) bool {
	// The row that wins two plies later has this move in it, else its last
	// stone would win now.
	if n == 3 && !b.makesFour(b.side, x, y) || !b.legal(x, y) {
		return false
	}
	b.play(x, y)
	won := b.defenseFails(n - 1)
	b.undo()
	return won
}

// makesFour reports whether a stone of color c on x, y leaves a cell on its lines
// where the next one wins.
func (b *slowBoard) makesFour(c Color, x, y int) bool {
	b.cells[y][x] = c
	n := 0
	for d := 0; d < len(slowDirs) && n == 0; d++ {
		n, _, _ = b.completions(c, x, y, d, 0)
	}
	b.cells[y][x] = Empty
	return n > 0
}

// defenseFails reports whether the opponent of the side to move wins within n plies, n
// even, whatever the side to move does first.
func (b *slowBoard) defenseFails(n int) bool {
	me, other := b.side, b.side.Other()
	if _, _, ok := b.winAt(me); ok || b.full() {
		return false
	}
	// If the opponent has no win after a pass, some move is taken to hold too. Otherwise
	// the first move of that win is tried first against every move.
	b.pass()
	fx, fy, ok := b.attack(n-1, -1, -1)
	b.undo()
	if !ok {
		return false
	}
	for y := range b.height {
		for x := range b.width {
			if b.cells[y][x] != Empty {
				continue
			}
			b.cells[y][x] = me
			stopped := !(b.cells[fy][fx] == Empty && b.wins(other, fx, fy)) // does it stop a five at fx, fy?
			b.cells[y][x] = Empty
			if !stopped || !b.legal(x, y) {
				continue
			}
			b.play(x, y)
			_, _, ok := b.attack(n-1, fx, fy)
			b.undo()
			if !ok {
				return false
			}
		}
	}
	return true
}

// winAt returns a cell where a stone of color c wins.
func (b *slowBoard) winAt(c Color) (x, y int, ok bool) {
	for y := range b.height {
		for x := range b.width {
			if b.cells[y][x] == Empty && b.wins(c, x, y) {
				return x, y, true
			}
		}
	}
	return 0, 0, false
}

// checkClaim fails the test unless the slow twin confirms that the side to move on f
// wins within claim plies, or, if claim is negative, loses within -claim plies.
func checkClaim(t testing.TB, f *Board, claim int) {
	t.Helper()
	b := fromBoard(f)
	if claim > 0 && !slowForcedWin(b, claim) {
		t.Errorf("rule %d, %v to move: no win within %d plies\n%v", b.rule, b.side, claim, b)
	}
	if claim < 0 && !slowForcedLoss(b, -claim) {
		t.Errorf("rule %d, %v to move: no loss within %d plies\n%v", b.rule, b.side, -claim, b)
	}
}

// TestSlowSearch checks the twin on positions whose outcome a reader can see.
func TestSlowSearch(t *testing.T) {
	tests := []struct {
		name  string
		rules []Rule
		side  Color
		plies int // the shortest win of the side to move; negative: loss; 0: neither within five plies
		rows  string
	}{
		{"an empty board decides nothing", []Rule{0, 4, 8}, Black, 0, `
			. . . . . . .
			. . . . . . .
			. . . . . . .
			. . . . . . .
			. . . . . . .`},
		{"a four is completed", []Rule{0, 1, 4, 8, 9}, Black, 1, `
			. . . . . . .
			. O X X X X .
			. . . . . . .
			. . O O O . .
			. . . . . . .`},
		{"an open three becomes an open four", []Rule{0, 1, 4, 8, 9}, Black, 3, `
			. . . . . . . .
			. . . . . . . .
			. . X X X . . .
			. . . . . . . .
			. . O O . O . .
			. . . . . . . .`},
		{"an open four is lost for the other side", []Rule{0, 1, 4, 8, 9}, White, -2, `
			. . . . . . . . .
			. . . . . . . . .
			. . X X X X . . .
			. . . . . . . . .
			. . O O O . . . .
			. . . . . . . . .`},
		{"an open four against a four is won by the four", []Rule{0, 1, 4, 8, 9}, White, 1, `
			. . . . . . . . .
			. . X X X X . . .
			. . . . . . . . .
			. . O O O O . . .
			. . . . . . . . .`},
		{"caro: an open four between two caps is stopped", []Rule{8, 9}, White, 0, `
			. . . . . . . . .
			. . . . . . . . .
			. O . X X X X . O
			. . . . . . . . .
			. . . . . . . . .`},
		{"the same wins elsewhere", []Rule{0, 1, 4}, White, -2, `
			. . . . . . . . .
			. . . . . . . . .
			. O . X X X X . O
			. . . . . . . . .
			. . . . . . . . .`},
		{"four and three", []Rule{0, 1, 4}, Black, 5, `
			. . . . . . . . .
			. . . . X . . . .
			. . . . X . . . .
			. O X X . X . . .
			. . . . . . . . .
			. . . . . . . . .
			. . . . . . . . .
			. . O . O . O . .
			. . . . . . . . .`},
		{"two open threes, white to move", []Rule{0, 1, 4, 8, 9}, White, 5, `
			. . . . . . . . .
			. . . . . . . . .
			. . . . O . . . .
			. . . . O . . . .
			. . O O . . . . .
			. . . . . . . . .
			. X . X . . . . .
			. . . . . . . . .
			. . . . . . . X .`},
		{"two open threes are forbidden for black in renju", []Rule{4}, Black, 0, `
			. . . . . . . . .
			. . . . . . . . .
			. . . . X . . . .
			. . . . X . . . .
			. . X X . . . . .
			. . . . . . . . .
			. O . . O . . . .
			. . . . . . . . .
			. . . . . . . O .`},
		{"white wins where black may not stop the four", []Rule{4}, White, 3, `
			. . . . . . . . . .
			. . . . X . . . . .
			. . . . X . . . . .
			. . . X . O O O . X
			. . . X . . . . . .
			. . X . . . . . . .
			. . . . . . . . . .`},
		{"where he may stop it white does not win", []Rule{0}, White, 0, `
			. . . . . . . . . .
			. . . . X . . . . .
			. . . . X . . . . .
			. . . X . O O O . X
			. . . X . . . . . .
			. . X . . . . . . .
			. . . . . . . . . .`},
		{"on the last free cell a five still wins", []Rule{0, 1, 4, 8, 9}, Black, 1, `
			O O X X O
			X X . X X
			O O X O O
			X X O X X
			O O X O O`},
		{"a full board is a draw", []Rule{0, 1, 4, 8, 9}, Black, 0, `
			O O X X O
			X X O X X
			O O X O O
			X X O X X
			O O X O O`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, rule := range tt.rules {
				d := drawing{name: tt.name}
				for row := range strings.Lines(strings.TrimSpace(tt.rows)) {
					d.rows = append(d.rows, strings.Join(strings.Fields(row), ""))
				}
				b := d.board(rule)
				b.side = tt.side
				before := *b
				for n := 1; n <= 5; n++ {
					want := tt.plies > 0 && n >= tt.plies
					if got := slowForcedWin(b, n); got != want {
						t.Errorf("rule %d: win within %d plies: got %v, want %v\n%v", rule, n, got, want, b)
					}
				}
				for n := 2; n <= 4; n++ {
					want := tt.plies < 0 && n >= -tt.plies
					if got := slowForcedLoss(b, n); got != want {
						t.Errorf("rule %d: loss within %d plies: got %v, want %v\n%v", rule, n, got, want, b)
					}
				}
				if b.cells != before.cells || b.side != before.side || len(b.history) != 0 {
					t.Errorf("rule %d: the search changed the board\n%v", rule, b)
				}
			}
		})
	}
}

// plainWin is slowForcedWin without shortcuts: all moves, all replies.
func plainWin(b *slowBoard, plies int) bool {
	me := b.side
	for y := range b.height {
		for x := range b.width {
			if plies < 1 || !b.legal(x, y) {
				continue
			}
			if b.wins(me, x, y) {
				return true
			}
			b.play(x, y)
			won := plainLoss(b, plies-1)
			b.undo()
			if won {
				return true
			}
		}
	}
	return false
}

// plainLoss is slowForcedLoss without shortcuts.
func plainLoss(b *slowBoard, plies int) bool {
	me, left := b.side, false
	for y := range b.height {
		for x := range b.width {
			left = left || b.cells[y][x] == Empty
			if plies < 2 || !b.legal(x, y) {
				continue
			}
			if b.wins(me, x, y) {
				return false
			}
			b.play(x, y)
			lost := plainWin(b, plies-1)
			b.undo()
			if !lost {
				return false
			}
		}
	}
	return left && plies >= 2
}

// TestSlowSearchAgainstPlain compares the twin's search with one without shortcuts, on
// small boards with few empty cells where no side has a five to make.
func TestSlowSearchAgainstPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	var wins, losses [6]int
	for _, rule := range []Rule{0, 1, 4, 8, 9} {
		for boards := 0; boards < 500; {
			b := newSlow(rule, 7+r.IntN(2), 7)
			b.crowd(r, 300, 300, 20)
			b.side = Color(r.IntN(2))
			for empty := 8 + r.IntN(4); strings.Count(b.String(), ".") > empty; {
				if x, y := r.IntN(b.width), r.IntN(b.height); b.cells[y][x] == Empty {
					b.cells[y][x] = Color(r.IntN(2))
				}
			}
			if _, _, ok := b.winAt(b.side); ok {
				continue
			}
			boards++
			for n := 2; n <= 5; n++ {
				got, want := slowForcedWin(b, n), plainWin(b, n)
				if want {
					wins[n]++
				}
				if got != want {
					t.Errorf("rule %d, %v to move: win within %d plies: got %v, want %v\n%v", rule, b.side, n, got, want, b)
				}
				got, want = slowForcedLoss(b, n), plainLoss(b, n)
				if want {
					losses[n]++
				}
				if got != want {
					t.Errorf("rule %d, %v to move: loss within %d plies: got %v, want %v\n%v", rule, b.side, n, got, want, b)
				}
			}
		}
	}
	if wins[3] < 50 || wins[5] < wins[3]+5 || losses[2] < 500 || losses[4] < losses[2]+5 {
		t.Errorf("too few wins: wins by plies %v, losses %v", wins, losses)
	}
}
