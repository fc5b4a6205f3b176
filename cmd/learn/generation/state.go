package generation

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"tengen/cmd/internal/checkpoint"
	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/resume"
	"tengen/cmd/learn/network"
)

// A state is the progress of a run.
type state struct {
	Elapsed     time.Duration // in all starts together
	Generations []*generation
}

// A generation is the progress and the result of one generation.
type generation struct {
	Began, Ends        time.Duration // state.Elapsed at its beginning and, with -for, at its end
	Play, Train, Match time.Duration // of the games, of the training, and of the match with its openings

	Games, Positions int             // of self-play, 0 until all games are played
	Trained          *network.Result // nil before
	Score            *elo.Score      // of new against old, nil until the match is over
}

// A run is the run in a directory, which is locked against other processes.
type run struct {
	*settings
	state

	stderr io.Writer
	lock   *os.File
	began  time.Time // as long ago as all starts together have taken
}

// open opens or creates the directory of s. Errors: another process uses it, or it holds another run.
func open(s *settings, stderr io.Writer) (*run, error) {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return nil, flags.Usage("-dir: %v", err)
	}
	r := &run{settings: s, stderr: stderr, began: time.Now()}
	var err error
	if r.lock, err = resume.Open(r.file("lock")); err != nil {
		return nil, err
	}
	if _, err = checkpoint.Load(r.file(stateFile), s.String(), &r.state); err != nil {
		r.lock.Close()
		return nil, flags.Usage("%v, or use another -dir", err)
	}
	r.began = r.began.Add(-r.Elapsed)
	return r, nil
}

const stateFile = "state.checkpoint"

// close unlocks the directory.
func (r *run) close() error { return r.lock.Close() }

// file returns the path of a file in the directory.
func (r *run) file(name string) string { return filepath.Join(r.dir, name) }

// elapsed returns how long the run has taken, over all starts.
func (r *run) elapsed() time.Duration { return time.Since(r.began) }

// save writes the state.
func (r *run) save() error {
	r.Elapsed = r.elapsed()
	return checkpoint.Save(r.file(stateFile), r.String(), &r.state)
}

// errTime is the error of a step whose time is over.
var errTime = errors.New("the time is over")

// saveEvery is the time between two saves of the time of a step.
const saveEvery = 2 * time.Second

// do runs a step, which must not use the state, and adds its time to spent. If until is not 0
// the step ends with errTime after that time of the run.
func (r *run) do(ctx context.Context, until time.Duration, spent *time.Duration, step func(context.Context) error) error {
	began, before := r.elapsed(), *spent
	account := func() error {
		*spent = before + r.elapsed() - began
		return r.save()
	}
	limit := time.Duration(math.MaxInt64)
	if until > 0 {
		limit = until - began
	}
	late, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- step(late) }()
	tick := time.NewTicker(saveEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := account(); err != nil {
				cancel()
				<-ended
				return err
			}
		case err := <-ended:
			if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
				err = errTime
			}
			if e := account(); err == nil {
				err = e
			}
			return err
		}
	}
}
