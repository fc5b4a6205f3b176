//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A link to the start file, on the desktop or in a folder of PATH, starts the board that lies
// beside the file.
func TestLinksStartTheBoard(t *testing.T) {
	root := t.TempDir()
	folder := filepath.Join(root, "a & b's 棋 100%")
	tools := filepath.Join(root, "tools")
	desktop := filepath.Join(root, "desk top")
	for _, dir := range []string{folder, tools, desktop} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	text, err := files.ReadFile("files/start.sh")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "start.sh")
	for name, script := range map[string]string{
		file:                             string(text),
		filepath.Join(folder, "boardui"): "#!/bin/sh\nprintf 'the board'\n",
		// That of macOS fails for a file that has no such attribute.
		filepath.Join(tools, "xattr"): "#!/bin/sh\nprintf '%s\\n' \"$@\" >> '" + root + "/freed'\necho No such xattr >&2\nexit 1\n",
	} {
		if err := os.WriteFile(name, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", tools+string(os.PathListSeparator)+os.Getenv("PATH"))
	link := func(to, name string) string {
		t.Helper()
		name = filepath.Join(desktop, name)
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
		return name
	}
	absolute := link(file, "absolute")
	relative := link(filepath.Join("..", filepath.Base(folder), "start.sh"), "relative")
	chain := link("relative", "chain")
	whole := filepath.Join(link(folder, "whole"), "start.sh")
	for _, test := range []struct{ dir, path string }{
		{root, file}, {folder, "./start.sh"}, {root, absolute}, {root, relative}, {desktop, "./chain"}, {root, chain}, {root, whole},
	} {
		cmd := exec.Command(test.path)
		cmd.Dir = test.dir
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != "the board" {
			t.Errorf("%s: %q, %v", test.path, out, err)
		}
	}
	freed, err := os.ReadFile(filepath.Join(root, "freed"))
	want := "-d\ncom.apple.quarantine\n" + folder + "/boardui\n-d\ncom.apple.quarantine\n" + folder + "/pbrain-tengen\n"
	if err != nil || !strings.HasPrefix(string(freed), want) {
		t.Errorf("freed from quarantine: %q, %v", freed, err)
	}
}
