package main

import (
	"os"
	"strconv"
	"strings"
)

// openFiles counts the open files of this process.
func openFiles() int {
	names, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		panic(err)
	}
	return len(names)
}

// children counts the processes below this one, zombies too.
func children() int {
	pids := []int{os.Getpid()}
	for i := 0; i < len(pids); i++ {
		dir := "/proc/" + strconv.Itoa(pids[i]) + "/task"
		tasks, _ := os.ReadDir(dir)
		for _, t := range tasks {
			raw, _ := os.ReadFile(dir + "/" + t.Name() + "/children")
			for _, word := range strings.Fields(string(raw)) {
				if p, err := strconv.Atoi(word); err == nil {
					pids = append(pids, p)
				}
			}
		}
	}
	return len(pids) - 1
}

// showsMemory reports whether the memory of processes is known.
func showsMemory() bool {
	_, ok := privateBytes(os.Getpid())
	return ok
}
