package generation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"tengen/cmd/internal/flags"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
)

// standIns returns a folder where all programs lie, which are this one.
func standIns(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range programs {
		name = filepath.Base(program(name))
		if os.Link(self, filepath.Join(dir, name)) == nil {
			continue
		}
		raw, err := os.ReadFile(self)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), raw, 0o777)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// obey runs a command line with the programs of a folder.
func obey(t *testing.T, ctx context.Context, beside string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var out bytes.Buffer
	s, err := parse(args, &out)
	if err == nil {
		err = generate(ctx, s, beside, &out, file)
	}
	raw, e := os.ReadFile(file.Name())
	if e != nil {
		t.Fatal(e)
	}
	return out.String(), string(raw), err
}

// put makes empty files in a folder.
func put(t *testing.T, dir string, names ...string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// calls returns what the stand-ins were told.
func calls(t *testing.T, dir string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "calls"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(raw)), "\n")
}

func TestABadCommandLineIsOneLineAndStatusTwo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g")
	for _, line := range []string{
		"-rule 2", "-size 4", "-size 23", "-nodes 0", "-games 0", "-match 3", "-match 0", "-minutes 0", "-minutes -1",
		"-minutes 1 -games 5", "-minutes 1 -match 4", "-generations 0", "-concurrency 0", "-start no-such-file", "-nonsense", "word", "-minutes NaN",
	} {
		file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		status := status(file, Run(t.Context(), append([]string{"-dir", dir}, strings.Fields(line)...), &out, file))
		raw, _ := os.ReadFile(file.Name())
		file.Close()
		if status != 2 || strings.Count(string(raw), "\n") != 1 || !strings.HasPrefix(string(raw), "learn generation: ") || out.Len() > 0 {
			t.Errorf("%s: status %d, %q, %q", line, status, raw, out.String())
		}
	}
	var out bytes.Buffer
	if status := status(os.Stderr, Run(t.Context(), []string{"-help"}, &out, os.Stderr)); status != 0 || !strings.Contains(out.String(), "-minutes") {
		t.Errorf("-help: status %d, %q", status, out.String())
	}
}

func TestTwoGenerationsBuildOnEachOther(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g")
	line := []string{"-dir", dir, "-games", "2", "-match", "4", "-nodes", "9", "-rule", "4", "-seed", "7", "-concurrency", "3", "-quiet"}
	out, _, err := obey(t, t.Context(), standIns(t), append(line, "-generations", "2")...)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"selfplay -o gen1-renju.tgs -rule 4 -size 15 -nodes 9 -seed 7 -concurrency 3 -quiet -games 2",
		"tables -out gen1-renju.tab -rule 4 -seed 7 -threads 3 gen1-renju.tgs",
		"selfplay openings -count 2 -rule 4 -size 15 -check 36 -seed 4294967303 -concurrency 3 -quiet",
		"arena -engine name=new,cmd=" + program("pbrain-tengen") + " -tables gen1-renju.tab -engine name=old,cmd=" + program("pbrain-tengen") +
			" -each nodes=9,info.hash_size=16384 -rule 4 -size 15 -openings gen1-renju.pos -games 4 -concurrency 3 -journal gen1-renju.jsonl -drawafter 135 -quiet",
		"arena merge gen1-renju.jsonl",
		"selfplay -o gen2-renju.tgs -rule 4 -size 15 -nodes 9 -seed 8589934599 -concurrency 3 -tables gen1-renju.tab -quiet -games 2",
		"tables -out gen2-renju.tab -rule 4 -seed 7 -threads 3 -start gen1-renju.tab gen2-renju.tgs gen1-renju.tgs",
		"selfplay openings -count 2 -rule 4 -size 15 -check 36 -seed 12884901895 -concurrency 3 -quiet",
		"arena -engine name=new,cmd=" + program("pbrain-tengen") + " -tables gen2-renju.tab -engine name=old,cmd=" + program("pbrain-tengen") + " -tables gen1-renju.tab" +
			" -each nodes=9,info.hash_size=16384 -rule 4 -size 15 -openings gen2-renju.pos -games 4 -concurrency 3 -journal gen2-renju.jsonl -drawafter 135 -quiet",
		"arena merge gen2-renju.jsonl",
	}
	if got := calls(t, dir); !slices.Equal(got, want) {
		t.Errorf("calls:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, want := range []string{
		"generation 1 of renju on 15x15, 9 nodes a move\n  games     2 in ", ": 6 positions, ",
		"loss in validation 0.65195 before, 0.62200 after; 2 games (1 for validation), 6 positions with a value\n",
		"4 of 4 games in ", "new against old (the engine's own): +2 -1 =1, Elo 88.74 +/- 102.40 [-20.00, 201.00]\n",
		"generation 2 of renju", "new against old (gen1-renju.tab): ", filepath.Join(dir, "gen2-renju.tab") + "; losses ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the summary lacks %q:\n%s", want, out)
		}
	}
	// Done, it only tells the results again; a third generation may be wanted later.
	again, stderr, err := obey(t, t.Context(), "nowhere", append(line, "-generations", "2")...)
	if err != nil || again != out || !strings.Contains(stderr, "is done") || len(calls(t, dir)) != len(want) {
		t.Errorf("%v, %d calls, summary:\n%s", err, len(calls(t, dir)), again)
	}
	if _, _, err := obey(t, t.Context(), "nowhere", append(line, "-generations", "3")...); err != nil || len(calls(t, dir)) != len(want)+5 {
		t.Errorf("%v, %d calls", err, len(calls(t, dir)))
	}
	if _, _, err := obey(t, t.Context(), "nowhere", append(line, "-seed", "8")...); !errors.Is(err, flags.ErrUsage) || !strings.Contains(err.Error(), "another run") {
		t.Errorf("another seed: %v", err)
	}
}

// A step that fails ends the run; the same command goes on with that step.
func TestAFailedStepIsRepeated(t *testing.T) {
	beside := standIns(t)
	for i, name := range []string{"selfplay", "tables", "selfplay openings", "arena", "arena merge"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "g")
			line := []string{"-dir", dir, "-games", "2", "-match", "4", "-quiet", "-start", "hand"}
			put(t, dir, "fail-"+name)
			if out, stderr, err := obey(t, t.Context(), beside, line...); !errors.Is(err, errTold) || stderr != name+": no luck\n" || out != "" {
				t.Fatalf("%v, %q, %q", err, out, stderr)
			}
			if n := len(calls(t, dir)); n != i+1 {
				t.Errorf("%d calls until the one that fails", n)
			}
			os.Remove(filepath.Join(dir, "fail-"+name))
			out, _, err := obey(t, t.Context(), beside, line...)
			if err != nil || !strings.Contains(out, "set by hand") {
				t.Fatal(err, out)
			}
			want := 6
			if name == "arena merge" {
				want = 7 // the match is asked again whether it is over
			}
			if got := calls(t, dir); len(got) != want {
				t.Errorf("%d calls:\n%s", len(got), strings.Join(got, "\n"))
			}
		})
	}
}

func TestAStoppedRunGoesOn(t *testing.T) {
	beside := standIns(t)
	for _, name := range []string{"selfplay", "tables", "selfplay openings", "arena"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "g")
			line := []string{"-dir", dir, "-games", "2", "-match", "4", "-quiet"}
			put(t, dir, "hang-"+name)
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			go func() {
				defer stop()
				for ctx.Err() == nil {
					if _, err := os.Stat(filepath.Join(dir, "hanging")); err == nil {
						return
					}
					time.Sleep(time.Millisecond)
				}
			}()
			if out, stderr, err := obey(t, ctx, beside, line...); !errors.Is(err, context.Canceled) || out != "" {
				t.Fatalf("%v, %q, %q", err, out, stderr)
			}
			os.Remove(filepath.Join(dir, "hang-"+name))
			if _, _, err := obey(t, t.Context(), beside, line...); err != nil {
				t.Fatal(err)
			}
			if got := calls(t, dir); len(got) != 7 {
				t.Errorf("%d calls:\n%s", len(got), strings.Join(got, "\n"))
			}
		})
	}
}

// waitFor waits until a file is there.
func waitFor(t *testing.T, name string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(name); err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("there is no %s", name)
		}
	}
}

// Killed so that it cannot end what it began, a run goes on as soon as that has ended.
func TestAKilledRunGoesOn(t *testing.T) {
	beside, dir := standIns(t), filepath.Join(t.TempDir(), "g")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(beside, "generation.exe")
	if err := os.WriteFile(program, raw, 0o777); err != nil {
		t.Fatal(err)
	}
	line := []string{"-dir", dir, "-games", "2", "-match", "4", "-quiet"}
	put(t, dir, "hang-tables")
	cmd := exec.Command(program, line...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, filepath.Join(dir, "hanging"))
	cmd.Process.Kill()
	cmd.Wait()
	os.Remove(filepath.Join(dir, "hang-tables"))
	if _, _, err := obey(t, t.Context(), beside, line...); err != nil {
		t.Fatal(err)
	}
	got := calls(t, dir)
	var names []string
	for _, c := range got {
		name, rest, _ := strings.Cut(c, " ")
		if rest == "ended" {
			name += " ended"
		}
		names = append(names, name)
	}
	want := []string{"selfplay", "tables", "tables ended", "tables", "selfplay", "arena", "arena"}
	if runtime.GOOS == "linux" && !slices.Equal(names, want) {
		t.Errorf("%s, want %s", strings.Join(names, ", "), strings.Join(want, ", "))
	}
}

// A folder that is in use is waited for, but not for ever.
func TestTwoRunsDoNotShareAFolder(t *testing.T) {
	s, err := parse([]string{"-dir", filepath.Join(t.TempDir(), "g")}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	d, err := openFolder(s)
	if err != nil {
		t.Fatal(err)
	}
	s.wait = 30 * time.Millisecond
	if _, err := openFolder(s); runtime.GOOS == "linux" && (err == nil || !strings.Contains(err.Error(), "another process")) {
		t.Errorf("a second run: %v", err)
	}
	d.Close()
	if d, err = openFolder(s); err != nil {
		t.Fatal(err)
	}
	d.Close()
}

func TestMinutesAreShared(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g")
	out, _, err := obey(t, t.Context(), standIns(t), "-dir", dir, "-minutes", "60", "-quiet")
	if err != nil {
		t.Fatal(err)
	}
	list := calls(t, dir)
	_, text, _ := strings.Cut(list[0], "-for ")
	left, err := time.ParseDuration(text)
	// What the start took on a slow machine is lost, not the share.
	if err != nil || left > 27*time.Minute || left < 26*time.Minute {
		t.Errorf("%q leaves %v for the games: %v", list[0], left, err)
	}
	if !strings.Contains(list[0], "-nodes 500 ") || !strings.Contains(list[1], "-start start.tab") || !strings.Contains(out, "set by hand") {
		t.Errorf("%s\n%s", strings.Join(list, "\n"), out)
	}
	// The games of a match are planned: 2 games of 3 positions in 600 s, 1000 s left.
	g := &generation{Play: 600, Games: 2, Positions: 6, Ends: 3000}
	if n := plan(g, 2000); n != 2 {
		t.Errorf("%d games where there is no time for one", n)
	}
	g.Play = 6 // a game of 13 plies in 13 s
	if n := plan(g, 2000); n != 30 {
		t.Errorf("%d games planned", n)
	}
}

// A match that time ends is told by what was played; a training without time is an error.
func TestTimeIsOver(t *testing.T) {
	beside := standIns(t)
	// late runs until a step fails, and again a second before its hour is over.
	late := func(name string) (stdout, stderr string, err error) {
		dir := filepath.Join(t.TempDir(), "g")
		line := []string{"-dir", dir, "-minutes", "60"}
		put(t, dir, "fail-"+name)
		if _, _, err := obey(t, t.Context(), beside, line...); !errors.Is(err, errTold) {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "fail-"+name), filepath.Join(dir, "hang-"+name)); err != nil {
			t.Fatal(err)
		}
		var st state
		raw, err := os.ReadFile(filepath.Join(dir, stateFile))
		if err == nil {
			err = json.Unmarshal(raw, &st)
		}
		if err == nil {
			st.Seconds = 3599
			raw, err = json.Marshal(st)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, stateFile), raw, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		return obey(t, t.Context(), beside, line...)
	}
	out, stderr, err := late("arena")
	if err != nil || !strings.Contains(out, "+2 -1 =1") || !strings.Contains(stderr, "the time is over") {
		t.Errorf("%v, %q, %q", err, out, stderr)
	}
	for _, name := range []string{"tables", "selfplay openings"} {
		out, _, err = late(name)
		if err == nil || !strings.Contains(err.Error(), "more -minutes") || out != "" {
			t.Errorf("%s: %v, %q", name, err, out)
		}
	}
}

func TestForfeitsAreAFailure(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g")
	put(t, dir, "forfeit")
	out, _, err := obey(t, t.Context(), standIns(t), "-dir", dir, "-games", "2", "-match", "4", "-quiet")
	if err == nil || errors.Is(err, errTold) || !strings.Contains(out, "old lost 1 by crash") {
		t.Errorf("%v, %q", err, out)
	}
}

func TestADamagedStateAndAnEmptyWorldAreErrors(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g")
	put(t, dir, stateFile)
	if _, _, err := obey(t, t.Context(), "nowhere", "-dir", dir); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Error(err)
	}
	t.Setenv("PATH", "")
	if _, _, err := obey(t, t.Context(), "nowhere", "-dir", filepath.Join(t.TempDir(), "h")); err == nil || !strings.Contains(err.Error(), "no Go") {
		t.Error(err)
	}
	for name, text := range map[string]string{"nothing": "", "no pairs of numbers": "match x: 4 of 4 games\nnew against old: +1\nElo 1\n"} {
		if r, err := readResult(text); err == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if l, err := readLosses([]byte("values epoch   0  training 0.6  validation 0.7\n")); err == nil {
		t.Errorf("half of a training: %+v", l)
	}
	_, _, err := obey(t, t.Context(), "nowhere", "-start", filepath.Join(dir, stateFile), "-dir", filepath.Join(t.TempDir(), "i"))
	if !errors.Is(err, flags.ErrUsage) {
		t.Errorf("tables that are none: %v", err)
	}
}

// What the summary is read from is what the programs really say.
func TestTheRealPrograms(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g")
	args := []string{"-dir", dir, "-games", "80", "-match", "4", "-nodes", "30", "-size", "9", "-generations", "2", "-start", "zero"}
	out, stderr, err := obey(t, t.Context(), "nowhere", args...)
	if err != nil {
		t.Fatal(err, stderr)
	}
	if strings.Count(out, "80 in ") != 2 || strings.Count(out, "4 of 4 games") != 2 || !strings.Contains(out, "160 games (") || strings.Contains(out, "forfeit") {
		t.Errorf("summary:\n%s", out)
	}
	for _, name := range []string{"gen1-freestyle.svg", "gen2-freestyle.tab", "gen2-freestyle.jsonl"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if runtime.GOOS == "linux" {
		if _, err := os.Stat(filepath.Join(dir, "bin", "arena")); err != nil {
			t.Error(err)
		}
	}
}

// What the summary tells people to copy replaces the tables that are built in: a second
// file for the same rule would end every program at its start.
func TestTablesBearTheNamesOfThoseBuiltIn(t *testing.T) {
	for rule, name := range ruleNames {
		f, err := os.Open("../../../brain/eval/tables/" + name + ".tab")
		if err != nil {
			t.Error(err)
			continue
		}
		all, err := eval.Load(f)
		f.Close()
		if err != nil || len(all) != 1 || all[0].Rule != board.Rule(rule) {
			t.Errorf("%s.tab: %v, want the tables of rule %d alone", name, err, rule)
		}
	}
}
