package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/flags"
)

func TestEvaluationsSurviveTheJournal(t *testing.T) {
	in := []eval{{}, {told: true, value: -34}, {told: true, mate: 7}, {told: true, mate: -6}, {told: true}}
	raw, err := json.Marshal(in)
	if err != nil || string(raw) != `[null,-34,"+M7","-M6",0]` {
		t.Fatalf("%s, %v", raw, err)
	}
	var out []eval
	if err := json.Unmarshal(raw, &out); err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("read back %+v, %v", out, err)
	}
}

func TestALineOfTheJournalHasTheAgreedFields(t *testing.T) {
	g := gameRecord{Game: 3, Black: "a", White: "b", Result: "1-0", Reason: "five", Moves: "h8g7"}
	raw, err := json.Marshal(&g)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{"game": 3.0, "black": "a", "white": "b", "result": "1-0", "reason": "five", "moves": "h8g7"} {
		if fields[key] != want {
			t.Errorf("%s is %v, want %v", key, fields[key], want)
		}
	}
}

const line1 = `{"game":1,"black":"a","white":"b","result":"1-0","reason":"five","moves":"h8","match":"x"}` + "\n"

func TestALineThatIsNotAGameIsRefused(t *testing.T) {
	for name, content := range map[string]string{
		"a broken line in the middle":       line1 + "nonsense\n" + line1,
		"a line that has lost its end":      line1 + strings.TrimSpace(line1) + line1,
		"a whole object that is not a game": line1 + `{"game":0}`,
		"a result that is none":             line1 + strings.Replace(line1, "1-0", "2-0", 1),
		"a name is missing":                 line1 + strings.Replace(line1, `"black":"a",`, "", 1),
	} {
		file := filepath.Join(t.TempDir(), "j")
		os.WriteFile(file, []byte(content), 0o644)
		s := settings{Engines: []engine{{Name: "a"}, {Name: "b"}}}
		if err := newTournament(t, s, flags.Shard{}, 1).resume(file); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v, want an error naming line 2", name, err)
		}
		if raw, _ := os.ReadFile(file); string(raw) != content {
			t.Errorf("%s: the file was changed to %q", name, raw)
		}
	}
}

func journalOf(t *testing.T, path string, s settings, sh flags.Shard, workers int) *match {
	t.Helper()
	tr := newTournament(t, s, sh, workers)
	if err := tr.resume(path); err != nil {
		t.Fatal(err)
	}
	defer tr.journal.Close()
	if err := tr.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return tr.match
}

func TestAKilledMatchIsContinuedAndCountsNoGameTwice(t *testing.T) {
	s := settings{Engines: []engine{fake(t, "a", "", "1"), fake(t, "b", "", "2")}, Games: 10, Openings: testOpenings}
	whole := play1(t, s)
	file := filepath.Join(t.TempDir(), "j")
	journalOf(t, file, s, flags.Shard{}, 2)
	raw, _ := os.ReadFile(file)
	lines := bytes.SplitAfter(raw, []byte("\n"))
	// What a killed run leaves: some games, not in order, the last one half written.
	half := append(append([]byte{}, lines[0]...), append(lines[3], lines[5][:len(lines[5])/2]...)...)
	os.WriteFile(file, half, 0o644)
	m := journalOf(t, file, s, flags.Shard{}, 2)
	if !reflect.DeepEqual(essences(m), essences(whole)) {
		t.Error("the continued match differs from a whole one")
	}
	raw, _ = os.ReadFile(file)
	if n := bytes.Count(raw, []byte("\n")); n != 10 {
		t.Errorf("the journal has %d lines, want 10", n)
	}
	m, repeats, err := loadJournals([]string{file})
	if err != nil || repeats != 0 || len(m.games) != 10 {
		t.Errorf("%d repeats, %v", repeats, err)
	}
	// Once more: nothing is left to play.
	journalOf(t, file, s, flags.Shard{}, 2)
	if again, _ := os.ReadFile(file); !bytes.Equal(raw, again) {
		t.Error("a finished match wrote to its journal")
	}
}

func TestAMatchCanBeExtended(t *testing.T) {
	a, b, c := fake(t, "a", "", "1"), fake(t, "b", "", "2"), fake(t, "c", "", "3")
	for _, tt := range []struct {
		name          string
		first, second settings
	}{
		{"games of two", settings{Engines: []engine{a, b}, Games: 4, Openings: testOpenings}, settings{Engines: []engine{a, b}, Games: 10, Openings: testOpenings}},
		{"rounds of three", settings{Engines: []engine{a, b, c}, Rounds: 1, Openings: testOpenings}, settings{Engines: []engine{a, b, c}, Rounds: 2, Openings: testOpenings}},
	} {
		file, out := filepath.Join(t.TempDir(), "j"), filepath.Join(t.TempDir(), "merged")
		journalOf(t, file, tt.first, flags.Shard{}, 2)
		before, _ := os.ReadFile(file)
		m := journalOf(t, file, tt.second, flags.Shard{}, 2)
		if !reflect.DeepEqual(essences(m), essences(play1(t, tt.second))) {
			t.Errorf("%s: the extended match differs from a whole one", tt.name)
		}
		if after, _ := os.ReadFile(file); !bytes.HasPrefix(after, before) {
			t.Errorf("%s: games were played again", tt.name)
		}
		// Merge writes one match, which other settings of it can extend again.
		if err := runMerge([]string{"-o", out, file}, io.Discard); err != nil {
			t.Fatal(err)
		}
		journalOf(t, out, tt.second, flags.Shard{}, 1)
		if err := newTournament(t, tt.first, flags.Shard{}, 1).resume(file); err == nil || !strings.Contains(err.Error(), "of a match of") {
			t.Errorf("%s: a match shorter than what was played: %v", tt.name, err)
		}
	}
}

func TestAnotherMatchIsToldByWhatDiffers(t *testing.T) {
	a, b := engine{Name: "a", TC: timeControl{Turn: time.Second}, Nodes: 100}, engine{Name: "b"}
	held := settings{Engines: []engine{a, b}, Size: 15, Games: 4, Rounds: 1, Openings: []string{"h8", "a1"}}
	for _, tt := range []struct {
		change func(s *settings)
		want   string
	}{
		{func(s *settings) { s.Games, s.Rounds = 20, 3 }, ""},
		{func(s *settings) { s.Size, s.Rule = 20, 4 }, "rule was 0 and is now 4, size was 15 and is now 20"},
		{func(s *settings) { s.Openings = []string{"h8", "b1"} }, "opening 2 was a1 and is now b1"},
		{func(s *settings) { s.Engines[0].TC.Turn, s.Engines[0].Nodes = 2*time.Second, 0 },
			"engine 1 nodes was 100 and is now not given, engine 1 tc turn was 1s and is now 2s"},
		{func(s *settings) { s.Openings = []string{"b1", "b2", "b3", "b4", "b5"} },
			"opening 1 was h8 and is now b1, opening 2 was a1 and is now b2, opening 3 was not given and is now b3, and 2 more"},
	} {
		s := held
		s.Engines = []engine{a, b}
		tt.change(&s)
		if got := s.differences(&held); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
	three := settings{Engines: []engine{a, b, {Name: "c"}}, Games: 4, Rounds: 1}
	more := three
	more.Games, more.Rounds = 6, 2
	if got, want := more.differences(&three), "games was 4 and is now 6"; got != want {
		t.Errorf("three engines: %q, want %q", got, want)
	}
}

func TestShardsMergeIntoTheSingleRun(t *testing.T) {
	s := settings{Engines: []engine{fake(t, "a", "", "1"), fake(t, "b", "", "2"), fake(t, "c", "chatter", "3")}, Games: 6, Openings: testOpenings, Order: "random", Seed: 5}
	whole := play1(t, s)
	dir := t.TempDir()
	var paths []string
	for i := range 4 {
		path := filepath.Join(dir, string(rune('a'+i)))
		journalOf(t, path, s, flags.Shard{Part: i, Of: 4}, 1)
		paths = append(paths, path)
	}
	out := filepath.Join(dir, "all")
	var text bytes.Buffer
	if err := runMerge(append([]string{"-o", out}, paths[2], paths[0], paths[3], paths[1]), &text); err != nil {
		t.Fatal(err)
	}
	m, _, err := loadJournals([]string{out})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(essences(m), essences(whole)) {
		t.Error("the merged match differs from the single run")
	}
	var want bytes.Buffer
	writeSummary(&want, whole, whole.sum())
	if text.String() != want.String() {
		t.Errorf("merged:\n%s\nsingle run:\n%s", text.String(), want.String())
	}
	// What would be lost is not overwritten; the merged journal may be written again.
	contents := func() (text []string) {
		for _, path := range append(paths, out) {
			raw, _ := os.ReadFile(path)
			text = append(text, string(raw))
		}
		return text
	}
	before := contents()
	prose := filepath.Join(dir, "prose")
	os.WriteFile(prose, []byte("notes of mine"), 0o644)
	for _, tt := range []struct {
		out, want string
		sources   []string
	}{
		{paths[0], "a exists, and its game 1 is not in", paths[1:]},
		{prose, "prose: not a journal", paths},
		{out, "all exists, and its game ", paths[:3]},
		{out, "", paths},
		{out, "", append(paths[1:], out)},
	} {
		err := runMerge(append([]string{"-o", tt.out}, tt.sources...), io.Discard)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("-o %s: %v, want %q", tt.out, err, tt.want)
		}
	}
	if err := runExport([]string{"-sgf", paths[0], paths[0]}, io.Discard); !errors.Is(err, flags.ErrUsage) {
		t.Errorf("export to its journal: %v", err)
	}
	for _, args := range [][]string{append([]string{"-sgf"}, paths...), {"-sgf", prose, paths[0]}} {
		if err := runExport(args, io.Discard); !errors.Is(err, flags.ErrUsage) || !strings.Contains(err.Error(), args[1]+" exists") {
			t.Errorf("export %v: %v", args, err)
		}
	}
	games := filepath.Join(dir, "games.sgf")
	for range 2 {
		if err := runExport([]string{"-sgf", games, paths[0]}, io.Discard); err != nil {
			t.Errorf("export to a file of games: %v", err)
		}
	}
	if text, _ := os.ReadFile(prose); string(text) != "notes of mine" || !reflect.DeepEqual(contents(), before) {
		t.Error("a file has changed")
	}
	// A journal given twice counts once.
	m, repeats, err := loadJournals(append(paths, paths[0]))
	if err != nil || repeats == 0 || len(m.games) != 18 {
		t.Errorf("%d repeats, %d games, %v", repeats, len(m.games), err)
	}
	s.Seed = 6
	other := filepath.Join(dir, "other")
	journalOf(t, other, s, flags.Shard{}, 2)
	if _, _, err := loadJournals([]string{paths[0], other}); err == nil {
		t.Error("journals of two matches were joined")
	}
}

// A test decides by the order of the schedule, whatever order the games ended in, and
// games after the decision do not count.
func TestTheVerdictDoesNotDependOnWhichGameEndsFirst(t *testing.T) {
	s := settings{Engines: []engine{{Name: "a"}, {Name: "b"}}, Games: 1000, Rounds: 1, Size: 15, SPRT: &elo.SPRT{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05}}
	game := func(n int, result string) *gameRecord {
		g := &gameRecord{Game: n, Black: "a", White: "b", Result: result, Reason: "five"}
		if n%2 == 0 {
			g.Black, g.White = "b", "a"
		}
		return g
	}
	// a wins both games of seven pairs in eight, then loses everything.
	results := func(n int) string {
		won := (n-1)/2%8 != 0
		if n > 100 {
			won = false
		}
		return map[bool]string{true: "1-0", false: "0-1"}[won == (n%2 == 1)]
	}
	forward := newMatch(&s)
	var decided *result
	for n := 1; n <= 200; n++ {
		forward.games[n] = game(n, results(n))
		if r := forward.sum(); r.Verdict != elo.Undecided && decided == nil {
			decided = r
		}
	}
	if decided == nil || decided.Verdict != elo.AcceptH1 || decided.Decided > 100 {
		t.Fatalf("decided %+v, want H1 within 100 games", decided)
	}
	backward := newMatch(&s)
	for n := 200; n >= 1; n-- {
		backward.games[n] = game(n, results(n))
		if r := backward.sum(); n > 1 && r.Verdict != elo.Undecided {
			t.Fatalf("game 1 is missing, and the verdict is %v", r.Verdict)
		}
	}
	r := backward.sum()
	if r.Verdict != elo.AcceptH1 || r.Decided != decided.Decided || r.LLR != decided.LLR || r.First != decided.First {
		t.Errorf("backward: %v after %d games, LLR %v; forward: %v after %d, %v", r.Verdict, r.Decided, r.LLR, decided.Verdict, decided.Decided, decided.LLR)
	}
	if r.Beyond != 200-r.Decided || r.First.Games() != r.Decided {
		t.Errorf("%d games counted, %d beyond, decided at %d of 200", r.First.Games(), r.Beyond, r.Decided)
	}
}

func TestFailuresAreCounted(t *testing.T) {
	s := settings{Engines: []engine{{Name: "a"}, {Name: "b"}}, Games: 6, Rounds: 1, Size: 15}
	m := newMatch(&s)
	m.games = map[int]*gameRecord{
		1: {Game: 1, Black: "a", White: "b", Result: "1-0", Reason: "timeout"},
		2: {Game: 2, Black: "b", White: "a", Result: "1-0", Reason: "five"},
		3: {Game: 3, Black: "a", White: "b", Result: "1-0", Reason: "illegal"},
		4: {Game: 4, Black: "b", White: "a", Result: "1-0", Reason: "crash"},
		5: {Game: 5, Black: "a", White: "b", Result: "1-0", Reason: "memory"},
		6: {Game: 6, Black: "b", White: "a", Result: "0-1", Reason: "five"},
	}
	r := m.sum()
	if r.First.Wins != 4 || r.First.Losses != 2 || r.First.Complete() != 3 || r.Engines[1].Failures["timeout"] != 1 {
		t.Errorf("result %+v", r)
	}
	if got, want := failures(r.Engines[1]), "1 by timeout, 1 by memory, 1 by illegal"; got != want {
		t.Errorf("b lost %s; want %s", got, want)
	}
	if err := r.allFailed(); err != nil {
		t.Errorf("no engine failed in every game: %v", err)
	}
}

// Engines with a limit of nodes play the same games again when the openings are used up.
func TestPairsThatRepeatDoNotCount(t *testing.T) {
	s := settings{Engines: []engine{{Name: "a", Nodes: 100}, {Name: "b", Depth: 4}}, Games: 1000, Rounds: 1, Size: 15, Openings: []string{"h8i9", "g7g8"},
		SPRT: &elo.SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}}
	games := map[int]*gameRecord{}
	pair := func(block int, first, second, reason string) {
		games[2*block+1] = &gameRecord{Game: 2*block + 1, Black: "a", White: "b", Result: "1-0", Reason: reason, Moves: first, Started: "2026-05-06T07:08:09Z"}
		games[2*block+2] = &gameRecord{Game: 2*block + 2, Black: "b", White: "a", Result: "1/2-1/2", Reason: reason, Moves: second}
	}
	pair(0, "h8i9a1", "h8i9b2", "five")
	pair(1, "g7g8a1", "g7g8b2", "five")
	pair(2, "h8i9a1", "h8i9b2", "five")  // the first again
	pair(3, "g7g8a1", "g7g8c3", "five")  // half of the second
	pair(4, "h8i9a1", "h8i9b2", "crash") // which may not happen again
	pair(5, "h8i9a1", "h8i9b2", "five")
	delete(games, 12) // not a pair yet
	m := newMatch(&s)
	m.games = games
	r := m.sum()
	if r.Repeated != 1 || r.First.Games() != 9 || r.First.Pairs != [5]int{0, 0, 0, 4, 0} || m.test().pairs != r.First.Pairs || r.Played != 11 {
		t.Errorf("%+v, test %v; one pair of five repeats", r, m.test().pairs)
	}
	var out bytes.Buffer
	writeSummary(&out, m, r)
	if want := "\npairs that repeat earlier ones move for move, not counted: 1; "; !strings.Contains(out.String(), want) {
		t.Errorf("no %q in\n%s", want, &out)
	}
	if page := pageOf(t, m); !strings.Contains(page, "<dt>Repeated pairs</dt><dd>1, move for move, not counted") {
		t.Error("the report does not tell it")
	}

	// When nothing new comes the test is over.
	for block := 5; block < 4+enoughSame; block++ {
		pair(block, "h8i9a1", "h8i9b2", "five")
	}
	if m.test().over(m.schedule()) {
		t.Errorf("the test is over after %d pairs without a new one", m.test().same)
	}
	pair(4+enoughSame, "h8i9a1", "h8i9b2", "five")
	if !m.test().over(m.schedule()) || m.test().verdict != elo.Undecided {
		t.Errorf("the test is not over after %d pairs without a new one: %v", m.test().same, m.test().verdict)
	}

	// With many openings it waits until all have been dealt.
	many := &schedule{settings: &settings{Symmetries: true}, openings: make([][]board.Move, 20)}
	for same, want := range map[int]bool{enoughSame: false, 159: false, 160: true} {
		if over := (&tester{same: same}).over(many); over != want {
			t.Errorf("with 160 different openings the test is over after %d pairs: %v", same, over)
		}
	}

	// By the clock no search is the same again.
	s.Engines[0].Nodes = 0
	if r := m.sum(); r.Repeated != 0 || r.First.Games() != r.Played {
		t.Errorf("by the clock %d pairs repeat, %d of %d games count", r.Repeated, r.First.Games(), r.Played)
	}
}

func TestPairsOfOddOpeningsCountForTheRightEngine(t *testing.T) {
	s := settings{Engines: []engine{{Name: "a"}, {Name: "b"}}, Games: 2, Rounds: 1, Size: 15, Openings: []string{"h8"}}
	m := &match{settings: &s, games: map[int]*gameRecord{
		1: {Game: 1, Black: "b", White: "a", Result: "0-1", Reason: "five"},
		2: {Game: 2, Black: "a", White: "b", Result: "1/2-1/2", Reason: "draw"},
	}}
	if err := m.check(); err != nil {
		t.Fatal(err)
	}
	if r := m.sum(); r.First.Pairs != [5]int{0, 0, 0, 1, 0} || r.First.Wins != 1 || r.First.Draws != 1 {
		t.Errorf("a won and drew: %+v", r.First)
	}
}

func TestAMatchOfFailuresIsAnError(t *testing.T) {
	one := standing{Name: "a", Score: elo.Score{Wins: 1, Losses: 1}, Failures: map[string]int{"crash": 1}}
	r := result{Engines: []standing{one, one}, Played: 2}
	if err := r.allFailed(); err == nil {
		t.Error("each game was lost by a crash, one by either engine, which is no error")
	}
	r.Played = 3
	if err := r.allFailed(); err != nil {
		t.Errorf("one game of three was not lost by a failure: %v", err)
	}
}

// A shard plays all of its games although its first pair, which the progress line shows,
// decides the test by itself: that is for merge to say.
func TestAShardIgnoresTheTest(t *testing.T) {
	s := settings{
		Engines: []engine{fake(t, "a", "", "1"), fake(t, "b", "exits at START", "2")}, Games: 8,
		SPRT: &elo.SPRT{Elo0: -900, Elo1: 900, Alpha: 0.4, Beta: 0.4},
	}
	path := filepath.Join(t.TempDir(), "j")
	first := newTournament(t, s, flags.Shard{Part: 0, Of: 2}, 1)
	if err := first.resume(path); err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 2; n++ {
		g := &gameRecord{Game: n, Round: 1, Black: "a", White: "b", Result: "1-0", Reason: "five"}
		if n == 2 {
			g.Black, g.White, g.Result = "b", "a", "0-1"
		}
		first.first = n == 1
		if err := first.finish(g); err != nil {
			t.Fatal(err)
		}
	}
	if v := first.match.sum().Verdict; v != elo.AcceptH1 {
		t.Fatalf("the first pair: %v, so this tests nothing", v)
	}
	if err := first.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	first.journal.Close()
	if n := len(first.match.games); n != 4 {
		t.Errorf("%d games were recorded, want the 4 of the shard", n)
	}
}
