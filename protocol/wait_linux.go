package protocol

import (
	"os"
	"syscall"
	"time"
)

// canWait reports whether wait works for the pipe f.
func canWait(f *os.File) bool {
	ok := false
	control(f, func(fd int) { ok = fd < syscall.FD_SETSIZE })
	return ok
}

// wait waits at most limit until something can be read from f or its other end is
// closed, and reports which it is. The thread itself waits: the runtime's poller would
// have to be woken first, which takes longer than the rest of a move of an arena.
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

func control(f *os.File, do func(fd int)) {
	raw, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { do(int(fd)) })
}
