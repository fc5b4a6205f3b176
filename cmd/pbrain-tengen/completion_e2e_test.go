//go:build e2e

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

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
		{"solve -rule ", "freestyle standard renju caro exact-caro"},
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

// zsh takes the script without a word.
func TestCompletionInZsh(t *testing.T) {
	script, _, _ := engine(t, "", "completion", "zsh")
	cmd := exec.Command("zsh", "-fn")
	cmd.Stdin = strings.NewReader(script)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("zsh -n: %v\n%s", err, out)
	}
}
