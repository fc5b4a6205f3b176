package tune

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tengen/brain/search"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/resume"
)

var testOpenings = []string{"h5k5h3j4i4l4n4i3", "i12h12h6g8j15e4", "d4e7d7d6", "h8i9i7", "g7h9i8h10", "c3d4e5"}

// command runs a command line and returns its status and what it writes.
func command(t *testing.T, ctx context.Context, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "stderr")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out bytes.Buffer
	status = flags.Status(f, "tune", Run(ctx, args, &out, f))
	raw, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return status, out.String(), string(raw)
}

// file writes a file of a test and returns its path.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBadCommandLines(t *testing.T) {
	o := file(t, strings.Join(testOpenings, "\n")+"\n")
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"no openings", nil, "-openings FILE is missing"},
		{"openings that are not there", []string{"-openings", "nowhere"}, "nowhere"},
		{"no opening in the file", []string{"-openings", file(t, "# none\n")}, "has no opening"},
		{"openings for a larger board", []string{"-openings", o, "-size", "9"}, "line 1"},
		{"an unknown flag", []string{"-opening", o}, "-opening"},
		{"an unknown command", []string{"foo", "-openings", o}, `unknown command "foo", want match, show (see learn tune -help)`},
		{"a word too many", []string{"-openings", o, "now"}, `unknown argument "now"`},
		{"an unknown number", []string{"-openings", o, "-params", "ReduceCut,Magic"}, `"Magic"; known are `},
		{"a number twice", []string{"-openings", o, "-params", "ReduceCut,ReduceCut"}, "ReduceCut is given twice"},
		{"the continuous rule", []string{"-openings", o, "-rule", "2"}, "-rule: want"},
		{"a rule that does not fit its byte", []string{"-openings", o, "-rule", "256"}, "-rule: want"},
		{"a board too large", []string{"-openings", o, "-size", "23"}, "-size: want"},
		{"no worker", []string{"-openings", o, "-concurrency", "0"}, "-concurrency: want"},
		{"no iterations", []string{"-openings", o, "-iterations", "0"}, "-iterations: want"},
		{"no pairs", []string{"-openings", o, "-pairs", "-1"}, "-pairs: want"},
		{"a gain that is no number", []string{"-openings", o, "-gain", "NaN"}, "-gain: want"},
		{"no table", []string{"-openings", o, "-hash", "0"}, "-hash: want"},
		{"a draw with the opening", []string{"-openings", o, "-drawafter", "8"}, "opening 1 has 8 stones and -drawafter is 8"},
		{"a draw before the start", []string{"-openings", o, "-drawafter", "-1"}, "-drawafter: want"},
		{"a journal that is something else", []string{"-openings", o, "-journal", o}, "not a journal of this kind"},
		{"a match of no games", []string{"match", "-openings", o, "-games", "0"}, "-games: want"},
		{"a match of a run that is not there", []string{"match", "-openings", o, "nowhere"}, "nowhere"},
		{"a match of a number that is no more", []string{"match", "-openings", o, file(t, `{"params":[{"name":"Magic","start":1,"min":0,"max":9,"step":1}],"horizon":5,"gain":1,"pairs":1}`+"\n")}, "has no Magic"},
		{"a match of nothing", []string{"match", "-openings", o}, "JOURNAL is missing"},
		{"nothing to show", []string{"show"}, "JOURNAL is missing"},
		{"an empty journal to show", []string{"show", file(t, "")}, "is empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, stdout, stderr := command(t, context.Background(), tt.args...)
			if status != 2 || stdout != "" || strings.Count(stderr, "\n") != 1 ||
				!strings.HasPrefix(stderr, "tune: ") || !strings.Contains(stderr, tt.want) {
				t.Errorf("status %d, %q, %q; want 2 and one line with %q", status, stdout, stderr, tt.want)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"-help"}, {"match", "-help"}, {"show", "-help"}} {
		if status, stdout, stderr := command(t, context.Background(), args...); status != 0 || stderr != "" || !strings.Contains(stdout, "JOURNAL") {
			t.Errorf("%v: status %d, %q, %q", args, status, stdout, stderr)
		}
	}
}

// TestACommandGoesOn runs real games: a run that is cut short in its file, and carried on
// by another number of workers, ends as the one that was not.
func TestACommandGoesOn(t *testing.T) {
	dir := t.TempDir()
	whole, cut := filepath.Join(dir, "whole"), filepath.Join(dir, "cut")
	args := func(journal string, more ...string) []string {
		return append([]string{"-openings", file(t, strings.Join(testOpenings, "\n")), "-params", "reducescale, CountBase",
			"-nodes", "200", "-iterations", "4", "-pairs", "3", "-hash", "1", "-journal", journal}, more...)
	}
	status, stdout, stderr := command(t, context.Background(), args(whole)...)
	if status != 0 || !strings.Contains(stdout, "after 4 iterations, 12 pairs") || !strings.Contains(stderr, "12/12 pairs | iteration 4/4 | ") {
		t.Fatalf("status %d, %s, %s", status, stdout, stderr)
	}
	// The last line of the progress has the result.
	shownLines := strings.Split(strings.TrimSpace(stderr), "\n")
	for _, name := range []string{"ReduceScale", "CountBase"} {
		result := regexp.MustCompile(name + ` +-?\d+ +(-?\d+)`).FindStringSubmatch(stdout)
		if last := shownLines[len(shownLines)-1]; result == nil || !strings.Contains(last, "| "+name+" "+result[1]+" |") {
			t.Errorf("the last line is %q, and the result\n%s", last, stdout)
		}
	}

	raw, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(raw, []byte("\n"))
	if err := os.WriteFile(cut, append(bytes.Join(lines[:3], nil), lines[3][:50]...), 0o644); err != nil {
		t.Fatal(err)
	}
	status, again, stderr := command(t, context.Background(), args(cut, "-concurrency", "3", "-quiet")...)
	if status != 0 || stderr != "" || again != stdout {
		t.Errorf("status %d, %s\ngoes on to\n%s\nwant\n%s", status, stderr, again, stdout)
	}
	if got, want := course(t, cut), course(t, whole); got != want {
		t.Errorf("goes on to\n%s\nwant\n%s", got, want)
	}

	// It goes on beyond the end as well, and refuses what it was not begun for.
	if status, stdout, _ := command(t, context.Background(), args(cut, "-iterations", "5", "-quiet")...); status != 0 || !strings.Contains(stdout, "after 5 iterations, 15 pairs") {
		t.Errorf("status %d, %s", status, stdout)
	}
	if status, _, stderr := command(t, context.Background(), args(cut, "-nodes", "201")...); status != 2 || !strings.Contains(stderr, "other settings: nodes was 200 and is now 201") {
		t.Errorf("other nodes: status %d, %s", status, stderr)
	}

	// What shows it tells the same, and a match plays it.
	if status, shown, _ := command(t, context.Background(), "show", whole); status != 0 || shown != stdout {
		t.Errorf("status %d, shown\n%s\nwant\n%s", status, shown, stdout)
	}
	status, stdout, stderr = command(t, context.Background(), "match", "-games", "4",
		"-nodes", "200", "-hash", "1", "-openings", file(t, strings.Join(testOpenings, "\n")), whole)
	if status != 0 || !regexp.MustCompile(`^tuned: ReduceScale \d+, CountBase \d+\n\+\d -\d =\d, \d+\.\d%, Elo .* \[.*\], pairs \d/\d/\d/\d/\d\n$`).MatchString(stdout) {
		t.Errorf("status %d, %q, %s", status, stdout, stderr)
	}
}

// TestAMatchPlaysNoGameTwice: it ends when each opening has been played in all its images.
func TestAMatchPlaysNoGameTwice(t *testing.T) {
	run, played := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "played")
	conditions := []string{"-openings", file(t, testOpenings[1]), "-nodes", "20", "-hash", "1", "-drawafter", "16", "-quiet"}
	if status, _, stderr := command(t, t.Context(), append(conditions, "-iterations", "1", "-pairs", "1", "-journal", run)...); status != 0 {
		t.Fatal(stderr)
	}
	status, stdout, stderr := command(t, t.Context(), append(append([]string{"match"}, conditions...), "-journal", played, run)...)
	raw, err := os.ReadFile(played)
	if pairs := bytes.Count(raw, []byte(`"pair":`)); status != 0 || err != nil || pairs != 8 {
		t.Errorf("status %d, %v, %d pairs, want 8: %s%s", status, err, pairs, stdout, stderr)
	}
}

// TestASignalEndsARun: what has been reached is printed.
func TestASignalEndsARun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o, journal := file(t, strings.Join(testOpenings, "\n")), filepath.Join(t.TempDir(), "run")
	status, stdout, stderr := command(t, ctx, "-openings", o, "-params", "ReduceCut", "-quiet", "-journal", journal)
	if status != 130 || !strings.Contains(stdout, "after 0 iterations, 0 pairs") || !strings.HasPrefix(stderr, "tune: interrupted") {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
	status, stdout, stderr = command(t, ctx, "match", "-openings", o, journal)
	if status != 130 || !strings.Contains(stdout, "+0 -0 =0") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("match: status %d, %q, %q", status, stdout, stderr)
	}
	status, stdout, stderr = command(t, context.Background(), "match", "-openings", o, "-journal", journal, journal)
	if status != 2 || stdout != "" || !strings.Contains(stderr, "not a journal of this kind") {
		t.Errorf("a match with the journal of the run: status %d, %q, %q", status, stdout, stderr)
	}
}

// TestEveryTunableCanBeTuned: the list of the search leads to its own fields, with the
// default in the range.
func TestEveryTunableCanBeTuned(t *testing.T) {
	base := search.DefaultParams()
	all, err := choose(&base, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(base.Tunables()) {
		t.Fatalf("%d of %d chosen", len(all), len(base.Tunables()))
	}
	for _, p := range all {
		if p.Start < p.Min || p.Start > p.Max || p.Step < 1 || p.Step > p.Max-p.Min {
			t.Errorf("%s begins at %d, in %d..%d by %d", p.Name, p.Start, p.Min, p.Max, p.Step)
		}
		changed := apply(base, []parameter{p}, []int{p.Start + 1})
		if got := resume.Differences(&base, &changed); strings.Count(got, " is ") != 1 || !strings.HasPrefix(got, strings.ToLower(p.Name)+" ") {
			t.Errorf("changing %s changes %s", p.Name, got)
		}
	}
	if base != search.DefaultParams() {
		t.Error("the defaults have changed")
	}
}
