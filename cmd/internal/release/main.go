// Command release builds the archives that people download:
//
//	go run ./cmd/internal/release -o DIR
//
// For every system a package for players, to unpack and start with a double click, and one
// with the tools; for Gomocup the zip with the engine alone; for web hosts the board as files; and
// SHA256SUMS. The same sources
// and the same version of Go give the same bytes, on every machine. Run it in the root of the
// module. It takes about two minutes on two cores.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"tengen/brain"
	"tengen/cmd/internal/flags"
)

const synopsis = `usage: release -o DIR [flags]

Builds the archives of this version in DIR.`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), flags.Signals()...)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	os.Exit(flags.Status(os.Stderr, "release", err))
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	fs := flags.New("release")
	dir := fs.String("o", "", "write the archives to this `DIR`, created if missing")
	only := fs.String("systems", "", "build only for these `SYSTEMS`, such as linux/amd64,windows/386; SHA256SUMS then has their archives only (default all)")
	if err := flags.Parse(fs, args, stdout, synopsis, flags.Operands{}); err != nil {
		return err
	}
	if *dir == "" {
		return flags.Usage("-o DIR is missing")
	}
	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	when, err := released(changes, brain.Version)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(*dir, 0o777); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "tengen-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var written []string
	for _, s := range chosen {
		bin := filepath.Join(work, strings.ReplaceAll(s.name, "/", "-"))
		all, err := s.buildArchives(ctx, bin)
		if err != nil {
			return err
		}
		for _, a := range all {
			data, err := a.pack(bin, when)
			if err != nil {
				return err
			}
			if a.most > 0 && len(data) > a.most {
				return fmt.Errorf("%s has %d bytes, at most %d are allowed", a.file, len(data), a.most)
			}
			if err := os.WriteFile(filepath.Join(*dir, a.file), data, 0o666); err != nil {
				return err
			}
			written = append(written, a.file)
			fmt.Fprintf(stdout, "%-44s %6.1f MB\n", a.file, float64(len(data))/1e6)
		}
	}
	return sums(*dir, written)
}

// choose returns the systems that text names, all if it is empty.
func choose(text string) ([]system, error) {
	all := append(slices.Clone(systems), web)
	if text == "" {
		return all, nil
	}
	var chosen []system
	for name := range strings.SplitSeq(text, ",") {
		i := slices.IndexFunc(all, func(s system) bool { return s.name == name })
		if i < 0 {
			return nil, flags.Usage("-systems: no release for %q", name)
		}
		if !slices.ContainsFunc(chosen, func(s system) bool { return s.name == name }) {
			chosen = append(chosen, all[i])
		}
	}
	return chosen, nil
}
