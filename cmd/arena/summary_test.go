package main

import (
	"bytes"
	"testing"
)

// What scripts read of a match of three engines.
func TestSummaryOfThreeEngines(t *testing.T) {
	m := reportMatch(3)
	m.games[1].Result = "1/2-1/2"
	m.games[7].Result, m.games[7].Reason = "0-1", "adjudication"
	var b bytes.Buffer
	if err := writeSummary(&b, m, m.sum()); err != nil {
		t.Fatal(err)
	}
	const want = `match 5b4930fd6e1af6fa: 12 of 12 games
rank  name      Elo    +/-  points  games    win   loss   draw          1          2          3
   1  e1      164.8  164.7     6.5      8      6      1      1          -      3.5/4        3/4
   2  e2       34.4  132.0     4.5      8      4      3      1      0.5/4          -        4/4
   3  e3     -199.2  222.7       1      8      1      7      0        1/4        0/4          -
e1 against e2: +3 -0 =1, pairs 0/0/0/1/1, Elo 338.0 +/- inf [148.7, inf]
e1 against e3: +3 -1 =0, pairs 0/0/1/0/1, Elo 190.8 +/- inf [-67.9, inf]
e2 against e3: +4 -0 =0, pairs 0/0/0/0/2, Elo inf +/- inf [32.1, inf]
e1 lost 1 by adjudication
e3 lost 2 by timeout
  first in game 5, by timeout: answered after 3s, allowed were 2s
e1 used 10 % of its time: 32 moves, 0 late, the closest 200.0 ms before its limit
e2 used 10 % of its time: 32 moves, 0 late, the closest 200.0 ms before its limit
e3 used 10 % of its time: 32 moves, 0 late, the closest 200.0 ms before its limit
`
	if got := b.String(); got != want {
		t.Errorf("it prints\n%s", got)
	}
}
