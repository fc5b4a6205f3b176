//go:build e2e && linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// terminal opens a new terminal: what a person holds, and what a program sees.
func terminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { person.Close() })
	control := func(request uintptr, value *uint32) {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, person.Fd(), request, uintptr(unsafe.Pointer(value))); e != 0 {
			t.Fatal(e)
		}
	}
	var locked, number uint32
	control(syscall.TIOCSPTLCK, &locked)
	control(syscall.TIOCGPTN, &number)
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	return person, program
}

func TestGreetingOnATerminal(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	person, program := terminal(t)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "BE_THE_ENGINE=1")
	cmd.Stdin, cmd.Stdout = program, program
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(person).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != greeting {
		t.Errorf("on a terminal it begins with %q, %v", line, err)
	}
	fmt.Fprintln(person, "END")
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
