package main

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// overMemory adds up the memory of a process and all its descendants and returns the
// bytes if they are more than limit, else 0. Resident pages are asked first, which is
// cheap; pages that processes share are told apart only if that sum is too large.
func overMemory(pid int, limit int64) int64 {
	tree := descendants([]int{pid})
	var resident int64
	for _, p := range tree {
		resident += residentBytes(p)
	}
	if resident <= limit {
		return 0
	}
	var unique int64
	for _, p := range tree {
		n, ok := uniqueBytes(p)
		if !ok {
			n = residentBytes(p)
		}
		unique += n
	}
	if unique <= limit {
		return 0
	}
	return unique
}

// descendants appends to pids all processes below them. A child that was orphaned is
// not found; it counts as nobody's.
func descendants(pids []int) []int {
	for i := 0; i < len(pids); i++ {
		dir := "/proc/" + strconv.Itoa(pids[i]) + "/task"
		tasks, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, t := range tasks {
			raw, err := os.ReadFile(dir + "/" + t.Name() + "/children")
			if err != nil {
				continue
			}
			for _, word := range strings.Fields(string(raw)) {
				if p, err := strconv.Atoi(word); err == nil {
					pids = append(pids, p)
				}
			}
		}
	}
	return pids
}

// residentBytes reads the second field of statm, in pages.
func residentBytes(pid int) int64 {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0
	}
	f := bytes.Fields(raw)
	if len(f) < 2 {
		return 0
	}
	n, _ := strconv.ParseInt(string(f[1]), 10, 64)
	return n * int64(os.Getpagesize())
}

// uniqueBytes adds up the pages nobody else maps. It walks the page tables: a
// millisecond for each few hundred MiB.
func uniqueBytes(pid int) (int64, bool) {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/smaps_rollup")
	if err != nil {
		return 0, false
	}
	var kib int64
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, "Private_"); ok {
			if f := strings.Fields(rest); len(f) >= 2 {
				n, _ := strconv.ParseInt(f[1], 10, 64)
				kib += n
			}
		}
	}
	return kib << 10, true
}

// killMarked kills every process in whose environment a variable begins with mark, those
// that left their process group and their parent, too. It looks again until none is
// found, since the killed may have started more and take a moment to go.
func killMarked(mark string) {
	for wait := time.Millisecond; wait < 2*time.Second; wait *= 2 {
		pids := marked(mark)
		if len(pids) == 0 {
			return
		}
		for _, p := range pids {
			syscall.Kill(p, syscall.SIGKILL)
		}
		time.Sleep(wait)
	}
}

// marked lists living processes other than this one with the mark.
func marked(mark string) []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil
	}
	self := os.Getpid()
	var pids []int
	for _, name := range names {
		p, err := strconv.Atoi(name)
		if err != nil || p == self {
			continue
		}
		// The environment of a zombie is empty, so that the dead are not found.
		env, err := os.ReadFile("/proc/" + name + "/environ")
		if err == nil && (bytes.HasPrefix(env, []byte(mark)) || bytes.Contains(env, []byte("\x00"+mark))) {
			pids = append(pids, p)
		}
	}
	return pids
}
