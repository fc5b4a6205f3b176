package client

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tengen/brain/board"
)

// connect returns a client of an engine in this process, behind pipes.
func connect(t *testing.T, o Options, engine func(in io.ReadCloser, out io.WriteCloser)) *Client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	go engine(inR, outW)
	c := Connect(inW, outR, o)
	t.Cleanup(func() { c.Close() })
	return c
}

// counting answers OK and the moves 0,0 1,0 2,0 ... until END or the end of its input.
func counting(in io.ReadCloser, out io.WriteCloser) {
	defer out.Close()
	defer in.Close()
	moves := 0
	for lines := bufio.NewScanner(in); lines.Scan(); {
		switch word, _, _ := strings.Cut(lines.Text(), " "); word {
		case "START":
			fmt.Fprintln(out, "OK")
		case "BEGIN", "TURN", "DONE":
			fmt.Fprintf(out, "MESSAGE depth %d-9 eval 5 nodes 7\n%d,0\n", moves+1, moves)
			moves++
		case "END":
			return
		}
	}
}

func TestConnectPlaysAGame(t *testing.T) {
	c := connect(t, Options{}, counting)
	if err := c.Start(15, 15, long); err != nil {
		t.Fatal(err)
	}
	if r, err := c.Begin(long); err != nil || r.X != 0 || r.Stats.Depth != 1 || r.Elapsed <= 0 {
		t.Fatalf("got %+v, %v", r, err)
	}
	if r, err := c.Turn(board.At(7, 7), long); err != nil || r.X != 1 || r.Stats.Depth != 2 {
		t.Fatalf("got %+v, %v", r, err)
	}
	if r, err := c.Board([]board.Move{board.At(3, 3), board.At(4, 4)}, long); err != nil || r.X != 2 {
		t.Fatalf("got %+v, %v", r, err)
	}
	if c.Pid() != 0 {
		t.Errorf("the process ID %d of no process", c.Pid())
	}
	start := time.Now()
	if err := c.Close(); err != nil || time.Since(start) > endGrace {
		t.Errorf("closing took %v: %v", time.Since(start), err)
	}
}

// TestLinesThatAreNoAnswer: what other managers pass over costs no game.
func TestLinesThatAreNoAnswer(t *testing.T) {
	for name, before := range map[string][]string{ // INFO and the move
		"nothing":            {"", ""},
		"OK to INFO":         {"OK\n", ""},
		"errors about INFO":  {"ERROR no such key\nUNKNOWN\n", ""},
		"errors that wait":   {"", "UNKNOWN INFO\nERROR no such key\n"},
		"noise":              {"loading the network\n", "thinking ...\nbest 3\n"},
		"a byte order mark":  {"", "\ufeff"},
		"a suggestion":       {"", "SUGGEST 4,5\n"},
		"another suggestion": {"", "suggest 4, 5\n"},
	} {
		asked := ""
		c := connect(t, Options{}, func(in io.ReadCloser, out io.WriteCloser) {
			defer out.Close()
			for lines := bufio.NewScanner(in); lines.Scan(); {
				switch word, rest, _ := strings.Cut(lines.Text(), " "); word {
				case "START":
					fmt.Fprintln(out, "OK")
				case "INFO":
					if rest == "b 2" {
						fmt.Fprint(out, before[0])
					}
				case "BEGIN":
					fmt.Fprint(out, before[1])
					if !strings.HasPrefix(strings.ToUpper(before[1]), "SUGGEST") {
						fmt.Fprintln(out, "4,5")
					}
				case "PLAY":
					asked = rest
					fmt.Fprintln(out, rest)
				case "END":
					return
				}
			}
		})
		if err := c.Start(15, 15, long); err != nil {
			t.Fatal(err)
		}
		if err := c.Infos([][2]string{{"a", "1"}, {"b", "2"}}); err != nil {
			t.Fatal(err)
		}
		r, err := c.Begin(5 * time.Second)
		if err != nil || r.X != 4 || r.Y != 5 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if suggests := strings.Contains(name, "suggestion"); suggests != (asked == "4,5") {
			t.Errorf("%s: asked to play %q", name, asked)
		}
	}
}

// TestAnErrorForAnAnswer: an error that is not about INFO is the answer, and nobody waits for another.
func TestAnErrorForAnAnswer(t *testing.T) {
	c := connect(t, Options{}, func(in io.ReadCloser, out io.WriteCloser) {
		defer out.Close()
		for lines := bufio.NewScanner(in); lines.Scan(); {
			switch lines.Text() {
			case "START 15":
				fmt.Fprintln(out, "OK")
			case "BEGIN":
				fmt.Fprintln(out, "ERROR no such key\nERROR the board is wet")
			}
		}
	})
	if err := c.Start(15, 15, long); err != nil {
		t.Fatal(err)
	}
	if err := c.Info("a", "1"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Begin(long); err == nil || !strings.Contains(err.Error(), "wet") {
		t.Errorf("got %v", err)
	}
}

// TestRefusedWhileInfosAreOwed: an engine may refuse each INFO. An error that names the command is its
// answer at once, and another one if nothing follows it.
func TestRefusedWhileInfosAreOwed(t *testing.T) {
	type test struct {
		says, want string // "" for the move
		atOnce     bool
	}
	begin := func(test test, limit time.Duration) (Reply, error) {
		c := connect(t, Options{}, func(in io.ReadCloser, out io.WriteCloser) {
			defer out.Close()
			for lines := bufio.NewScanner(in); lines.Scan(); {
				switch lines.Text() {
				case "START 15":
					fmt.Fprintln(out, "OK")
				case "BEGIN":
					fmt.Fprintln(out, test.says)
				case "END":
					return
				}
			}
		})
		if err := c.Start(15, 15, long); err != nil {
			t.Fatal(err)
		}
		if err := c.Infos([][2]string{{"a", "1"}, {"b", "2"}, {"c", "3"}}); err != nil {
			t.Fatal(err)
		}
		return c.Begin(limit)
	}
	for _, test := range []test{
		{"ERROR I do not play this", `only "ERROR I do not play this"`, false},
		{"thinking\nUNKNOWN what", `only "UNKNOWN what"`, false},
		{"UNKNOWN command \"BEGIN\"", `not a move: "UNKNOWN command`, true},
		{"ERROR BEGIN: the board is wet", `not a move: "ERROR BEGIN`, true},
		{"ERROR INFO a before BEGIN\n4,5", "", true},
		{"ERROR begin what?\nERROR no such key\n4,5", "", true},
	} {
		limit := 50 * time.Millisecond
		if test.atOnce {
			limit = long
		}
		r, err := begin(test, limit)
		// On a busy machine the lines may not have come in time.
		for f := (*Failure)(nil); errors.As(err, &f) && f.Reason == Timeout && limit < long; {
			limit *= 4
			r, err = begin(test, limit)
		}
		if test.want == "" {
			if err != nil || r.X != 4 || r.Y != 5 {
				t.Errorf("%q: %+v, %v", test.says, r, err)
			}
			continue
		}
		wantFailure(t, err, Protocol)
		if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %s", test.says, err, test.want)
		}
	}
}

func TestConnectNamesWhatAnEngineDoesWrong(t *testing.T) {
	wait := make(chan struct{})
	defer close(wait)
	for name, test := range map[string]struct {
		engine func(in io.ReadCloser, out io.WriteCloser)
		limit  time.Duration
		reason Reason
	}{
		"reads nothing":    {func(io.ReadCloser, io.WriteCloser) { <-wait }, 50 * time.Millisecond, Timeout},
		"closes its input": {func(in io.ReadCloser, _ io.WriteCloser) { in.Close(); <-wait }, long, Crash},
		"says nothing":     {func(in io.ReadCloser, _ io.WriteCloser) { io.Copy(io.Discard, in) }, 50 * time.Millisecond, Timeout},
		"ends":             {func(_ io.ReadCloser, out io.WriteCloser) { out.Close() }, 5 * time.Second, Crash},
		"floods": {func(in io.ReadCloser, out io.WriteCloser) {
			go io.Copy(io.Discard, in)
			for {
				if _, err := out.Write(make([]byte, 1<<10)); err != nil {
					return
				}
			}
		}, long, Protocol},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := connect(t, Options{MaxOutput: 1 << 20}, test.engine)
			start := time.Now()
			_, err := c.Begin(test.limit)
			wantFailure(t, err, test.reason)
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("it took %v to notice", d)
			}
		})
	}
}

// Kill ends a wait, and an engine that goes on without END gets the end of its input and of its
// output.
func TestConnectKill(t *testing.T) {
	ended := make(chan struct{})
	c := connect(t, Options{}, func(in io.ReadCloser, out io.WriteCloser) {
		defer close(ended)
		io.Copy(io.Discard, in)
		for {
			if _, err := io.WriteString(out, "MESSAGE still here\n"); err != nil {
				return
			}
		}
	})
	timer := time.AfterFunc(20*time.Millisecond, c.Kill)
	defer timer.Stop()
	_, err := c.Begin(long)
	wantFailure(t, err, Crash)
	select {
	case <-ended:
	case <-time.After(long):
		t.Error("the engine is not told that it is over")
	}
}

func TestConnectCloseLeavesNothing(t *testing.T) {
	routines := runtime.NumGoroutine()
	for _, engine := range []func(io.ReadCloser, io.WriteCloser){
		counting,
		func(in io.ReadCloser, out io.WriteCloser) { io.Copy(io.Discard, in) }, // stays after END
		func(in io.ReadCloser, out io.WriteCloser) { out.Close() },
	} {
		c := connect(t, Options{}, engine)
		for range 2 {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > routines && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > routines {
		t.Errorf("%d goroutines are left, %d before", n, routines)
	}
}

// An answer that came after the limit is a timeout, though nobody was there to see the limit pass.
func TestALateAnswerIsATimeout(t *testing.T) {
	const limit = 10 * time.Millisecond
	answered := make(chan struct{})
	c := connect(t, Options{}, func(in io.ReadCloser, out io.WriteCloser) {
		defer out.Close()
		lines := bufio.NewScanner(in)
		lines.Scan()
		time.Sleep(2 * limit)
		fmt.Fprintln(out, "7,7")
		fmt.Fprintln(out, "MESSAGE and a line more, so that the first one is taken")
		close(answered)
		for lines.Scan() {
		}
	})
	c.SendBegin(limit)
	<-answered
	_, err := c.Answer()
	if f := wantFailure(t, err, Timeout); !strings.HasPrefix(f.Detail, AnsweredAfter) {
		t.Error(f)
	}
	if _, again := c.Begin(long); again != err {
		t.Errorf("then %v, want it to last", again)
	}
}

// TestARefusalBeforeTheAnswer: with Patience an engine may refuse a command and answer it all the same, as other
// managers let it. The clock is that of the test.
func TestARefusalBeforeTheAnswer(t *testing.T) {
	const patience, limit = time.Second, 5 * time.Second
	refusals := strings.Repeat("ERROR no such key\nUNKNOWN\nERROR a\n", 2)
	for name, test := range map[string]struct {
		start, info, begin string // what it says before its answers
		thinks             []time.Duration
		says               string        // after each of thinks but the last
		infos              int           // lines of INFO sent
		silent             bool          // no move
		takes              time.Duration // of BEGIN
		want               string        // of the failure
	}{
		"ERROR":                       {begin: "ERROR I do not like it\n"},
		"UNKNOWN":                     {begin: "UNKNOWN command BEGIN\n"},
		"several":                     {begin: "ERROR a\nUNKNOWN\nERROR b\n"},
		"noise too":                   {begin: "ERROR a\n\nOK\nthinking ...\n7,7 is good\nmove 3,4\n1,2,3\n"},
		"a suggestion too":            {begin: "ERROR a\n", thinks: []time.Duration{patience / 2}, takes: patience / 2},
		"an answer within the time":   {begin: "ERROR a\n", thinks: []time.Duration{patience - 1}, takes: patience - 1},
		"no answer":                   {begin: "ERROR a\nERROR b\n", silent: true, want: `protocol: not a move: "ERROR a"`, takes: patience},
		"an answer after the time":    {begin: "ERROR a\n", thinks: []time.Duration{patience + 1}, want: `protocol: not a move: "ERROR a"`, takes: patience},
		"a MESSAGE while it thinks":   {begin: "ERROR a\n", thinks: []time.Duration{patience - 1, patience - 1, patience - 1}, says: "MESSAGE depth 3 eval 5\n", takes: 3*patience - 3},
		"more errors while it thinks": {begin: "ERROR a\n", thinks: []time.Duration{patience - 1, patience - 1}, says: "ERROR b\n", want: `protocol: not a move: "ERROR a"`, takes: patience},
		"a MESSAGE and no answer": {begin: "UNKNOWN a\n", thinks: []time.Duration{patience / 2, patience / 2}, says: "MESSAGE a\n", silent: true,
			want: `protocol: not a move: "UNKNOWN a"`, takes: patience * 3 / 2},
		"MESSAGE up to the limit": {begin: "ERROR a\n", thinks: []time.Duration{patience * 3 / 4, patience * 3 / 4, patience * 3 / 4, patience * 3 / 4, patience * 3 / 4, patience * 3 / 4, patience * 3 / 4}, says: "MESSAGE a\n",
			want: `protocol: not a move: "ERROR a"`, takes: limit},
		"START":                                      {start: "ERROR 19 is better\n"},
		"START, UNKNOWN":                             {start: "UNKNOWN\nwelcome\n"},
		"three lines for each INFO":                  {info: refusals, infos: 2, thinks: []time.Duration{3 * patience}, takes: 3 * patience},
		"three lines for each INFO, after BEGIN":     {begin: refusals, infos: 2, thinks: []time.Duration{3 * patience}, takes: 3 * patience},
		"four lines for an INFO":                     {begin: refusals, infos: 1},
		"a refusal of an INFO before the last move":  {begin: "ERROR unknown key a\n"},
		"a refusal of an INFO, and the answer later": {begin: "UNKNOWN\n", infos: 1, thinks: []time.Duration{4 * patience}, takes: 4 * patience},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				t.Cleanup(func() { time.Sleep(time.Minute) }) // until the engine ends
				c := connect(t, Options{Patience: patience}, func(in io.ReadCloser, out io.WriteCloser) {
					defer out.Close()
					for lines := bufio.NewScanner(in); lines.Scan(); {
						switch word, rest, _ := strings.Cut(lines.Text(), " "); word {
						case "START":
							fmt.Fprint(out, test.start+"OK\n")
						case "INFO":
							if rest == "0 1" {
								fmt.Fprint(out, test.info)
							}
						case "BEGIN":
							fmt.Fprint(out, test.begin)
							for i, d := range test.thinks {
								if time.Sleep(d); i < len(test.thinks)-1 {
									fmt.Fprint(out, test.says)
								}
							}
							if !test.silent {
								fmt.Fprintln(out, "4,5")
							}
						case "END":
							return
						}
					}
				})
				if err := c.Start(15, 15, limit); err != nil {
					t.Fatal(err)
				}
				for i := range test.infos {
					if err := c.Info(fmt.Sprint(i), "1"); err != nil {
						t.Fatal(err)
					}
				}
				began := time.Now()
				r, err := c.Begin(limit)
				if took := time.Since(began); took != test.takes {
					t.Errorf("it took %v, want %v", took, test.takes)
				}
				if test.want != "" {
					if err == nil || err.Error() != test.want {
						t.Errorf("got %+v, %v, want %s", r, err, test.want)
					}
				} else if err != nil || r.X != 4 || r.Y != 5 || r.Elapsed != test.takes {
					t.Errorf("got %+v, %v", r, err)
				}
			})
		})
	}
}

// TestOKWithATextBehindIt: other managers read the first word, or nothing.
func TestOKWithATextBehindIt(t *testing.T) {
	for text, want := range map[string]string{
		"OK - ready": "", "OK.": "", "ok": "", "OK!": "", "Ok, 15x15": "", "OK\tready": "",
		"okay then": `timeout: no answer within 5s, only "okay then"`, "ERROR OK": `protocol: answered "ERROR OK"`,
	} {
		synctest.Test(t, func(t *testing.T) {
			c := connect(t, Options{}, func(in io.ReadCloser, out io.WriteCloser) {
				defer out.Close()
				for lines := bufio.NewScanner(in); lines.Scan(); {
					fmt.Fprintln(out, text)
				}
			})
			got := ""
			if err := c.Start(15, 15, 5*time.Second); err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%s: %q, want %q", text, got, want)
			}
		})
	}
}
