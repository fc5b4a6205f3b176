package board

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// verdict is the slow twin of Board.Verdict, from the texts of the rules.
func (b *slowBoard) verdict() (Verdict, Color) {
	if n := len(b.history); n > 0 && b.history[n-1] != None && b.rule&Continuous == 0 {
		if m := b.history[n-1]; b.wins(b.side.Other(), m.X(), m.Y()) {
			return WinningRow, b.side.Other()
		}
	}
	if b.full() {
		return FullBoard, Empty
	}
	for y := range b.height {
		for x := range b.width {
			if b.legal(x, y) {
				return Unfinished, Empty
			}
		}
	}
	return NoMove, White
}

// TestVerdict plays random games on small boards to the end and compares the verdict after
// every move with the twin's.
func TestVerdict(t *testing.T) {
	for _, rule := range []Rule{Freestyle, ExactFive, Renju, Caro, Caro | ExactFive, Continuous, Renju | Continuous} {
		t.Run(rule.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(21, uint64(rule)))
			seen := map[Verdict]int{}
			for range 150 {
				f, err := New(rule, 5+r.IntN(4), 5+r.IntN(3))
				if err != nil {
					t.Fatal(err)
				}
				cells := f.Open().Append(nil)
				passes := r.IntN(4) // of four moves of white, so many are passes
				if passes == 3 {
					cells = cells[f.Width():] // one row is left to black, nearly alone
				} else {
					r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
					cells = cells[:r.IntN(len(cells))]
				}
				for _, m := range cells {
					f.Block(m)
				}
				slow := fromBoard(f)
				for {
					want, winner := slow.verdict()
					hash := f.Hash()
					if got, by := f.Verdict(); got != want || by != winner {
						t.Fatalf("verdict %d for %v, want %d for %v\n%v", got, by, want, winner, slow)
					}
					if f.HasMove() != (want == Unfinished) && want != WinningRow {
						t.Fatalf("a legal move: %v\n%v", f.HasMove(), slow)
					}
					if f.Hash() != hash {
						t.Fatal("the board has changed")
					}
					if want != Unfinished {
						seen[want]++
						break
					}
					if f.Side() == White && r.IntN(4) < passes && f.Ply() < 200 {
						f.Pass()
						slow.pass()
						continue
					}
					var legal []Move
					for _, m := range f.Open().Append(nil) {
						if slow.legal(m.X(), m.Y()) {
							legal = append(legal, m)
						}
					}
					m := legal[r.IntN(len(legal))]
					f.Play(m)
					slow.play(m.X(), m.Y())
				}
			}
			if seen[FullBoard] == 0 || (seen[WinningRow] > 0) != (rule&Continuous == 0) || (seen[NoMove] > 0) != (rule&Renju != 0) {
				t.Errorf("full boards, rows and no moves seen: %v", seen)
			}
		})
	}
}

func TestVerdictInWords(t *testing.T) {
	tests := []struct {
		name   string
		rule   Rule
		row    string // X black, O white, T the last stone, of the side that is not to move; # blocked
		side   Color  // to move
		want   Verdict
		winner Color
	}{
		{"an empty board", Freestyle, ".......", Black, Unfinished, Empty},
		{"five", Freestyle, "XXTXX..", White, WinningRow, Black},
		{"five of white", Renju, "OOTOO..", Black, WinningRow, White},
		{"a five that fills the board", Freestyle, "OXXTXXO", White, WinningRow, Black},
		{"a five between the opponent's stones", Caro, "OXXTXXO", White, FullBoard, Empty},
		{"six, exactly five wanted", ExactFive, "XXXTXX.", White, Unfinished, Empty},
		{"five, which ends no continuous game", Continuous, "XXTXX..", White, Unfinished, Empty},
		{"an overline is all that is left to black", Renju, "XXX.XXX", Black, NoMove, White},
		{"the same cell is white's", Renju, "XXX.XXX", White, Unfinished, Empty},
		{"the same cell without renju", ExactFive, "XXX.XXX", Black, Unfinished, Empty},
		{"a five is all that is left to black", Renju, "XX.XX##", Black, Unfinished, Empty},
		{"full", Renju, "XOXOXOX", White, FullBoard, Empty},
		{"full, black to move", Renju, "XOXOXO#", Black, FullBoard, Empty},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := New(tt.rule, len(tt.row), MinSize)
			if err != nil {
				t.Fatal(err)
			}
			for y := range MinSize {
				for x, r := range tt.row {
					if y > 0 || r == '#' {
						b.Block(At(x, y))
					}
				}
			}
			place := func(x int, c Color) {
				if b.Side() != c {
					b.Pass()
				}
				b.Play(At(x, 0))
			}
			for x, r := range tt.row {
				switch r {
				case 'X':
					place(x, Black)
				case 'O':
					place(x, White)
				}
			}
			if x := strings.IndexByte(tt.row, 'T'); x >= 0 {
				place(x, tt.side.Other())
			} else if b.Side() != tt.side {
				b.Pass()
			}
			if v, winner := b.Verdict(); v != tt.want || winner != tt.winner {
				t.Errorf("verdict %d for %v, want %d for %v", v, winner, tt.want, tt.winner)
			}
			b.Pass()
			row := Empty
			if tt.want == WinningRow {
				row = tt.winner
			}
			if b.Winner() != row || b.Won() != (row != Empty) {
				t.Errorf("after a pass: the winner is %v, won is %v", b.Winner(), b.Won())
			}
		})
	}
}

// TestCentral: the move returned is legal, and no legal move lies nearer to the middle.
func TestCentral(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 1))
	for range 200 {
		w, h := 5+r.IntN(4), 5+r.IntN(4)
		b, err := New(Renju, w, h)
		if err != nil {
			t.Fatal(err)
		}
		for range r.IntN(w * h) {
			if m := At(r.IntN(w), r.IntN(h)); b.Legal(m) {
				b.Play(m)
			}
		}
		distance := func(m Move) int {
			dx, dy := 2*m.X()-(w-1), 2*m.Y()-(h-1)
			return dx*dx + dy*dy
		}
		best := b.Central()
		if best == None != !b.HasMove() || best != None && !b.Legal(best) {
			t.Fatalf("%v is not legal", best)
		}
		for _, m := range b.Open().Append(nil) {
			if b.Legal(m) && distance(m) < distance(best) {
				t.Fatalf("%v lies nearer to the middle than %v", m, best)
			}
		}
	}
}
