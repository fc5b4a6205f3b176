package client

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/protocol/wire"
)

// wantFailure fails the test unless err is a Failure of the given reason.
func wantFailure(t *testing.T, err error, reason Reason) *Failure {
	t.Helper()
	var f *Failure
	if !errors.As(err, &f) || f.Reason != reason {
		t.Fatalf("got error %v, want a failure by %s", err, reason)
	}
	return f
}

const long = 20 * time.Second // a limit that only a defective client reaches

func TestClientPlaysAGame(t *testing.T) {
	for _, name := range []string{"good", "cr", "crlf"} {
		t.Run("line ends of an engine called "+name, func(t *testing.T) {
			c := launch(t, name, nil)
			if text, err := c.About(long); err != nil || !strings.HasPrefix(text, "name=") {
				t.Fatalf("About gave %q, %v", text, err)
			}
			if err := c.Start(15, 15, long); err != nil {
				t.Fatal(err)
			}
			if err := c.Info("rule", "0"); err != nil {
				t.Fatal(err)
			}
			r, err := c.Begin(long)
			if err != nil || r.X != 0 || r.Y != 0 || r.Move(15, 15) != board.At(0, 0) {
				t.Fatalf("Begin gave %+v, %v", r, err)
			}
			if r, err = c.Turn(board.At(7, 7), long); err != nil || r.X != 1 {
				t.Fatalf("Turn gave %+v, %v", r, err)
			}
			r, err = c.Board([]board.Move{board.At(3, 3), board.At(4, 4)}, long)
			if err != nil || r.X != 2 {
				t.Fatalf("Board gave %+v, %v", r, err)
			}
			if err := c.Start(20, 15, long); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestClientAsksForBestLines(t *testing.T) {
	var got []string
	c := launch(t, "repeats", func(o *Options) {
		o.OnMessage = func(line string) { got = append(got, strings.TrimPrefix(line, "MESSAGE got ")) }
	})
	if err := c.Start(15, 15, time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := c.Position([]board.Move{board.At(7, 7), board.At(8, 7), board.At(8, 8)}); err != nil {
		t.Fatal(err)
	}
	r, err := c.NBest(2, time.Minute)
	if err != nil || r.X != 0 || r.Y != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if got, want := strings.Join(got, ", "), "START 15, YXBOARD, 7,7,2, 8,7,1, 8,8,2, DONE, YXNBEST 2"; got != want {
		t.Errorf("the engine got %s, want %s", got, want)
	}
}

// Other commands as the engine gets them.
func TestClientWritesCommands(t *testing.T) {
	var got []string
	c := launch(t, "repeats", func(o *Options) {
		o.OnMessage = func(line string) { got = append(got, strings.TrimPrefix(line, "MESSAGE got ")) }
	})
	moves := []board.Move{board.At(1, 2), board.At(3, 4)}
	balance := func(n int) error {
		_, err := c.Balance(n, long)
		return err
	}
	turn := func(m board.Move) error {
		_, err := c.Turn(m, long)
		return err
	}
	for _, n := range []int{0, 3} {
		if balance(n) == nil || c.Err() != nil {
			t.Errorf("%d moves: no error, or one that is final: %v", n, c.Err())
		}
	}
	for i, err := range []error{
		c.Start(20, 15, long), c.Infos([][2]string{{"rule", "4"}, {"folder", "a b"}}),
		c.Block(moves), c.Block(nil), balance(1), balance(2), turn(board.At(19, 14)),
	} {
		if err != nil {
			t.Errorf("call %d: %v", i, err)
		}
	}
	want := "RECTSTART 20,15, INFO rule 4, INFO folder a b, YXBLOCKRESET, YXBLOCK, 1,2, 3,4, DONE, YXBLOCKRESET, " +
		"YXBALANCEONE 0, YXBALANCETWO 0, TURN 19,14"
	if got := strings.Join(got, ", "); got != want {
		t.Errorf("the engine got %s, want %s", got, want)
	}
}

func TestClientSwap2(t *testing.T) {
	tests := []struct {
		stones int
		swap   bool
		moves  [][2]int
	}{
		{0, false, [][2]int{{1, 1}, {2, 2}, {3, 3}}},
		{3, false, [][2]int{{4, 4}, {5, 5}}},
		{5, true, nil},
	}
	for _, test := range tests {
		c := launch(t, "good", nil)
		stones := make([]board.Move, test.stones)
		for i := range stones {
			stones[i] = board.At(i, i)
		}
		r, err := c.Swap2(stones, long)
		if err != nil || r.Swap != test.swap || !reflect.DeepEqual(r.Moves, test.moves) {
			t.Errorf("%d stones: got %+v, %v", test.stones, r, err)
		}
	}
}

func TestClientNamesWhatAnEngineDoesWrong(t *testing.T) {
	tests := []struct {
		engine string
		reason Reason
		lasts  bool
		limit  time.Duration
	}{
		{"late", Timeout, true, 100 * time.Millisecond},
		{"silent", Timeout, true, 100 * time.Millisecond},
		{"reads nothing", Timeout, true, 100 * time.Millisecond},
		{"exits", Crash, true, long},
		{"closes", Crash, true, long},
		{"error", Protocol, false, long},
		{"unknown", Protocol, false, long},
		{"junk", Timeout, true, time.Second}, // for the junk to come on a busy machine
		{"floods lines", Protocol, true, long},
		{"floods one line", Protocol, true, long},
	}
	for _, test := range tests {
		t.Run(test.engine, func(t *testing.T) {
			t.Parallel()
			c := launch(t, test.engine, func(o *Options) { o.MaxOutput = 1 << 20 })
			if test.engine == "junk" { // the process runs
				if err := c.Start(15, 15, long); err != nil {
					t.Fatal(err)
				}
			}
			_, err := c.Begin(test.limit)
			f := wantFailure(t, err, test.reason)
			if test.engine == "junk" && !strings.Contains(f.Detail, "resign") {
				t.Errorf("detail %q does not say what came instead", f.Detail)
			}
			if test.engine == "exits" && !strings.Contains(f.Detail, "exit status 3") {
				t.Errorf("detail %q does not contain the exit status", f.Detail)
			}
			if !test.lasts {
				if c.Err() != nil {
					t.Errorf("a wrong line is final: %v", c.Err())
				}
				return
			}
			if err := c.Start(15, 15, long); !errors.Is(err, f) {
				t.Errorf("the next command gives %v, want the same failure", err)
			}
		})
	}
}

func TestClientStart(t *testing.T) {
	wantFailure(t, launch(t, "refuses", nil).Start(15, 15, long), Protocol)
	wantFailure(t, launch(t, "no ok", nil).Start(15, 15, 100*time.Millisecond), Timeout)
	if err := launch(t, "late ok", nil).Start(15, 15, long); err != nil {
		t.Errorf("other lines before OK: %v", err)
	}
}

// An answer to ABOUT that is missing, or comes late, is none to the command that follows.
func TestClientAboutMayStayUnanswered(t *testing.T) {
	for _, engine := range []string{"no about", "late about", "late unknown", "late error"} {
		for next, command := range map[string]func(*Client) error{
			"START": func(c *Client) error { return c.Start(15, 15, long) },
			"BEGIN": func(c *Client) error { _, err := c.Begin(long); return err },
		} {
			t.Run(engine+", "+next, func(t *testing.T) {
				t.Parallel()
				c := launch(t, engine, nil)
				if text, err := c.About(50 * time.Millisecond); text != "" || err != nil {
					t.Fatalf("About gave %q, %v", text, err)
				}
				if err := command(c); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// An engine that does not know ABOUT may refuse the size of the board.
func TestClientStartRefusedAfterABOUT(t *testing.T) {
	for limit := 250 * time.Millisecond; ; limit *= 4 {
		c := launch(t, "no about, refuses", nil)
		if text, err := c.About(50 * time.Millisecond); text != "" || err != nil {
			t.Fatalf("About gave %q, %v", text, err)
		}
		err := c.Start(15, 15, limit)
		if f := (*Failure)(nil); errors.As(err, &f) && f.Reason == Timeout && limit < long {
			continue // on a busy machine the refusal may not have come in time
		}
		if f := wantFailure(t, err, Protocol); !strings.Contains(f.Detail, "ERROR size") {
			t.Errorf("the failure is %v", f)
		}
		return
	}
}

func TestClientAnswerBeforeTheEndCounts(t *testing.T) {
	c := launch(t, "answers and exits", nil)
	if _, err := c.Begin(long); err != nil {
		t.Fatal(err)
	}
	_, err := c.Turn(board.At(7, 7), long)
	wantFailure(t, err, Crash)
}

func TestClientFailsByAMoveWithoutACommand(t *testing.T) {
	c := launch(t, "twice", nil)
	if _, err := c.Begin(long); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(long); c.Err() == nil && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	_, err := c.Turn(board.At(7, 7), long)
	wantFailure(t, err, Protocol)
}

func TestClientReadsCoordinatesAsGiven(t *testing.T) {
	c := launch(t, "blanks", nil)
	if r, err := c.Begin(long); err != nil || r.X != 7 || r.Y != 8 {
		t.Errorf("got %+v, %v, want 7,8", r, err)
	}
	if r, err := c.Balance(1, long); err != nil || r.X != 7 || r.Y != 8 {
		t.Errorf("got %+v, %v, want 7,8 from YXBALANCEONE", r, err)
	}
	r, err := launch(t, "off", nil).Begin(long)
	if err != nil || r.X != -1 || r.Y != 99 || r.Move(15, 15) != board.None {
		t.Errorf("got %+v, %v, want -1,99 and no cell", r, err)
	}
}

func TestClientCollectsStats(t *testing.T) {
	var mu sync.Mutex
	var messages []string
	c := launch(t, "chats", func(o *Options) {
		o.OnMessage = func(line string) { mu.Lock(); messages = append(messages, line); mu.Unlock() }
	})
	r, err := c.Begin(long)
	if err != nil {
		t.Fatal(err)
	}
	want := wire.Stats{Depth: 4, SelDepth: 7, Scored: true, Mate: -6, Nodes: 1900, Speed: 60000, Time: 31 * time.Millisecond, PV: "i9 h8"}
	if r.Stats != want {
		t.Errorf("got %+v, want %+v", r.Stats, want)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(messages) != 4 || messages[1] != "debug nothing" {
		t.Errorf("OnMessage got %q", messages)
	}
}

// The engine answers after 5 ms. The time that the client itself takes must not be added.
func TestClientElapsed(t *testing.T) {
	c := launch(t, "prompt", nil)
	const n = 21
	under := 0
	for range n {
		r, err := c.Turn(board.At(7, 7), long)
		if err != nil {
			t.Fatal(err)
		}
		if r.Elapsed < 5*time.Millisecond {
			t.Fatalf("elapsed %v is less than the engine slept", r.Elapsed)
		}
		if r.Elapsed < 100*time.Millisecond {
			under++
		}
	}
	if under <= n/2 {
		t.Errorf("only %d of %d answers measured under 100 ms", under, n)
	}
}

func TestClientPause(t *testing.T) {
	c := launch(t, "good", func(o *Options) { o.Pause = 80 * time.Millisecond })
	start := time.Now()
	for i := range 4 {
		r, err := c.Turn(board.At(7, 7), long)
		if err != nil {
			t.Fatal(err)
		}
		if least := time.Duration(i) * 80 * time.Millisecond; time.Since(start) < least {
			t.Errorf("answer %d came before %v", i, least)
		}
		if i > 0 && r.Elapsed > time.Since(start)-time.Duration(i)*80*time.Millisecond {
			t.Errorf("the pause was charged: %v", r.Elapsed)
		}
	}
}

// An engine that never reads must not block its manager: the pipe fills, and the limit
// applies.
func TestClientIsNotBlockedByAnEngineThatDoesNotRead(t *testing.T) {
	c := launch(t, "reads nothing", nil)
	moves := make([]board.Move, 100000)
	start := time.Now()
	_, err := c.Board(moves, 200*time.Millisecond)
	wantFailure(t, err, Timeout)
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %v to notice", d)
	}
}

// What does not fit in the pipe is written when the engine reads on.
func TestClientSendsMoreThanAPipeHolds(t *testing.T) {
	c := launch(t, "good", nil)
	if r, err := c.Board(make([]board.Move, 100000), long); err != nil || r.X != 0 {
		t.Fatalf("got %+v, %v", r, err)
	}
	if r, err := c.Turn(board.At(7, 7), long); err != nil || r.X != 1 {
		t.Errorf("got %+v, %v", r, err)
	}
}

// Two engines think at the same time. Each answer belongs to its own command, also if it
// arrived before Answer was called, or the engine exited after it.
func TestClientAnswersAreTakenLater(t *testing.T) {
	a := launch(t, "good", nil)
	b := launch(t, "answers and exits", nil)
	for _, c := range []*Client{a, b} {
		if _, err := c.Answer(); err == nil {
			t.Error("an answer without a command")
		}
		c.SendStart(15, 15, long)
	}
	for _, c := range []*Client{a, b} {
		if _, err := c.Answer(); err != nil {
			t.Fatal(err)
		}
	}
	a.SendTurn(board.At(7, 7), long)
	b.SendBegin(long)
	select {
	case <-b.gone():
	case <-time.After(long):
		t.Fatal("the engine did not exit")
	}
	for i, c := range []*Client{a, b} {
		if r, err := c.Answer(); err != nil || r.X != 0 {
			t.Errorf("engine %d: got %+v, %v", i, r, err)
		}
	}
	a.SendBoard([]board.Move{board.At(3, 3), board.At(4, 4)}, long)
	b.SendTurn(board.At(7, 7), long)
	if r, err := a.Answer(); err != nil || r.X != 1 {
		t.Errorf("got %+v, %v", r, err)
	}
	_, err := b.Answer()
	wantFailure(t, err, Crash)
}

func TestClientDropsAnAnswerThatWasNotAskedFor(t *testing.T) {
	c := launch(t, "good", nil)
	c.SendBegin(long)
	for end := time.Now().Add(long); len(c.answers) == 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if r, err := c.Turn(board.At(7, 7), long); err != nil || r.X != 1 {
		t.Errorf("got %+v, %v, want the second answer", r, err)
	}
}

func TestClientStop(t *testing.T) {
	c := launch(t, "silent", nil)
	timer := time.AfterFunc(50*time.Millisecond, func() { c.Stop() })
	defer timer.Stop()
	if r, err := c.Begin(long); err != nil || r.X != 5 {
		t.Errorf("got %+v, %v, want the answer to YXSTOP", r, err)
	}
}

func TestClientKillEndsAWait(t *testing.T) {
	c := launch(t, "silent", nil)
	timer := time.AfterFunc(50*time.Millisecond, c.Kill)
	defer timer.Stop()
	_, err := c.Begin(long)
	wantFailure(t, err, Crash)
}

func TestClientCloseLeavesNothing(t *testing.T) {
	for range 2 { // files that the runtime opens once do not count
		c := launch(t, "good", nil)
		c.Close()
	}
	routines, files := runtime.NumGoroutine(), openFiles(t)
	for _, name := range []string{"good", "stays", "reads nothing", "silent", "exits", "floods one line"} {
		start := time.Now()
		c := launch(t, name, func(o *Options) { o.MaxOutput = 1 << 20 })
		if name != "good" && name != "stays" {
			c.Begin(50 * time.Millisecond)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("%s: closing took %v", name, d)
		}
		if err := c.Close(); err != nil {
			t.Errorf("%s: closing again: %v", name, err)
		}
		if alive(c.Pid()) {
			t.Errorf("%s: process %d is left", name, c.Pid())
		}
	}
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > routines && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > routines {
		t.Errorf("%d goroutines are left, %d before", n, routines)
	}
	if n := openFiles(t); n > files {
		t.Errorf("%d files are open, %d before", n, files)
	}
}

// openFiles counts the open files of this process, 0 where there is no /proc.
func openFiles(t *testing.T) int {
	t.Helper()
	list, _ := filepath.Glob("/proc/self/fd/*")
	return len(list)
}

// alive reports whether a process exists, false where there is no /proc.
func alive(pid int) bool {
	_, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
	return err == nil
}

func TestLaunchOfNothing(t *testing.T) {
	for _, command := range []string{"", "  ", `"open`, "/no/such/engine"} {
		if c, err := Launch(Program{Command: command}, Options{}); err == nil {
			c.Close()
			t.Errorf("command %q was started", command)
		}
	}
}

func TestInfoRefusesLineEnds(t *testing.T) {
	if err := launch(t, "good", nil).Info("folder", "a\nEND"); err == nil {
		t.Error("a value with a line end was sent")
	}
}

func TestSplitCommand(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"a b  c", []string{"a", "b", "c"}},
		{`"my engine" -x`, []string{"my engine", "-x"}},
		{`'a "b" \c' d`, []string{`a "b" \c`, "d"}},
		{`a\ b "c\"d\\e"`, []string{"a b", `c"d\e`}},
		{`C:\x\y.exe`, []string{`C:\x\y.exe`}},
		{`"C:\My Files\y.exe"`, []string{`C:\My Files\y.exe`}},
		{`a"b c"d ''`, []string{"ab cd", ""}},
	}
	for _, test := range tests {
		if got, err := SplitCommand(test.in); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %q, %v, want %q", test.in, got, err, test.want)
		}
	}
}
