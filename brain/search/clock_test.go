package search

import (
	"testing"
	"time"
)

const ms = time.Millisecond

func TestClock(t *testing.T) {
	game := func(turn, left time.Duration) ClockState {
		return ClockState{Turn: turn, Match: NoLimit, Left: left, Played: 10, Free: 215}
	}
	tests := []struct {
		name     string
		state    ClockState
		softFrom time.Duration
		softTo   time.Duration
		hardFrom time.Duration
		hardTo   time.Duration
	}{
		{"a turn limit alone is used up", game(1000*ms, NoLimit), 970 * ms, 985 * ms, 970 * ms, 985 * ms},
		{"a long turn limit alone is used up", game(30*time.Second, NoLimit), 29 * time.Second, 29950 * ms, 29 * time.Second, 29950 * ms},
		{"a short turn leaves a sixth", game(50*ms, NoLimit), 40 * ms, 44 * ms, 40 * ms, 44 * ms},
		{"a turn of 100 ms is used up too", game(100*ms, NoLimit), 80 * ms, 90 * ms, 80 * ms, 90 * ms},
		{"no limit at all is five seconds", game(NoLimit, NoLimit), 4500 * ms, 4970 * ms, 4500 * ms, 4970 * ms},
		{"a negative turn limit is none", game(-1, NoLimit), 4500 * ms, 4970 * ms, 4500 * ms, 4970 * ms},
		{"turn 0 is at once", game(0, NoLimit), ms, ms, ms, ms},
		{"turn 0 is at once with a long game", game(0, time.Hour), ms, ms, ms, ms},
		{"nothing left is at once", game(1000*ms, 0), ms, ms, ms, ms},
		{"less than nothing left is at once", game(NoLimit, -500*ms), ms, ms, ms, ms},
		{"the time left is less than the turn", game(30*time.Second, 1000*ms), 20 * ms, 200 * ms, 50 * ms, 700 * ms},
		{"the game allows every turn in full", game(1000*ms, time.Hour), 970 * ms, 985 * ms, 970 * ms, 985 * ms},
		{"a game is shared out", game(NoLimit, 180*time.Second), 6 * time.Second, 12 * time.Second, 16 * time.Second, 30 * time.Second},
		{"a game is shared out below the turn", game(30*time.Second, 180*time.Second), 6 * time.Second, 12 * time.Second, 16 * time.Second, 29950 * ms},
		{"the increment is used", ClockState{Turn: NoLimit, Left: 2 * time.Second, Increment: time.Second, Played: 40, Free: 185},
			900 * ms, 1200 * ms, 1000 * ms, 1980 * ms},
		{"an increment greater than the time left does not help now", ClockState{Turn: NoLimit, Left: 400 * ms, Increment: 10 * time.Second, Played: 40, Free: 185},
			375 * ms, 385 * ms, 375 * ms, 385 * ms},
		{"a game without time left uses its limit", ClockState{Turn: NoLimit, Match: 180 * time.Second, Left: NoLimit, Free: 225},
			6 * time.Second, 12 * time.Second, 16 * time.Second, 30 * time.Second},
		{"the last free cell gets all that is left", ClockState{Turn: NoLimit, Left: 10 * time.Second, Played: 224, Free: 1},
			9 * time.Second, 9970 * ms, 9 * time.Second, 9970 * ms},
		{"what has passed since the line was read is taken off",
			ClockState{Turn: 1000 * ms, Match: NoLimit, Left: NoLimit, Elapsed: 300 * ms, Free: 225}, 670 * ms, 685 * ms, 670 * ms, 685 * ms},
		{"a move that is late already is made at once",
			ClockState{Turn: 1000 * ms, Match: NoLimit, Left: NoLimit, Elapsed: 3000 * ms, Free: 225}, ms, ms, ms, ms},
	}
	for _, test := range tests {
		soft, hard := Clock(test.state)
		if soft < test.softFrom || soft > test.softTo || hard < test.hardFrom || hard > test.hardTo {
			t.Errorf("%s: got soft %v hard %v, want %v..%v and %v..%v", test.name, soft, hard,
				test.softFrom, test.softTo, test.hardFrom, test.hardTo)
		}
	}
}

func TestClockNeverPassesALimit(t *testing.T) {
	times := []time.Duration{NoLimit, -1, 0, 1, ms, 3 * ms, 20 * ms, 50 * ms, 100 * ms, 300 * ms, 1000 * ms, 5 * time.Second, time.Minute, 1000 * time.Hour}
	for _, turn := range times {
		for _, left := range times {
			for _, inc := range []time.Duration{0, 100 * ms, time.Minute} {
				for played := 0; played <= 225; played += 15 {
					for _, elapsed := range []time.Duration{0, 2 * ms, 90 * ms} {
						c := ClockState{turn, NoLimit, left, inc, elapsed, played, 225 - played}
						soft, hard := Clock(c)
						if soft < ms || hard < soft {
							t.Fatalf("%+v: soft %v, hard %v", c, soft, hard)
						}
						for _, limit := range []time.Duration{turn, left} {
							if limit > 0 && limit != NoLimit && hard > ms && hard+elapsed > limit-margin(limit) {
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

// If each move uses its soft limit in full, some time always remains.
func TestClockLastsAGame(t *testing.T) {
	for _, total := range []time.Duration{10 * time.Second, 180 * time.Second, 1000 * time.Second} {
		left := total
		for played := 0; played < 225; played += 2 {
			soft, _ := Clock(ClockState{Turn: NoLimit, Match: total, Left: left, Played: played, Free: 225 - played})
			left -= soft
			if left <= 0 && soft > ms {
				t.Fatalf("%v: nothing is left after %d stones", total, played)
			}
			if played == 20 && left > total/10*7 {
				t.Errorf("%v: %v are left after 20 stones, too much", total, left)
			}
		}
	}
}
