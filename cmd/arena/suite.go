package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/cmd/internal/longrun"
)

// A suite is a run of engines over files of positions with a proven win:
//
//	arena suite -engine name=a,cmd=./a -engine name=b,cmd=./b -each tc=0/1 testdata/tactics/*.txt
//
// Every engine gets each position as a new game, START, INFO and BOARD, and solves it if
// its answer is one of the winning moves that the file lists. All engines answer a
// position before the next one is given, so that what else the machine does meets them
// alike. An engine that crashes, hangs or answers nonsense fails that position only. The
// format of the files is that of record.ReadTactics:
//
//	RULE SIZE MOVES WINS PLIES
type suite struct {
	engines []engine
	files   []tacticFile
	verbose bool

	stdout io.Writer
	json   *json.Encoder // nil for none
}

// A tacticFile is a file of positions under the name people know it by.
type tacticFile struct {
	name    string
	tactics []record.Tactic
}

// An attempt is an engine's answer to one position, and the JSON line of it.
type attempt struct {
	File    string  `json:"file"`
	Line    int     `json:"line"`
	Engine  string  `json:"engine"`
	Rule    int     `json:"rule"`
	Size    int     `json:"size"`
	Moves   string  `json:"moves"`
	Wins    string  `json:"wins"`
	Plies   int     `json:"plies"`
	Answer  string  `json:"answer,omitempty"` // pos notation; none if there was no move
	Solved  bool    `json:"solved"`
	Seconds float64 `json:"seconds,omitempty"` // from the request to the answer
	Depth   int     `json:"depth,omitempty"`
	Nodes   int64   `json:"nodes,omitempty"`
	Eval    eval    `json:"eval"`             // null if not told
	Reason  string  `json:"reason,omitempty"` // why there is no legal move in time
	Detail  string  `json:"detail,omitempty"`
}

// A tally adds up the attempts of one engine at one file, or at all.
type tally struct {
	solved, failed, total int
	answers               int
	sum, longest          float64 // seconds of the answers
}

func (t *tally) add(a *attempt) {
	t.total++
	if a.Solved {
		t.solved++
	}
	if a.Reason != "" {
		t.failed++
		return
	}
	t.answers++
	t.sum += a.Seconds
	t.longest = max(t.longest, a.Seconds)
}

// runSuite is the command "arena suite". The status is 130 after a signal.
func runSuite(args []string, stdout io.Writer) (status int, err error) {
	fs := flag.NewFlagSet("suite", flag.ContinueOnError)
	s := &suite{stdout: stdout}
	var each []setting
	var specs [][]setting
	fs.Func("engine", "an engine, as in a match: `name=NAME,cmd=COMMAND,KEY=VALUE...`; repeat for each", func(text string) error {
		list, err := parseSettings(text)
		specs = append(specs, list)
		return err
	})
	fs.Func("each", "settings of all engines: `KEY=VALUE,...`, as tc=0/1 for a second a position", func(text string) error {
		list, err := parseSettings(text)
		each = append(each, list...)
		return err
	})
	out := fs.String("json", "", "write every answer as a line of JSON to this `FILE`")
	fs.BoolVar(&s.verbose, "v", false, "print every answer")
	if err := parse(fs, args, stdout); err != nil {
		return 0, err
	}
	if s.engines, err = buildEngines(each, specs); err != nil {
		return 0, longrun.Usage("%v", err)
	}
	if len(s.engines) == 0 {
		return 0, longrun.Usage("suite needs an engine: -engine name=...,cmd=...")
	}
	if s.files, err = readSuite(fs.Args()); err != nil {
		return 0, longrun.Usage("%v", err)
	}
	if *out != "" {
		f, err := os.Create(*out)
		if err != nil {
			return 0, longrun.Usage("-json: %v", err)
		}
		s.json = json.NewEncoder(f)
		defer func() {
			if e := f.Close(); err == nil && e != nil {
				err = fmt.Errorf("-json: %w", e)
			}
		}()
	}
	tag := newTag()
	ctx, caught := onSignal(&tournament{tag: tag})
	err = s.run(ctx, tag)
	if caught() {
		return 130, fmt.Errorf("stopped by a signal")
	}
	return 0, err
}

// readSuite reads all files, so that nothing is found wrong halfway.
func readSuite(paths []string) ([]tacticFile, error) {
	if len(paths) == 0 {
		return nil, fmt.Errorf("suite needs a file of positions")
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
			return nil, fmt.Errorf("%s holds no position", path)
		}
		files = append(files, tacticFile{filepath.Base(path), all})
	}
	return files, nil
}

// run gives all positions to all engines and prints the table. It ends early when ctx
// does, and with an error when an answer cannot be written or the machine cannot start
// an engine.
func (s *suite) run(ctx context.Context, tag string) error {
	seats := map[int]*seat{}
	for i := range s.engines {
		seats[i] = &seat{engine: &s.engines[i], tag: tag}
	}
	defer func() {
		endAll(seats, func(s *seat) { s.leave() })
		killMarked(tag + ".")
	}()
	tallies := make([][]tally, len(s.files)+1) // the last is all files together
	for i := range tallies {
		tallies[i] = make([]tally, len(s.engines))
	}
	for i, file := range s.files {
		for _, t := range file.tactics {
			for k := range s.engines {
				a := s.attempt(ctx, seats[k], &t)
				if ctx.Err() != nil {
					return nil
				}
				if err := seats[k].trouble; err != nil {
					return err
				}
				a.File = file.name
				tallies[i][k].add(a)
				tallies[len(s.files)][k].add(a)
				if err := s.tell(a); err != nil {
					return err
				}
			}
		}
	}
	return s.table(tallies)
}

// attempt asks one engine for its move. Engines that failed are ended.
func (s *suite) attempt(ctx context.Context, seat *seat, t *record.Tactic) *attempt {
	a := &attempt{
		Line: t.Line, Engine: seat.engine.Name, Rule: int(t.Rule), Size: t.Size,
		Moves: record.FormatMoves(t.Moves), Wins: record.FormatMoves(t.Wins), Plies: t.Plies,
	}
	if rule := s.ask(ctx, seat, t, a); rule != nil && failed(rule.reason) {
		a.Reason, a.Detail, a.Solved = rule.reason, rule.detail, false
		seat.close()
	}
	if seat.engine.Restart {
		seat.close()
	}
	return a
}

// ask plays one move and notes it in a; what it returns may be a failure.
func (s *suite) ask(ctx context.Context, seat *seat, t *record.Tactic, a *attempt) *ruling {
	ref, err := newReferee(t.Rule, t.Size, t.Moves, 0)
	if err != nil {
		panic(err) // the file was checked
	}
	side := ref.b.Side()
	seat.enter(ctx)
	defer seat.enter(nil)
	seat.begin(t.Size)
	err = seat.ready(t.Size)
	if err == nil {
		err = seat.tell(int(t.Rule))
	}
	if err != nil {
		return fault(side, err)
	}
	reply, err := seat.think(ref)
	if err != nil {
		return fault(side, err)
	}
	m := reply.Move(t.Size, t.Size)
	if m != board.None {
		a.Answer = m.String()
	}
	a.Seconds = float64(reply.Elapsed.Microseconds()) / 1e6
	a.Depth, a.Nodes = reply.Stats.Depth, reply.Stats.Nodes
	a.Eval = eval{reply.Stats.Scored, reply.Stats.Eval, reply.Stats.Mate}
	a.Solved = slices.Contains(t.Wins, m)
	return ref.play(reply.X, reply.Y)
}

// tell prints and writes an attempt as far as that is wanted.
func (s *suite) tell(a *attempt) error {
	if s.json != nil {
		if err := s.json.Encode(a); err != nil {
			return fmt.Errorf("-json: %w", err)
		}
	}
	if !s.verbose {
		return nil
	}
	word := "solved"
	switch {
	case a.Reason != "":
		word = fmt.Sprintf("failed by %s: %s", a.Reason, a.Detail)
	case !a.Solved:
		word = "missed, wins: " + a.Wins
	}
	_, err := fmt.Fprintf(s.stdout, "%s:%d: %s %s in %v, %s\n", a.File, a.Line, a.Engine, cmp.Or(a.Answer, "none"),
		time.Duration(a.Seconds*1e9).Round(time.Millisecond), word)
	return err
}

// table prints how many positions each engine solved, file by file and in all. Times are
// seconds to the answer; failures are positions without a legal move in time.
func (s *suite) table(tallies [][]tally) error {
	wide, long := len("engine"), len("all files")
	for _, e := range s.engines {
		wide = max(wide, len([]rune(e.Name)))
	}
	for _, f := range s.files {
		long = max(long, len([]rune(f.name)))
	}
	_, err := fmt.Fprintf(s.stdout, "%-*s  %-*s %8s %8s %8s %8s %8s\n", long, "file", wide, "engine", "solved", "percent", "mean s", "max s", "failed")
	for i, row := range tallies {
		name := "all files"
		if i < len(s.files) {
			name = s.files[i].name
		} else if len(s.files) == 1 {
			break // it would say the same again
		}
		for k, t := range row {
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(s.stdout, "%-*s  %-*s %8s %8.1f %8.3f %8.3f %8d\n", long, name, wide, s.engines[k].Name,
				fmt.Sprintf("%d/%d", t.solved, t.total), 100*float64(t.solved)/float64(t.total),
				t.sum/float64(max(t.answers, 1)), t.longest, t.failed)
		}
	}
	return err
}
