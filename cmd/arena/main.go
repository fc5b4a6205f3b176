// Arena plays matches between engines that speak the Gomocup protocol, and judges every
// move on its own board.
//
// Results go to standard output, progress and messages to standard error. The exit status
// is 0 if all games have been played or the test is over, 1 if results could not be
// recorded or an engine failed in every game or position, 2 for a bad command line, and 130
// after a signal.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/progress"
	"tengen/cmd/internal/resume"
)

func main() {
	command, args := "", os.Args[1:]
	if len(args) > 1 && args[0] == "help" {
		args = []string{args[1], "-help"}
	}
	if len(args) > 0 {
		command = args[0]
	}
	var err error
	tag := newTag()
	switch {
	case flags.AsksVersion(args):
		err = flags.WriteVersion(os.Stdout)
	case command == "help":
		_, _, err = parseMatch([]string{"-help"}, os.Stdout)
	case command == "report":
		err = runReport(args[1:], os.Stdout)
	case command == "merge":
		err = runMerge(args[1:], os.Stdout)
	case command == "export":
		err = runExport(args[1:], os.Stdout)
	case command == "check":
		err = runCheck(onSignal(tag), tag, args[1:], os.Stdout, os.Stderr)
	case command == "suite":
		err = runSuite(onSignal(tag), tag, args[1:], os.Stdout)
	case command != "" && command[0] != '-':
		err = flags.UnknownCommand("arena", command)
	default:
		err = runMatch(onSignal(tag), tag, args, os.Stdout, os.Stderr)
	}
	os.Exit(flags.Status(os.Stderr, "arena", err))
}

// onSignal returns a context that is canceled by the first signal. The second one kills all
// processes with the tag and exits at once. SIGPIPE is caught so that a closed standard output
// is an error of the write.
func onSignal(tag string) context.Context {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return flags.UntilSignal(flags.Signals(), func() { killMarked(tag + ".") })
}

// runMatch plays a match.
func runMatch(ctx context.Context, tag string, args []string, stdout, stderr io.Writer) (err error) {
	s, o, err := parseMatch(args, stdout)
	if err != nil {
		return err
	}
	m := newMatch(s)
	t := &tournament{tag: tag, match: m, shard: o.shard, workers: o.workers, goal: m.schedule().count(o.shard)}
	if o.log != "" {
		if t.log, err = openLog(o.log, m.id()); err != nil {
			return flags.Usage("-log: %v", err)
		}
		t.log.failed = t.giveUp
		defer func() { err = cmp.Or(err, t.log.file.Close()) }()
	}
	if err := t.resume(o.journal); err != nil {
		return flags.Usage("-journal: %v", err)
	}
	defer func() { err = cmp.Or(err, t.journal.Close()) }()
	t.progress = progress.New(stderr, o.quiet)
	if n := len(m.games); n > 0 {
		fmt.Fprintf(t.progress, "%s has %d games already\n", o.journal, n)
	}
	for _, e := range s.Engines {
		if n := m.byOthers(&e); n > 0 {
			fmt.Fprintf(stderr, "arena: %s: %s has changed since %d of these games were played\n", o.journal, e.Name, n)
		}
	}
	if o.watch != "" {
		t.watch = newWatch(o.workers, t.watched)
		server, err := serveWatch(o.watch, t.watch, m)
		if err != nil {
			return flags.Usage("-watch: %v", err)
		}
		defer server.close()
		fmt.Fprintf(t.progress, "the match is shown at %s\n", server.url())
	}
	if t.progress.Terminal() { // the first game may take a while
		t.showProgress()
	}
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

// resume opens the journal and adds its games to the match.
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
			err = fmt.Errorf("its games are of shard %q, not %q", records[i].Shard, shard)
		}
	}
	if err != nil {
		j.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	t.journal = j
	return nil
}
