package tune

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"tengen/cmd/internal/elo"
	"tengen/cmd/internal/openings"
	"tengen/cmd/learn/match"
)

// A tuner runs iterations until the goal.
type tuner struct {
	*run
	goal int // iterations

	// measure lets two sets of values play each other in iteration k.
	measure func(ctx context.Context, k int, plus, minus []int) (elo.Score, error)
	// keep is called with every iteration before the next one begins.
	keep func(*iteration) error
}

// loop returns when the goal is reached, when ctx ends or at the first error.
func (t *tuner) loop(ctx context.Context) error {
	s := t.spsa()
	theta := t.theta()
	for k := len(t.iterations) + 1; k <= t.goal; k++ {
		start := time.Now()
		plus, minus := s.perturb(theta, k)
		result, err := t.measure(ctx, k, plus, minus)
		if err != nil {
			return err
		}
		theta = s.update(theta, k, plus, minus, result.Wins-result.Losses)
		it := iteration{K: k, Plus: plus, Minus: minus, Score: result, Theta: theta, Seconds: time.Since(start).Seconds()}
		t.iterations = append(t.iterations, it)
		if err := t.keep(&it); err != nil {
			return err
		}
	}
	return nil
}

// played returns a measure that plays games, workers pairs at a time. An iteration has the
// same openings in every process.
func played(r *run, sequence *openings.Sequence, workers int, finished func(match.Pair, elo.Score) error) func(context.Context, int, []int, []int) (elo.Score, error) {
	return func(ctx context.Context, k int, plus, minus []int) (elo.Score, error) {
		m := &match.Match{Conditions: r.Conditions, Openings: sequence.Take((k-1)*r.Pairs, r.Pairs), Workers: workers}
		for i, values := range [2][]int{plus, minus} {
			m.Players[i] = match.Default()
			m.Players[i].Params = apply(r.Base, r.Params, values)
		}
		return m.Run(ctx, nil, finished)
	}
}

// report writes the values.
func (r *run) report(out io.Writer) error {
	w := new(bytes.Buffer)
	var sum elo.Score
	for i := range r.iterations {
		sum.Join(r.iterations[i].Score)
	}
	fmt.Fprintf(w, "after %d iterations, %d pairs, %.1f%% of games drawn\n\n",
		len(r.iterations), sum.Complete(), 100*float64(sum.Draws)/float64(max(2*sum.Complete(), 1)))
	fmt.Fprintf(w, "%-16s %6s %6s %6s\n", "", "start", "now", "steps")
	theta := r.theta()
	for i, n := range whole(theta) {
		p := r.Params[i]
		fmt.Fprintf(w, "%-16s %6d %6d %+6.1f\n", p.Name, p.Start, n, (theta[i]-float64(p.Start))/float64(p.Step))
	}
	_, err := out.Write(w.Bytes())
	return err
}
