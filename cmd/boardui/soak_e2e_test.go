//go:build e2e && linux

package main

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

var soak = flag.Duration("soak", 4*time.Second, "how long four pages analyze, are reloaded and closed")

// children are the memory in MiB and the processor time in ticks of the processes that a
// process has started, by their ids.
func children(t *testing.T, parent int) map[int][2]int {
	t.Helper()
	all := map[int][2]int{}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		t.Fatal("there is no /proc", err)
	}
	for _, name := range stats {
		raw, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(raw), ") ")
		f := strings.Fields(rest)
		if len(f) < 22 || f[0] == "Z" || f[1] != strconv.Itoa(parent) {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		user, _ := strconv.Atoi(f[11])
		system, _ := strconv.Atoi(f[12])
		pages, _ := strconv.Atoi(f[21])
		all[pid] = [2]int{pages * os.Getpagesize() >> 20, user + system}
	}
	return all
}

// Four pages analyze on two threads each while they are reloaded and closed at random: every
// engine stays within its memory, the console stays silent, and nothing is left at the end.
func TestSoak(t *testing.T) {
	const memory = 100
	program, out := start(t, "-addr", "127.0.0.1:0", "-open=false", "-threads", "8", "-memory", strconv.Itoa(memory))
	line, err := bufio.NewReader(out).ReadString('\n')
	_, url, found := strings.Cut(strings.TrimSpace(line), "http://")
	if err != nil || !found {
		t.Fatalf("its output is %q, %v", line, err)
	}
	b := startBrowser(t, desktop)
	b.page = "http://" + url
	rng := rand.New(rand.NewPCG(1, 2))

	// begin lets the page of the window analyze a game on two threads.
	begin := func() {
		b.must("POST", "/url", map[string]any{"url": b.page}, nil)
		b.wait("the page is drawn", `document.querySelectorAll('#board [role=gridcell]').length > 0 && document.querySelector('#player-black select').options.length > 1`)
		b.js(`document.getElementById('tab-analysis').click()`, nil)
		b.choose("#thread-count", "2")
		b.js(`const cell = document.getElementById('c' + arguments[0]).getBoundingClientRect();
			document.getElementById('board').dispatchEvent(new MouseEvent('click', {clientX: cell.left + 5, clientY: cell.top + 5, bubbles: true}));
			if (document.getElementById('start').getAttribute('aria-pressed') !== 'true') document.getElementById('start').click()`, nil, rng.IntN(225))
	}
	var windows []string
	open := func() {
		var w struct{ Handle string }
		b.must("POST", "/window/new", map[string]any{"type": "window"}, &w)
		b.must("POST", "/window", map[string]any{"handle": w.Handle}, nil)
		windows = append(windows, w.Handle)
		begin()
	}
	for range 4 {
		open()
	}
	most, reloads, closed := 0, 0, 0
	seen := map[int]bool{}
	for end := time.Now().Add(*soak); time.Now().Before(end); time.Sleep(time.Duration(rng.IntN(1500)) * time.Millisecond) {
		i := rng.IntN(len(windows))
		b.must("POST", "/window", map[string]any{"handle": windows[i]}, nil)
		if rng.IntN(3) == 0 {
			b.must("DELETE", "/window", nil, nil)
			windows = append(windows[:i], windows[i+1:]...)
			b.must("POST", "/window", map[string]any{"handle": windows[0]}, nil)
			open()
			closed++
		} else {
			begin()
			reloads++
		}
		for pid, c := range children(t, program.Process.Pid) {
			seen[pid] = true
			if most = max(most, c[0]); c[0] > memory {
				t.Errorf("an engine takes %d MiB, want at most %d", c[0], memory)
			}
		}
	}
	// Streams that end with their page are no errors, nor is a page that asks too often.
	b.quiet("429 (Too Many Requests)")
	t.Logf("%d reloads, %d windows closed, %d engine processes, at most %d MiB each", reloads, closed, len(seen), most)
	if len(seen) > 8+reloads+closed {
		t.Errorf("%d engine processes were started", len(seen))
	}

	// Without pages nothing thinks.
	b.must("POST", "/window", map[string]any{"handle": windows[0]}, nil)
	for _, w := range windows {
		b.must("POST", "/window", map[string]any{"handle": w}, nil)
		b.must("POST", "/url", map[string]any{"url": "about:blank"}, nil)
	}
	calm := false
	for end := time.Now().Add(4 * stopLimit); !calm && time.Now().Before(end); {
		before := children(t, program.Process.Pid)
		time.Sleep(500 * time.Millisecond)
		after := children(t, program.Process.Pid)
		calm = true
		for pid, c := range after {
			calm = calm && c[1]-before[pid][1] < 10
		}
	}
	if !calm {
		t.Errorf("an engine thinks for nobody: %v", children(t, program.Process.Pid))
	}
	if err := program.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := program.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
	for pid := range seen {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err == nil && strings.Contains(string(raw), "\x00"+engineWord) {
			t.Errorf("process %d is left: %q", pid, raw)
		}
	}
}

// The limit of memory that one chooses in the page is that of the engine: an analysis without it grows past
// the limit, one with it stays below.
func TestMemoryLimitOfTheAnalysis(t *testing.T) {
	t.Parallel()
	const limit = 64
	program, out := start(t, "-addr", "127.0.0.1:0", "-open=false", "-threads", "1") // one process, which judges the moves, too
	line, err := bufio.NewReader(out).ReadString('\n')
	_, url, found := strings.Cut(strings.TrimSpace(line), "http://")
	if err != nil || !found {
		t.Fatalf("its output is %q, %v", line, err)
	}
	b := startBrowser(t, desktop)
	b.visit("http://" + url)
	b.newGame(choice{side: "both"})
	b.place("h8", "i9", "h9")
	most := func() (mib int) {
		for _, c := range children(t, program.Process.Pid) {
			mib = max(mib, c[0])
		}
		return mib
	}
	b.panel("analysis")
	b.choose("#limit-memory", strconv.Itoa(limit))
	b.click("#start")
	b.deepen(12)
	if got := most(); got == 0 || got > limit {
		t.Errorf("with a limit of %d MiB an engine takes %d", limit, got)
	}
	b.choose("#limit-memory", "0")
	end := time.Now().Add(waitLimit)
	for ; most() <= limit && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
	}
	if got := most(); got <= limit {
		t.Errorf("without a limit an engine takes %d MiB, want more than %d", got, limit)
	}
	b.quiet()
}
