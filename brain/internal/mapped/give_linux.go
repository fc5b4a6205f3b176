package mapped

import "syscall"

func advise(memory []byte) { syscall.Madvise(memory, syscall.MADV_HUGEPAGE) }

// drop has the system take back the pages of a piece, whose values are lost.
func drop(piece []byte) { syscall.Madvise(piece, syscall.MADV_DONTNEED) }
