//go:build e2e

package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestExamplesOfTheAPI runs the examples of API.md word for word, with the address of the server.
func TestExamplesOfTheAPI(t *testing.T) {
	q := newTester(t, 2, own())
	raw, err := os.ReadFile("API.md")
	if err != nil {
		t.Fatal(err)
	}
	programs := map[string][]string{"sh": {"bash", "-euc"}, "python": {"python3", "-c"}, "js": {"node", "-e"}}
	want := map[string]string{"sh": `"move":`, "python": "at last ", "js": "{ move: "}
	seen := map[string]int{}
	for i, block := range strings.Split(string(raw), "```") {
		if i%2 == 0 {
			continue
		}
		language, code, _ := strings.Cut(block, "\n")
		program := programs[language]
		if program == nil {
			t.Errorf("no program runs %s", language)
			continue
		}
		seen[language]++
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		code = strings.ReplaceAll(code, "http://127.0.0.1:8808", q.url)
		out, err := exec.CommandContext(ctx, program[0], append(program[1:], code)...).CombinedOutput()
		cancel()
		if err != nil || !strings.Contains(string(out), want[language]) || strings.Contains(string(out), `"error"`) {
			t.Errorf("%s: %v\n%s\nprints\n%s", language, err, code, out)
		}
		if strings.Contains(code, `"stop"`) && !strings.Contains(string(out), `"interrupted":true`) {
			t.Errorf("the stop has no effect:\n%s", out)
		}
	}
	if len(seen) != len(programs) {
		t.Errorf("examples: %v", seen)
	}
}
