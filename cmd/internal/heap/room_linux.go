package heap

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// runtimeSpace is the memory that the runtime maps after the start and the engine does not count: the
// heap grows in steps of 64 MiB, each of which counts whole.
const runtimeSpace = 96 << 20

// Parts of the memory of a control group, which the manager and an opponent may be in, too.
const (
	groupTenths = 6
	groupV1     = "/sys/fs/cgroup/memory/memory.limit_in_bytes"
	groupV2     = "/sys/fs/cgroup/memory.max"
)

// Room returns how many bytes of memory the process may use, at least 1, or 0 if no limit is known.
// It is the least of three limits: the memory of the machine, ulimit -v without the memory that is
// mapped already, and six tenths of the limit of a container. It is for brain.Config.MostMemory, and
// called once, at the start.
func Room() int64 {
	var least int64
	for _, limit := range []int64{installed(), addressSpace(), group(groupV1), group(groupV2)} {
		if limit > 0 && (least == 0 || limit < least) {
			least = limit
		}
	}
	return least
}

// installed returns the memory of the machine, 0 if it is not known. The system refuses a table
// that is larger, and the runtime then ends the process.
func installed() int64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}

// addressSpace returns the bytes that ulimit -v still allows, 0 for no limit.
func addressSpace() int64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil || limit.Cur > 1<<62 {
		return 0
	}
	var pages int64
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	if _, err := fmt.Sscan(string(statm), &pages); err != nil {
		return 0
	}
	return max(int64(limit.Cur)-pages*int64(os.Getpagesize())-runtimeSpace, 1)
}

// group returns the part of the limit in the file, 0 for none: there is no such file, or its
// number is the greatest there is, or the word max.
func group(file string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || limit > 1<<62 {
		return 0
	}
	return max(limit/10*groupTenths, 1)
}
