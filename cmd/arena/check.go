package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/cmd/arena/internal/check"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/progress"
	"tengen/protocol/client"
)

const checkSynopsis = `usage: arena check [flags] ENGINE|ZIP

Tests whether an engine can play in Gomocup and under other managers, before it is sent there.
ENGINE is a command, quoted as in a shell: arena check "./pbrain-mine -net x". ZIP is the archive of a
submission; programs of Windows run under wine on other systems, if it is there.

Prints a page with a line for each check: PASS; WARN for what some managers dislike, or what could not
be checked; FAIL for what loses games or breaks the protocol. Below what has not passed stands the
dialogue, with seconds since the start of the process, > for lines of the manager and < for those of the
engine. A check of times that does not pass is tried again, and its line says so: FAIL stands for two tries, WARN
for one of two. The exit status is 1 after a FAIL, and 2 for a bad command line or an engine that does not start.

-json prints one object: engine, command, system, leagues, pass, warn, fail (numbers), seconds, and
results, a list of group, name, verdict, text, seconds and dialogue (a list of at, from and text).`

// A checkRun is a run of the command "arena check".
type checkRun struct {
	leagues []check.League
	against string
	dir     string
	quick   bool
	json    bool

	tag     string
	times   check.Times
	report  *check.Report
	other   *engine // of -against, nil for none
	noGames string  // why there is none, if that was not asked for
}

// errFailed is the error of an engine that fails. The page says more.
var errFailed = errors.New("the engine fails")

// runCheck is the command "arena check".
func runCheck(ctx context.Context, tag string, args []string, stdout, stderr io.Writer) error {
	fs := flags.New("check")
	c := &checkRun{leagues: check.Leagues, tag: tag, report: &check.Report{}}
	fs.Func("leagues", "check for these `LEAGUES`, between commas: "+check.LeagueNames()+", or a rule for all its sizes (default all)", func(text string) (err error) {
		c.leagues, err = check.ParseLeagues(text)
		return err
	})
	fs.StringVar(&c.against, "against", "", "play games against the engine of this `COMMAND` (default the pbrain-tengen beside arena); none for no games")
	fs.StringVar(&c.dir, "dir", "", "run the engine in this `FOLDER` (default that of its program, as Gomocup does)")
	fs.BoolVar(&c.quick, "quick", false, "use short times: less than a minute instead of three (default off)")
	fs.BoolVar(&c.json, "json", false, "print a JSON object (default off)")
	quiet := false
	flags.Quiet(fs, &quiet)
	operands, err := parseMixed(fs, args, stdout, flags.Some("an engine or an archive"))
	if err != nil {
		return err
	}
	if len(operands) != 1 {
		return flags.Usage("check takes one engine, not %d; quotes make a command with arguments one: \"%s\"", len(operands), strings.Join(operands, " "))
	}
	c.times = check.Full
	if c.quick {
		c.times = check.Quick
	}
	if c.other, c.noGames, err = c.opponent(); err != nil {
		return err
	}
	line := progress.New(stderr, quiet)
	err = c.run(ctx, operands[0], line)
	line.End()
	if err != nil {
		return err
	}
	if c.json {
		err = c.report.WriteJSON(stdout)
	} else {
		err = c.report.WriteText(stdout)
	}
	if err == nil && c.report.Fail > 0 {
		err = errFailed
	}
	return err
}

// run checks an engine or an archive.
func (c *checkRun) run(ctx context.Context, operand string, line *progress.Line) error {
	began := time.Now()
	c.report.Command, c.report.System, c.report.Quick = operand, runtime.GOOS+"/"+runtime.GOARCH, c.quick
	for _, l := range c.leagues {
		c.report.Leagues = append(c.report.Leagues, l.Name)
	}
	defer func() { c.report.Seconds = float64(time.Since(began).Milliseconds()) / 1000 }()
	if info, err := os.Stat(operand); err == nil && info.Mode().IsRegular() && strings.EqualFold(filepath.Ext(operand), ".zip") {
		return c.archive(ctx, operand, line)
	}
	e := engine{Cmd: operand, Dir: c.dir, Tolerance: defaultTolerance, Hang: defaultHang}
	folder, err := c.inFolder(&e)
	if err != nil {
		return flags.Usage("%v", err)
	}
	if result, ok := check.Program(programOf(&e)); ok {
		c.report.Add(result)
	}
	if err := c.engine(ctx, &e, folder, c.leagues, line); errors.Is(err, check.ErrStart) {
		return flags.Usage("%v", err)
	} else {
		return err
	}
}

// inFolder lets an engine run in the folder of its program, if the command names it with one and there is
// no -dir, and returns that folder, "" for none.
func (c *checkRun) inFolder(e *engine) (folder string, err error) {
	args, err := client.SplitCommand(e.Cmd)
	if err == nil && len(args) > 0 && c.dir == "" && strings.ContainsAny(args[0], `/\`) {
		program, err := filepath.Abs(args[0])
		if err != nil {
			return "", err
		}
		if info, err := os.Stat(filepath.Dir(program)); err == nil && info.IsDir() {
			e.Dir, folder = filepath.Dir(program), filepath.Dir(program)
			args[0] = program
			e.Cmd = quoted(args)
		}
	}
	return folder, e.finish()
}

// quoted returns a command of words.
func quoted(words []string) string {
	var list []string
	for _, word := range words {
		list = append(list, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(word)+`"`)
	}
	return strings.Join(list, " ")
}

// programOf returns the file of the program of an engine.
func programOf(e *engine) string {
	args, err := client.SplitCommand(e.Cmd)
	if err != nil || len(args) == 0 {
		return ""
	}
	if path, err := exec.LookPath(args[0]); err == nil {
		return path
	}
	return args[0]
}

// archive checks an archive, and each of its programs for the leagues that it plays.
func (c *checkRun) archive(ctx context.Context, name string, line *progress.Line) error {
	folder, err := os.MkdirTemp("", "arena-archive-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	a, err := check.OpenArchive(name, folder)
	if err != nil {
		return flags.Usage("%v", err)
	}
	for _, result := range a.Results {
		c.report.Add(result)
	}
	plays := map[string][]check.League{}
	var programs []string
	for _, l := range c.leagues {
		if p := a.Player(l); p != "" {
			if plays[p] == nil {
				programs = append(programs, p)
			}
			plays[p] = append(plays[p], l)
		}
	}
	for _, program := range programs {
		words := []string{program}
		if strings.HasSuffix(strings.ToLower(program), ".exe") && runtime.GOOS != "windows" {
			wine, err := exec.LookPath("wine")
			if err != nil {
				c.report.Add(check.Result{Group: "program", Name: filepath.Base(program), Verdict: check.Warn, Text: "cannot be run here: it is for Windows, and wine is not installed"})
				continue
			}
			words = []string{wine, program}
		}
		e := engine{Cmd: quoted(words), Dir: folder, Tolerance: defaultTolerance, Hang: defaultHang}
		if err := e.finish(); err != nil {
			c.report.Add(check.Result{Group: "program", Name: filepath.Base(program), Verdict: check.Fail, Text: flags.OneLine(err)})
			continue
		}
		err := c.engine(ctx, &e, folder, plays[program], line)
		if errors.Is(err, check.ErrStart) {
			c.report.Add(check.Result{Group: "program", Name: filepath.Base(program), Verdict: check.Fail, Text: flags.OneLine(err)})
		} else if err != nil {
			return err
		}
	}
	return nil
}

// engine runs all checks of one program.
func (c *checkRun) engine(ctx context.Context, e *engine, folder string, leagues []check.League, line *progress.Line) error {
	words, err := client.SplitCommand(e.Cmd)
	if err != nil {
		return err
	}
	left, kill := countMarked, killMarked
	if strings.HasPrefix(filepath.Base(words[0]), "wine") { // its server serves other programs, too
		left, kill = nil, nil
	}
	o := check.Options{
		Program: client.Program{Args: words, Dir: e.Dir}, Leagues: leagues, Times: c.times, Tag: c.tag, Folder: folder,
		Memory: memoryOf, Left: left, Kill: kill,
		Begin: func(name string) {
			if line.Terminal() {
				line.Show(name)
			}
		},
	}
	done, err := check.Run(ctx, o)
	if err != nil {
		return err
	}
	for _, result := range done.Results {
		c.report.Add(result)
	}
	c.report.Engine = cmp.Or(c.report.Engine, done.Engine, filepath.Base(words[0]))
	if line.Terminal() {
		line.Show("games against another engine")
	}
	leagues = slices.DeleteFunc(slices.Clone(leagues), func(l check.League) bool { return done.LeftOut(l.Name) })
	return c.match(ctx, e, leagues)
}

// gamesAgainst is the number of games of a league against another engine.
const gamesAgainst = 2

// opponent returns the engine of -against, or nil and why there are no games.
func (c *checkRun) opponent() (other *engine, why string, err error) {
	other = &engine{Name: "other", Cmd: c.against, Tolerance: defaultTolerance, Hang: defaultHang}
	switch c.against {
	case "none":
		return nil, "", nil
	case "":
		self, err := os.Executable()
		if err != nil {
			return nil, "no games were played: " + err.Error(), nil
		}
		beside := filepath.Join(filepath.Dir(self), "pbrain-tengen")
		if runtime.GOOS == "windows" {
			beside += ".exe"
		}
		if _, err := os.Stat(beside); err != nil {
			return nil, "no games were played: there is no pbrain-tengen beside arena; -against COMMAND plays another engine", nil
		}
		other.Cmd = quoted([]string{beside})
	}
	if err := other.finish(); err != nil {
		return nil, "", flags.Usage("-against: %v", err)
	}
	return other, "", nil
}

// match plays games against another engine.
func (c *checkRun) match(ctx context.Context, e *engine, leagues []check.League) error {
	if c.other == nil {
		if c.noGames != "" {
			c.report.Add(check.Result{Group: "match", Name: "games", Verdict: check.Warn, Text: c.noGames})
		}
		return nil
	}
	mine, other := *e, *c.other
	mine.Name = "engine"
	for _, one := range []*engine{&mine, &other} {
		one.TC, one.Hang = timeControl{Turn: c.times.Game, Match: 200 * c.times.Game}, 0
	}
	for _, l := range leagues {
		result, err := c.games(ctx, &mine, &other, l)
		if err != nil {
			return err
		}
		c.report.Add(result)
	}
	return nil
}

// games plays games of a league: the engine fails if it forfeits one.
func (c *checkRun) games(ctx context.Context, mine, other *engine, l check.League) (check.Result, error) {
	began := time.Now()
	result := check.Result{Group: "match", Name: l.Name, Verdict: check.Pass}
	set := &settings{Engines: []engine{*mine, *other}, Rule: int(l.Rule), Size: l.Size, Games: gamesAgainst, Rounds: 1}
	opening, err := board.ParseMoves("h8i9h10", l.Size, l.Size)
	if err != nil {
		return result, err
	}
	wins, losses, draws := 0, 0, 0
	for n := range gamesAgainst {
		mineIs := board.Color(n % 2)
		players := [2]*player{{engine: mine, strict: true}, {engine: other}}
		for _, p := range players {
			p.tag, p.note = c.tag, func(string) {}
			p.enter(ctx)
		}
		g := playGame(set, fixture{Game: n + 1, Round: 1}, opening, players[n%2], players[1-n%2], func(*gameRecord, []board.Move) {})
		for _, p := range players {
			p.enter(nil)
			p.close()
			if err := cmp.Or(ctx.Err(), p.startError); err != nil {
				return result, err
			}
		}
		lost, won := g.Result == record.WonBy(mineIs.Other()).String(), g.Result == record.WonBy(mineIs).String()
		switch {
		case failed(g.Reason) && lost:
			result.Verdict = check.Fail
			result.Text = fmt.Sprintf("a game is lost by %s: %s, after %s", g.Reason, g.Detail, cmp.Or(g.Moves, "no move"))
		case failed(g.Reason) && result.Verdict == check.Pass:
			result.Verdict, result.Text = check.Warn, fmt.Sprintf("the other engine lost by %s: %s", g.Reason, g.Detail)
		case won:
			wins++
		case lost:
			losses++
		default:
			draws++
		}
	}
	if result.Verdict == check.Pass {
		result.Text = fmt.Sprintf("games to their end: %d won, %d lost, %d drawn", wins, losses, draws)
	}
	result.Seconds = float64(time.Since(began).Milliseconds()) / 1000
	return result, nil
}
