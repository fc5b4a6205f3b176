package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/brain/opening"
	"tengen/protocol/client"
)

// A timeControl limits the thinking time of one engine in one game. Zero is no limit.
type timeControl struct {
	Match     time.Duration // for the whole game
	Turn      time.Duration // for one move
	Increment time.Duration // added to what is left of Match after each own move
}

// parseTC parses "match/turn+increment" in seconds. "60" is 60 s for a game and for a move,
// "0/1" is one second a move without a limit for the game.
func parseTC(s string) (timeControl, error) {
	var tc timeControl
	rest, inc, hasInc := strings.Cut(s, "+")
	match, turn, hasTurn := strings.Cut(rest, "/")
	if !hasTurn {
		turn = match
	}
	if !hasInc {
		inc = "0"
	}
	var err, err2, err3 error
	tc.Match, err = seconds(match)
	tc.Turn, err2 = seconds(turn)
	tc.Increment, err3 = seconds(inc)
	if err := cmp.Or(err, err2, err3); err != nil {
		return tc, err
	}
	if tc.Match == 0 && tc.Turn == 0 {
		return tc, fmt.Errorf("time control %q sets no limit", s)
	}
	if tc.Match == 0 && tc.Increment > 0 {
		return tc, fmt.Errorf("time control %q: an increment needs a time for the game", s)
	}
	return tc, nil
}

// seconds parses a decimal number of seconds up to a month: 0, or at least a millisecond, the unit
// of the protocol.
func seconds(s string) (time.Duration, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= 0 && f <= 31*24*3600) {
		return 0, fmt.Errorf("%q is not a number of seconds", s)
	}
	if f > 0 && f < 0.001 {
		return 0, fmt.Errorf("%q is less than a millisecond", s)
	}
	return time.Duration(math.Round(f * float64(time.Second))), nil
}

// An engine is a program and the limits under which it plays. Its JSON is part of the
// identity of a match, so fields with zero values are left out.
type engine struct {
	Name      string        `json:"name"`
	Cmd       string        `json:"cmd,omitempty"`
	Dir       string        `json:"dir,omitempty"`
	TC        timeControl   `json:"tc"`
	Hang      time.Duration `json:"hang,omitempty"` // turn limit where TC sets none
	Nodes     int64         `json:"nodes,omitempty"`
	Depth     int64         `json:"depth,omitempty"`
	Memory    int64         `json:"memory,omitempty"` // bytes; sent, and on Linux enforced
	Threads   int64         `json:"threads,omitempty"`
	Tolerance time.Duration `json:"tolerance"`
	Restart   bool          `json:"restart,omitempty"` // a new process for every game
	Pause     time.Duration `json:"pause,omitempty"`
	Choose    string        `json:"choose,omitempty"` // byCommand or bySearches, "" for what suits the opening rule
	Info      [][2]string   `json:"info,omitempty"`

	checksum string        // of the program and of the files that its arguments name
	paused   bool          // Pause was set
	okLimit  time.Duration // for OK, if not the usual; for tests
	patience time.Duration // after a refusal, if not the usual; for tests
}

const (
	defaultTolerance = time.Second
	defaultHang      = time.Minute
	toldMemory       = 350 << 20 // Gomocup's limit; without memory= it is sent, not enforced

	// neededPause suffices for engines that drop lines right after their answer: Rapfi those
	// within 20 ms, measured 2026-11.
	neededPause = 30 * time.Millisecond
)

// engineHelp describes the settings of an engine.
const engineHelp = `Settings of an engine, in -engine, in -each for all of them, or in a file for -engines:
  name=NAME            default the name of the program
  cmd=COMMAND          the program and its arguments, quoted as in a shell; required
  dir=DIRECTORY        where it runs, default the current directory
  tc=GAME/MOVE+INC     seconds for a game, for a move, and the increment after each move; 0 is
                       no limit, 60 is 60/60; default no clock, only hang
  hang=SECONDS         limit for a move without a clock, default 60
  tolerance=SECONDS    overtime before a move loses the game, default 1; an engine has 5 seconds
                       to answer START, or the tolerance if that is more
  nodes=N, depth=N     limits of a search, default 0, none
  threads=N            threads of a search, default not sent
  memory=BYTES         such as 350M; on Linux an engine that uses more loses; by default 350M is
                       sent but not enforced
  pause=MS             minimum time from an answer to the next command, default 0, but 30 for Rapfi,
                       which drops lines that come sooner
  restart=on           starts a new process for every game, default off
  choose=HOW           with -opening: by command, which soosyrv-8 (YXSOOSORVSTEP1 to 6) and swap2 (SWAP2BOARD)
                       have, or by searches, whose scores arena compares; default command for swap2,
                       searches for the others
  info.KEY=VALUE       sends INFO KEY VALUE before every game, default none
A value with a comma needs quotes. COMMAND alone is cmd=COMMAND; with a = in it, it needs the cmd=.

`

// An engineList collects the engines of a command line.
type engineList struct {
	each  []setting
	specs [][]setting
}

// engineFlags defines -engine, -each and -engines.
func engineFlags(fs *flag.FlagSet) *engineList {
	l := &engineList{}
	fs.Func("engine", "an `ENGINE`: COMMAND or name=NAME,cmd=COMMAND,KEY=VALUE,...; repeat for each", func(text string) error {
		if !strings.Contains(text, "=") {
			text = "cmd=" + text
		}
		list, err := parseSettings(text)
		l.specs = append(l.specs, list)
		return err
	})
	fs.Func("each", "settings of all engines: `KEY=VALUE,...`, such as tc=0/1 for one second a move (default none)", func(text string) error {
		list, err := parseSettings(text)
		l.each = append(l.each, list...)
		return err
	})
	fs.Func("engines", "engines from a JSON `FILE`, "+`{"each":{...},"engines":[{...},...]} (default none)`, func(path string) error {
		each, list, err := engineFile(path)
		l.each, l.specs = append(l.each, each...), append(l.specs, list...)
		return err
	})
	return l
}

// set applies a setting.
func (e *engine) set(s setting) (err error) {
	value := s.value
	switch s.key {
	case "name":
		e.Name = value
	case "cmd":
		e.Cmd = value
	case "dir":
		e.Dir = value
	case "tc":
		e.TC, err = parseTC(value)
	case "hang":
		e.Hang, err = seconds(value)
	case "tolerance":
		e.Tolerance, err = seconds(value)
	case "nodes":
		e.Nodes, err = limitOf(value)
	case "depth":
		e.Depth, err = limitOf(value)
	case "threads":
		e.Threads, err = positive(value)
	case "memory":
		e.Memory, err = byteCount(value)
	case "pause":
		var ms int
		if ms, err = strconv.Atoi(value); err != nil || ms < 0 || ms > 60000 {
			err = fmt.Errorf("%q is not a number of milliseconds up to a minute", value)
		}
		e.Pause, e.paused = time.Duration(ms)*time.Millisecond, true
	case "restart":
		e.Restart, err = onOff(value)
	case "choose":
		if e.Choose = value; value != byCommand && value != bySearches {
			err = fmt.Errorf("%q is neither %s nor %s", value, byCommand, bySearches)
		}
	default:
		key, ok := strings.CutPrefix(s.key, "info.")
		if !ok || key == "" || strings.ContainsAny(key+value, "\r\n") || strings.ContainsAny(key, " \t") {
			return fmt.Errorf("unknown setting %q", s.key)
		}
		e.Info = slices.DeleteFunc(e.Info, func(kv [2]string) bool { return kv[0] == key })
		e.Info = append(e.Info, [2]string{key, value})
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.key, err)
	}
	return nil
}

// remedy says what may help the engine that failed in a game, or nothing. A pause does not help one that
// has answered nothing, or late, nor one that has read BEGIN and refused it. rule is the opening rule, "" for none.
func (e *engine) remedy(g *gameRecord, rule string) string {
	why := client.Reason(g.Reason)
	if r, err := opening.Parse(rule); err == nil && r != opening.Free && g.Chosen != nil && len(g.Time) == 0 &&
		(why == client.Protocol || why == client.Timeout) && e.chooses(r) == byCommand {
		return "choose=searches lets the scores of its searches choose"
	}
	drops := !g.Unready && (why == client.Timeout && !strings.HasPrefix(g.Detail, client.AnsweredAfter) || why == client.Protocol && g.Moves != "")
	switch {
	case e.Pause < neededPause && drops:
		return fmt.Sprintf("pause=%d helps an engine that drops lines right after its answer", neededPause.Milliseconds())
	case why == client.Crash && !e.Restart:
		return "restart=on helps an engine that plays one game only"
	case why == "memory":
		return "memory= allows more"
	}
	return ""
}

// build returns the engines, each with the settings of -each and then its own, and checks
// them.
func (l *engineList) build() ([]engine, error) {
	var engines []engine
	seen := map[string]bool{}
	for i, spec := range l.specs {
		e := engine{Tolerance: defaultTolerance, Hang: defaultHang}
		for _, s := range l.each {
			if s.key == "name" {
				return nil, errors.New("-each: engines cannot share a name")
			}
			if err := e.set(s); err != nil {
				return nil, fmt.Errorf("-each: %w", err)
			}
		}
		for _, s := range spec {
			if err := e.set(s); err != nil {
				return nil, fmt.Errorf("engine %d: %w", i+1, err)
			}
		}
		if err := e.finish(); err != nil {
			return nil, fmt.Errorf("engine %d: %w", i+1, err)
		}
		if seen[e.Name] {
			return nil, fmt.Errorf("two engines have the name %q; name= gives one another", e.Name)
		}
		seen[e.Name] = true
		engines = append(engines, e)
	}
	return engines, nil
}

// finish sets the fields that depend on others and checks that the program exists.
func (e *engine) finish() error {
	args, err := client.SplitCommand(e.Cmd)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return errors.New("cmd= is missing")
	}
	if e.Name == "" {
		e.Name = strings.TrimSuffix(filepath.Base(args[0]), ".exe")
	}
	if strings.ContainsFunc(e.Name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return fmt.Errorf("name %q has a control character", e.Name)
	}
	e.Name = string([]rune(e.Name)) // UTF-8, as in the journal
	if !e.paused && strings.Contains(strings.ToLower(filepath.Base(args[0])), "rapfi") {
		e.Pause = neededPause
	}
	if e.TC != (timeControl{}) {
		e.Hang = 0
	} else if e.Hang == 0 {
		return errors.New("hang= must be positive without a clock")
	}
	if e.Dir != "" {
		if info, err := os.Stat(e.Dir); err != nil || !info.IsDir() {
			return fmt.Errorf("%s is not a directory", e.Dir)
		}
	}
	// Like os/exec: a name is looked up in PATH, a relative path from Dir.
	program := args[0]
	if strings.ContainsAny(program, `/\`) {
		program = e.path(program)
	}
	if program, err = exec.LookPath(program); err != nil {
		hint := ""
		if len(args) == 1 && strings.Contains(args[0], " ") {
			hint = "; quotes around a program and its arguments make one name of them"
		}
		return fmt.Errorf("%s: cannot run %s: %w%s", e.Name, args[0], errors.Unwrap(err), hint)
	}
	e.checksum = e.sum(program, args[1:])
	return nil
}

// path returns the path of a file that the engine knows by name.
func (e *engine) path(name string) string {
	if e.Dir == "" || filepath.IsAbs(name) {
		return name
	}
	return e.Dir + "/" + name
}

// sum returns 16 hexadecimal digits that differ for programs, and for contents of the files that
// arguments name, as in -net FILE or -net=FILE.
func (e *engine) sum(program string, args []string) string {
	files := []string{program}
	for _, arg := range args {
		files = append(files, e.path(arg))
		if _, value, ok := strings.Cut(arg, "="); ok {
			files = append(files, e.path(value))
		}
	}
	sum := sha256.New()
	for _, name := range files {
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if f, err := os.Open(name); err == nil {
			io.Copy(sum, f)
			f.Close()
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// turnLimit returns the limit of a move with left on the clock of the game.
func (e *engine) turnLimit(left time.Duration) time.Duration {
	switch {
	case e.TC == (timeControl{}):
		return e.Hang
	case e.TC.Match == 0:
		return e.TC.Turn
	case e.TC.Turn == 0:
		return left
	}
	return min(e.TC.Turn, left)
}

// limits describes the limits of the engine, such as "0.5 s a move, 2000 nodes".
func (e *engine) limits() string {
	var words []string
	add := func(format string, x float64) {
		if x > 0 {
			words = append(words, fmt.Sprintf(format, x))
		}
	}
	add("%g s a move", e.TC.Turn.Seconds())
	add("%g s a game", e.TC.Match.Seconds())
	add("%g s more after each move", e.TC.Increment.Seconds())
	add("%.0f nodes", float64(e.Nodes))
	add("depth %.0f", float64(e.Depth))
	add("threads %.0f", float64(e.Threads))
	if len(words) == 0 {
		add("%g s a move at most", e.Hang.Seconds())
	}
	return strings.Join(words, ", ")
}
