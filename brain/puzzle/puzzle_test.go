package puzzle

import (
	"os"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
	"tengen/brain/threat"
)

// games returns the first n games of testdata/threat/games in renju, where puzzles are most frequent.
func games(t *testing.T, n int) (list [][]board.Move) {
	t.Helper()
	raw, err := os.ReadFile("../../testdata/threat/games/renju-15.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "4" && len(list) < n {
			moves, err := board.ParseMoves(f[2], 15, 15)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, moves)
		}
	}
	return list
}

// TestFind: a puzzle is a position of the game whose line wins, and after every other move the other side
// has a reply after which no win is seen; both are found out by other code, which tries all replies.
func TestFind(t *testing.T) {
	f, err := NewFinder(eval.Embedded(), board.Renju, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	total, checked := 0, 0
	for _, moves := range games(t, 3)[1:] {
		list, err := f.Find(t.Context(), moves, 0)
		if err != nil {
			t.Fatal(err)
		}
		levels := map[int]bool{}
		for _, p := range list {
			total++
			if levels[p.Level] || p.Level < 1 || p.Level > Levels || p.Plies != len(p.Line) || p.Plies < 3 || p.Nodes < 2 || p.Shape == "" {
				t.Errorf("%+v", p)
			}
			levels[p.Level] = true
			b := boardtest.New(t, board.Renju, 15, 15)
			if err := b.PlayAll(moves[:p.After]); err != nil {
				t.Fatal(err)
			}
			side := b.Side()
			if p.Plies <= 7 && checked < 2 {
				checked++
				onlyWin(t, b, p.Line[0])
			}
			if err := b.PlayAll(p.Line); err != nil {
				t.Fatal(err)
			}
			if v, winner := b.Verdict(); v != board.WinningRow || winner != side {
				t.Errorf("%v does not win for %v\n%v", p.Line, side, boardtest.Drawing(b))
			}
		}
	}
	if total < 3 || checked == 0 {
		t.Errorf("%d puzzles, %d checked", total, checked)
	}
}

// TestFindAtTheEnd: where a game was given up there may be a puzzle, too.
func TestFindAtTheEnd(t *testing.T) {
	f, err := NewFinder(eval.Embedded(), board.Renju, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	moves := games(t, 2)[1]
	list, err := f.Find(t.Context(), moves, 0)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d puzzles, %v", len(list), err)
	}
	want := list[0]
	list, err = f.Find(t.Context(), moves[:want.After], 0)
	if err != nil || len(list) == 0 || list[len(list)-1].After != want.After {
		t.Errorf("%+v, %v, want one after %d moves", list, err, want.After)
	}
}

// onlyWin checks that no other move than first is seen to win.
func onlyWin(t *testing.T, b *board.Board, first board.Move) {
	t.Helper()
	v := threat.NewVCT(1 << 20)
	wins := func() *threat.Proof { return v.Win(b, threat.Limits{Nodes: quietNodes}) }
	for _, m := range b.Open().Append(nil) {
		if m == first || !b.Legal(m) {
			continue
		}
		b.Play(m)
		stopped, four := false, b.Count(b.Side().Other(), board.MakesFive) > 0
		for _, reply := range b.Open().Append(nil) {
			if stopped || !b.Legal(reply) {
				continue
			}
			b.Play(reply)
			p := wins()
			stopped = b.Wins(b.Side().Other(), reply) || p == nil || four && p.Move == first
			b.Undo()
		}
		if !stopped {
			t.Errorf("%v wins as well as %v", m, first)
		}
		b.Undo()
	}
}

// TestShape: it is the same for a puzzle that is turned, moved or has other stones far away, and another for
// one with a stone more, of the other color or under another rule.
func TestShape(t *testing.T) {
	shape := func(rule board.Rule, size int, stones, line []board.Move) string {
		f, err := NewFinder(eval.Embedded(), rule, size, size)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.board.PlayAll(stones); err != nil {
			t.Fatal(err)
		}
		return f.shape(line)
	}
	parse := func(text string) []board.Move {
		moves, err := board.ParseMoves(text, 15, 15)
		if err != nil {
			t.Fatal(err)
		}
		return moves
	}
	stones, line := parse("g7h9h7g9i8o15"), parse("j7a1i7")
	want := shape(0, 15, stones, line)
	for s := range board.Symmetries {
		turn := func(list []board.Move) (turned []board.Move) {
			for _, m := range list {
				turned = append(turned, board.Transform(m, s, 15, 15))
			}
			return turned
		}
		if got := shape(0, 15, turn(stones), turn(line)); got != want {
			t.Errorf("turned by %d: %q, want %q", s, got, want)
		}
	}
	for name, got := range map[string]string{
		"moved":            shape(0, 15, parse("f6g8g6f8h7a15"), parse("i6b1h6")),
		"on another board": shape(0, 19, stones, line),
		"another far away": shape(0, 15, parse("g7h9h7g9i8a14"), line),
	} {
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for name, got := range map[string]string{
		"a stone nearby": shape(0, 15, parse("g7h9h7g9i8k8"), line),
		"other colors":   shape(0, 15, parse("h9g7g9h7o15i8"), line),
		"another rule":   shape(4, 15, stones, line),
	} {
		if got == want {
			t.Errorf("%s: %q too", name, got)
		}
	}
}

// TestLevel: long, wide and unexpected wins are harder, the first that comes to mind is easier.
func TestLevel(t *testing.T) {
	tests := []struct{ plies, nodes, glance, want int }{
		{3, 2, 3, 1}, {5, 4, 0, 1}, {7, 9, 3, 2}, {7, 9, 0, 1}, {7, 90, 3, 3}, {7, 9, 30, 3}, {9, 9, 5, 2},
		{13, 20, 1, 3}, {19, 20, 1, 4}, {21, 20, 1, 5}, {45, 200, 40, 5},
	}
	for _, test := range tests {
		if got := level(&Puzzle{Plies: test.plies, Nodes: test.nodes, Glance: test.glance}); got != test.want {
			t.Errorf("%d plies, %d nodes, %d before it: level %d, want %d", test.plies, test.nodes, test.glance, got, test.want)
		}
	}
}
