package brain_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tengen/brain"
	"tengen/brain/board"
)

// The example of README.md: the engine answers Black's first stone within a second. A test compares
// the two.
func Example() {
	engine := brain.New(brain.Config{})
	engine.NewGame(15, 15)
	engine.Play(board.At(7, 7)) // Black's first stone: column and row from 0
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	thought, err := engine.Think(ctx, brain.Query{})
	fmt.Println(thought.Move, err)
}

// game returns an engine with a game after the moves.
func game(pos string) *brain.Engine {
	e := brain.New(brain.Config{})
	if err := e.NewGame(15, 15); err != nil {
		panic(err)
	}
	moves, err := board.ParseMoves(pos, 15, 15)
	if err != nil {
		panic(err)
	}
	for _, m := range moves {
		if err := e.Play(m); err != nil {
			panic(err)
		}
	}
	return e
}

// A new game under the rules of renju, in which the engine makes the first move.
func ExampleNew() {
	e := brain.New(brain.Config{})
	e.Set("rule", "4") // renju
	e.Set("max_node", "1000")
	if err := e.NewGame(15, 15); err != nil {
		fmt.Println(err)
		return
	}
	thought, err := e.Think(context.Background(), brain.Query{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("black plays", thought.Move, "and there are", e.Stones(), "stones")
	// Output: black plays h8 and there are 1 stones
}

// Think with a context: the engine searches to depth 6, for two seconds at most, and plays the
// move that it finds.
func ExampleEngine_Think() {
	e := game("h8g8h9h6h10h12i9g9")
	o := e.Options()
	o.Depth = 6
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	thought, err := e.Think(ctx, brain.Query{Options: &o})
	if err != nil {
		fmt.Println(err)
		return
	}
	best := thought.Infos[0]
	fmt.Println("the line begins with the move:", best.PV[0] == thought.Move)
	fmt.Println("it is black's ninth stone:", e.Stones() == 9)
	// Output:
	// the line begins with the move: true
	// it is black's ninth stone: true
}

// Several best lines: Black has an open three, and two moves make an open four.
func ExampleEngine_Think_lines() {
	e := game("h8a1h9a3h10a5")
	o := e.Options()
	o.Depth = 6
	thought, err := e.Think(context.Background(), brain.Query{Options: &o, Lines: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	var lines []string
	for _, i := range thought.Infos {
		lines = append(lines, fmt.Sprint(i.PV[0], " ", brain.ScoreText(i.Score)))
	}
	slices.Sort(lines)
	fmt.Println(lines)
	// Output: [h11 +M3 h7 +M3]
}

// Stopping: the end of the context ends a search without limits, with the best move so far.
func ExampleEngine_Think_stop() {
	e := game("h8i9")
	o := e.Options()
	o.Endless = true
	ctx, stop := context.WithCancel(context.Background())
	thought, err := e.Think(ctx, brain.Query{Options: &o, Report: func(i brain.Info) {
		if i.Depth >= 4 {
			stop()
		}
	}})
	fmt.Println(err, thought.Move != board.None)
	// Output: <nil> true
}

// The static value of a position, without a search.
func ExampleEngine_Evaluate() {
	quiet, won := game("h8i9"), game("h8a1h9a3h10a5h11a7")
	v, _ := quiet.Evaluate()
	w, _ := won.Evaluate()
	fmt.Println("nothing is proven:", v.Mate() == 0)
	fmt.Println("black makes five in", w.Mate(), "ply:", brain.WinRate(w))
	// Output:
	// nothing is proven: true
	// black makes five in 1 ply: 1
}
