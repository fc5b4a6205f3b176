package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/cmd/internal/flags"
)

// swap2Game is openingGame for swap2.
func swap2Game(t *testing.T, first, second string) (*match, string) {
	return openingGame(t, settings{Opening: "swap2"}, fake(t, "a", "swap2 "+first, "1"), fake(t, "b", "swap2 "+second, "2"))
}

// openingGame plays a pair of games between engines that answer as their modes say, and returns the match
// and its log. In game 1 the first engine puts the first stones.
func openingGame(t *testing.T, s settings, first, second engine) (*match, string) {
	t.Helper()
	s.Engines = []engine{first, second}
	for i := range s.Engines {
		if strings.Contains(s.Engines[i].Cmd, "silent") {
			s.Engines[i].TC, s.Engines[i].Tolerance = timeControl{Turn: 100 * time.Millisecond}, 300*time.Millisecond
		}
	}
	tr := newTournament(t, s, flags.Shard{}, 1)
	name := filepath.Join(t.TempDir(), "log")
	l, err := openLog(name, "")
	if err != nil {
		t.Fatal(err)
	}
	tr.log = l
	if err := tr.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	l.file.Close()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return tr.match, string(raw)
}

const three = "7,7 7,8 8,8" // h8, h9, i9

func TestSwap2IsPlayed(t *testing.T) {
	for _, tt := range []struct {
		name, first, second string
		black               string // of game 1
		stones              int    // before the first move
		moves               string // the beginning of the game
		board               string // the first lines of BOARD, and to whom
		choices             string
	}{
		{"swap", three + "/-/-", three + "/SWAP/-", "b", 3, "h8h9i9", "> a: BOARD|> a: 7,7,2|> a: 7,8,1|> a: 8,8,2|> a: DONE", "put h8,put h9,put i9,swap"},
		{"stay", three + "/-/-", three + "/6,6/-", "a", 3, "h8h9i9g7", "> a: BOARD|> a: 7,7,1|> a: 7,8,2|> a: 8,8,1|> a: 6,6,2|> a: DONE", "put h8,put h9,put i9,stay"},
		{"two, swap", three + "/-/swap", three + "/6,6 5,5/-", "a", 5, "h8h9i9g7f6", "> b: BOARD|> b: 7,7,2|> b: 7,8,1|> b: 8,8,2|> b: 6,6,1|> b: 5,5,2|> b: DONE", "put h8,put h9,put i9,two,put g7,put f6,swap"},
		{"two, stay", three + "/-/4,4", three + "/6,6 5,5/-", "b", 5, "h8h9i9g7f6e5", "> b: BOARD|> b: 7,7,1|> b: 7,8,2|> b: 8,8,1|> b: 6,6,2|> b: 5,5,1|> b: 4,4,2|> b: DONE", "put h8,put h9,put i9,two,put g7,put f6,stay"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, log := swap2Game(t, tt.first, tt.second)
			g := m.games[1]
			if failed(g.Reason) {
				t.Fatalf("%s lost by %s: %s", g.loser(), g.Reason, g.Detail)
			}
			if g.Black != tt.black || g.Opening != tt.stones || !strings.HasPrefix(g.Moves, tt.moves) {
				t.Errorf("black is %s, %d stones, %s", g.Black, g.Opening, g.Moves)
			}
			if got := strings.Join(g.Chosen.Choices, ","); got != tt.choices || g.Chosen.First != "a" {
				t.Errorf("%s put first, choices %s", g.Chosen.First, got)
			}
			var lines []string
			for line := range strings.Lines(log) {
				if _, rest, ok := strings.Cut(line, " > "); ok && strings.HasPrefix(line, "1 ") {
					lines = append(lines, "> "+strings.TrimSpace(rest))
				}
			}
			at := slices.IndexFunc(lines, func(l string) bool { return strings.HasSuffix(l, ": BOARD") })
			want := strings.Split(tt.board, "|")
			if at < 0 || at+len(want) > len(lines) || !slices.Equal(lines[at:at+len(want)], want) {
				t.Errorf("the game begins with %q, want %q", lines[max(at, 0):], want)
			}
			if err := m.check(); err != nil {
				t.Error(err)
			}
			if again := m.games[2]; again.Chosen == nil || again.Chosen.First != "b" {
				t.Errorf("game 2 is %+v", again)
			}
		})
	}
}

// A choice that is not allowed loses by protocol, whatever the color; a move by the rules of the game.
func TestBadChoicesLose(t *testing.T) {
	ok := three + "/SWAP/SWAP"
	for _, tt := range []struct {
		first, second         string
		loser, reason, detail string
	}{
		{"7,7 7,8/-/-", ok, "a", "protocol", "SWAP2BOARD: 2 moves after 0 stones"},
		{"7,7/-/-", ok, "a", "protocol", "SWAP2BOARD: 1 moves after 0 stones"},
		{"SWAP/-/-", ok, "a", "protocol", "SWAP2BOARD: SWAP after 0 stones"},
		{"7,7 7,8 7,7/-/-", ok, "a", "protocol", "SWAP2BOARD: h8 is taken"},
		{"7,7 7,8 15,7/-/-", ok, "a", "protocol", "SWAP2BOARD: 15,7 is not on a board of 15x15"},
		{"7,7 7,8 -1,7/-/-", ok, "a", "protocol", "SWAP2BOARD: -1,7 is not on a board of 15x15"},
		{ok, three + "/1,1 2,2 3,3/-", "b", "protocol", "SWAP2BOARD: 3 moves after 3 stones"},
		{ok, three + "/1,1 7,8/-", "b", "protocol", "SWAP2BOARD: h7 is taken"},
		{ok, three + "/7,8/-", "b", "illegal", "7,8: the cell is taken"},
		{ok, three + "/-/-", "b", "protocol", `not moves: "ERROR"`},
		{ok, three + "/silent/-", "b", "timeout", ""},
		{three + "/SWAP/1,1 2,2", three + "/1,1 2,2/-", "a", "protocol", "SWAP2BOARD: 2 moves after 5 stones"},
		{three + "/SWAP/2,2", three + "/1,1 2,2/-", "a", "illegal", "2,2: the cell is taken"},
	} {
		t.Run(tt.first+" "+tt.second, func(t *testing.T) {
			t.Parallel()
			m, _ := swap2Game(t, tt.first, tt.second)
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

// Games count for the engine that won them, with whatever color; choices are counted.
func TestChoicesAreCounted(t *testing.T) {
	m, _ := swap2Game(t, three+"/1,1/4,4", three+"/6,6 5,5/SWAP")
	for i, g := range []*gameRecord{m.games[1], m.games[2]} { // b has black in both
		if g.Black != "b" {
			t.Fatalf("black of game %d is %s", i+1, g.Black)
		}
		g.Result, g.Reason = []string{"1-0", "0-1"}[i], "five"
	}
	r := m.sum()
	if c := r.Cross[0][1]; c.Wins != 1 || c.Losses != 1 || c.Pairs != [5]int{2: 1} {
		t.Errorf("a against b: %+v", c)
	}
	var b bytes.Buffer
	if err := writeSummary(&b, m, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"a by swap2: proposed 1; asked after 3 stones 1: 1 stay; asked after 5 stones 1: 1 stay\n",
		"b by swap2: proposed 1; asked after 3 stones 1: 1 two\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the summary lacks %q:\n%s", want, b.String())
		}
	}
}

func TestOpeningRulesAreNamed(t *testing.T) {
	for text, want := range map[string]string{"swap2": "swap2", "Swap-2": "swap2", "free": "", "RIF": "rif", "taraguchi10": "taraguchi-10"} {
		if got, err := parseOpening(text); got != want || err != nil {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"soosyrv", "swap3", ""} {
		if got, err := parseOpening(text); err == nil {
			t.Errorf("%q is %q", text, got)
		}
	}
	for _, tt := range []struct {
		opening, choose string
		size            int
		want            string // in the error, "" for none
	}{
		{"soosyrv-8", "command", 15, ""},
		{"soosyrv-8", "searches", 15, ""},
		{"swap2", "searches", 15, ""},
		{"rif", "", 15, ""},
		{"rif", "command", 15, "a: no command asks for choices by rif, choose=searches does without"},
		{"", "searches", 15, "a: choose=searches needs -opening"},
		{"rif", "", 8, "-opening: rif is not played on a board of 8x8"},
	} {
		s := settings{Opening: tt.opening, Size: tt.size, Engines: []engine{{Name: "a", Choose: tt.choose}}}
		if err := s.checkOpening(); (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}
