//go:build !js

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/prover"
)

// solve asks for a forced win.
func (q *tester) solve(o map[string]any) (last solution) {
	q.t.Helper()
	full := map[string]any{"game": "game-of-a-test-s", "width": 15, "height": 15, "rule": 0, "millis": 30_000}
	for k, v := range o {
		full[k] = v
	}
	raw, _ := json.Marshal(full)
	in := bufio.NewScanner(q.post("/api/solve", string(raw), nil).Body)
	in.Buffer(nil, 4<<20)
	for in.Scan() {
		last = solution{}
		if err := json.Unmarshal(in.Bytes(), &last); err != nil {
			q.t.Fatalf("%v in %q", err, in.Text())
		}
	}
	return last
}

// check plays the tree on b: against every reply the winner makes a five, where the tree is
// not cut.
func (n *proofNode) check(t *testing.T, b *board.Board) {
	t.Helper()
	move := func(text string) board.Move {
		m, err := board.ParseMoves(text, b.Width(), b.Height())
		if err != nil || len(m) != 1 || !b.Legal(m[0]) {
			t.Fatalf("%q cannot be played", text)
		}
		return m[0]
	}
	b.Play(move(n.Move))
	defer b.Undo()
	if verdict, _ := b.Verdict(); verdict == board.WinningRow {
		if n.Else != nil || len(n.Replies) > 0 || n.Plies != 1 {
			t.Errorf("after a five: %+v", n)
		}
		return
	}
	if n.Cut {
		return
	}
	if n.Else == nil {
		t.Fatalf("%s is neither a five nor followed by anything", n.Move)
	}
	known := map[board.Move]*proofNode{}
	for _, r := range n.Replies {
		known[move(r.Move)] = r.Next
	}
	for _, m := range b.Open().Append(nil) {
		if !b.Legal(m) {
			continue
		}
		next := known[m]
		if next == nil {
			next = n.Else
		}
		if n.Plies < next.Plies+2 {
			t.Errorf("%s wins in %d plies, but in %d after %v", n.Move, n.Plies, next.Plies, m)
		}
		if m := move(next.Move); !b.Legal(m) {
			t.Errorf("%v cannot be played", m)
		}
		b.Play(m)
		next.check(t, b)
		b.Undo()
	}
}

func TestSolverShowsTheWin(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	moves := "h8a1h9a3h10a5"
	won := q.solve(map[string]any{"moves": moves})
	if !won.Done || !won.Win || len(won.Line) < 4 || won.Tree == nil || won.Tree.Plies != 3 {
		t.Fatalf("%+v", won)
	}
	p := position{15, 15, board.Freestyle, moves}
	b, _, f := p.set()
	if f != nil {
		t.Fatal(f)
	}
	won.Tree.check(t, b)
	if lost := q.solve(map[string]any{"moves": "h8i9"}); !lost.Done || lost.Win || lost.Tree != nil {
		t.Errorf("two stones: %+v", lost)
	}
	// White must stop the three, at one of its ends or farther away.
	stop := q.solve(map[string]any{"moves": "h8a1h9a3h10", "defend": true})
	if !stop.Win || stop.Holds == nil || *stop.Holds == "" || len(*stop.Holds) > 20 {
		t.Errorf("a defense: %+v, holds %v", stop, stop.Holds)
	}
	if calm := q.solve(map[string]any{"moves": "h8", "defend": true}); calm.Win || calm.Holds != nil || !calm.None {
		t.Errorf("nothing to stop: %+v", calm)
	}
	// Where the time has ended the search, nothing is claimed.
	if late := q.solve(map[string]any{"rule": 4, "moves": "h4i3h5g5i5i6f6j6g6f7h6g7e7h7j7i7g8d8h8f8", "millis": 1}); late.Win || late.None {
		t.Errorf("no time: win %v, none %v", late.Win, late.None)
	}
	// A position that was set up: black has four stones, white passed.
	if set := q.solve(map[string]any{"moves": "h8-h9-h10-h11-"}); !set.Win || set.Tree.Plies != 1 {
		t.Errorf("a position with passes: %+v", set)
	}
	q.expectIdle(2 * stopLimit)
}

func TestSolverIsBounded(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	for name, o := range map[string]map[string]any{
		"no time": {"moves": "h8", "millis": 0}, "an hour": {"moves": "h8", "millis": 3600_000},
		"the game is over": {"moves": "a1a2b1b2c1c2d1d2e1"}, "a stone on a stone": {"moves": "h8h8"},
	} {
		full := map[string]any{"game": "game-of-a-test-s", "width": 15, "height": 15, "rule": 0, "millis": 1000}
		for k, v := range o {
			full[k] = v
		}
		if status, _ := q.ask("/api/solve", full, &struct{}{}); status != 400 {
			t.Errorf("%s: %d, want 400", name, status)
		}
	}
	// The tree that is sent is complete near its root.
	solver, err := prover.New(board.Freestyle, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	if err := solver.Set("h8a1h9a3i10a5"); err != nil {
		t.Fatal(err)
	}
	won := solver.Win(t.Context(), prover.VCT)
	if !won.Win {
		t.Fatal("no win")
	}
	b, _ := board.New(board.Freestyle, 15, 15)
	for _, m := range []string{"h8", "a1", "h9", "a3", "i10", "a5"} {
		at, _ := board.ParseMoves(m, 15, 15)
		b.Play(at[0])
	}
	for _, n := range []int{1, 2, 10, 100} {
		tree := newTree(won.Proof, n)
		if size := tree.size(); size > n {
			t.Errorf("%d nodes, want at most %d", size, n)
		}
		tree.check(t, b)
	}
}

func (n *proofNode) size() int {
	if n == nil {
		return 0
	}
	size := 1 + n.Else.size()
	for _, r := range n.Replies {
		size += r.Next.size()
	}
	return size
}

// The solver is not interrupted, so that a move takes the thread of an analysis, although that
// is the older one.
func TestMoveInterruptsAnalysisBesideSolver(t *testing.T) {
	q := newTester(t, 2, own())
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	solved, moved := make(chan bool, 1), make(chan pageEvent, 1)
	asked, waited := false, false
	q.analyze(map[string]any{"moves": "h8i9"}, func(e pageEvent) bool {
		switch {
		case e.Report != nil && !asked:
			asked = true
			go func() {
				body := `{"game": "game-of-a-test-s", "width": 15, "height": 15, "rule": 0, "moves": "h13f10g14j11g8j12g11g12f9-", "millis": 40000}`
				r, _ := http.NewRequestWithContext(ctx, "POST", q.url+"/api/solve", strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Origin", q.url)
				_, err := q.client.Do(r)
				solved <- err == nil
			}()
			q.expectLeases(2)
			go func() { moved <- last(q.think(nil)) }()
		case e.Wait != nil:
			waited = true
		case e.Report != nil && waited:
			return false
		}
		return len(solved) == 0
	})
	if !waited || len(solved) > 0 {
		t.Error("the analysis did not make way")
	}
	if e := <-moved; e.Moves == "" {
		t.Errorf("the move: %+v", e)
	}
}

// expectLeases waits until n requests have threads.
func (q *tester) expectLeases(n int) {
	q.t.Helper()
	p := q.server.pool
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		p.mu.Lock()
		now := len(p.leases)
		p.mu.Unlock()
		if now == n {
			return
		}
		if time.Now().After(end) {
			q.t.Fatalf("%d requests have threads, want %d", now, n)
		}
	}
}
