package selfplay

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tengen/brain/sample"
	"tengen/cmd/internal/flags"
)

// obey runs a command line and returns its status and output.
func obey(t testing.TB, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	return obeyUntil(t, context.Background(), args...)
}

func obeyUntil(t testing.TB, ctx context.Context, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out bytes.Buffer
	status = flags.Status(f, "selfplay", Run(ctx, args, &out, f))
	raw, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return status, out.String(), string(raw)
}

// must runs a command line that must succeed.
func must(t testing.TB, args ...string) (stdout string) {
	t.Helper()
	status, stdout, stderr := obey(t, args...)
	if status != 0 {
		t.Fatalf("%s: status %d: %s", strings.Join(args, " "), status, stderr)
	}
	return stdout
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func write(t testing.TB, name string, raw []byte) {
	t.Helper()
	if err := os.WriteFile(name, raw, 0o666); err != nil {
		t.Fatal(err)
	}
}

// games reads a file of samples.
func games(t testing.TB, name string) (all []*sample.Game) {
	t.Helper()
	r, err := sample.NewReader(bytes.NewReader(read(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	for {
		g := &sample.Game{}
		if err := r.Read(g); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
}

// small is a run that takes little time: short searches on a small board.
func small(out string, more ...string) []string {
	return append([]string{"-o", out, "-size", "9", "-nodes", "100", "-check", "100", "-hash", "1", "-quiet", "-concurrency", "1"}, more...)
}

func TestBadCommandLinesAreOneLineAndStatusTwo(t *testing.T) {
	openings := filepath.Join(t.TempDir(), "o.txt")
	write(t, openings, []byte("h8\n"))
	tests := []struct{ line, want string }{
		{"", "-o FILE is missing"},
		{"-o x.tgs -games 0", "-games: want a number, 1 or more"},
		{"-o x.tgs -games many", "many"},
		{"-o x.tgs -nodes 0", "-nodes: want"},
		{"-o x.tgs -check -1", "-check: want"},
		{"-o x.tgs -rule 2", "want 0, 1, 4, 8, 9 or a name"},
		{"-o x.tgs -rule 12", "want 0, 1, 4, 8, 9 or a name"},
		{"-o x.tgs -size 4", "want sides of 5 to 22"},
		{"-o x.tgs -size 15x23", "want sides of 5 to 22"},
		{"-o x.tgs -size big", "want sides of 5 to 22"},
		{"-o x.tgs -stones 9-3", "want MIN-MAX"},
		{"-o x.tgs -concurrency 0", "-concurrency: want"},
		{"-o x.tgs -random -1", "-random"},
		{"-o x.tgs -drawafter -2", "-drawafter"},
		{"-o x.tgs -drawafter 9", "openings of 9 stones and -drawafter is 9"},
		{"-o x.tgs -drawafter 1 -openings " + openings, "opening 1 has 1 stones and -drawafter is 1"},
		{"-o x.tgs -balance -1", "-balance: want"},
		{"-o x.tgs -hash 0", "-hash: want"},
		{"-o x.tgs -tables nowhere.tab", "nowhere.tab"},
		{"-o x.tgs more", `unknown argument "more"`},
		{"-what", "-what"},
		{"play", `unknown command "play", want openings, info, label, merge, convert (see learn selfplay -help)`},
		{"openings -count 0", "-count: want"},
		{"openings -check 0", "-check: want"},
		{"openings -concurrency 0", "-concurrency: want"},
		{"info", "a file is missing"},
		{"info -from psq x", "-from psq"},
		{"label a.tgs", "-o FILE is missing"},
		{"label -o x.tgs", "a file is missing"},
		{"label -o x.tgs -nodes 0 a.tgs", "-nodes: want"},
		{"label -o x.tgs -rule 2 a.tgs", "want 0, 1, 4, 8, 9 or a name"},
		{"merge a.tgs", "-o FILE is missing"},
		{"merge -o x.tgs", "a file is missing"},
		{"convert -o x.tgs", "a file is missing"},
		{"convert a.tgs", "-o FILE is missing"},
		{"convert -o x.psq a.tgs", "-to psq: want"},
		{"convert -o x.psq.lz4 a.tgs", "-to psq: want"},
		{"convert -o x.lz4 a.tgs", "want a name that ends in"},
		{"convert -o x a.tgs", "want a name that ends in"},
		{"convert -from psq -o x.tgs a", "-from psq"},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			status, stdout, stderr := obey(t, strings.Fields(tt.line)...)
			if status != 2 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, tt.want) {
				t.Errorf("status %d, output %q, error %q; want 2 and one line with %q", status, stdout, stderr, tt.want)
			}
		})
	}
	if _, err := os.Stat("x.tgs"); err == nil {
		t.Error("a bad command line made a file")
	}
}

func TestFilesThatCannotBeUsedAreStatusTwo(t *testing.T) {
	dir := t.TempDir()
	bad, game := filepath.Join(dir, "bad.tgs"), filepath.Join(dir, "game.tgs")
	write(t, bad, []byte("these are not samples"))
	must(t, small(game, "-games", "1")...)
	for _, args := range [][]string{
		small(bad), small(game, "-openings", filepath.Join(dir, "none")),
		small(dir), small(filepath.Join(dir, "none", "x.tgs")),
		{"info", bad}, {"info", filepath.Join(dir, "none.tgs")}, {"info", os.DevNull},
		{"merge", "-o", filepath.Join(dir, "m.tgs"), game, bad},
		{"convert", "-o", filepath.Join(dir, "m.bin"), bad},
	} {
		status, _, stderr := obey(t, args...)
		if status != 2 || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: status %d, error %q; want 2 and one line", args, status, stderr)
		}
	}
	if status, _, stderr := obey(t, "merge", "-o", bad, game); status != 1 || strings.Count(stderr, "\n") != 1 {
		t.Errorf("merging into a file with other content: status %d, error %q", status, stderr)
	}
	if string(read(t, bad)) != "these are not samples" {
		t.Error("a file that is none of ours was changed")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "m.*")); left != nil {
		t.Errorf("%v were left behind", left)
	}
}

func TestHelpTellsTheFlags(t *testing.T) {
	for _, args := range [][]string{{"-h"}, {"openings", "-h"}, {"info", "-h"}, {"label", "-h"}, {"merge", "-h"}, {"convert", "-h"}} {
		if out := must(t, args...); !strings.Contains(out, "  -") {
			t.Errorf("%s: %q", args, out)
		}
	}
}

func TestSignalEndsWithStatus130(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out := filepath.Join(t.TempDir(), "x.tgs")
	if status, _, stderr := obeyUntil(t, ctx, small(out, "-games", "1000000")...); status != 130 {
		t.Errorf("status %d, %s", status, stderr)
	}
	if status, _, stderr := obeyUntil(t, ctx, "openings", "-check", "1000000"); status != 130 {
		t.Errorf("openings: status %d, %s", status, stderr)
	}
}

// A signal ends the commands on files as well, without a file, also while they wait for
// standard input.
func TestSignalEndsReading(t *testing.T) {
	dir := t.TempDir()
	game, out := filepath.Join(dir, "game.tgs"), filepath.Join(dir, "out.tgs")
	must(t, small(game, "-games", "1")...)
	stdin := os.Stdin
	defer func() { os.Stdin = stdin }()
	for _, args := range [][]string{
		{"info", game}, {"merge", "-o", out, game}, {"convert", "-o", out, game},
		{"info", game, "-"}, {"merge", "-o", out, game, "-"}, {"convert", "-o", out, "-"},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		if args[len(args)-1] == "-" {
			in, writer, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer writer.Close()
			os.Stdin = in
			defer time.AfterFunc(100*time.Millisecond, cancel).Stop()
		} else {
			cancel()
		}
		status, stdout, stderr := obeyUntil(t, ctx, args...)
		if status != 130 || strings.Count(stderr, "\n") != 1 || strings.HasPrefix(stdout, "-:") {
			t.Errorf("%s: status %d, %q, %q", args, status, stdout, stderr)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("%v are in the directory, %v", files, err)
	}
}
