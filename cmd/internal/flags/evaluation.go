package flags

import (
	"bytes"
	"flag"
	"os"

	"tengen/brain/board"
	"tengen/brain/eval"
)

// An Evaluation is the flags -net and -tables, which choose the evaluation.
type Evaluation struct {
	networks []*eval.Network
	tables   []*eval.Tables
	none     bool // -net none
}

// Add adds the flags to fs. A file that cannot be used is an error of the command line.
func (e *Evaluation) Add(fs *flag.FlagSet) {
	fs.Func("net", "evaluate by the network in `FILE` under its rule; none for tables under all rules", func(name string) error {
		if name == "none" {
			e.none = true
			return nil
		}
		file, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		n, err := eval.LoadNetwork(file)
		if err != nil {
			return err
		}
		e.networks = append(e.networks, n)
		return nil
	})
	fs.Func("tables", "evaluate by the tables in `FILE` under their rules", func(name string) error {
		file, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		tables, err := eval.Load(bytes.NewReader(file))
		e.tables = append(e.tables, tables...)
		return err
	})
}

// Evaluation returns what the flags say: the networks and tables of the files, and those that
// the program carries for all other rules. With -net none it carries no networks.
func (e *Evaluation) Evaluation() *eval.Evaluation {
	all := eval.Carried()
	if e.none {
		all = eval.ByTables()
	}
	return all.WithTables(e.tables...).WithNetworks(e.networks...)
}

// For is Evaluation for a program that plays by one rule. Files that say nothing about it are
// an error.
func (e *Evaluation) For(rule board.Rule) (*eval.Evaluation, error) {
	covered := len(e.tables)+len(e.networks) == 0
	for _, t := range e.tables {
		covered = covered || t.Rule == rule&^board.Continuous
	}
	for _, n := range e.networks {
		covered = covered || n.Rule() == rule&^board.Continuous
	}
	if !covered {
		return nil, Usage("no file of -net or -tables is for rule %d", rule)
	}
	return e.Evaluation(), nil
}
