package samples

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/brain/search"
)

// write makes a file of games of one origin, with one stone each, and returns its name.
func write(t *testing.T, name, origin string, rules ...board.Rule) string {
	t.Helper()
	var buf bytes.Buffer
	w, err := record.NewSampleWriter(&buf, origin)
	if err != nil {
		t.Fatal(err)
	}
	for n, rule := range rules {
		g := &record.SampleGame{Number: uint32(n), Rule: rule, Width: 15, Height: 15, Outcome: record.Drawn}
		g.Plies = []record.SamplePly{{Move: board.At(n, 0), Best: board.At(n, 0), Value: 1}}
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

func TestGamesOfOneRuleAreRead(t *testing.T) {
	a, b := write(t, "a", "one", 4, 0, 4|board.Continuous), write(t, "b", "two", 0, 4)
	f := &Files{Names: []string{a, b}, Rule: -1}
	for range 2 { // the second time the rule is known, and nothing is counted twice
		var columns []int
		for g, err := range f.Games() {
			if err != nil {
				t.Fatal(err)
			}
			columns = append(columns, g.Plies[0].Move.X())
		}
		if len(columns) != 3 || columns[0] != 0 || columns[1] != 2 || columns[2] != 1 || f.Rule != 4 || f.Others != 2 {
			t.Errorf("columns %v, rule %d, %d others", columns, f.Rule, f.Others)
		}
		if len(f.Sums) != 2 || !strings.HasPrefix(f.Sums[0], "a ") || len(f.Sums[1]) != 10 || len(f.Origins) != 2 || f.Origins[1] != "two" {
			t.Errorf("sums %q, origins %q", f.Sums, f.Origins)
		}
	}
	for range f.Games() {
		break
	}
	if len(f.Sums) != 0 {
		t.Errorf("stopped at the first game, but the sums are %q", f.Sums)
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
		f := &Files{Names: []string{name, name}}
		errs := 0
		for _, err := range f.Games() {
			if err != nil {
				errs++
				if !strings.HasPrefix(err.Error(), name) && !strings.Contains(err.Error(), name) {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
		if errs != 1 {
			t.Errorf("%s: %d errors, want one", name, errs)
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
		{"a proven loss that was won", int16(search.LossIn(9)), board.Black, record.BlackWon, 0.25},
		{"a proven win that was won", int16(search.WinIn(9)), board.White, record.WhiteWon, 1},
		{"no value, won", record.NoValue, board.White, record.WhiteWon, 1},
	} {
		if got := Target(test.value, Result(test.side, test.o), 0.75); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// Both ends of the cross entropy are what the definition says where that can be computed,
// and finite where it cannot.
func TestCrossEntropy(t *testing.T) {
	for _, x := range []float64{-3, 0, 0.5, 7} {
		p := Sigmoid(x)
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
		g := &record.SampleGame{Number: uint32(i)}
		for range 8 {
			g.Plies = append(g.Plies, record.SamplePly{Move: board.At(rnd.IntN(15), rnd.IntN(15))})
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
		{"no value", "h8i9", record.NoValue, true, true},
		{"an own five", "h8a1i8a3j8a5k8a7", 10, false, false},
		{"a five to stop", "h8a1i8a3j8a5k8", -10, false, false},
		{"an open four to stop", "h8a1i8a3j8", -10, true, false},
		{"a win in five", "h8i9", int16(search.WinIn(5)), false, false},
		{"a win in seven", "h8i9", int16(search.WinIn(7)), true, true},
		{"a proven loss", "h8i9", int16(search.LossIn(8)), true, false},
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
		value, choice := Teaches(b, &record.SamplePly{Value: test.value, Best: board.At(7, 8)})
		if value != test.wantValue || choice != test.wantChoice {
			t.Errorf("%s: value %v, choice %v; want %v and %v", test.name, value, choice, test.wantValue, test.wantChoice)
		}
	}
}
