package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/cmd/internal/flags"
)

// A suite tests engines on positions with a proven win.
//
// Every engine gets each position as a new game, and solves it if it answers one of the
// winning moves in the file. All engines answer a position before the next one, so that
// other load on the machine affects them alike. An engine that fails, fails only in that
// position. record.ReadTactics describes the files.
type suite struct {
	engines []engine
	files   []tacticFile
	verbose bool

	stdout io.Writer
}

// note prints what an engine says of a failed search.
func (s *suite) note(text string) { fmt.Fprintf(os.Stderr, "arena: %s\n", text) }

// A tacticFile is a file of positions with its name.
type tacticFile struct {
	name    string
	tactics []record.Tactic
}

// An attempt is an engine's answer to one position.
type attempt struct {
	answer         string // pos notation; "" if there was no move
	solved         bool
	elapsed        time.Duration // from the request to the answer
	reason, detail string        // of a failure
}

// A tally adds up the attempts of one engine in one file, or in all.
type tally struct {
	solved, failed, total int
	answers               int
	sum, longest          time.Duration // of the answers
}

func (t *tally) add(a *attempt) {
	t.total++
	if a.solved {
		t.solved++
	}
	if a.reason != "" {
		t.failed++
		return
	}
	t.answers++
	t.sum += a.elapsed
	t.longest = max(t.longest, a.elapsed)
}

// runSuite is the command "arena suite".
func runSuite(ctx context.Context, tag string, args []string, stdout io.Writer) error {
	fs := flags.New("suite")
	s := &suite{stdout: stdout}
	engines := engineFlags(fs)
	fs.BoolVar(&s.verbose, "v", false, "print all answers (default off)")
	files, err := parseMixed(fs, args, stdout, flags.Any("a file of positions"))
	if err != nil {
		return err
	}
	if s.engines, err = engines.build(); err != nil {
		return flags.Usage("%v", err)
	}
	if len(s.engines) == 0 {
		return flags.Usage("suite needs an engine: -engine COMMAND")
	}
	if s.files, err = readSuite(files); err != nil {
		return flags.Usage("%v", err)
	}
	return cmp.Or(s.run(ctx, tag), ctx.Err())
}

// readSuite reads all files first, so that errors show before the run.
func readSuite(paths []string) ([]tacticFile, error) {
	if len(paths) == 0 {
		return nil, errors.New("suite needs a file of positions")
	}
	var files []tacticFile
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		all, err := record.ReadTactics(f)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("%s has no position", path)
		}
		files = append(files, tacticFile{filepath.Base(path), all})
	}
	return files, nil
}

// run gives all positions to all engines and prints the table, unless ctx ends before. It is
// an error if an answer cannot be written, the system cannot start an engine, or an engine
// failed in every position.
func (s *suite) run(ctx context.Context, tag string) error {
	players := map[int]*player{}
	for i := range s.engines {
		players[i] = &player{engine: &s.engines[i], tag: tag, note: s.note}
	}
	defer func() {
		endAll(players, func(p *player) { p.leave() })
		killMarked(tag + ".")
	}()
	tallies := make([][]tally, len(s.files)+1) // the last is all files together
	for i := range tallies {
		tallies[i] = make([]tally, len(s.engines))
	}
	for i, file := range s.files {
		for _, t := range file.tactics {
			for k := range s.engines {
				a := s.attempt(ctx, players[k], &t)
				if ctx.Err() != nil {
					return nil
				}
				if err := players[k].startError; err != nil {
					return err
				}
				tallies[i][k].add(a)
				tallies[len(s.files)][k].add(a)
				if err := s.print(file.name, &t, s.engines[k].Name, a); err != nil {
					return err
				}
			}
		}
	}
	if err := s.table(tallies); err != nil {
		return err
	}
	for k, t := range tallies[len(s.files)] {
		if t.failed == t.total {
			return fmt.Errorf("%s failed in every position", s.engines[k].Name)
		}
	}
	return nil
}

// attempt asks one engine for its move and ends it if it fails.
func (s *suite) attempt(ctx context.Context, p *player, t *record.Tactic) *attempt {
	a := &attempt{}
	if rule := a.ask(ctx, p, t); rule != nil && failed(rule.reason) {
		a.reason, a.detail, a.solved = rule.reason, rule.detail, false
		p.close()
	}
	if p.engine.Restart {
		p.close()
	}
	return a
}

// ask asks for the move and returns the referee's ruling on it, nil if the game goes on.
func (a *attempt) ask(ctx context.Context, p *player, t *record.Tactic) *ruling {
	ref := newReferee(t.Rule, t.Size, t.Moves, 0)
	side := ref.b.Side()
	p.enter(ctx)
	defer p.enter(nil)
	p.begin(t.Size)
	err := p.ready(t.Size)
	if err == nil {
		err = p.tell(int(t.Rule))
	}
	if err != nil {
		return fault(side, err)
	}
	p.send(ref)
	reply, err := p.answer()
	if err != nil {
		return fault(side, err)
	}
	a.elapsed = reply.Elapsed
	if m := reply.Move(t.Size, t.Size); m != board.None {
		a.answer, a.solved = m.String(), slices.Contains(t.Wins, m)
	}
	return ref.judge(reply.X, reply.Y)
}

// print prints an attempt with -v.
func (s *suite) print(file string, t *record.Tactic, engine string, a *attempt) error {
	if !s.verbose {
		return nil
	}
	result := "solved"
	switch {
	case a.reason != "":
		result = fmt.Sprintf("failed by %s: %s", a.reason, a.detail)
	case !a.solved:
		result = "missed, wins: " + record.FormatMoves(t.Wins)
	}
	_, err := fmt.Fprintf(s.stdout, "%s:%d: %s %s in %v, %s\n", file, t.Line, engine, cmp.Or(a.answer, "none"),
		a.elapsed.Round(time.Millisecond), result)
	return err
}

// table prints how many positions each engine solved, by file and in total. Times are
// seconds to the answer; a failure is a position without a legal move in time.
func (s *suite) table(tallies [][]tally) error {
	wide, long := len("engine"), len("all files")
	for _, e := range s.engines {
		wide = max(wide, len([]rune(e.Name)))
	}
	for _, f := range s.files {
		long = max(long, len([]rune(f.name)))
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "%-*s  %-*s %8s %8s %8s %8s %8s\n", long, "file", wide, "engine", "solved", "percent", "mean s", "max s", "failed")
	for i, row := range tallies {
		name := "all files"
		if i < len(s.files) {
			name = s.files[i].name
		} else if len(s.files) == 1 {
			break // the same again
		}
		for k, t := range row {
			fmt.Fprintf(&out, "%-*s  %-*s %8s %8.1f %8.3f %8.3f %8d\n", long, name, wide, s.engines[k].Name,
				fmt.Sprintf("%d/%d", t.solved, t.total), 100*float64(t.solved)/float64(t.total),
				t.sum.Seconds()/float64(max(t.answers, 1)), t.longest.Seconds(), t.failed)
		}
	}
	_, err := s.stdout.Write(out.Bytes())
	return err
}
