// Package evalflags holds the flags that choose the evaluation, for the programs that link an engine.
package evalflags

import (
	"flag"
	"fmt"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/cmd/internal/flags"
)

// Flags are -net and -tables. The zero Flags choose the built-in evaluation.
type Flags struct {
	networks []*eval.Network
	tables   []*eval.Tables
	none     bool                  // -net none
	files    map[board.Rule]string // flag and file that evaluate a rule
}

// Add adds the flags to fs. A file that cannot be used and a second file for a rule are
// errors.
func (e *Flags) Add(fs *flag.FlagSet) {
	e.files = map[board.Rule]string{}
	fs.Func("net", "use the network in `FILE` for its rule; none uses tables for all rules; may be repeated (default the built-in networks)", func(name string) error {
		if name == "none" {
			e.none = true
			return nil
		}
		n, err := LoadNetwork(name)
		if err != nil {
			return err
		}
		e.networks = append(e.networks, n)
		return e.cover(n.Rule(), "-net "+name)
	})
	fs.Func("tables", "use the tables in `FILE` for their rules; may be repeated (default the built-in tables)", func(name string) error {
		tables, err := loadTables(name)
		if err != nil {
			return err
		}
		e.tables = append(e.tables, tables...)
		for _, t := range tables {
			if err := e.cover(t.Rule, "-tables "+name); err != nil {
				return err
			}
		}
		return nil
	})
}

// LoadNetwork reads a file of a network. Errors name the file.
func LoadNetwork(name string) (*eval.Network, error) { return load(name, eval.LoadNetwork) }

// loadTables reads a file of tables. Errors name the file.
func loadTables(name string) ([]*eval.Tables, error) { return load(name, eval.Load) }

func load[T any](name string, parse func([]byte) (T, error)) (T, error) {
	var none T
	raw, err := flags.ReadFile(name)
	if err != nil {
		return none, err
	}
	v, err := parse(raw)
	if err != nil {
		return none, fmt.Errorf("%s: %w", name, err)
	}
	return v, nil
}

// cover notes the file for a rule, of which there may be only one.
func (e *Flags) cover(rule board.Rule, file string) error {
	if other, ok := e.files[rule]; ok {
		return fmt.Errorf("rule %d is evaluated by %s already", rule, other)
	}
	e.files[rule] = file
	return nil
}

// Given reports whether the command line has one of the flags.
func (e *Flags) Given() bool { return e.none || len(e.files) > 0 }

// Evaluation returns the evaluation by the files that were given and, under all other rules,
// by the built-in networks and tables; with -net none, by tables instead of those networks.
func (e *Flags) Evaluation() *eval.Evaluation {
	all := eval.Embedded()
	if e.none {
		all = eval.ByTables()
	}
	return all.WithTables(e.tables...).WithNetworks(e.networks...)
}

// For is Evaluation for a program that plays by one rule. It is an error if files are given
// and none is for that rule.
func (e *Flags) For(rule board.Rule) (*eval.Evaluation, error) {
	if len(e.files) > 0 && e.files[rule.Shapes()] == "" {
		return nil, flags.Usage("no file of -net or -tables is for rule %d", rule)
	}
	return e.Evaluation(), nil
}
