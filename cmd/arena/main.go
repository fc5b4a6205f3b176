// Arena plays matches between engines that speak the Gomocup protocol, and judges every
// move on its own board.
//
// Results go to standard output, progress and messages to standard error. The exit status
// is 0 if all games are played or the test has decided, 1 if results could not be recorded
// or an engine failed in every game, 2 for a bad command line, 130 after a signal.
package main

import (
	"cmp"
	"fmt"
	"io"
	"os"

	"tengen/brain/board"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/progress"
	"tengen/cmd/internal/resume"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	var err error
	command := ""
	if len(args) > 0 {
		command = args[0]
	}
	switch command {
	case "report":
		err = runReport(args[1:], stdout)
	case "merge":
		err = runMerge(args[1:], stdout)
	case "export":
		err = runExport(args[1:], stdout)
	case "suite":
		err = runSuite(args[1:], stdout)
	default:
		err = runMatch(args, stdout, stderr)
	}
	return flags.Status(stderr, "arena", err)
}

// runMatch plays a match.
func runMatch(args []string, stdout, stderr io.Writer) (err error) {
	s, o, err := parseMatch(args, stdout)
	if err != nil {
		return err
	}
	m := newMatch(s)
	t := &tournament{tag: newTag(), match: m, sched: m.schedule(), shard: o.shard, workers: o.workers}
	t.goal = t.sched.count(t.shard)
	for _, text := range s.Openings {
		moves, err := board.ParseMoves(text, s.Size, s.Size)
		if err != nil {
			return err
		}
		t.openings = append(t.openings, moves)
	}
	if err := t.resume(o.journal); err != nil {
		return flags.Usage("-journal: %v", err)
	}
	defer func() { err = cmp.Or(err, t.journal.Close()) }()
	t.progress = progress.New(stderr, o.quiet)
	if t.progress.Terminal() { // the first game may take long
		t.showProgress()
	}
	ctx := onSignal(t.tag)
	err = t.run(ctx)
	t.progress.End()
	if err != nil {
		return err
	}
	r := m.sum()
	if err := writeSummary(stdout, m, r); err != nil {
		return err
	}
	return cmp.Or(ctx.Err(), r.allFailed())
}

// resume opens the journal and takes over its games.
func (t *tournament) resume(path string) error {
	var records []gameRecord
	j, err := resume.OpenJournal(path, journalStart, reader(&records))
	if err != nil {
		return err
	}
	s, shard := t.match.settings, t.shard.String()
	_, err = t.match.add(records)
	t.match.use(s)
	if err == nil {
		err = t.match.check()
	}
	for i := range records {
		if err == nil && records[i].Shard != shard {
			err = fmt.Errorf("these are games of shard %q, not %q", records[i].Shard, shard)
		}
	}
	if err != nil {
		j.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	t.journal = j
	return nil
}
