package protocol

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"tengen/brain/longtest"
)

// peak returns the peak resident memory of the process, in bytes.
func peak(t *testing.T, pid int) int64 {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "VmHWM:" {
			kib, err := strconv.ParseInt(f[1], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kib << 10
		}
	}
	t.Fatal("no VmHWM")
	return 0
}

// The process stays below INFO max_memory, or the limit of Gomocup without it, also when
// the rule, the size and the number of workers change.
func TestProgramKeepsToItsMemory(t *testing.T) {
	t.Parallel()
	for _, limit := range []int64{0, 64 << 20} {
		o := newRun(t, fmt.Sprintf("max_memory %d", limit), "timeout_turn 3600000", "max_node 8000")
		for i, info := range []string{"rule 0", "rule 4", "thread_num 3", "rule 8"} {
			o.send(t, fmt.Sprintf("INFO %s\nSTART %d\nTURN 7,7\nTURN 3,12\n", info, 15+5*(i%2)))
			for range 3 {
				o.answer(t)
			}
		}
		most := limit
		if most == 0 {
			most = 350 << 20
		}
		if got := peak(t, o.pid); got >= most {
			t.Errorf("max_memory %d MiB: the process held %d MiB", limit>>20, got>>20)
		}
	}
}

var (
	everyMemory = flag.Bool("everymemory", false, "TestPrivateMemory measures all limits, rules and numbers of threads")
	fillMemory  = flag.Int64("fillmemory", 0, "TestPrivateMemory measures a limit of `MIB`, 350 or more, and searches until the hash table is full")
)

// maxTable is the largest hash table on this machine, in bytes.
const maxTable = 256<<20 + (64<<30)*(strconv.IntSize/64)

// private returns the memory of a process that it does not share with others, in bytes.
func private(t *testing.T, pid int) int64 {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	for line := range strings.Lines(string(raw)) {
		if f := strings.Fields(line); strings.HasPrefix(line, "Private_") && len(f) == 3 {
			kib, err := strconv.ParseInt(f[1], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += kib << 10
		}
	}
	return sum
}

// The memory that managers measure, which is not shared with other processes, stays below
// max_memory while the engine thinks. Less than the engine needs is reported.
//
//	go test ./protocol -run TestPrivateMemory -v -everymemory
//	go test ./protocol -run TestPrivateMemory -v -fillmemory 4096 -timeout 0
//	GOARCH=386 go test ./protocol -run TestPrivateMemory -v -fillmemory 4096 -timeout 0
func TestPrivateMemory(t *testing.T) {
	longtest.Here(t)
	t.Parallel()
	limits, rules, nodes := []int64{10, 24, 80}, []string{"2", "4"}, 1500
	if *everyMemory {
		limits = []int64{10, 16, 20, 24, 32, 48, 64, 80, 128, 256, 350, 512, 1024, 2048, 4096}
		rules, nodes = []string{"0", "1", "2", "4", "8", "9"}, 60000
	}
	var table int64 // bytes of a table that is to be full
	if *fillMemory > 0 {
		limits, table = []int64{*fillMemory}, min(*fillMemory<<20/10*6, maxTable)
		nodes = int(table>>12) * 2 // after five moves ten for each page of it
	}
	for _, mib := range limits {
		for _, rule := range rules {
			for _, threads := range []int{1, 4} {
				o := newRun(t, fmt.Sprintf("max_memory %d", mib<<20), fmt.Sprintf("thread_num %d", threads),
					"timeout_turn 3600000", "usedatabase 0", "rule "+rule, fmt.Sprintf("max_node %d", nodes))
				// What START loaded before it knew the limit may still be there, so START again.
				o.send(t, "START 15\n")
				o.answer(t)
				most, told := int64(0), false
				for _, move := range []string{"7,7", "3,12", "12,3", "1,1", "13,13"} {
					o.send(t, "TURN "+move+"\n")
					for answered := false; !answered; {
						select {
						case line := <-o.lines:
							answered = !isChatter(line)
							told = told || strings.HasPrefix(line, "MESSAGE max_memory")
						case <-time.After(20 * time.Millisecond):
						}
						most = max(most, private(t, o.pid))
					}
				}
				o.send(t, "END\n")
				t.Logf("max_memory %4d MiB, rule %s, %d threads: %6.1f MiB", mib, rule, threads, float64(most)/(1<<20))
				if most > mib<<20 && !told {
					t.Errorf("max_memory %d MiB, rule %s, %d threads: %.1f MiB used", mib, rule, threads, float64(most)/(1<<20))
				}
				if most < table*9/10 {
					t.Errorf("max_memory %d MiB: only %.1f MiB used, so that the table of %d MiB was not full", mib, float64(most)/(1<<20), table>>20)
				}
				few := mib < 24 || mib < 32 && threads == 4
				if rule == "2" { // with the search by rows
					few = mib < 27 || mib < 35 && threads == 4
				}
				if told != few {
					t.Errorf("max_memory %d MiB, %d threads: told that it is too little: %v", mib, threads, told)
				}
			}
		}
	}
}

// Networks and tables of rules and sizes that are no longer played do not count against the least memory
// that the engine says it needs. One process runs at a time: another would share its pages.
func TestPrivateMemoryOfAllRules(t *testing.T) {
	for _, test := range []struct {
		limit int64
		rules []int
	}{
		{24 << 20, []int{0, 1, 4, 8, 9}},
		{27821192, []int{0, 1, 2, 3, 4, 6, 8, 9, 10, 11}}, // the least for a continuous game with one thread
	} {
		t.Run(fmt.Sprint(test.limit), func(t *testing.T) {
			o := newRun(t, fmt.Sprintf("max_memory %d", test.limit), "timeout_turn 3600000", "usedatabase 0", "max_node 500")
			most := int64(0)
			for _, rule := range test.rules {
				for _, size := range []int{15, 20} {
					o.send(t, fmt.Sprintf("INFO rule %d\nSTART %d\nTURN 7,7\nTURN 3,12\n", rule, size))
					for answers := 0; answers < 3; {
						line := <-o.lines
						if strings.HasPrefix(line, "MESSAGE max_memory") {
							t.Error(line)
						}
						if !isChatter(line) {
							answers++
							most = max(most, private(t, o.pid))
						}
					}
				}
			}
			t.Logf("%.1f MB of %.1f", float64(most)/1e6, float64(test.limit)/1e6)
			if most > test.limit {
				t.Errorf("%.1f MB of %.1f", float64(most)/1e6, float64(test.limit)/1e6)
			}
		})
	}
}
