package generation

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tengen/brain/atomicfile"
	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/resume"
	"tengen/cmd/learn/network"
)

const stateFile = "generation.json"

// A state is the progress of a run, as generation.json has it.
type state struct {
	Settings    string        `json:"settings"`
	Seconds     float64       `json:"seconds"` // spent in all starts together
	Generations []*generation `json:"generations"`
}

// A generation is the progress and the result of one generation.
type generation struct {
	Began float64 `json:"began"`           // state.Seconds at its beginning
	Ends  float64 `json:"ends,omitempty"`  // and at its end, with -for
	Play  float64 `json:"play,omitempty"`  // seconds of the games
	Train float64 `json:"train,omitempty"` // of the training
	Match float64 `json:"match,omitempty"` // of the match, its openings included

	Games     int `json:"games,omitempty"` // of self-play, 0 until all are played
	Positions int `json:"positions,omitempty"`

	Trained *network.Result `json:"trained,omitempty"` // nil before

	Planned int        `json:"planned,omitempty"` // games of the match, so far with -for
	Score   *elo.Score `json:"score,omitempty"`   // of new against old, nil until the match is over
}

// check returns an error for a state that no run leaves.
func (s *state) check() error {
	for i, g := range s.Generations {
		if g == nil || g.Score != nil && g.Trained == nil {
			return fmt.Errorf("generation %d is not complete", i+1)
		}
	}
	return nil
}

// A folder is the directory of a run, locked against other processes.
type folder struct {
	path  string // as the command line has it
	lock  *os.File
	state state

	started time.Time
	before  float64 // state.Seconds at the start
}

// openFolder opens or creates the directory of s. Errors: another process uses it, or it holds
// another run.
func openFolder(s *settings) (_ *folder, err error) {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return nil, flags.Usage("-dir: %v", err)
	}
	d := &folder{path: s.dir, started: time.Now()}
	if d.lock, err = resume.Open(d.file("lock")); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			d.lock.Close()
		}
	}()
	raw, err := os.ReadFile(d.file(stateFile))
	switch {
	case errors.Is(err, os.ErrNotExist):
		d.state.Settings = s.String()
		return d, nil
	case err != nil:
		return nil, err
	}
	if err := cmp.Or(json.Unmarshal(raw, &d.state), d.state.check()); err != nil {
		return nil, flags.Usage("%s is damaged: %v", d.file(stateFile), err)
	}
	if d.state.Settings != s.String() {
		return nil, flags.Usage("%s holds another run (%s): use another -dir", s.dir, resume.DifferentSettings(d.state.Settings, s.String()))
	}
	d.before = d.state.Seconds
	return d, nil
}

// Close unlocks the directory.
func (d *folder) Close() error { return d.lock.Close() }

// file returns the path of a file in the directory.
func (d *folder) file(name string) string { return filepath.Join(d.path, name) }

// seconds returns how long the run has taken, over all starts.
func (d *folder) seconds() float64 { return d.before + time.Since(d.started).Seconds() }

// save writes the state.
func (d *folder) save() error {
	d.state.Seconds = d.seconds()
	raw, err := json.MarshalIndent(&d.state, "", "\t")
	if err != nil {
		return err
	}
	return atomicfile.Write(d.file(stateFile), append(raw, '\n'))
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
	var late context.Context
	var cancel context.CancelFunc
	if until > 0 {
		late, cancel = context.WithTimeout(ctx, time.Duration((until-began)*float64(time.Second)))
	} else {
		late, cancel = context.WithCancel(ctx)
	}
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
