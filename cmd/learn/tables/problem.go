package tables

import (
	"math"
	"slices"
	"sync"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/winrate"
	"tengen/cmd/learn/dataset"
)

// A problem is a layout of numbers and the samples that they are fitted to.
type problem struct {
	name   string
	layout layout
	train  []*example
	valid  []*example
	weight []float64 // of each parameter: how far a step of 1 moves a value, at least 1

	// loss returns the loss of s by the numbers w, and whether the winner or best move is
	// right. It adds the gradient to g unless that is nil.
	loss func(s *example, w, g []float64, tmp *scratch) (loss float64, hit bool)

	processors int // to use
}

// scratch is memory for every cell of the largest board.
type scratch [board.MaxSize * board.MaxSize]float64

// valueProblem fits points of cells and threats to targets.
func valueProblem(c *corpus, start *eval.Tables, processors int) *problem {
	p := &problem{name: "values", layout: valueLayout(start), train: every(c.train), valid: every(c.valid), processors: processors}
	p.weight = valueWeights(p.layout, p.train, c.colors)
	threats := c.colors * eval.Codes
	p.loss = func(s *example, w, g []float64, _ *scratch) (float64, bool) {
		half := 0.5
		if s.white {
			half = -half
		}
		var sum float64
		for _, k := range s.counts {
			sum += float64(k.n) * w[k.index]
		}
		mask := threats + int(s.side)*eval.Masks + int(s.mask)
		v := (half*sum + w[mask]) / winrate.Unit
		win := winrate.AtOdds(v)
		if g != nil {
			gradient := (win - s.target) / winrate.Unit
			g[mask] += gradient
			gradient *= half
			for _, k := range s.counts {
				g[k.index] += float64(k.n) * gradient
			}
		}
		return dataset.CrossEntropy(v, s.target), (win > 0.5) == (s.target > 0.5)
	}
	return p
}

// valueWeights returns the root mean square of the factor of each parameter in a value, at
// least 1. A pattern may count on a hundred cells and a double three on one; with steps of the
// same size for both the values would oscillate.
func valueWeights(l layout, samples []*example, colors int) []float64 {
	few := samples[:min(len(samples), 2000)]
	squares := make([]float64, l.params())
	numbers, params := make([]float64, l.numbers()), make([]float64, l.params())
	for _, s := range few {
		clear(numbers)
		for _, k := range s.counts {
			numbers[k.index] = float64(k.n) / 2
		}
		numbers[colors*eval.Codes+int(s.side)*eval.Masks+int(s.mask)] = 1
		l.fold(numbers, params)
		for i, v := range params {
			squares[i] += v * v
		}
	}
	for i, v := range squares {
		squares[i] = max(1, math.Sqrt(v/float64(max(len(few), 1))))
	}
	return squares
}

// orderProblem fits scores to the best moves by softmax of score/temperature. Temperature 0 is
// replaced by the one at which the scores of the start have the least loss, so that scores
// keep their scale against the history of the search. It returns the temperature.
func orderProblem(c *corpus, start *eval.Tables, temperature float64, processors int) (*problem, float64) {
	p := &problem{name: "order", layout: orderLayout(start), train: choosing(c.train), valid: choosing(c.valid), processors: processors}
	if temperature == 0 {
		temperature = p.fitTemperature()
	}
	p.loss = orderLoss(temperature)
	p.weight = slices.Repeat([]float64{1}, p.layout.params())
	return p, temperature
}

func orderLoss(temperature float64) func(s *example, w, g []float64, tmp *scratch) (float64, bool) {
	return func(s *example, w, g []float64, tmp *scratch) (float64, bool) {
		at := int(s.side) * 2 * eval.Codes
		own, other := w[at:][:eval.Codes], w[at+eval.Codes:][:eval.Codes]
		scores := tmp[:len(s.choices)]
		top := math.Inf(-1)
		for i, k := range s.choices {
			scores[i] = (own[k.own] + other[k.other]) / temperature
			top = max(top, scores[i])
		}
		best := scores[s.best]
		var sum float64
		tops := 0
		for i, v := range scores {
			if v == top {
				tops++
			}
			scores[i] = math.Exp(v - top)
			sum += scores[i]
		}
		if g != nil {
			own, other := g[at:][:eval.Codes], g[at+eval.Codes:][:eval.Codes]
			for i, k := range s.choices {
				gradient := scores[i] / (sum * temperature)
				own[k.own] += gradient
				other[k.other] += gradient
			}
			k := s.choices[s.best]
			own[k.own] -= 1 / temperature
			other[k.other] -= 1 / temperature
		}
		return top - best + math.Log(sum), best == top && tops == 1
	}
}

// fitTemperature returns the best temperature from 1 to 1000, within 5%, or 24 if there is
// nothing to fit.
func (p *problem) fitTemperature() float64 {
	few := p.train[:min(len(p.train), 20000)]
	w := p.layout.zero()
	best, least := 24.0, math.Inf(1)
	if flat := !slices.ContainsFunc(w, func(v float64) bool { return v != 0 }); len(few) == 0 || flat {
		return best
	}
	for t := 1.0; t <= 1000; t *= 1.1 {
		p.loss = orderLoss(t)
		if loss, _ := p.mean(few, w); loss < least {
			best, least = math.Round(10*t)/10, loss
		}
	}
	return best
}

// every returns pointers to all samples.
func every(all []example) []*example {
	list := make([]*example, len(all))
	for i := range all {
		list[i] = &all[i]
	}
	return list
}

// choosing returns the samples that teach the order of moves.
func choosing(all []example) []*example {
	return slices.DeleteFunc(every(all), func(s *example) bool { return s.choices == nil })
}

// parts is the number of pieces of work. Sums are added in their order, so that the result
// does not depend on the number of processors.
const parts = 16

// inParts calls f for every piece of n things.
func (p *problem) inParts(n int, f func(part, from, to int)) {
	busy := make(chan struct{}, p.processors)
	var all sync.WaitGroup
	for i := range parts {
		busy <- struct{}{}
		all.Go(func() {
			f(i, i*n/parts, (i+1)*n/parts)
			<-busy
		})
	}
	all.Wait()
}

// mean returns the mean loss of samples by the numbers w, and the share of hits.
func (p *problem) mean(samples []*example, w []float64) (loss, hit float64) {
	var sums [parts]float64
	var hits [parts]int
	p.inParts(len(samples), func(part, from, to int) {
		var tmp scratch
		for _, s := range samples[from:to] {
			l, hit := p.loss(s, w, nil, &tmp)
			sums[part] += l
			if hit {
				hits[part]++
			}
		}
	})
	var sum float64
	var n int
	for i := range parts {
		sum += sums[i]
		n += hits[i]
	}
	return sum / float64(max(len(samples), 1)), float64(n) / float64(max(len(samples), 1))
}
