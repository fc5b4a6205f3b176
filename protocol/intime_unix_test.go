//go:build unix

package protocol

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/longtest"
	"tengen/protocol/client"
)

var (
	timeGames   = flag.Int("timegames", 1, "`GAMES` at each of the limits of TestMovesAreInTime")
	timeFirst   = flag.Uint64("timefirst", 0, "`NUMBER` of the first of them, so that several programs play different ones")
	timePlies   = flag.Int("timeplies", 20, "`PLIES` after which such a game ends, 0 for none")
	timeLimits  = flag.String("timelimits", "50,100", "`MS,...` a move")
	timeMatches = flag.String("timematches", "", "`MS+MS,...` for all moves of a side and added after each")
	timeLoad    = flag.Int("timeload", 0, "`PROCESSES` that keep the processors busy beside them")
	timeThreads = flag.Int("timethreads", 1, "search `THREADS` of each engine")
	timeEngine  = flag.String("timeengine", "", "`COMMAND` of the engine, such as \"nice -n -5 pbrain-tengen\" (default this program)")
)

// A timed record is what the moves under one limit took.
type timed struct {
	moves, late   int
	worst         time.Duration // of a move that was late, beyond its limit; negative if none was
	first         time.Duration // the same for first moves of a process
	lateFirst     int           // late first moves of a process
	kept          int           // late moves whose threads the system kept waiting for longer than they were late, all together ...
	keptOne       int           // ... and of them those of which it kept one as long
	resumed       int           // moves after the process was suspended and went on
	used, allowed time.Duration
}

func (r *timed) note(took, limit time.Duration, w wait, first bool) {
	over := took - limit
	if r.moves == 0 {
		r.worst, r.first = over, over
	}
	r.moves++
	r.used += took
	r.allowed += limit
	r.worst = max(r.worst, over)
	if first {
		r.first = max(r.first, over)
	}
	if over > 0 {
		r.late++
		if first {
			r.lateFirst++
		}
		if over <= w.all {
			r.kept++
			if over <= w.longest {
				r.keptOne++
			}
		}
	}
}

// A wait is for how long threads were ready to run without a processor during a move.
type wait struct{ all, longest time.Duration } // of one

// waits returns for how long each thread of the processes has waited so far, where the system tells.
func waits(pids ...int) map[string]time.Duration {
	of := map[string]time.Duration{}
	for _, pid := range pids {
		files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
		for _, name := range files {
			raw, _ := os.ReadFile(name)
			if fields := strings.Fields(string(raw)); len(fields) == 3 {
				ns, _ := strconv.ParseInt(fields[1], 10, 64)
				of[name] = time.Duration(ns)
			}
		}
	}
	return of
}

// since returns what was waited from one call of waits to another. A thread that began in
// between waited since then.
func since(before, after map[string]time.Duration) (w wait) {
	for name, d := range after {
		d -= before[name]
		w.all += d
		w.longest = max(w.longest, d)
	}
	return w
}

// busy keeps a processor busy until the test ends.
func busy(t *testing.T) {
	t.Helper()
	cmd := exec.Command("sh", "-c", "while :; do :; done")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
}

// TestMovesAreInTime plays games of two copies of the engine, each of them in new processes that
// get the rule and their memory right before the first move, with a limit of the move or of
// the game. Processes are suspended and go on while they wait, as managers do. No answer may come
// later than its limit, measured from writing the command, unless the system kept the engine or the
// test waiting for longer than that, all threads together; the log has how many did, of how many one
// thread alone was kept waiting as long, and how late the latest was. It is for
// a machine with a processor to spare.
//
//	go test ./protocol -run TestMovesAreInTime -v -timegames 500 -timeplies 0 -timelimits 20,30,50,100 -timeload 2
//	go test ./protocol -run TestMovesAreInTime -v -timegames 300 -timeplies 0 -timelimits "" -timematches 3000+100,60000+0
func TestMovesAreInTime(t *testing.T) {
	longtest.Here(t)
	for range *timeLoad {
		busy(t)
	}
	for _, text := range strings.FieldsFunc(*timeLimits, func(r rune) bool { return r == ',' }) {
		turn, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		timedGames(t, text+" ms a move", time.Duration(turn)*time.Millisecond, 0, 0)
	}
	for _, text := range strings.FieldsFunc(*timeMatches, func(r rune) bool { return r == ',' }) {
		var match, increment int
		if _, err := fmt.Sscanf(text, "%d+%d", &match, &increment); err != nil {
			t.Fatal(err)
		}
		timedGames(t, text+" ms a game", 0, time.Duration(match)*time.Millisecond, time.Duration(increment)*time.Millisecond)
	}
}

func timedGames(t *testing.T, name string, turn, match, increment time.Duration) {
	t.Helper()
	var r timed
	for seed := range uint64(*timeGames) {
		timedGame(t, *timeFirst+seed, &r, turn, match, increment)
	}
	t.Logf("%s: %d games, %d moves (%d after a suspension), %d late, %d of them first moves, %d kept waiting by the system, %d of those with one thread waiting as long as they were late, the latest %.1f ms, of first moves %.1f ms from the limit, %.0f%% of the time used",
		name, *timeGames, r.moves, r.resumed, r.late, r.lateFirst, r.kept, r.keptOne, r.worst.Seconds()*1000, r.first.Seconds()*1000, 100*r.used.Seconds()/r.allowed.Seconds())
	if r.late > r.kept {
		t.Errorf("%s: %d late moves", name, r.late-r.kept)
	}
}

// timedGame plays a game of two new processes.
func timedGame(t *testing.T, seed uint64, r *timed, turn, match, increment time.Duration) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 19))
	command := *timeEngine
	if command == "" {
		path, err := program()
		if err != nil {
			t.Fatal(err)
		}
		command = "'" + path + "'"
	}
	rule := []board.Rule{board.Freestyle, board.Renju, board.ExactFive, board.Caro}[seed%4]
	var players [2]*client.Client
	clocks := [2]time.Duration{match, match}
	for i := range players {
		c, err := client.Launch(client.Program{Command: command}, client.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		players[i] = c
		if err := c.Start(15, 15, 10*time.Second); err != nil {
			t.Fatal(err)
		}
		infos := [][2]string{{"rule", strconv.Itoa(int(rule))}, {"max_memory", "100000000"}, {"usedatabase", "0"}, {"thread_num", strconv.Itoa(*timeThreads)}}
		for key, d := range map[string]time.Duration{"timeout_turn": turn, "timeout_match": match, "time_increment": increment} {
			if d > 0 {
				infos = append(infos, [2]string{key, strconv.FormatInt(d.Milliseconds(), 10)})
			}
		}
		if err := c.Infos(infos); err != nil {
			t.Fatal(err)
		}
	}
	b, err := board.New(rule, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	for range 1 + random.IntN(4) {
		if m := board.At(4+random.IntN(7), 4+random.IntN(7)); b.Cell(m) == board.Empty {
			b.Play(m)
		}
	}
	given := b.Ply()
	for {
		if v, _ := b.Verdict(); v != board.Unfinished || b.Ply() == *timePlies {
			break
		}
		side := b.Side()
		c := players[side]
		first := b.Ply() < given+2
		if !first && random.IntN(10) == 0 {
			syscall.Kill(c.Pid(), syscall.SIGSTOP)
			time.Sleep(time.Duration(random.IntN(30)) * time.Millisecond)
			syscall.Kill(c.Pid(), syscall.SIGCONT)
			r.resumed++
		}
		limit := turn
		if match > 0 {
			limit = clocks[side]
			c.Info("time_left", strconv.FormatInt(limit.Milliseconds(), 10))
		}
		before := waits(c.Pid(), os.Getpid())
		const patience = time.Minute
		if first {
			c.SendBoard(b.Moves(), limit+patience)
		} else {
			c.SendTurn(b.Back(1), limit+patience)
		}
		reply, err := c.Answer()
		if err != nil {
			t.Fatalf("game %d, ply %d: %v", seed, b.Ply(), err)
		}
		m := reply.Move(15, 15)
		if m == board.None || !b.Legal(m) {
			t.Fatalf("game %d, ply %d: the move %d,%d", seed, b.Ply(), reply.X, reply.Y)
		}
		kept := since(before, waits(c.Pid(), os.Getpid()))
		if over := reply.Elapsed - limit; over > kept.all && over > 0 {
			t.Logf("game %d, ply %d: %v of %v, kept waiting for %v by the system", seed, b.Ply(), reply.Elapsed, limit, kept.all)
		}
		b.Play(m)
		if match == 0 {
			r.note(reply.Elapsed, limit, kept, first)
			continue
		}
		clocks[side] += increment - reply.Elapsed
		r.note(reply.Elapsed, limit, kept, first)
		r.allowed -= limit - increment // the time of the game is added below
	}
	r.allowed += 2 * match
}
