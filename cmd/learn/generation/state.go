package generation

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/resume"
)

const stateFile = "generation.json"

// A state is how far a run is: what generation.json holds.
type state struct {
	Settings    string        `json:"settings"`
	Seconds     float64       `json:"seconds"` // spent in all starts together
	Generations []*generation `json:"generations"`
}

// A generation is how far one is, and what came of it.
type generation struct {
	Began float64 `json:"began"`           // state.Seconds at its beginning
	Ends  float64 `json:"ends,omitempty"`  // and at its end, where minutes limit it
	Play  float64 `json:"play,omitempty"`  // seconds of the games
	Train float64 `json:"train,omitempty"` // of the training
	Match float64 `json:"match,omitempty"` // of the match, its openings included

	Games     int `json:"games,omitempty"` // played by it; none until they are done
	Positions int `json:"positions,omitempty"`

	Losses *losses `json:"losses,omitempty"` // nil until it is trained

	Planned int     `json:"planned,omitempty"` // games of the match
	Result  *result `json:"result,omitempty"`  // nil until the match is over
}

// losses are of the values in validation.
type losses struct {
	Before  float64 `json:"before"` // of the tables that the fit began with
	After   float64 `json:"after"`
	Samples string  `json:"samples"` // what was learned from, as the trainer tells it
}

// A result is what arena tells of a match, new against old.
type result struct {
	Played   int      `json:"played"`
	Wins     int      `json:"wins"`
	Losses   int      `json:"losses"`
	Draws    int      `json:"draws"`
	Elo      string   `json:"elo"` // with its interval
	Forfeits []string `json:"forfeits,omitempty"`
}

// A folder is the folder of a run, which nobody else uses meanwhile.
type folder struct {
	path  string
	lock  *os.File
	state state

	started time.Time
	before  float64 // state.Seconds at the start
}

// openFolder makes the folder of s or goes on with what is there. Errors: another
// process uses it, or it holds another run.
func openFolder(s *settings) (*folder, error) {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return nil, err
	}
	path, err := filepath.Abs(s.dir)
	if err != nil {
		return nil, err
	}
	d := &folder{path: path, started: time.Now()}
	if d.lock, err = os.OpenFile(filepath.Join(path, "lock"), os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return nil, err
	}
	// What a killed run was doing takes a moment to end.
	for err = resume.Lock(d.lock); err != nil && time.Since(d.started) < s.wait; err = resume.Lock(d.lock) {
		time.Sleep(20 * time.Millisecond)
	}
	if err != nil {
		d.lock.Close()
		return nil, fmt.Errorf("%s: another process uses it: %w", s.dir, err)
	}
	d.started = time.Now()
	fail := func(err error) (*folder, error) {
		d.lock.Close()
		return nil, err
	}
	raw, err := os.ReadFile(filepath.Join(path, stateFile))
	switch {
	case errors.Is(err, os.ErrNotExist):
		d.state.Settings = s.String()
		return d, nil
	case err != nil:
		return fail(err)
	}
	if err := json.Unmarshal(raw, &d.state); err != nil {
		return fail(fmt.Errorf("%s is damaged: %w", filepath.Join(s.dir, stateFile), err))
	}
	if d.state.Settings != s.String() {
		return fail(flags.Usage("%s holds another run (%s, now %s): name another -dir", s.dir, d.state.Settings, s))
	}
	d.before = d.state.Seconds
	return d, nil
}

// Close lets others use the folder.
func (d *folder) Close() error { return d.lock.Close() }

// file is the path of a file of the folder.
func (d *folder) file(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

// seconds tells how long the run has taken, in all starts together.
func (d *folder) seconds() float64 { return d.before + time.Since(d.started).Seconds() }

// save writes how far the run is. The file holds the old state or the new one at any
// moment.
func (d *folder) save() error {
	d.state.Seconds = d.seconds()
	raw, err := json.MarshalIndent(&d.state, "", "\t")
	if err != nil {
		return err
	}
	return d.replace(stateFile, append(raw, '\n'))
}

// replace puts raw into a file in one step.
func (d *folder) replace(name string, raw []byte) error {
	part := d.file(name + ".part")
	if err := os.WriteFile(part, raw, 0o666); err != nil {
		return err
	}
	return os.Rename(part, d.file(name))
}
