package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/cmd/internal/flags"
)

// newTournament makes one over fake engines, quiet and without files.
func newTournament(t testing.TB, s settings, shard flags.Shard, workers int) *tournament {
	t.Helper()
	if s.Size == 0 {
		s.Size = 15
	}
	if s.Games == 0 {
		s.Games = 2
	}
	s.Rounds = max(s.Rounds, 1)
	return &tournament{tag: newTag(), match: newMatch(&s), shard: shard, workers: workers}
}

func play1(t testing.TB, s settings) *match {
	t.Helper()
	tr := newTournament(t, s, flags.Shard{}, 2)
	if err := tr.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return tr.match
}

// essence drops times and dates, which no two runs share.
func essence(g *gameRecord) string {
	return fmt.Sprint(g.Game, g.Round, g.Black, g.White, g.Result, g.Reason, g.Moves, g.Opening)
}

func essences(m *match) []string {
	var list []string
	for _, g := range m.sorted() {
		list = append(list, essence(g))
	}
	return list
}

var testOpenings = []string{"h8h9i9", "g7h8", "d4e5f6g7", "h8", "j10k11"}

func TestAMatchIsPlayedToItsEnd(t *testing.T) {
	s := settings{Engines: []engine{fake(t, "a", "", "1"), fake(t, "b", "", "2")}, Games: 10, Openings: testOpenings}
	m := play1(t, s)
	if len(m.games) != 10 {
		t.Fatalf("%d games, want 10", len(m.games))
	}
	for _, g := range m.sorted() {
		if g.Reason != "five" && g.Reason != "draw" {
			t.Errorf("game %d ended by %s (%s)", g.Game, g.Reason, g.Detail)
		}
		if !strings.HasPrefix(g.Moves, testOpenings[(g.Game-1)/2]) {
			t.Errorf("game %d begins %s, want the opening %s", g.Game, g.Moves, testOpenings[(g.Game-1)/2])
		}
		moves, err := board.ParseMoves(g.Moves, 15, 15)
		if err != nil || len(moves) != g.Opening+len(g.Time) {
			t.Errorf("game %d: %d moves, %d of opening, %d times, %v", g.Game, len(moves), g.Opening, len(g.Time), err)
		}
		// a moves first after the opening in the odd games.
		if want := []string{"a", "b"}[(g.Game-1+g.Opening)%2]; g.Black != want {
			t.Errorf("game %d has %s as black, want %s", g.Game, g.Black, want)
		}
	}
	if again := play1(t, s); !reflect.DeepEqual(essences(m), essences(again)) {
		t.Error("the same match gave other games")
	}
}

func TestEveryRuleAndManySizesAreDealt(t *testing.T) {
	for _, rule := range []int{0, 1, 4, 8, 9} {
		for _, size := range []int{5, 15, 22} {
			m := play1(t, settings{Engines: []engine{fake(t, "a", "", "1"), fake(t, "b", "", "2")}, Rule: rule, Size: size})
			for _, g := range m.sorted() {
				if g.Reason != "five" && g.Reason != "draw" {
					t.Errorf("rule %d size %d game %d ended by %s (%s)", rule, size, g.Game, g.Reason, g.Detail)
				}
			}
		}
	}
}

// misbehaviors lists what an engine may do and the verdict the referee must give. The
// engine called "bad" has Black in game 1.
var misbehaviors = []struct {
	mode   string
	reason string // "" if the game must not be lost by it
}{
	{"refuses once@1", "protocol"},
	{"no OK", "timeout"},
	{"ERROR to START", "protocol"},
	{"exits at once", "crash"},
	{"exits at START", "crash"},
	{"mute@3", "timeout"},
	{"late@2", "timeout"},
	{"occupied@2", "illegal"},
	{"off the board@2", "illegal"},
	{"negative@1", "illegal"},
	{"garbage@2", "protocol"},
	{"comma@2", "protocol"},
	{"ERROR@2", "protocol"},
	{"UNKNOWN@2", "protocol"},
	{"flood of lines@2", "protocol"},
	{"flood without lines@2", "protocol"},
	{"exits@2", "crash"},
	{"exits after the move@2", "crash"},
	{"closes its output@2", "crash"},
	{"chatter", ""},
	{"ignores ABOUT", ""},
	{"ignores END", ""},
	{"leaves children@1", ""},
	{"daemon", ""},
}

func TestEveryMisbehaviorGetsItsVerdict(t *testing.T) {
	t.Parallel()
	for _, tt := range misbehaviors {
		t.Run(tt.mode, func(t *testing.T) {
			t.Parallel()
			bad := fake(t, "bad", tt.mode, "1")
			if tt.reason == "timeout" || tt.mode == "refuses once@1" {
				// "late" answers after a second.
				bad.TC, bad.Tolerance, bad.okLimit = timeControl{Turn: 100 * time.Millisecond}, 300*time.Millisecond, time.Second
			}
			tr := newTournament(t, settings{Engines: []engine{bad, fake(t, "good", "", "2")}}, flags.Shard{}, 1)
			if err := tr.run(context.Background()); err != nil {
				t.Fatal(err)
			}
			for _, g := range tr.match.sorted() {
				if tt.reason == "" {
					if failed(g.Reason) {
						t.Errorf("game %d: %s lost by %s: %s", g.Game, g.loser(), g.Reason, g.Detail)
					}
					continue
				}
				if g.Reason != tt.reason || g.loser() != "bad" {
					t.Errorf("game %d: %s lost by %s (%s), want bad by %s", g.Game, g.loser(), g.Reason, g.Detail, tt.reason)
				}
			}
			var text strings.Builder
			if err := writeSummary(&text, tr.match, tr.match.sum()); err != nil {
				t.Fatal(err)
			}
			neverPlays := tt.mode == "no OK" || tt.mode == "ERROR to START" || tt.mode == "refuses once@1"
			want := (tt.reason == "timeout" || tt.reason == "protocol") && !neverPlays
			if got := strings.Contains(text.String(), "pause=30 helps"); got != want {
				t.Errorf("a pause is advised: %v, want %v\n%s", got, want, &text)
			}
			if left := marked(tr.tag + "."); len(left) > 0 {
				t.Errorf("processes %v are left", left)
			}
		})
	}
}

// An engine that refuses the rule of the match and does not move loses at once, with its own words. What it
// says to freestyle, which every engine plays, does not matter.
func TestARefusedRuleLosesAtOnce(t *testing.T) {
	for _, rule := range []int{0, 4} {
		t.Run(fmt.Sprint("rule ", rule), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			bad := fake(t, "bad", "refuses rules", "1")
			bad.Hang = time.Hour
			tr := newTournament(t, settings{Engines: []engine{bad, fake(t, "good", "", "2")}, Rule: rule}, flags.Shard{}, 1)
			if err := tr.run(ctx); err != nil || ctx.Err() != nil {
				t.Fatalf("%v, %v", err, ctx.Err())
			}
			for _, g := range tr.match.sorted() {
				refused := g.Reason == "protocol" && g.loser() == "bad" && g.Detail == `answered "ERROR INFO rule 4 is not supported"`
				if refused != (rule == 4) || rule == 0 && failed(g.Reason) {
					t.Errorf("game %d: %s lost by %s: %s", g.Game, g.loser(), g.Reason, g.Detail)
				}
			}
			var text strings.Builder
			if err := writeSummary(&text, tr.match, tr.match.sum()); err != nil || strings.Contains(text.String(), "pause=30 helps") {
				t.Errorf("%v, a pause is advised:\n%s", err, &text)
			}
		})
	}
}

func TestAForbiddenMoveLoses(t *testing.T) {
	// An opening in which h8 is a double four for black, who moves next.
	m := play1(t, settings{
		Engines: []engine{fake(t, "bad", "forbidden", "1"), fake(t, "good", "", "2")}, Rule: 4,
		Openings: []string{"e8a15f8c15g8e15h5g15h6i15h7k15"},
	})
	if g := m.games[1]; g.Reason != "forbidden" || g.loser() != "bad" {
		t.Errorf("game 1: %s lost by %s (%s), want bad by forbidden", g.loser(), g.Reason, g.Detail)
	}
	if g := m.games[2]; g.Reason == "forbidden" {
		t.Errorf("game 2: white lost by a forbidden move: %s", g.Detail)
	}
}

// A system that does not show the memory of processes holds nothing.
func TestMemoryOfTheWholeTreeIsHeld(t *testing.T) {
	for _, mode := range []string{"takes memory@2", "child takes memory@2"} {
		t.Run(mode, func(t *testing.T) {
			bad := fake(t, "bad", mode, "1")
			bad.Memory = memoryLimit
			tr := newTournament(t, settings{Engines: []engine{bad, fake(t, "good", "", "2")}}, flags.Shard{}, 1)
			if err := tr.run(context.Background()); err != nil {
				t.Fatal(err)
			}
			for _, g := range tr.match.sorted() {
				held := g.Reason == "memory" && g.loser() == "bad"
				if held != showsMemory() || !held && failed(g.Reason) {
					t.Errorf("game %d: %s lost by %s (%s), want bad by memory: %v", g.Game, g.loser(), g.Reason, g.Detail, showsMemory())
				}
			}
			if left := marked(tr.tag + "."); len(left) > 0 {
				t.Errorf("processes %v are left", left)
			}
		})
	}
}

func TestNoEngineIsChargedForTheRunner(t *testing.T) {
	// A busy machine wakes both the engine and the runner late; the quietest of some
	// matches shows what the runner itself adds.
	best := math.Inf(1)
	for range 8 {
		m := play1(t, settings{Engines: []engine{fake(t, "a", "slow", "1"), fake(t, "b", "slow", "2")}, DrawAfter: 40})
		var all []float64
		for _, g := range m.games {
			all = append(all, g.Time...)
		}
		if best = min(best, medianOf(all)); best <= 10 {
			break
		}
	}
	t.Logf("median %.2f ms", best)
	if best < 5 || best > 10 {
		t.Errorf("engines that answer in 5 ms show %.2f ms at the median, want 5 to 10", best)
	}
}

func medianOf(x []float64) float64 {
	y := slices.Sorted(slices.Values(x))
	return y[len(y)/2]
}

// Besides what an engine is charged for, a game takes at least the pauses, on any machine.
func TestAPauseIsKeptAndNotCharged(t *testing.T) {
	t.Parallel()
	a := fake(t, "a", "", "1")
	a.Pause = 100 * time.Millisecond // much longer than the engines take to start
	m := play1(t, settings{Engines: []engine{a, fake(t, "b", "", "2")}, DrawAfter: 20})
	for _, g := range m.games {
		var answers, charged float64
		for i, ms := range g.Time {
			if (g.Opening+i)%2 == 0 == (g.Black == "a") {
				answers++
				charged += ms
			}
		}
		pauses := (answers - 1) * 100
		taken := g.Seconds*1000 + 1 // it is rounded down
		if answers < 5 || taken < pauses {
			t.Errorf("game %d with %v answers took %.1f ms; the pause was not kept", g.Game, answers, taken)
		} else if taken < pauses+charged {
			t.Errorf("game %d took %.1f ms, of which %.1f were charged; the pause was charged", g.Game, taken, charged)
		}
	}
}

func TestARoundRobinGivesTheSameGamesAtAnyConcurrency(t *testing.T) {
	s := settings{Engines: []engine{fake(t, "a", "", "1"), fake(t, "b", "", "2"), fake(t, "c", "", "3")}, Games: 4, Openings: testOpenings}
	one := newTournament(t, s, flags.Shard{}, 1)
	three := newTournament(t, s, flags.Shard{}, 3)
	for _, tr := range []*tournament{one, three} {
		if err := tr.run(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(essences(one.match), essences(three.match)) {
		t.Error("games differ between concurrency 1 and 3")
	}
	r := one.match.sum()
	if r.Played != 12 || r.Engines[0].Score.Games() != 8 || r.Cross[0][2].Complete() != 2 {
		t.Errorf("sum: %+v", r)
	}
}

func TestACanceledTournamentLeavesNothing(t *testing.T) {
	t.Parallel()
	// "mute" thinks for ever: the tournament is ended in the middle of a game.
	tr := newTournament(t, settings{Engines: []engine{fake(t, "a", "mute@2", "1"), fake(t, "b", "leaves children", "2")}, Games: 4}, flags.Shard{}, 2)
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	began := time.Now()
	if err := tr.run(ctx); err != nil {
		t.Fatal(err)
	}
	if spent := time.Since(began); spent > 30*time.Second {
		t.Errorf("it took %v to end", spent)
	}
	if len(tr.match.games) != 0 {
		t.Errorf("%d games were recorded, want none", len(tr.match.games))
	}
	if left := marked(tr.tag + "."); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}

func TestACanceledTournamentDoesNotWaitForAProcessThatReplacedAnother(t *testing.T) {
	file := filepath.Join(t.TempDir(), "games")
	bad := fake(t, "bad", "one game, then mute", file)
	bad.TC = timeControl{Turn: time.Minute}
	tr := newTournament(t, settings{Engines: []engine{bad, fake(t, "good", "", "2")}, Games: 4}, flags.Shard{}, 1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for end := time.Now().Add(20 * time.Second); gamesBegun(file) < 2 && time.Now().Before(end); {
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(300 * time.Millisecond) // until it thinks
		cancel()
	}()
	began := time.Now()
	if err := tr.run(ctx); err != nil {
		t.Fatal(err)
	}
	if spent := time.Since(began); spent > 50*time.Second {
		t.Errorf("it took %v to end", spent)
	}
	if len(tr.match.games) != 1 {
		t.Errorf("%d games were recorded, want the first", len(tr.match.games))
	}
}

// What an engine says of a failed search is a message like others: above the line of the
// progress, and nowhere with -quiet.
func TestFailedSearchesAreShownAboveTheProgress(t *testing.T) {
	t.Parallel()
	args := []string{"-engine", spec(t, "a", "search fails@2", "1"), "-engine", spec(t, "b", "", "2"), "-size", "9", "-drawafter", "6"}
	const want = "a: MESSAGE the search failed: a test\n"
	cmd, _, stderr := arena(t, args...)
	if err := cmd.Run(); err != nil || strings.Count(stderr.String(), want) != 4 || strings.Contains(stderr.String(), "arena: "+want) {
		t.Errorf("%v, standard error %q, want four times %q", err, stderr, want)
	}
	cmd, _, stderr = arena(t, append(args, "-quiet")...)
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		t.Errorf("with -quiet: %v, standard error %q", err, stderr)
	}
}

// Names may be longer than those of files.
func TestExportOfLongNames(t *testing.T) {
	dir := t.TempDir()
	s := settings{Engines: []engine{fake(t, strings.Repeat("a", 300), "", "1"), fake(t, strings.Repeat("ü", 200), "", "2")}, Games: 2, DrawAfter: 4}
	journal := filepath.Join(dir, "j")
	journalOf(t, journal, s, flags.Shard{}, 1)
	if err := runExport([]string{journal, "-psq", dir}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.psq")); len(files) != 2 {
		t.Errorf("the files are %q, want two", files)
	}
}

// A file that has something else than what is exported stays, and then nothing is written; that of an
// earlier export is replaced, also by one of more games.
func TestExportReplacesOnlyItsOwn(t *testing.T) {
	dir := t.TempDir()
	s := settings{Engines: []engine{fake(t, "a", "", "1"), fake(t, "b", "", "2")}, Games: 4, DrawAfter: 4}
	journal := filepath.Join(dir, "j")
	journalOf(t, journal, s, flags.Shard{}, 1)
	psq, sgf := filepath.Join(dir, "psq"), filepath.Join(dir, "all.sgf")
	for range 2 {
		if err := runExport([]string{journal, "-psq", psq}, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	files, _ := filepath.Glob(filepath.Join(psq, "*.psq"))
	if len(files) != 4 {
		t.Fatalf("the files are %q, want four", files)
	}
	first, last := files[0], files[3]
	if err := os.Remove(first); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(last, []byte("notes of mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := runExport([]string{journal, "-psq", psq, "-sgf", sgf}, io.Discard)
	if !errors.Is(err, flags.ErrUsage) || !strings.Contains(err.Error(), last+" exists") {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(last); string(text) != "notes of mine" {
		t.Errorf("%s is now %.20q, %v", last, text, err)
	}
	for _, name := range []string{first, sgf} {
		if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is written: %v", name, err)
		}
	}
	if err := runExport([]string{journal, "-sgf", sgf}, io.Discard); err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile(sgf)
	if err != nil {
		t.Fatal(err)
	}
	games := strings.SplitAfter(string(all), ")\n\n")
	for _, old := range []string{"", string(all), games[0] + games[2]} {
		if err := errors.Join(os.WriteFile(sgf, []byte(old), 0o644), runExport([]string{journal, "-sgf", sgf}, io.Discard)); err != nil {
			t.Error(err)
		}
		if got, err := os.ReadFile(sgf); !bytes.Equal(got, all) {
			t.Errorf("over %.40q it writes %.40q, %v", old, got, err)
		}
	}
	const study = "(;FF[4]GM[4]SZ[15];B[hh])\n"
	for _, old := range []string{study, string(all) + study, games[0] + study + games[1]} {
		if err := os.WriteFile(sgf, []byte(old), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := runExport([]string{journal, "-sgf", sgf}, io.Discard); !errors.Is(err, flags.ErrUsage) {
			t.Errorf("games of one's own: error %v", err)
		}
		if got, err := os.ReadFile(sgf); string(got) != old {
			t.Errorf("games of one's own became %.40q, %v", got, err)
		}
	}
}

func TestExportedRecordsAreReadBack(t *testing.T) {
	dir := t.TempDir()
	s := settings{Engines: []engine{fake(t, "a", "chatter", "1"), fake(t, "b", "", "2")}, Games: 4, Openings: testOpenings}
	journal := filepath.Join(dir, "j")
	m := journalOf(t, journal, s, flags.Shard{}, 2)
	if err := runExport([]string{journal, "-psq", dir, "-sgf", filepath.Join(dir, "all.sgf")}, io.Discard); err != nil {
		t.Fatal(err)
	}
	raw, _ := os.ReadFile(filepath.Join(dir, "all.sgf"))
	games, err := readGames(raw)
	if err != nil || len(games) != 4 {
		t.Fatalf("%d games in SGF, %v", len(games), err)
	}
	moves := map[string]bool{}
	for _, g := range m.games {
		moves[g.Moves] = true
		if (g.Depth == nil) || g.Depth[0]+g.Depth[1] != 3 || g.Nodes[0]+g.Nodes[1] != 345 {
			t.Errorf("game %d: depths %v nodes %v, want those of the MESSAGE lines", g.Game, g.Depth, g.Nodes)
		}
	}
	for _, g := range games {
		if !moves[record.FormatMoves(g.Moves)] {
			t.Errorf("SGF has a game that was not played: %s", record.FormatMoves(g.Moves))
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.psq"))
	if len(files) != 4 {
		t.Fatalf("%d psq files, want 4", len(files))
	}
	for _, file := range files {
		raw, _ := os.ReadFile(file)
		games, err := readGames(raw)
		if err != nil || len(games) != 1 || !moves[record.FormatMoves(games[0].Moves)] {
			t.Errorf("%s: %v, %v", file, games, err)
		}
	}
}
