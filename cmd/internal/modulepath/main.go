// Command modulepath gives the module another path, under which "go get" finds it:
//
//	go run ./cmd/internal/modulepath example.org/me/tengen
//
// It changes the module line of go.mod, where the path is stated, and the imports that follow
// it, in Go files and in texts. Run it in the root of the module.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"tengen/cmd/internal/flags"
)

const synopsis = `usage: modulepath PATH

Makes PATH, such as example.org/me/tengen, the path of the module in this directory.`

func main() {
	os.Exit(flags.Status(os.Stderr, "modulepath", run(os.Args[1:], os.Stdout)))
}

func run(args []string, stdout io.Writer) error {
	fs := flags.New("modulepath")
	if err := flags.Parse(fs, args, stdout, synopsis, flags.One("PATH")); err != nil {
		return err
	}
	n, err := rename(".", fs.Arg(0))
	if err == nil {
		_, err = fmt.Fprintf(stdout, "%d files changed\n", n)
	}
	return err
}

// rename gives the module in dir another path and returns how many files have changed. go.mod
// is the last of them, so that what was interrupted can be done again.
func rename(dir, path string) (files int, err error) {
	old, err := modulePath(dir)
	if err != nil {
		return 0, err
	}
	// The go command knows what a path may be; a copy of go.mod is for asking it.
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return 0, err
	}
	try, err := os.MkdirTemp("", "modulepath")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(try)
	if err := os.WriteFile(filepath.Join(try, "go.mod"), mod, 0o666); err != nil {
		return 0, err
	}
	edit := exec.Command("go", "mod", "edit", "-module", path)
	edit.Dir = try
	if out, err := edit.CombinedOutput(); err != nil {
		return 0, flags.Usage("%s", strings.TrimSpace(string(out)))
	}
	if mod, err = os.ReadFile(filepath.Join(try, "go.mod")); err != nil {
		return 0, err
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != dir && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case !d.Type().IsRegular() || filepath.Ext(name) != ".go" && filepath.Ext(name) != ".md":
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		renamed := bytes.ReplaceAll(text, []byte(`"`+old+"/"), []byte(`"`+path+"/"))
		if bytes.Equal(renamed, text) {
			return nil
		}
		files++
		return os.WriteFile(name, renamed, 0o666)
	})
	if err != nil {
		return files, err
	}
	return files + 1, os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o666)
}

// modulePath returns the path in the module line of go.mod.
func modulePath(dir string) (string, error) {
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("run it in the root of the module: %w", err)
	}
	for line := range strings.Lines(string(mod)) {
		if path, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(path), nil
		}
	}
	return "", errors.New("go.mod has no module line")
}
