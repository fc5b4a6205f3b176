package clock

import (
	"testing"
	"time"
)

const ms = time.Millisecond

func TestLimits(t *testing.T) {
	game := func(turn, left time.Duration) State {
		return State{Turn: turn, Match: NoLimit, Left: left, Played: 10, Free: 215}
	}
	tests := []struct {
		name     string
		state    State
		softFrom time.Duration
		softTo   time.Duration
		hardFrom time.Duration
		hardTo   time.Duration
	}{
		{"a turn limit alone is used up", game(1000*ms, NoLimit), 970 * ms, 985 * ms, 970 * ms, 985 * ms},
		{"a long turn limit alone is used up", game(30*time.Second, NoLimit), 29 * time.Second, 29950 * ms, 29 * time.Second, 29950 * ms},
		{"a short turn leaves the whole margin", game(50*ms, NoLimit), 28 * ms, 32 * ms, 28 * ms, 32 * ms},
		{"a very short turn leaves half", game(20*ms, NoLimit), 9 * ms, 11 * ms, 9 * ms, 11 * ms},
		{"a turn of 100 ms is used up too", game(100*ms, NoLimit), 78 * ms, 80 * ms, 78 * ms, 80 * ms},
		{"no limit at all is five seconds", game(NoLimit, NoLimit), 4500 * ms, 4970 * ms, 4500 * ms, 4970 * ms},
		{"a negative turn limit is none", game(-1, NoLimit), 4500 * ms, 4970 * ms, 4500 * ms, 4970 * ms},
		{"turn 0 is at once", game(0, NoLimit), ms, ms, ms, ms},
		{"turn 0 is at once with a long game", game(0, time.Hour), ms, ms, ms, ms},
		{"nothing left is at once", game(1000*ms, 0), ms, ms, ms, ms},
		{"less than nothing left is at once", game(NoLimit, -500*ms), ms, ms, ms, ms},
		{"the time left is less than the turn", game(30*time.Second, 1000*ms), 4 * ms, 10 * ms, 10 * ms, 30 * ms},
		{"the game allows every turn in full", game(1000*ms, time.Hour), 970 * ms, 985 * ms, 970 * ms, 985 * ms},
		{"a game is shared out", game(NoLimit, 180*time.Second), 6 * time.Second, 12 * time.Second, 16 * time.Second, 30 * time.Second},
		{"a game is shared out below the turn", game(30*time.Second, 180*time.Second), 6 * time.Second, 12 * time.Second, 16 * time.Second, 29950 * ms},
		{"the increment is used", State{Turn: NoLimit, Left: 2 * time.Second, Increment: time.Second, Played: 40, Free: 185},
			900 * ms, 1200 * ms, 1000 * ms, 1980 * ms},
		{"an increment greater than the time left does not help now", State{Turn: NoLimit, Left: 400 * ms, Increment: 10 * time.Second, Played: 40, Free: 185},
			199 * ms, 201 * ms, 199 * ms, 201 * ms},
		{"little that is left is not used up", State{Turn: NoLimit, Left: 280 * ms, Increment: 200 * ms, Played: 100, Free: 125},
			135 * ms, 141 * ms, 139 * ms, 141 * ms},
		{"a game without time left uses its limit", State{Turn: NoLimit, Match: 180 * time.Second, Left: NoLimit, Free: 225},
			6 * time.Second, 12 * time.Second, 16 * time.Second, 30 * time.Second},
		{"the last free cell gets all that is left", State{Turn: NoLimit, Left: 10 * time.Second, Played: 224, Free: 1},
			9 * time.Second, 9970 * ms, 9 * time.Second, 9970 * ms},
		{"what has passed since the line was read is taken off",
			State{Turn: 1000 * ms, Match: NoLimit, Left: NoLimit, Elapsed: 300 * ms, Free: 225}, 670 * ms, 685 * ms, 670 * ms, 685 * ms},
		{"a stalled search stops earlier",
			State{Turn: 100 * ms, Match: NoLimit, Left: NoLimit, Stall: 30 * ms, Free: 225}, 53 * ms, 56 * ms, 53 * ms, 56 * ms},
		{"a clock is kept for what lies between the moves",
			State{Turn: NoLimit, Left: 5 * time.Second, Played: 125, Free: 100}, 280 * ms, 300 * ms, 760 * ms, 810 * ms},
		{"... longer on a machine that stalls the search",
			State{Turn: NoLimit, Left: 5 * time.Second, Played: 125, Free: 100, Stall: time.Second}, 190 * ms, 195 * ms, 500 * ms, 540 * ms},
		{"... but not if the increment is longer",
			State{Turn: NoLimit, Left: 5 * time.Second, Increment: 50 * ms, Played: 125, Free: 100}, 395 * ms, 405 * ms, 1080 * ms, 1110 * ms},
		{"a stalled search uses little less than half of the limit of a move",
			State{Turn: 60 * ms, Match: NoLimit, Left: NoLimit, Stall: 200 * ms, Free: 225}, 22 * ms, 23 * ms, 22 * ms, 23 * ms},
		{"... a quarter of a very short one",
			State{Turn: 20 * ms, Match: NoLimit, Left: NoLimit, Stall: 200 * ms, Free: 225}, 5 * ms, 5 * ms, 5 * ms, 5 * ms},
		{"... where the thread that answers has to wait as well",
			State{Turn: 20 * ms, Match: NoLimit, Left: NoLimit, Stall: 6 * ms, Free: 225}, 6 * ms, 7 * ms, 6 * ms, 7 * ms},
		{"a stall shorter than the margin changes nothing",
			State{Turn: 1000 * ms, Match: NoLimit, Left: NoLimit, Stall: 10 * ms, Free: 225}, 970 * ms, 985 * ms, 970 * ms, 985 * ms},
		{"a move that is late already is made at once",
			State{Turn: 1000 * ms, Match: NoLimit, Left: NoLimit, Elapsed: 3000 * ms, Free: 225}, ms, ms, ms, ms},
	}
	for _, test := range tests {
		soft, hard := test.state.Limits()
		if soft < test.softFrom || soft > test.softTo || hard < test.hardFrom || hard > test.hardTo {
			t.Errorf("%s: got soft %v hard %v, want %v..%v and %v..%v", test.name, soft, hard,
				test.softFrom, test.softTo, test.hardFrom, test.hardTo)
		}
	}
}

func TestLimitsAreNeverPassed(t *testing.T) {
	times := []time.Duration{NoLimit, -1, 0, 1, ms, 3 * ms, 20 * ms, 50 * ms, 100 * ms, 300 * ms, 1000 * ms, 5 * time.Second, time.Minute, 1000 * time.Hour}
	for _, turn := range times {
		for _, left := range times {
			for _, inc := range []time.Duration{0, 100 * ms, time.Minute} {
				for played := 0; played <= 225; played += 15 {
					for i, elapsed := range []time.Duration{0, 2 * ms, 90 * ms} {
						stall := []time.Duration{0, 7 * ms, 200 * ms}[(i+played)%3]
						c := State{turn, NoLimit, left, inc, elapsed, played, 225 - played, stall, []int{0, 1, 225 - played}[(i+played/15)%3]}
						soft, hard := c.Limits()
						if soft < ms || hard < soft {
							t.Fatalf("%+v: soft %v, hard %v", c, soft, hard)
						}
						for _, limit := range []time.Duration{turn, left} {
							if limit > 0 && limit != NoLimit && hard > ms && hard+elapsed > limit-margin(limit, stall) {
								t.Fatalf("%+v: hard %v passes the limit %v", c, hard, limit)
							}
						}
						if (turn == 0 || left <= 0) && hard != ms {
							t.Fatalf("%+v: hard %v, want at once", c, hard)
						}
					}
				}
			}
		}
	}
}

// If each move uses its soft limit in full and 20 ms pass at the manager, some time remains until
// the board is full.
func TestTimeLastsAGame(t *testing.T) {
	for _, total := range []time.Duration{10 * time.Second, 180 * time.Second, 1000 * time.Second} {
		left := total
		for played := 0; played < 225; played += 2 {
			soft, _ := State{Turn: NoLimit, Match: total, Left: left, Played: played, Free: 225 - played}.Limits()
			left -= soft + leastMargin
			if left <= 0 {
				t.Fatalf("%v: nothing is left after %d stones", total, played)
			}
			if played == 20 && left > total/4*3 {
				t.Errorf("%v: %v are left after 20 stones, too much", total, left)
			}
		}
	}
}

// If 5 ms pass at the manager for each move, a game with increments never comes down to them alone,
// whichever of its limits every move uses in full: one move may be kept waiting without losing the
// game.
func TestReserveIsKept(t *testing.T) {
	for _, total := range []time.Duration{time.Second, 3 * time.Second, 180 * time.Second} {
		for _, test := range []struct {
			name  string
			least time.Duration // left after a move
			of    func(soft, hard time.Duration) time.Duration
		}{
			{"soft", min(total/12, 300*ms), func(soft, _ time.Duration) time.Duration { return soft }},
			{"hard", min(total/20, 275*ms), func(_, hard time.Duration) time.Duration { return hard }},
		} {
			const increment = 100 * ms
			left := total
			for played := 0; played < 150; played += 2 {
				used := test.of(State{Turn: NoLimit, Match: total, Left: left, Increment: increment, Played: played, Free: 225 - played}.Limits())
				if left -= used + 5*ms; left < test.least {
					t.Fatalf("%v, %s limit: %v are left after %d stones", total, test.name, left, played)
				}
				left += increment
			}
			if left > max(total/4, 2*mostReserve) {
				t.Errorf("%v, %s limit: %v are left over", total, test.name, left)
			}
		}
	}
}

// If each move uses its soft limit and 20 ms pass at the manager, a game to the full board
// loses no move for want of time, and none has much less of it than the first.
func TestTimeLastsUntilTheBoardIsFull(t *testing.T) {
	for _, total := range []time.Duration{30 * time.Second, 180 * time.Second, 900 * time.Second} {
		left, first := total, time.Duration(0)
		for played := 0; played < 225; played++ {
			soft, _ := State{Turn: NoLimit, Match: total, Left: left, Played: played, Free: 225 - played, Rest: 225 - played}.Limits()
			if played == 0 {
				first = soft
			}
			if soft < first/2 {
				t.Fatalf("%v: a move of %v after %d stones, the first had %v", total, soft, played, first)
			}
			if left -= soft + leastMargin; left <= 0 {
				t.Fatalf("%v: nothing is left after %d stones", total, played)
			}
		}
		if left > total/4 {
			t.Errorf("%v: %v are left over", total, left)
		}
	}
}
