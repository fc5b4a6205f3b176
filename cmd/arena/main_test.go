package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"tengen/brain/about"
)

// arena prepares a run of the arena as a process of its own.
func arena(t *testing.T, args ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(exe, append([]string{"arena"}, args...)...)
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd, stdout, stderr
}

// spec is the -engine value of a fake engine.
func spec(t *testing.T, name, mode, seed string) string {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return "name=" + name + ",cmd='" + exe + "' engine '" + mode + "' " + seed
}

// command is the command of a fake engine.
func command(t *testing.T) string {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return "'" + exe + "' engine '' 1"
}

func TestABadCommandLineIsOneLineAndStatusTwo(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.txt")
	os.WriteFile(bad, []byte("h8h8\n"), 0o644)
	none := filepath.Join(dir, "none.txt")
	os.WriteFile(none, []byte("\n"), 0o644)
	journal := filepath.Join(dir, "j")
	os.WriteFile(journal, []byte(line1), 0o644)
	played := filepath.Join(dir, "played")
	if err := reportMatch(2).write(played); err != nil {
		t.Fatal(err)
	}
	garbage := filepath.Join(dir, "g")
	os.WriteFile(garbage, []byte("garbage\n"), 0o644)
	prose := filepath.Join(dir, "prose")
	os.WriteFile(prose, []byte("a line of prose without its end"), 0o644)
	typo := filepath.Join(dir, "typo.json")
	os.WriteFile(typo, []byte(`{"eech":{"tc":"0/1"},"engines":[]}`), 0o644)
	long := filepath.Join(dir, "long.txt")
	os.WriteFile(long, []byte("h8i9\n"), 0o644)
	broken := filepath.Join(dir, "broken.zip")
	os.WriteFile(broken, []byte("this is no archive"), 0o644)
	noProgram := filepath.Join(dir, "engine.exe")
	os.WriteFile(noProgram, []byte("this is no program"), 0o755)
	two := []string{"-engine", spec(t, "a", "", "1"), "-engine", spec(t, "b", "", "2")}
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"nothing", nil, "two"},
		{"one engine", two[:2], "two"},
		{"an unknown flag", append([]string{"-frobnicate"}, two...), "frobnicate"},
		{"an unknown command", append([]string{"play"}, two...), `unknown command "play" (see arena -help)`},
		{"help of an unknown command", []string{"help", "play"}, `unknown command "play" (see arena -help)`},
		{"a word after the flags", append(two[:4:4], "play"), `unknown argument "play"`},
		{"a rule that is not dealt", append([]string{"-rule", "5"}, two...), "rule"},
		{"a board too large", append([]string{"-size", "23"}, two...), "22"},
		{"an odd number of games", append([]string{"-games", "3"}, two...), "even"},
		{"no rounds", append([]string{"-rounds", "0"}, two...), "rounds"},
		{"no workers", append([]string{"-concurrency", "0"}, two...), "concurrency"},
		{"an order", append([]string{"-order", "backwards"}, two...), "order"},
		{"a shard", append([]string{"-shard", "5/4"}, two...), "shard"},
		{"a test that cannot be", append([]string{"-sprt", "elo0=5,elo1=0"}, two...), "elo0"},
		{"a test of three", append([]string{"-sprt", "elo1=5", "-engine", spec(t, "c", "", "3")}, two...), "two engines"},
		{"a name twice", append(two[:2:2], two[:2]...), "name"},
		{"a missing program", append([]string{"-engine", "name=x,cmd=/no/such/engine"}, two...), "cannot run"},
		{"a bad time control", append([]string{"-each", "tc=never"}, two...), "tc"},
		{"missing openings", append([]string{"-openings", filepath.Join(dir, "x")}, two...), "openings"},
		{"bad openings", append([]string{"-openings", bad}, two...), "line 1"},
		{"no openings", append([]string{"-openings", none}, two...), "no opening"},
		{"a journal of another match", append([]string{"-journal", journal}, two...), "another match"},
		{"a journal that is none", append([]string{"-journal", garbage}, two...), "does not begin"},
		{"a journal that is no file", append([]string{"-journal", os.DevNull}, two...), "regular file"},
		{"a journal that is something else", append([]string{"-journal", prose}, two...), "does not begin"},
		{"a shard of a test without end", append([]string{"-sprt", "elo1=5", "-shard", "1/4"}, two...), "-games"},
		{"openings that are draws", append([]string{"-openings", long, "-drawafter", "2"}, two...), "opening 1"},
		{"a wrong word in the engine file", append([]string{"-engines", typo}, two...), "eech"},
		{"report of nothing", []string{"report"}, "journal"},
		{"report of a missing file", []string{"report", filepath.Join(dir, "x")}, "x"},
		{"merge of garbage", []string{"merge", garbage}, "does not begin"},
		{"export to nowhere", []string{"export", played}, "-psq, -sgf, -pgn or -samples"},
		{"check of nothing", []string{"check"}, "an engine or an archive"},
		{"check of two engines", []string{"check", "a", "b"}, "check takes one engine, not 2"},
		{"check of a missing program", []string{"check", "/no/such/engine"}, "cannot run"},
		{"check of what is no program", []string{"check", noProgram}, "the engine cannot be started"},
		{"check of an open quote", []string{"check", "'engine"}, "quote"},
		{"check of a league that there is not", []string{"check", "-leagues", "chess", "x"}, `"chess": want some of freestyle-20`},
		{"check of a broken archive", []string{"check", broken}, "not a valid zip file"},
		{"check against a missing program", append([]string{"check", "-against", "/no/such/engine"}, command(t)), "-against: "},
		{"a file for the directory of an export", []string{"export", "-psq", prose, played}, "-psq: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd, stdout, stderr := arena(t, tt.args...)
			cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != 2 {
				t.Errorf("status %d, want 2", code)
			}
			text := stderr.String()
			if strings.Count(text, "\n") != 1 || !strings.Contains(text, tt.want) || stdout.Len() > 0 {
				t.Errorf("stderr %q, stdout %q; want one line with %q on stderr", text, stdout, tt.want)
			}
		})
	}
	t.Cleanup(func() {
		if raw, _ := os.ReadFile(prose); len(raw) == 0 {
			t.Error("a file that is no journal was emptied")
		}
	})
}

func TestHelpNamesTheCommandsAndTheFlags(t *testing.T) {
	for command, want := range map[string][]string{
		"-help":        {"arena report", "arena merge", "arena export", "-concurrency", "NxN cells, 5 to 22"},
		"help":         {"arena report", "-concurrency"},
		"help merge":   {"usage: arena merge", "-o FILE"},
		"merge -help":  {"arena merge", "-o FILE"},
		"export -help": {"arena export", "-sgf FILE"},
		"report -help": {"arena report", "JOURNAL"},
	} {
		cmd, stdout, stderr := arena(t, strings.Fields(command)...)
		if err := cmd.Run(); err != nil || stderr.Len() > 0 {
			t.Errorf("%s: %v %s", command, err, stderr)
		}
		for _, w := range want {
			if !strings.Contains(stdout.String(), w) {
				t.Errorf("%s lacks %q", command, w)
			}
		}
	}
}

func TestHelpGivesEveryDefault(t *testing.T) {
	cmd, stdout, _ := arena(t, "-help")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	_, settings, _ := strings.Cut(stdout.String(), "for -engines:\n")
	settings, list, ok := strings.Cut(settings, "A value with a comma")
	for _, text := range regexp.MustCompile(`(?m)^  \b`).Split(settings, -1)[1:] {
		if !strings.Contains(strings.ToLower(text), "default") && !strings.Contains(text, "; required") {
			t.Errorf("no default in %q", text)
		}
	}
	for _, text := range strings.Split(list, "\n  -")[1:] {
		name, _, _ := strings.Cut(text, " ")
		if !strings.HasPrefix(name, "engine") && name != "each" && !strings.Contains(text, "default") {
			t.Errorf("no default in -%q", text)
		}
	}
	if !ok {
		t.Errorf("the settings of an engine are missing:\n%s", stdout)
	}
}

// broken is a pipe whose reader is gone.
func broken(t *testing.T) *os.File {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	t.Cleanup(func() { w.Close() })
	return w
}

func TestATournamentContinuesWithoutReaders(t *testing.T) {
	cmd, stdout, _ := arena(t, "-engine", spec(t, "a", "", "1"), "-engine", spec(t, "b", "occupied@2", "2"), "-games", "4")
	cmd.Stderr = broken(t)
	cmd.Run() // b fails in every game, which is status 1
	if !strings.Contains(stdout.String(), "4 of 4 games") {
		t.Errorf("nobody reads the messages:\n%s", stdout)
	}
	cmd, _, stderr := arena(t, "-engine", spec(t, "a", "", "1"), "-engine", spec(t, "b", "", "2"), "-quiet")
	cmd.Stdout = broken(t)
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 1 || strings.Count(stderr.String(), "\n") != 1 {
		t.Errorf("nobody reads the result: status %d, stderr %q; want 1 and a line", code, stderr)
	}
}

func TestResultsGoToStandardOutputAndMessagesToStandardError(t *testing.T) {
	cmd, stdout, stderr := arena(t, "-engine", spec(t, "a", "", "1"), "-engine", spec(t, "b", "exits@2", "2"), "-games", "4")
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("status %d, want 1: b failed in every game", code)
	}
	for _, want := range []string{"4 of 4 games", "a against b: +4 -0 =0", "pairs 0/0/0/0/2", "LOS", "b lost 4 by crash\n  first in game 1, by crash: the engine exited (exit status 5)\n  restart=on helps"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("standard output lacks %q:\n%s", want, stdout)
		}
	}
	for _, want := range []string{"game 1: b lost by crash", "4/4 games | +4 -0 =0", "games/h", "\narena: b failed in every game: 4 by crash\n"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("standard error lacks %q:\n%s", want, stderr)
		}
	}
	if strings.Contains(stderr.String(), "\r") {
		t.Error("a line is rewritten where there is no terminal")
	}
	cmd, _, stderr = arena(t, "-engine", spec(t, "a", "", "1"), "-engine", spec(t, "b", "", "2"), "-games", "4", "-quiet")
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		t.Errorf("-quiet: %v, stderr %q", err, stderr)
	}
}

func TestATestStopsByItself(t *testing.T) {
	file := filepath.Join(t.TempDir(), "j")
	cmd, stdout, stderr := arena(t, "-engine", spec(t, "a", "", "1"), "-engine", spec(t, "b", "occupied", "2"),
		"-sprt", "elo0=0,elo1=200", "-concurrency", "2", "-journal", file)
	cmd.Run() // b fails in every game, which is status 1
	if !strings.Contains(stdout.String(), "H1 accepted") || strings.Contains(stdout.String(), "1000000") {
		t.Errorf("standard output:\n%s\nstandard error:\n%s", stdout, stderr)
	}
	m, _, err := loadJournals([]string{file})
	if err != nil || len(m.games) > 200 {
		t.Fatalf("%v, %d games", err, len(m.games))
	}
	// The same command finds the verdict and plays nothing.
	before, _ := os.ReadFile(file)
	again, stdout2, stderr2 := arena(t, cmd.Args[2:]...)
	again.Run()
	if stdout2.String() != stdout.String() {
		t.Errorf("again: %s\n%s", stderr2, stdout2)
	}
	if after, _ := os.ReadFile(file); !bytes.Equal(before, after) {
		t.Error("a decided test played on")
	}
}

func TestAProcessThatIsKilledContinuesWhereItStopped(t *testing.T) {
	file := filepath.Join(t.TempDir(), "j")
	args := []string{"-engine", spec(t, "a", "slow", "1"), "-engine", spec(t, "b", "slow", "2"), "-games", "12",
		"-drawafter", "24", "-concurrency", "2", "-journal", file, "-quiet"}
	for range 3 { // killed without warning, again and again
		cmd, _, _ := arena(t, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		before := size(file)
		for end := time.Now().Add(20 * time.Second); size(file) < before+1000 && time.Now().Before(end); {
			time.Sleep(5 * time.Millisecond)
		}
		cmd.Process.Kill()
		cmd.Wait()
	}
	cmd, stdout, stderr := arena(t, args...)
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	raw, _ := os.ReadFile(file)
	if n := bytes.Count(raw, []byte("\n")); n != 12 {
		t.Errorf("%d lines in the journal, want 12", n)
	}
	m, repeats, err := loadJournals([]string{file})
	if err != nil || repeats != 0 || len(m.games) != 12 {
		t.Fatalf("%v, %d repeats", err, repeats)
	}
	whole, stdoutWhole, stderr := arena(t, append(args[:len(args)-3:len(args)-3], "-quiet")...)
	if err := whole.Run(); err != nil || stdoutWhole.String() != stdout.String() {
		t.Errorf("%v %s\nkilled and continued:\n%s\nin one go:\n%s", err, stderr, stdout, stdoutWhole)
	}
}

// A match that is continued tells how many games are not of the programs that play now.
func TestAnotherProgramIsTold(t *testing.T) {
	dir := t.TempDir()
	file, net := filepath.Join(dir, "j"), filepath.Join(dir, "net")
	if err := os.WriteFile(net, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	play := func(more ...string) string {
		t.Helper()
		cmd, _, stderr := arena(t, append([]string{"-engine", spec(t, "a", "", "'"+net+"'"), "-engine", spec(t, "b", "", "-net="+net), "-engine", spec(t, "c", "", "1"),
			"-drawafter", "8", "-journal", file}, more...)...)
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %s", err, stderr)
		}
		return stderr.String()
	}
	if text := play(); strings.Contains(text, "already") {
		t.Errorf("a new match: %s", text)
	}
	if text := play("-rounds", "2"); !strings.Contains(text, "j has 6 games already\n") || strings.Contains(text, "another") {
		t.Errorf("the same programs: %s", text)
	}
	if err := os.WriteFile(net, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	said := func(name string) string {
		return "arena: " + file + ": " + name + " has changed since 8 of these games were played\n"
	}
	for _, rounds := range []string{"2", "3"} { // a finished match, and one that goes on
		if text := play("-rounds", rounds, "-quiet"); text != said("a")+said("b") {
			t.Errorf("another file: %s", text)
		}
	}
	// A journal from before there were checksums.
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, regexp.MustCompile(`,"programs":\[[^]]*\]`).ReplaceAll(raw, nil), 0o644); err != nil {
		t.Fatal(err)
	}
	if text := play("-rounds", "4", "-quiet"); text != "" {
		t.Errorf("a journal without checksums: %s", text)
	}
}

// Bytes that are not UTF-8, as in old names of files, do not make a journal one of another match.
func TestNamesThatAreNotUTF8(t *testing.T) {
	file := filepath.Join(t.TempDir(), "j")
	args := []string{"-engine", spec(t, "a\xe9", "", "1") + ",info.x=\xff\xfe", "-engine", spec(t, "b\ufffd", "", "2"), "-drawafter", "8",
		"-journal", file, "-quiet"}
	var first string
	for _, args := range [][]string{args, args, {"merge", file}} {
		cmd, stdout, stderr := arena(t, args...)
		if err := cmd.Run(); err != nil || stderr.Len() > 0 || first != "" && stdout.String() != first {
			t.Errorf("%.20q: %v %s\n%s\nat first:\n%s", args, err, stderr, stdout, first)
		}
		first = stdout.String()
	}
}

func size(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}

func TestShardsOfTheCommandLineMergeIntoOneRun(t *testing.T) {
	dir := t.TempDir()
	openings := filepath.Join(dir, "openings.txt")
	os.WriteFile(openings, []byte(strings.Join(testOpenings, "\n")), 0o644)
	args := []string{"-engine", spec(t, "a", "", "1"), "-engine", spec(t, "b", "", "2"), "-games", "8", "-openings", openings,
		"-order", "random", "-seed", "3", "-quiet"}
	whole := filepath.Join(dir, "whole")
	cmd, stdout, stderr := arena(t, append(args, "-journal", whole)...)
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	merge := []string{"merge"}
	for i := range 3 {
		part := filepath.Join(dir, "part"+itoa(i))
		cmd, _, stderr := arena(t, append(args, "-journal", part, "-shard", itoa(i+1)+"/3")...)
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %s", err, stderr)
		}
		merge = append(merge, part)
	}
	// Flags may stand behind the files.
	cmd, merged, stderr := arena(t, append(merge, "-o", filepath.Join(dir, "all"))...)
	if err := cmd.Run(); err != nil || merged.String() != stdout.String() {
		t.Errorf("%v %s\nmerged:\n%s\none run:\n%s", err, stderr, merged, stdout)
	}
	a, _, err := loadJournals([]string{whole})
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := loadJournals([]string{filepath.Join(dir, "all")})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(essences(a), essences(b)) {
		t.Error("the merged games are not those of one run")
	}
	// Export gives every game to other programs.
	sgf := filepath.Join(dir, "all.sgf")
	cmd, _, stderr = arena(t, "export", "-sgf", sgf, "-psq", filepath.Join(dir, "psq"), filepath.Join(dir, "all"))
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "psq", "*.psq"))
	raw, _ := os.ReadFile(sgf)
	if len(files) != 8 || bytes.Count(raw, []byte("(;FF[4]GM[4]")) != 8 {
		t.Errorf("%d psq files, %d games in SGF; want 8", len(files), bytes.Count(raw, []byte("(;FF[4]GM[4]")))
	}
}

func TestVersion(t *testing.T) {
	for _, word := range []string{"version", "-version", "--version"} {
		cmd, stdout, stderr := arena(t, word)
		if err := cmd.Run(); err != nil || !strings.HasPrefix(stdout.String(), about.Name+" "+about.Version) || strings.Count(stdout.String(), "\n") != 1 || stderr.Len() > 0 {
			t.Errorf("%s: %v, %q, %q", word, err, stdout, stderr)
		}
	}
}
