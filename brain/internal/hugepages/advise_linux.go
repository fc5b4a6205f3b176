package hugepages

import "syscall"

func advise(memory []byte) { syscall.Madvise(memory, syscall.MADV_HUGEPAGE) }
