package tune

import (
	"encoding/json"
	"errors"
	"fmt"

	"tengen/brain/search"
	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/resume"
	"tengen/cmd/learn/match"
)

// settings are everything that determines a run, the first line of its journal.
type settings struct {
	Params  []parameter   `json:"params"`
	Base    search.Params `json:"base"` // of the parameters that are not tuned
	Horizon int           `json:"horizon"`
	Gain    float64       `json:"gain"`
	Pairs   int           `json:"pairs"` // of an iteration
	Seed    uint64        `json:"seed"`

	Openings string `json:"openings"` // digest of the file's moves
	Engine   string `json:"engine"`   // match.Player.Signature: another search or evaluation needs a new run
	match.Conditions
}

func (s *settings) spsa() *spsa {
	return &spsa{params: s.Params, horizon: s.Horizon, gain: s.Gain, seed: s.Seed}
}

// check returns an error for impossible settings, in case the file was edited.
func (s *settings) check() error {
	if len(s.Params) == 0 || s.Horizon < 1 || s.Pairs < 1 || !(s.Gain > 0) {
		return errors.New("the first line has no settings")
	}
	for _, p := range s.Params {
		if p.Min > p.Max || p.Step < 1 {
			return fmt.Errorf("%s has no range or no step", p.Name)
		}
	}
	return nil
}

// An iteration is one further line of a journal.
type iteration struct {
	K         int   `json:"k"` // from 1
	Plus      []int `json:"plus"`
	Minus     []int `json:"minus"`
	elo.Score       // of plus against minus

	Theta   []float64 `json:"theta"` // the values after it
	Seconds float64   `json:"seconds"`
}

// A run is the content of a journal.
type run struct {
	settings
	iterations []iteration
}

// theta returns the current values.
func (r *run) theta() []float64 {
	if n := len(r.iterations); n > 0 {
		return r.iterations[n-1].Theta
	}
	return r.spsa().start()
}

// journalStart begins every journal of a run.
const journalStart = `{"params":`

// read adds a line of a journal: first the settings, then the iterations.
func (r *run) read(line []byte) error {
	if r.Params == nil {
		if err := json.Unmarshal(line, &r.settings); err != nil {
			return err
		}
		return r.check()
	}
	var it iteration
	if err := json.Unmarshal(line, &it); err != nil {
		return err
	}
	if want := len(r.iterations) + 1; it.K != want {
		return fmt.Errorf("iteration %d, want %d", it.K, want)
	}
	if want := len(r.Params); len(it.Theta) != want || len(it.Plus) != want || len(it.Minus) != want {
		return fmt.Errorf("%d values, want %d", len(it.Theta), want)
	}
	for i, p := range r.Params {
		for _, x := range [...]float64{it.Theta[i], float64(it.Plus[i]), float64(it.Minus[i])} {
			if x != p.clamp(x) {
				return fmt.Errorf("%s is %g, not within %d..%d", p.Name, x, p.Min, p.Max)
			}
		}
	}
	r.iterations = append(r.iterations, it)
	return nil
}

// loadRun reads a journal that another process may be writing.
func loadRun(path string) (*run, error) {
	r := &run{}
	err := resume.ReadJournal(path, journalStart, r.read)
	if err == nil && r.Params == nil {
		err = fmt.Errorf("%s is empty", path)
	}
	return r, err
}
