package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"tengen/brain/search"
	"tengen/cmd/internal/resume"
)

// settings are everything that decides the course of a run, the first line of its state.
type settings struct {
	Params  []parameter   `json:"params"`
	Base    search.Params `json:"base"` // the numbers that are not tuned, as they were
	Horizon int           `json:"horizon"`
	Gain    float64       `json:"gain"`
	Pairs   int           `json:"pairs"` // of an iteration
	Seed    uint64        `json:"seed"`

	Openings string `json:"openings"` // digest of the file's moves
	Engine   string `json:"engine"`   // digest of what small searches find: another search or other tables begin anew
	conditions
}

func (s *settings) spsa() *spsa {
	return &spsa{params: s.Params, horizon: s.Horizon, gain: s.Gain, seed: s.Seed}
}

// check reports what no tuner writes, so that a state made by hand does no harm.
func (s *settings) check() error {
	if len(s.Params) == 0 || s.Horizon < 1 || s.Pairs < 1 || !(s.Gain > 0) {
		return errors.New("the first line holds no settings of a tuner")
	}
	for _, p := range s.Params {
		if p.Min > p.Max || p.Step < 1 {
			return fmt.Errorf("%s has no range or no step", p.Name)
		}
	}
	return nil
}

// differs names what two settings do not have in common, "" if nothing.
func (s *settings) differs(o *settings) string {
	fields := func(s *settings) (m map[string]json.RawMessage) {
		raw, err := json.Marshal(s)
		if err == nil {
			err = json.Unmarshal(raw, &m)
		}
		if err != nil {
			panic(err) // plain data always goes there and back
		}
		return m
	}
	a, b := fields(s), fields(o)
	names := slices.Sorted(maps.Keys(a))
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if !bytes.Equal(a[name], b[name]) {
			return name
		}
	}
	return ""
}

// An iteration is one further line of a state.
type iteration struct {
	K     int   `json:"k"` // from 1
	Plus  []int `json:"plus"`
	Minus []int `json:"minus"`
	score       // of plus against minus

	Theta   []float64 `json:"theta"` // the values after it
	Seconds float64   `json:"seconds"`
}

// A run is what a state holds.
type run struct {
	settings
	iterations []iteration
}

// theta returns the values as they are now.
func (r *run) theta() []float64 {
	if n := len(r.iterations); n > 0 {
		return r.iterations[n-1].Theta
	}
	return r.spsa().start()
}

// readRun reads a state, and how many bytes hold whole lines: what a killed writer left
// after the last of them is passed over. The run is nil if there is not even one.
func readRun(r io.Reader) (*run, int64, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, 0, err
	}
	const first = `{"params":`
	if head := raw[:min(len(raw), len(first))]; string(head) != first[:len(head)] {
		return nil, 0, errors.New("it is not a state of a tuner")
	}
	raw = raw[:bytes.LastIndexByte(raw, '\n')+1]
	var all *run
	n := 0
	for line := range bytes.Lines(raw) {
		n++
		if all == nil {
			all = &run{}
			if err := json.Unmarshal(line, &all.settings); err != nil {
				return nil, 0, fmt.Errorf("line 1: %w", err)
			}
			if err := all.check(); err != nil {
				return nil, 0, err
			}
			continue
		}
		var it iteration
		if err := json.Unmarshal(line, &it); err != nil {
			return nil, 0, fmt.Errorf("line %d: %w", n, err)
		}
		if want := len(all.iterations) + 1; it.K != want {
			return nil, 0, fmt.Errorf("line %d: iteration %d, want %d", n, it.K, want)
		}
		if want := len(all.Params); len(it.Theta) != want || len(it.Plus) != want || len(it.Minus) != want {
			return nil, 0, fmt.Errorf("line %d: %d values, want %d", n, len(it.Theta), want)
		}
		all.iterations = append(all.iterations, it)
	}
	return all, int64(len(raw)), nil
}

// A state is a file that only grows, one JSON object a line, each on the disk before the
// next iteration begins. It is locked while open where the system can. Killed at any
// moment it loses no more than the iteration that was running.
type state struct{ file *os.File }

// openState opens or creates a state and returns the run in it, nil if it is new.
func openState(path string) (*state, *run, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	fail := func(err error) (*state, *run, error) {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := resume.Lock(f); err != nil {
		return fail(errors.New("another tuner is writing it"))
	}
	r, whole, err := readRun(f)
	if err != nil {
		return fail(err)
	}
	if err := resume.Truncate(f, whole); err != nil {
		return fail(err)
	}
	return &state{f}, r, nil
}

// loadRun reads a state that another process may be writing.
func loadRun(path string) (*run, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, _, err := readRun(f)
	if err == nil && r == nil {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// add appends a line and waits until the disk has it.
func (s *state) add(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := s.file.Write(append(raw, '\n')); err != nil {
		return err
	}
	return s.file.Sync()
}

func (s *state) Close() error { return s.file.Close() }
