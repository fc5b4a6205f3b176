package generation

import (
	"os"
	"os/exec"
	"syscall"
)

// dieWithUs makes a child end when the thread that starts it is gone, so that a run that
// was killed can be gone on with; main keeps its thread. Until it has ended, the child
// holds the lock of the folder as well.
func dieWithUs(cmd *exec.Cmd, lock *os.File) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	cmd.ExtraFiles = []*os.File{lock}
}
