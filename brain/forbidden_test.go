package brain

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
	"tengen/brain/longtest"
	"tengen/brain/record"
	"tengen/brain/score"
	"tengen/brain/threat"
)

var forbiddenSeed = flag.Uint64("forbiddenseed", 1, "of the first game of BenchmarkForbiddenFind")

const (
	forbiddenNodes = 150_000 // of the engine
	forbiddenProof = 60_000  // of the solver
	forbiddenWin   = 30_000  // of the solver for white's win
	leastPlies     = 5       // of a win
)

// A trap is a position of renju, white to move, in which white wins by forcing black onto a
// forbidden point. Black's last move was a mistake.
type trap struct {
	moves []board.Move
	first board.Move // of a win that is known
}

func traps(t *testing.T) []trap {
	t.Helper()
	f, err := os.Open("../testdata/forbidden/renju-15.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []trap
	for in := bufio.NewScanner(f); in.Scan(); {
		text := strings.Fields(in.Text())
		if len(text) == 0 || text[0] == "#" {
			continue
		}
		if len(text) != 3 {
			t.Fatalf("%q has %d fields, want three", in.Text(), len(text))
		}
		if plies, err := strconv.Atoi(text[1]); err != nil || plies < leastPlies {
			t.Fatalf("%q tells no plies of a win", in.Text())
		}
		list = append(list, trap{cells(t, text[0]), cells(t, text[2])[0]})
	}
	return list
}

// setUp returns a board with the moves.
func setUp(t testing.TB, rule board.Rule, moves []board.Move) *board.Board {
	t.Helper()
	b := boardtest.New(t, rule, 15, 15)
	for _, m := range moves {
		if rule&board.Renju != 0 && !b.Legal(m) || b.Wins(b.Side(), m) {
			t.Fatalf("%v cannot be played in %v", m, moves)
		}
		b.Play(m)
	}
	return b
}

// A judge has a solver for each of the rules that it compares.
type judge struct{ renju, free *threat.VCT }

func newJudge(t testing.TB) judge {
	solver := func(rule board.Rule) *threat.VCT {
		v := threat.NewVCT(16 << 20)
		v.SetGuide(eval.Embedded().New(boardtest.New(t, rule, 15, 15)))
		return v
	}
	return judge{solver(board.Renju), solver(board.Freestyle)}
}

// win returns a proof of a win of the side to move that v finds within nodes, else nil.
func win(v *threat.VCT, b *board.Board, nodes int) *threat.Proof {
	v.Clear()
	return v.Win(b, threat.Limits{Nodes: nodes})
}

// byFouls returns a proof of a win of the side to move, white, that without fouls is none; nil if
// there is no such win.
func (j judge) byFouls(t testing.TB, moves []board.Move) *threat.Proof {
	b := setUp(t, board.Renju, moves)
	if b.Count(board.White, board.MakesFive) > 0 || threat.StaticWin(b) > 0 {
		return nil
	}
	p := win(j.renju, b, forbiddenWin)
	if p == nil || p.Plies < leastPlies {
		return nil
	}
	if free := setUp(t, board.Freestyle, moves); threat.StaticWin(free) > 0 || win(j.free, free, forbiddenProof) != nil {
		return nil
	}
	return p
}

// springs returns the plies and the first move of a win as byFouls knows it that ends with black
// unable to stop a five on a forbidden point. 0 if there is no such win.
func (j judge) springs(t testing.TB, moves []board.Move) (plies int, first board.Move) {
	p := j.byFouls(t, moves)
	if p == nil {
		return 0, board.None
	}
	b := setUp(t, board.Renju, moves)
	line := p.Line(b)
	if len(line) != p.Plies {
		return 0, board.None
	}
	for _, m := range line[:len(line)-2] {
		b.Play(m)
	}
	if b.Side() != board.Black || b.Count(board.White, board.MakesFive) != 1 || !b.Forbidden(b.Set(board.White, board.MakesFive).First()) {
		return 0, board.None
	}
	return p.Plies, line[0]
}

// wins reports whether the side to move is seen to win b, a board of renju.
func (j judge) wins(b *board.Board) bool {
	return threat.StaticWin(b) > 0 || win(j.renju, b, forbiddenProof) != nil
}

// TestForbiddenWins: white finds the win in every position of testdata/forbidden, and it is
// one because of a forbidden point. Each position has a trap of its own shape, and a fault in the
// forbidden points of the search shows in some of them only.
func TestForbiddenWins(t *testing.T) {
	longtest.Here(t)
	j := newJudge(t)
	list := traps(t)
	if len(list) < 20 {
		t.Errorf("%d positions, want 20", len(list))
	}
	for i, p := range list {
		if j.byFouls(t, p.moves) == nil {
			t.Errorf("position %d: no win that rests on a forbidden point", i+1)
		}
		e := newGame(t, 15, 15, "rule", "4", "max_node", strconv.Itoa(forbiddenNodes))
		for _, m := range p.moves {
			if err := e.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		thought := think(t, e)
		if len(thought.Infos) == 0 || thought.Infos[0].Score < score.WinFloor {
			t.Errorf("position %d: %v, %v is not seen to win", i+1, thought.Move, p.first)
			continue
		}
		// The win is one, and so is the known one: after white's move black has lost whatever he does.
		for _, first := range []board.Move{thought.Move, p.first} {
			b := setUp(t, board.Renju, append(p.moves[:len(p.moves):len(p.moves)], first))
			if m := j.answer(b); m != board.None {
				t.Errorf("position %d: %v is answered by %v", i+1, first, m)
			}
		}
	}
}

// answer returns a move of the side to move near the stones after which the other side is not seen to
// win, None if there is none.
func (j judge) answer(b *board.Board) board.Move {
	near := b.Candidates()
	for _, m := range near.Append(nil) {
		if !b.Legal(m) {
			continue
		}
		b.Play(m)
		lost := j.wins(b)
		b.Undo()
		if !lost {
			return m
		}
	}
	return board.None
}

// TestForbiddenAvoided: with black to move one ply earlier, who has no win himself, the engine
// does not fall for it: after its move the solver finds no win of white. One in four of the positions
// is tried, as the solver proves two draws of each. It alone has Black see a forbidden point ahead.
func TestForbiddenAvoided(t *testing.T) {
	longtest.Here(t)
	j := newJudge(t)
	for i, p := range traps(t) {
		if i%4 != 0 {
			continue
		}
		before := p.moves[:len(p.moves)-1]
		e := newGame(t, 15, 15, "rule", "4", "max_node", strconv.Itoa(forbiddenNodes))
		for _, m := range before {
			if err := e.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		b := setUp(t, board.Renju, before)
		if j.wins(b) {
			t.Errorf("position %d: black, to move, wins", i+1)
		}
		m := think(t, e).Move
		b.Play(m)
		if j.wins(b) {
			t.Errorf("position %d: black plays %v, and white wins", i+1, m)
		}
	}
}

// BenchmarkForbiddenFind finds a position for testdata/forbidden each time and prints it: of games of
// random threats one that springs knows and in which black had, one ply earlier, no win himself and a
// move after which the solver finds none of white's.
//
//	go test ./brain -run '^$' -bench ForbiddenFind -benchtime 24x -forbiddenseed 4000000
func BenchmarkForbiddenFind(b *testing.B) {
	j := newJudge(b)
	seed := *forbiddenSeed
	for b.Loop() {
		var moves []board.Move
		plies, first := 0, board.None
		for ; plies == 0; seed++ {
			moves, plies, first = j.findForbidden(b, rand.New(rand.NewPCG(seed, 4)))
		}
		fmt.Println(record.FormatMoves(moves), plies, first)
	}
}

// findForbidden returns such a position if a game of random threats by r comes to one, else 0 plies.
func (j judge) findForbidden(t testing.TB, r *rand.Rand) (moves []board.Move, plies int, first board.Move) {
	b := setUp(t, board.Renju, []board.Move{board.At(7, 7)})
	for stones := 9 + 2*r.IntN(12); b.Ply() < stones; {
		m := randomThreat(b, r)
		if m == board.None || b.Wins(b.Side(), m) {
			break
		}
		b.Play(m)
	}
	if b.Side() != board.White || b.Count(board.Black, board.MakesFoul) == 0 {
		return nil, 0, board.None
	}
	moves = b.Moves()
	if plies, first = j.springs(t, moves); plies == 0 {
		return nil, 0, board.None
	}
	if b.Undo(); j.wins(b) || j.answer(b) == board.None {
		return nil, 0, board.None
	}
	return moves, plies, first
}

// randomThreat returns one of the moves that make most, by chance, and stops fives.
func randomThreat(b *board.Board, r *rand.Rand) board.Move {
	s, o := b.Side(), b.Side().Other()
	near := b.Candidates()
	best, most := board.None, -1
	for _, m := range near.Append(nil) {
		if !b.Legal(m) {
			continue
		}
		score := 4*int(b.Class(s, m)) + 3*int(b.Class(o, m)) + r.IntN(24)
		switch {
		case b.Class(s, m) == board.MakesFive:
			score = 1000
		case b.Class(o, m) == board.MakesFive:
			score = 900
		}
		if score > most {
			best, most = m, score
		}
	}
	return best
}
