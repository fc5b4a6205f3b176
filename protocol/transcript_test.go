package protocol

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/protocol/wire"
)

// The conversations in ../testdata/protocol are played with Serve and with the built
// program. Each file has stories separated by lines of dashes; every story begins with a new
// engine. The lines of a story:
//
//	# text          a comment
//	> text          is sent with a line feed
//	>> "text\r\n"   is sent as quoted, without another line feed
//	< text          must be the next answer; MESSAGE and DEBUG lines are ignored
//	< re REGEX      the next answer must match
//	< move          the next answer must be a move to a free cell of the board
//	< 300ms ...     as above, within that time of the last line sent
//	<< re REGEX     one of the next lines must match; MESSAGE, DEBUG and INFO lines before it are ignored
//	<< move         the same for a move
//	~ 300ms         there must be no output for that long
//	! eof           the input is closed
//	! exit 500ms    the engine must exit within that time, without further output
//
// In a line sent, $1 is the first move that the engine has answered in the story, $2 the
// second, $last the latest, $free a free cell, and $dir an empty directory of the story.
const transcripts = "../testdata/protocol/*.txt"

var update = flag.Bool("update", false, "rewrite the exact replies in testdata/protocol")

// answerLimit is for answers without a time of their own: only a hang reaches it.
const answerLimit = 30 * time.Second

// An opponent is the engine of a story.
type opponent struct {
	in    io.WriteCloser
	lines chan string   // without line ends; closed with the output
	gone  chan struct{} // closed when the engine has ended
	check func() error  // called after gone
	pid   int           // of the program, or 0
}

// newServed runs Serve in this process.
func newServed() *opponent {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	o := &opponent{in: inW, lines: make(chan string, 1000), gone: make(chan struct{})}
	e := brain.New(brain.Config{})
	e.Set("hash_size", "1024") // many engines run at the same time
	whole := &wholeLines{w: outW}
	var err error
	go func() {
		err = Serve(context.Background(), inR, whole, e)
		outW.Close()
		inR.Close()
		close(o.gone)
	}()
	go o.scan(outR)
	o.check = func() error {
		if err != nil {
			return err
		}
		return whole.err
	}
	return o
}

// wholeLines checks that every Write is exactly one line, in printable ASCII except texts of
// the database, which are printable UTF-8.
type wholeLines struct {
	w      io.Writer
	err    error
	quoted bool // within a text of several lines
}

const databaseText = `MESSAGE DATABASE TEXT "`

// stillQuoted reports whether a text of the database goes on behind the line.
func stillQuoted(quoted bool, line string) bool {
	if !quoted {
		var ok bool
		if line, ok = strings.CutPrefix(line, databaseText); !ok {
			return false
		}
	}
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return false
		}
	}
	return true
}

func (l *wholeLines) Write(p []byte) (int, error) {
	if bytes.IndexByte(p, '\n') != len(p)-1 || len(p) < 2 && !l.quoted {
		l.err = fmt.Errorf("one Write of %q, want one line", p)
	}
	line := string(p[:max(len(p)-1, 0)])
	text := l.quoted || strings.HasPrefix(line, "MESSAGE DATABASE ")
	l.quoted = stillQuoted(l.quoted, line)
	for _, ch := range line {
		if ch < ' ' || ch == 0x7f || ch > '~' && !text || ch == utf8.RuneError {
			l.err = fmt.Errorf("the line %q has a character that is not printable", p)
		}
	}
	return l.w.Write(p)
}

// newProgram starts the program at path.
func newProgram(t testing.TB, path string) *opponent {
	cmd := exec.Command(path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = outW, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	outW.Close()
	o := &opponent{in: in, lines: make(chan string, 1000), gone: make(chan struct{}), pid: cmd.Process.Pid}
	var exit error
	go func() {
		exit = cmd.Wait()
		close(o.gone)
	}()
	go func() {
		o.scan(outR)
		outR.Close()
	}()
	t.Cleanup(func() { cmd.Process.Kill() })
	o.check = func() error {
		if exit != nil {
			return exit
		}
		if stderr.Len() > 0 {
			return fmt.Errorf("standard error has %q", stderr.String())
		}
		return nil
	}
	return o
}

func (o *opponent) scan(r io.Reader) {
	defer close(o.lines)
	var line []byte
	chunk := make([]byte, 4096)
	for {
		n, err := r.Read(chunk)
		for _, ch := range chunk[:n] {
			if ch != '\n' {
				line = append(line, ch)
				continue
			}
			o.lines <- string(line)
			line = line[:0]
		}
		if err != nil {
			return
		}
	}
}

// close ends the engine by closing its input.
func (o *opponent) close() {
	o.in.Close()
	go func() {
		for range o.lines {
		}
	}()
}

// programDir is the directory in which program builds; TestMain removes it.
var programDir string

// program builds pbrain-tengen once for all tests and returns its path.
var program = sync.OnceValues(func() (string, error) {
	var err error
	if programDir, err = os.MkdirTemp("", "tengen-test"); err != nil {
		return "", err
	}
	path := filepath.Join(programDir, "pbrain-tengen")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", path, "tengen/cmd/pbrain-tengen").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%v: %s", err, out)
	}
	return path, nil
})

// TestTranscriptsAgainstServe plays all conversations. Together they have every command and every search
// that a manager can ask for, each in the order in which one does.
func TestTranscriptsAgainstServe(t *testing.T) {
	t.Parallel()
	eachStory(t, func(t *testing.T, s *story) {
		s.play(t, newServed())
	})
}

// TestTranscriptsAgainstTheProgram plays the first conversation of each file once more, through pipes: the
// program reads and writes lines as Serve does, and ends. It alone tests that.
func TestTranscriptsAgainstTheProgram(t *testing.T) {
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	t.Parallel()
	eachStory(t, func(t *testing.T, s *story) {
		if s.first == 1 {
			s.play(t, newProgram(t, path))
		}
	})
}

// A story is one conversation; its lines keep their numbers in the file.
type story struct {
	file  string
	first int // number of the first line, from 1
	lines []string
	title string

	// What the story knows of the game.
	width, height int
	taken         map[[2]int]bool
	answers       []string
}

// eachStory runs play as a subtest for every story of every file.
func eachStory(t *testing.T, play func(*testing.T, *story)) {
	files, err := filepath.Glob(transcripts)
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
		stories := split(file, lines)
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			for _, s := range stories {
				t.Run(s.title, func(t *testing.T) { play(t, s) })
			}
			if *update {
				if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// split cuts the lines of a file into stories, which share their memory.
func split(file string, lines []string) []*story {
	var stories []*story
	s := &story{file: file, first: 1}
	end := func(i int) {
		s.lines = lines[s.first-1 : i]
		for _, line := range s.lines {
			if text, ok := strings.CutPrefix(line, "# "); ok && s.title == "" {
				s.title = text
			}
		}
		if len(s.lines) > 0 {
			stories = append(stories, s)
		}
		s = &story{file: file, first: i + 2}
	}
	for i, line := range lines {
		if strings.HasPrefix(line, "---") {
			end(i)
		}
	}
	end(len(lines))
	return stories
}

var numberedMove = regexp.MustCompile(`\$(\d+|last|free)`)

// play plays the story with o.
func (s *story) play(t *testing.T, o *opponent) {
	defer o.close()
	s.taken = map[[2]int]bool{}
	dir := t.TempDir()
	sent := time.Now()
	for i, line := range s.lines {
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("%s:%d: %s: %s", s.file, s.first+i, line, fmt.Sprintf(format, args...))
		}
		kind, text, _ := strings.Cut(line, " ")
		switch kind {
		case "", "#":
		case ">", ">>":
			text = numberedMove.ReplaceAllStringFunc(text, func(name string) string {
				return s.cell(name, fail)
			})
			text = strings.ReplaceAll(text, "$dir", filepath.ToSlash(dir))
			if kind == ">>" {
				raw, err := strconv.Unquote(text)
				if err != nil {
					fail("%v", err)
				}
				text = raw
			} else {
				text += "\n"
			}
			s.follow(text)
			sent = time.Now()
			if _, err := io.WriteString(o.in, text); err != nil {
				fail("%v", err)
			}
		case "<", "<<":
			limit := answerLimit
			if word, rest, ok := strings.Cut(text, " "); ok {
				if d, err := time.ParseDuration(word); err == nil {
					limit, text = d, rest
				}
			}
			next := o.next
			if kind == "<<" {
				next = func(until time.Time) (string, error) { return o.find(text, until) }
			}
			got, err := next(sent.Add(limit))
			if err != nil {
				fail("%v", err)
			}
			if bad := s.compare(text, got); bad != "" {
				if *update && text != "move" && !strings.HasPrefix(text, "re ") {
					s.lines[i] = "< " + got
					break
				}
				fail("%s", bad)
			}
		case "~":
			d, err := time.ParseDuration(text)
			if err != nil {
				fail("%v", err)
			}
			select {
			case got, open := <-o.lines:
				if open {
					fail("got %q, want nothing", got)
				}
				fail("the engine is gone")
			case <-time.After(d):
			}
		case "!":
			if text == "eof" {
				sent = time.Now()
				o.in.Close()
				break
			}
			d, err := time.ParseDuration(strings.TrimPrefix(text, "exit "))
			if err != nil {
				fail("%v", err)
			}
			if err := o.leaves(sent.Add(d)); err != nil {
				fail("%v", err)
			}
		default:
			fail("not a line of a story")
		}
	}
}

// find returns the next line that matches "re REGEX", or that is not a line about a search.
func (o *opponent) find(want string, until time.Time) (string, error) {
	expr, isExpr := strings.CutPrefix(want, "re ")
	re, err := regexp.Compile(expr)
	if err != nil {
		return "", err
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	for {
		select {
		case line, open := <-o.lines:
			if !open {
				return "", fmt.Errorf("the engine is gone")
			}
			if isExpr && re.MatchString(line) || !isChatter(line) && !strings.HasPrefix(line, "INFO ") {
				return line, nil
			}
		case <-timer.C:
			return "", fmt.Errorf("no such line in time")
		}
	}
}

// next returns the next line that is an answer.
func (o *opponent) next(until time.Time) (string, error) {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	for {
		select {
		case line, open := <-o.lines:
			if !open {
				return "", fmt.Errorf("the engine is gone")
			}
			if !isChatter(line) {
				return line, nil
			}
		case <-timer.C:
			return "", fmt.Errorf("no answer in time")
		}
	}
}

// isChatter reports whether a line may precede an answer.
func isChatter(line string) bool {
	return strings.HasPrefix(line, "MESSAGE ") || strings.HasPrefix(line, "DEBUG ")
}

// leaves waits for the engine to exit without further output.
func (o *opponent) leaves(until time.Time) error {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	for lines := o.lines; ; {
		select {
		case line, open := <-lines:
			if !open {
				lines = nil
			} else if !isChatter(line) {
				return fmt.Errorf("got %q, want nothing more", line)
			}
		case <-o.gone:
			if lines != nil {
				for line := range lines {
					if !isChatter(line) {
						return fmt.Errorf("got %q, want nothing more", line)
					}
				}
			}
			return o.check()
		case <-timer.C:
			return fmt.Errorf("the engine is still there")
		}
	}
}

// cell replaces $1, $last or $free.
func (s *story) cell(name string, fail func(string, ...any)) string {
	n := len(s.answers)
	switch name {
	case "$free":
		for y := range s.height {
			for x := range s.width {
				if c := [2]int{(x*7 + 3) % s.width, (y*5 + 3) % s.height}; !s.taken[c] {
					return fmt.Sprintf("%d,%d", c[0], c[1])
				}
			}
		}
		fail("no cell is free")
	case "$last":
	default:
		n, _ = strconv.Atoi(name[1:])
	}
	if n < 1 || n > len(s.answers) {
		fail("there is no answer %s", name)
	}
	return s.answers[n-1]
}

// follow updates the game by a line that is sent.
func (s *story) follow(text string) {
	for line := range strings.Lines(text) {
		c := parse(line)
		stone, reason := view{width: s.width, height: s.height}.stone(line, true)
		switch {
		case c.Verb == wire.Start && board.ValidSize(c.Width, c.Height):
			s.width, s.height = c.Width, c.Height
			clear(s.taken)
		case c.Verb == wire.Restart, c.Verb == wire.SetBoard, c.Name == "YXBOARD":
			clear(s.taken)
			for _, field := range strings.Fields(c.Inline) {
				s.follow(field)
			}
		case c.Verb == wire.Turn:
			s.taken[[2]int{c.X, c.Y}] = true
		case c.Verb == wire.TakeBack:
			delete(s.taken, [2]int{c.X, c.Y})
		case reason == "":
			s.taken[[2]int{stone.Move.X(), stone.Move.Y()}] = true
		}
	}
}

// compare returns what is wrong with an answer, or "".
func (s *story) compare(want, got string) string {
	if want == "move" {
		x, y, ok := wire.ParsePair(got)
		switch {
		case !ok || got != fmt.Sprintf("%d,%d", x, y):
			return fmt.Sprintf("got %q, want a move", got)
		case x < 0 || x >= s.width || y < 0 || y >= s.height:
			return fmt.Sprintf("the move %s is not on the board", got)
		case s.taken[[2]int{x, y}]:
			return fmt.Sprintf("the cell %s is taken", got)
		}
		s.taken[[2]int{x, y}] = true
		s.answers = append(s.answers, got)
		return ""
	}
	if expr, ok := strings.CutPrefix(want, "re "); ok {
		re, err := regexp.Compile(expr)
		if err != nil {
			return err.Error()
		}
		if !re.MatchString(got) {
			return fmt.Sprintf("got %q", got)
		}
	} else if got != want {
		return fmt.Sprintf("got %q", got)
	}
	if x, y, ok := wire.ParsePair(got); ok {
		s.taken[[2]int{x, y}] = true
		s.answers = append(s.answers, got)
	}
	return ""
}
