package client

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The tests of Client start this test binary as the engine: if engineVar is set, it behaves,
// or misbehaves, as the variable says.
const engineVar = "TENGEN_TEST_ENGINE"

func TestMain(m *testing.M) {
	if name := os.Getenv(engineVar); name != "" {
		scripted(name)
		os.Exit(0)
	}
	flag.Parse()
	if flag.Lookup("test.fuzz").Value.String() == "" {
		flag.Set("test.parallel", "8") // most tests spend their time waiting
	}
	os.Exit(m.Run())
}

// scripted is a simple engine: it answers OK and the moves 0,0 1,0 2,0 ... unless its name
// says otherwise.
func scripted(name string) {
	out := os.Stdout
	end := "\n"
	switch name {
	case "cr":
		end = "\r"
	case "crlf":
		end = "\r\n"
	case "reads nothing":
		time.Sleep(time.Minute)
	case "leaves another":
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), engineVar+"=reads nothing")
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		return
	}
	say := func(s string) { out.WriteString(s + end) }
	moves := 0
	answer := func() {
		moves++
		text := fmt.Sprintf("%d,0", moves-1)
		switch name {
		case "late":
			time.Sleep(400 * time.Millisecond)
		case "silent":
			return
		case "exits":
			os.Exit(3)
		case "answers and exits":
			say(text)
			os.Exit(0)
		case "closes":
			out.Close()
			time.Sleep(time.Minute)
		case "error":
			text = "ERROR I do not like this"
		case "unknown":
			text = "unknown command"
		case "junk":
			text = "resign"
		case "twice":
			text += end + "9,9"
		case "blanks":
			text = "  7 , 8\t"
		case "off":
			text = "-1,99"
		case "floods lines":
			for {
				say("MESSAGE " + strings.Repeat("x", 1000))
			}
		case "floods one line":
			for {
				out.WriteString(strings.Repeat("x", 1000))
			}
		case "chats":
			say("")
			say("MESSAGE depth 3-5 eval 12 nodes 900 nps 50000 time 18 pv h8 g7")
			say("debug nothing")
			say("message depth 4-7 eval -M6 nodes 1900 nps 60000 time 31 pv i9 h8")
			say("MESSAGE line 2/2 depth 4-7 eval -90 nodes 1900 nps 60000 time 31 pv a1")
		case "prompt":
			time.Sleep(5 * time.Millisecond)
		}
		say(text)
	}
	in := bufio.NewScanner(os.Stdin)
	next := func() bool {
		more := in.Scan()
		if more && name == "repeats" {
			say("MESSAGE got " + in.Text())
		}
		return more
	}
	for next() {
		line := in.Text()
		switch word, _, _ := strings.Cut(line, " "); word {
		case "START", "RECTSTART":
			switch name {
			case "refuses", "no about, refuses":
				say("ERROR size, 20 is fine")
			case "late ok":
				say("what is this")
				say("MESSAGE hello")
				say("ok")
			case "no ok":
			default:
				say("OK")
			}
		case "ABOUT":
			switch name {
			case "no about", "no about, refuses":
			case "late about":
				time.Sleep(time.Second)
				say(`name="scripted", version="1"`)
			case "late unknown", "late error":
				time.Sleep(time.Second)
				say(strings.ToUpper(strings.TrimPrefix(name, "late ")) + " command")
			default:
				say(`name="scripted", version="1"`)
			}
		case "BEGIN", "TURN", "DONE", "YXNBEST", "YXBALANCEONE", "YXBALANCETWO":
			answer()
		case "YXBOARD", "YXBLOCK":
			for next() && in.Text() != "DONE" {
			}
		case "YXSTOP":
			say("5,5")
		case "SWAP2BOARD":
			for next() && in.Text() != "DONE" {
				moves++
			}
			say([]string{"1,1 2,2 3,3", "", "", "4,4 5,5", "", "swap"}[moves])
		case "END":
			if name == "stays" {
				time.Sleep(time.Minute)
			}
			return
		}
	}
	if name == "stays" {
		time.Sleep(time.Minute)
	}
}

// launch starts the scripted engine and closes it with the test.
func launch(t *testing.T, name string, change func(*Options)) *Client {
	t.Helper()
	var o Options
	if change != nil {
		change(&o)
	}
	p := Program{Args: []string{os.Args[0]}, Env: []string{engineVar + "=" + name, "GORACE=atexit_sleep_ms=0"}}
	c, err := Launch(p, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}
