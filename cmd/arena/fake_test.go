package main

import (
	"bufio"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"tengen/brain/about"
	"tengen/brain/board"
)

// TestMain lets the test binary act as an engine: called as "test engine MODE SEED" it
// speaks the protocol on its standard streams and misbehaves as the mode says. Called as
// "test arena ARGS" it is the arena.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "arena" {
		os.Args = os.Args[1:]
		main()
	}
	if len(os.Args) > 3 && os.Args[1] == "engine" {
		engineMain(os.Args[2], os.Args[3])
		os.Exit(0)
	}
	if os.Getenv(programVar) != "" {
		engineMain("", "1")
		os.Exit(0)
	}
	flag.Parse()
	flag.Set("test.parallel", "4") // tests in parallel wait most of the time
	os.Exit(m.Run())
}

// programVar is the variable by which the test binary is an engine without arguments.
const programVar = "TENGEN_TEST_PROGRAM"

// fake returns an engine that is this test binary. Seed changes its moves. It has time enough for any
// machine, but not for a move behind an error.
func fake(t testing.TB, name, mode, seed string) engine {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return engine{Name: name, Cmd: "'" + exe + "' engine '" + mode + "' '" + seed + "'", Tolerance: time.Minute, Hang: 5 * time.Second, patience: 10 * time.Millisecond}
}

// A fakeEngine plays quick, repeatable moves: a hash of the position chooses a cell near
// the middle. Mode is "word" or "word@n": from its own move n on (from 1) it does what
// word says.
type fakeEngine struct {
	mode  string
	at    int
	size  int
	moves []board.Move
	own   int // moves answered in this game
	out   *os.File
	b     *board.Board
	rule  board.Rule
	seed  string

	random bool // seed is a file that counts the games; the mode follows from the number
	games  int  // begun in this process
}

func engineMain(mode, seed string) {
	f := &fakeEngine{out: os.Stdout, at: 1, seed: seed}
	f.mode, _, _ = strings.Cut(mode, "@")
	if _, n, ok := strings.Cut(mode, "@"); ok {
		f.at, _ = strconv.Atoi(n)
	}
	if f.random = f.mode == "random"; f.random {
		f.mode = ""
		if next, _ := randomMode(gamesBegun(seed)); next == "exits at once" {
			gameBegins(seed)
			os.Exit(3)
		}
	}
	switch f.mode {
	case "hoarder":
		hoard(hoardSize)
		fmt.Println("done")
		time.Sleep(time.Hour)
	case "exits at once":
		os.Exit(3)
	case "daemon":
		// A helper in a session of its own, which no process group reaches.
		spawn(true)
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		line := strings.TrimSpace(in.Text())
		word, rest, _ := strings.Cut(line, " ")
		switch strings.ToUpper(word) {
		case "START":
			f.size, _ = strconv.Atoi(rest)
			f.moves, f.own = nil, 0
			f.start()
		case "RESTART":
			f.moves, f.own = nil, 0
			f.say("OK")
		case "INFO":
			if f.mode == "notes INFO" { // seed is the file
				f.note(rest)
			}
			key, value, _ := strings.Cut(rest, " ")
			if key == "rule" {
				n, _ := strconv.Atoi(value)
				f.rule = board.Rule(n)
				if f.mode == "refuses rules" {
					f.say("ERROR INFO rule " + value + " is not supported")
				}
			}
		case "BEGIN":
			f.answer()
		case "TURN":
			f.take(rest)
			f.answer()
		case "BOARD":
			f.moves = nil
			for in.Scan() && strings.TrimSpace(in.Text()) != "DONE" {
				f.take(in.Text())
			}
			f.answer()
		case "SWAP2BOARD":
			stones := 0
			for in.Scan() && strings.TrimSpace(in.Text()) != "DONE" {
				stones++
			}
			f.swap2(stones)
		case "YXSOOSORVSTEP1", "YXSOOSORVSTEP2", "YXSOOSORVSTEP3", "YXSOOSORVSTEP4", "YXSOOSORVSTEP5", "YXSOOSORVSTEP6":
			for !strings.HasSuffix(word, "1") && in.Scan() && strings.TrimSpace(in.Text()) != "DONE" {
			}
			f.soosyrv(word[len(word)-1])
		case "ABOUT":
			if f.mode != "ignores ABOUT" {
				f.say(`name="fake", version="1", author="test", country="XX"`)
			}
		case "END":
			if f.mode == "ignores END" {
				time.Sleep(time.Hour)
			}
			return
		default:
			f.say("UNKNOWN " + word)
		}
	}
}

func (f *fakeEngine) say(line string) { f.out.WriteString(line + "\n") }

// swap2 answers by the mode "swap2 A/B/C" after 0, 3 and 5 stones; a "-" is an error, "silent" no answer.
func (f *fakeEngine) swap2(stones int) {
	answers, ok := strings.CutPrefix(f.mode, "swap2 ")
	if !ok {
		f.say("UNKNOWN command")
		return
	}
	switch text := strings.Split(answers, "/")[stones/2]; text {
	case "-":
		f.refuse("ERROR")
	case "silent":
	default:
		f.say(text)
	}
}

// soosyrv answers a step by the mode "soosyrv A/B/C/D/E/F", with ; between lines; "-" and "silent" as for
// swap2.
func (f *fakeEngine) soosyrv(step byte) {
	answers, ok := strings.CutPrefix(f.mode, "soosyrv ")
	if !ok {
		f.say("UNKNOWN command")
		return
	}
	for line := range strings.SplitSeq(strings.Split(answers, "/")[step-'1'], ";") {
		switch line {
		case "-":
			f.refuse("ERROR no")
		case "silent":
		default:
			f.say("MESSAGE depth 3 eval 1")
			f.say("MESSAGE SOOSORV " + line)
		}
	}
}

// note adds a line to the file that seed names.
func (f *fakeEngine) note(line string) {
	file, err := os.OpenFile(f.seed, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(file, line)
	file.Close()
}

// refuse says a line more often than there were lines of INFO, which it may be about.
func (f *fakeEngine) refuse(text string) {
	for range 40 {
		f.say(text)
	}
}

func (f *fakeEngine) take(text string) {
	xy := strings.Split(text, ",")
	x, _ := strconv.Atoi(strings.TrimSpace(xy[0]))
	y, _ := strconv.Atoi(strings.TrimSpace(xy[1]))
	f.moves = append(f.moves, board.At(x, y))
}

func (f *fakeEngine) start() {
	f.games++
	if f.random {
		f.mode, f.at = randomMode(gamesBegun(f.seed))
		if f.games > 1 && strings.HasPrefix(f.mode, "exits at") {
			// A process of an earlier game may be gone; only a new one has to stay.
			os.Exit(0)
		}
		gameBegins(f.seed)
	}
	switch f.mode {
	case "one game, then mute": // seed is a file that counts the games
		if f.games > 1 {
			os.Exit(0)
		}
		if gameBegins(f.seed) > 0 {
			f.mode = "mute"
		}
	case "no OK":
		return
	case "ERROR to START":
		f.say("ERROR size is not supported")
		return
	case "exits at START":
		os.Exit(4)
	case "chatter":
		f.say("MESSAGE hello")
		f.say("")
		f.say("DEBUG more")
	}
	f.say("OK")
}

// pick chooses a free legal cell by a hash of the position.
func (f *fakeEngine) pick() board.Move {
	rule := f.rule
	if f.mode != "" && f.mode != "forbidden" && f.mode != "chatter" && f.mode != "leaves children" {
		rule = 0 // it will not live long enough to need the tables of renju
	}
	b, err := board.New(rule, f.size, f.size)
	if err != nil {
		panic(err)
	}
	h := fnv.New64a()
	for _, m := range f.moves {
		b.Play(m)
		h.Write([]byte(m.String()))
	}
	f.b = b
	if !f.random {
		h.Write([]byte(f.seed))
	}
	n := h.Sum64()
	// Take a five, else go by the hash within two cells of a random stone.
	for y := range f.size {
		for x := range f.size {
			if m := board.At(x, y); b.Cell(m) == board.Empty && b.Wins(b.Side(), m) {
				return m
			}
		}
	}
	for i := range uint64(500) {
		k := (n + i*0x9e3779b97f4a7c15) >> 20
		x, y := int(k>>8)%f.size, int(k>>16)%f.size
		if len(f.moves) > 0 && i < 400 {
			o := f.moves[int(k)%len(f.moves)]
			x, y = o.X()+int(k>>8)%5-2, o.Y()+int(k>>16)%5-2
		}
		if f.random && rule == 0 && x == 7 && y == 7 {
			continue // forbidden in the opening of the random test
		}
		if b.On(x, y) && b.Legal(board.At(x, y)) {
			return board.At(x, y)
		}
	}
	for y := range f.size {
		for x := range f.size {
			if b.Legal(board.At(x, y)) {
				return board.At(x, y)
			}
		}
	}
	return board.None
}

func (f *fakeEngine) answer() {
	f.own++
	if f.mode == "weighs" {
		m := own(f.moves)
		f.say(fmt.Sprintf("MESSAGE depth 1 eval %d", weigh(f.moves)))
		f.say(fmt.Sprintf("%d,%d", m.X(), m.Y()))
		f.moves = append(f.moves, m)
		return
	}
	m := f.pick()
	if f.own >= f.at && f.misbehave(m) {
		return
	}
	f.say(fmt.Sprintf("%d,%d", m.X(), m.Y()))
	f.moves = append(f.moves, m)
}

// misbehave does what the mode says instead of answering m; false if it left that to do.
func (f *fakeEngine) misbehave(m board.Move) bool {
	switch f.mode {
	case "slow":
		time.Sleep(5 * time.Millisecond)
		return false
	case "chatter":
		f.say("MESSAGE depth 3-5 eval 12 nodes 345 pv h8 i9")
		f.say("")
		f.say("   ")
		f.say("DEBUG thinking")
		return false
	case "search fails":
		f.say("MESSAGE " + about.SearchFailed + ": a test")
		return false
	case "refuses rules":
		return f.rule != board.Freestyle
	case "mute":
		return true
	case "refuses and plays":
		f.say("ERROR I do not like this")
		f.say("UNKNOWN but still")
		return false
	case "refuses once":
		f.say("ERROR I do not play this")
	case "late":
		time.Sleep(time.Second)
		return false
	case "occupied":
		o := m
		if len(f.moves) > 0 {
			o = f.moves[0]
		}
		f.say(fmt.Sprintf("%d,%d", o.X(), o.Y()))
	case "off the board":
		f.say(fmt.Sprintf("%d,%d", f.size, 0))
	case "negative":
		f.say("-1,3")
	case "garbage":
		f.say("I resign")
		f.refuse("ERROR and that is final")
	case "comma":
		f.say(",")
		f.refuse("ERROR")
	case "ERROR":
		f.refuse("ERROR no idea")
	case "eight ERRORs": // one more than the lines of INFO before a game
		for range 8 {
			f.say("ERROR no idea")
		}
	case "UNKNOWN":
		f.refuse("UNKNOWN command")
	case "forbidden":
		for y := range f.size {
			if f.b.Side() != board.Black {
				return false
			}
			for x := range f.size {
				if p := board.At(x, y); f.b.Cell(p) == board.Empty && f.b.Forbidden(p) {
					f.say(fmt.Sprintf("%d,%d", x, y))
					return true
				}
			}
		}
		return false
	case "flood of lines":
		chunk := []byte(strings.Repeat("MESSAGE "+strings.Repeat("x", 8000)+"\n", 10))
		for {
			if _, err := f.out.Write(chunk); err != nil {
				os.Exit(0)
			}
		}
	case "flood without lines":
		chunk := make([]byte, 64<<10)
		for i := range chunk {
			chunk[i] = 'x'
		}
		for {
			if _, err := f.out.Write(chunk); err != nil {
				os.Exit(0)
			}
		}
	case "exits":
		os.Exit(5)
	case "exits after the move":
		f.say(fmt.Sprintf("%d,%d", m.X(), m.Y()))
		os.Exit(0)
	case "closes its output":
		f.out.Close()
		time.Sleep(time.Hour)
	case "takes memory":
		hoard(hoardSize)
		return false
	case "child takes memory":
		cmd := exec.Command(os.Args[0], "engine", "hoarder", "")
		out, err := cmd.StdoutPipe()
		if err != nil || cmd.Start() != nil {
			os.Exit(9)
		}
		out.Read(make([]byte, 1)) // it has its memory now
		return false
	case "leaves children":
		spawn(false)
		spawn(false)
		return false
	default:
		if score, ok := strings.CutPrefix(f.mode, "scores "); ok {
			f.say("MESSAGE depth 1 eval " + score)
		}
		return false
	}
	return true
}

// hoardSize is what greedy engines take, memoryLimit what they may.
const (
	hoardSize   = 160 << 20
	memoryLimit = 120 << 20
)

var hoarded []byte

// hoard touches so many bytes.
func hoard(n int) {
	hoarded = make([]byte, n)
	for i := 0; i < n; i += 4096 {
		hoarded[i] = 1
	}
}

// spawn starts a process that lives on, in its own session if detached.
func spawn(detached bool) {
	cmd := exec.Command("sleep", "3600")
	if detached {
		ownSession(cmd)
	}
	if err := cmd.Start(); err != nil {
		os.Exit(9)
	}
}
