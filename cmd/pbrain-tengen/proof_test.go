package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestProofFiles: verify accepts what solve -proof writes, and tells where it fails if a move is changed.
func TestProofFiles(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		file     string
		args     []string
		says     string
		old, new string // the damage
		fails    string
	}{
		{"win.sgf", []string{"-search=false", openThree}, "black wins in 3 plies at most: ", ";B[he]", ";B[ge]", "g11"},
		{"win.jsonl", []string{"-search=false", openThree}, "black wins in 3 plies at most: ", `"move":"h12"`, `"move":"h13"`, "h13 does not win"},
		{"defend.sgf", []string{"-defend", "h8a1h9a3h10"}, "; nothing is proved against h7 h11", "CR[hi]", "CR", "after h7"},
		{"defend.jsonl", []string{"-defend", "h8a1h9a3h10"}, "; nothing is proved against h7 h11", `"h7h11"`, `"h7"`, "after h11"},
		{"lost.sgf", []string{"-defend", openThree + "h7"}, "black threatens to win in 1 ply at most: ", ";B[he]", ";B[ge]", "g11"},
		{"renju.jsonl", []string{"-rule", "renju", "-kind", "vcf", "f8a1g8c1h8e1k8g1"}, "black wins in 3 plies at most: ", `"rule":4`, `"rule":2`, "rule 2 has no proofs"},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			name := filepath.Join(dir, test.file)
			out, errs, status := engine(t, "", append([]string{"solve", "-proof", name}, test.args...)...)
			if errs != "" || status != 0 || !strings.Contains(out, "the proof is in "+name+": ") {
				t.Fatalf("status %d, errors %q, output\n%s", status, errs, out)
			}
			out, errs, status = engine(t, "", "verify", name)
			if errs != "" || status != 0 || !strings.HasPrefix(out, name+": ") || !strings.Contains(out, test.says) {
				t.Fatalf("status %d, errors %q, output %q", status, errs, out)
			}
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			bad := strings.Replace(string(raw), test.old, test.new, 1)
			if bad == string(raw) {
				t.Fatalf("no %s in\n%s", test.old, raw)
			}
			if err := os.WriteFile(name, []byte(bad), 0o666); err != nil {
				t.Fatal(err)
			}
			out, errs, status = engine(t, "", "verify", name)
			if errs != "pbrain-tengen: proofs that fail: 1 of 1\n" || status != 1 || !strings.Contains(out, "fails ") || !strings.Contains(out, test.fails) {
				t.Errorf("damaged: status %d, errors %q, output %q", status, errs, out)
			}
		})
	}
}

// TestVerifyJSON: each verdict has its fields, the help explains them, and a file that is no proof does
// not end the others.
func TestVerifyJSON(t *testing.T) {
	dir := t.TempDir()
	good, bad, none := filepath.Join(dir, "good.jsonl"), filepath.Join(dir, "bad.jsonl"), filepath.Join(dir, "none.jsonl")
	if out, errs, status := engine(t, "", "solve", "-json", "-search=false", "-proof", good, openThree); status != 0 || !strings.Contains(out, `"proof":{"file":`) {
		t.Fatalf("status %d, errors %q, output %q", status, errs, out)
	}
	raw, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{bad: strings.Replace(string(raw), `"move":"h12"`, `"move":"h13"`, 1), none: "h8h9\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, errs, status := engine(t, "", "verify", "-json", none, good, bad)
	verdicts := strings.Split(strings.TrimSpace(out), "\n")
	if status != 2 || !strings.HasPrefix(errs, "pbrain-tengen: "+none+": no proof: line 1: ") || strings.Count(errs, "\n") != 1 || len(verdicts) != 2 {
		t.Fatalf("status %d, errors %q, output\n%s", status, errs, out)
	}
	help, _, _ := engine(t, "", "help", "verify")
	_, help, _ = strings.Cut(help, "-json prints")
	explained := strings.FieldsFunc(help, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' })
	for i, want := range []map[string]any{
		{"file": good, "valid": true, "pos": openThree, "rule": 0.0, "width": 15.0, "height": 15.0, "winner": "black", "unproved": "", "plies": 3.0, "nodes": 3.0},
		{"file": bad, "valid": false, "reason": "h13 does not win, and the proof ends", "pos": openThree},
	} {
		var got map[string]any
		if err := json.Unmarshal([]byte(verdicts[i]), &got); err != nil {
			t.Fatal(err)
		}
		for field, value := range want {
			if got[field] != value {
				t.Errorf("%s is %v, want %v", field, got[field], value)
			}
		}
		for field := range got {
			if !slices.Contains(explained, field) {
				t.Errorf("the help does not explain %s", field)
			}
		}
		if positions, _ := got["positions"].(float64); (positions > 200) != (i == 0) {
			t.Errorf("positions: %v", got["positions"])
		}
		if after, _ := got["after"].(string); strings.HasPrefix(after, "h11") != (i == 1) {
			t.Errorf("after: %v", got["after"])
		}
	}
}

// TestSolveProofRefuses: what cannot be written is named in one line, and nothing is overwritten.
func TestSolveProofRefuses(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine.sgf")
	if err := os.WriteFile(mine, []byte("(;GM[4];B[hh])"), 0o666); err != nil {
		t.Fatal(err)
	}
	fresh := filepath.Join(dir, "new.sgf")
	tests := []struct {
		name   string
		input  string
		args   []string
		status int
		says   string
	}{
		{"another ending", "", []string{"-proof", filepath.Join(dir, "new.txt"), openThree}, 2, "want a name that ends in .sgf or .jsonl"},
		{"a file of something else", "", []string{"-proof", mine, openThree}, 2, "exists and is no proof"},
		{"no folder", "", []string{"-proof", filepath.Join(dir, "no", "new.sgf"), openThree}, 2, "does not exist"},
		{"two positions", "", []string{"-proof", fresh, openThree, "h8"}, 2, "want one position"},
		{"no win", "", []string{"-proof", fresh, "h8"}, 1, "no win was found, and " + fresh + " is not written"},
		{"a second line", "h8a1h9a3h10a5\nh8\n", []string{"-proof", filepath.Join(dir, "line.sgf")}, 2, "line 2: -proof is for one position"},
	}
	for _, test := range tests {
		_, errs, status := engine(t, test.input, append([]string{"solve"}, test.args...)...)
		if status != test.status || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, test.says) {
			t.Errorf("%s: status %d, errors %q, want %q", test.name, status, errs, test.says)
		}
	}
	if raw, err := os.ReadFile(mine); err != nil || string(raw) != "(;GM[4];B[hh])" {
		t.Errorf("%s has %q, %v", mine, raw, err)
	}
	if _, err := os.Stat(fresh); err == nil {
		t.Errorf("%s is written", fresh)
	}
	if _, _, status := engine(t, "", "verify", filepath.Join(dir, "line.sgf")); status != 0 {
		t.Error("the proof of the first line is not written")
	}
}
