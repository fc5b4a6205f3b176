package generation

import (
	"context"
	"errors"
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
	Seconds     float64 // spent in all starts together
	Generations []*generation
}

// A generation is the progress and the result of one generation.
type generation struct {
	Began, Ends        float64 // state.Seconds at its beginning and, with -for, at its end
	Play, Train, Match float64 // seconds of the games, of the training, and of the match with its openings

	Games, Positions int             // of self-play, 0 until all games are played
	Trained          *network.Result // nil before
	Score            *elo.Score      // of new against old, nil until the match is over
}

// A folder is the directory of a run, locked against other processes.
type folder struct {
	*settings
	state

	lock    *os.File
	started time.Time
	before  float64 // state.Seconds at the start
}

// openFolder opens or creates the directory of s. Errors: another process uses it, or it holds
// another run.
func openFolder(s *settings) (*folder, error) {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return nil, flags.Usage("-dir: %v", err)
	}
	d := &folder{settings: s, started: time.Now()}
	var err error
	if d.lock, err = resume.Open(d.file("lock")); err != nil {
		return nil, err
	}
	if _, err = checkpoint.Load(d.file(stateFile), s.String(), &d.state); err != nil {
		d.lock.Close()
		return nil, flags.Usage("%v, or use another -dir", err)
	}
	d.before = d.Seconds
	return d, nil
}

const stateFile = "state.checkpoint"

// Close unlocks the directory.
func (d *folder) Close() error { return d.lock.Close() }

// file returns the path of a file in the directory.
func (d *folder) file(name string) string { return filepath.Join(d.dir, name) }

// seconds returns how long the run has taken, over all starts.
func (d *folder) seconds() float64 { return d.before + time.Since(d.started).Seconds() }

// save writes the state.
func (d *folder) save() error {
	d.Seconds = d.seconds()
	return checkpoint.Save(d.file(stateFile), d.String(), &d.state)
}

// errTime is the error of a step whose time is over.
var errTime = errors.New("the time is over")

// saveEvery is the time between two saves of the time of a step.
const saveEvery = 2 * time.Second

// do runs a step, which must not use the state, and adds its time to spent. If until is not 0
// the step ends with errTime after that many seconds of the run.
func (d *folder) do(ctx context.Context, until float64, spent *float64, step func(context.Context) error) error {
	began, before := d.seconds(), *spent
	account := func() error {
		*spent = before + d.seconds() - began
		return d.save()
	}
	limit := time.Duration(math.MaxInt64)
	if until > 0 {
		limit = duration(until - began)
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

// duration converts seconds.
func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }
