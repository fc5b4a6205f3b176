package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// findProgram reports why the program cannot be started from dir, or nil. Like os/exec
// it looks along PATH for bare names and from dir for relative paths.
func findProgram(name, dir string) error {
	if dir != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return fmt.Errorf("%s is no directory", dir)
		}
	}
	if strings.ContainsAny(name, `/\`) && !filepath.IsAbs(name) && dir != "" {
		name = filepath.Join(dir, name)
	}
	if _, err := exec.LookPath(name); err != nil {
		return fmt.Errorf("cannot run %s: %w", name, unwrapped(err))
	}
	return nil
}

func unwrapped(err error) error {
	if e, ok := err.(*exec.Error); ok {
		return e.Err
	}
	return err
}
