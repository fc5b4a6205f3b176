package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"tengen/brain/record"
	"tengen/cmd/internal/longrun"
)

// sources reads the arguments of a command on journals: files, and void=NAME.
func sources(fs *flag.FlagSet, args []string, stdout io.Writer) (*match, int, error) {
	var void []string
	fs.Func("void", "leave out games that `NAME` lost by time, crash or protocol", voidNames(&void))
	var paths []string
	for {
		if err := parse(fs, args, stdout); err != nil {
			return nil, 0, err
		}
		if fs.NArg() == 0 {
			break
		}
		if name, ok := strings.CutPrefix(fs.Arg(0), "void="); ok {
			void = append(void, name)
		} else {
			paths = append(paths, fs.Arg(0))
		}
		args = fs.Args()[1:] // flags may also stand behind files
	}
	if len(paths) == 0 {
		return nil, 0, longrun.Usage("%s needs a journal", fs.Name())
	}
	m, repeats, err := loadJournals(paths)
	if err != nil {
		return nil, 0, longrun.Usage("%v", err)
	}
	if err := checkVoid(void, m.settings); err != nil {
		return nil, 0, err
	}
	m.void = map[string]bool{}
	for _, name := range void {
		m.void[name] = true
	}
	return m, repeats, nil
}

// runMerge joins journals of one match: the result on standard output and, with -o, one
// journal with all games in the order of the schedule.
func runMerge(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("merge", flag.ContinueOnError)
	out := fs.String("o", "", "write the joint journal to this `FILE`")
	m, repeats, err := sources(fs, args, stdout)
	if err != nil {
		return err
	}
	if *out != "" {
		if err := m.write(*out); err != nil {
			return err
		}
	}
	if err := writeSummary(stdout, m, m.sum()); err != nil {
		return err
	}
	if repeats > 0 {
		_, err = fmt.Fprintf(stdout, "%d games were found twice and counted once\n", repeats)
	}
	return err
}

// sorted returns the games by number.
func (m *match) sorted() []*gameRecord {
	list := make([]*gameRecord, 0, len(m.games))
	for _, g := range m.games {
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b *gameRecord) int { return a.Game - b.Game })
	return list
}

// write makes a journal as one run would have left it. The file appears whole or not at all.
func (m *match) write(path string) error {
	temp := path + ".part"
	f, err := os.Create(temp)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(f)
	enc.SetEscapeHTML(false)
	for i, g := range m.sorted() {
		line := *g
		line.Shard, line.Settings, line.About = "", nil, nil
		if i == 0 {
			line.Settings, line.About = m.settings, m.about
		}
		if err := enc.Encode(&line); err != nil {
			f.Close()
			return err
		}
	}
	if err := f.Sync(); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

// runExport writes the games of journals in the formats of other programs.
func runExport(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("export", flag.ContinueOnError)
	psq := fs.String("psq", "", "write Piskvork records into this `DIR`, or all into one file NAME.psq, of which Piskvork shows the first")
	sgf := fs.String("sgf", "", "write an SGF collection to this `FILE`")
	m, _, err := sources(fs, args, stdout)
	if err != nil {
		return err
	}
	if *psq == "" && *sgf == "" {
		return longrun.Usage("export needs -psq or -sgf")
	}
	if *psq != "" && !strings.HasSuffix(*psq, ".psq") {
		if err := os.MkdirAll(*psq, 0o755); err != nil {
			return err
		}
	} else if *psq != "" {
		if err := os.WriteFile(*psq, nil, 0o644); err != nil {
			return err
		}
	}
	var f *os.File
	if *sgf != "" {
		if f, err = os.Create(*sgf); err != nil {
			return err
		}
		defer f.Close()
	}
	for _, g := range m.sorted() {
		r, err := g.game()
		if err != nil {
			return err
		}
		if *psq != "" {
			if err := savePSQ(*psq, g, r); err != nil {
				return err
			}
		}
		if f != nil {
			if err := record.WriteSGF(f, r); err != nil {
				return err
			}
		}
	}
	return nil
}
