package generation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// programs do the work. They lie in bin/ of the folder.
var programs = []string{"arena", "pbrain-tengen", "learn"}

// program is the path of one within the folder, as arena takes it.
func program(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return "bin/" + name
}

// install puts the programs into the folder, from beside this one or built by Go, unless
// they are there. beside is where to look.
func (d *folder) install(ctx context.Context, beside string, stderr io.Writer) error {
	if _, err := os.Stat(d.file("bin")); err == nil {
		return nil
	}
	part := d.file("bin.part")
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	if err := os.MkdirAll(part, 0o777); err != nil {
		return err
	}
	err := copyPrograms(part, beside)
	if errors.Is(err, os.ErrNotExist) {
		missing := fmt.Errorf("the programs (%s) do not lie beside this one", strings.Join(programs, ", "))
		if _, err := exec.LookPath("go"); err != nil {
			return fmt.Errorf("%w, and there is no Go to build them", missing)
		}
		fmt.Fprintln(stderr, "generation: building the programs")
		args := []string{"build", "-o", part + string(filepath.Separator)}
		for _, name := range programs {
			args = append(args, "tengen/cmd/"+name)
		}
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
			return fmt.Errorf("%w, and Go cannot build them here: %s", missing, first)
		}
	} else if err != nil {
		return err
	}
	return os.Rename(part, d.file("bin"))
}

// copyPrograms copies the programs from a folder. The error is os.ErrNotExist if one is
// not there.
func copyPrograms(to, from string) error {
	for _, name := range programs {
		name = filepath.Base(program(name))
		if _, err := os.Stat(filepath.Join(from, name)); err != nil {
			return err
		}
	}
	for _, name := range programs {
		name = filepath.Base(program(name))
		raw, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), raw, 0o777); err != nil {
			return err
		}
	}
	return nil
}

// A step is a program at work in the folder.
type step struct {
	name   string
	args   []string
	stdout io.Writer
	until  float64 // seconds of the run after which it is ended, 0 for never
	spent  *float64
}

// errTime is the end of a step that had no time left.
var errTime = errors.New("the time is over")

// Times of a step.
const (
	heartbeat = 2 * time.Second  // between notes of the time that is spent
	patience  = 10 * time.Second // for a program that was asked to end
)

// do runs a step to its end and keeps account of the time. Errors: that of ctx, errTime,
// errTold where the program has told why it failed, or what kept it from running.
func (d *folder) do(ctx context.Context, s step, stderr io.Writer) error {
	began, spent := d.seconds(), *s.spent
	account := func() error {
		*s.spent = spent + d.seconds() - began
		return d.save()
	}
	late, cancel := ctx, context.CancelFunc(func() {})
	if s.until > 0 {
		late, cancel = context.WithTimeout(ctx, time.Duration(max(s.until-began, 0)*float64(time.Second)))
	}
	defer cancel()
	name, args := s.name, s.args
	if name != "arena" {
		name, args = "learn", append([]string{name}, args...)
	}
	cmd := exec.CommandContext(late, d.file(program(name)), args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = d.path, s.stdout, stderr
	cmd.Cancel = func() error {
		if cmd.Process.Signal(os.Interrupt) != nil { // Windows has none to send
			return cmd.Process.Kill()
		}
		return nil
	}
	cmd.WaitDelay = patience
	dieWithUs(cmd, d.lock)
	if err := cmd.Start(); ctx.Err() != nil {
		return ctx.Err()
	} else if late.Err() != nil {
		return errTime
	} else if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := account(); err != nil {
				cancel()
				<-ended
				return err
			}
			continue
		case err := <-ended:
			if e := account(); err == nil {
				err = e
			}
			var exit *exec.ExitError
			switch {
			case err == nil:
				return nil
			case ctx.Err() != nil:
				return ctx.Err()
			case late.Err() != nil:
				return errTime
			case errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 2):
				return errTold
			}
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
}
