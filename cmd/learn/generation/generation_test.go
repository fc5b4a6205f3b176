package generation

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/openings"
	"tengen/cmd/learn/network"
)

// The test binary runs the command if the environment says so, so that a test can kill it.
func TestMain(m *testing.M) {
	if line, ok := os.LookupEnv("GENERATION_LINE"); ok {
		os.Exit(flags.Status(os.Stderr, "learn generation", Run(context.Background(), strings.Split(line, "\n"), os.Stdout, os.Stderr)))
	}
	os.Exit(m.Run())
}

// small is a run that takes a second: few nodes on a small board.
func small(dir string, more ...string) []string {
	return append([]string{"-dir", dir, "-size", "7", "-nodes", "30", "-games", "150", "-match", "4", "-seed", "7", "-start", "hand", "-concurrency", "2", "-quiet"}, more...)
}

// obey runs a command line.
func obey(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	s, err := parse(args, &out)
	if err == nil {
		err = generate(ctx, s, &out, &errs)
	}
	return out.String(), errs.String(), err
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// results returns what a folder of a generation of renju holds that does not depend on the time, by
// the names of the files.
func results(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range []string{"gen1-renju.tgs", "gen1-renju.tnn", "gen1-renju.pos", "gen1-renju.jsonl"} {
		all[name] = string(read(t, filepath.Join(dir, name)))
	}
	return all
}

// stateOf returns the state of the run with the command line args.
func stateOf(t *testing.T, args []string) state {
	t.Helper()
	s, err := parse(args, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	r, err := open(s, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	return r.state
}

func TestABadCommandLineIsAUsageError(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g")
	for _, line := range []string{
		"-rule 2", "-size 4", "-size 23", "-nodes 0", "-games 0", "-games 60", "-match 3", "-match 0", "-for 0s", "-for -1m", "-for 1m -games 5",
		"-for 1m -match 4", "-generations 0", "-concurrency 0", "-start no-such-file", "-start zero", "-network", "-nonsense", "word", "-minutes 5",
	} {
		if _, _, err := obey(t.Context(), append([]string{"-dir", dir}, strings.Fields(line)...)...); !errors.Is(err, flags.ErrUsage) {
			t.Errorf("%s: %v", line, err)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := obey(t.Context(), "-dir", file); !errors.Is(err, flags.ErrUsage) {
		t.Errorf("a file for a directory: %v", err)
	}
	var out bytes.Buffer
	if err := Run(t.Context(), []string{"-help"}, &out, io.Discard); !errors.Is(err, flag.ErrHelp) || !strings.Contains(out.String(), "-for TIME") {
		t.Errorf("%v: %s", err, &out)
	}
}

// Too few games to train on are refused before they are played.
func TestTooFewGamesAreRefusedAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g")
	_, _, err := obey(t.Context(), "-dir", dir, "-games", "60")
	if !errors.Is(err, flags.ErrUsage) || !strings.Contains(err.Error(), "-games: want a number of 150 to") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the run began")
	}
}

// The first generation plays against the tables that the run starts from, the second starts from
// the network of the first and learns from the games of both. A run that is done prints its
// results again.
func TestTwoGenerationsBuildOnEachOther(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g")
	out, _, err := obey(t.Context(), small(dir, "-rule", "4")...)
	if err != nil {
		t.Fatal(err)
	}
	first := results(t, dir)
	both, stderr, err := obey(t.Context(), small(dir, "-rule", "4", "-generations", "2")...)
	if err != nil || !strings.HasPrefix(both, out) || stderr != "" {
		t.Fatalf("%v: %s\n%s", err, both, stderr)
	}
	if !maps.Equal(results(t, dir), first) {
		t.Error("the second generation has changed the first")
	}
	for _, want := range []string{
		"generation 1 of renju 7x7, 30 nodes a move\n  games       150 in ", "best move first in ", "match       4 games in ", "new against old (set by hand): +",
		"generation 2 of renju 7x7, 30 nodes a move\n", "new against old (gen1-renju.tnn): +", "; 300 games (",
		"pbrain-tengen -net " + filepath.Join(dir, "gen2-renju.tnn"), "brain/eval/networks/renju.tnn",
	} {
		if !strings.Contains(both, want) {
			t.Errorf("no %q in\n%s", want, both)
		}
	}
	again, stderr, err := obey(t.Context(), small(dir, "-rule", "4", "-generations", "2")...)
	if err != nil || again != both || !strings.Contains(stderr, "is finished") {
		t.Errorf("once more: %v, %s\n%s", err, again, stderr)
	}
	if _, _, err := obey(t.Context(), small(dir, "-rule", "4", "-nodes", "31")...); !errors.Is(err, flags.ErrUsage) || !strings.Contains(err.Error(), "belongs to another run") {
		t.Errorf("another run: %v", err)
	}
	n, err := eval.LoadNetwork(read(t, filepath.Join(dir, "gen2-renju.tnn")))
	if err != nil || n.Rule() != board.Renju {
		t.Fatalf("%v, %v", n, err)
	}
	if log := string(read(t, filepath.Join(dir, "gen2-renju.log"))); !strings.Contains(log, "300 games") {
		t.Errorf("the second training writes\n%s", log)
	}
}

// builtIn returns the file of the engine's network for freestyle on boards of size x size.
func builtIn(size int) []byte {
	_, data := eval.NetworkFile(board.Freestyle, size, size)
	return data
}

// A run starts from the network in a file or from that of the engine for its board, which it keeps. Its
// summary names that as the one to replace.
func TestARunStartsFromANetwork(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.tnn")
	if err := os.WriteFile(file, builtIn(15), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		start, size string
		want        []byte
		replaces    string
	}{
		{file, "7", builtIn(15), "freestyle.tnn"},
		{"engine", "7", builtIn(15), "freestyle.tnn"},
		{"engine", "20", builtIn(20), "freestyle-20.tnn"},
		{file, "20", builtIn(15), "freestyle-20.tnn"},
	} {
		dir := filepath.Join(t.TempDir(), "g")
		s, err := parse(small(dir, "-start", test.start, "-size", test.size), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		r, err := open(s, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		defer r.close()
		if err := r.copyStart(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(read(t, filepath.Join(dir, "start.tnn")), test.want) {
			t.Errorf("-start %s -size %s starts from another network", test.start, test.size)
		}
		if p, err := r.player(r.old(0)); err != nil || p.Evaluation.Network(board.Freestyle, 15, 15) == nil {
			t.Errorf("-start %s plays by no network: %v", test.start, err)
		}
		var out bytes.Buffer
		if err := r.summary(&out, 0, &generation{Trained: new(network.Result), Score: new(elo.Score)}); err != nil || !strings.Contains(out.String(), "brain/eval/networks/"+test.replaces+",") {
			t.Errorf("-start %s -size %s: %v, %s", test.start, test.size, err, &out)
		}
	}
	for _, bad := range [][]string{
		{"-start", filepath.Join(t.TempDir(), "nosuch.tnn")}, // no file
		{"-start", file, "-rule", "4"},                       // another rule
	} {
		if _, _, err := obey(t.Context(), small(filepath.Join(t.TempDir(), "g"), bad...)...); !errors.Is(err, flags.ErrUsage) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

// A run that is killed repeatedly ends with the same files.
func TestAKilledRunGoesOn(t *testing.T) {
	whole, killed := filepath.Join(t.TempDir(), "g"), filepath.Join(t.TempDir(), "g")
	if _, _, err := obey(t.Context(), small(whole, "-rule", "4")...); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	start := func() *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), self)
		cmd.Env = append(os.Environ(), "GENERATION_LINE="+strings.Join(small(killed, "-rule", "4"), "\n"))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	// The process is killed as soon as each of these files exists.
	for _, name := range []string{"gen1-renju.tgs", "gen1-renju.tnn.checkpoint", "gen1-renju.tnn", "gen1-renju.jsonl"} {
		cmd := start()
		ended := make(chan struct{})
		go func() {
			cmd.Wait()
			close(ended)
		}()
		for waiting := true; waiting; {
			if _, err := os.Stat(filepath.Join(killed, name)); err == nil {
				waiting = false
			}
			select {
			case <-ended:
				waiting = false
			case <-time.After(time.Millisecond):
			}
		}
		cmd.Process.Kill()
		<-ended
	}
	if err := start().Wait(); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(results(t, killed), results(t, whole)) {
		t.Error("the killed run has other files")
	}
	if s := stateOf(t, small(killed, "-rule", "4")); s.Generations[0].Score.Games() != 4 {
		t.Errorf("%+v", s)
	}
}

// A signal ends a run between two games.
func TestAStoppedRunTellsSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := obey(ctx, small(filepath.Join(t.TempDir(), "g"))...); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestADamagedStateIsRefused(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, stateFile)
	const text = "not a state"
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := obey(t.Context(), small(dir)...); !errors.Is(err, flags.ErrUsage) || !strings.Contains(err.Error(), "is not a checkpoint, or use another -dir") {
		t.Error(err)
	}
	if got := string(read(t, name)); got != text {
		t.Errorf("%s is now %s", text, got)
	}
}

func TestTwoRunsDoNotShareAFolder(t *testing.T) {
	s, err := parse(small(filepath.Join(t.TempDir(), "g")), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	r, err := open(s, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if other, err := open(s, io.Discard); err == nil {
		other.close() // a system without locks
	} else if !strings.Contains(err.Error(), "another process") {
		t.Errorf("a second run: %v", err)
	}
	r.close()
	if err := os.WriteFile(r.file(stateFile), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := open(s, io.Discard); err == nil || !strings.Contains(err.Error(), "not a checkpoint") {
		t.Errorf("a damaged state: %v", err)
	}
}

// A match goes on, with new openings, until the time is over.
func TestTheTimeOfAMatchIsUsed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g")
	s, err := parse([]string{"-dir", dir, "-size", "7", "-nodes", "5", "-for", "1h", "-quiet", "-concurrency", "2"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	r, err := open(s, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	if err := os.WriteFile(r.name(0, "tnn"), builtIn(7), 0o666); err != nil {
		t.Fatal(err)
	}
	for within := time.Second; ; within *= 4 { // a busy machine needs more
		os.Remove(r.name(0, "pos"))
		os.Remove(r.name(0, "jsonl"))
		began := r.elapsed()
		g := &generation{Games: 1, Positions: 10, Trained: new(network.Result), Ends: began + within}
		err := r.judge(t.Context(), 0, g)
		if used := float64(r.elapsed()-began) / float64(within); err == nil && g.Score.Games() > 4 && used > 0.7 && used < 1.5 {
			list, err := openings.Read(r.name(0, "pos"), 0, 7, 7, 0)
			if err != nil || len(list) < g.Score.Games()/2 {
				t.Errorf("%d openings for %d games, %v", len(list), g.Score.Games(), err)
			}
			seen, b := map[uint64]bool{}, r.New()
			for _, moves := range list {
				seen[openings.Canonical(b, moves)] = true
			}
			if len(seen) != len(list) {
				t.Errorf("%d openings, %d of them different", len(list), len(seen))
			}
			return
		}
		if within > 100*time.Second {
			t.Fatalf("a match of %v: %v, %v, %+v", within, err, g.Score, g)
		}
	}
}

// A training without time, or a match without openings or games, is an error, and a longer time
// goes on with it.
func TestTimeIsOver(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g")
	s, err := parse([]string{"-dir", dir, "-size", "7", "-nodes", "30", "-for", "1h", "-quiet"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	r, err := open(s, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	g := &generation{Ends: time.Millisecond}
	r.began = r.began.Add(-time.Second) // of the run are over
	if err := r.play(t.Context(), 0, g); err == nil || !strings.Contains(err.Error(), "0 games ended in time") {
		t.Errorf("games: %v", err)
	}
	for within := 3 * time.Second / 2; ; within *= 4 { // of which the games have their share; a busy machine needs more
		now := r.elapsed()
		*g = generation{Began: now, Ends: now + within}
		err := r.play(t.Context(), 0, g)
		if share := float64(g.Play) / float64(within); err == nil && g.Games > 0 && share > 0.4 && share < 1 {
			break
		}
		if within > 1000*time.Second {
			t.Fatalf("games of %v: %v, %+v", within, err, g)
		}
	}
	*g = generation{}
	if err := os.Remove(r.name(0, "tgs")); err != nil {
		t.Fatal(err)
	}
	r.games = 150
	if err := r.play(t.Context(), 0, g); err != nil || g.Games != 150 {
		t.Fatalf("%v, %+v", err, g)
	}
	g.Ends = time.Millisecond
	if err := r.train(t.Context(), 0, g); err == nil || !strings.Contains(err.Error(), "no time is left for the training") {
		t.Errorf("training: %v", err)
	}
	g.Ends = 0
	if err := r.train(t.Context(), 0, g); err != nil || g.Trained == nil {
		t.Fatalf("training: %v, %+v", err, g)
	}
	g.Ends = time.Millisecond
	if err := r.judge(t.Context(), 0, g); err == nil || !strings.Contains(err.Error(), "no time is left for the match") {
		t.Errorf("openings: %v", err)
	}
	// What the next generation trains on again takes all of its time.
	r.Generations, r.began = []*generation{{Train: 50 * time.Minute}}, r.began.Add(-time.Hour)
	now := r.elapsed()
	if err := r.play(t.Context(), 1, &generation{Began: now, Ends: now + 5*time.Second}); err == nil || !strings.Contains(err.Error(), "0 games ended in time") {
		t.Errorf("games of a second generation: %v", err)
	}
	r.match, g.Ends = 4, 0
	if _, err := r.openings(t.Context(), 0, 2); err != nil {
		t.Fatal(err)
	}
	g.Ends = time.Millisecond
	if err := r.judge(t.Context(), 0, g); err == nil || !strings.Contains(err.Error(), "no time is left for the match") || g.Score != nil {
		t.Errorf("match: %v, %+v", err, g.Score)
	}
	g.Ends = 0
	if err := r.judge(t.Context(), 0, g); err != nil || g.Score == nil || g.Score.Games() != 4 {
		t.Errorf("match with more time: %v, %+v", err, g.Score)
	}
}

// A run whose time is over continues with a longer one.
func TestALongerTimeContinuesARun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g")
	for _, within := range []time.Duration{1, 2, 2} {
		line := []string{"-dir", dir, "-size", "7", "-nodes", "30", "-quiet", "-for", within.String()}
		_, _, err := obey(t.Context(), line...)
		if err == nil || !strings.Contains(err.Error(), "a longer -for is needed") {
			t.Errorf("-for %v: %v", within, err)
		}
		if s := stateOf(t, line); len(s.Generations) != 1 || s.Generations[0].Ends != within {
			t.Errorf("-for %v: %+v", within, s)
		}
	}
	if _, _, err := obey(t.Context(), "-dir", dir, "-size", "7", "-nodes", "30", "-quiet", "-start", "hand"); !errors.Is(err, flags.ErrUsage) {
		t.Errorf("the run without a limit: %v", err)
	}
}

// The time of earlier starts counts: two hours are more than the one of the run.
func TestTheTimeOfEarlierStartsCounts(t *testing.T) {
	line := []string{"-dir", filepath.Join(t.TempDir(), "g"), "-size", "7", "-nodes", "30", "-quiet", "-for", "1h"}
	s, err := parse(line, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	r, err := open(s, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	r.began = r.began.Add(-2 * time.Hour)
	if err := errors.Join(r.save(), r.close()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, _, err := obey(ctx, line...); err == nil || !strings.Contains(err.Error(), "0 games ended in time") {
		t.Error(err)
	}
	if spent := stateOf(t, line).Elapsed; spent < 2*time.Hour || spent > 3*time.Hour {
		t.Errorf("%v are over", spent)
	}
}

// Generations that begin have equal parts of what is left of the time.
func TestGenerationsShareTheTime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g")
	const within = 4 * time.Nanosecond // none is left for a game
	line := []string{"-dir", dir, "-size", "7", "-nodes", "30", "-quiet", "-for", within.String(), "-generations", "4"}
	if _, _, err := obey(t.Context(), line...); err == nil {
		t.Error("no error")
	}
	s := stateOf(t, line)
	if len(s.Generations) != 1 {
		t.Fatalf("%+v", s)
	}
	g := s.Generations[0]
	if want := g.Began + (within-g.Began)/4; g.Ends != want {
		t.Errorf("the first of four ends at %v, want %v", g.Ends, want)
	}
}
