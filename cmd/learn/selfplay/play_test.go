package selfplay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/record"
	"tengen/brain/sample"
	"tengen/brain/score"
	"tengen/brain/search"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/openings"
)

// The test binary plays if the environment says so, so that a test can kill it.
func TestMain(m *testing.M) {
	if line, ok := os.LookupEnv("SELFPLAY_LINE"); ok {
		os.Exit(flags.Status(os.Stderr, "selfplay", Run(context.Background(), strings.Split(line, "\n"), os.Stdout, os.Stderr)))
	}
	os.Exit(m.Run())
}

func TestSameSeedSameBytes(t *testing.T) {
	dir := t.TempDir()
	a, b, c, d := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "c"), filepath.Join(dir, "d")
	must(t, small(a, "-games", "12")...)
	must(t, small(b, "-games", "12")...)
	must(t, small(c, "-games", "12", "-concurrency", "3")...)
	must(t, small(d, "-games", "12", "-seed", "2")...)
	if !bytes.Equal(read(t, a), read(t, b)) {
		t.Error("two runs with one worker differ")
	}
	if !bytes.Equal(read(t, a), read(t, c)) {
		t.Error("three workers make another file than one")
	}
	if reflect.DeepEqual(games(t, a), games(t, d)) {
		t.Error("another seed makes the same games")
	}
	for i, g := range games(t, a) {
		if g.Number != uint32(i) || g.Positions() == 0 {
			t.Errorf("game %d is %+v", i, g)
		}
	}
}

// With -lines positions that are no forced ones have the best moves of a second search, and games are
// the same with any number of workers.
func TestLinesAreKept(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	must(t, small(a, "-games", "4", "-lines", "3")...)
	must(t, small(b, "-games", "4", "-lines", "3", "-concurrency", "3")...)
	if !bytes.Equal(read(t, a), read(t, b)) {
		t.Error("three workers make another file than one")
	}
	some := 0
	for _, g := range games(t, a) {
		for i, p := range g.Plies {
			lines := g.LinesOf(i)
			if len(lines) > 3 || len(lines) > 0 && (!p.Searched() || score.Value(p.Value).Proven()) {
				t.Errorf("game %d, ply %d: %d lines, %+v", g.Number, i, len(lines), p)
			}
			if len(lines) == 3 {
				some++
			}
		}
	}
	if some < 20 {
		t.Errorf("%d positions with three lines", some)
	}
	if out := must(t, "info", a); !strings.Contains(out, " positions with several lines\n") {
		t.Errorf("info says\n%s", out)
	}
	if status, _, stderr := obey(t, small(a, "-games", "5")...); status != 2 || !strings.Contains(stderr, "lines was 3 and is now not given") {
		t.Errorf("continued without lines: status %d, %s", status, stderr)
	}
}

// A file cut anywhere, as a kill leaves it, is continued to what an uninterrupted run
// would have made.
func TestCutFileIsContinued(t *testing.T) {
	dir := t.TempDir()
	whole, cut := filepath.Join(dir, "whole.tgs"), filepath.Join(dir, "cut.tgs")
	must(t, small(whole, "-games", "4")...)
	raw := read(t, whole)
	for _, n := range []int{0, 1, 4, 11, 12, 100, len(raw) / 2, len(raw) * 3 / 4, len(raw) - 1, len(raw)} {
		write(t, cut, raw[:n])
		must(t, small(cut, "-games", "4")...)
		if !bytes.Equal(read(t, cut), raw) {
			t.Errorf("cut at %d of %d bytes and continued: not the same file", n, len(raw))
		}
	}
	must(t, small(cut, "-games", "2")...)
	if !bytes.Equal(read(t, cut), raw) {
		t.Error("a file with more games than wanted was changed")
	}
}

// After a power cut zeros may stand where the last games were to be.
func TestAFileThatEndsInZerosIsContinued(t *testing.T) {
	dir := t.TempDir()
	whole, cut := filepath.Join(dir, "whole.tgs"), filepath.Join(dir, "cut.tgs")
	must(t, small(whole, "-games", "4")...)
	raw := read(t, whole)
	for _, n := range []int{100, len(raw) / 2, len(raw) * 3 / 4, len(raw) - 1, len(raw)} {
		write(t, cut, append(bytes.Clone(raw[:n]), make([]byte, 5000)...))
		must(t, small(cut, "-games", "4")...)
		if !bytes.Equal(read(t, cut), raw) {
			t.Errorf("zeros from byte %d of %d on, and continued: not the same file", n, len(raw))
		}
	}
}

// A length that is damaged reads like a file cut short. What lies behind must stay.
func TestADamagedLengthCutsOffNothing(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.tgs")
	must(t, small(file, "-games", "4")...)
	raw := read(t, file)
	first := bytes.Index(raw, []byte("TGSB"))
	for _, at := range []int{5, first + 6} {
		bad := bytes.Clone(raw)
		bad[at] ^= 0x0f
		write(t, file, bad)
		status, _, stderr := obey(t, small(file, "-games", "5")...)
		if status != 2 || !strings.Contains(stderr, "is damaged") || !strings.Contains(stderr, "at byte") || !bytes.Equal(read(t, file), bad) {
			t.Errorf("byte %d: status %d, %s, %d bytes are left of %d", at, status, stderr, len(read(t, file)), len(bad))
		}
	}
}

// The same with a process that is killed, three times.
func TestKilledRunIsContinued(t *testing.T) {
	dir := t.TempDir()
	whole, killed := filepath.Join(dir, "whole.tgs"), filepath.Join(dir, "killed.tgs")
	// Long enough to be killed: the file grows to a thousand games or so in a second.
	must(t, small(whole, "-games", "60")...)
	want := read(t, whole)
	for part := range 3 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "SELFPLAY_LINE="+strings.Join(small(killed, "-games", "1000000"), "\n"))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			if info, err := os.Stat(killed); err == nil && info.Size() > int64(part+1)*int64(len(want))/5 {
				break
			}
			if time.Now().After(deadline) {
				cmd.Process.Kill()
				t.Fatal("the run makes no progress")
			}
		}
		cmd.Process.Kill()
		cmd.Wait()
	}
	must(t, small(killed, "-games", "60")...)
	if got := read(t, killed); !bytes.HasPrefix(got, want) {
		t.Errorf("killed and continued: %d bytes that do not begin as the %d of an uninterrupted run", len(got), len(want))
	}
}

// A run that time ends holds whole games, and any run can go on with them.
func TestARunEndsWhenItsTimeIsOver(t *testing.T) {
	dir := t.TempDir()
	file, whole := filepath.Join(dir, "x.tgs"), filepath.Join(dir, "whole.tgs")
	must(t, small(file, "-for", "300ms")...)
	n := len(games(t, file))
	must(t, small(file, "-games", strconv.Itoa(n+3), "-for", "10m")...)
	must(t, small(whole, "-games", strconv.Itoa(n+3))...)
	if !bytes.Equal(read(t, file), read(t, whole)) {
		t.Errorf("%d games that time ended and 3 more are not the file of one run", n)
	}
	if status, _, stderr := obey(t, small(file, "-for", "-1s")...); status != 2 || !strings.Contains(stderr, "-for") {
		t.Errorf("status %d, %s", status, stderr)
	}
}

// The time is that of all starts: a run that was killed does not begin to count anew.
func TestTimeIsThatOfAllStarts(t *testing.T) {
	file, within := filepath.Join(t.TempDir(), "x.tgs"), 200*time.Millisecond
	must(t, small(file, "-for", within.String())...)
	for len(games(t, file)) == 0 { // a busy machine needs more
		within *= 4
		must(t, small(file, "-for", within.String())...)
	}
	raw := read(t, file)
	must(t, small(file, "-for", within.String())...)
	if !bytes.Equal(read(t, file), raw) {
		t.Error("a run whose time was over has played on")
	}
	kept := file + ".time"
	if d, err := time.ParseDuration(strings.TrimSpace(string(read(t, kept)))); err != nil || d < within || d > time.Hour {
		t.Errorf("%v are kept, %v", d, err)
	}
	write(t, kept, []byte("1h\n"))
	must(t, small(file, "-for", "1h")...)
	if !bytes.Equal(read(t, file), raw) {
		t.Error("the time of another start was not counted")
	}
	write(t, kept, []byte("long\n"))
	if status, _, stderr := obey(t, small(file, "-for", "1h")...); status != 1 || !strings.Contains(stderr, "x.tgs.time") {
		t.Errorf("a damaged time: status %d, %s", status, stderr)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	must(t, small(file, "-for", "1h", "-games", "1")...) // a new file begins with no time spent
	if n := len(games(t, file)); n != 1 {
		t.Errorf("%d games", n)
	}
}

func TestForeignRunIsNotContinued(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.tgs")
	must(t, small(file, "-games", "3")...)
	raw := read(t, file)
	for _, other := range [][]string{{"-seed", "9"}, {"-nodes", "101"}, {"-rule", "1"}, {"-random", "3"}, {"-balance", "61"}, {"-playout"}} {
		status, _, stderr := obey(t, small(file, append(other, "-games", "4")...)...)
		if status != 2 || !strings.Contains(stderr, "other settings") {
			t.Errorf("%s: status %d, %s", other, status, stderr)
		}
	}
	if !bytes.Equal(read(t, file), raw) {
		t.Error("the file was changed")
	}
	bad := bytes.Clone(raw)
	bad[len(bad)-100] ^= 1
	write(t, file, bad)
	status, _, stderr := obey(t, small(file, "-games", "4")...)
	if status != 2 || !strings.Contains(stderr, "checksum") || !strings.Contains(stderr, "at byte") || !bytes.Equal(read(t, file), bad) {
		t.Errorf("a damaged file: status %d, %s", status, stderr)
	}
	// Two runs end to end hold some numbers twice.
	write(t, file, append(bytes.Clone(raw), raw...))
	if status, _, stderr = obey(t, small(file, "-games", "9")...); status != 2 || !strings.Contains(stderr, "only the file of one run, or") {
		t.Errorf("a joined file: status %d, %s", status, stderr)
	}
}

// When the engine has changed the file says so, where it changes.
func TestAnotherEngineIsNoted(t *testing.T) {
	dir := t.TempDir()
	file, old := filepath.Join(dir, "x.tgs"), filepath.Join(dir, "old.tgs")
	must(t, small(file, "-games", "2")...)
	var b bytes.Buffer
	r, err := sample.NewReader(bytes.NewReader(read(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	w, _ := sample.NewWriter(&b, strings.Replace(r.Origin(), "engine ", "engine of old ", 1))
	for _, g := range games(t, file) {
		w.Write(g)
	}
	w.Flush()
	write(t, old, b.Bytes())
	status, _, stderr := obey(t, small(old, "-games", "3")...)
	if status != 0 || !strings.Contains(stderr, "from game 2 on with a different engine") {
		t.Errorf("status %d, %s", status, stderr)
	}
	if out := must(t, "info", old); strings.Count(out, "origin:") != 2 || !strings.Contains(out, "engine of old") {
		t.Errorf("info tells\n%s", out)
	}
}

func TestEveryRuleAndSizeIsPlayed(t *testing.T) {
	dir := t.TempDir()
	for _, rule := range []string{"0", "1", "4", "8", "9"} {
		for _, size := range []string{"5", "6x9", "22x7", "15", "22"} {
			file := filepath.Join(dir, rule+"-"+size+".tgs")
			must(t, "-o", file, "-rule", rule, "-size", size, "-nodes", "20", "-check", "20", "-hash", "1", "-games", "1", "-drawafter", "60", "-quiet")
			g := games(t, file)[0]
			want, _, _ := strings.Cut(size, "x")
			if fmt.Sprint(g.Width) != want || fmt.Sprint(uint8(g.Rule)) != rule || g.Outcome == record.Unknown {
				t.Errorf("rule %s, size %s: %+v", rule, size, g)
			}
			must(t, "info", file) // which replays it
		}
	}
}

func TestLongGamesAreDrawn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.tgs")
	must(t, small(file, "-games", "6", "-drawafter", "14")...)
	drawn := 0
	for _, g := range games(t, file) {
		if g.Outcome == record.Drawn {
			drawn++
		}
		if n := len(g.Plies); n > 14 || g.Outcome == record.Drawn && n != 14 {
			t.Errorf("game %d, %v, has %d plies", g.Number, g.Outcome, n)
		}
	}
	if drawn == 0 {
		t.Error("no game was drawn")
	}
}

// A search for an opening that a signal ends makes no game, also where the opening alone is one.
func TestAnOpeningCutShortIsNoGame(t *testing.T) {
	s := Default()
	s.Openings = Openings{Least: 9, Most: 9, Check: 1 << 40}
	s.DrawAfter, s.Evaluation = 9, eval.ByTables()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if g, err := newPlayer(&s).game(ctx, 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%+v, %v", g, err)
	}
}

// Games of chance differ from the best moves only where they may, and not by much.
func TestOnlyEarlyMovesAreRandom(t *testing.T) {
	dir := t.TempDir()
	never, often := filepath.Join(dir, "never.tgs"), filepath.Join(dir, "often.tgs")
	must(t, small(never, "-games", "10", "-random", "0")...)
	must(t, small(often, "-games", "10", "-random", "8")...)
	for _, g := range games(t, never) {
		for i, p := range g.Plies {
			if p.Best != p.Move && i >= g.Opening {
				t.Errorf("game %d, ply %d: %v was played, not %v", g.Number, i+1, p.Move, p.Best)
			}
		}
	}
	chosen := 0
	for _, g := range games(t, often) {
		for i, p := range g.Plies {
			if i < g.Opening != !p.Searched() {
				t.Errorf("game %d, ply %d of an opening of %d: %+v", g.Number, i+1, g.Opening, p)
			}
			if i < g.Opening || p.Best == p.Move {
				continue
			}
			chosen++
			if i >= g.Opening+8 || score.Value(p.Value).Proven() {
				t.Errorf("game %d, ply %d behind an opening of %d was left to chance: %+v", g.Number, i+1, g.Opening, p)
			}
		}
	}
	if chosen == 0 {
		t.Error("chance chose nothing in ten games")
	}
}

// Of the moves that chance may choose the best comes up most, the worst least.
func TestRandomMovesPreferSmallLosses(t *testing.T) {
	s := &Settings{Board: flags.Board{Width: 9, Height: 9}, Nodes: 300, Spread: 60, Hash: 1, Evaluation: eval.ByTables()}
	p := newPlayer(s)
	for _, m := range []board.Move{board.At(4, 4), board.At(5, 3)} {
		p.b.Play(m)
	}
	var scores [randomLines]score.Value
	var moves [randomLines]board.Move
	p.pool.Search(t.Context(), p.b, search.Limits{Nodes: s.Nodes, Lines: randomLines}, func(i search.Info) {
		scores[i.Line], moves[i.Line] = i.Score, i.PV[0]
	})
	worst := randomLines - 1
	for worst > 0 && int(scores[0]-scores[worst]) > s.Spread {
		worst--
	}
	if worst == 0 || scores[0] == scores[worst] {
		t.Fatalf("scores %v: nothing to choose from", scores)
	}
	s.Spread = int(scores[0]-scores[worst]) + 1 // so that the worst has a weight of 2
	r := newRand(3, 4)
	times := map[board.Move]int{}
	for range 300 {
		p.pool.Clear()
		times[p.random(t.Context(), r, moves[0])]++
	}
	if times[moves[0]] < 2*times[moves[worst]] || times[moves[worst]] == 300 {
		t.Errorf("scores %v of %v are chosen %v times", scores, moves, times)
	}
}

// A game that ends with a proof is won by whom the proof says: played on, it is the same
// game with the same outcome.
func TestProvenWinsAreWon(t *testing.T) {
	dir := t.TempDir()
	short, long := filepath.Join(dir, "short.tgs"), filepath.Join(dir, "long.tgs")
	for _, rule := range []string{"0", "4", "9"} {
		os.Remove(short)
		os.Remove(long)
		must(t, small(short, "-games", "8", "-rule", rule)...)
		must(t, small(long, "-games", "8", "-rule", rule, "-playout")...)
		a, b := games(t, short), games(t, long)
		for i := range a {
			n := len(a[i].Plies)
			if a[i].Outcome != b[i].Outcome || len(b[i].Plies) < n || !reflect.DeepEqual(a[i].Plies, b[i].Plies[:n]) {
				t.Errorf("rule %s, game %d: %v after %d plies, played on %v after %d", rule, i, a[i].Outcome, n, b[i].Outcome, len(b[i].Plies))
			}
		}
	}
}

// A win that the search alone does not see with these nodes (it values the position at 1133) is
// found by the threat solver beside it and stands in the samples, as the loss does a ply later.
func TestWinsOfTheSolverAreInTheSamples(t *testing.T) {
	dir := t.TempDir()
	file, list := filepath.Join(dir, "x.tgs"), filepath.Join(dir, "o.txt")
	write(t, list, []byte("i7k7g5k9g9j6i5k6k8i6h6l6m6j8i9l7f8j4\n"))
	must(t, "-o", file, "-openings", list, "-rule", "9", "-games", "1", "-nodes", "4000", "-quiet")
	g := games(t, file)[0]
	won, lost := g.Plies[g.Opening].Value, g.Plies[g.Opening+1].Value
	if won < int16(score.WinFloor) || lost > -int16(score.WinFloor) {
		t.Errorf("values %d and %d, want a proven win and a proven loss", won, lost)
	}
	if g.Outcome != record.BlackWon {
		t.Errorf("outcome %v, want a win of Black", g.Outcome)
	}
}

func TestOpeningsOfAFileArePlayedInTurn(t *testing.T) {
	dir := t.TempDir()
	file, list := filepath.Join(dir, "x.tgs"), filepath.Join(dir, "o.txt")
	write(t, list, []byte("e5d4\ne5e6g7\n"))
	must(t, small(file, "-games", "8", "-openings", list)...)
	other := filepath.Join(dir, "y.tgs")
	must(t, small(other, "-games", "8", "-openings", list, "-concurrency", "3")...)
	if !bytes.Equal(read(t, file), read(t, other)) {
		t.Error("one worker and three play other games")
	}
	b, err := board.New(0, 9, 9)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, g := range games(t, file) {
		given := [][]board.Move{{board.At(4, 4), board.At(3, 3)}, {board.At(4, 4), board.At(4, 5), board.At(6, 6)}}[g.Number%2]
		var moves []board.Move
		for _, p := range g.Plies[:g.Opening] {
			moves = append(moves, p.Move)
		}
		if openings.Canonical(b, moves) != openings.Canonical(b, given) {
			t.Errorf("game %d begins with %s", g.Number, record.FormatMoves(moves))
		}
		seen[record.FormatMoves(moves)] = true
	}
	if len(seen) < 3 {
		t.Errorf("openings are not turned: only %v", seen)
	}
	write(t, list, []byte("e5d4\ne5e6g8\n"))
	if status, _, stderr := obey(t, small(file, "-games", "9", "-openings", list)...); status != 2 || !strings.Contains(stderr, "other settings") {
		t.Errorf("other openings: status %d, %s", status, stderr)
	}
}

func TestTablesAreNamedInTheOrigin(t *testing.T) {
	tables := eval.ByHand(board.ExactFive)
	tables.Origin = "made for\na test"
	raw, err := tables.Save(nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	name, file := filepath.Join(dir, "x.tab"), filepath.Join(dir, "x.tgs")
	write(t, name, raw)
	if status, _, stderr := obey(t, small(file, "-games", "1", "-tables", name, "-rule", "4")...); status != 2 || !strings.Contains(stderr, "is for rule 4") {
		t.Errorf("tables of another rule: status %d, %s", status, stderr)
	}
	must(t, small(file, "-games", "1", "-tables", name, "-rule", "1")...)
	if out := must(t, "info", file); !strings.Contains(out, fmt.Sprintf("tables %08x made for a test", tables.Checksum())) {
		t.Errorf("info tells\n%s", out)
	}
}
