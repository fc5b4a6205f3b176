package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"

	"tengen/brain/record/atomicfile"
	"tengen/cmd/internal/flags"
)

// sources parses a command line and reads the journals that it names.
func sources(fs *flag.FlagSet, args []string, stdout io.Writer) (m *match, repeats int, err error) {
	var paths []string
	for least := 1; least == 1 || len(args) > 0; least = 0 {
		if err := parse(fs, args, stdout, least, "a journal"); err != nil {
			return nil, 0, err
		}
		if args = fs.Args(); len(args) > 0 { // flags may follow files, too
			paths, args = append(paths, args[0]), args[1:]
		}
	}
	if m, repeats, err = loadJournals(paths); err != nil {
		return nil, 0, flags.Usage("%v", err)
	}
	return m, repeats, nil
}

// runMerge joins journals of one match: it prints the result and, with -o, writes all games
// to one journal in the order of the schedule.
func runMerge(args []string, stdout io.Writer) error {
	fs := flags.New("merge")
	out := fs.String("o", "", "write the merged journal to this `FILE` (default none)")
	m, repeats, err := sources(fs, args, stdout)
	if err != nil {
		return err
	}
	if *out != "" {
		if err := m.write(*out); err != nil {
			return err
		}
	}
	sum := m.sum()
	if err := writeSummary(stdout, m, sum); err != nil {
		return err
	}
	if repeats > 0 {
		if _, err := fmt.Fprintf(stdout, "%d duplicate games were counted once\n", repeats); err != nil {
			return err
		}
	}
	return sum.allFailed()
}

// write writes the journal that a single run would have written.
func (m *match) write(path string) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	enc := json.NewEncoder(f)
	enc.SetEscapeHTML(false)
	for i, g := range m.sorted() {
		line := *g
		line.Match, line.Shard, line.Settings = m.id(), "", nil
		if i == 0 {
			line.Settings = m.settings
		}
		if err := enc.Encode(&line); err != nil {
			return err
		}
	}
	return f.Commit()
}
