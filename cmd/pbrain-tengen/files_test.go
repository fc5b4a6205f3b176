package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/cmd/internal/query"
)

// filesOf is the folder with files as people have them; want.txt there says what is right of each.
const filesOf = "../../testdata/files"

// A wanted is a line of want.txt.
type wanted struct{ name, rule, size, pos, says string }

func wantedFiles(t *testing.T) (list []wanted) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(filesOf, "want.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); line[0] != '#' {
			list = append(list, wanted{f[0], f[1], f[2], f[3], f[4]})
		}
	}
	return list
}

// Files of other programs, in all encodings and dialects, are read right or refused. Each is there for a
// fault or a dialect of its own, and is read by the command as a user does: what it writes counts, too.
// Those that are read are read by one command, as a user gives it many files.
func TestFilesAsPeopleHaveThem(t *testing.T) {
	analyze := []string{"analyze", "-json", "-depth", "1", "-memory", "50"} // a large hash table takes longer than the search
	files := analyze
	for _, w := range wantedFiles(t) {
		name := filepath.Join(filesOf, w.name)
		if w.pos != "-" {
			files = append(files, name)
			continue
		}
		out, errs, status := engine(t, "", append(analyze[:len(analyze):len(analyze)], name)...)
		if status != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, w.says) {
			t.Errorf("%s: status %d, errors %q, output %s; want an error with %q", w.name, status, errs, out, w.says)
		}
	}
	out, errs, status := engine(t, "", files...)
	if status != 0 {
		t.Errorf("status %d", status)
	}
	games, says := map[string][]query.Analysis{}, map[string]string{}
	for line := range strings.Lines(out) {
		var a query.Analysis
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(filepath.Base(a.Source), ", ") // and the game or line of it
		games[name] = append(games[name], a)
	}
	for line := range strings.Lines(errs) {
		name, text, _ := strings.Cut(strings.TrimPrefix(line, "pbrain-tengen: "+filepath.Join(filesOf, "x")[:len(filesOf)+1]), ":")
		name, _, _ = strings.Cut(name, ", ")
		says[name] += text
	}
	for _, w := range wantedFiles(t) {
		if w.pos == "-" {
			continue
		}
		var rules, sizes, pos []string
		for _, a := range games[w.name] {
			rules = append(rules, fmt.Sprint(int(a.Rule)))
			sizes = append(sizes, fmt.Sprintf("%dx%d", a.Width, a.Height))
			pos = append(pos, a.Pos)
		}
		if got := strings.Join(pos, " "); got != w.pos || !all(rules, w.rule) || !all(sizes, w.size) {
			t.Errorf("%s: rule %v, size %v, moves %s; want %s, %s, %s", w.name, rules, sizes, got, w.rule, w.size, w.pos)
		}
		said := says[w.name]
		if w.says == "-" && said != "" || w.says != "-" && (!strings.Contains(said, w.says) || strings.Count(said, "\n") != 1) {
			t.Errorf("%s: says %q, want one line with %q", w.name, said, w.says)
		}
		delete(games, w.name)
		delete(says, w.name)
	}
	if len(games) > 0 || len(says) > 0 {
		t.Errorf("besides, games of %v, and said %v", games, says)
	}
}

// Every command refuses a file with the same words, from standard input too.
func TestAllCommandsRefuseAlike(t *testing.T) {
	n := 0
	for _, w := range wantedFiles(t) {
		if w.pos != "-" {
			continue
		}
		n++
		name := filepath.Join(filesOf, w.name)
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, want, _ := engine(t, "", "analyze", name)
		for _, args := range [][]string{
			{"analyze"}, {"review", name}, {"review", "-"}, {"solve", name}, {"solve"}, {"solve", "-file", name}, {"convert", "-to", "sgf", name}, {"convert", "-to", "sgf"},
		} {
			out, errs, status := engine(t, string(raw), args...)
			if errs = strings.ReplaceAll(errs, "standard input", name); out != "" || status != 2 || errs != want {
				t.Errorf("%s: %q, status %d, output %q; want %q", args, errs, status, out, want)
			}
		}
	}
	if n < 20 {
		t.Errorf("%d files", n)
	}
}

// all reports whether a list is the words of want, or each of it the only one there.
func all(list []string, want string) bool {
	f := strings.Fields(want)
	for i, v := range list {
		if len(f) == 1 && v != f[0] || len(f) > 1 && (i >= len(f) || v != f[i]) {
			return false
		}
	}
	return len(list) > 0
}

// A bad game does not hide the others of its file, wherever it stands.
func TestFirstGameOfAFileIsBad(t *testing.T) {
	name := filepath.Join(t.TempDir(), "three.sgf")
	if err := os.WriteFile(name, []byte("(;GM[4]SZ[15]AB[hh];B[hh])(;GM[4]SZ[15];B[hh];W[ig])(;GM[4]SZ[15];B[zz])"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, errs, status := engine(t, "", "analyze", "-json", "-depth", "1", name)
	if status != 2 || strings.Count(out, "\n") != 1 || !strings.Contains(out, `"pos":"h8i7"`) ||
		strings.Count(errs, "\n") != 2 || !strings.Contains(errs, "game 1: move 1, h8, is on a stone") || !strings.Contains(errs, "game 3: ") {
		t.Errorf("status %d, %s, %s", status, out, errs)
	}
	if err := os.WriteFile(name, []byte("(;GM[4]SZ[15]AB[hh];B[hh])(;GM[4]SZ[15];B[zz])"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, errs, status = engine(t, "", "analyze", "-json", "-depth", "1", name); status != 2 || out != "" || !strings.Contains(errs, "game 1: ") {
		t.Errorf("status %d, %s, %s", status, out, errs)
	}
}
