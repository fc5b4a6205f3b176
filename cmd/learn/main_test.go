package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheCommandLineChoosesAVerb(t *testing.T) {
	for _, test := range []struct {
		args           string
		status         int
		stdout, stderr string // in part; "" for nothing
	}{
		{"", 2, "", "learn: a command is missing: selfplay, tables, network, tune, book, generation"},
		{"train", 2, "", `unknown command "train" (see learn -help)`},
		{"-help", 0, "usage: learn COMMAND", ""},
		{"tables -help", 0, "-validate", ""},
		{"tables", 2, "", "learn tables: "},
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
