package protocol

import (
	"os"
	"syscall"
	"time"
)

// canWait reports whether wait, readNow and writeNow work for the pipe f: it must be
// non-blocking, and its number small enough for select.
func canWait(f *os.File) bool {
	ok := false
	control(f, func(fd int) {
		flags, _, err := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFL, 0)
		ok = fd < syscall.FD_SETSIZE && err == 0 && flags&syscall.O_NONBLOCK != 0
	})
	return ok
}

// wait waits at most limit until f can be read or its other end is closed, and reports
// whether that is so. It blocks the thread: waking a goroutine by the poller of the runtime
// would take longer than the rest of a move in a manager.
func wait(f *os.File, limit time.Duration) bool {
	until := time.Now().Add(limit)
	ready := false
	control(f, func(fd int) {
		var set syscall.FdSet
		const word = syscall.FD_SETSIZE / len(set.Bits)
		for {
			set = syscall.FdSet{}
			set.Bits[fd/word] |= 1 << (fd % word)
			left := syscall.NsecToTimeval(max(time.Until(until), 0).Nanoseconds())
			n, err := syscall.Select(fd+1, &set, nil, nil, &left)
			if err != syscall.EINTR {
				ready = n > 0 || err != nil
				return
			}
		}
	})
	return ready
}

// readNow reads what is in the pipe f without waiting. Again means that it is empty.
func readNow(f *os.File, b []byte) (n int, again bool, err error) {
	control(f, func(fd int) {
		r, e := syscall.Read(fd, b)
		n, again = max(r, 0), e == syscall.EAGAIN || e == syscall.EINTR
	})
	if n == 0 && !again {
		n, err = f.Read(b) // for the error
	}
	return n, again, err
}

// writeNow writes as much of s as fits in the pipe f without waiting and returns its
// length. Errors show when the rest is written.
func writeNow(f *os.File, s string) int {
	n := 0
	control(f, func(fd int) {
		r, _ := syscall.Write(fd, []byte(s))
		n = max(r, 0)
	})
	return n
}

func control(f *os.File, do func(fd int)) {
	raw, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { do(int(fd)) })
}
