package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"reflect"

	"tengen/brain/atomicfile"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/resume"
)

// sources parses a command line and reads the journals that it names. None of them may be a
// file that the command writes.
func sources(fs *flag.FlagSet, args []string, stdout io.Writer, written ...*string) (m *match, repeats int, err error) {
	paths, err := parseMixed(fs, args, stdout, flags.Some("a journal"))
	if err != nil {
		return nil, 0, err
	}
	for _, name := range written {
		for _, path := range paths { // one by one: a journal may be given twice
			if err := flags.CheckFiles([]string{path}, []string{*name}); err != nil {
				return nil, 0, err
			}
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

// write writes the journal that a single run would have written. It replaces only a journal
// whose games m has and that no run is writing: the file may be a shard, if the name of the new
// one was forgotten.
func (m *match) write(path string) error {
	var old []gameRecord
	switch err := resume.ReadJournal(path, journalStart, reader(&old)); {
	case err == nil:
		f, err := resume.Open(path) // an error if a run has it
		if err == nil {
			err = f.Close() // Windows does not replace an open file
		}
		if err != nil {
			return err
		}
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	for i := range old {
		r := &old[i]
		if g := m.games[r.Game]; g == nil || !reflect.DeepEqual(g.alone(), r.alone()) {
			return fmt.Errorf("%s exists, and its game %d is not in the journals that are merged", path, r.Game)
		}
	}
	return atomicfile.WriteTo(path, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		for i, g := range m.sorted() {
			line := g.alone()
			line.Match = m.id()
			if i == 0 {
				line.Settings = m.settings
			}
			if err := enc.Encode(&line); err != nil {
				return err
			}
		}
		return nil
	})
}
