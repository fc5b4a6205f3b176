//go:build unix

package main

import (
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Windows has no interrupt to send to one process.
func TestASignalEndsEverythingAtOnce(t *testing.T) {
	// A child inherits what is ignored, as nohup does it, but not what is caught.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(caught) })
	for name, signals := range map[string][]os.Signal{
		"Ctrl-C":                         {os.Interrupt},
		"the terminal is gone":           {syscall.SIGHUP},
		"timeout sends its signal twice": {syscall.SIGTERM, syscall.SIGTERM},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "j")
			cmd, stdout, stderr := arena(t, "-engine", spec(t, "a", "mute@2", "1"), "-engine", spec(t, "b", "leaves children", "2"),
				"-games", "20", "-concurrency", "2", "-journal", file)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(700 * time.Millisecond) // inside the first games, whatever the machine does
			tag := "TENGEN_ARENA=" + itoa(cmd.Process.Pid) + "-"
			for _, s := range signals {
				cmd.Process.Signal(s)
				time.Sleep(2 * time.Millisecond) // or they would be taken for one
			}
			began := time.Now()
			cmd.Wait()
			if spent := time.Since(began); spent > 30*time.Second {
				t.Errorf("it took %v to end", spent)
			}
			if code := cmd.ProcessState.ExitCode(); code != 130 {
				t.Errorf("status %d, want 130: %s", code, stderr)
			}
			if !strings.Contains(stdout.String(), "0 of 20 games") {
				t.Errorf("no result on standard output: %q", stdout)
			}
			if left := marked(tag); len(left) > 0 {
				t.Errorf("processes %v are left", left)
			}
			if m, _, err := loadJournals([]string{file}); err == nil {
				for _, g := range m.sorted() {
					t.Errorf("game %d was recorded, ended by %s", g.Game, g.Reason)
				}
			}
		})
	}
}

// Windows has no such limit.
func TestNoEngineLosesByAShortageOfTheMachine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "j")
	cmd, stdout, stderr := arena(t, "-engine", spec(t, "a", "slow", "1"), "-engine", spec(t, "b", "slow", "2"),
		"-games", "200", "-concurrency", "8", "-journal", file, "-quiet")
	// Eight games need 32 pipes.
	cmd.Args = append([]string{"sh", "-c", `ulimit -n 24; exec "$0" "$@"`}, cmd.Args...)
	cmd.Path = "/bin/sh"
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 1 || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), "too many open files") {
		t.Errorf("status %d, stderr %q, stdout %q; want 1 and a line that says why", code, stderr, stdout)
	}
	if m, _, err := loadJournals([]string{file}); err == nil {
		for _, g := range m.sorted() {
			if failed(g.Reason) {
				t.Errorf("game %d: %s lost by %s: %s", g.Game, g.loser(), g.Reason, g.Detail)
			}
		}
	}
}

// A new process is started for every game, and the program is there for the first one alone.
func TestNoEngineLosesByAProgramThatIsReplaced(t *testing.T) {
	dir := t.TempDir()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, script, file := filepath.Join(dir, "engine"), filepath.Join(dir, "b.sh"), filepath.Join(dir, "j")
	if err := os.Symlink(exe, program); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(script, []byte("rm -f \"$1\"\nexec \"$2\" engine '' 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd, stdout, stderr := arena(t, "-engine", "name=a,restart=on,cmd='"+program+"' engine '' 1",
		"-engine", "name=b,cmd=sh '"+script+"' '"+program+"' '"+exe+"'", "-games", "20", "-journal", file, "-quiet")
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 1 || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), "no such file") {
		t.Errorf("status %d, stderr %q, stdout %q; want 1 and a line that says why", code, stderr, stdout)
	}
	m, _, err := loadJournals([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	if g := m.games[1]; len(m.games) != 1 || g == nil || failed(g.Reason) {
		t.Errorf("%d games were recorded, the first %+v", len(m.games), g)
	}
}
