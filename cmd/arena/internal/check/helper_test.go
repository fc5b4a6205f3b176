package check

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
)

// faultVar is the variable by which the test binary is an engine with a fault of that name.
const faultVar = "TENGEN_CHECK_FAULT"

func TestMain(m *testing.M) {
	switch fault := os.Getenv(faultVar); fault {
	case "":
		flag.Parse()
		flag.Set("test.parallel", "16") // most of the time is waiting
		os.Exit(m.Run())
	case "sleeper":
		time.Sleep(time.Minute)
	default:
		(&faulty{fault: strings.TrimSuffix(fault, "."), out: os.Stdout}).serve()
	}
}

// A faulty engine plays at once, by the rules, and has one fault or none.
type faulty struct {
	fault   string
	out     *os.File
	rule    board.Rule
	b       *board.Board
	turn    int // limit of a move, ms, 0 if there is none
	clock   int // of the game, ms, -1 if it is not known
	hoarded []byte
	moved   time.Time // when the last move was about to be printed
	memory  int       // lines of INFO max_memory
}

func (f *faulty) is(fault string) bool { return f.fault == fault }

func (f *faulty) say(line string) {
	end := "\r\n"
	switch {
	case f.is("CR alone"):
		end = "\r"
	case f.is("blank at the end"):
		line += " "
	}
	f.out.WriteString(line + end)
}

func (f *faulty) serve() {
	if f.is("banner") {
		f.say("Welcome!")
	}
	if f.is("writes files") {
		os.WriteFile("engine.log", []byte("started\n"), 0o644)
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			if f.is("outlives its input") {
				time.Sleep(time.Minute)
			}
			return
		}
		if f.is("loses what comes at once") && time.Since(f.moved) < timesFor(f.fault).pause*6/10 {
			continue
		}
		f.line(strings.TrimSpace(line), in)
	}
}

func (f *faulty) line(line string, in *bufio.Reader) {
	word, rest, _ := strings.Cut(line, " ")
	verb := strings.ToUpper(word)
	if f.is("capital letters only") {
		verb = word
	}
	switch verb {
	case "":
	case "START":
		f.start(rest)
	case "RESTART":
		f.reset()
		f.say("OK")
	case "INFO":
		f.info(rest)
	case "ABOUT":
		if !f.is("no ABOUT") {
			f.say(`name="fake", version="1", author="test", country="XX"`)
		}
	case "BEGIN":
		f.answer()
	case "TURN":
		m, err := cell(rest)
		if err != nil || f.b == nil || f.b.Try(m.X(), m.Y()) != nil {
			f.say("ERROR " + rest + " cannot be played")
			return
		}
		f.b.Play(m)
		f.answer()
	case "BOARD":
		f.position(in)
	case "TAKEBACK":
		if f.is("TAKEBACK does nothing") {
			f.say("OK")
			return
		}
		f.b.Undo()
		f.say("OK")
	case "END":
		if f.is("ignores END") {
			time.Sleep(time.Minute)
		}
		if f.is("slow END") {
			time.Sleep(slowEnd)
		}
		if f.is("leaves a process") {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), faultVar+"=sleeper")
			cmd.Start()
		}
		os.Exit(0)
	default:
		switch {
		case f.is("silent to the unknown"):
		case f.is("dies of the unknown"):
			os.Exit(3)
		default:
			if f.is("no ABOUT") { // nothing says that no line will come, but the time for an answer
				time.Sleep(4 * timesFor(f.fault).quiet)
			}
			f.say("UNKNOWN command " + word[:min(len(word), 40)])
		}
	}
}

// cell reads x,y.
func cell(text string) (board.Move, error) {
	xy := strings.Split(text, ",")
	if len(xy) < 2 {
		return board.None, strconv.ErrSyntax
	}
	x, err := strconv.Atoi(strings.TrimSpace(xy[0]))
	if err != nil {
		return board.None, err
	}
	y, err := strconv.Atoi(strings.TrimSpace(xy[1]))
	if err != nil {
		return board.None, err
	}
	return board.AtOn(x, y, 22, 22)
}

func (f *faulty) start(rest string) {
	n, err := strconv.Atoi(rest)
	if f.is("takes any size") && (err != nil || n < 5 || n > 22) {
		n, err = 20, nil
	}
	if err != nil || n < 5 || n > 22 || f.is("no boards of 20") && n == 20 {
		f.say("ERROR only 5 to 22, such as 20")
		return
	}
	b, err := board.New(f.rules(), n, n)
	if err != nil {
		panic(err)
	}
	f.b = b
	switch {
	case f.is("small OK"):
		f.say("ok")
	case f.is("OK and more"):
		f.say("OK ready")
	default:
		f.say("OK")
	}
}

// rules are those that the engine plays by.
func (f *faulty) rules() board.Rule {
	switch {
	case f.is("knows freestyle only"):
		return board.Freestyle
	case f.is("knows no forbidden points") && f.rule == board.Renju:
		return board.ExactFive
	case f.is("six wins always") && f.rule == board.ExactFive:
		return board.Freestyle
	case f.is("knows no capped fives") && f.rule == board.Caro:
		return board.Freestyle
	}
	return f.rule
}

func (f *faulty) reset() {
	b, err := board.New(f.rules(), f.b.Width(), f.b.Height())
	if err != nil {
		panic(err)
	}
	f.b = b
}

func (f *faulty) info(rest string) {
	key, value, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(value)
	switch key {
	case "rule":
		if f.is("refuses caro") && n == int(board.Caro) {
			time.Sleep(5 * time.Millisecond)
			f.say("ERROR caro is not known")
			return
		}
		if r := board.Rule(n); err == nil && n >= 0 && r.Valid() {
			f.rule = r
			if f.b != nil && f.b.Ply() == 0 {
				f.reset()
			}
		}
	case "timeout_turn":
		f.turn = n
	case "time_left":
		f.clock = n
	case "max_memory":
		if f.memory++; f.memory == 2 && f.is("takes memory") {
			f.hoarded = make([]byte, 160<<20)
			for i := 0; i < len(f.hoarded); i += 4096 {
				f.hoarded[i] = 1
			}
		}
	}
	switch {
	case f.is("answers INFO"):
		f.say("OK")
	case f.is("dies of odd INFO") && err != nil && key == "timeout_turn":
		os.Exit(2)
	}
}

func (f *faulty) position(in *bufio.Reader) {
	f.reset()
	var own, other []board.Move
	for {
		line, err := in.ReadString('\n')
		line = strings.TrimSpace(line)
		if err != nil || strings.EqualFold(line, "DONE") {
			break
		}
		m, err := cell(line)
		if err != nil {
			continue
		}
		if strings.HasSuffix(line, "2") {
			other = append(other, m)
		} else {
			own = append(own, m)
		}
	}
	first, second := own, other
	if len(other) > len(own) {
		first, second = other, own
	}
	for i, m := range first {
		f.b.Play(m)
		if i < len(second) {
			f.b.Play(second[i])
		}
	}
	if f.is("silent to an empty BOARD") && f.b.Ply() == 0 {
		return
	}
	f.answer()
}

// pick wins, else stops a win, else plays next to the middle.
func (f *faulty) pick() board.Move {
	for _, c := range []board.Color{f.b.Side(), f.b.Side().Other()} {
		for _, class := range []board.Class{board.MakesFive, board.MakesOpenFour} {
			for _, m := range f.b.Set(c, class).Append(nil) {
				if f.b.Legal(m) {
					return m
				}
			}
		}
	}
	return f.b.Central()
}

// once reports whether no process has called it in the folder of the engine before.
func once() bool {
	file, err := os.OpenFile("once", os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		file.Close()
	}
	return err == nil
}

func (f *faulty) answer() {
	m := f.pick()
	if m == board.None {
		f.say("ERROR there is no move")
		return
	}
	switch ply := f.b.Ply(); {
	case f.is("mute"):
		return
	case f.is("late") && ply == 6 && f.turn != int(short.quick.Milliseconds()):
		time.Sleep(lateMove)
	case f.is("late once") && ply == 6 && f.clock == 36*int(short.Medium.Milliseconds()) && once():
		time.Sleep(lateOnce)
	case f.is("no clock") && f.clock >= 0 && f.clock < 150:
		time.Sleep(900 * time.Millisecond)
	case f.is("dies in the game") && ply > 8:
		os.Exit(5)
	case f.is("plays on a stone") && ply > 6:
		m = f.b.Move(0)
		f.say(fmt.Sprintf("%d,%d", m.X(), m.Y()))
		return
	case f.is("plays off the board") && ply > 6:
		f.say(fmt.Sprintf("%d,0", f.b.Width()))
		return
	case f.is("talks"):
		f.say("I think about it")
	case f.is("refuses and plays"):
		f.say("ERROR I do not like this")
	case f.is("bare MESSAGE"):
		f.say("MESSAGE")
	case f.is("standard error"):
		fmt.Fprintln(os.Stderr, "depth 3")
	case f.is("gives up"):
		f.say("ERROR I resign")
		return
	}
	f.b.Play(m)
	text := fmt.Sprintf("%d,%d", m.X(), m.Y())
	if f.is("two answers") {
		text += "\r\n" + text
	}
	f.moved = time.Now() // before the answer, so that the pause of the manager begins later
	f.say(text)
}
