package protocol

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/brain"
	"tengen/brain/board"
)

// While it ponders, any command is answered at once, for the position that it leaves.
func TestStateCommandsEndPondering(t *testing.T) {
	e := brain.New(brain.Config{})
	k := newTalk(t, e)
	k.say("yxshowinfo\nSTART 15\n")
	k.hear("OK")
	k.say("INFO thread_num 2\nINFO hash_size 16384\nINFO max_node 3000\nINFO pondering 1\n")
	r := rand.New(rand.NewPCG(3, 4))
	var took []time.Duration
	quick := func(send, want string) {
		t.Helper()
		time.Sleep(time.Duration(5+r.IntN(40)) * time.Millisecond)
		begun := time.Now()
		k.say(send)
		if want != "" {
			k.hear(want)
			took = append(took, time.Since(begun))
		}
	}
	for range *stops * 2 / 3 {
		quick("start 15\n", "OK")
		k.say("board\n7,7,2\ndone\n")
		if err := k.answer(""); err != nil {
			t.Fatal(err)
		}
		switch r.IntN(5) {
		case 0:
			quick("RESTART\n", "OK")
		case 1:
			quick("takeback 7,7\n", "OK")
		case 2:
			quick("yxboard\n7,7,1\n7,8,2\ndone\nyxshowforbid\n", "FORBID .")
		case 3:
			quick("play 0,0\n", "0,0")
		case 4:
			quick("turn 0,14\n", "")
			if err := k.answer(""); err != nil {
				t.Fatal(err)
			}
		}
		quick("yxstop\nABOUT\n", aboutLine()) // and no move before
	}
	slices.Sort(took)
	t.Logf("%d commands: median %v, worst %v", len(took), took[len(took)/2], took[len(took)-1])
	if late := took[len(took)*3/4]; late > 100*time.Millisecond { // a machine that runs other tests may be busy
		t.Errorf("one in four commands was answered after %v or more", late)
	}
}

// TestPonderingOrder checks with an engine that records its calls that nothing else runs
// while it ponders, and that it ponders only after a move of its own, if it may.
func TestPonderingOrder(t *testing.T) {
	in := make(chan struct{}, 100)
	busy := false
	f := &fake{pondering: func(ctx context.Context) error {
		busy = true
		in <- struct{}{}
		<-ctx.Done()
		busy = false
		return nil
	}}
	f.think = func(context.Context, func(brain.Info)) {
		if busy {
			t.Error("thinks while it ponders")
		}
	}
	k := newTalk(t, f)
	k.say("INFO pondering 1\nSTART 15\nTURN 7,7\n")
	k.hear("OK")
	k.hear("0,0")
	k.say("ABOUT\n")
	k.hear(aboutLine())
	if strings.Contains(f.asked(), "ponder") {
		t.Error("ponders for a manager that does not speak the dialect")
	}
	k.say("reloadconfig\n") // it ponders on the move before
	<-in
	k.say("TURN 8,8\n")
	k.hear("1,0")
	<-in
	k.say("TURN 9,9\n")
	k.hear("2,0")
	<-in
	k.say("ABOUT\n")
	k.hear(aboutLine())
	for command, want := range map[string]string{"TAKEBACK 9,9\n": "OK", "SWAP2BOARD\nDONE\n": "1,2 3,4"} {
		k.say(command)
		k.hear(want)
		k.say("FOO\n")
		k.hear(`UNKNOWN command "FOO"`)
	}
	k.say("START 15\n")
	k.hear("OK")
	k.say("yxboard\n1,1,1\ndone\nyxshowforbid\n")
	k.hear("FORBID 00011203.")
	k.say("END\n")
	if err := k.out.leaves(time.Now().Add(5 * time.Second)); err != nil {
		t.Error(err)
	}
	if n := strings.Count(f.asked(), "ponder"); n != 3 {
		t.Errorf("pondered %d times, want 3: %s", n, f.asked())
	}
}

// Nothing runs while the engine ponders, also not a command whose last line is read as it is, nor
// the move of a continuous game that only INFO time_left asks for.
func TestNoPonderingBetweenLines(t *testing.T) {
	for name, test := range map[string]struct {
		lines  []string
		answer string
	}{
		"a path":        {lines: []string{"YXHASHDUMP", filepath.Join(t.TempDir(), "x")}},
		"a database":    {lines: []string{"YXSETDATABASE", filepath.Join(t.TempDir(), "x.db")}},
		"a text":        {lines: []string{"YXEDITTEXTDATABASE \"a", "b\" DONE"}},
		"a list":        {lines: []string{"YXBLOCK", "1,1", "", "DONE"}},
		"a second move": {[]string{"INFO time_left 60000"}, "1,0"},
	} {
		t.Run(name, func(t *testing.T) {
			in := make(chan struct{}, 100)
			f := &fake{}
			f.pondering = func(ctx context.Context) error {
				in <- struct{}{}
				<-ctx.Done()
				f.note("pondered")
				return nil
			}
			f.opts.Database = true
			if test.answer != "" {
				f.opts.Rule = board.Continuous
			}
			k := newTalk(t, f)
			k.say("RELOADCONFIG\nINFO pondering 1\nSTART 15\nBEGIN\n")
			k.hear("OK")
			k.hear("0,0")
			<-in
			k.say("ABOUT\n") // without it nothing is asked for by INFO time_left
			k.hear(aboutLine())
			for i, line := range test.lines {
				k.say(line + "\n")
				if i == len(test.lines)-1 {
					break
				}
				if time.Sleep(50 * time.Millisecond); len(in) > 0 {
					t.Errorf("it ponders after %q", line)
				}
			}
			if test.answer != "" {
				k.hear(test.answer)
			}
			<-in
			k.say("FOO\n")
			k.hear(`UNKNOWN command "FOO"`)
			if between := regexp.MustCompile("ponder; [^;]*").FindAllString(f.asked(), -1); len(between) != 2 ||
				between[0] != "ponder; pondered" || between[1] != "ponder; pondered" {
				t.Errorf("while it ponders: %s", f.asked())
			}
		})
	}
}

// What goes wrong while it ponders is reported with the next command.
func TestPonderingThatFailsIsTold(t *testing.T) {
	for want, ponder := range map[string]func(context.Context) error{
		"MESSAGE pondering failed: broken":   func(context.Context) error { panic("broken") },
		"MESSAGE the search failed: no cell": func(context.Context) error { return errors.New("the search failed: no cell\nits stack") },
	} {
		f := &fake{pondering: ponder}
		k := newTalk(t, f)
		k.say("RELOADCONFIG\nINFO pondering 1\nSTART 15\nBEGIN\n")
		k.hear("OK")
		k.hear("0,0")
		k.say("INFO max_node 1\nTURN 7,7\n")
		if got, err := k.out.find("re MESSAGE (the|pondering)", time.Now().Add(answerLimit)); err != nil || got != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
		k.hear("1,0")
	}
}

// YXSTOP ends pondering too, up to the next move.
func TestStopEndsPondering(t *testing.T) {
	in := make(chan struct{}, 100)
	f := &fake{pondering: func(ctx context.Context) error {
		in <- struct{}{}
		<-ctx.Done()
		return nil
	}}
	k := newTalk(t, f)
	k.say("reloadconfig\nINFO pondering 1\nSTART 15\nTURN 7,7\n")
	k.hear("OK")
	k.hear("0,0")
	<-in
	for _, stop := range []string{"STOP\n", "YXSTOP\n"} {
		k.say("INFO max_node 1\n") // it goes on with the new options
		<-in
		k.say(stop + "INFO max_node 1\nYXHASHCLEAR\nABOUT\n")
		k.hear(aboutLine())
		k.say("YXSHOWFORBID\n") // the engine was idle before that answer, or would ponder by now
		k.hear("FORBID 00011203.")
		if len(in) > 0 {
			t.Errorf("pondering after %s", stop)
		}
		k.say(fmt.Sprintf("TURN %d,8\n", len(stop)))
		if err := k.answer(""); err != nil {
			t.Fatal(err)
		}
		<-in
	}
}
