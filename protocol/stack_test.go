package protocol

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/brain"
)

// The stack of a panic goes to the folder that the manager named, its first line to the
// manager in any case.
func TestStacksAreSaved(t *testing.T) {
	dir := t.TempDir()
	file := ownFile(dir, stackFile)
	full := t.TempDir()
	if err := makeRoom(ownFile(full, stackFile)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(ownFile(full, stackFile), make([]byte, maxStackFile), 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		folder string
		want   string // MESSAGE lines, separated by bars
	}{
		{"", "MESSAGE internal failure: broken"},
		{dir, "MESSAGE internal failure: broken"},
		{full, "MESSAGE internal failure: broken"},
		{filepath.Join(dir, "none"), "MESSAGE internal failure: broken|MESSAGE the stack is not saved: mkdir "},
	}
	for _, test := range tests {
		var out bytes.Buffer
		e := &fake{think: func(context.Context, func(brain.Info)) { panic("broken") }}
		if err := Serve(t.Context(), strings.NewReader("START 15\nINFO folder "+test.folder+"\nBEGIN\n"), &out, e); err != nil {
			t.Fatal(err)
		}
		var messages []string
		for line := range strings.Lines(out.String()) {
			if isChatter(line) {
				messages = append(messages, strings.TrimSuffix(line, "\n"))
			}
		}
		if got := strings.Join(messages, "|"); !strings.HasPrefix(got, test.want) || strings.Count(got, "|") != strings.Count(test.want, "|") {
			t.Errorf("folder %q: got %s, want %s", test.folder, got, test.want)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || strings.Count(string(text), "internal failure: broken") != 1 || !strings.Contains(string(text), "TestStacksAreSaved") {
		t.Errorf("%v, the file is\n%s", err, text)
	}
	if info, err := os.Stat(ownFile(full, stackFile)); err != nil || info.Size() != maxStackFile {
		t.Errorf("a full file has %v bytes, %v", info.Size(), err)
	}
}
