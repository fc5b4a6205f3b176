package brain

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
	"tengen/brain/search"
)

var faultGames = flag.Int("faultgames", 8, "`GAMES` with panics of the search, for TestPanicsCostNoMove")

// A fuse is the number of calls of evaluators up to a panic; it does not burn at 0 and below.
type fuse struct{ atomic.Int64 }

func (f *fuse) burn() {
	if f.Load() > 0 && f.Add(-1) == 0 {
		panic("the fuse has blown")
	}
}

// A fused evaluator panics in the call in which its fuse ends.
type fused struct {
	eval.Evaluator
	fuse *fuse
}

func (f fused) Value() int {
	f.fuse.burn()
	return f.Evaluator.Value()
}

func (f fused) Order(moves []board.Move, scores []int32) {
	f.fuse.burn()
	f.Evaluator.Order(moves, scores)
}

func (f fused) Undone() {
	f.fuse.burn()
	f.Evaluator.Undone()
}

func (f fused) Reset(b *board.Board, style int) {
	f.fuse.burn()
	f.Evaluator.Reset(b, style)
}

// TestPanicsCostNoMove plays whole games in which the search panics at random places, under
// all rules and with 1 to 3 workers. Every move is legal, each panic is reported once with its
// stack, the board is as it would be laid out anew, and searches without a panic do not fail.
//
//	go test ./brain -run TestPanicsCostNoMove -v -faultgames 200
func TestPanicsCostNoMove(t *testing.T) {
	moves, panics := 0, 0
	for seed := range uint64(*faultGames) {
		r := rand.New(rand.NewPCG(seed, 19))
		rule := strconv.Itoa([]int{0, 1, 4, 8, 9, 2}[seed%6])
		size := 6 + r.IntN(15)
		e := newGame(t, size, size, "rule", rule, "max_node", "600", "max_memory", "120000000", "thread_num", strconv.Itoa(1+r.IntN(3)))
		o := e.Options()
		e.resize(o)
		burning := &fuse{}
		e.search.Pool = search.NewPool(func(b *board.Board) eval.Evaluator {
			return fused{eval.Embedded().New(b), burning}
		}, search.DefaultParams(), o.Threads, e.table)
		e.search.Pool.SetSolver(solverMemory(o))
		for ply := range 60 {
			at := fmt.Sprintf("game %d, ply %d", seed, ply)
			if v, _ := e.board.Verdict(); v != board.Unfinished {
				break
			}
			before := e.board.Clone()
			if r.IntN(2) == 0 {
				burning.Store(1 + int64(r.IntN(800)))
			}
			lit := burning.Load() > 0
			thought, err := e.Think(context.Background(), Query{Options: &o, Lines: 1 + r.IntN(8)/7})
			blown := lit && burning.Load() <= 0
			burning.Store(0)
			if err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			checkMove(t, at, before, thought.Move)
			told := 0
			for _, note := range thought.Notes {
				first, stack, _ := strings.Cut(note, "\n")
				if !strings.HasPrefix(first, SearchFailed) || !strings.Contains(first, "the fuse has blown") || strings.Count(stack, ".fused.") != 1 {
					t.Fatalf("%s: the note is %q", at, note)
				}
				told++
			}
			if want := map[bool]int{true: 1}[blown]; told != want {
				t.Fatalf("%s: %d failures are reported, want %d", at, told, want)
			}
			fresh := boardtest.New(t, e.board.Rule(), size, size)
			if e.game.SetUp(fresh); fresh.Hash() != e.board.Hash() || e.game.Stones() != ply+1 {
				t.Fatalf("%s: the board is not as it would be laid out anew", at)
			}
			moves++
			panics += told
		}
	}
	t.Logf("%d games: %d moves, none illegal; %d panics, each told once", *faultGames, moves, panics)
	if panics < moves/8 {
		t.Errorf("%d panics in %d moves", panics, moves)
	}
}
