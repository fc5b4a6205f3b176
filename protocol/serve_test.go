package protocol

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/brain/database"
	"tengen/protocol/wire"
)

func TestServeAnswers(t *testing.T) {
	tests := []struct {
		name, in string
		want     string // lines separated by bars
	}{
		{"a game", "START 15\nBEGIN\nTURN 7,7\n", "OK|0,0|1,0"},
		{"every TURN of a pipe in order", "START 15\nTURN 7,7\nTURN 8,8\nTURN 9,9\n", "OK|0,0|1,0|2,0"},
		{"swap2", "START 15\nSWAP2BOARD\nDONE\nSWAP2BOARD\n1,1\n2,2\n3,3\n4,4\n5,5\nDONE\n", "OK|1,2 3,4|SWAP"},
		{"forbidden points", "START 15\nYXSHOWFORBID\n", "OK|FORBID 00011203."},
		{"a block without a game", "BOARD\n7,7,1\nDONE\nSTART 15\n", "ERROR no game has been started|OK"},
		{"one cell with two owners", "START 15\nBOARD\n7,7,1\n7,7,2\nDONE\nBOARD\n7,7,1\n7,7,1\nDONE\n",
			"OK|ERROR the cell 7,7 has the owners 1 and 2|0,0"},
		{"takeback", "START 15\nTURN 7,7\nTAKEBACK 0,0\nTAKEBACK 0,0\n", "OK|0,0|OK|ERROR no stone"},
		{"an unknown list is skipped", "YXNEWLIST\n1,1\nDONE\nSTART 15\n", `UNKNOWN command "YXNEWLIST"|OK`},
		{"bad bytes are quoted in the answer", "\xff\x01\n", `UNKNOWN command "\xff\x01"`},
		{"a line longer than any command", strings.Repeat("A", 100<<10) + "\nSTART 15\n",
			`UNKNOWN command "` + strings.Repeat("A", 40) + `..."|OK`},
		{"texts of Windows, one after the other", "\ufeffSTART 15\r\n\ufeffTURN 7,7\r\n", "OK|0,0"},
		{"nothing", "", ""},
	}
	for _, test := range tests {
		got := strings.Join(serve(t, &fake{}, test.in), "|")
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

func TestServePassesInfoOn(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"no Yixin-Board", "INFO timeout_turn 0\nINFO RULE 2\nINFO\n", "set timeout_turn=0; set rule=2"},
		{"rule 2 of Yixin-Board is renju", "yxshowinfo\nINFO rule 2\n", "keep true; set rule=4"},
		{"rules 5 and 6 of Yixin-Board are freestyle", "yxshowinfo\nINFO rule 5\nINFO rule 6\n", "keep true; set rule=0; set rule=0"},
		{"also if it was said before", "INFO rule 2\nreloadconfig\n", "set rule=2; keep true; set rule=4"},
		{"a refused value does not take the place of another", "INFO rule 2\nINFO rule 99\nINFO timeout_turn 0\nINFO timeout_turn soon\nyxshowinfo\n",
			"set rule=2; set timeout_turn=0; keep true; set rule=4; set timeout_turn=-1"},
		{"timeout_turn 0 of Yixin-Board is no limit", "INFO timeout_turn 0\nyxshowinfo\nINFO timeout_turn 0\n",
			"set timeout_turn=0; keep true; set timeout_turn=-1; set timeout_turn=-1"},
		{"YXSTOP alone does not make a Yixin-Board", "YXSTOP\nINFO rule 2\n", "set rule=2"},
	}
	for _, test := range tests {
		f := &fake{}
		serve(t, f, test.in)
		if got := f.asked(); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

func TestServeWhileTheEngineThinks(t *testing.T) {
	f := &fake{think: untilStopped}
	k := newTalk(t, f)
	k.say("START 15\n")
	k.hear("OK")
	k.say("TURN 7,7\nINFO rule 4\nTURN 8,8\nTAKEBACK 8,8\nABOUT\n")
	k.hear(aboutLine()) // at once, the rest waits
	if asked := f.asked(); !strings.Contains(asked, "set rule=4") || strings.Contains(asked, "play i9") {
		t.Errorf("asked %s, want the rule and not yet the second move", asked)
	}
	k.say("YXSTOP\n")
	k.hear("0,0")
	k.say("INFO timeout_turn 0\n")
	k.hear("1,0")
	k.hear("OK")
	k.say("TURN 9,9\nTURN 10,10\nSTART 20\n")
	k.hear("OK") // two moves are dropped
	k.say("TURN 1,1\nSTART 99\n")
	if got, err := k.out.next(time.Now().Add(answerLimit)); err != nil || !strings.HasPrefix(got, "ERROR") {
		t.Fatalf("got %q, %v, want an ERROR", got, err)
	}
	k.say("STOP\n") // the refused size has not dropped this
	k.hear("0,0")
	k.say("TURN 2,2\nEND\n")
	if err := k.out.leaves(time.Now().Add(answerLimit)); err != nil {
		t.Error(err)
	}
}

// A STOP behind a search that waits, for one that was stopped already, stops that.
func TestStopOfASearchThatWaits(t *testing.T) {
	release := make(chan struct{})
	k := newTalk(t, &fake{think: func(ctx context.Context, _ func(brain.Info)) {
		<-ctx.Done()
		<-release
	}})
	k.say("START 15\nTURN 7,7\nSTOP\nYXHASHCLEAR\nTURN 8,8\nSTOP\nSTOP\nTURN 9,9\nABOUT\n")
	k.hear("OK")
	k.hear(aboutLine()) // all has been read
	close(release)
	k.hear("0,0")
	k.hear("1,0")
	k.say("STOP\n") // the last one has none of its own yet
	k.hear("2,0")
}

// Yixin-Board leaves out a move where it begins a game during a search, which it has stopped or
// not: it has to come. What waits is executed, too.
func TestYixinBoardGetsTheMovesThatItLeavesOut(t *testing.T) {
	f := &fake{think: untilStopped}
	k := newTalk(t, f)
	k.say("YXSHOWINFO\nSTART 15\n")
	k.hear("OK")
	for _, tt := range []struct{ next, answer string }{
		{"YXBOARD\nDONE\nYXQUERYDATABASETEXT\nDONE\nYXSHOWFORBID", "FORBID 01000312."},
		{"BOARD\nDONE\nYXSTOP", "0,0"},
	} {
		k.say("TURN 7,7\nYXHASHCLEAR\nTURN 8,8\nYXSWAP2STEP1\nSTART 15\n" + tt.next + "\n")
		k.hear("OK")
		k.hear("0,0")
		k.hear("0,1")
		k.hear(tt.answer)
	}
	want := "play h8; think 1; forget; play i9; think 1; choose after [], 0s; game 15x15"
	if asked := f.asked(); strings.Count(asked, want) != 2 {
		t.Errorf("asked %s", asked)
	}
	k.say("TURN 7,7\nYXSTOP\nSTART 15\n")
	k.hear("0,1")
	k.hear("OK")
}

// It leaves none out where it asks for another search of the same position.
func TestYixinBoardAsksInAnotherWay(t *testing.T) {
	k := newTalk(t, &fake{think: untilStopped})
	k.say("YXSHOWINFO\nSTART 15\n")
	k.hear("OK")
	for _, ask := range []string{"YXNBEST 2", "YXSEARCHDEFEND"} {
		k.say("BOARD\n7,7,2\nDONE\nSTART 15\nYXBOARD\n7,7,2\nDONE\n" + ask + "\nYXSTOP\n")
		k.hear("OK")
		k.hear("0,0")
	}
	k.say("YXBOARD\nDONE\nYXSHOWFORBID\n")
	k.hear("FORBID 01000312.")
}

// What a search says of a failure is shown, though the step of an opening that it was for is not.
func TestNotesOfADroppedStep(t *testing.T) {
	var out strings.Builder
	s := &server{w: &out, e: &fake{}, yFirst: true}
	done := make(chan result, 1)
	done <- result{notes: []string{"a failure"}, lines: []string{"7,7"}}
	s.job = &job{cancel: func() {}, done: done}
	s.keepAnswers()
	s.sendKeptAnswers(task{command: command{Command: wire.Command{Verb: wire.Begin}}})
	if out.String() != "MESSAGE a failure\n" {
		t.Errorf("said %q", &out)
	}
}

// INFO timeout_turn 0 ends a search, except where it means that there is no limit.
func TestTimeoutTurnZeroWhileTheEngineThinks(t *testing.T) {
	k := newTalk(t, &fake{think: untilStopped})
	k.say("START 15\nTURN 7,7\nINFO timeout_turn 0\n")
	k.hear("OK")
	k.hear("0,0")
	k.say("RELOADCONFIG\nTURN 8,8\nINFO timeout_turn 0\nABOUT\n")
	k.hear(aboutLine())
	select {
	case line := <-k.out.lines:
		t.Errorf("got %q", line)
	case <-time.After(100 * time.Millisecond):
	}
	k.say("YXSTOP\n")
	k.hear("1,0")
}

// A search uses the options set before its command, even if it begins after later lines
// have been read.
func TestServeThinksByTheOptionsOfTheCommand(t *testing.T) {
	e := &fake{}
	serve(t, e, "START 15\nINFO rule 1\nBEGIN\n"+strings.Repeat("INFO max_node 5\n", 40)+"TURN 9,9\n")
	if len(e.thoughtBy) != 2 || e.thoughtBy[0].Nodes != 1 || e.thoughtBy[1].Nodes != 41 {
		t.Errorf("thought by %+v", e.thoughtBy)
	}
}

// What a move needs is loaded before it is asked for: at START, and after the options that change
// it when the engine is idle.
func TestServePrepares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{think: untilStopped}
		k := newTalk(t, f)
		for _, test := range []struct {
			say  string
			want int
		}{
			{"START 15", 1}, {"RESTART", 2},
			{"INFO rule 4", 3}, {"INFO thread_num 2", 4}, {"INFO max_memory 9", 5}, {"INFO hash_size 9", 6}, {"INFO strength 9", 7},
			{"INFO usedatabase 0", 8}, {"INFO folder f", 9},
			{"INFO time_left 9", 9}, {"INFO max_node 9", 9},
			{"TURN 7,7", 9}, {"INFO rule 0", 9}, {"STOP", 10},
		} {
			k.say(test.say + "\n")
			if synctest.Wait(); f.prepared != test.want {
				t.Errorf("prepared %d times after %s, want %d", f.prepared, test.say, test.want)
			}
		}
	})
}

// The time of a move counts from when its last line was read, and that of a move which had to wait
// from when the engine was free.
func TestWhenTheTimeOfAMoveBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		in, w := io.Pipe()
		f := &fake{think: func(context.Context, func(brain.Info)) { time.Sleep(time.Second) }}
		go func() {
			for _, command := range []string{"START 15\n", "TURN 7,7\nTURN 8,8\nTURN 9,9\n", "TURN 1,1\n", "START 15\nTURN 2,2\n", "BOARD\n", "1,1,2\nDONE\n"} {
				io.WriteString(w, command)
				time.Sleep(1900 * time.Millisecond)
			}
			w.Close()
		}()
		if err := Serve(t.Context(), in, io.Discard, f); err != nil {
			t.Error(err)
		}
		var got []string
		for _, start := range f.starts {
			got = append(got, start.Sub(begun).String())
		}
		if got, want := strings.Join(got, " "), "1.9s 2.9s 3.9s 4.9s 5.9s 9.5s"; got != want {
			t.Errorf("from %s, want %s", got, want)
		}
	})
}

func TestServeEndsEvenIfTheEngineDoesNotStop(t *testing.T) {
	forever := make(chan struct{})
	defer close(forever)
	f := &fake{think: func(context.Context, func(brain.Info)) { <-forever }}
	k := newTalk(t, f)
	k.say("START 15\nTURN 7,7\nABOUT\n")
	k.hear("OK")
	k.hear(aboutLine())
	k.say("END\n")
	if err := k.out.leaves(time.Now().Add(5 * time.Second)); err != nil {
		t.Error(err)
	}
}

// The end of the context is END: a search gets no answer, and nothing that waits is executed.
func TestServeAtTheEndOfTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		in, w := io.Pipe()
		defer w.Close()
		var out bytes.Buffer
		ended := make(chan error)
		go func() { ended <- Serve(ctx, in, &out, &fake{think: untilStopped}) }()
		io.WriteString(w, "START 15\nTURN 7,7\nTURN 8,8\n")
		synctest.Wait()
		cancel()
		if err := <-ended; err != nil || out.String() != "OK\n" {
			t.Errorf("%v, said %q", err, &out)
		}
	})
}

func TestServeAtTheEndOfInput(t *testing.T) {
	t.Parallel()
	const none = brain.NoLimit
	tests := []struct {
		name    string
		options brain.Options
		full    bool // the engine thinks as long as it wants
	}{
		{"a move of a minute continues", brain.Options{Turn: time.Minute, Left: none, Match: none}, true},
		{"a move of a game continues", brain.Options{Turn: none, Left: none, Match: time.Hour}, true},
		{"a move of what is left of a game continues", brain.Options{Turn: none, Left: time.Hour, Match: none}, true},
		{"a limit of depth continues", brain.Options{Turn: none, Left: none, Match: none, Depth: 1}, true},
		{"a limit of nodes continues", brain.Options{Turn: none, Left: none, Match: none, Nodes: 1}, true},
		{"a move of more than a minute is stopped", brain.Options{Turn: time.Minute + 1, Left: none, Match: none}, false},
		{"a move without a limit is stopped", brain.Options{Turn: none, Left: none, Match: none}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var whole atomic.Int32 // searches that were not stopped
			slow := func(ctx context.Context, _ func(brain.Info)) {
				select {
				case <-ctx.Done():
				case <-time.After(300 * time.Millisecond):
					whole.Add(1)
				}
			}
			got := strings.Join(serve(t, &fake{think: slow, opts: test.options}, "START 15\nTURN 7,7\nTURN 8,8\n"), "|")
			if got != "OK|0,0|1,0" {
				t.Errorf("got %s", got)
			}
			if n := whole.Load(); test.full && n != 2 || !test.full && n == 2 {
				t.Errorf("%d of 2 searches were not stopped", n)
			}
		})
	}
}

// After the end of input a search is stopped that would go on for more than a minute.
func TestServeStopsLongSearchesAtTheEndOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		f := &fake{think: untilStopped, opts: brain.Options{Turn: brain.NoLimit, Left: brain.NoLimit, Match: time.Hour}}
		got := strings.Join(serve(t, f, "START 15\nTURN 7,7\nTURN 8,8\n"), "|")
		if took := time.Since(begun); got != "OK|0,0|1,0" || took != 2*time.Minute {
			t.Errorf("got %s after %v, want two moves after a minute each", got, took)
		}
	})
}

func TestServeMessages(t *testing.T) {
	f := &fake{think: func(ctx context.Context, report func(brain.Info)) {
		end := time.Now().Add(2 * messageGap)
		for n := int64(0); time.Now().Before(end); n++ {
			report(brain.Info{Lines: 1, Depth: 5, SelDepth: 9, Score: -42, Nodes: n, PV: []board.Move{board.At(7, 7), board.At(0, 14)}})
		}
	}}
	var out bytes.Buffer
	if err := Serve(t.Context(), strings.NewReader("START 15\nTURN 7,7\n"), &out, f); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if n := len(lines); n < 5 || n > 8 || lines[n-1] != "0,0" || !strings.HasPrefix(lines[n-2], "MESSAGE depth 3-0 ") || lines[n-3] != "MESSAGE a note" {
		t.Fatalf("got %q", lines)
	}
	if !strings.HasPrefix(lines[1], "MESSAGE depth 5-9 eval -42 nodes ") || !strings.HasSuffix(lines[1], " pv h8 a1") {
		t.Errorf("got %q", lines[1])
	}
}

func TestServeSurvivesAnEngineThatPanics(t *testing.T) {
	f := &fake{think: func(context.Context, func(brain.Info)) { panic("broken\nin two") }}
	got := strings.Join(serve(t, f, "START 15\nTURN 7,7\nYXSHOWFORBID\n"), "|")
	if want := "OK|ERROR internal failure: broken?in two|FORBID 00011203."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A breaking engine panics where it is to set up a position, to use a database, to empty a board of
// stones, to set a rule or to get ready for it.
type breaking struct{ *fake }

func (breaking) Setup([]brain.Stone) error      { panic("no position") }
func (breaking) UseDatabase(*database.Database) { panic("no database") }
func (breaking) Restart() error                 { panic("no board") }

func (b breaking) Set(key, value string) error {
	err := b.fake.Set(key, value)
	if value == "9" {
		panic("no rule")
	}
	return err
}

func (b breaking) Prepare() {
	if b.fake.Prepare(); strings.Contains(b.asked(), "rule=4") {
		panic("not ready")
	}
}

func TestServeSurvivesCommandsThatPanic(t *testing.T) {
	for input, want := range map[string]string{
		"BOARD\n7,7,1\n8,8,2\nDONE\n":                                 "ERROR internal failure: no position",
		"YXBOARD\n7,7,1\nDONE\n":                                      "ERROR internal failure: no position",
		"YXSETDATABASE\n" + filepath.Join(t.TempDir(), "x.db") + "\n": "ERROR internal failure: no database",
		"RESTART\n":               "ERROR internal failure: no board",
		"INFO rule 9\nABOUT\n":    aboutLine(), // INFO has no answer
		"INFO rule 4\nSTART 15\n": "OK",
	} {
		got := strings.Join(serve(t, breaking{&fake{}}, "START 15\n"+input+"YXSHOWFORBID\n"), "|")
		if want := "OK|" + want + "|FORBID 00011203."; got != want {
			t.Errorf("%q: got %s, want %s", input, got, want)
		}
	}
}

// A failing writer takes n lines.
type failing struct{ n int }

func (w *failing) Write(p []byte) (int, error) {
	if w.n--; w.n < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestServeReturnsAWriteError(t *testing.T) {
	inR, inW := io.Pipe()
	defer inR.Close()
	go io.WriteString(inW, "START 15\nSTART 15\nSTART 15\n")
	if err := Serve(t.Context(), inR, &failing{1}, &fake{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
}

func TestServeLimitsItsQueue(t *testing.T) {
	f := &fake{think: untilStopped}
	k := newTalk(t, f)
	k.say("START 15\nTURN 7,7\n")
	k.hear("OK")
	k.say(strings.Repeat("FOO\n", maxQueue+1))
	k.hear("ERROR too many commands are waiting")
	k.say("START 15\n")
	k.hear("OK")
}

func TestInfoLine(t *testing.T) {
	pv := []board.Move{board.At(7, 7), board.At(6, 8)}
	tests := []struct {
		name string
		info brain.Info
		want string
	}{
		{"one line", brain.Info{Lines: 1, Depth: 12, SelDepth: 25, Score: 34, Nodes: 1000, Elapsed: 500 * time.Millisecond, PV: pv},
			"MESSAGE depth 12-25 eval 34 nodes 1000 nps 2000 time 500 pv h8 g7"},
		{"a win", brain.Info{Lines: 1, Depth: 3, Score: 30000 - 7}, "MESSAGE depth 3-0 eval +M7 nodes 0 time 0"},
		{"a loss", brain.Info{Lines: 1, Depth: 3, Score: 6 - 30000}, "MESSAGE depth 3-0 eval -M6 nodes 0 time 0"},
		{"one of several lines", brain.Info{Line: 1, Lines: 5, Depth: 3, Score: -7}, "MESSAGE line 2/5 depth 3-0 eval -7 nodes 0 time 0"},
	}
	for _, test := range tests {
		got := view{15, 15, false}.statsLine(test.info)
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
		// A manager reads it.
		s, line, ok := wire.ParseMessage(got)
		if !ok || line != test.info.Line+1 || s.Depth != test.info.Depth || s.Nodes != test.info.Nodes || !s.Scored {
			t.Errorf("%s: read as line %d of %+v", test.name, line, s)
		}
	}
}

// A book that cannot be read is one ERROR, at once, and the book before stays.
func TestServeRefusesABookThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	good, bad, none := filepath.Join(dir, "good"), filepath.Join(dir, "bad"), filepath.Join(dir, "none")
	for name, text := range map[string]string{good: "0 15 h8 c3 7\n", bad: "nonsense\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := strings.Split(told(t, "INFO book "+good+"\nSTART 15\nINFO book "+none+"\nINFO book "+bad+"\nINFO max_node 10\nTURN 7,7\n"), "\n")
	want := []string{"OK", `ERROR INFO book: there is no file "` + none + `", the book stays`, "ERROR INFO book: " + bad + ": line 1: 1 fields"}
	for i, line := range want {
		if !strings.HasPrefix(got[i], line) {
			t.Errorf("got %q, want %q", got[i], line)
		}
	}
	if told := got[len(got)-3]; !regexp.MustCompile(`^MESSAGE book eval 7 pv [cm](3|13)$`).MatchString(told) {
		t.Errorf("the move of the book is shown as %q", told)
	}
	if answer := got[len(got)-2]; !slices.Contains([]string{"2,2", "2,12", "12,2", "12,12"}, answer) {
		t.Errorf("got %q, not c3 or an image of it", answer)
	}
}

// A value that is not a number is refused by one ERROR, also of a key that is ignored.
func TestInfoTakesOnlyNumbers(t *testing.T) {
	numbers := 0
	for _, k := range InfoKeys() {
		if k.Name == "book" || k.Name == "folder" || k.Name == "evaluate" {
			continue
		}
		numbers++
		for _, value := range []string{"word", "", "1x", "0x10", "1,5"} {
			if got := told(t, "START 15\nINFO "+k.Name+" "+value+"\nEND\n"); strings.Count(got, "\n") != 2 || !strings.HasPrefix(got, "OK\nERROR INFO "+k.Name+" ") {
				t.Errorf("INFO %s %s gives %q", k.Name, value, got)
			}
		}
	}
	if got := told(t, "START 15\nINFO game_type 1.0\nEND\n"); got != "OK\n" {
		t.Errorf("a fraction: %q", got)
	}
	if numbers < 20 {
		t.Errorf("only %d keys have numbers", numbers)
	}
}
