package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tengen/cmd/internal/flags"
)

// TestRename: a copy of the module under another path is imported by a program as brain/README.md
// says, and nothing in it has the old path.
func TestRename(t *testing.T) {
	const path = "example.org/me/tengen"
	dir := t.TempDir()
	for _, part := range []string{"brain", "cmd", "protocol", "testdata"} {
		if err := os.CopyFS(filepath.Join(dir, part), os.DirFS("../../../"+part)); err != nil {
			t.Fatal(err)
		}
	}
	mod, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o666); err != nil {
		t.Fatal(err)
	}
	old, err := modulePath(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rename(dir, "no path"); !errors.Is(err, flags.ErrUsage) {
		t.Errorf("a bad path: %v", err)
	}
	if _, err := rename(dir, path); err != nil {
		t.Fatal(err)
	}
	if got, err := modulePath(dir); got != path {
		t.Fatalf("the path is %q, %v", got, err)
	}
	list := command(t, dir, "list", "-e", "-test", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}{{with .Error}} {{.}}{{end}}", "./...")
	for pkg := range strings.Lines(list) {
		if !strings.HasPrefix(pkg, path+"/") {
			t.Errorf("a package outside of the module: %s", pkg)
		}
	}

	readme, err := os.ReadFile(filepath.Join(dir, "brain", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(readme), "```go\n")
	program, _, _ = strings.Cut(program, "```")
	if !strings.Contains(program, path+"/brain") {
		t.Fatalf("the program of README.md does not import the module:\n%s", program)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "main.go"), []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	command(t, other, "mod", "init", "yourprogram")
	command(t, other, "mod", "edit", "-require", path+"@v0.0.0", "-replace", path+"="+dir)
	command(t, other, "build", "-o", os.DevNull, ".")

	// And back, which leaves the files as they were.
	if _, err := rename(dir, old); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "brain/README.md", "brain/brain.go", "brain/search/search.go"} {
		was, err := os.ReadFile(filepath.Join("../../..", name))
		if err != nil {
			t.Fatal(err)
		}
		if is, err := os.ReadFile(filepath.Join(dir, name)); !bytes.Equal(is, was) {
			t.Errorf("%s has changed, %v", name, err)
		}
	}
}

// command runs the go command in dir.
func command(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func TestOutsideOfAModule(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := run([]string{"example.org/x"}, os.Stdout); err == nil || !strings.Contains(err.Error(), "root of the module") {
		t.Errorf("got %v", err)
	}
	if err := run(nil, os.Stdout); !errors.Is(err, flags.ErrUsage) {
		t.Errorf("without a path: %v", err)
	}
}
