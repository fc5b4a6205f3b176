//go:build e2e

// Package readme has no code: its test runs the shell blocks of the READMEs.
package readme

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// shorter replaces what would take long, listen or open a window. Each entry has to occur.
var shorter = []struct{ file, old, new string }{
	{"README.md", "go run ./cmd/boardui\n", opened},
	{"README.md", "go test ./...", "go test ./brain/winrate"}, // .ci/run runs it whole,
	{"cmd/boardui/README.md", "go run ./cmd/boardui\n", opened},
	{"cmd/internal/release/README.md", "release -o dist", "release -help"}, // .ci/run builds all packages
	{"cmd/learn/README.md", "-for 30m", "-for 30m -help"},                  // .ci/run runs it for a shorter time
	{"cmd/learn/README.md", "-games 20000 -nodes 2000", "-games 90 -nodes 100 -quiet"},
	{"cmd/learn/README.md", "-o net15.tnn f15.tgs", "-quiet -epochs 1 -o net15.tnn f15.tgs"},
	{"cmd/learn/README.md", "-nodes 1000 -games 20000 -seed 2", "-nodes 100 -games 90 -seed 2 -quiet"},
	{"cmd/learn/README.md", "-o new.tnn -start", "-quiet -epochs 1 -o new.tnn -start"},
	{"cmd/learn/README.md", "-nodes 100000 f15.jsonl", "-nodes 1000 -quiet f15.jsonl"},
	{"cmd/learn/README.md", "-o deep15.tnn", "-quiet -epochs 1 -o deep15.tnn"},
	{"cmd/learn/README.md", "-each nodes=4000 -openings testdata/openings/freestyle-15.txt -games 98", "-each nodes=50 -openings testdata/openings/freestyle-15.txt -games 2"},
	{"cmd/learn/README.md", "-journal run.jsonl", "-journal run.jsonl -quiet -iterations 1 -nodes 50"},
	{"cmd/arena/README.md", "-each tc=0/0.1", "-each nodes=300"},
	{"cmd/arena/README.md", "check -quick ./pbrain-tengen", "check -quick -quiet -leagues standard -against none ./pbrain-tengen"},
	{"cmd/arena/README.md", "testdata/tactics/*.txt", "<(head -n 20 testdata/tactics/freestyle-15.txt)"},
}

// examples are blocks that run elsewhere, by a part of their text: on a cluster.
var examples = []string{
	"$SLURM_ARRAY_TASK_ID",
	"$JOB_COMPLETION_INDEX",
}

// opened runs the board in the browser until it says where it is.
const opened = `go build ./cmd/boardui
./boardui -addr 127.0.0.1:0 -open=false -data none > board.out 2>&1 & board=$!
until grep http:// board.out; do kill -0 $board; sleep 0.1; done
kill -INT $board
wait $board
`

// TestBlocks runs the indented blocks of README.md and of the programs' READMEs in order, in one
// shell for each file, from the root of a clone.
func TestBlocks(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, path)
		if rel = filepath.ToSlash(rel); rel == "README.md" || strings.HasPrefix(rel, "cmd/") && d.Name() == "README.md" {
			files = append(files, rel)
		}
		return err
	})
	dir := t.TempDir()
	if out, err := exec.Command("git", "clone", "-q", "--shared", root, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	used := make([]bool, len(shorter))
	for _, file := range files {
		raw, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		script := strings.Join(shellBlocks(string(raw)), "\n")
		for i, s := range shorter {
			if s.file == file && strings.Contains(script, s.old) {
				used[i] = true
				script = strings.ReplaceAll(script, s.old, s.new)
			}
		}
		if script == "" {
			continue
		}
		t.Run(file, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", script)
			cmd.Dir = dir
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Run(); err != nil {
				t.Errorf("%v\n%s\n--- prints\n%s", err, script, tail(out.String()))
			}
		})
	}
	for i, s := range shorter {
		if !used[i] {
			t.Errorf("%s has no %q", s.file, s.old)
		}
	}
}

// shellBlocks returns the blocks of text that are indented by four spaces, without those of
// examples.
func shellBlocks(text string) (blocks []string) {
	var block []string
	for line := range strings.Lines(text + "\n.") {
		if code, ok := strings.CutPrefix(line, "    "); ok {
			block = append(block, strings.TrimSuffix(code, "\n"))
			continue
		}
		if joined := strings.Join(block, "\n"); block != nil && !slices.ContainsFunc(examples, func(e string) bool { return strings.Contains(joined, e) }) {
			blocks = append(blocks, joined)
		}
		block = nil
	}
	return blocks
}

// tail returns the last lines of a long output.
func tail(text string) string {
	return text[max(0, len(text)-2000):]
}
