package network

import (
	"fmt"
	"io"
	"slices"
)

// Training that starts from a network of the same rule. Set 2026-11 with 442 thousand new positions
// of standard: the usual rates soon made the network worse, a third of them made it better. The mean
// of the start and the result is better than both, by .0012 in the value's loss and .012 in the
// policy's. With 782 thousand positions of renju at 4,000 nodes the usual rates end at .0395 and
// 2.287, a third of them at .0366 and 2.263, a sixth at .0362 and 2.260 (row decay .1, .05, .02);
// with -soft 50 a third ends at .0380 and 2.277. With fewer positions the rows learn by heart: 308
// thousand of freestyle on 20x20 at a sixth and row decay .02 end at .0624 (.0608 at the start), with
// -row-rate 0.0006 and .05 at .0599, their average at .0596, policy 2.228 and 2.212. Rounding takes
// .0002 and .011 of that. What validation gains need not win: caro with 166 thousand positions, from
// .0107 and 2.561 to .0100 and 2.464, won 10 games, lost 8 and drew 69 at 150,000 nodes, exact caro with
// 162 thousand, 2.688 to 2.624, won 13, lost 18 and drew 44.
const (
	startDivisor = 3  // divisor of the rates
	normBatches  = 12 // that the norms of a mean are measured by
)

// blendShares are the shares of the trained model in the means that blend tries.
var blendShares = []float64{0.8, 0.6, 0.4}

// followMean moves the average of the weights toward those after a step: by 1/n after n steps, until
// it has the horizon.
func (t *trainer) followMean() {
	s := t.state
	if s.Mean == nil {
		return
	}
	horizon := max(1, int(t.Average*float64(t.steps())))
	share := 1 / float32(min(s.Step, horizon))
	spans := t.model.spans()
	parallel(t.threads, len(spans), func(_, i int) error {
		from, to := spans[i].from*block, spans[i].to*block
		params := s.Params[from:to]
		for k, x := range s.Mean[from:to] {
			s.Mean[from+k] = x + float32(share*(params[k]-x))
		}
		return nil
	})
}

// average makes the model the average of the weights if validation finds that better.
func (t *trainer) average(out io.Writer) error {
	s := t.state
	if s.Mean == nil {
		return nil
	}
	trained, last := t.model.clone(), len(s.History)-1
	copy(t.model.params, s.Mean)
	if err := t.renorm(); err != nil {
		return err
	}
	p, err := t.addPoint()
	if err != nil {
		return err
	}
	s.History = s.History[:last+1]
	p.Training = s.History[last].Training
	if !(t.judge(p) < t.judge(&s.History[last])) {
		fmt.Fprintf(out, "the average of %g epochs is not better: validation: %v\n", t.Average, &p.Valid)
		copy(t.model.params, trained.params)
		copy(t.model.norm, trained.norm)
		return nil
	}
	s.History[last] = *p
	fmt.Fprintf(out, "the average of %g epochs is better: validation: %v\n", t.Average, &p.Valid)
	return nil
}

// blend makes the model the mean of the start and the trained model, with the share of the latter
// that is best in validation. It may be the trained model itself.
func (t *trainer) blend(start *model, out io.Writer) error {
	trained := t.model.clone()
	start = start.clone()
	old := start.norm
	start.norm = slices.Clone(trained.norm)
	start.settle(old)

	s := t.state
	last := s.History[len(s.History)-1]
	best, whole := 1.0, last
	for _, share := range blendShares {
		if err := t.mix(start, trained, share); err != nil {
			return err
		}
		p, err := t.addPoint()
		if err != nil {
			return err
		}
		s.History = s.History[:len(s.History)-1]
		p.Training = whole.Training
		if t.judge(p) < t.judge(&last) {
			best, last = share, *p
		}
	}
	if best == 1 {
		copy(t.model.params, trained.params)
		copy(t.model.norm, trained.norm)
		return nil
	}
	s.History = append(s.History, last)
	fmt.Fprintf(out, "the mean of %.0f%% of it and the rest of the start: validation: %v\n", 100*best, &last.Valid)
	return t.mix(start, trained, best)
}

// judge returns the loss by which networks are chosen: the one that the training minimizes, on the
// games of -deep if there are any, else on those for validation.
func (t *trainer) judge(p *point) float64 {
	if t.corpus.deep != nil {
		return t.loss(&p.Deep)
	}
	return t.loss(&p.Valid)
}

func (t *trainer) loss(v *validation) float64 { return v.excess() + t.Policy*v.policy() }

// mix makes the model the mean of a and b, where b has the given share, and measures its norms.
func (t *trainer) mix(a, b *model, share float64) error {
	for i, x := range a.params {
		t.model.params[i] = float32((1-share)*float64(x) + share*float64(b.params[i]))
	}
	copy(t.model.norm, b.norm)
	return t.renorm()
}

// renorm measures the norms of the model on some batches.
func (t *trainer) renorm() error {
	f := newFeed(t.corpus.train, poolSize, t.Seed, t.Epochs)
	if err := t.source.begin(f, 0, t.Batch); err != nil {
		return err
	}
	for i := range min(normBatches, t.steps()) {
		batch, err := t.source.draw(t.Batch)
		if err != nil {
			return err
		}
		t.shard(batch, func(w *worker, part []*example) { w.pools(part) })
		t.updateNorms(1 / float64(i+1))
	}
	return nil
}
