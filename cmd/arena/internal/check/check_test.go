package check

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/protocol/client"
	"tengen/protocol/wire"
)

// short are times for engines that answer at once. What only a fault oversteps is long, for a busy machine.
var short = Times{
	Long: 500 * time.Millisecond, Medium: 500 * time.Millisecond, Short: 500 * time.Millisecond,
	Position: 100 * time.Millisecond, Game: 50 * time.Millisecond, Clock: 20 * time.Second, Plies: 20,
	answer: 30 * time.Second, late: 30 * time.Second, quick: 50 * time.Millisecond, tolerance: 500 * time.Millisecond, slack: 400 * time.Millisecond,
	quiet: 100 * time.Millisecond, soon: 20 * time.Second, end: 30 * time.Second, grace: 10 * time.Millisecond, pause: 100 * time.Millisecond,
}

// What engines with a fault take.
const (
	lateMove = time.Second
	lateOnce = 4 * time.Second
	slowEnd  = 3 * time.Second
)

// timesFor returns the times for an engine with a fault. A limit that the fault oversteps is shorter than in short.
func timesFor(fault string) Times {
	t := short
	switch fault {
	case "mute", "gives up":
		t.late = 200 * time.Millisecond
	case "OK and more", "silent to the unknown":
		t.answer = 5 * time.Second
	case "no ABOUT":
		t.answer, t.quiet = 5*time.Second, 30*time.Millisecond
	case "silent to an empty BOARD":
		t.late = 5 * time.Second
	case "loses what comes at once":
		t.answer, t.late, t.pause = 5*time.Second, 5*time.Second, 30*time.Millisecond
	case "refuses and plays":
		t.quiet = time.Second // in which the move follows
	case "ignores END", "outlives its input":
		t.soon, t.end, t.quiet = 3*time.Second, 3*time.Second, 30*time.Millisecond
	case "slow END":
		t.soon, t.quiet = 2*time.Second, 30*time.Millisecond
	case "late":
		t.Long, t.Medium, t.Short = 100*time.Millisecond, 100*time.Millisecond, 100*time.Millisecond
		t.tolerance, t.slack = 100*time.Millisecond, 100*time.Millisecond
	case "late once":
		t.tolerance = 2500 * time.Millisecond // for the second try
	}
	return t
}

// runFault checks an engine with a fault for some leagues. Its memory counts threefold.
func runFault(t *testing.T, fault string, leagues []League) *Report {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	report, err := Run(t.Context(), Options{
		Program: client.Program{Args: []string{exe}, Dir: folder, Env: []string{faultVar + "=" + fault + "."}},
		Leagues: leagues, Times: timesFor(fault), Tag: "TENGEN_CHECK=" + t.Name(), Folder: folder,
		Memory: func(mark string, pid int) (int64, bool) { n, ok := memoryForTest(pid); return 3 * n, ok },
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// found lists what has not passed, as "FAIL group: name". Of what is found in the checks of times it lists that
// which is wanted: on a busy machine an engine without a fault may be late, too.
func found(report *Report, want ...string) (list []string) {
	for _, result := range report.Results {
		text := string(result.Verdict) + " " + result.title()
		if result.Verdict != Pass && (result.Group != "time" || slices.Contains(want, text)) {
			list = append(list, text)
		}
	}
	return list
}

type fault struct {
	fault string
	want  []string
}

// faults are engines with one fault each, and what has to be found: the first is the fault itself, and
// the others are what it makes impossible besides.
var faults = []fault{
	{"banner", []string{"FAIL start: silence", "WARN run: all checks"}},
	{"no boards of 20", []string{"FAIL start: sizes", "WARN run: all checks"}},
	{"OK and more", []string{"FAIL start: sizes", "WARN run: all checks"}},
	{"mute", []string{"FAIL moves: BEGIN", "FAIL info: known keys", "WARN run: all checks", "FAIL start: again"}},
	{"gives up", []string{"FAIL moves: BEGIN", "FAIL info: known keys", "WARN run: all checks", "FAIL start: again"}},
	{"small OK", []string{"WARN output: form of answers"}},
	{"blank at the end", []string{"WARN output: form of answers"}},
	{"CR alone", []string{"FAIL output: line ends"}},
	{"no ABOUT", []string{"FAIL start: ABOUT"}},
	{"capital letters only", []string{"WARN start: letters"}},
	{"takes any size", []string{"WARN start: bad sizes"}},
	{"silent to the unknown", []string{"WARN info: unknown command", "WARN optional: RECTSTART", "WARN optional: SWAP2BOARD"}},
	{"dies of the unknown", []string{"FAIL info: unknown command", "FAIL optional: RECTSTART", "FAIL optional: SWAP2BOARD", "WARN info: long line"}},
	{"answers INFO", []string{"FAIL info: known keys", "WARN info: unknown keys", "WARN info: odd values", "FAIL output: no other text"}},
	{"dies of odd INFO", []string{"WARN info: odd values"}},
	{"silent to an empty BOARD", []string{"FAIL moves: BOARD empty"}},
	{"loses what comes at once", []string{"WARN moves: at once"}},
	{"TAKEBACK does nothing", []string{"FAIL optional: TAKEBACK"}},
	{"plays on a stone", []string{"FAIL moves: TURN", "WARN run: all checks"}},
	{"plays off the board", []string{"FAIL moves: TURN", "WARN run: all checks"}},
	{"dies in the game", []string{"FAIL moves: TURN", "WARN run: all checks"}},
	{"talks", []string{"FAIL output: no other text"}},
	{"refuses and plays", []string{"FAIL output: no other text"}},
	{"bare MESSAGE", []string{"FAIL output: no other text"}},
	{"two answers", []string{"FAIL output: one answer"}},
	{"standard error", []string{"WARN output: standard error"}},
	{"leaves a process", []string{"FAIL output: processes"}},
	{"writes files", []string{"WARN files: folder"}},
	{"ignores END", []string{"FAIL end: END at first", "FAIL end: END in a game", "WARN end: END while thinking"}},
	{"slow END", []string{"WARN end: END at first", "WARN end: END in a game", "WARN end: END while thinking"}},
	{"outlives its input", []string{"WARN end: end of input"}},
	{"late", []string{"FAIL time: short", "FAIL time: medium", "FAIL time: long", "FAIL time: clock", "WARN time: clock alone"}},
	{"late once", []string{"WARN time: long", "WARN files: folder"}},
	{"no clock", []string{"FAIL time: clock"}},
}

// TestFaults: each fault is found, and nothing else is.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, test := range faults {
		t.Run(test.fault, func(t *testing.T) {
			t.Parallel()
			report := runFault(t, test.fault, Leagues[:1])
			got, want := found(report, test.want...), slices.Clone(test.want)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				var page bytes.Buffer
				report.WriteText(&page)
				t.Errorf("found %q, want %q\n%s", got, want, page.String())
			}
			for _, result := range report.Results {
				late := result.Group == "time" && result.Verdict != Pass
				if again := strings.Contains(result.Text, "; tried twice") || strings.Contains(result.Text, "; at the second try"); late && !again {
					t.Errorf("%s %s: %s", result.Verdict, result.title(), result.Text)
				}
				if result.Verdict != Pass && len(result.Dialogue) == 0 && result.Group != "run" && result.Group != "files" {
					t.Errorf("%s has no dialogue", result.title())
				}
			}
		})
	}
}

// TestSecondTry: what the page says of a check that was tried twice.
func TestSecondTry(t *testing.T) {
	for _, tt := range []struct {
		first, again Verdict
		want         Verdict
		text         string
	}{
		{Fail, Pass, Warn, "new; at the second try, the first time: old"},
		{Warn, Pass, Pass, "new; at the second try, the first time: old"},
		{Warn, Fail, Fail, "new; tried twice"},
		{Fail, Warn, Warn, "new; tried twice"},
	} {
		line := []Line{{Text: "first"}}
		got := Result{Verdict: tt.again, Text: "new", Seconds: 1}.after(Result{Verdict: tt.first, Text: "old", Seconds: 2, Dialogue: line})
		if got.Verdict != tt.want || got.Text != tt.text || got.Seconds != 3 || (len(got.Dialogue) > 0) != (tt.first == Fail && tt.again == Pass) {
			t.Errorf("%s, then %s: %+v", tt.first, tt.again, got)
		}
	}
}

// TestRuleFaults: an engine that does not know a rule fails in the leagues of it and in no other.
func TestRuleFaults(t *testing.T) {
	t.Parallel()
	for fault, leagues := range map[string]string{
		"":                          "freestyle-20 freestyle-15 standard-15 renju-15 caro-15",
		"knows no forbidden points": "freestyle-20 freestyle-15 standard-15 caro-15",
		"six wins always":           "freestyle-20 freestyle-15 renju-15 caro-15",
		"knows no capped fives":     "freestyle-20 freestyle-15 standard-15 renju-15",
		"knows freestyle only":      "freestyle-20 freestyle-15",
		"refuses caro":              "freestyle-20 freestyle-15 standard-15 renju-15",
		"no boards of 20":           "freestyle-15 standard-15 renju-15 caro-15",
	} {
		t.Run(cmp.Or(fault, "none"), func(t *testing.T) {
			t.Parallel()
			report := runFault(t, fault, Leagues)
			for _, l := range Leagues {
				report.Leagues = append(report.Leagues, l.Name)
			}
			report.Results = slices.DeleteFunc(report.Results, func(r Result) bool { return r.Group == "time" }) // as in found
			list := found(report)
			warns := slices.ContainsFunc(list, func(text string) bool {
				return strings.HasPrefix(text, "WARN") && text != "WARN caro-15: not played" && text != "WARN freestyle-20: not played"
			})
			if got := strings.Join(report.Ready(), " "); got != leagues || warns {
				t.Errorf("ready for %q, want %q; found %q", got, leagues, list)
			}
		})
	}
}

// TestPositions: the answers of the positions are those that the rules decide, by the board alone: a win
// at once, or the only moves after which the opponent does not win at once, or a forbidden point. Two of
// Gomocup's own look further.
func TestPositions(t *testing.T) {
	for _, p := range positions {
		for _, rule := range p.rules {
			for _, size := range p.sizes {
				name := fmt.Sprintf("%s, %v, %d", p.name, rule, size)
				b, err := board.New(rule, size, size)
				if err != nil {
					t.Fatal(err)
				}
				moves := p.setUp()
				if err := b.PlayAll(moves); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if got := strings.Join(boardLines(moves)[1:len(moves)+1], " "); got != p.stones {
					t.Errorf("%s: BOARD has %s, want %s", name, got, p.stones)
				}
				if not, except := strings.CutPrefix(p.want, "!"); except {
					if m, err := cell(not); err != nil || !b.Forbidden(m) || b.Side() != board.Black {
						t.Errorf("%s: %s is not forbidden", name, not)
					}
					continue
				}
				var right []string
				for _, m := range b.Open().Append(nil) {
					if b.Legal(m) && b.Wins(b.Side(), m) {
						right = append(right, wire.MoveText(m))
					}
				}
				if len(right) == 0 {
					right = stops(b)
				}
				want := strings.Fields(p.want)
				slices.Sort(right)
				slices.Sort(want)
				deep := p.name == "six or five" || p.name == "a capped five" // they stop an open three
				if !slices.Equal(right, want) && !deep {
					t.Errorf("%s: %q are right, want %q", name, right, want)
				}
			}
		}
	}
}

// stops lists the moves after which the opponent has no win at once.
func stops(b *board.Board) (list []string) {
	for _, m := range b.Open().Append(nil) {
		if !b.Legal(m) {
			continue
		}
		b.Play(m)
		wins := 0
		for _, reply := range b.Open().Append(nil) {
			if b.Legal(reply) && b.Wins(b.Side(), reply) {
				wins++
			}
		}
		b.Undo()
		if wins == 0 {
			list = append(list, wire.MoveText(m))
		}
	}
	return list
}

// TestSpread: the stones of an almost full board win nothing, and threaten nothing.
func TestSpread(t *testing.T) {
	for _, l := range Leagues {
		b, err := board.New(l.Rule, l.Size, l.Size)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range spread(l.Size, l.Size*l.Size-26) {
			if b.Cell(m) != board.Empty {
				t.Fatalf("%s: a cell is there twice", l.Name)
			}
			b.Play(m)
		}
		if b.Won() || b.Count(board.Black, board.MakesFive)+b.Count(board.White, board.MakesFive) > 0 {
			t.Errorf("%s: there is a five", l.Name)
		}
	}
}
