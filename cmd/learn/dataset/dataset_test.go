package dataset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/sample"
	"tengen/brain/score"
	"tengen/brain/winrate"
	"tengen/cmd/internal/flags"
)

// write makes a file of games of one origin, with one stone each, and returns its name.
func write(t *testing.T, name, origin string, rules ...board.Rule) string {
	t.Helper()
	var buf bytes.Buffer
	w, err := sample.NewWriter(&buf, origin)
	if err != nil {
		t.Fatal(err)
	}
	for n, rule := range rules {
		g := &sample.Game{Number: uint32(n), Rule: rule, Width: 15, Height: 15, Outcome: record.Drawn}
		g.Plies = []sample.Ply{{Move: board.At(n, 0), Best: board.At(n, 0), Value: 1}}
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, buf.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestRead(t *testing.T) {
	a, b := write(t, "a", "one", 4, 0, 4|board.Continuous), write(t, "b", "two", 0, 4)
	for rule, want := range map[int]string{0: "[1 0]", 4: "[0 1]", 8: "[]"} {
		s, err := Read(t.Context(), []string{a, b}, rule)
		if err != nil {
			t.Fatal(err)
		}
		columns := []int{}
		for _, g := range s.Games {
			columns = append(columns, g.Plies[0].Move.X())
		}
		if fmt.Sprint(columns) != want || s.Rule != board.Rule(rule) {
			t.Errorf("rule %d: columns %v of rule %d, want %s", rule, columns, s.Rule, want)
		}
		if len(s.Sums) != 2 || !strings.HasPrefix(s.Sums[0], "a ") || len(s.Sums[1]) != 10 || len(s.Origins) != 2 || s.Origins[1] != "two" {
			t.Errorf("sums %q, origins %q", s.Sums, s.Origins)
		}
	}
	if _, err := Read(t.Context(), []string{a, b}, -1); err == nil || !strings.Contains(err.Error(), "2 games of rule 4 and 2 of other rules") {
		t.Errorf("two rules: %v", err)
	}
	if s, err := Read(t.Context(), []string{write(t, "c", "x", 2, 4, 6)}, -1); err != nil || s.Rule != 4 || len(s.Games) != 1 {
		t.Errorf("one rule: %+v, %v", s, err)
	}
	if _, err := Read(t.Context(), []string{write(t, "e", "x", 2, 6)}, -1); err == nil || !strings.Contains(err.Error(), "2 continuous games and no others") {
		t.Errorf("continuous games: %v", err)
	}
	if _, err := Read(t.Context(), []string{write(t, "d", "x")}, -1); err == nil || flags.OneLine(err) != "the files have no games" {
		t.Errorf("no game: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, []string{a}, 4); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestErrorsNameTheFile(t *testing.T) {
	cut := write(t, "cut", "x", 0, 0)
	raw, err := os.ReadFile(cut)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, raw[:len(raw)-1], 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{cut, filepath.Join(t.TempDir(), "none"), os.DevNull} {
		if _, err := Read(t.Context(), []string{name}, 0); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTargets(t *testing.T) {
	for _, test := range []struct {
		name  string
		value int16
		side  board.Color
		o     record.Outcome
		want  float64
	}{
		{"even and drawn", 0, board.Black, record.Drawn, 0.5},
		{"even, black won, black to move", 0, board.Black, record.BlackWon, 0.625},
		{"even, black won, white to move", 0, board.White, record.BlackWon, 0.375},
		{"even, white won, white to move", 0, board.White, record.WhiteWon, 0.625},
		{"73% and no result", 200, board.White, record.Unknown, 1 / (1 + math.Exp(-1))},
		{"a proven loss that was won", int16(score.LossIn(9)), board.Black, record.BlackWon, 0.25},
		{"a proven win that was won", int16(score.WinIn(9)), board.White, record.WhiteWon, 1},
		{"no value, won", sample.NoValue, board.White, record.WhiteWon, 1},
	} {
		if got := Target(test.value, Result(test.side, test.o), 0.75); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// Returns agrees with its definition, written as a sum over the plies to come.
func TestReturns(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 2))
	for range 2000 {
		g := &sample.Game{Outcome: record.Outcome(rnd.IntN(4))}
		for range rnd.IntN(12) {
			p := sample.Ply{Move: board.At(rnd.IntN(2), 0), Best: board.At(0, 0), Value: int16(rnd.IntN(2000) - 1000)}
			if rnd.IntN(4) == 0 {
				p.Value = sample.NoValue
			}
			g.Plies = append(g.Plies, p)
		}
		trace := []float64{0, 0.3, 0.85, 1}[rnd.IntN(4)]
		for i, got := range Returns(nil, g, trace) {
			if want := slowReturn(g, i, trace); math.Abs(float64(got)-want) > 1e-6 {
				t.Fatalf("ply %d of %+v, trace %v: %v, want %v", i, g, trace, got, want)
			}
		}
	}
}

// slowReturn is the twin of Returns for one ply.
func slowReturn(g *sample.Game, ply int, trace float64) float64 {
	result := func(i int) float64 { return float64(Result(board.Color(i&1), g.Outcome)) }
	if trace == 1 {
		return result(ply)
	}
	sum, weight, sign := 0.0, 1.0, 1.0
	add := func(share, score float64) { // of the side to move at the ply, turned to that of ply
		if sign < 0 {
			score = 1 - score
		}
		sum += share * score
	}
	for i := ply; ; i, sign = i+1, -sign {
		switch {
		case i == len(g.Plies):
			if g.Outcome == record.Unknown {
				return Unknown
			}
			add(weight, result(i))
			return sum
		case g.Plies[i].Searched() && (g.Plies[i].Move != g.Plies[i].Best || lastKnown(g, i)):
			add(weight, Target(g.Plies[i].Value, Unknown, 1))
			return sum
		}
		// The next ply counts by its search, if it had one, and by what it learns.
		if next := i + 1; next < len(g.Plies) && g.Plies[next].Searched() {
			sign = -sign
			add(weight*(1-trace), Target(g.Plies[next].Value, Unknown, 1))
			sign = -sign
			weight *= trace
		}
	}
}

// lastKnown reports whether nothing after ply i says what the result of g is.
func lastKnown(g *sample.Game, i int) bool {
	if g.Outcome != record.Unknown {
		return false
	}
	for _, p := range g.Plies[i+1:] {
		if p.Searched() {
			return false
		}
	}
	return true
}

// Both ends of the cross entropy are what the definition says where that can be computed,
// and finite where it cannot.
func TestCrossEntropy(t *testing.T) {
	for _, x := range []float64{-3, 0, 0.5, 7} {
		p := winrate.AtOdds(x)
		if got, want := CrossEntropy(x, 0.3), -0.3*math.Log(p)-0.7*math.Log(1-p); math.Abs(got-want) > 1e-12 {
			t.Errorf("odds e^%v: %v, want %v", x, got, want)
		}
	}
	if got := CrossEntropy(1000, 0); got != 1000 {
		t.Errorf("%v far out, want 1000", got)
	}
}

// A game is on one side whatever run it comes from, and about the share asked for is
// kept for validation.
func TestValidationIsByGame(t *testing.T) {
	rnd := rand.New(rand.NewPCG(31, 5))
	n := 0
	for i := range 1000 {
		g := &sample.Game{Number: uint32(i)}
		for range 8 {
			g.Plies = append(g.Plies, sample.Ply{Move: board.At(rnd.IntN(15), rnd.IntN(15))})
		}
		is := Validates(g, 0.2, 3)
		g.Number, g.Outcome = 0, record.Drawn
		if Validates(g, 0.2, 3) != is {
			t.Fatal("the same moves are on both sides")
		}
		if is {
			n++
		}
	}
	if n < 140 || n > 260 {
		t.Errorf("%d of 1000 games, want about 200", n)
	}
}

// What the engine never evaluates teaches nothing, and what is forced is no choice.
func TestTeaches(t *testing.T) {
	for _, test := range []struct {
		name                  string
		moves                 string
		value                 int16
		wantValue, wantChoice bool
	}{
		{"quiet", "h8i9", 10, true, true},
		{"no value", "h8i9", sample.NoValue, true, true},
		{"an own five", "h8a1i8a3j8a5k8a7", 10, false, false},
		{"an own open four", "h8a1i8a3j8a5", 10, false, false},
		{"a five to stop", "h8a1i8a3j8a5k8", -10, false, false},
		{"an open four to stop", "h8a1i8a3j8", -10, true, false},
		{"a win in five", "h8i9", int16(score.WinIn(5)), false, false},
		{"a win in seven", "h8i9", int16(score.WinIn(7)), true, true},
		{"a proven loss", "h8i9", int16(score.LossIn(8)), true, false},
	} {
		b, err := board.New(board.Freestyle, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		moves, err := board.ParseMoves(test.moves, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range moves {
			b.Play(m)
		}
		value, choice := Teaches(b, &sample.Ply{Value: test.value, Best: board.At(7, 8)})
		if value != test.wantValue || choice != test.wantChoice {
			t.Errorf("%s: value %v, choice %v; want %v and %v", test.name, value, choice, test.wantValue, test.wantChoice)
		}
	}
}
