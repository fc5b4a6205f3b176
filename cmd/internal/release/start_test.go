package main

import (
	"strings"
	"testing"
)

// What cmd makes of the names of folders: it enters no share, and the command for another cmd is
// expanded by both.
func TestStartFileOfWindowsTakesEveryFolder(t *testing.T) {
	text, err := files.ReadFile("files/start.bat")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		command, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch command {
		case "@rem":
			if strings.ContainsAny(rest, "%&|<>^") {
				t.Errorf("a comment has a sign with a meaning: %s", rest)
			}
		case "@set", "@if":
		case "@start":
			if strings.Contains(strings.ReplaceAll(rest, "%%", ""), "%") {
				t.Errorf("the path is in the command of start: %s", rest)
			}
			if !strings.HasSuffix(rest, `|| pause"`) {
				t.Errorf("the window does not stay after an error: %s", rest)
			}
		default:
			t.Errorf("not expected: %s", line)
		}
	}
	for _, c := range text {
		if c >= 0x80 {
			t.Fatal("it is not in ASCII, and code pages differ")
		}
	}
}
