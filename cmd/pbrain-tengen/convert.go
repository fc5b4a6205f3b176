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

	"tengen/brain/atomicfile"
	"tengen/brain/board"
	"tengen/brain/database"
	"tengen/brain/record"
	"tengen/cmd/internal/flags"
)

const convertDoc = `Writes games in another format: IN are files for analyze, or "-" for standard input. OUT is the file to
write; its ending says the format, or -to does. All games come into one file, those for a RenLib library
as one tree. An OUT with %d in its name is a file for each game, numbered from 1. No file is replaced.
Without -o the games are written to standard output.

  sgf    games with variations, comments and marks, in UTF-8
  json   the same, an object a line, which analyze and convert read again
  lib    a RenLib library: moves with variations, comments and labels of boards of 15x15
  psq    Piskvork: main lines with times and names; Piskvork itself opens the first game of a file
  pos    main lines, a game a line, rows from the top
  txt    the same with rows from the bottom, as people write them
  link   main lines as links of gomocalc, which do not tell size and rule
  db     a database of positions of Yixin and Rapfi, which is read too: the tree of the positions of -rule
         that it knows; boards of 15x15

Rows of moves as text that is read count from the bottom, in files that end in .pos from the top. What a
format cannot keep is named on standard error, and so are games that cannot be read or written; the exit
status is 2 if there are some.
`

// A target is a format to write.
type target struct {
	format record.Format
	write  func(io.Writer, *record.Tree) error
}

// targets are the formats by their names, which are endings of files too.
var targets = map[string]target{
	"sgf":  {record.SGF, record.WriteSGFTree},
	"json": {record.JSON, record.WriteJSON},
	"lib":  {record.RenLib, record.WriteLib},
	"psq": {record.PSQ, func(w io.Writer, t *record.Tree) error {
		g, err := t.Game()
		if err != nil {
			return err
		}
		return record.WritePSQ(w, &g)
	}},
	"pos":  {record.MoveText, writeLine(func(t *record.Tree) (string, error) { return t.Pos(false) })},
	"txt":  {record.MoveText, writeLine(func(t *record.Tree) (string, error) { return t.Pos(true) })},
	"link": {record.Link, writeLine((*record.Tree).Link)},
	"db":   {record.RenLib, record.WriteLib}, // which a database takes
}

func writeLine(line func(*record.Tree) (string, error)) func(io.Writer, *record.Tree) error {
	return func(w io.Writer, t *record.Tree) error {
		text, err := line(t)
		if err == nil {
			_, err = fmt.Fprintln(w, text)
		}
		return err
	}
}

// A converting is one run of the command convert.
type converting struct {
	running
	out, to string // of the command line
	target  target

	games   []sourced
	refused bool           // a game could not be read or written
	lost    map[string]int // what the format cannot keep, by the number of games
}

// A sourced is a tree and where it is from.
type sourced struct {
	name string
	tree *record.Tree
}

// convert is the command of this name.
func convert(fs *flag.FlagSet) func(running) error {
	v := &converting{lost: map[string]int{}}
	games := gameReader{after: -1}
	games.add(fs)
	fs.StringVar(&v.out, "o", "", "`OUT`: the file to write, or one for each game if it has %d in its name (default: standard output)")
	fs.StringVar(&v.to, "to", "", "`FORMAT` to write: sgf, json, lib, psq, pos, txt, link or db (default: the ending of OUT)")
	return func(r running) error {
		v.running = r
		if v.to == "" {
			v.to = strings.TrimPrefix(filepath.Ext(v.out), ".")
		}
		if v.to == "" {
			return flags.Usage("the format is missing: want -to FORMAT or an ending of -o, one of sgf, json, lib, psq, pos, txt, link, db")
		}
		var ok bool
		if v.target, ok = targets[strings.ToLower(v.to)]; !ok {
			return flags.Usage("%q is no format to write: want -to FORMAT or an ending of -o, one of sgf, json, lib, psq, pos, txt, link, db", v.to)
		}
		v.to = strings.ToLower(v.to)
		if v.to == "db" && (v.out == "" || v.out == "-" || strings.Contains(v.out, "%d")) {
			return flags.Usage("a database is one file, want -o FILE")
		}
		if err := free(v.out); err != nil {
			return err
		}
		games.said = r.stderr
		args := r.args
		if len(args) == 0 {
			args = []string{"-"}
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
func (v *converting) read(games *gameReader, arg string, only bool) error {
	trees, err := games.trees(arg, v.stdin)
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
	if arg == "-" {
		arg = "standard input"
	}
	for i, t := range trees {
		name := arg
		if len(trees) > 1 {
			name = fmt.Sprintf("%s, game %d", arg, i+1)
		}
		if broken[i] != nil {
			v.refuse("%s: %v", name, broken[i])
			continue
		}
		games.remark(name, t)
		v.games = append(v.games, sourced{name, t})
	}
	if len(v.games) == 0 && only {
		return flags.ErrTold
	}
	return nil
}

func (v *converting) refuse(format string, args ...any) {
	v.refused = true
	fmt.Fprintf(v.stderr, "pbrain-tengen: "+format+"\n", args...)
}

// write writes all games.
func (v *converting) write() error {
	if v.to == "db" {
		return v.writeDatabase()
	}
	each := strings.Contains(v.out, "%d")
	if v.target.format == record.RenLib && !each {
		v.join()
	}
	var all bytes.Buffer
	n := 0
	for _, g := range v.games {
		var b bytes.Buffer
		if err := v.target.write(&b, g.tree); err != nil {
			v.refuse("%s: %v", g.name, err)
			continue
		}
		n++
		for _, what := range v.target.format.Lacks(g.tree) {
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

// writeDatabase writes the positions of all games as a database.
func (v *converting) writeDatabase() error {
	d := database.ForFile(v.out)
	n := 0
	for _, g := range v.games {
		var lib bytes.Buffer
		err := v.target.write(&lib, g.tree)
		if err == nil {
			_, err = d.ImportLib(lib.Bytes(), g.tree.Rule)
		}
		if err != nil {
			v.refuse("%s: %v", g.name, err)
			continue
		}
		n++
		for _, what := range v.target.format.Lacks(g.tree) {
			if what != "the rule" {
				v.lost[what]++
			}
		}
	}
	if n == 0 {
		return flags.Usage("no game could be written")
	}
	return d.Save(v.out)
}

// join makes one tree of all games that can be in it.
func (v *converting) join() {
	var first *sourced
	kept := v.games[:0]
	for _, g := range v.games {
		if first == nil {
			kept = append(kept, g)
			first = &kept[0]
			continue
		}
		for _, what := range v.target.format.Lacks(g.tree) {
			v.lost[what]++
		}
		if err := first.tree.Merge(g.tree); err != nil {
			v.refuse("%s: %v", g.name, err)
		}
	}
	v.games = kept
}

// tell says what was lost.
func (v *converting) tell() {
	var lost []string
	for what, n := range v.lost {
		lost = append(lost, fmt.Sprintf("%s (%s)", what, counted(n, "game", "games")))
	}
	if len(lost) > 0 {
		slices.Sort(lost)
		fmt.Fprintf(v.stderr, "pbrain-tengen: left out, as %s cannot keep it: %s\n", strings.ToLower(v.to), strings.Join(lost, ", "))
	}
}
