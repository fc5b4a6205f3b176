//go:build e2e && linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// resident is the memory of this process and all its children, in bytes.
func resident(t *testing.T) int64 {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/status")
	if err != nil || len(stats) == 0 {
		t.Fatal("there is no /proc", err)
	}
	total := int64(0)
	me := strconv.Itoa(os.Getpid())
	for _, name := range stats {
		raw, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		values := map[string]string{}
		for line := range strings.Lines(string(raw)) {
			if f := strings.Fields(line); len(f) > 1 {
				values[f[0]] = f[1]
			}
		}
		if values["Pid:"] == me || values["PPid:"] == me {
			kib, _ := strconv.ParseInt(values["VmRSS:"], 10, 64) // a process that is ending has none
			total += kib << 10
		}
	}
	return total
}

// A hundred beginners play at once against our own engine, with the memory and the
// processes that the program has by default on a machine of two cores.
func TestHundredBeginners(t *testing.T) {

	q := newTester(t, 2, own())
	q.server.pool.memory = 160 << 20
	before := runtime.NumGoroutine()
	// What earlier tests left is not this game's: their garbage, a browser that is ending.
	debug.FreeOSMemory()
	others := resident(t)
	var most atomic.Int64
	stop := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		for {
			most.Store(max(most.Load(), resident(t)))
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	})
	begun := time.Now()
	var answered, slowest atomic.Int64
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			moves := fmt.Sprintf("%c%d", 'e'+i%7, 5+i/7%7)
			for range 4 {
				asked := time.Now()
				end := last(q.think(map[string]any{"game": fmt.Sprintf("game-number-%d", i), "moves": moves, "millis": 1000, "strength": 0}))
				if end.Moves == "" {
					t.Errorf("game %d after %s: %+v", i, moves, end)
					return
				}
				answered.Add(1)
				slowest.Store(max(slowest.Load(), int64(time.Since(asked))))
				moves += end.Moves
				if end.Look.Over != "" {
					return
				}
				// The beginner plays beside the engine's stone, or anywhere.
				for k := range 225 {
					at := fmt.Sprintf("%c%d", 'a'+(k*7+i)%15, 1+(k*4+i/15)%15)
					if !strings.Contains(moves, at) {
						moves += at
						break
					}
				}
			}
		})
	}
	all.Wait()
	close(stop)
	watch.Wait()
	t.Logf("%d moves in %v, the slowest after %v, at most %d MiB more with the engines",
		answered.Load(), time.Since(begun).Round(time.Millisecond), time.Duration(slowest.Load()).Round(time.Millisecond), (most.Load()-others)>>20)
	if most.Load()-others > 500<<20 {
		t.Errorf("%d MiB", (most.Load()-others)>>20)
	}
	q.client.CloseIdleConnections()
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before+10 && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before+10 {
		t.Errorf("%d goroutines are left, there were %d", n, before)
	}
}
