// Package check tests whether an engine can play in Gomocup and under other managers: it talks to the
// engine as they do and judges every answer by the rules alone. It links no engine.
package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tengen/protocol/client"
)

// A Verdict is the result of a check.
type Verdict string

const (
	Pass Verdict = "PASS"
	Warn Verdict = "WARN" // some manager may dislike it, or it could not be checked
	Fail Verdict = "FAIL" // it loses games, or breaks what the protocol demands
)

// A Result is what one check has found.
type Result struct {
	Group    string  `json:"group"`
	Name     string  `json:"name"`
	Verdict  Verdict `json:"verdict"`
	Text     string  `json:"text"`               // what was found, or what was checked
	Dialogue []Line  `json:"dialogue,omitempty"` // of a check that has not passed
	Seconds  float64 `json:"seconds"`
}

// A Report is what all checks have found.
type Report struct {
	Engine  string   `json:"engine"`  // the answer to ABOUT, or the command
	Command string   `json:"command"` // or the archive
	System  string   `json:"system"`
	Quick   bool     `json:"quick,omitempty"`
	Leagues []string `json:"leagues"`
	Pass    int      `json:"pass"`
	Warn    int      `json:"warn"`
	Fail    int      `json:"fail"`
	Seconds float64  `json:"seconds"`
	Results []Result `json:"results"`
}

// Options say what is checked. Tag begins the variable that marks the processes of the engine.
type Options struct {
	Program client.Program
	Leagues []League
	Times   Times
	Tag     string
	Folder  string // that the engine runs in, watched for new files; "" for none

	// What only some systems know of the processes with a mark, nil where none of it is known: the bytes
	// of memory, the number of processes, their end.
	Memory func(mark string, pid int) (int64, bool)
	Left   func(mark string) int
	Kill   func(mark string)

	Begin func(name string)                     // is called before each check; may be nil
	Match func(League) (text string, err error) // plays another engine; nil for none
}

// Times are the times of the checks.
type Times struct {
	Long, Medium, Short time.Duration // limits of a move in the checks of time
	Position            time.Duration // limit of a move in a position with one right answer
	Game                time.Duration // limit of a move in a game
	Clock               time.Duration // for a whole game
	Plies               int           // of a game at most

	answer    time.Duration // for an answer that takes no thinking
	late      time.Duration // overtime of a move in the checks that are not about time
	quick     time.Duration // limit of a move where any move will do
	tolerance time.Duration // overtime that Gomocup's manager allows
	slack     time.Duration // overtime that is put down to the system and not to the engine
	quiet     time.Duration // in which nothing is printed
	soon      time.Duration // in which managers want the end of the process
	end       time.Duration // for the end of the process
	pause     time.Duration // after answers, for an engine that loses what comes right after them
	grace     time.Duration // for the end of the processes that it has started
}

// Full are the times of leagues, Quick shorter ones for a look in between.
var (
	Full = Times{
		Long: 30 * time.Second, Medium: 5 * time.Second, Short: 50 * time.Millisecond,
		Position: time.Second, Game: 100 * time.Millisecond, Clock: 10 * time.Second, Plies: 400,
		answer: 10 * time.Second, late: 10 * time.Second, quick: 200 * time.Millisecond, tolerance: time.Second, slack: 30 * time.Millisecond,
		quiet: 300 * time.Millisecond, soon: 500 * time.Millisecond, end: 3 * time.Second, grace: 100 * time.Millisecond, pause: 200 * time.Millisecond,
	}
	Quick = Times{
		Long: 2 * time.Second, Medium: 500 * time.Millisecond, Short: 50 * time.Millisecond,
		Position: 300 * time.Millisecond, Game: 50 * time.Millisecond, Clock: 2 * time.Second, Plies: 60,
		answer: 10 * time.Second, late: 10 * time.Second, quick: 100 * time.Millisecond, tolerance: time.Second, slack: 30 * time.Millisecond,
		quiet: 300 * time.Millisecond, soon: 500 * time.Millisecond, end: 3 * time.Second, grace: 100 * time.Millisecond, pause: 200 * time.Millisecond,
	}
)

// Limits of Gomocup.
const (
	gomocupMemory = 350 << 20 // bytes, of the process and those that it starts
	gomocupFolder = 70 << 20  // bytes of the files in the folder of INFO folder
	mostTimeouts  = 6         // answers in turn that do not come, until the rest is left out
)

// A finding is the error of a check.
type finding struct {
	verdict Verdict
	text    string
	refused bool // by ERROR or UNKNOWN, where OK was expected
}

func (f *finding) Error() string { return f.text }

func failf(format string, args ...any) error {
	return &finding{verdict: Fail, text: fmt.Sprintf(format, args...)}
}
func warnf(format string, args ...any) error {
	return &finding{verdict: Warn, text: fmt.Sprintf(format, args...)}
}

// softer returns what was found as a warning, where no manager that counts does this.
func softer(err error) error {
	if f := (*finding)(nil); errors.As(err, &f) {
		return &finding{verdict: Warn, text: err.Error()}
	}
	return err
}

// ErrStart is the error of a program that the system cannot start.
var ErrStart = errors.New("the engine cannot be started")

// A check is one test of the engine.
type check struct {
	group, name string
	what        string // that is right
	needed      bool   // without it nothing else can be checked
	do          func(r *run) error
}

// A run is one run of the checks.
type run struct {
	o         Options
	t         Times
	ctx       context.Context
	temporary string // folder for temporary files of the engine
	folder    string // of INFO folder

	about       string        // its answer, "" before it is known or if there is none
	pause       time.Duration // that the engine needs after an answer
	answersInfo bool          // it answers INFO, so that those answers are waited for
	stays       bool          // it does not end soon after END
	launches    int
	startError  error // of the last process
	timeouts    int
	current     []*session // of the check that runs
	both        bool       // the last two of them play each other
	told        string     // more than what, said by a check that passes
	notes       []Result   // what was seen in any session, once by name
	report      *Report
}

// Run runs all checks, until ctx ends. The error is one of the system, or that of ctx.
func Run(ctx context.Context, o Options) (*Report, error) {
	temporary, err := os.MkdirTemp("", "arena-check-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	r := &run{o: o, t: o.Times, ctx: ctx, temporary: filepath.Join(temporary, "tmp"), folder: filepath.Join(temporary, "folder"), report: &Report{}}
	for _, folder := range []string{r.temporary, r.folder} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			return nil, err
		}
	}
	before := filesIn(o.Folder)
	began := time.Now()
	all := slices.Concat(startChecks, moveChecks, infoChecks, undoChecks, r.ruleChecks(), timeChecks, endChecks)
	for i, c := range all {
		if r.report.LeftOut(c.group) {
			continue
		}
		verdict := r.check(c)
		if err := cmp.Or(ctx.Err(), r.startError); err != nil {
			return nil, err
		}
		if verdict == Pass {
			r.timeouts = 0
		}
		if c.needed && verdict == Fail || r.timeouts >= mostTimeouts {
			if rest := len(all) - i - 1; rest > 0 {
				r.add(Result{Group: "run", Name: "all checks", Verdict: Warn, Text: fmt.Sprintf("checks left out, since the engine does not answer: %d", rest)})
			}
			break
		}
	}
	r.noted()
	r.files(before)
	r.report.Engine, r.report.Seconds = r.about, seconds(began)
	return r.report, ctx.Err()
}

func seconds(since time.Time) float64 { return float64(time.Since(since).Milliseconds()) / 1000 }

// notPlayed is the name of the result of a league that the engine does not play.
const notPlayed = "not played"

// LeftOut reports whether the engine has refused the size or the rule of a league.
func (p *Report) LeftOut(league string) bool {
	return slices.ContainsFunc(p.Results, func(r Result) bool { return r.Group == league && r.Name == notPlayed })
}

// leaveOut leaves leagues out, unless they are all that there are.
func (r *run) leaveOut(s *session, why string, out func(League) bool) bool {
	left := slices.DeleteFunc(slices.Clone(r.o.Leagues), out)
	if len(left) == 0 {
		return false
	}
	for _, l := range r.o.Leagues {
		if out(l) {
			r.add(Result{Group: l.Name, Name: notPlayed, Verdict: Warn, Text: why + "; -leagues leaves it out", Dialogue: s.talk()})
		}
	}
	r.o.Leagues = left
	return true
}

// add adds a result to the report.
func (r *run) add(result Result) { r.report.Add(result) }

// Add adds a result and counts it.
func (p *Report) Add(result Result) {
	p.Results = append(p.Results, result)
	switch result.Verdict {
	case Pass:
		p.Pass++
	case Warn:
		p.Warn++
	case Fail:
		p.Fail++
	}
}

// check runs one check. One of times that does not pass, or a first START without an answer, is tried again: the
// machine may have been busy. So is any without an answer if the engine loses lines.
func (r *run) check(c check) Verdict {
	if r.o.Begin != nil {
		r.o.Begin(c.group + ": " + c.name)
	}
	before, loses := r.timeouts, r.pause > 0
	result := r.once(c)
	timeouts := r.timeouts
	again := c.group == "time" || timeouts > before && (c.needed && c.group == "start" || loses)
	if again && result.Verdict != Pass && r.ctx.Err() == nil && r.startError == nil {
		result = r.once(c).after(result)
		r.timeouts = timeouts
	}
	r.add(result)
	return result.Verdict
}

// after returns the result of a check that has been tried twice, this time after first. An engine that is late
// once in two tries is not called right.
func (again Result) after(first Result) Result {
	again.Seconds += first.Seconds
	switch {
	case again.Verdict != Pass:
		again.Text += "; tried twice"
		return again
	case first.Verdict == Fail:
		again.Verdict = Warn
	}
	again.Text += "; at the second try, the first time: " + first.Text
	if again.Verdict != Pass {
		again.Dialogue = first.Dialogue
	}
	return again
}

// once tries a check.
func (r *run) once(c check) Result {
	began := time.Now()
	r.current, r.told, r.both = nil, "", false
	err := c.do(r)
	var dialogue []Line
	if err != nil {
		dialogue = r.talk()
	}
	for _, s := range r.current {
		s.close()
	}
	result := Result{Group: c.group, Name: c.name, Verdict: Pass, Text: cmp.Or(r.told, c.what), Dialogue: dialogue}
	if err != nil {
		result.Verdict, result.Text = Fail, err.Error()
		if f := (*finding)(nil); errors.As(err, &f) {
			result.Verdict = f.verdict
		}
	}
	result.Seconds = seconds(began)
	return result
}

// talk returns the dialogue with the last process of a check, or with the two that play each other.
func (r *run) talk() (lines []Line) {
	n := 1
	if r.both {
		n = 2
	}
	for i, s := range r.current[max(len(r.current)-n, 0):] {
		if i > 0 {
			lines = append(lines, Line{0, "note", "the other process"})
		}
		lines = append(lines, s.talk()...)
	}
	return lines
}

// note keeps what was seen beside the subject of a check, the worst of each name and of those the first.
func (r *run) note(s *session, name string, err error) {
	f := err.(*finding)
	i := slices.IndexFunc(r.notes, func(n Result) bool { return n.Name == name })
	if i >= 0 && (r.notes[i].Verdict == Fail || f.verdict == Warn) {
		return
	}
	result := Result{Group: "output", Name: name, Verdict: f.verdict, Text: f.text, Dialogue: s.talk()}
	if i >= 0 {
		r.notes[i] = result
	} else {
		r.notes = append(r.notes, result)
	}
}

// noted reports what was seen in all sessions, in a fixed order.
func (r *run) noted() {
	for _, about := range [][2]string{
		{"one answer", "each command has one answer"},
		{"no other text", "nothing is printed but answers, MESSAGE and DEBUG"},
		{"form of answers", "OK and x,y are written exactly so"},
		{"line ends", "lines end in LF or CR LF and are not too long"},
		{"standard error", "nothing is written to standard error"},
		{"processes", "no process runs on after the end of the engine"},
	} {
		result := Result{Group: "output", Name: about[0], Verdict: Pass, Text: about[1]}
		if i := slices.IndexFunc(r.notes, func(n Result) bool { return n.Name == about[0] }); i >= 0 {
			result = r.notes[i]
		}
		r.add(result)
	}
}

// left returns the number of processes with a mark after the time for their end, 0 where that cannot be known.
func (r *run) left(mark string) int {
	if r.o.Left == nil {
		return 0
	}
	for end := time.Now().Add(r.t.grace); ; time.Sleep(10 * time.Millisecond) {
		if n := r.o.Left(mark); n == 0 || time.Now().After(end) {
			return n
		}
	}
}

func (r *run) kill(mark string) {
	if r.o.Kill != nil {
		r.o.Kill(mark)
	}
}

// A file is what is known of a file to see whether it changes.
type file struct {
	size int64
	time time.Time
}

// mostFiles limits the files of a folder that are watched.
const mostFiles = 20_000

// filesIn lists the files in a folder and those below it, nil for none.
func filesIn(folder string) map[string]file {
	if folder == "" {
		return nil
	}
	list := map[string]file{}
	filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || len(list) >= mostFiles {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			list[path] = file{info.Size(), info.ModTime()}
		}
		return nil
	})
	return list
}

// files checks what the engine has written, and where.
func (r *run) files(before map[string]file) {
	result := Result{Group: "files", Name: "folder", Verdict: Pass, Text: "nothing is written outside the folder of INFO folder, and at most 70 MiB there"}
	var sum int64
	for _, f := range filesIn(r.folder) {
		sum += f.size
	}
	var written []string
	if before != nil {
		for name, f := range filesIn(r.o.Folder) {
			if was, ok := before[name]; !ok || was != f {
				if short, err := filepath.Rel(r.o.Folder, name); err == nil {
					name = short
				}
				written = append(written, name)
			}
		}
	}
	for name := range filesIn(r.temporary) {
		written = append(written, "temporary "+filepath.Base(name))
	}
	slices.Sort(written)
	switch {
	case sum > gomocupFolder:
		result.Verdict, result.Text = Fail, fmt.Sprintf("%d MiB of files in the folder of INFO folder, %d allowed", sum>>20, gomocupFolder>>20)
	case len(written) > 0:
		more := ""
		if n := len(written); n > 4 {
			written, more = written[:4], fmt.Sprintf(" and %d more", n-4)
		}
		result.Verdict, result.Text = Warn, "files written and left: "+strings.Join(written, ", ")+more
	}
	r.add(result)
}
