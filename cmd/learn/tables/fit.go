package tables

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tengen/cmd/internal/chart"
)

// A plan says how a problem is to be solved.
type plan struct {
	Rate    float64 // points that Adam moves a value by for each parameter in a step, at first
	Batch   int     // samples a step; 0 for a hundredth of the samples, 256 to 8192
	Epochs  int     // at most
	Patient int     // epochs that validation may go without falling before the rate does, or the end comes
	Cuts    int     // times that the rate is cut to a third
	Seed    uint64
}

// An epoch is what came out of one pass over the samples. Losses are in nats.
type epoch struct {
	Train float64 // mean loss on the way, each batch before it was learned from
	Valid float64
	Hits  float64 // share of the validation positions whose winner, or best move, is told right
	Rate  float64
}

// A state is all that a fit has to remember between two epochs.
type state struct {
	Params, First, Second []float64 // parameters, and Adam's means of gradients and of their squares
	Steps                 int
	Rate                  float64
	Cuts                  int // made so far
	Waiting               int // epochs since the best

	Best      []float64 // parameters with the least loss on validation
	BestEpoch int
	History   []epoch // History[0] is before the first step
	Done      string  // why the fit is over; empty while it goes on
}

// panel draws the losses of the fit, with a ring around the epoch that is kept.
func (s *state) panel(title string) chart.Panel {
	var x, train, valid []float64
	for n, e := range s.History {
		x, train, valid = append(x, float64(n)), append(train, e.Train), append(valid, e.Valid)
	}
	lines := []chart.Line{{Name: "training", Values: train}, {Name: "validation", Values: valid}}
	return chart.Panel{Title: title + ": loss by epoch,", X: x, Lines: lines, Mark: s.BestEpoch}
}

// Adam's constants: how much of its means a step keeps, and what keeps it from dividing
// by nothing.
const (
	keepFirst  = 0.9
	keepSecond = 0.999
	least      = 1e-10
)

// begin returns the state before the first epoch.
func (p *problem) begin(pl plan) *state {
	n := p.layout.params()
	s := &state{
		Params: make([]float64, n), First: make([]float64, n), Second: make([]float64, n),
		Best: make([]float64, n), Rate: pl.Rate,
	}
	w := p.numbers(s.Params)
	e := epoch{Rate: pl.Rate}
	e.Train, _ = p.mean(p.train, w)
	e.Valid, e.Hits = p.mean(p.valid, w)
	s.History = []epoch{e}
	return s
}

// numbers returns what the parameters make.
func (p *problem) numbers(params []float64) []float64 {
	w := make([]float64, p.layout.numbers())
	p.layout.expand(params, w)
	return w
}

// epoch passes once over the samples, in an order that depends on the seed and the
// number of the epoch alone, and judges the outcome.
func (p *problem) epoch(s *state, pl plan) epoch {
	n := len(p.train)
	batch := pl.Batch
	if batch == 0 {
		batch = max(256, min(8192, n/100))
	}
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	rnd := rand.New(rand.NewPCG(pl.Seed, uint64(len(s.History))))
	rnd.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })

	b := newBatch(p)
	e := epoch{Rate: s.Rate}
	for from := 0; from < n; from += batch {
		part := order[from:min(from+batch, n)]
		loss := b.gradient(part, s.Params)
		e.Train += loss * float64(len(part)) / float64(n)
		s.step(b.params, p.weight)
	}
	e.Valid, e.Hits = p.mean(p.valid, p.numbers(s.Params))
	return e
}

// step moves the parameters against their gradient (Adam; Kingma and Ba 2015), those of more
// weight by less.
func (s *state) step(gradient, weight []float64) {
	s.Steps++
	first := 1 - math.Pow(keepFirst, float64(s.Steps))
	second := 1 - math.Pow(keepSecond, float64(s.Steps))
	for i, g := range gradient {
		s.First[i] = keepFirst*s.First[i] + (1-keepFirst)*g
		s.Second[i] = keepSecond*s.Second[i] + (1-keepSecond)*g*g
		s.Params[i] -= s.Rate / weight[i] * (s.First[i] / first) / (math.Sqrt(s.Second[i]/second) + least)
	}
}

// judge takes the outcome of an epoch into the state: what is best so far, whether to go
// slower, whether to stop.
func (s *state) judge(e epoch, pl plan) {
	s.History = append(s.History, e)
	n := len(s.History) - 1
	if e.Valid < s.History[s.BestEpoch].Valid {
		s.Best = slices.Clone(s.Params)
		s.BestEpoch = n
		s.Waiting = 0
	} else if s.Waiting++; s.Waiting >= pl.Patient {
		if s.Cuts == pl.Cuts {
			s.Done = fmt.Sprintf("validation has stopped falling for %d epochs", s.Waiting)
			return
		}
		// Go on from the best, with smaller steps.
		s.Cuts++
		s.Rate /= 3
		s.Waiting = 0
		copy(s.Params, s.Best)
		clear(s.First)
	}
	if n >= pl.Epochs {
		s.Done = fmt.Sprintf("%d epochs are over", n)
	}
}

// A batch works out gradients. Every part of the work sums into a vector of its own.
type batch struct {
	p         *problem
	w         []float64
	gradients [parts][]float64
	scratches [parts]scratch
	numbers   []float64
	params    []float64 // the gradient that gradient works out
}

func newBatch(p *problem) *batch {
	n := p.layout.numbers()
	b := &batch{p: p, w: make([]float64, n), numbers: make([]float64, n), params: make([]float64, p.layout.params())}
	for i := range b.gradients {
		b.gradients[i] = make([]float64, n)
	}
	return b
}

// gradient works out the mean loss of the training samples named, and the gradient of it and
// of the prior in all parameters.
func (b *batch) gradient(order []int32, params []float64) float64 {
	b.p.layout.expand(params, b.w)
	var losses [parts]float64
	b.p.inParts(len(order), func(part, from, to int) {
		g := b.gradients[part]
		clear(g)
		for _, i := range order[from:to] {
			loss, _ := b.p.loss(b.p.train[i], b.w, g, &b.scratches[part])
			losses[part] += loss
		}
	})
	var loss float64
	k := 1 / float64(len(order))
	b.p.inParts(len(b.numbers), func(_, from, to int) {
		for i := from; i < to; i++ {
			var g float64
			for part := range b.gradients {
				g += b.gradients[part][i]
			}
			b.numbers[i] = g * k
		}
	})
	for _, l := range losses {
		loss += l * k
	}
	b.p.layout.fold(b.numbers, b.params)
	b.p.layout.prior(params, b.params, len(b.p.train))
	return loss
}
