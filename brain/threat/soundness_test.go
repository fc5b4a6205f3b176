package threat

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
)

// Every win that the solver claims is played out against every reply:
//
//	go test ./brain/threat -run TestSoundness -positions 10000 -v
//
// A third of the positions are random stones, a third come from games of a player that
// prefers threats, and a third from games of the engine, in testdata/threat/games, some with
// a few moves of that player more. The counts are logged by rule.
var (
	positions = flag.Int("positions", 60, "positions of each rule for TestSoundness")
	seed      = flag.Uint64("seed", 15, "seed of the positions of TestSoundness")
)

var allRules = []board.Rule{
	board.Freestyle, board.ExactFive, board.Continuous, board.Renju, board.Caro, board.Caro | board.ExactFive,
}

// walled returns an empty board with some blocked cells; one of eight is small and has many.
func walled(t *testing.T, r *rand.Rand, rule board.Rule) *board.Board {
	w, h, walls := 7+r.IntN(9), 7+r.IntN(9), 3
	if r.IntN(8) == 0 {
		w, h = 5+r.IntN(4), 5+r.IntN(4)
		walls = w * h / 5
	}
	b := boardtest.New(t, rule, w, h)
	for i := r.IntN(walls + 1); i > 0; i-- {
		if m := board.At(r.IntN(w), r.IntN(h)); b.Cell(m) == board.Empty {
			b.Block(m)
		}
	}
	return b
}

// scatter plays at random on cells of a part of the board, a square with the side box, but no
// five.
func scatter(b *board.Board, r *rand.Rand, box, stones int) {
	w, h := b.Width(), b.Height()
	x, y := r.IntN(max(w-box, 0)+1), r.IntN(max(h-box, 0)+1)
	for ; stones > 0; stones-- {
		m := board.At(min(x+r.IntN(box), w-1), min(y+r.IntN(box), h-1))
		if b.Legal(m) && !b.Wins(b.Side(), m) {
			b.Play(m)
		}
	}
}

// crowd returns a position of random stones in a part of a board, without a five.
func crowd(t *testing.T, r *rand.Rand, rule board.Rule) *board.Board {
	b := walled(t, r, rule)
	scatter(b, r, 5+r.IntN(5), 8+r.IntN(26))
	return b
}

// skirmish returns a position of a game in which both sides stop fives and otherwise
// play, mostly, one of the moves that make most, somewhere near.
func skirmish(t *testing.T, r *rand.Rand, rule board.Rule) *board.Board {
	b := boardtest.New(t, rule, 15, 15)
	b.Play(board.At(7, 7))
	for stones := 6 + r.IntN(40); stones > 0; stones-- {
		m := skirmishMove(b, r)
		if m == board.None || b.Wins(b.Side(), m) {
			break
		}
		b.Play(m)
	}
	return b
}

func skirmishMove(b *board.Board, r *rand.Rand) board.Move {
	s, o := b.Side(), b.Side().Other()
	near := b.Candidates()
	best, most := board.None, -1
	for _, m := range near.Append(nil) {
		if !b.Legal(m) {
			continue
		}
		score := 0
		switch own, other := b.Class(s, m), b.Class(o, m); {
		case own == board.MakesFive:
			score = 1000
		case other == board.MakesFive:
			score = 900
		default:
			score = 4*int(own) + 3*int(other) + r.IntN(24)
		}
		if score > most {
			best, most = m, score
		}
	}
	return best
}

// games reads the moves of the games of a rule, for a continuous game those of the game without.
func games(t *testing.T, rule board.Rule) (all [][]board.Move) {
	path := "../../testdata/threat/games/" + (rule &^ board.Continuous).FileName() + "-15.txt"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if line[0] == '#' {
			continue
		}
		moves, err := board.ParseMoves(f[len(f)-1], 15, 15)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, moves)
	}
	return all
}

// mixedPosition returns the i-th of positions of all three kinds in turn.
func mixedPosition(t *testing.T, r *rand.Rand, rule board.Rule, i int, games [][]board.Move) *board.Board {
	t.Helper()
	switch i % 3 {
	case 0:
		return crowd(t, r, rule)
	case 1:
		return skirmish(t, r, rule)
	}
	return gamePosition(t, r, rule, games)
}

// gamePosition returns a position of one of the games, or one a few moves further.
func gamePosition(t *testing.T, r *rand.Rand, rule board.Rule, games [][]board.Move) *board.Board {
	b := boardtest.New(t, rule, 15, 15)
	game := games[r.IntN(len(games))]
	for _, m := range game[:len(game)/4+r.IntN(len(game)-len(game)/4)] {
		if !b.Legal(m) || b.Wins(b.Side(), m) {
			break
		}
		b.Play(m)
	}
	for range r.IntN(8) - 3 {
		m := skirmishMove(b, r)
		if m == board.None || b.Wins(b.Side(), m) {
			break
		}
		b.Play(m)
	}
	return b
}

// slowCheck plays p out like Proof.Check, but uses nothing else of this package: after
// every move of the attacker all legal moves of the board are tried, and a five is one that
// Board.Wins finds on the lines of stones.
type slowCheck struct {
	b     *board.Board
	seen  map[step]bool
	plays int
}

func (c *slowCheck) attack(p *Proof) error {
	b := c.b
	at := step{b.Hash(), p}
	if c.seen[at] {
		return nil
	}
	s := b.Side()
	if p.Else == nil {
		if b.Cell(p.Move) == board.Empty && b.Wins(s, p.Move) {
			return nil
		}
		for _, m := range empties(b) {
			if b.Wins(s, m) {
				return nil
			}
		}
		return fmt.Errorf("no five at %v", p.Move)
	}
	if b.Cell(p.Move) != board.Empty || !b.Legal(p.Move) {
		return fmt.Errorf("%v cannot be played", p.Move)
	}
	b.Play(p.Move)
	err := c.defend(p)
	b.Undo()
	if err != nil {
		return fmt.Errorf("%v %w", p.Move, err)
	}
	c.seen[at] = true
	return nil
}

func (c *slowCheck) defend(p *Proof) error {
	b := c.b
	moved := false
	for _, m := range empties(b) {
		if b.Wins(b.Side(), m) {
			return fmt.Errorf("%v makes a five", m)
		}
		if !b.Legal(m) {
			continue
		}
		moved = true
		b.Play(m)
		c.plays++
		err := c.attack(p.After(m))
		b.Undo()
		if err != nil {
			return fmt.Errorf("%v %w", m, err)
		}
	}
	if !moved {
		return fmt.Errorf("leaves no move")
	}
	return nil
}

// TestSoundness plays out what the solver claims of random positions and of games, against every reply,
// on the slow twin. Errors of proofs are rare, and show in positions that nobody thought of.
func TestSoundness(t *testing.T) {
	for _, rule := range allRules {
		t.Run(rule.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(*seed, uint64(rule)))
			v := NewVCT(8 << 20)
			guideByNetwork(v, boardtest.New(t, rule, 15, 15))
			games := games(t, rule)
			claims, fours, inGames, longest, plays := 0, 0, 0, 0, 0
			for i := range *positions {
				b := mixedPosition(t, r, rule, i, games)
				if b.Count(b.Side(), board.MakesFive) > 0 {
					continue
				}
				hash, ply := b.Hash(), b.Ply()
				v.Clear()
				n := v.vcf.Win(b, Limits{Nodes: 10_000})
				p := v.Win(b, Limits{Nodes: 8_000})
				if b.Hash() != hash || b.Ply() != ply {
					t.Fatal("the board has changed")
				}
				if n > 0 {
					fours++
					if p == nil {
						t.Errorf("a VCF of %d plies and no proof\n%v", n, boardtest.Drawing(b))
					}
				}
				if p == nil {
					continue
				}
				claims++
				if i%3 == 2 {
					inGames++
				}
				longest = max(longest, p.Plies)
				c := slowCheck{b: b, seen: map[step]bool{}}
				if err := c.attack(p); err != nil {
					t.Fatalf("%v to move, claimed: a win in %d plies; but %v\n%v", b.Side(), p.Plies, err, boardtest.Drawing(b))
				}
				plays += c.plays
				if line := p.Line(b); len(line) != p.Plies {
					t.Errorf("a line of %d moves, %v, for a win in %d plies\n%v", len(line), line, p.Plies, boardtest.Drawing(b))
				}
			}
			t.Logf("%d positions, %d claimed wins (%d by fours, %d in games), the longest of %d plies, 0 refuted; %d replies played",
				*positions, claims, fours, inGames, longest, plays)
			if claims < *positions/15 || claims-fours < *positions/60 {
				t.Errorf("too few claims")
			}
		})
	}
}

// size returns the number of positions in p with the attacker to move.
func size(p *Proof) int {
	seen := map[*Proof]bool{}
	p.visit(seen)
	return len(seen)
}

// visit adds p and all proofs below it to seen.
func (p *Proof) visit(seen map[*Proof]bool) {
	if p == nil || seen[p] {
		return
	}
	seen[p] = true
	p.Else.visit(seen)
	for _, r := range p.Replies {
		r.Next.visit(seen)
	}
}

// TestZoneMissesNothing: after every move of the defender that is outside the zone of a
// VCF and makes no four, the VCF still wins.
func TestZoneMissesNothing(t *testing.T) {
	for _, rule := range allRules {
		t.Run(rule.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(16, uint64(rule)))
			v := NewVCT(1 << 20)
			threats, outside, holds := 0, 0, 0
			for i := range 500 {
				b := crowd(t, r, rule)
				if i%2 == 1 {
					b = skirmish(t, r, rule)
				}
				if b.Count(b.Side(), board.MakesFive)+b.Count(b.Side().Other(), board.MakesFive) > 0 {
					continue
				}
				b.Pass()
				if v.vcf.winZone(b, Limits{Nodes: 1000}) == 0 {
					continue
				}
				fast := v.vcf.zone.cells
				p := (&prover{v: v, b: b, fourNodes: proveMore * vcfNodes}).fours(maxFours)
				if p == nil {
					t.Fatalf("a VCF and no proof of it\n%v", boardtest.Drawing(b))
				}
				var z zone
				z.addProof(b, p)
				z.addCounterFours(b)
				b.Undo()
				threats++
				for _, m := range Fours(b, nil) {
					z.add(m)
					fast.Add(m)
				}
				for _, m := range empties(b) {
					if !b.Legal(m) {
						continue
					}
					b.Play(m)
					err := p.Check(b)
					// The tree of the search may be another one, with a zone of its own.
					if err != nil && !fast.Has(m) && v.vcf.Win(b, Limits{Nodes: 100_000}) == 0 {
						t.Fatalf("%v is outside the zone %v of the search\n%v", m, fast.Append(nil), boardtest.Drawing(b))
					}
					b.Undo()
					if z.cells.Has(m) {
						if err != nil {
							holds++
						}
						continue
					}
					outside++
					if err != nil {
						t.Fatalf("%v is outside the zone %v, but %v\n%v", m, z.cells.Append(nil), err, boardtest.Drawing(b))
					}
				}
			}
			t.Logf("%d threats, %d moves outside their zones, %d inside hold", threats, outside, holds)
			if threats < 60 || holds < threats {
				t.Error("too few")
			}
		})
	}
}

// A white stone only weakens Black's patterns: a cell that does not look forbidden does not
// start to look so. zone relies on it.
func TestWhiteStonesForbidNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 4))
	fouls := 0
	for range 1500 {
		b := crowd(t, r, board.Renju)
		if b.Side() == board.Black {
			b.Pass()
		}
		fouls += b.Count(board.Black, board.MakesFoul)
		for _, m := range empties(b) {
			before := *b.Set(board.Black, board.MakesFoul)
			b.Play(m)
			for _, foul := range b.Set(board.Black, board.MakesFoul).Append(nil) {
				if !before.Has(foul) {
					t.Fatalf("white on %v makes black's %v look forbidden\n%v", m, foul, boardtest.Drawing(b))
				}
			}
			b.Undo()
		}
	}
	if fouls < 200 {
		t.Errorf("only %d points that look forbidden", fouls)
	}
}
