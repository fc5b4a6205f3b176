package review

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tengen/brain/board"
)

func value(v int) Score        { return Score{Value: v} }
func proven(side, n int) Score { return Score{Proven: side, Plies: n} }

func TestChance(t *testing.T) {
	for _, test := range []struct {
		s    Score
		want float64
	}{{value(0), 0.5}, {value(200), 0.731}, {value(-200), 0.269}, {proven(1, 9), 1}, {proven(-1, 4), 0}, {value(6000), 1}} {
		if got := test.s.Chance(); math.Abs(got-test.want) > 0.001 {
			t.Errorf("the chance of %+v is %.3f, want %.3f", test.s, got, test.want)
		}
		if got := test.s.Turned().Chance(); math.Abs(got-(1-test.want)) > 0.001 {
			t.Errorf("the chance of the other side of %+v is %.3f", test.s, got)
		}
	}
}

// TestScoreOfAMate: a score keeps the plies of a proven win or loss, and a value where there is none.
func TestScoreOfAMate(t *testing.T) {
	for _, mate := range []int{-6, 0, 7} {
		s := NewScore(150, mate)
		if s.Mate() != mate || (s.Chance() == 1) != (mate > 0) || (s.Chance() == 0) != (mate < 0) || mate == 0 && s != value(150) {
			t.Errorf("%+v of mate %d", s, mate)
		}
	}
}

func TestClasses(t *testing.T) {
	h8, i9 := board.At(7, 7), board.At(8, 8)
	line := []board.Move{h8}
	tests := []struct {
		name          string
		made          board.Move
		before, after Score // each for the side to move then
		want          Class
		loss          float64
	}{
		{"the engine's move", h8, value(40), value(-40), Best, 0},
		{"the engine's move, which looks worse after it", h8, value(40), value(400), Best, 0},
		{"as good", i9, value(40), value(-38), Best, 0.002},
		{"better than the engine thought", i9, value(40), value(-90), Best, 0},
		{"a little worse", i9, value(40), value(0), Good, 0.05},
		{"an inaccuracy", i9, value(100), value(-10), Inaccuracy, 0.11},
		{"a mistake", i9, value(100), value(60), Mistake, 0.197},
		{"a blunder", i9, value(100), value(200), Blunder, 0.354},
		{"a win is missed but the position is as good as won", i9, proven(1, 9), value(-1000), Best, 0.007},
		{"a win is missed", i9, proven(1, 9), value(0), Blunder, 0.5},
		{"a win is missed for a longer one", i9, proven(1, 9), proven(-1, 20), Best, 0},
		{"it loses by force", i9, value(0), proven(1, 7), Blunder, 0.5},
		{"it was lost anyway", i9, proven(-1, 12), proven(1, 3), Best, 0},
		{"it was nearly lost", i9, value(-400), proven(1, 3), Inaccuracy, 0.119},
		{"a move that ends the game", i9, proven(1, 1), proven(-1, 0), Best, 0},
	}
	for _, test := range tests {
		j := Judge(test.made, Evaluation{Score: test.before, Line: line}, Evaluation{Score: test.after})
		if j.Class != test.want || math.Abs(j.Loss-test.loss) > 0.001 {
			t.Errorf("%s: %v, %.3f lost, want %v, %.3f", test.name, j.Class, j.Loss, test.want, test.loss)
		}
		if (j.Better != nil) != (j.Class >= Inaccuracy) {
			t.Errorf("%s: %v, better is %v", test.name, j.Class, j.Better)
		}
	}
}

// The accuracy of a side that made the best moves only is 100, though one may seem to cost a little.
func TestAccuracy(t *testing.T) {
	best, good, blunder := Judgment{Class: Best, Loss: asGoodAs}, Judgment{Class: Good, Loss: 0.06}, Judgment{Class: Blunder, Loss: 1}
	for _, test := range []struct {
		moves []Judgment
		want  int
	}{
		{[]Judgment{best, blunder, best}, 100},
		{[]Judgment{best, best, good}, 90},
		{[]Judgment{blunder, best, blunder}, 0},
		{[]Judgment{{}, blunder, best}, 100}, // the first is of the opening
	} {
		if s := summarize(test.moves, 0); s.Accuracy != test.want {
			t.Errorf("%+v: accuracy %d, want %d", test.moves, s.Accuracy, test.want)
		}
	}
}

// A book has the evaluations of positions in pos notation.
type book map[string]Evaluation

func (b book) analyze(_ context.Context, moves []board.Move) (Evaluation, error) {
	return b[pos(moves)], nil
}

func pos(moves []board.Move) string {
	var s strings.Builder
	for _, m := range moves {
		s.WriteString(m.String())
	}
	return s.String()
}

func parse(t *testing.T, pos string) []board.Move {
	t.Helper()
	m, err := board.ParseMoves(pos, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestReview(t *testing.T) {
	// Black makes five with the ninth move. White could have stopped it with the sixth.
	g := Game{Width: 15, Height: 15, Moves: parse(t, "h8a1i8b1j8c1k8d1l8"), Opening: 2}
	line := func(s Score, pos string) Evaluation { return Evaluation{Score: s, Line: parse(t, pos)} }
	scores := book{
		"h8a1":             line(value(50), "i8"),
		"h8a1i8":           line(value(-60), "j8i9"),
		"h8a1i8b1":         line(value(100), "j9"),
		"h8a1i8b1j9":       line(value(15), "a2"), // so j9 is no better than j8
		"h8a1i8b1j8":       line(value(-20), "k8"),
		"h8a1i8b1j8k8":     line(value(85), "l8"),
		"h8a1i8b1j8c1":     line(proven(1, 3), "k8"),
		"h8a1i8b1j8c1k8":   line(proven(-1, 2), "g8"),
		"h8a1i8b1j8c1k8d1": line(proven(1, 1), "l8"),
	}
	for _, concurrency := range []int{1, 4} {
		last, of := 0, 0
		r, err := Run(t.Context(), g, concurrency, scores.analyze, func(done, total int) {
			if done != last+1 || done > total {
				t.Errorf("progress %d of %d after %d", done, total, last)
			}
			last, of = done, total
		})
		if err != nil {
			t.Fatal(err)
		}
		var classes []string
		for _, j := range r.Moves {
			classes = append(classes, j.Class.String())
		}
		if got, want := strings.Join(classes, " "), "unjudged unjudged best good best blunder best best best"; got != want {
			t.Errorf("the moves are %s, want %s", got, want)
		}
		worst := r.Moves[5]
		if got := pos(worst.Better); got != "k8l8" || worst.After != proven(-1, 4) || worst.Before != value(-85) {
			t.Errorf("the sixth move: better %s, %+v", got, worst)
		}
		if last != of || last != 9 { // 7 positions, 2 second looks
			t.Errorf("%d evaluations of %d, want 9", last, of)
		}
		if e := r.Positions[9]; e.Proven != -1 || e.Plies != 0 {
			t.Errorf("the end is %+v", e)
		}
		if b, w := r.Sides[0], r.Sides[1]; b.Moves != 4 || b.Count[Best] != 4 || b.Accuracy != 100 ||
			w.Moves != 3 || w.Count[Blunder] != 1 || w.Count[Good] != 1 || w.Accuracy != 63 {
			t.Errorf("black %+v, white %+v", b, w)
		}
	}
}

// The better move is looked at again, if there is one; if it ends the game, no analyst is asked.
func TestSecondLooks(t *testing.T) {
	for _, test := range []struct {
		name, moves string // the last move is judged
		before      Evaluation
		after       Score // of the last move, for the other side
		second      book
		want        Class
		better      Score // what the move might have had
	}{
		{"an inaccuracy that is none", "h8a1i8", Evaluation{Score: value(100), Line: parse(t, "j8")}, value(10),
			book{"h8a1j8": {Score: value(10)}}, Best, value(-10)},
		{"a five that the engine did not see", "h8a1i8b1j8c1k8d1a15", Evaluation{Score: value(300), Line: parse(t, "l8")}, value(0),
			nil, Blunder, value(300)},
		{"a mistake without a better move", "h8a1i8", Evaluation{Score: value(100)}, value(60), nil, Mistake, value(100)},
	} {
		moves := parse(t, test.moves)
		g := Game{Width: 15, Height: 15, Moves: moves, Opening: len(moves) - 1}
		scores := book{pos(moves[:g.Opening]): test.before, test.moves: {Score: test.after}}
		r, err := Run(t.Context(), g, 1, func(_ context.Context, moves []board.Move) (Evaluation, error) {
			e, ok := scores[pos(moves)]
			if !ok {
				e, ok = test.second[pos(moves)]
			}
			if !ok {
				t.Errorf("%s: the analyst is asked for %s", test.name, pos(moves))
			}
			return e, nil
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if j := r.Moves[g.Opening]; j.Class != test.want || j.Before != test.better {
			t.Errorf("%s: %v, %+v; want %v, %+v", test.name, j.Class, j.Before, test.want, test.better)
		}
	}
}

func TestReviewEndsEarly(t *testing.T) {
	g := Game{Width: 15, Height: 15, Moves: parse(t, "h8a1i8b1j8c1")}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	_, err := Run(ctx, g, 1, func(context.Context, []board.Move) (Evaluation, error) {
		if n++; n == 3 {
			cancel()
		}
		return Evaluation{}, nil
	}, nil)
	if !errors.Is(err, context.Canceled) || n != 3 {
		t.Errorf("canceled during the third position: %v after %d", err, n)
	}
	broken := errors.New("broken")
	_, err = Run(t.Context(), g, 2, func(_ context.Context, moves []board.Move) (Evaluation, error) {
		if len(moves) == 4 {
			return Evaluation{}, broken
		}
		return Evaluation{}, nil
	}, nil)
	if err != broken {
		t.Errorf("the analyst fails: %v", err)
	}
	for pos, want := range map[string]string{"h8a1i8b1j8c1k8d1l8e1": "bad move 10, e1: the game is over", "h8h8": "bad move 2, h8"} {
		g.Moves = parse(t, pos)
		if _, err := Run(t.Context(), g, 1, book{}.analyze, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", pos, err, want)
		}
	}
	r, err := Run(t.Context(), Game{Width: 15, Height: 15, Opening: 7}, 1, book{}.analyze, nil)
	if err != nil || len(r.Moves) != 0 || len(r.Positions) != 1 || r.Sides[0].Moves != 0 {
		t.Errorf("an empty game: %+v, %v", r, err)
	}
}

func TestReviewWithPasses(t *testing.T) {
	g := Game{Width: 15, Height: 15, Moves: append(parse(t, "h8"), board.None), Opening: 2}
	g.Moves = append(g.Moves, parse(t, "h9a1")...)
	r, err := Run(t.Context(), g, 1, func(_ context.Context, moves []board.Move) (Evaluation, error) {
		return Evaluation{Line: parse(t, "a2")}, nil
	}, nil)
	if err != nil || r.Moves[1].Class != Unjudged || r.Moves[2].Class != Best {
		t.Errorf("%+v, %v", r, err)
	}
	g = Game{Width: 15, Height: 15, Opening: 9} // black makes five
	for i, m := range parse(t, "h8i8j8k8l8") {
		if i > 0 {
			g.Moves = append(g.Moves, board.None)
		}
		g.Moves = append(g.Moves, m)
	}
	if r, err := Run(t.Context(), g, 1, book{}.analyze, nil); err != nil || r.Positions[9].Proven != -1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// A foul of Black ends a game of renju, and is judged as the loss that it is. Before the last
// move it is an error.
func TestReviewOfAFoul(t *testing.T) {
	const game = "h8a1h9a3f7a5g7a7h7"
	any := func(context.Context, []board.Move) (Evaluation, error) { return Evaluation{Score: value(0)}, nil }
	g := Game{Rule: board.Renju, Width: 15, Height: 15, Moves: parse(t, game)}
	r, err := Run(t.Context(), g, 1, any, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := r.Moves[8]
	if !r.Foul || last.Class != Blunder || last.After != proven(-1, 1) || r.Positions[9].Score != proven(1, 0) {
		t.Errorf("foul %v, the last move %+v, the end %+v", r.Foul, last, r.Positions[9])
	}
	g.Moves = parse(t, game+"a9")
	if _, err := Run(t.Context(), g, 1, any, nil); err == nil || !strings.Contains(err.Error(), "move 9") {
		t.Errorf("a move after the foul: %v", err)
	}
}

// TestProofsAndDeeperLooksStand: what is known better of a position is not replaced by what a
// shallower search says of the one after the best move, or the other way round.
func TestProofsAndDeeperLooksStand(t *testing.T) {
	h8, i9, line := board.At(7, 7), board.At(8, 8), []board.Move{board.At(7, 7)}
	look := func(s Score, depth int) Evaluation { return Evaluation{Score: s, Depth: depth} }
	for _, test := range []struct {
		name          string
		made          board.Move
		before, after Evaluation // each for the side to move then
		want, then    Score      // of the position and after the move, for the side that made it
	}{
		{"a loss stays one", h8, look(proven(-1, 30), 0), look(value(-78), 12), proven(-1, 30), proven(-1, 30)},
		{"a loss stays one after any move", i9, look(proven(-1, 30), 0), look(value(-78), 12), proven(-1, 30), proven(-1, 30)},
		{"a win stays one", h8, look(proven(1, 9), 0), look(value(90), 12), proven(1, 9), proven(1, 9)},
		{"a win that another move has", i9, look(proven(1, 9), 0), look(value(90), 12), proven(1, 9), value(-90)},
		{"a longer proof", h8, look(proven(1, 9), 0), look(proven(-1, 12), 0), proven(1, 9), proven(1, 9)},
		{"a shorter proof", h8, look(proven(1, 9), 0), look(proven(-1, 4), 0), proven(1, 5), proven(1, 5)},
		{"a win seen after the move", i9, look(value(50), 20), look(proven(-1, 4), 0), proven(1, 5), proven(1, 5)},
		{"a deeper look before", h8, look(value(50), 20), look(value(30), 12), value(50), value(50)},
		{"a deeper look after", h8, look(value(50), 12), look(value(30), 20), value(-30), value(-30)},
		{"as deep", h8, look(value(50), 12), look(value(30), 11), value(-30), value(-30)},
		{"a deeper look at all moves", i9, look(value(50), 20), look(value(-90), 12), value(50), value(50)},
		{"a deeper look at a better move", i9, look(value(50), 12), look(value(-90), 12), value(90), value(90)},
		{"the end", h8, look(value(50), 40), look(proven(-1, 0), ended), proven(1, 1), proven(1, 1)},
	} {
		test.before.Line = line
		j := Judge(test.made, test.before, test.after)
		if j.Before != test.want || j.After != test.then {
			t.Errorf("%s: %+v, then %+v; want %+v, then %+v", test.name, j.Before, j.After, test.want, test.then)
		}
	}
}

// TestNeighborsAgree: what a row says of the position after its move is what the next says of the one
// before its own, and the best move keeps the value. No proof of a look is lost.
func TestNeighborsAgree(t *testing.T) {
	g := Game{Width: 15, Height: 15, Moves: parse(t, "h8a1i8c1j10e1k12g1l14i1")}
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		looks := make([]Evaluation, len(g.Moves)+1)
		r, err := Run(t.Context(), g, 1, func(_ context.Context, moves []board.Move) (Evaluation, error) {
			e := Evaluation{Score: value(random.IntN(400) - 200), Depth: random.IntN(30), Line: parse(t, "o15")}
			if random.IntN(6) == 0 {
				e.Score = proven(1-2*random.IntN(2), 1+random.IntN(20))
			}
			if k := len(moves); k < len(g.Moves) && pos(moves) == pos(g.Moves[:k]) {
				if random.IntN(2) == 0 {
					e.Line = g.Moves[k : k+1]
				}
				looks[k] = e
			}
			return e, nil
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, j := range r.Moves {
			p, next := r.Positions[k], r.Positions[k+1]
			switch same := p.Line[0] == g.Moves[k]; {
			case j.Before != p.Score || j.After != next.Score.after():
				t.Fatalf("row %d: %+v, but the positions are %+v and %+v", k, j, p, next)
			case j.Loss < 0 || same && p.Proven == 0 && j.Before != j.After || same && j.Class != Best:
				t.Fatalf("row %d: %+v", k, j)
			case looks[k].Proven != 0 && p.Proven == 0:
				t.Fatalf("the proof of position %d is lost: %+v, now %+v", k, looks[k], p)
			}
		}
	}
}
