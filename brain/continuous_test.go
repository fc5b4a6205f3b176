package brain

import (
	"context"
	"flag"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/play"
	"tengen/brain/search"
)

var (
	continuousGames = flag.Int("continuous", 2, "games of TestContinuousMatch; the verdict needs 40")
	continuousNodes = flag.Int64("continuousnodes", 500, "nodes of a search in TestContinuousMatch")
)

// A scoreboard is the slow twin of a continuous game: it knows its stones and walls, and
// counts rows by walking from the last stone.
type scoreboard struct {
	t     *testing.T
	rule  board.Rule
	size  int
	cells map[[2]int]board.Color
	rows  [2]int
}

// put plays a stone and turns the rows it completes to walls.
func (s *scoreboard) put(c board.Color, m board.Move) {
	s.t.Helper()
	at := [2]int{m.X(), m.Y()}
	if _, taken := s.cells[at]; taken || m.X() < 0 || m.Y() < 0 || m.X() >= s.size || m.Y() >= s.size {
		s.t.Fatalf("%v is not a free cell", m)
	}
	s.cells[at] = c
	gone := [][2]int{}
	for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		row := [][2]int{at}
		caps := 0
		for _, sign := range []int{1, -1} {
			p := at
			for {
				p = [2]int{p[0] + sign*d[0], p[1] + sign*d[1]}
				k, ok := s.cells[p]
				if !ok || k != c {
					if ok && k == c.Other() {
						caps++
					}
					break
				}
				row = append(row, p)
			}
		}
		n := len(row)
		exact := s.rule&board.ExactFive != 0 || s.rule&board.Renju != 0 && c == board.Black
		if n < 5 || n > 5 && exact || n == 5 && s.rule&board.Caro != 0 && caps == 2 {
			continue
		}
		s.rows[c]++
		gone = append(gone, row...)
	}
	for _, p := range gone {
		s.cells[p] = board.Wall
	}
}

// TestContinuousMatch plays the engine against the plain search, which plays for the first
// row as if it ended the game, to the full board. Every move is legal and every row is
// counted by the twin. With enough games the engine has to win more than it loses; 40 games
// at 2000 nodes take minutes:
//
//	go test -run TestContinuousMatch -v ./brain -continuous 40 -continuousnodes 2000
func TestContinuousMatch(t *testing.T) {
	won, drawn, lost := 0, 0, 0
	var total [2]int
	for g := range *continuousGames {
		const size = 15
		rule := board.Continuous
		if g%8 == 7 {
			rule |= board.ExactFive
		}
		s := &scoreboard{t: t, rule: rule, size: size, cells: map[[2]int]board.Color{}}
		r := rand.New(rand.NewPCG(uint64(g/2), 1)) // the same opening for both colors
		e := New(Config{})
		e.Set("rule", []string{"2", "3"}[int(rule&board.ExactFive)])
		if err := e.NewGame(size, size); err != nil {
			t.Fatal(err)
		}
		o := e.Options()
		o.Nodes = *continuousNodes
		o.MaxMemory = 64 << 20
		for e.Stones() < 4 {
			if m := board.At(4+r.IntN(7), 4+r.IntN(7)); e.board.Legal(m) {
				s.put(e.board.Side(), m)
				if err := e.Play(m); err != nil {
					t.Fatal(err)
				}
			}
		}
		pool := search.NewPool(e.config.Evaluation.New, search.DefaultParams(), 1, 16<<20)
		for e.board.Empties() > 0 {
			c := e.board.Side()
			var m board.Move
			if int(c) == g%2 {
				thought, err := e.Think(context.Background(), Query{Options: &o})
				if err != nil || len(thought.Notes) > 0 {
					t.Fatal(err, thought.Notes)
				}
				m = thought.Move
			} else {
				m = pool.Search(context.Background(), e.board, search.Limits{Nodes: o.Nodes}, nil).Move
				if err := e.Play(m); err != nil {
					t.Fatal(err)
				}
			}
			s.put(c, m)
		}
		if len(s.cells) != size*size {
			t.Errorf("game %d ends with %d cells taken", g, len(s.cells))
		}
		for p, c := range s.cells {
			if got := e.board.Cell(board.At(p[0], p[1])); got != c {
				t.Fatalf("game %d: %v is %v, the twin says %v", g, board.At(p[0], p[1]), got, c)
			}
		}
		a, b := s.rows[g%2], s.rows[1-g%2]
		total[0] += a
		total[1] += b
		switch {
		case a > b:
			won++
		case a == b:
			drawn++
		default:
			lost++
		}
	}
	t.Logf("%d won, %d drawn, %d lost; %d rows to %d", won, drawn, lost, total[0], total[1])
	if *continuousGames >= 40 && won <= lost {
		t.Errorf("%d games won and %d lost", won, lost)
	}
}

// Where a row can be made in two ways, or not be prevented, what follows decides.
func TestContinuousLooksBeyondTheRow(t *testing.T) {
	tests := []struct {
		name         string
		black, white string // the side to move has as many stones as the other
		want         string
	}{
		// Black has two fours. One is completed where white would complete his.
		{"the row that saves one", "b3c3d3e3j6j7j8j9o5", "a3j10k5l5m5n5a15d15g15", "j5"},
		// The same with the colors changed in the saving row.
		{"the other way round", "a3j10k5l5m5n5a15d15g15", "b3c3d3e3j6j7j8j9o5", "j5"},
	}
	for _, test := range tests {
		e := newGame(t, 15, 15, "rule", "2", "max_node", "20000")
		black, white := cells(t, test.black), cells(t, test.white)
		var stones []Stone
		for i, m := range black {
			stones = append(stones, Stone{Move: m, Owner: Own}, Stone{Move: white[i], Owner: Opponent})
		}
		if err := e.Setup(stones); err != nil {
			t.Fatal(err)
		}
		if m := think(t, e).Move; m.String() != test.want {
			t.Errorf("%s: %v, want %s", test.name, m, test.want)
		}
	}
}

// The search by rows has its table also where a manager tells the rule after START, which leaves
// the hash table as it was.
func TestContinuousAfterStart(t *testing.T) {
	e := New(Config{})
	if err := e.NewGame(15, 15); err != nil {
		t.Fatal(err)
	}
	e.Prepare()
	before := e.table
	e.Set("rule", "2")
	e.Prepare()
	if want := rowsMemory(e.Options()); e.rowsTable != want || e.table != before {
		t.Errorf("tables of %d and %d bytes, want %d and %d", e.rowsTable, e.table, want, before)
	}
}

// A failure of the search by rows is noted and leaves the engine usable.
func TestContinuousFailure(t *testing.T) {
	e := newGame(t, 15, 15, "rule", "2", "max_node", "1000")
	e.resize(e.Options())
	panics := 1
	e.rows = play.NewRows(e.near(), func(b *board.Board) eval.Evaluator {
		if panics--; panics >= 0 {
			panic("broken")
		}
		return eval.Embedded().New(b)
	}, e.rowsTable, e.noteStall)
	setUpMoves(t, e, cells(t, "h8a1i8a3j8a5k8"))
	for failed := range 2 {
		got := think(t, e)
		if got.Move == board.None || len(got.Infos) != 1 || len(got.Notes) != 1-failed {
			t.Fatalf("%+v", got)
		}
		if failed == 0 && !strings.HasPrefix(got.Notes[0], SearchFailed) {
			t.Errorf("%q", got.Notes)
		}
	}
}

// A blocked cell is left alone, even where two rows at once could be made there.
func TestContinuousBlocks(t *testing.T) {
	e := newGame(t, 15, 15, "rule", "2", "max_node", "20000")
	setUpMoves(t, e, cells(t, "h8g8i8l3j8g15k8j14l4m15l5o12l6a12l7d11a1m11b1o8c1a8d1n5"))
	e.Block(cells(t, "l8")[0], true)
	if m := think(t, e).Move; m != cells(t, "e1")[0] {
		t.Errorf("%v, want the row that is left", m)
	}
}

// A search takes all of its nodes in one go and reports each iteration.
func TestContinuousReports(t *testing.T) {
	e := newGame(t, 15, 15, "rule", "2", "max_node", "20000")
	setUpMoves(t, e, cells(t, "h8a1i8a3j9c1k9c3"))
	var depths []int
	thought, err := e.Think(t.Context(), Query{Report: func(i Info) {
		depths = append(depths, i.Depth)
		if len(i.PV) == 0 || i.Lines != 1 || i.Nodes == 0 {
			t.Errorf("%+v is reported", i)
		}
	}})
	if err != nil || len(thought.Infos) != 1 || thought.Infos[0].Nodes != 20_000 {
		t.Fatalf("%+v; %v", thought.Infos, err)
	}
	if len(depths) < 4 || depths[0] != 1 || !slices.IsSorted(depths) {
		t.Errorf("the depths %v are reported", depths)
	}
}

// A limit of the depth alone ends the search with that iteration, or sooner if it is far.
func TestContinuousToADepth(t *testing.T) {
	for _, depth := range []int{4, 20} {
		e := newGame(t, 15, 15, "rule", "2", "max_depth", strconv.Itoa(depth))
		setUpMoves(t, e, cells(t, "h8a1h9a3h10c1i8i9g9"))
		got := think(t, e)
		if len(got.Infos) != 1 || got.Infos[0].Depth < 4 || got.Infos[0].Depth > depth || got.Infos[0].Nodes > int64(depth*20_000) {
			t.Errorf("%+v, want depth %d", got.Infos, depth)
		}
	}
}

// In the time of the opponent the same table is filled.
func TestContinuousPonders(t *testing.T) {
	e := newGame(t, 15, 15, "rule", "2", "max_depth", "4")
	setUpMoves(t, e, cells(t, "h8a1h9a3h10c1i8i9g9"))
	alone := think(t, e).Infos[0].Nodes
	e.Forget()
	if err := e.TakeBack(e.board.Back(1)); err != nil {
		t.Fatal(err)
	}
	for wait := 100 * time.Millisecond; ; wait *= 3 { // a busy machine takes longer
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		err := e.Ponder(ctx)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		switch after := think(t, e).Infos[0].Nodes; {
		case after < alone:
			return
		case wait > 10*time.Second:
			t.Fatalf("%d nodes after pondering, %d without", after, alone)
		}
		if err := e.TakeBack(e.board.Back(1)); err != nil {
			t.Fatal(err)
		}
		e.Forget()
	}
}

// The first stone lies in the middle, as in other games.
func TestContinuousBegins(t *testing.T) {
	for _, size := range []int{5, 15, 22} {
		e := newGame(t, size, size, "rule", "2", "max_node", "2000")
		if m := think(t, e).Move; board.Distance(m, board.At(size/2, size/2)) > 2 {
			t.Errorf("begins with %v on %dx%d", m, size, size)
		}
	}
}

// In a continuous game of renju a stone of Black on a forbidden point becomes a blocked cell, as
// Piskvork lists it from then on. What lay around it then decides. What a manager lists as a stone
// is none of these.
func TestContinuousFoulsTurnIntoBlockedCells(t *testing.T) {
	e := newGame(t, 15, 15, "rule", "6")
	foul := cells(t, "h8")[0]
	for _, m := range cells(t, "j10a1g7c1g8e1e8g1h8h7o15") {
		if err := e.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	if got := e.board.Cell(foul); got != board.Wall || e.board.Side() != board.White {
		t.Errorf("%v is %v, %v to move", foul, got, e.board.Side())
	}
	if err := e.TakeBack(foul); err != nil || e.board.Cell(foul) != board.Empty {
		t.Errorf("%v is %v after it was taken back, %v", foul, e.board.Cell(foul), err)
	}
	stones := append(list(t, "j10g7g8e8h8", Opponent), list(t, "a1c1e1g1", Own)...)
	if err := e.Setup(stones); err != nil || e.board.Cell(foul) != board.Black {
		t.Errorf("%v is %v where it is listed as a stone, %v", foul, e.board.Cell(foul), err)
	}
}

// Black cannot prevent a row of white's. Once black's g1 has stopped it on one side, g5 completes a
// row, but before it is a foul.
func TestContinuousPlaysNoFoulOfLater(t *testing.T) {
	e := newGame(t, 15, 15, "rule", "6", "max_node", "2000")
	setUpMoves(t, e, cells(t, "g2h1g3i1g4j1d5k1e5a12f5a15"))
	if got := think(t, e); got.Move != cells(t, "g1")[0] || len(got.Infos) != 1 {
		t.Errorf("plays %v, %+v; want g1", got.Move, got.Infos)
	}
}

// Where a manager lists blocked cells they are all of the rows: what looks like another one was
// none when it was completed.
func TestContinuousRowsAreThoseListed(t *testing.T) {
	for _, test := range []struct{ name, rule, ours, theirs, blocked string }{
		{"six were too many", "3", "c4d4e4f4g4", "a1c1e1g1i1", "h4h5h6h7h8j15l15n15j13l13"},
		{"five were capped", "10", "d10e10f10g10h10", "c10a1c1e1g1", "i10i11i12i13i14j1l1n1j3l3"},
	} {
		e := newGame(t, 15, 15, "rule", test.rule)
		stones := append(list(t, test.blocked, Blocked), append(list(t, test.ours, Own), list(t, test.theirs, Opponent)...)...)
		if err := e.Setup(stones); err != nil {
			t.Fatal(err)
		}
		for _, m := range cells(t, test.ours) {
			if got := e.board.Cell(m); got != board.Black {
				t.Errorf("%s: %v is %v", test.name, m, got)
			}
		}
		// A row made from then on counts.
		for _, m := range cells(t, "a15o15b15o14c15o12d15o11e15") {
			if err := e.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		if got := e.board.Cell(cells(t, "a15")[0]); got != board.Wall {
			t.Errorf("%s: a new row is %v", test.name, got)
		}
	}
}
