package main

import (
	"bytes"
	"strings"
	"testing"
)

// The answers of an engine to the six steps; a "-" is an error.
const (
	threeSoosyrv = "MOVE1 7 7;MOVE2 7 8;MOVE3 8 8"
	noneSoosyrv  = "-/-/-/-/-/-"
)

func soosyrvGame(t *testing.T, first, second string) (*match, string) {
	a, b := fake(t, "a", "soosyrv "+first, "1"), fake(t, "b", "soosyrv "+second, "2")
	a.Choose, b.Choose = byCommand, byCommand
	return openingGame(t, settings{Opening: "soosyrv-8"}, a, b)
}

func TestSoosyrvIsPlayed(t *testing.T) {
	for _, tt := range []struct {
		name, first, second string
		black               string // of game 1
		moves               string // the beginning of the game
		choices             string
		lines               []string // to the engines
	}{
		{
			"no swap", threeSoosyrv + "/-/-/SWAP2 NO/MOVE5 REFRESH;MOVE5 5 5;MOVE5 4 4;MOVE5 DONE/-", "-/SWAP1 NO/MOVE4 6 6 2/-/-/MOVE5C 4 4",
			"a", "h8h9i9g7e5", "put h8,put h9,put i9,stay,put g7,declare 2,stay,offer f6,offer e5,pick e5",
			[]string{"b: YXSOOSORVSTEP2|b: 7,7|b: 7,8|b: 8,8|b: DONE", "a: YXSOOSORVSTEP4 2|a: 7,7|a: 7,8|a: 8,8|a: 6,6|a: DONE", "b: YXSOOSORVSTEP6|b: 7,7|b: 7,8|b: 8,8|b: 6,6|b: 5,5|b: 4,4|b: DONE"},
		},
		{
			"two swaps", threeSoosyrv + "/-/MOVE4 6 6 1/-/MOVE5 5 5;MOVE5 DONE/-", "-/SWAP1 YES/-/SWAP2 YES/-/MOVE5C 5 5",
			"a", "h8h9i9g7f6", "put h8,put h9,put i9,swap,put g7,declare 1,swap,offer f6,pick f6",
			[]string{"a: YXSOOSORVSTEP3|a: 7,7|a: 7,8|a: 8,8|a: DONE", "a: YXSOOSORVSTEP5 1|a: 7,7"},
		},
		{
			"one swap", threeSoosyrv + "/-/MOVE4 6 6 1/-/-/MOVE5C 5 5", "-/SWAP1 YES/-/SWAP2 NO/MOVE5 5 5;MOVE5 DONE/-",
			"b", "h8h9i9g7f6", "put h8,put h9,put i9,swap,put g7,declare 1,stay,offer f6,pick f6", nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, log := soosyrvGame(t, tt.first, tt.second)
			g := m.games[1]
			if failed(g.Reason) {
				t.Fatalf("%s lost by %s: %s", g.loser(), g.Reason, g.Detail)
			}
			if got := strings.Join(g.Chosen.Choices, ","); got != tt.choices || g.Black != tt.black || g.Opening != 5 || !strings.HasPrefix(g.Moves, tt.moves) {
				t.Errorf("black is %s, %d stones, %s, choices %s", g.Black, g.Opening, g.Moves, got)
			}
			for _, want := range tt.lines {
				if got := sentIn(log, "1", want[:1]); !strings.Contains(got, want) {
					t.Errorf("%s was not sent: %s", want, got)
				}
			}
			if err := m.check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// sentIn returns what an engine was sent in a game, "NAME: LINE|NAME: LINE".
func sentIn(log, game, engine string) string {
	var lines []string
	for line := range strings.Lines(log) {
		if _, rest, ok := strings.Cut(line, " > "); ok && strings.HasPrefix(line, game+" ") && strings.HasPrefix(rest, engine+": ") {
			lines = append(lines, strings.TrimSpace(rest))
		}
	}
	return strings.Join(lines, "|")
}

func TestBadChoicesOfSoosyrvLose(t *testing.T) {
	for _, tt := range []struct {
		first, second         string
		loser, reason, detail string
	}{
		{noneSoosyrv, noneSoosyrv, "a", "protocol", `not a choice: "ERROR no"`},
		{"MOVE1 7 7;MOVE2 7 8;MOVE3 7 12/-/-/-/-/-", noneSoosyrv, "a", "protocol", "YXSOOSORVSTEP1: h3 is outside the 5x5 about the first stone"},
		{"MOVE1 7 7;MOVE2 7 8;MOVE3 7 15/-/-/-/-/-", noneSoosyrv, "a", "protocol", "YXSOOSORVSTEP1: 7,15 is not on a board of 15x15"},
		{"MOVE1 7 7;MOVE2 7 8;silent/-/-/-/-/-", noneSoosyrv, "a", "timeout", ""},
		{threeSoosyrv + "/-/-/-/-/-", "-/SWAP1 NO/MOVE4 6 6 9/-/-/-", "b", "protocol", "YXSOOSORVSTEP3: 9 fifth moves cannot be declared, want 1 to 8"},
		{threeSoosyrv + "/-/-/SWAP2 NO/MOVE5 5 5;MOVE5 DONE/-", "-/SWAP1 NO/MOVE4 6 6 2/-/-/-", "a", "protocol", "YXSOOSORVSTEP5: 1 fifth moves, not 2"},
		{threeSoosyrv + "/-/-/SWAP2 NO/MOVE5 5 5;MOVE5 DONE/-", "-/SWAP1 NO/MOVE4 6 6 1/-/-/MOVE5C 1 1", "b", "protocol", "YXSOOSORVSTEP6: b14 is not one of the fifth moves offered"},
	} {
		t.Run(tt.first+" "+tt.second, func(t *testing.T) {
			t.Parallel()
			m, _ := soosyrvGame(t, tt.first, tt.second)
			g := m.games[1]
			if g.loser() != tt.loser || g.Reason != tt.reason || tt.detail != "" && g.Detail != tt.detail {
				t.Errorf("%s lost by %s: %q, want %s by %s: %q", g.loser(), g.Reason, g.Detail, tt.loser, tt.reason, tt.detail)
			}
			if err := m.check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// An engine that does not know the command of an opening, as most do not, gets the advice to do without.
func TestAdviceForOpenings(t *testing.T) {
	m, _ := soosyrvGame(t, threeSoosyrv+"/-/-/-/-/-", noneSoosyrv)
	var text bytes.Buffer
	if err := writeSummary(&text, m, m.sum()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"b lost 2 by protocol\n  first in game 1, by protocol: not a choice: \"ERROR no\"\n  choose=searches lets", "a by soosyrv-8: proposed 1\n", "b by soosyrv-8: proposed 0\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the summary lacks %q:\n%s", want, text.String())
		}
	}
}
