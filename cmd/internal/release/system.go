package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A system is one that archives are built for.
type system struct {
	name  string // GOOS/GOARCH
	title string // in file names
	start string // the file to double-click, among files
	as    string // ... and its name in the package
}

var systems = []system{
	{"windows/amd64", "windows", "start.bat", "Tengen.bat"},
	{"windows/386", "windows-32bit", "start.bat", "Tengen.bat"},
	{"linux/amd64", "linux", "start.sh", "tengen.sh"},
	{"linux/arm64", "linux-arm64", "start.sh", "tengen.sh"},
	{"darwin/arm64", "macos", "start.sh", "Tengen.command"},
	{"darwin/amd64", "macos-intel", "start.sh", "Tengen.command"},
}

// web is the browser, for which boardui writes the board as files.
var web = system{name: "js/wasm"}

func (s system) os() string {
	goos, _, _ := strings.Cut(s.name, "/")
	return goos
}

// exe returns the file name of a program on s.
func (s system) exe(program string) string {
	if s.os() == "windows" {
		return program + ".exe"
	}
	return program
}

// build builds all programs for s into the directory bin. The result depends neither on the
// environment nor on the commit. It targets the oldest processors of each architecture (the
// network's kernels look for AVX2 and AVX-512 when they start) and needs no C compiler.
func build(ctx context.Context, s system, bin string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=",
		"-o", bin+string(filepath.Separator), "./cmd/pbrain-tengen", "./cmd/boardui", "./cmd/arena", "./cmd/learn")
	cmd.Env = s.environment()
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("building for %s: %v: %s", s.name, err, out)
	}
	return nil
}

// buildWeb writes the board for the browser into the directory dir.
func buildWeb(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, "go", "run", "./cmd/boardui", "-export", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("building for the web: %v: %s", err, out)
	}
	return nil
}

// environment returns that of the build. What "go env -w" has set counts where a variable is empty
// or missing, so none of it is read.
func (s system) environment() []string {
	goos, goarch, _ := strings.Cut(s.name, "/")
	return append(os.Environ(), "GOENV=off", "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=",
		"GOAMD64=v1", "GO386=sse2", "GOARM64=v8.0", "GOFIPS140=off")
}
