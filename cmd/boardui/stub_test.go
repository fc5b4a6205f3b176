//go:build !js

package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// The tests start the test binary as the engine: if engineVar is set, it plays, or misbehaves,
// as the variable says.
const (
	engineVar  = "TENGEN_TEST_ENGINE"
	networkVar = "TENGEN_TEST_NETWORK"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(engineVar); name != "" {
		stubEngine(name)
		os.Exit(0)
	}
	if os.Getenv(mainVar) != "" {
		main()
		os.Exit(0)
	}
	if len(os.Args) == 2 && os.Args[1] == engineWord {
		serveEngine(os.Stdin, os.Stdout)
		os.Exit(0)
	}
	debug.SetGCPercent(400) // each puzzle and question has a board of its own, of some hundred kilobytes
	code := m.Run()
	for _, end := range atEnd {
		end()
	}
	os.Exit(code)
}

// atEnd are called when all tests have ended.
var atEnd []func()

// stub is the stubEngine of that name.
func stub(name string) spec {
	return spec{command: name, args: []string{os.Args[0]}, env: []string{engineVar + "=" + name}}
}

// own is the built-in engine.
func own() spec {
	return spec{command: "Tengen", args: []string{os.Args[0], engineWord}, own: true}
}

// stubEngine answers every position at once:
//
//	meek     with the first free cell of every other column, from the top: it never wins
//	keen     with the next free cell of column 2, from row 3 down: it wins unless it is stopped
//	thinker  as meek, after some MESSAGE lines and the time of a move; in swap2 of a deep search
//	deep     never, after a MESSAGE line with a depth
//	crash    by exiting at the first move
//	cheat    with the first stone of the position
//	mute     never
//	twice    as meek, but it exits at its third move
//	strict   as meek, but it answers unknown options, as Rapfi does
//	pedant   as meek, or with an ERROR if its options are not pedantWants
//	bare     as thinker, and it says that it has no network unless there is the file of networkVar
func stubEngine(name string) {
	in := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	say := func(format string, args ...any) {
		fmt.Fprintf(out, format+"\n", args...)
		out.Flush()
	}
	size, millis, moves := 15, 1000, 0
	options := map[string]string{}
	answer := func(taken map[[2]int]bool, last [2]int) {
		moves++
		switch name {
		case "crash":
			os.Exit(3)
		case "cheat":
			if len(taken) > 0 {
				say("%d,%d", last[0], last[1])
				return
			}
		case "mute":
			time.Sleep(time.Minute)
		case "deep":
			say("MESSAGE depth 9-18 eval 90 nodes 9000 pv a1 a3")
			time.Sleep(time.Minute)
		case "pedant":
			if got := fmt.Sprint(options); got != pedantWants {
				say("ERROR %s", got)
				return
			}
		case "twice":
			if moves == 3 {
				os.Exit(3)
			}
		case "thinker", "bare":
			for d := 1; d <= 4; d++ {
				time.Sleep(time.Duration(millis) * time.Millisecond / 5)
				say("MESSAGE depth %d-%d eval %d nodes %d pv a1 a3", d, 2*d, 10*d, 1000*d)
			}
		}
		if name == "keen" {
			for y := 3; y < size; y++ {
				if !taken[[2]int{2, y}] {
					say("2,%d", y)
					return
				}
			}
		}
		for y := range size {
			for x := 0; x < size; x += 2 {
				if at := [2]int{(x + y%2) % size, y}; !taken[at] {
					say("%d,%d", at[0], at[1])
					return
				}
			}
		}
		say("ERROR no free cell")
	}
	for in.Scan() {
		line := strings.TrimSpace(in.Text())
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "START":
			fmt.Sscan(rest, &size)
			if _, err := os.Stat(os.Getenv(networkVar)); name == "bare" && err != nil {
				say("%s: %v", noNetwork, err)
			}
			say("OK")
		case "ABOUT":
			say(`name="%s", version="1", author="-", country="-"`, strings.ToUpper(name[:1])+name[1:])
		case "INFO":
			key, value, _ := strings.Cut(rest, " ")
			options[key] = value
			if name == "strict" && (key == "strength" || key == "style") {
				say("ERROR Unknown command: %s", value)
			}
			fmt.Sscanf(rest, "timeout_turn %d", &millis)
		case "BEGIN":
			answer(nil, [2]int{})
		case "BOARD", "SWAP2BOARD":
			taken := map[[2]int]bool{}
			var at [2]int
			for in.Scan() && strings.TrimSpace(in.Text()) != "DONE" {
				fmt.Sscanf(in.Text(), "%d,%d", &at[0], &at[1])
				taken[at] = true
			}
			if name == "thinker" && word == "SWAP2BOARD" {
				say("MESSAGE depth 12-14 eval -39 nodes 1000 pv o1 o3") // as of another position
			}
			switch {
			case word == "BOARD":
				answer(taken, at)
			case len(taken) == 0:
				say("3,3 4,4 5,5")
			case name == "keen":
				say("SWAP")
			case len(taken) == 3 && name == "thinker":
				say("9,9 9,10")
			default:
				answer(taken, at)
			}
		case "END":
			return
		default:
			say("UNKNOWN %s", word)
		}
	}
}
