package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tengen/brain"
	"tengen/protocol"
)

func TestHelp(t *testing.T) {
	help := func(args ...string) string {
		t.Helper()
		out, errs, status := engine(t, "", args...)
		if status != 0 || errs != "" || !strings.HasPrefix(out, "usage: pbrain-tengen") {
			t.Errorf("%q: status %d, error %q, output %q", args, status, errs, out)
		}
		return out
	}
	whole := help("-help")
	for _, args := range []string{"-h", "--help", "help"} {
		if help(args) != whole {
			t.Errorf("%s and -help differ", args)
		}
	}
	for _, c := range commands() {
		if !strings.Contains(whole, "\n  "+c.name+" ") {
			t.Errorf("the help does not list %s", c.name)
		}
		text := help(c.name, "-help")
		if help("help", c.name) != text {
			t.Errorf("help %[1]s and %[1]s -help differ", c.name)
		}
		for _, f := range c.flags() {
			if !strings.Contains(text, "\n  -"+f.Name) {
				t.Errorf("the help of %s does not list -%s", c.name, f.Name)
			}
		}
	}
}

func TestHelpOfTheProtocol(t *testing.T) {
	out, errs, status := engine(t, "", "help", "protocol")
	if status != 0 || errs != "" {
		t.Fatalf("status %d, error %q", status, errs)
	}
	names := map[string]bool{}
	for _, line := range strings.Split(out, "\n") {
		if len(line) > 80+nameColumns {
			t.Errorf("the line is too long: %s", line)
		}
		if f := strings.Fields(line); len(f) > 0 && strings.HasPrefix(line, "  ") && line[2] != ' ' {
			names[f[0]] = true
		}
	}
	want := 0
	for _, c := range protocol.Commands() {
		want++
		if !names[c.Name] {
			t.Errorf("%s is missing", c.Name)
		}
	}
	for _, k := range brain.InfoKeys() {
		want++
		if !names[k.Name] {
			t.Errorf("%s is missing", k.Name)
		}
	}
	if len(names) != want {
		t.Errorf("%d names, want %d", len(names), want)
	}
}

func TestHelpNamesWhatIsWrong(t *testing.T) {
	for _, args := range [][]string{{"help", "slove"}, {"help", "solve", "bench"}, {"completion"}, {"completion", "fish"}, {"version", "x"}} {
		out, errs, status := engine(t, "", args...)
		if status != 2 || out != "" || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: status %d, error %q, output %q", args, status, errs, out)
		}
	}
}

// complete returns what bash offers for the last of the words.
func complete(t *testing.T, dir string, words ...string) []string {
	t.Helper()
	script, _, _ := engine(t, "", "completion", "bash")
	cmd := exec.Command("bash", "--norc", "-c", script+`
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_pbrain_tengen
printf '%s\n' "${COMPREPLY[@]}"`, "bash", "pbrain-tengen")
	cmd.Args = append(cmd.Args, words...)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })
}

func TestCompletionInBash(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"game.sgf", "my game.psq"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct{ words, want string }{
		{"so", "solve"},
		{"-n", "-net"},
		{"-net ga", "game.sgf"},
		{"-net game.sgf be", "bench"},
		{"solve -t", "-time"},
		{"solve -kind v", "vcf vct"},
		{"solve -rule ", "0 1 4 8 9"},
		{"solve -size ", ""},
		{"solve -json ga", "game.sgf"},
		{"review m", "my game.psq"},
		{"bench ", ""},
		{"completion ", "bash zsh"},
		{"help pro", "protocol"},
		{"version -", "-help"},
	}
	for _, test := range tests {
		if got := strings.Join(complete(t, dir, strings.Split(test.words, " ")...), " "); got != test.want {
			t.Errorf("%q: offers %q, want %q", test.words, got, test.want)
		}
	}
	for _, c := range commands() {
		offered := complete(t, dir, c.name, "-")
		for _, f := range c.flags() {
			if !slices.Contains(offered, "-"+f.Name) {
				t.Errorf("%s -: -%s is not among %q", c.name, f.Name, offered)
			}
		}
		if want := len(c.flags()) + 1; len(offered) != want { // and -help
			t.Errorf("%s -: %d words, want %d", c.name, len(offered), want)
		}
	}
}

func TestCompletionInZsh(t *testing.T) {
	script, _, _ := engine(t, "", "completion", "zsh")
	if !strings.HasPrefix(script, "#compdef pbrain-tengen\n") {
		t.Errorf("zsh would not take it: %.40q", script)
	}
	for _, c := range commands() {
		if !strings.Contains(script, "'"+c.name+":") || !strings.Contains(script, "\n\t\t"+c.name+")") {
			t.Errorf("%s is missing", c.name)
		}
	}
	zsh, err := exec.LookPath("zsh")
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(zsh, "-fn")
	cmd.Stdin = strings.NewReader(script)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("zsh -n: %v\n%s", err, out)
	}
}
