package book

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/brain/book"
	"tengen/cmd/internal/flags"
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
	// A run that wants fewer positions leaves the others in the file.
	if out, err := learn(t.Context(), strings.Replace(args, "40", "30", 1)+name("whole.txt")); err != nil || !strings.HasPrefix(out, "40 positions in ") {
		t.Errorf("fewer positions: %q, %v", out, err)
	}
	// More positions go on where it ended.
	if _, err := learn(t.Context(), strings.Replace(args, "40", "45", 1)+name("whole.txt")); err != nil || !strings.HasPrefix(content(t, name("whole.txt")), whole) {
		t.Errorf("extended: %v", err)
	}
	positions := strings.Count("\n"+content(t, name("whole.txt")), "\n") - strings.Count("\n"+content(t, name("whole.txt")), "\n#") - 1
	if err := new(book.Book).Read(strings.NewReader(content(t, name("whole.txt")))); err != nil || positions != 45 {
		t.Errorf("%d positions, %v", positions, err)
	}
}

func TestBookRefuses(t *testing.T) {
	dir := t.TempDir()
	made := filepath.Join(dir, "made.txt")
	if _, err := learn(t.Context(), "-quiet -nodes 100 -count 1 -hash 1 -o "+made); err != nil {
		t.Fatal(err)
	}
	before := content(t, made)
	commands := []string{
		"", "-o", "-size 15x20 -o x.txt", "-rule 7 -o x.txt", "-openings none.txt -o " + made,
		"-quiet -nodes 200 -count 1 -hash 1 -o " + made, "-quiet -o " + dir,
	}
	others := []string{"notes of mine\n", "notes of mine", "notes\nof mine", strings.Repeat("x", 1000) + "\n", "# learn book -rule 4"}
	for i, text := range others {
		name := filepath.Join(dir, fmt.Sprintf("other%d.txt", i))
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		commands = append(commands, "-quiet -nodes 100 -count 1 -hash 1 -o "+name)
	}
	for _, args := range commands {
		if out, err := learn(t.Context(), args); !errors.Is(err, flags.ErrUsage) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
			t.Errorf("%q: %q, %v", args, out, err)
		}
	}
	if content(t, made) != before {
		t.Error("the book has changed")
	}
	for i, text := range others {
		if got := content(t, filepath.Join(dir, fmt.Sprintf("other%d.txt", i))); got != text {
			t.Errorf("%.20q is now %.20q", text, got)
		}
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

// A corrected book has the moves and values that the check has found, and a second check finds
// no worse move in the same positions than what was found to be best.
func TestBookIsCorrected(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "book.txt")
	text := "# learn book -nodes 1\n" +
		"0 15 - h8 40 a1 10\n" + // h8 is best
		"0 15 h8i9i8g8j8k8 a1 50 b1 45 k7 -100\n" + // h7 or i7 stops the three
		"0 15 h8i9i8g8 a15 -250\n" // not played from the book
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	const args = "check -quiet -nodes 20000 -hash 1 -count 100 "
	out, err := learn(t.Context(), args+"-correct "+file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(content(t, file), "\n")
	if len(lines) != 5 || lines[0] != "# learn book -nodes 1, corrected by searches of 20000 nodes" || lines[3] != strings.Split(text, "\n")[3] {
		t.Fatalf("%s\n%s", out, strings.Join(lines, "\n"))
	}
	if strings.Contains(lines[2], " a1 ") || strings.Contains(lines[2], " k7 -100") {
		t.Errorf("the worse moves are kept: %s", lines[2])
	}
	again, err := learn(t.Context(), args+file)
	if err != nil || !strings.Contains(again, "2 of 2 moves of the book (100%)") {
		t.Errorf("%q, %v; the first time %q", again, err, out)
	}
}

// A book may have been saved on Windows, and comments and empty lines stay when it is corrected.
func TestBookOfAnEditor(t *testing.T) {
	file := filepath.Join(t.TempDir(), "book.txt")
	const rest = "\r\n# mine\r\n0 15 h8i9i8g8 a15 -250\r\n# end"
	if err := os.WriteFile(file, []byte("\ufeff# learn book -nodes 1\r\n"+rest), 0o666); err != nil {
		t.Fatal(err)
	}
	const args = "check -quiet -nodes 2000 -hash 1 "
	if out, err := learn(t.Context(), args+"-correct "+file); err != nil || out != "0 15 h8i9i8g8 searched, not played from the book\n" {
		t.Errorf("%q, %v", out, err)
	}
	if text := content(t, file); text != "# learn book -nodes 1, corrected by searches of 2000 nodes\n"+rest {
		t.Errorf("%q", text)
	}
	if err := os.WriteFile(file, []byte("\ufeff4 15 - h8 1\r\n\r\n4 15 h8 h8 1\r\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := learn(t.Context(), args+file); err == nil || !strings.Contains(err.Error(), file+`: line 3: "h8" is no legal move`) {
		t.Errorf("%v", err)
	}
}

// Other moves keep their distance from the one that was played, stay behind the best, and go where
// they are too bad.
func TestCorrectedLines(t *testing.T) {
	var lines []book.Line
	err := book.ReadText(strings.NewReader("0 15 g7 h8 40 i9 30 j10 35 a1 200 b2 -100"), func(e *book.Entry) error {
		lines = e.Lines
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	f := finding{Played: "h8", Best: "i9", Value: 50, Least: -20}
	for spread, want := range map[int]string{80: "[i9 50 a1 49 h8 -20 j10 -25]", 60: "[i9 50 a1 49]"} {
		got, err := f.corrected(lines, spread)
		var words []string
		for _, l := range got {
			words = append(words, fmt.Sprint(l.Move, l.Value))
		}
		if text := fmt.Sprint(words); err != nil || text != want {
			t.Errorf("spread %d: %s, %v, want %s", spread, text, err, want)
		}
	}
}

// The moves of a book made with few nodes are compared with longer searches.
func TestBookCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "book.txt")
	if _, err := learn(t.Context(), "-quiet -nodes 200 -count 30 -plies 5 -hash 1 -o "+file); err != nil {
		t.Fatal(err)
	}
	const args = "check -quiet -nodes 2000 -count 8 -hash 1 -concurrency 2 "
	out, err := learn(t.Context(), args+file)
	if err != nil || !strings.Contains(out, " moves of the book (") {
		t.Fatalf("%q, %v", out, err)
	}
	if n := strings.Count(out, "\n"); n != 9 {
		t.Errorf("%d lines, want 8 and a sum: %s", n, out)
	}
	if again, err := learn(t.Context(), strings.Replace(args, "-concurrency 2 ", "", 1)+file); err != nil || again != out {
		t.Errorf("again: %q, %v, want %q", again, err, out)
	}
	// From a journal it goes on, after a kill too.
	journal := filepath.Join(t.TempDir(), "check.jsonl")
	if out, err := learn(t.Context(), strings.Replace(args, "-count 8", "-count 5", 1)+"-journal "+journal+" "+file); err != nil || strings.Count(out, "\n") != 6 {
		t.Errorf("the first five: %q, %v", out, err)
	}
	text := content(t, journal)
	if err := os.WriteFile(journal, []byte(text[:len(text)-20]), 0o666); err != nil {
		t.Fatal(err)
	}
	if all, err := learn(t.Context(), args+"-journal "+journal+" "+file); err != nil || all != out {
		t.Errorf("from a journal: %q, %v, want %q", all, err, out)
	}
	if text := content(t, journal); strings.Count(text, "\n") != 8 {
		t.Errorf("%d lines in the journal, want 8: %s", strings.Count(text, "\n"), text)
	}
	if _, err := learn(t.Context(), strings.Replace(args, "2000", "2001", 1)+"-journal "+journal+" "+file); err == nil || !strings.Contains(err.Error(), "-nodes 2000") {
		t.Errorf("other nodes: %v", err)
	}
	if _, err := learn(t.Context(), strings.Replace(args, "-hash 1", "-hash 2", 1)+"-journal "+journal+" "+file); err == nil || !strings.Contains(err.Error(), "-hash 1") {
		t.Errorf("another hash table: %v", err)
	}
	// What another evaluation has found is not taken for its own.
	tables, err := learn(t.Context(), args+"-net none "+file)
	if err != nil || tables == out {
		t.Errorf("without the networks: %q, %v", tables, err)
	}
	if again, err := learn(t.Context(), args+"-net none -journal "+journal+" "+file); err != nil || again != tables {
		t.Errorf("from a journal of the networks: %q, %v, want %q", again, err, tables)
	}
	bad := filepath.Join(t.TempDir(), "bad.txt")
	if err := os.WriteFile(bad, []byte("0 15 h8 h99 3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"check", "check " + bad, "check " + filepath.Join(t.TempDir(), "none.txt"), "check -nodes 0 " + file} {
		if _, err := learn(t.Context(), args); err == nil {
			t.Errorf("learn book %s: no error", args)
		}
	}
	// A book with a bad move is found out.
	if err := os.WriteFile(bad, []byte("0 15 h8a1h9a2h10a3 o15 50\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := learn(t.Context(), args+bad); err != nil || !strings.Contains(out, "0 of 1 moves") {
		t.Errorf("a bad move: %q, %v", out, err)
	}
}

// Output that fails is an error: what a check finds may be nowhere else.
func TestOutputThatFails(t *testing.T) {
	name := filepath.Join(t.TempDir(), "book.txt")
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in.Close()
	out.Close() // each write to it fails
	for _, args := range []string{"-quiet -nodes 500 -count 3 -hash 1 -o ", "check -quiet -nodes 500 -hash 1 "} {
		if err := Run(t.Context(), strings.Fields(args+name), out, out); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: %v", args, err)
		}
	}
}
