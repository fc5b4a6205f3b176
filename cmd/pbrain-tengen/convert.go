package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tengen/brain/atomicfile"
	"tengen/brain/board"
	"tengen/brain/database"
	"tengen/brain/record"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/progress"
)

var convertDoc = `Writes games in another format: IN are files for analyze, or "-" for standard input. OUT is the file to
write; its ending or -to chooses the format. All games go into one file, for a RenLib library as one
tree. An OUT with %d in its name is a file for each game, numbered from 1. No file is replaced.
Without -o the games are written to standard output.

` + formatsDoc() + `
In text that is read rows count from the bottom, in files that end in .pos from the top. What a
format cannot keep is named on standard error, and so are games that cannot be read or written; the exit
status is 2 if there are some.
`

// databaseOutput is written as libraries, which a database takes.
const databaseOutput = "db"

// outputs are the formats to write.
func outputs() []record.Output {
	lib, _ := record.OutputNamed("lib")
	return append(record.Outputs(), record.Output{
		Name: databaseOutput, Format: lib.Format, Write: lib.Write,
		Doc: "a database of positions of Yixin and Rapfi, which is read too: the tree of the positions of -rule that it knows; boards of 15x15",
	})
}

// formatsDoc describes the formats to write, one a paragraph.
func formatsDoc() string {
	var s strings.Builder
	for _, o := range outputs() {
		describe(&s, 7, 96, o.Name, o.Doc)
	}
	return s.String()
}

// formatNames names the formats to write.
func formatNames() string {
	var names []string
	for _, o := range outputs() {
		names = append(names, o.Name)
	}
	return strings.Join(names, ", ")
}

// A converter runs the command convert.
type converter struct {
	invocation
	out, to string // of the command line
	output  record.Output

	games   []sourcedTree
	refused bool           // a game could not be read or written
	lost    map[string]int // what the format cannot keep, by the number of games

	db      *database.Builder // gets the games as they are read, if that is what is written
	added   int               // games and libraries in it
	results int               // of how many moves the results of games are counted
	counts  *database.Results // of them
}

// A sourcedTree is a tree and where it is from.
type sourcedTree struct {
	name string
	tree *record.Tree
}

// convert is the command of this name.
func convert(fs *flag.FlagSet) func(invocation) error {
	v := &converter{lost: map[string]int{}}
	games := gameReader{after: -1}
	games.add(fs)
	fs.StringVar(&v.out, "o", "", "`OUT`: the file to write, or one for each game if it has %d in its name (default: standard output)")
	fs.StringVar(&v.to, "to", "", "`FORMAT` to write: "+formatNames()+" (default: the ending of OUT)")
	flags.Number(fs, &v.results, "results", 0, board.Cells, "put on the cells of the first `MOVES` of games how many were won, drawn and lost, as +5=1-6, in a database (default 0)")
	return func(r invocation) error {
		v.invocation = r
		if v.to == "" {
			v.to = strings.TrimPrefix(filepath.Ext(v.out), ".")
		}
		if v.to == "" {
			return flags.Usage("the format is missing: want -to FORMAT or an ending of -o, one of %s", formatNames())
		}
		all := outputs()
		i := slices.IndexFunc(all, func(o record.Output) bool { return strings.EqualFold(o.Name, v.to) })
		if i < 0 {
			return flags.Usage("%q is no format to write: want -to FORMAT or an ending of -o, one of %s", v.to, formatNames())
		}
		v.output = all[i]
		if v.output.Name == databaseOutput && (v.out == "" || v.out == "-" || strings.Contains(v.out, "%d")) {
			return flags.Usage("a database is one file, want -o FILE")
		}
		if v.results > 0 && v.output.Name != databaseOutput {
			return flags.Usage("-results counts games in a database, want -to db")
		}
		if err := free(v.out); err != nil {
			return err
		}
		games.said = r.stderr
		args := r.args
		if len(args) == 0 {
			args = []string{"-"}
		}
		if v.output.Name == databaseOutput {
			v.db, v.counts = database.NewBuilder(v.out), database.NewResults()
			defer v.db.Close()
		}
		for _, arg := range args {
			if err := v.read(&games, arg, len(args) == 1); err != nil {
				return err
			}
		}
		if err := v.write(); err != nil {
			return err
		}
		v.tell()
		if v.refused {
			return flags.ErrTold
		}
		return nil
	}
}

// free returns a usage error if there is a file of that name.
func free(name string) error {
	if name == "" || name == "-" || strings.Contains(name, "%d") {
		return nil
	}
	if _, err := os.Lstat(name); err == nil {
		return flags.Usage("%s exists, and no file is replaced", name)
	}
	return nil
}

// read reads the games of a file. The error of the only file ends the conversion, others are printed.
// Libraries, and databases of games, may be large: into a database they come a move or a game at a time.
func (v *converter) read(games *gameReader, arg string, only bool) error {
	name := arg
	if arg == "-" {
		name = "standard input"
	}
	if v.db != nil && isLibrary(arg) {
		return v.addLibrary(arg, games.on.Rule)
	}
	var failed error // of what is added while it is read
	if games.keep = nil; v.db != nil {
		games.keep = func(n int, t *record.Tree) bool {
			if t.Format != record.RIF || len(t.Root.Children) == 0 {
				return true
			}
			if failed == nil {
				games.remark(fmt.Sprintf("%s, game %d", name, n), t)
				failed = v.add(sourcedTree{fmt.Sprintf("%s, game %d", name, n), t})
			}
			return false
		}
	}
	trees, err := games.trees(arg, v.stdin)
	if failed != nil {
		return failed
	}
	if err != nil {
		if known, ok := positions(games, arg); ok {
			trees, err = known()
		}
	}
	var broken record.BrokenGames
	if err != nil && !errors.As(err, &broken) {
		if only {
			return err
		}
		v.refuse("%s", flags.OneLine(err))
		return nil
	}
	for i, t := range trees {
		if t == nil && broken[i] == nil {
			continue // unwanted, or added
		}
		where := name
		if len(trees) > 1 {
			where = fmt.Sprintf("%s, game %d", name, i+1)
		}
		if broken[i] != nil {
			v.refuse("%s: %v", where, broken[i])
			continue
		}
		games.remark(where, t)
		if v.db == nil {
			v.games = append(v.games, sourcedTree{where, t})
		} else if err := v.add(sourcedTree{where, t}); err != nil {
			return err
		}
	}
	if len(v.games)+v.added == 0 && only {
		return flags.ErrTold
	}
	return nil
}

func (v *converter) refuse(format string, args ...any) {
	v.refused = true
	fmt.Fprintf(v.stderr, "pbrain-tengen: "+format+"\n", args...)
}

// write writes all games.
func (v *converter) write() error {
	if v.output.Name == databaseOutput {
		return v.writeDatabase()
	}
	each := strings.Contains(v.out, "%d")
	if v.output.Format == record.RenLib && !each {
		v.join()
	}
	var all bytes.Buffer
	n := 0
	for _, g := range v.games {
		var b bytes.Buffer
		if err := v.output.Write(&b, g.tree); err != nil {
			v.refuse("%s: %v", g.name, err)
			continue
		}
		n++
		for _, what := range v.output.Format.Lacks(g.tree) {
			v.lost[what]++
		}
		if !each {
			all.Write(b.Bytes())
			continue
		}
		name := strings.Replace(v.out, "%d", fmt.Sprint(n), 1)
		if err := free(name); err != nil {
			return err
		}
		if err := atomicfile.Write(name, b.Bytes()); err != nil {
			return err
		}
	}
	switch {
	case n == 0:
		return flags.Usage("no game could be written")
	case each:
		return nil
	case v.out == "" || v.out == "-":
		if _, err := v.stdout.Write(all.Bytes()); err != nil {
			return fmt.Errorf("%w: %w", errOutput, err)
		}
		return nil
	}
	return atomicfile.Write(v.out, all.Bytes())
}

// positions returns what reads the tree of a file that is a database: of the positions of the rule and
// the size that the flags tell.
func positions(games *gameReader, name string) (known func() ([]*record.Tree, error), ok bool) {
	f, err := os.Open(name)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	head := make([]byte, 64)
	n, _ := io.ReadFull(f, head)
	if !database.IsDatabase(head[:n]) {
		return nil, false
	}
	return func() ([]*record.Tree, error) {
		d, err := database.Load(name)
		if err != nil {
			return nil, flags.Usage("%v", err)
		}
		b, err := board.New(games.on.Rule, games.on.Width, games.on.Height)
		if err != nil {
			return nil, err
		}
		var lib bytes.Buffer
		if _, err := d.ExportLib(&lib, b); err != nil {
			return nil, flags.Usage("%s, %v: %v", name, &games.on, err)
		}
		trees, err := record.Read(lib.Bytes(), record.Reading{})
		for _, t := range trees {
			t.Rule, t.RuleKnown = games.on.Rule, true
		}
		return trees, err
	}, true
}

// isLibrary reports whether a file is a RenLib library.
func isLibrary(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = record.NewLibStream(f)
	return err == nil
}

// add adds the positions of a game to the database. An error ends the conversion.
func (v *converter) add(g sourcedTree) error {
	var lib bytes.Buffer
	err := v.output.Write(&lib, g.tree)
	if err == nil {
		_, err = v.db.AddRaw(lib.Bytes(), g.tree.Rule)
	}
	if v.ctx.Err() != nil {
		return v.ctx.Err()
	}
	if err != nil {
		v.refuse("%s: %v", g.name, err)
		return nil
	}
	v.added++
	for _, what := range v.output.Format.Lacks(g.tree) {
		if what != "the rule" {
			v.lost[what]++
		}
	}
	if game, err := g.tree.Game(); v.results > 0 && err == nil {
		v.counts.Add(&game, v.results)
	}
	return nil
}

// addLibrary adds a library to the database, with a line about its progress on a terminal.
func (v *converter) addLibrary(name string, rule board.Rule) error {
	in := &database.Input{Name: name}
	line := progress.New(v.stderr, !progress.IsTerminal(v.stderr))
	done := make(chan error, 1)
	go func() {
		_, err := v.db.AddLib(v.ctx, in, rule)
		done <- err
	}()
	tick := time.NewTicker(time.Second / 5)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if read, size := in.Progress(); line.Due(false) && size > 0 {
				line.Show(fmt.Sprintf("%s: %d%% of %d MiB", name, 100*read/size, size>>20))
			}
		case err := <-done:
			line.End()
			switch {
			case v.ctx.Err() != nil:
				return v.ctx.Err()
			case err != nil: // which has the name
				v.refuse("%v", err)
				return nil
			}
			v.added++
			if len(in.Remarks) > 0 {
				fmt.Fprintf(v.stderr, "pbrain-tengen: %s: %s\n", name, strings.Join(in.Remarks, "; "))
			}
			return nil
		}
	}
}

// writeDatabase writes the positions of all games as a database.
func (v *converter) writeDatabase() error {
	if v.added == 0 {
		return flags.Usage("no game could be written")
	}
	if v.results > 0 {
		if err := v.db.AddResults(v.counts); err != nil {
			return err
		}
	}
	_, err := v.db.Save()
	return err
}

// join makes one tree of all games that can be in it.
func (v *converter) join() {
	var first *sourcedTree
	kept := v.games[:0]
	for _, g := range v.games {
		if first == nil {
			kept = append(kept, g)
			first = &kept[0]
			continue
		}
		for _, what := range v.output.Format.Lacks(g.tree) {
			v.lost[what]++
		}
		if err := first.tree.Merge(g.tree); err != nil {
			v.refuse("%s: %v", g.name, err)
		}
	}
	v.games = kept
}

// tell says what was lost.
func (v *converter) tell() {
	var lost []string
	for what, n := range v.lost {
		lost = append(lost, fmt.Sprintf("%s (%s)", what, counted(n, "game", "games")))
	}
	if len(lost) > 0 {
		slices.Sort(lost)
		fmt.Fprintf(v.stderr, "pbrain-tengen: left out, as %s cannot keep it: %s\n", v.output.Name, strings.Join(lost, ", "))
	}
}
