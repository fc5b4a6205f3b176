package tables

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tengen/cmd/internal/chart"
)

// A plan holds the parameters of the training.
type plan struct {
	Rate    float64 // initial step of Adam for each parameter, points
	Batch   int     // samples a step; 0 for a hundredth of the samples, 256 to 8192
	Epochs  int     // at most
	Patient int     // epochs without a lower validation loss until the rate is cut or the training ends
	Cuts    int     // number of times that the rate is cut to a third
	Seed    uint64
}

// An epoch is the result of one pass over the samples. Losses are in nats.
type epoch struct {
	Train float64 // mean loss of each batch before its step
	Valid float64
	Hits  float64 // share of validation positions with the right winner or best move
	Rate  float64
}

// A state is the state of the training between two epochs.
type state struct {
	Params, First, Second []float64 // parameters, and Adam's means of gradients and their squares
	Steps                 int
	Rate                  float64
	Cuts                  int // made so far
	Waiting               int // epochs since the best

	Best      []float64 // parameters with the least validation loss
	BestEpoch int
	History   []epoch // History[0] is before the first step
	Done      string  // why the training has ended, or ""
}

// panel returns the chart of the losses, with a ring around the best epoch.
func (s *state) panel(title string) chart.Panel {
	p := chart.Panel{Title: title + ": loss by epoch,", Mark: s.BestEpoch}
	for n, e := range s.History {
		p.Epochs, p.Training, p.Validation = append(p.Epochs, float64(n)), append(p.Training, e.Train), append(p.Validation, e.Valid)
	}
	return p
}

// Adam's constants: the shares of its means that a step keeps, and the least divisor.
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
	w := p.layout.at(s.Params)
	e := epoch{Rate: pl.Rate}
	e.Train, _ = p.mean(p.train, w)
	e.Valid, e.Hits = p.mean(p.valid, w)
	s.History = []epoch{e}
	return s
}

// epoch passes once over the samples, in an order that depends only on the seed and the number
// of the epoch.
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
	e.Valid, e.Hits = p.mean(p.valid, p.layout.at(s.Params))
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

// judge adds an epoch to the state, and may cut the rate or end the training.
func (s *state) judge(e epoch, pl plan) {
	s.History = append(s.History, e)
	n := len(s.History) - 1
	if e.Valid < s.History[s.BestEpoch].Valid {
		s.Best = slices.Clone(s.Params)
		s.BestEpoch = n
		s.Waiting = 0
	} else if s.Waiting++; s.Waiting >= pl.Patient {
		if s.Cuts == pl.Cuts {
			s.Done = fmt.Sprintf("no lower validation loss for %d epochs", s.Waiting)
			return
		}
		// Continue from the best, with smaller steps.
		s.Cuts++
		s.Rate /= 3
		s.Waiting = 0
		copy(s.Params, s.Best)
		clear(s.First)
	}
	if n >= pl.Epochs {
		s.Done = fmt.Sprintf("%d epochs", n)
	}
}

// A batch computes gradients. Every part of the work has its own sums.
type batch struct {
	p         *problem
	w         []float64
	gradients [parts][]float64
	scratches [parts]scratch
	numbers   []float64
	params    []float64 // the result of gradient
}

func newBatch(p *problem) *batch {
	n := p.layout.numbers()
	b := &batch{p: p, w: make([]float64, n), numbers: make([]float64, n), params: make([]float64, p.layout.params())}
	for i := range b.gradients {
		b.gradients[i] = make([]float64, n)
	}
	return b
}

// gradient returns the mean loss of some training samples, and computes its gradient and that of
// the prior.
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
