package search

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/internal/boardtest"
	"tengen/brain/longtest"
	"tengen/brain/score"
)

func TestTimeManager(t *testing.T) {
	type iteration struct {
		best   board.Move
		value  Value
		effort int
	}
	a, b := board.At(7, 7), board.At(8, 8)
	even := effortEven
	tests := []struct {
		name       string
		before     Value
		iterations []iteration
		want       int // 1/1024 of the soft limit after the last of them
	}{
		{"the first iteration neither adds nor takes", noValue, []iteration{{a, 50, even}}, 1024},
		{"nothing has happened", 50, []iteration{{a, 50, even}, {a, 50, even}}, 1024},
		{"the best move has changed", 50, []iteration{{a, 50, even}, {b, 50, even}}, 1024 + changeMore},
		{"a change fades", 50, []iteration{{a, 50, even}, {b, 50, even}, {b, 50, even}}, 1024 + changeMore/2},
		{"changes add up", 50, []iteration{{a, 50, even}, {b, 50, even}, {a, 50, even}}, 1024 + changeMore*3/2},
		{"the value has fallen since the iteration before", noValue, []iteration{{a, 50, even}, {a, 20, even}}, 1024 + 30*dropMore},
		{"the value has fallen since the move before", 60, []iteration{{a, 50, even}}, 1024 + 10*fallMore},
		{"the value has risen since the move before", 40, []iteration{{a, 50, even}}, 1024 - 10*fallMore},
		{"a fall adds so much at most", 900, []iteration{{a, -900, even}}, 1024 + fallMost},
		{"the loss of a proven win adds no more", score.WinIn(9), []iteration{{a, score.LossIn(4), even}}, 1024 + fallMost},
		{"a rise takes so much at most", -900, []iteration{{a, 900, even}}, 1024 - fallLeast},
		{"other moves take much of the work", 50, []iteration{{a, 50, even - 100}}, 1024 + 100*effortMore/1024},
		{"so much at most", 50, []iteration{{a, 50, 0}}, 1024 + effortMost},
		{"other moves take no work", 50, []iteration{{a, 50, 1024}}, 1024 + (even-1024)*effortMore/1024},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newTimeManager(tt.before)
			got := 0
			for _, i := range tt.iterations {
				got = c.next(i.best, i.value, i.effort)
			}
			if got != tt.want {
				t.Errorf("uses %d/1024 of the soft limit, want %d", got, tt.want)
			}
		})
	}
}

// ticking gives p, which has one worker, a clock that advances by a millisecond each time
// it is read.
func ticking(p *Pool) {
	now := time.Unix(0, 0)
	p.now = func() time.Time {
		now = now.Add(ms)
		return now
	}
	p.workers[0].limits.now = p.now
}

// If only the move has a limit, all of it is used.
func TestTimeOfATurnIsUsedUp(t *testing.T) {
	longtest.Here(t)
	const limit = 150 * ms
	r := rand.New(rand.NewPCG(15, 16))
	p := newTestPool(1, 1<<20)
	ticking(p)
	tried := 0
	for range 20 {
		b := middleGame(t, r, board.Freestyle, 15, 15, 6)
		res := p.Search(context.Background(), b, Limits{Soft: limit, Hard: limit}, nil)
		if res.Info.Score.Proven() || res.Info.Elapsed < limit && p.workers[0].forced() {
			continue
		}
		tried++
		if d := res.Info.Elapsed; d < limit || d > limit+4*ms {
			t.Errorf("%v used, want %v", d, limit)
		}
	}
	if tried < 8 {
		t.Errorf("only %d positions without a proof", tried)
	}
}

// If the game has a limit, some moves get more than the soft limit and some less, and none
// more than the hard one.
func TestTimeOfAGameIsDividedByNeed(t *testing.T) {
	longtest.Here(t)
	const soft, hard = 100 * ms, 275 * ms
	r := rand.New(rand.NewPCG(17, 18))
	p := newTestPool(1, 1<<20)
	ticking(p)
	short, long := 0, 0
	for range 40 {
		b := middleGame(t, r, board.Freestyle, 15, 15, 3+r.IntN(8))
		res := p.Search(context.Background(), b, Limits{Soft: soft, Hard: hard}, nil)
		d := res.Info.Elapsed
		if d > hard+4*ms {
			t.Errorf("%v used, want at most %v", d, hard)
		}
		switch {
		case res.Info.Score.Proven() || p.workers[0].forced():
		case d < soft*5/4:
			short++
		case d > soft*2:
			long++
		}
	}
	if short < 3 || long < 3 {
		t.Errorf("%d short and %d long searches, want some of both", short, long)
	}
}

// TestKnowsItsLastValue: the value of the search before counts only if its move and one
// reply have been played since.
func TestKnowsItsLastValue(t *testing.T) {
	b := boardtest.After(t, board.Freestyle, 15, "h8i9i7g9")
	last := lastMove{2, b.Hash(), board.At(8, 6), 70}
	if v := last.valueBefore(b); v != 70 {
		t.Errorf("i7 was searched: %d, want 70", v)
	}
	b.Undo()
	if v := last.valueBefore(b); v != noValue {
		t.Errorf("no reply yet: %d", v)
	}
	b.Undo()
	b.Play(board.At(6, 6))
	b.Play(board.At(6, 8))
	if v := last.valueBefore(b); v != noValue {
		t.Errorf("another move was played: %d", v)
	}
	if v := (&lastMove{}).valueBefore(b); v != noValue {
		t.Errorf("nothing was searched: %d", v)
	}
}

func TestForced(t *testing.T) {
	tests := []struct {
		name string
		lost []bool // of the moves at the root
		want bool
	}{
		{"one move", []bool{false}, true},
		{"one move, which loses", []bool{true}, true},
		{"two moves", []bool{false, false}, false},
		{"all others lose", []bool{false, true, true}, true},
		{"one other does not lose", []bool{false, true, false}, false},
		{"all lose: look for the longest way", []bool{true, true, true}, false},
		{"the best is not yet the one that is left", []bool{true, true, false}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := worker{b: boardtest.After(t, board.Freestyle, 15, "h8i9i7")}
			for _, lost := range tt.lost {
				w.root.moves = append(w.root.moves, rootMove{lost: lost})
			}
			if got := w.forced(); got != tt.want {
				t.Errorf("forced: %v, want %v", got, tt.want)
			}
		})
	}
}

// TestTimeOfAForcedMove: a forced move takes the time that would be lost, up to forcedTime, but
// none of a game's time, and none where thought changes nothing.
func TestTimeOfAForcedMove(t *testing.T) {
	longtest.Here(t)
	const (
		block  = "h8g8i8i9a1h10j8j10k8"         // a four to stop, and nothing decided
		lost   = "h8g8i8a1j8a15d4o1e4o15f4a8k8" // the same, and an open three beside it
		unused = 20 * ms                        // time that a search to forcedDepth takes at most
	)
	tests := []struct {
		name        string
		moves       string
		soft, hard  time.Duration
		least, most time.Duration
	}{
		{"a move's time is used", block, 150 * ms, 150 * ms, 150 * ms, 154 * ms},
		{"up to forcedTime", block, 20 * time.Second, 20 * time.Second, forcedTime, forcedTime + 4*ms},
		{"a game's time is saved", block, 150 * ms, 400 * ms, 0, unused},
		{"the game is lost", lost, 150 * ms, 150 * ms, 0, unused},
		{"the board is empty", "", 150 * ms, 150 * ms, 0, unused},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newTestPool(1, 4<<20)
			ticking(p)
			b := boardtest.After(t, board.Freestyle, 15, tt.moves)
			res := p.Search(context.Background(), b, Limits{Soft: tt.soft, Hard: tt.hard}, nil)
			if !p.workers[0].forced() {
				t.Fatal("the move is not forced")
			}
			if d := res.Info.Elapsed; d < tt.least || d > tt.most {
				t.Errorf("%v used, want %v to %v (value %d, depth %d)", d, tt.least, tt.most, res.Info.Score, res.Info.Depth)
			}
		})
	}
}

// TestLostMovesLose: what is struck out at the root as lost is won for the other side.
func TestLostMovesLose(t *testing.T) {
	longtest.Here(t)
	for _, rule := range allRules {
		r := rand.New(rand.NewPCG(19, uint64(rule)))
		p, other := newTestPool(1, 1<<20), newTestPool(1, 4<<20)
		seen := 0
		for range 90 {
			b := middleGame(t, r, rule, 13, 13, 12)
			p.Search(context.Background(), b, Limits{Depth: 6}, nil)
			left := 7
			for _, m := range p.workers[0].root.moves {
				if !m.lost || left == 0 {
					continue
				}
				left--
				seen++
				b.Play(m.move)
				res := other.Search(context.Background(), b, Limits{Depth: 14, Nodes: 200000}, nil)
				if res.Info.Score < score.WinFloor {
					t.Errorf("%v: %v is no proven loss: %d for the other side", rule, m.move, res.Info.Score)
				}
				b.Undo()
			}
		}
		if seen < 20 {
			t.Errorf("%v: only %d lost moves seen", rule, seen)
		}
	}
}
