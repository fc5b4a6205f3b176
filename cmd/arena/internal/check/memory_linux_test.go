package check

import (
	"os"
	"strconv"
	"strings"
)

func init() {
	faults = append(faults, fault{"takes memory", []string{"FAIL memory: 350 MiB", "WARN memory: 100 MiB"}})
}

// memoryForTest returns the memory of a process that is in use, in bytes.
func memoryForTest(pid int) (int64, bool) {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	f := strings.Fields(string(raw))
	if err != nil || len(f) < 2 {
		return 0, false
	}
	pages, err := strconv.ParseInt(f[1], 10, 64)
	return pages * int64(os.Getpagesize()), err == nil
}
