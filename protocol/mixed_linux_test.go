package protocol

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/longtest"
)

var (
	mixedMoves = flag.Int("mixedmoves", 40, "`MOVES` of the engine in TestMixed at least")
	mixedTime  = flag.Duration("mixedtime", 0, "`TIME` for which TestMixed goes on, if that is longer")
	mixedSeed  = flag.Uint64("mixedseed", 0, "`NUMBER` of the random sequence of TestMixed")
)

// A remark is a comment that a file of positions must have.
type remark struct {
	file          string
	rule          board.Rule
	width, height int
	a, b          int // the cells of White's two stones, a < b; Black's are the corner and the cell beside it
}

// list returns the lines of the position, which no other remark has, also not turned.
func (r remark) list() string {
	cell := func(i int) string { return fmt.Sprintf("%d,%d\n", i%r.width, i/r.width) }
	return cell(0) + cell(r.a) + cell(1) + cell(r.b) + "DONE\n"
}

// A mixture is a conversation with process after process, in which games, sizes, rules, memory and
// files of positions change all the time.
type mixture struct {
	soak
	dir     string
	file    string            // that is open, "" for none
	remarks map[remark]string // with the text
	texts   int               // so far
	limit   time.Duration     // of a move
	memory  int64             // as the engine knows it, in bytes
	reader  *clockReader
	last    string   // what was done before the move
	history []string // what was done with files

	moves, late, unexplained int
	worst, worstUnexplained  time.Duration
	processes, rivals, asked int
}

// A clockReader sleeps and wakes up beside a test, and knows by how much it woke up too late.
type clockReader struct {
	worst chan time.Duration // since the last receive
	quit  chan struct{}
}

func newClockReader() *clockReader {
	c := &clockReader{make(chan time.Duration), make(chan struct{})}
	go func() {
		const nap = 2 * time.Millisecond
		worst := time.Duration(0)
		for before := time.Now(); ; before = time.Now() {
			select {
			case c.worst <- worst:
				worst = 0
			case <-time.After(nap):
				worst = max(worst, time.Since(before)-nap)
			case <-c.quit:
				return
			}
		}
	}()
	return c
}

// launch starts a process.
func (m *mixture) launch() {
	m.o = newRun(m.t)
	m.processes++
	m.last = "launch"
	m.file, m.memory = "", 0
	m.remember()
	m.game()
}

// remember sets a limit of memory, of the table or of a move.
func (m *mixture) remember() {
	r := m.random
	m.memory = []int64{24, 40, 64, 100, 100, 250, 350, 700, 1500}[r.IntN(9)] << 20
	m.send("INFO max_memory %d\n", m.memory)
	m.send("INFO hash_size %d\n", []int{0, 0, 64, 1000, 30000, 200000, 900000}[r.IntN(7)])
	m.limit = time.Duration([]int{20, 30, 50, 100}[r.IntN(4)]) * time.Millisecond
	m.send("INFO timeout_turn %d\n", m.limit.Milliseconds())
	m.last += " memory"
}

// game begins a game.
func (m *mixture) game() {
	r := m.random
	rule := []int{0, 1, 4, 0, 1, 4, 2, 6, 8, 9}[r.IntN(10)]
	width, height := 5+r.IntN(17), 5+r.IntN(17)
	var err error
	if m.b, err = board.New(board.Rule(rule), width, height); err != nil {
		m.t.Fatal(err)
	}
	m.games++
	m.last += " game"
	m.send("INFO rule %d\nINFO thread_num %d\nINFO strength %d\n", rule, 1+r.IntN(2), []int{100, 100, 100, 60}[r.IntN(4)])
	m.send("RECTSTART %d,%d\n", width, height)
	m.expect("OK")
	m.timed(func() { m.send("BEGIN\n") })
}

// timed asks for a move and judges the answer and its time.
func (m *mixture) timed(ask func()) {
	m.t.Helper()
	<-m.reader.worst
	used, before := cpuTime(m.t, m.o.pid), waits(m.o.pid, os.Getpid())
	start := time.Now()
	ask()
	m.answer()
	over := time.Since(start) - m.limit
	m.moves++
	m.worst = max(m.worst, over)
	defer func() { m.last = "" }()
	if over <= 0 {
		return
	}
	m.late++
	if kept := since(before, waits(m.o.pid, os.Getpid())).all + <-m.reader.worst; over > kept {
		m.unexplained++
		m.worstUnexplained = max(m.worstUnexplained, over-kept)
		m.t.Logf("move %d: %v after a limit of %v, of which the system explains %v; %v of processor time used since %q; max_memory %d MiB, rule %v, %dx%d, ply %d",
			m.moves, over, m.limit, kept, cpuTime(m.t, m.o.pid)-used, m.last, m.memory>>20, m.b.Rule(), m.b.Width(), m.b.Height(), m.b.Ply())
	}
}

// move plays a move and lets the engine answer.
func (m *mixture) move() {
	if v, _ := m.b.Verdict(); v != board.Unfinished || m.b.Ply() > 60 {
		m.game()
		return
	}
	own := m.legal()
	m.play(own)
	if v, _ := m.b.Verdict(); v != board.Unfinished {
		m.game()
		return
	}
	m.timed(func() {
		m.send("TURN %d,%d\n", own.X(), own.Y())
		switch m.random.IntN(8) {
		case 0:
			m.send("STOP\n")
		case 1:
			m.send("INFO max_memory %d\n", m.memory)
		case 2:
			m.send("YXQUERYDATABASETEXT\n0,0\nDONE\n")
		}
	})
}

// told returns the first line that begins with want, a MESSAGE.
func (m *mixture) told(want string) string {
	m.t.Helper()
	end := time.After(answerLimit)
	for {
		select {
		case line, open := <-m.o.lines:
			switch {
			case !open:
				m.t.Fatalf("the engine has ended, want %s", want)
			case strings.HasPrefix(line, want):
				return line
			case strings.HasPrefix(line, "ERROR"):
				m.t.Fatalf("got %q, want %s", line, want)
			}
		case <-end:
			m.t.Fatalf("no %s", want)
		}
	}
}

// open opens a file of positions in a process whose game is of a rule and size.
func (m *mixture) open(file string) {
	m.send("YXSETDATABASE\n%s\n", file)
	m.told("MESSAGE DATABASE LOAD DONE")
	m.told("MESSAGE the database has")
	m.file = file
	m.did("open %s", file)
	m.last += " open"
}

// write sends a comment on a position of the game's rule and size, or takes an old one away.
func (m *mixture) write() {
	r := remark{m.file, m.b.Rule(), m.b.Width(), m.b.Height(), 0, 0}
	cells := r.width * r.height
	r.a = 2 + m.random.IntN(cells-3)
	r.b = r.a + 1 + m.random.IntN(cells-1-r.a)
	for old := range m.remarks {
		if m.random.IntN(3) == 0 && old.file == r.file && old.rule == r.rule && old.width == r.width && old.height == r.height {
			r = old
			break
		}
	}
	if _, ok := m.remarks[r]; ok && m.random.IntN(2) == 0 {
		m.did("delete %+v", r)
		m.send("YXDELETEDATABASEONE\n%s", r.list())
		m.remarks[r] = ""
	} else {
		m.texts++
		m.remarks[r] = fmt.Sprintf("text %d", m.texts)
		m.did("edit %+v %s", r, m.remarks[r])
		m.send("YXEDITTEXTDATABASE \"%s\"\n%s", m.remarks[r], r.list())
	}
	m.ask(r)
}

// ask compares the comment of a position with what it must be.
func (m *mixture) ask(r remark) {
	m.t.Helper()
	m.asked++
	m.send("ABOUT\n")
	m.expect("name=") // and nothing is left that move has asked
	m.send("YXQUERYDATABASETEXT\n%s", r.list())
	if got, want := m.told(databaseText), databaseText+m.remarks[r]+`"`; got != want {
		m.t.Fatalf("move %d, %+v: got %s, want %s, after\n%s", m.moves, r, got, want, strings.Join(m.history, "\n"))
	}
}

// rival lets a second process change a position of a size that the first never plays on, in the file
// that is open.
func (m *mixture) rival() {
	m.rivals++
	m.did("another writer")
	r := remark{m.file, board.ExactFive, board.MaxSize, board.MinSize, 0, 0}
	r.a, r.b = 2+m.random.IntN(50), 60+m.random.IntN(50)
	m.texts++
	m.remarks[r] = fmt.Sprintf("text %d", m.texts)
	o := newRun(m.t, "rule 1")
	o.send(m.t, fmt.Sprintf("YXSETDATABASE\n%s\nRECTSTART %d,%d\nYXEDITTEXTDATABASE \"%s\"\n%sABOUT\n", r.file, r.width, r.height, m.remarks[r], r.list()))
	for _, want := range []string{"OK", "name="} {
		if got := o.answer(m.t); !strings.HasPrefix(got, want) {
			m.t.Fatalf("rival: got %q, want %s", got, want)
		}
	}
	o.send(m.t, "END\n")
	if err := o.leaves(time.Now().Add(answerLimit)); err != nil {
		m.t.Fatal(err)
	}
}

// did notes what was done with files.
func (m *mixture) did(format string, args ...any) {
	m.history = append(m.history, fmt.Sprintf(format, args...))
}

// leave ends the process.
func (m *mixture) leave() {
	m.did("leave")
	if m.random.IntN(3) == 0 {
		syscall.Kill(m.o.pid, syscall.SIGTERM)
	} else {
		m.send("END\n")
	}
	for range m.o.lines {
	}
	select {
	case <-m.o.gone:
	case <-time.After(answerLimit):
		m.t.Fatal("the process does not end")
	}
}

// audit asks a new process for remarks of all files.
func (m *mixture) audit(most int) {
	m.o = newRun(m.t)
	m.processes++
	list := slices.Collect(maps.Keys(m.remarks))
	m.random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	list = list[:min(len(list), most)]
	slices.SortStableFunc(list, func(x, y remark) int { return strings.Compare(x.file, y.file) })
	m.file = ""
	for _, r := range list {
		if r.file != m.file {
			m.open(r.file)
		}
		m.send("INFO rule %d\nRECTSTART %d,%d\n", r.rule, r.width, r.height)
		m.expect("OK")
		m.ask(r)
	}
	m.leave()
}

// hash writes the hash table to a file and reads it.
func (m *mixture) hash() {
	name := filepath.Join(m.dir, "table")
	m.send("YXHASHDUMP\n%s\n", name)
	m.told("MESSAGE HASH DUMP")
	m.send("YXHASHLOAD\n%s\n", name)
	m.told("MESSAGE HASH LOAD")
	m.last += " hash"
}

// step does something.
func (m *mixture) step() {
	switch r := m.random; r.IntN(40) {
	case 0, 1, 2:
		m.game()
	case 3, 4, 5:
		m.remember()
	case 6:
		m.open(filepath.Join(m.dir, fmt.Sprintf("positions%d.db", r.IntN(3))))
	case 7, 8, 9, 10:
		if rule := m.b.Rule(); m.file != "" && (rule == board.Freestyle || rule == board.ExactFive || rule == board.Renju) {
			m.write()
		}
	case 11:
		if m.file != "" {
			m.did("save")
			m.send("YXSAVEDATABASE\n")
			m.told("MESSAGE saved")
		}
	case 12:
		if m.file != "" && r.IntN(4) == 0 {
			m.rival()
		}
	case 13:
		if r.IntN(6) == 0 {
			m.leave()
			m.audit(30)
			m.launch()
		}
	case 14:
		if m.memory <= 100<<20 {
			m.hash()
		}
	case 15:
		m.send("INFO database_readonly 0\nINFO usedatabase %d\n", r.IntN(2))
	case 16:
		m.send("ABOUT\n")
		m.expect("name=")
	default:
		m.move()
	}
}

// TestMixed plays with short limits while the memory, the size, the rule and the files of positions
// change in any order, in processes that end in several ways and beside others that change the same
// files. No move is later than the system explains, by the time in which the threads of the engine and
// of the test waited for a processor and that by which a clock reader beside them woke up too late, and
// no comment on a position is lost.
//
//	go test ./protocol -run TestMixed -v -timeout 0 -mixedtime 1h
func TestMixed(t *testing.T) {
	longtest.Here(t)
	m := &mixture{dir: t.TempDir(), remarks: map[remark]string{}, reader: newClockReader()}
	defer close(m.reader.quit)
	m.soak = soak{t: t, random: rand.New(rand.NewPCG(54, *mixedSeed))}
	start := time.Now()
	m.launch()
	for m.moves < *mixedMoves || time.Since(start) < *mixedTime {
		m.step()
		if m.moves%5000 == 4999 {
			m.log(start)
		}
	}
	m.leave()
	m.audit(len(m.remarks))
	m.log(start)
	if m.unexplained > 0 {
		t.Errorf("%d late moves that the system does not explain, the latest by %v", m.unexplained, m.worstUnexplained)
	}
}

func (m *mixture) log(start time.Time) {
	m.t.Logf("%v: %d moves in %d games of %d processes, %d late, %d of them unexplained, the latest by %v; %d remarks in files, asked for %d times, %d other writers",
		time.Since(start).Round(time.Second), m.moves, m.games, m.processes, m.late, m.unexplained, m.worst, len(m.remarks), m.asked, m.rivals)
}
