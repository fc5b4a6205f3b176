package protocol

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/longtest"
	"tengen/protocol/wire"
)

var (
	soakMoves = flag.Int("soakmoves", 100, "`MOVES` of the engine in TestSoak")
	wideMoves = flag.Int("widemoves", 40, "`MOVES` of TestGamesOfFourThreads")
	wideNodes = flag.Int("widenodes", 200, "most `NODES` of each worker in such a move")
)

// cpuTime returns the processor time that a process has used.
func cpuTime(t *testing.T, pid int) time.Duration {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(raw), ") ")
	sum := time.Duration(0)
	for _, field := range strings.Fields(rest)[11:13] {
		ticks, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += time.Duration(ticks) * 10 * time.Millisecond
	}
	return sum
}

// A soak is a long conversation with one process, which the board of the current game follows.
type soak struct {
	t      *testing.T
	o      *opponent
	random *rand.Rand
	b      *board.Board
	wide   bool // four workers that search longer, and commands while they do
	moves  int  // of the engine
	games  int
}

func (s *soak) send(format string, args ...any) { s.o.send(s.t, fmt.Sprintf(format, args...)) }

// expect waits for an answer that begins with want.
func (s *soak) expect(want string) {
	s.t.Helper()
	if got := s.o.answer(s.t); !strings.HasPrefix(got, want) {
		s.t.Fatalf("move %d: got %q, want %s", s.moves, got, want)
	}
}

// start begins a game under another rule, on another board, with other options.
func (s *soak) start() {
	r := s.random
	rule := []int{0, 1, 4, 8, 9}[r.IntN(5)]
	width, height := 5+r.IntN(18), 5+r.IntN(18)
	var err error
	if s.b, err = board.New(board.Rule(rule), width, height); err != nil {
		s.t.Fatal(err)
	}
	s.send("INFO rule %d\nRECTSTART %d,%d\n", rule, width, height)
	s.expect("OK")
	threads, nodes := 1+r.IntN(3), 30+r.IntN(60)
	if s.wide {
		threads, nodes = 4, 4*(1+r.IntN(*wideNodes))
	}
	s.send("INFO thread_num %d\nINFO max_node %d\nINFO style %d\nINFO caution_factor %d\n", threads, nodes, 50-r.IntN(101), r.IntN(6))
	s.send("INFO strength %d\nINFO max_memory %d\n", []int{100, 100, 100, 60, 0}[r.IntN(5)], []int64{100, 100, 100, 100, 60}[r.IntN(5)]<<20)
}

// legal returns any legal move near the stones.
func (s *soak) legal() board.Move {
	var list []board.Move
	near := s.b.Candidates()
	for _, m := range near.Append(nil) {
		if s.b.Legal(m) {
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		return s.b.Central()
	}
	return list[s.random.IntN(len(list))]
}

// turn plays a move and lets the engine answer.
func (s *soak) turn() {
	m := s.legal()
	s.b.Play(m)
	if v, _ := s.b.Verdict(); v != board.Unfinished {
		return
	}
	if s.random.IntN(6) == 0 {
		// The same position as a block.
		s.send("BOARD\n")
		for i, m := range s.b.Moves() {
			s.send("%d,%d,%d\n", m.X(), m.Y(), 2-(s.b.Ply()-i+1)%2)
		}
		s.send("DONE\n")
	} else {
		s.send("TURN %d,%d\n", m.X(), m.Y())
	}
	if s.wide {
		switch s.random.IntN(6) {
		case 0:
			s.send("STOP\n")
		case 1:
			s.send("INFO rule %d\nINFO time_left %d\nINFO evaluate 1,1\n", s.b.Rule(), 1+s.random.IntN(1<<30))
		case 2:
			s.send("INFO pondering %d\n", s.random.IntN(2))
		}
	}
	s.answer()
}

// answer judges a move of the engine.
func (s *soak) answer() {
	got := s.o.answer(s.t)
	x, y, ok := wire.ParsePair(got)
	if !ok || s.b.Try(x, y) != nil {
		s.t.Fatalf("move %d: %q on %dx%d under %v after %v", s.moves, got, s.b.Width(), s.b.Height(), s.b.Rule(), s.b.Moves())
	}
	s.play(board.At(x, y))
	s.moves++
}

// play plays a move on the board, as the engine does.
func (s *soak) play(m board.Move) {
	if s.b.Rule()&board.Continuous != 0 {
		s.b.PlayRows(m)
	} else {
		s.b.Play(m)
	}
}

// takeBack takes back the last two stones.
func (s *soak) takeBack() {
	for range 2 {
		m := s.b.Back(1)
		s.send("TAKEBACK %d,%d\n", m.X(), m.Y())
		s.expect("OK")
		s.b.Undo()
	}
}

// game plays a game of 60 plies, or until the engine has made the given number of moves in all.
func (s *soak) game(moves int) {
	s.start()
	s.games++
	s.send("BEGIN\n")
	s.answer()
	for s.b.Ply() < 60 && s.moves < moves {
		if v, _ := s.b.Verdict(); v != board.Unfinished {
			break
		}
		switch s.random.IntN(20) {
		case 0:
			if s.b.Ply() >= 3 {
				s.takeBack()
			}
		case 1:
			s.send("ABOUT\n")
			s.expect("name=")
		case 2:
			s.send("YXHASHCLEAR\n")
		case 3:
			s.send("INFO nonsense 7\nINFO time_left 2147483647\nFOO\n")
			s.expect("UNKNOWN")
		case 4:
			s.send("TURN 100,100\n")
			s.expect("ERROR")
		default:
			s.turn()
		}
	}
}

// TestSoak plays one game after the other in one process, under all rules, on boards of all
// sizes, with options and commands in between. No move is illegal, the memory does not grow
// and moves do not take more time.
//
//	go test ./protocol -run TestSoak -v -timeout 0 -soakmoves 50000
func TestSoak(t *testing.T) {
	longtest.Here(t)
	t.Parallel()
	s := &soak{t: t, o: newRun(t, "usedatabase 0", "timeout_turn 3600000"), random: rand.New(rand.NewPCG(19, 4))}
	const parts = 10
	var cpu, memory [parts + 1]float64 // ms of processor time so far, and MiB
	for part := range parts {
		for s.moves < *soakMoves*(part+1)/parts {
			s.game(*soakMoves * (part + 1) / parts)
		}
		cpu[part+1] = cpuTime(t, s.o.pid).Seconds() * 1000
		memory[part+1] = float64(private(t, s.o.pid)) / (1 << 20)
	}
	moves := float64(*soakMoves) / parts
	first, last := cpu[1]/moves, (cpu[parts]-cpu[parts-1])/moves
	t.Logf("%d games, %d moves: %.1f ms of processor time a move in the first tenth, %.1f in the last; %.1f MiB after two tenths, %.1f at the end",
		s.games, s.moves, first, last, memory[2], memory[parts])
	if memory[parts] > 100 {
		t.Errorf("max_memory is 100 MiB")
	}
	if *soakMoves < 5000 {
		return // each part has other rules and sizes
	}
	if grown(memory[2], memory[parts]) {
		t.Errorf("the process has grown")
	}
	if last > 1.3*first {
		t.Errorf("moves have become slower")
	}
}

// grown reports whether a process that has filled its hash table holds more memory than before, in
// MiB, than the tables of the solver and of rules explain, which are filled as they are used.
func grown(before, after float64) bool { return after > before*1.2+8 }

// TestGamesOfFourThreads plays games of four workers in this process, with commands while they
// search, so that the race detector sees what they share.
//
//	go test ./protocol -race -run TestGamesOfFourThreads -v -timeout 0 -widemoves 2000 -widenodes 5000
func TestGamesOfFourThreads(t *testing.T) {
	s := &soak{t: t, o: newServed(), random: rand.New(rand.NewPCG(19, 5)), wide: true}
	defer s.o.close()
	s.send("START 15\n")
	s.expect("OK")
	s.send("INFO usedatabase 0\nINFO timeout_turn 3600000\n")
	for s.moves < *wideMoves {
		s.game(*wideMoves)
	}
	t.Logf("%d games, %d moves, none illegal", s.games, s.moves)
}
