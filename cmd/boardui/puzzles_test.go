//go:build !js

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"testing"

	"tengen/brain/board"
	"tengen/brain/prover"
	"tengen/brain/record"
	"tengen/testdata"
)

func (q *tester) attempt(p position, move string) (last attemptResult) {
	q.t.Helper()
	raw, _ := json.Marshal(attempt{"game-of-a-test-q", p, move})
	in := bufio.NewScanner(q.post("/api/attempt", string(raw), nil).Body)
	for in.Scan() {
		last = attemptResult{}
		if err := json.Unmarshal(in.Bytes(), &last); err != nil {
			q.t.Fatalf("%v in %q", err, in.Text())
		}
	}
	return last
}

// The puzzles that there are at least of a rule, in each level and in all.
const fewest, fewestAll = 20, 250

func TestPuzzlesAreRead(t *testing.T) {
	list, err := readPuzzles(testdata.Positions)
	if err != nil {
		t.Fatal(err)
	}
	count := map[board.Rule]map[int]int{}
	for _, p := range list {
		b, _, f := p.set()
		if f != nil {
			t.Errorf("%+v: %v", p, f)
			continue
		}
		if len(p.wins) == 0 || replay(b, p.wins[:1]) != nil || p.Plies%2 == 0 {
			t.Errorf("%+v", p)
		}
		if count[p.Rule] == nil {
			count[p.Rule] = map[int]int{}
		}
		count[p.Rule][p.Level]++
	}
	for _, rule := range []board.Rule{board.Freestyle, board.ExactFive, board.Renju, board.Caro, board.Caro | board.ExactFive} {
		all := 0
		for i := range levelPlies {
			level := i + 1
			if all += count[rule][level]; count[rule][level] < fewest {
				t.Errorf("%d puzzles of rule %d and level %d, want %d", count[rule][level], rule, level, fewest)
			}
		}
		if all < fewestAll {
			t.Errorf("%d puzzles of rule %d, want %d", all, rule, fewestAll)
		}
	}
	t.Log(len(list), count)
}

// The first moves of the puzzles from games win, as the solver sees too. It looks at some of each rule.
func TestGradedPuzzlesWin(t *testing.T) {
	files, err := fs.Glob(testdata.Positions, "puzzles/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("the files are %q, %v", files, err)
	}
	for _, name := range files {
		text, err := fs.ReadFile(testdata.Positions, name)
		if err != nil {
			t.Fatal(err)
		}
		list, err := record.ReadPuzzles(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var solver *prover.Prover
		for i, p := range list {
			if p.Level == 0 || p.Plies == 0 || p.Rule != list[0].Rule {
				t.Errorf("%s: line %d is not graded, no win or of another rule", name, p.Line)
			}
			if i%30 != 7 {
				continue
			}
			if solver == nil {
				if solver, err = prover.New(p.Rule, p.Size, p.Size); err != nil {
					t.Fatal(err)
				}
			}
			if err := solver.SetMoves(append(p.Moves, p.First)); err != nil {
				t.Fatal(err)
			}
			if found := solver.Lost(&countdown{t.Context(), 20000}, anyThreat); !found.Win || len(found.Holds) > 0 {
				t.Errorf("%s: line %d: %v does not win: %+v", name, p.Line, p.First, found)
			}
		}
	}
}

// A person who knows the way solves a puzzle of each rule, whatever is replied; one who plays in the
// corner is wrong, unless that wins too.
func TestPuzzlesAreChecked(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	tried := map[board.Rule]bool{}
	wrong := 0
	for _, p := range puzzles() {
		if tried[p.Rule] || p.Width < 15 || p.Level != 1+int(p.Rule)%2 { // two levels
			continue
		}
		tried[p.Rule] = true
		at := p.position
		b, moves, _ := at.set()
		for b.Ply() < len(moves)+2*p.Plies {
			won := q.solve(map[string]any{"width": p.Width, "height": p.Height, "rule": p.Rule, "moves": at.Moves})
			if !won.Win {
				t.Fatalf("%s: the solver finds no win", at.Moves)
			}
			a := q.attempt(at, won.Tree.Move)
			q.server.games.forget()
			if !a.Right || !a.Won && a.Reply == "" {
				t.Fatalf("%s: %s is checked as %+v", at.Moves, won.Tree.Move, a)
			}
			if a.Won {
				break
			}
			at.Moves += won.Tree.Move + a.Reply
			if _, _, f := at.set(); f != nil {
				t.Fatalf("the reply %s: %v", a.Reply, f)
			}
		}
		for _, corner := range []string{"a1", "o1", "o15", "a15"} {
			m, _ := board.ParseMoves(corner, 15, 15)
			if b.Legal(m[0]) {
				a := q.attempt(p.position, corner)
				if b.Play(m[0]); !a.Done || a.Right != lost(t, b) {
					t.Errorf("%s: %s is checked as right: %v", p.Moves, corner, a.Right)
				}
				if b.Undo(); !a.Right {
					wrong++
				}
				break
			}
		}
	}
	if len(tried) < 5 || wrong < 3 {
		t.Errorf("puzzles of %d rules, a corner is wrong in %d", len(tried), wrong)
	}
	// With an open four any move keeps the win.
	if a := q.attempt(position{15, 15, board.Freestyle, "h8a15i8c15j8e15k8g15"}, "a1"); !a.Right || a.Won || a.Reply == "" {
		t.Errorf("a corner beside an open four is checked as %+v", a)
	}
	q.expectIdle(0)
}

// A countdown is a context that ends when it has been asked a number of times, on any machine after the
// same work.
type countdown struct {
	context.Context
	times int
}

func (c *countdown) Err() error {
	if c.times--; c.times < 0 {
		return context.Canceled
	}
	return nil
}

// lost reports whether the side to move loses by force after every move. It tries them all.
func lost(t *testing.T, b *board.Board) bool {
	t.Helper()
	solver, err := prover.New(b.Rule(), b.Width(), b.Height())
	if err != nil {
		t.Fatal(err)
	}
	moves := b.Moves()
	for _, m := range b.Open().Append(nil) {
		if !b.Legal(m) {
			continue
		}
		if b.Wins(b.Side(), m) {
			return false
		}
		if err := solver.SetMoves(append(moves, m)); err != nil {
			t.Fatal(err)
		}
		if !solver.Win(&countdown{t.Context(), 3000}, prover.VCT).Win {
			return false
		}
	}
	return true
}

func TestPuzzlesAreListed(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	var got struct{ Puzzles []puzzle }
	if status, code := q.ask("/api/puzzles", map[string]any{"game": "game-of-a-test", "rule": 4, "level": 2}, &got); status != 200 {
		t.Fatal(status, code)
	}
	want := 0
	for _, p := range puzzles() {
		if p.Rule == board.Renju && p.Level == 2 {
			want++
		}
	}
	if len(got.Puzzles) == 0 || len(got.Puzzles) != want {
		t.Errorf("%d puzzles, want %d", len(got.Puzzles), want)
	}
	for _, p := range got.Puzzles {
		if p.Rule != board.Renju || p.Level != 2 {
			t.Errorf("%+v", p)
		}
	}
	if status, _ := q.ask("/api/attempt", attempt{"game-of-a-test-q", position{15, 15, 0, "h8"}, "h8"}, &struct{}{}); status != 400 {
		t.Errorf("a taken point: %d", status)
	}
}
