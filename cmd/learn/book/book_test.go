package book

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/brain/book"
)

// learn runs a command line and returns its output and error.
func learn(ctx context.Context, args string) (string, error) {
	var out bytes.Buffer
	err := Run(ctx, strings.Fields(args), &out, &out)
	return out.String(), err
}

func content(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The same command makes the same book, in one run or, killed at any time, in several.
func TestBookResumes(t *testing.T) {
	dir := t.TempDir()
	name := func(s string) string { return filepath.Join(dir, s) }
	const args = "-quiet -rule 4 -named -nodes 300 -count 40 -plies 2 -hash 1 -o "
	if out, err := learn(t.Context(), args+name("whole.txt")); err != nil || !strings.HasPrefix(out, "40 positions in ") {
		t.Fatalf("%q, %v", out, err)
	}
	whole := content(t, name("whole.txt"))
	if out, err := learn(t.Context(), args+name("whole.txt")); err != nil || !strings.HasPrefix(out, "40 positions in ") || content(t, name("whole.txt")) != whole {
		t.Errorf("run again: %q, %v", out, err)
	}
	for _, cut := range []int{0, 10, 300, 301, len(whole) / 2, len(whole) - 1} {
		part := name("part.txt")
		if err := os.WriteFile(part, []byte(whole[:cut]), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := learn(t.Context(), args+part); err != nil {
			t.Fatal(err)
		}
		if content(t, part) != whole {
			t.Errorf("cut at %d: another book", cut)
		}
	}
	// More positions go on where it ended.
	if _, err := learn(t.Context(), strings.Replace(args, "40", "45", 1)+name("whole.txt")); err != nil || !strings.HasPrefix(content(t, name("whole.txt")), whole) {
		t.Errorf("extended: %v", err)
	}
	k := &book.Book{}
	if err := k.Read(strings.NewReader(content(t, name("whole.txt")))); err != nil || k.Len() != 45 {
		t.Errorf("%d positions, %v", k.Len(), err)
	}
}

func TestBookRefuses(t *testing.T) {
	dir := t.TempDir()
	made := filepath.Join(dir, "made.txt")
	if _, err := learn(t.Context(), "-quiet -nodes 100 -count 1 -hash 1 -o "+made); err != nil {
		t.Fatal(err)
	}
	before := content(t, made)
	other := filepath.Join(dir, "other.txt")
	if err := os.WriteFile(other, []byte("notes of mine\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"", "-o", "-size 15x20 -o x.txt", "-rule 7 -o x.txt", "-openings none.txt -o " + made,
		"-quiet -nodes 200 -count 1 -hash 1 -o " + made, "-quiet -o " + other, "-quiet -o " + dir,
	} {
		if out, err := learn(t.Context(), args); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %q, %v", args, out, err)
		}
	}
	if content(t, made) != before || content(t, other) != "notes of mine\n" {
		t.Error("a file has changed")
	}
}

// A signal ends the run with what has been made.
func TestBookStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	name := filepath.Join(t.TempDir(), "book.txt")
	if _, err := learn(ctx, "-quiet -nodes 100 -o "+name); err == nil {
		t.Error("no error")
	}
	if text := content(t, name); strings.Count(text, "\n") != 1 {
		t.Errorf("%q", text)
	}
}
