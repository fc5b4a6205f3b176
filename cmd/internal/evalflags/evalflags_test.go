package evalflags

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/nnue"
	"tengen/cmd/internal/flags"
)

// writeEvaluations makes files in the working directory, which is a new one: x.tnn, a
// network for standard, x.tab, tables for renju, half of each, and an empty file.
func writeEvaluations(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	n := &nnue.Network{
		Rule: uint8(board.ExactFive), Origin: "a test's network",
		Views: make([]nnue.View, 1), Heads: make([]nnue.Head, 1),
	}
	network, err := n.Save(nil)
	if err != nil {
		t.Fatal(err)
	}
	save := func(rule board.Rule) []byte {
		own := eval.ByHand(rule)
		own.Origin = "a test's tables"
		raw, err := own.Save(nil)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	tables := save(board.Renju)
	for name, raw := range map[string][]byte{
		"x.tnn": network, "half.tnn": network[:len(network)/2],
		"x.tab": tables, "half.tab": tables[:len(tables)/2], "empty": nil,
		"standard.tab": save(board.ExactFive),
	} {
		if err := os.WriteFile(name, raw, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// parseEvaluation returns what a command line says.
func parseEvaluation(args string) (*Flags, error) {
	e, fs := &Flags{}, flags.New("test")
	e.Add(fs)
	return e, flags.Parse(fs, strings.Fields(args), &bytes.Buffer{}, "test", flags.Operands{})
}

// Files decide under their rules, what the program carries under all others.
func TestEvaluation(t *testing.T) {
	carried := eval.Embedded()
	freestyle, standard, renju := carried.Origin(board.Freestyle, 15, 15), carried.Origin(board.ExactFive, 15, 15), carried.Origin(board.Renju, 15, 15)
	tables := eval.ByTables()
	writeEvaluations(t)
	for _, test := range []struct {
		args                       string
		freestyle, standard, renju string // parts of the origins
	}{
		{"", freestyle, standard, renju},
		{"-net x.tnn", freestyle, "network a test's network", renju},
		{"-tables x.tab", freestyle, standard, "a test's tables"},
		{"-tables x.tab -net x.tnn", freestyle, "network a test's network", "a test's tables"},
		{"-net none", tables.Origin(board.Freestyle, 15, 15), tables.Origin(board.ExactFive, 15, 15), tables.Origin(board.Renju, 15, 15)},
		{"-net x.tnn -net none", tables.Origin(board.Freestyle, 15, 15), "network a test's network", tables.Origin(board.Renju, 15, 15)},
		{"-net none -tables x.tab", tables.Origin(board.Freestyle, 15, 15), tables.Origin(board.ExactFive, 15, 15), "a test's tables"},
	} {
		e, err := parseEvaluation(test.args)
		if err != nil {
			t.Errorf("%q: %v", test.args, err)
			continue
		}
		all := e.Evaluation()
		for rule, want := range map[board.Rule]string{board.Freestyle: test.freestyle, board.ExactFive: test.standard, board.Renju: test.renju} {
			if got := all.Origin(rule, 15, 15); !strings.Contains(got, want) {
				t.Errorf("%q: %v by %q, want %q", test.args, rule, got, want)
			}
		}
	}
	if freestyle == tables.Origin(board.Freestyle, 15, 15) {
		t.Error("-net none makes no difference")
	}
}

// A program that plays by one rule takes files for that rule only, or none.
func TestEvaluationForOneRule(t *testing.T) {
	writeEvaluations(t)
	all := []board.Rule{board.Freestyle, board.ExactFive, board.Renju, board.Continuous, board.ExactFive | board.Continuous}
	for _, test := range []struct {
		args  string
		rules []board.Rule // that the files are good for
	}{
		{"", all},
		{"-net none", all},
		{"-net x.tnn", []board.Rule{board.ExactFive, board.ExactFive | board.Continuous}},
		{"-tables x.tab", []board.Rule{board.Renju}},
		{"-net x.tnn -tables x.tab", []board.Rule{board.ExactFive, board.ExactFive | board.Continuous, board.Renju}},
	} {
		e, err := parseEvaluation(test.args)
		if err != nil {
			t.Errorf("%q: %v", test.args, err)
			continue
		}
		for _, rule := range all {
			one, err := e.For(rule)
			switch good := slices.Contains(test.rules, rule); {
			case good && (err != nil || one.Origin(rule, 15, 15) != e.Evaluation().Origin(rule, 15, 15)):
				t.Errorf("%q, %v: %v", test.args, rule, err)
			case !good && (one != nil || !errors.Is(err, flags.ErrUsage)):
				t.Errorf("%q, %v: %v, want a usage error", test.args, rule, err)
			}
		}
	}
}

// A file that cannot be used is a usage error of one line, which names the flag.
func TestEvaluationOfBadFiles(t *testing.T) {
	writeEvaluations(t)
	if err := errors.Join(os.WriteFile("huge", nil, 0o600), os.Truncate("huge", 65<<20)); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"-net huge":                       "larger than 64 MiB", // as /dev/zero is, which filled the memory
		"-tables huge":                    "larger than 64 MiB",
		"-net half.tnn":                   "wrong checksum",
		"-net empty":                      "not a file of a network",
		"-net x.tab":                      "not a file of a network",
		"-net gone.tnn":                   "gone.tnn: no such file",
		"-tables half.tab":                "half.tab",
		"-tables empty":                   "-tables",
		"-tables x.tnn":                   "not a file of tables",
		"-tables gone.tab":                "gone.tab: no such file",
		"-net x.tnn -tables .":            "is a directory",
		"-net x.tnn -net x.tnn":           "rule 1 is evaluated by -net x.tnn already",
		"-net x.tnn -tables standard.tab": "rule 1 is evaluated by -net x.tnn already",
	} {
		_, err := parseEvaluation(args)
		name, _, _ := strings.Cut(args[strings.LastIndex(args, "-"):], " ")
		if !errors.Is(err, flags.ErrUsage) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want one line with %q and %s", args, err, want, name)
		}
	}
}
