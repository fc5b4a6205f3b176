package main

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"tengen/brain/about"
)

// Every command has -help, and so has every command of it, which that of learn names.
func TestEveryCommandHasHelp(t *testing.T) {
	for _, v := range verbs {
		_, also, _ := strings.Cut(v.about, "; also ")
		lines := []string{v.name + " -help"}
		for sub := range strings.SplitSeq(also, ", ") {
			if sub != "" {
				lines = append(lines, v.name+" "+sub+" -help")
			}
		}
		var own string
		for i, line := range lines {
			var stdout, stderr bytes.Buffer
			status := run(t.Context(), strings.Fields(line), &stdout, &stderr)
			usage, _, _ := strings.Cut(line, " -help")
			if status != 0 || stderr.Len() > 0 || !strings.HasPrefix(stdout.String(), "usage: learn "+usage) {
				t.Errorf("learn %s: %d, %q, %q", line, status, &stdout, &stderr)
			}
			if i == 0 {
				own = stdout.String()
			}
		}
		if n := strings.Count(own, "\n       learn "+v.name+" "); n != len(lines)-1 {
			t.Errorf("learn %s -help has %d commands, learn -help %d", v.name, n, len(lines)-1)
		}
	}
}

func TestTheCommandLineChoosesAVerb(t *testing.T) {
	for _, test := range []struct {
		args           string
		status         int
		stdout, stderr string // in part; "" for nothing
	}{
		{"", 2, "", "learn: a command is missing: selfplay, network, tune, book, generation"},
		{"train", 2, "", `unknown command "train" (see learn -help)`},
		{"-help", 0, "usage: learn COMMAND", ""},
		{"-version", 0, "Tengen " + about.Version, ""},
		{"--version", 0, "Tengen " + about.Version, ""},
		{"version", 0, "Tengen " + about.Version, ""},
		{"network -help", 0, "-validate", ""},
		{"help network", 0, "-validate", ""},
		{"help train", 2, "", `unknown command "train" (see learn -help)`},
		{"network -o x.tnn", 2, "", "learn network: "},
		{"selfplay info " + filepath.Join(t.TempDir(), "none"), 2, "", "learn selfplay: "},
	} {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), strings.Fields(test.args), &stdout, &stderr)
		if status != test.status || !strings.Contains(stdout.String(), test.stdout) || !strings.Contains(stderr.String(), test.stderr) ||
			test.stderr == "" && stderr.Len() > 0 {
			t.Errorf("learn %s: %d, %q, %q", test.args, status, &stdout, &stderr)
		}
	}
}

// A report that cannot be written is a failure.
func TestALostReportIsTold(t *testing.T) {
	full := errors.New("the disk is full")
	r, w := io.Pipe()
	r.CloseWithError(full)
	games := filepath.Join(t.TempDir(), "games.tgs")
	play := []string{"selfplay", "-o", games, "-games", "20", "-size", "7", "-nodes", "20", "-quiet"}
	if status := run(t.Context(), play, io.Discard, io.Discard); status != 0 {
		t.Fatalf("%v: status %d", play, status)
	}
	for _, args := range [][]string{
		{"selfplay", "info", games},
		{"network", "-quiet", "-epochs", "1", "-batch", "64", "-validate", "0.2", "-o", filepath.Join(t.TempDir(), "out.tnn"), games},
	} {
		var stderr bytes.Buffer
		if status := run(t.Context(), args, w, &stderr); status != 1 || !strings.Contains(stderr.String(), full.Error()) {
			t.Errorf("%v: status %d, %q", args, status, &stderr)
		}
	}
}
