package network

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"time"

	"tengen/brain/nnue"
	"tengen/brain/score"
	"tengen/cmd/internal/progress"
	"tengen/cmd/learn/dataset"
)

// A plan holds the parameters of the training.
type plan struct {
	Epochs   int
	Batch    int     // positions a step
	Warm     int     // steps until the full rates
	Rate     float64 // learning rate of the heads
	RowRate  float64 // learning rate of the rows
	Decay    float64 // of the heads
	RowDecay float64 // decay of the rows
	Average  float64 // epochs that the weights are averaged over, 0 for none
	Policy   float64 // weight of the policy loss
	Soft     float64 // points: temperature of the policy's targets by lines, 0 for the best move alone
	Mix      float64 // share of the search's value in the target; the rest is the result
	Trace    float64 // of dataset.Returns, which makes that result
	Seed     uint64
}

// Parameters that have not needed tuning, 2026-11.
const (
	shards      = 8     // parts of a batch, each with its own gradient
	poolSize    = 32768 // positions to draw from, 3 KB each
	clip        = 5     // greatest norm of the gradient of the heads
	lastRate    = 0.02  // learning rates at the end, as a share of the first
	beta1       = 0.9
	beta2       = 0.999
	adamEps     = 1e-8
	follow      = 0.05 // weight of a batch in the running means of pooled sums
	validations = 4    // in an epoch
	latePly     = 20   // the policy of the positions from here on is also reported by itself: games are decided there

	censusSize = 4096 // positions for the scales of the exporter
	usualPeak  = 1.25 // greatest activation of a cell of an exported network to start from
)

// A state is the state of a run.
type state struct {
	Step         int
	Params, M, V []float32
	Mean         []float32 // moving average of Params; nil without
	Norm         []norm
	Training     Losses // since the last point of History
	History      []point
}

// A point is a point of the chart.
type point struct {
	Epoch    float64
	Training Losses
	Valid    validation
	Deep     validation // on the games of -deep, if any
}

// A trainer trains a model by a plan.
type trainer struct {
	plan
	corpus  *corpus
	threads int
	model   *model
	loaded  bool // model was loaded from a network
	state   *state
	workers []*worker // of each shard
	readers []*worker // of each thread, for validation
	source  *reservoir
	squares []float64 // of the heads' gradient, by block
}

func newTrainer(c *corpus, p plan, threads int, start *model) *trainer {
	t := &trainer{plan: p, corpus: c, threads: threads, model: start, source: newReservoir(c.rule, p.Soft, threads)}
	n := len(start.params)
	t.state = &state{Params: start.params, M: make([]float32, n), V: make([]float32, n), Norm: start.norm}
	if p.Average > 0 {
		t.state.Mean = make([]float32, n)
	}
	for range shards {
		t.workers = append(t.workers, newWorker(start, true))
	}
	for range threads {
		t.readers = append(t.readers, newWorker(start, false))
	}
	t.squares = make([]float64, n/block)
	return t
}

// begin starts from a network.
func (t *trainer) begin(n *nnue.Network) error {
	m := loadModel(n)
	t.model, t.loaded = m, true
	t.state.Params, t.state.Norm = m.params, m.norm
	for _, w := range slices.Concat(t.workers, t.readers) {
		w.m = m
	}
	c, err := t.compare(nil, t.corpus.train, censusSize, t.Mix)
	if err != nil {
		return err
	}
	m.compensate(&c.census, -1)
	m.rescale(c.census.factors(usualPeak, 8), &c.census)
	return nil
}

// steps returns the number of steps in an epoch. An epoch omits the positions, different ones
// each time, that do not fill a batch.
func (t *trainer) steps() int { return t.corpus.positions / t.Batch }

// resume continues from s.
func (t *trainer) resume(s *state) error {
	if len(s.Params) != len(t.state.Params) || len(s.M) != len(s.Params) || len(s.V) != len(s.Params) || len(s.Mean) != len(t.state.Mean) || len(s.Norm) != len(t.state.Norm) {
		return fmt.Errorf("the checkpoint has %d parameters, want %d", len(s.Params), len(t.state.Params))
	}
	t.state = s
	t.model.params, t.model.norm = s.Params, s.Norm
	return nil
}

// run trains until the end of the plan or of ctx. It calls keep after every validation, every
// minute and at the end of ctx.
func (t *trainer) run(ctx context.Context, out io.Writer, line *progress.Line, keep func() error) error {
	epoch := t.steps()
	if epoch == 0 {
		return fmt.Errorf("%d positions do not fill a batch of %d", t.corpus.positions, t.Batch)
	}
	s := t.state
	began, from, kept := time.Now(), s.Step, time.Now()
	speed := func() float64 { return float64((s.Step-from)*t.Batch) / time.Since(began).Seconds() }
	for first := true; s.Step < t.Epochs*epoch; first = false {
		if s.Step%epoch == 0 || first {
			f := newFeed(t.corpus.train, poolSize, t.Seed, s.Step/epoch)
			if err := t.source.begin(f, s.Step%epoch, t.Batch); err != nil {
				return err
			}
		}
		batch, err := t.source.draw(t.Batch)
		if err != nil {
			return err
		}
		if s.Step == 0 {
			t.measureNorms(batch)
		}
		t.step(batch)
		if line.Due(false) {
			line.Show(fmt.Sprintf("epoch %.2f of %d", float64(s.Step)/float64(epoch), t.Epochs),
				line.ToGo(s.Step-from, float64(t.Epochs*epoch-s.Step)),
				fmt.Sprintf("value %.4f", s.Training.excess()), fmt.Sprintf("policy %.3f", s.Training.policy()), fmt.Sprintf("%.0f positions/s", speed()))
		}

		// Validate after each of the parts of an epoch.
		at := (s.Step-1)%epoch + 1
		due := at*validations/epoch > (at-1)*validations/epoch
		if due {
			p, err := t.addPoint()
			if err != nil {
				return err
			}
			line.End()
			fmt.Fprintf(out, "%v; %.0f positions/s\n", p, speed())
		}
		stopped := ctx.Err()
		if due || stopped != nil || time.Since(kept) > time.Minute {
			if err := keep(); err != nil {
				return err
			}
			kept = time.Now()
		}
		if stopped != nil {
			return stopped
		}
	}
	return nil
}

// addPoint validates the model and adds a point to the history.
func (t *trainer) addPoint() (*point, error) {
	s := t.state
	p := point{Epoch: float64(s.Step) / float64(t.steps()), Training: s.Training}
	var err error
	if p.Valid, err = t.validate(t.corpus.valid, t.Mix); err == nil && t.corpus.deep != nil {
		p.Deep, err = t.validate(t.corpus.deep, 1)
	}
	s.Training = Losses{}
	s.History = append(s.History, p)
	return &p, err
}

// schedule returns the factor of the learning rates at a step, counted from 0.
func (t *trainer) schedule(step int) float64 {
	total := t.Epochs * t.steps()
	warm := min(float64(step+1)/float64(max(t.Warm, 1)), 1)
	return warm * (lastRate + (1-lastRate)*0.5*(1+math.Cos(math.Pi*float64(step)/float64(total))))
}

// shard calls f for the parts of a batch, each with its own worker.
func (t *trainer) shard(batch []*example, f func(w *worker, part []*example)) {
	parallel(t.threads, shards, func(_, i int) error {
		w := t.workers[i]
		w.begin()
		f(w, batch[i*len(batch)/shards:(i+1)*len(batch)/shards])
		return nil
	})
}

// measureNorms sets the norms to those of the batch. The outputs of a loaded model stay the
// same.
func (t *trainer) measureNorms(batch []*example) {
	old := slices.Clone(t.model.norm)
	t.shard(batch, func(w *worker, part []*example) { w.pools(part) })
	t.updateNorms(1)
	if t.loaded {
		t.model.settle(old)
	}
}

// updateNorms moves the running means by a share toward the means of the workers.
func (t *trainer) updateNorms(share float64) {
	for h := range t.model.norm {
		to := &t.model.norm[h]
		for i := range to.Mean {
			n, sum, squares := 0, [pair]float64{}, [pair]float64{}
			for _, w := range t.workers {
				p := &w.sums[h][i]
				n += p.n
				for k := range sum {
					sum[k] += float64(p.sum[k])
					squares[k] += float64(p.squares[k])
				}
			}
			if n == 0 {
				continue
			}
			for k := range sum {
				d := sum[k] / float64(n) // from the mean
				v := max(squares[k]/float64(n)-d*d, 0)
				to.Mean[i][k] += share * d
				to.Var[i][k] += share * (v - to.Var[i][k])
			}
		}
	}
}

// step trains on a batch. The result does not depend on the number of threads.
func (t *trainer) step(batch []*example) {
	values, policies := 0, 0
	for _, s := range batch {
		if s.valued {
			values++
		}
		if len(s.candidates) > 0 {
			policies++
		}
	}
	dv, dp := float32(1/float64(max(values, 1))), float32(t.Policy/float64(max(policies, 1)))
	t.shard(batch, func(w *worker, part []*example) {
		w.learn(part, t.Mix, dv, dp)
	})
	for _, w := range t.workers {
		t.state.Training.add(&w.loss)
	}
	t.updateNorms(follow)
	t.move()
	t.state.Step++
	t.followMean()
}

// A span is a range of blocks of parameters that one goroutine moves.
type span struct {
	from, to int
	rows     bool // use the learning rates of rows
}

// spans divides the parameters into spans.
func (l layout) spans() (all []span) {
	const most = 512
	cut := func(from, to int, rows bool) {
		for ; from < to; from += most {
			all = append(all, span{from, min(from+most, to), rows})
		}
	}
	for s := range l.sets {
		cut(s*setRows, s*setRows+biasRow, true)
		cut(s*setRows+biasRow, (s+1)*setRows, false)
	}
	cut(l.rows()/block, l.size()/block, false)
	return all
}

// move adds up the gradients of the workers and moves the parameters.
func (t *trainer) move() {
	spans := t.model.spans()
	sum := t.workers[0]
	parallel(t.threads, len(spans), func(_, i int) error {
		for b := spans[i].from; b < spans[i].to; b++ {
			g := sum.grad[b*block:][:block]
			any := sum.dirty[b]
			sum.dirty[b] = false
			for _, w := range t.workers[1:] {
				if w.dirty[b] {
					w.dirty[b] = false
					add(g, w.grad[b*block:][:block])
					any = true
				}
			}
			t.squares[b] = 0
			if any && !spans[i].rows {
				for _, x := range g {
					t.squares[b] += float64(x) * float64(x)
				}
			}
		}
		return nil
	})
	var square float64
	for _, s := range t.squares {
		square += s
	}
	step := float64(t.state.Step + 1)
	share := t.schedule(t.state.Step)
	heads := adamStep{
		scale: float32(min(1, clip/math.Sqrt(square))),
		beta1: beta1, rest1: 1 - beta1, beta2: beta2, rest2: 1 - beta2,
		unbias: float32(1 / (1 - math.Pow(beta2, step))), eps: adamEps,
		rate: float32(share * t.Rate / (1 - math.Pow(beta1, step))), keep: float32(1 - share*t.Rate*t.Decay),
	}
	rows := heads
	rows.scale = 1
	rows.rate, rows.keep = float32(share*t.RowRate/(1-math.Pow(beta1, step))), float32(1-share*t.RowRate*t.RowDecay)
	parallel(t.threads, len(spans), func(_, i int) error {
		from, to, s := spans[i].from*block, spans[i].to*block, &heads
		if spans[i].rows {
			s = &rows
		}
		adam(t.state.Params[from:to], t.state.M[from:to], t.state.V[from:to], sum.grad[from:to], s)
		return nil
	})
}

// A validation is the losses of a model on games for validation.
type validation struct {
	Losses             // for the targets of the plan
	Mixed    valueLoss // for targets of 75% the search's value and 25% the result
	Unproven valueLoss // for the search's value alone, in positions without a proven result
	Choices  choices
	Late     choices // from latePly on
}

// Choices are how the policy ranks the best moves of searches.
type choices struct {
	N     int
	Loss  float64 // sum, in nats
	First int     // how many have the highest policy
	Eight int     // how many are among the eight highest
}

func (c *choices) add(o choices) {
	c.N += o.N
	c.Loss += o.Loss
	c.First += o.First
	c.Eight += o.Eight
}

func (c *choices) String() string {
	n := float64(max(c.N, 1))
	return fmt.Sprintf("policy %.3f, first %.1f%%, in eight %.1f%%", c.Loss/n, 100*float64(c.First)/n, 100*float64(c.Eight)/n)
}

// A valueLoss adds up the losses of values and the entropy of their targets.
type valueLoss struct {
	N             int
	Loss, Entropy float64
}

func (l *valueLoss) measure(value, target float64) {
	l.N++
	l.Loss += dataset.CrossEntropy(value, target)
	l.Entropy += entropy(target)
}

func (l *valueLoss) add(o *valueLoss) {
	l.N += o.N
	l.Loss += o.Loss
	l.Entropy += o.Entropy
}

// excess returns the mean loss above the entropy of the targets.
func (l *valueLoss) excess() float64 { return (l.Loss - l.Entropy) / float64(max(l.N, 1)) }

func (l *Losses) excess() float64 { return (l.Value - l.Entropy) / float64(max(l.Values, 1)) }
func (l *Losses) policy() float64 { return l.Policy / float64(max(l.Policies, 1)) }
func (l *Losses) first() float64  { return float64(l.Hits) / float64(max(l.Policies, 1)) }

// measure adds the losses of s after p, with targets of mix and the best move alone, so that losses can
// be compared whatever the policy is trained on. It overwrites the logits and the shares.
func (v *validation) measure(p *pass, s *example, mix float64) {
	s.shares = s.shares[:0]
	better := 0 // moves with a higher policy than the best
	if p.policy {
		for _, l := range p.logits {
			if l > p.logits[s.best] {
				better++
			}
		}
	}
	before := v.Losses.Policy
	p.measure(s, s.target(mix), &v.Losses)
	if p.policy {
		c := choices{N: 1, Loss: v.Losses.Policy - before}
		if better < 1 {
			c.First = 1
		}
		if better < 8 {
			c.Eight = 1
		}
		v.Choices.add(c)
		if s.ply >= latePly {
			v.Late.add(c)
		}
	}
	if !s.valued {
		return
	}
	v.Mixed.measure(float64(p.value), float64(s.target(0.75)))
	if !score.Value(s.search).Proven() {
		v.Unproven.measure(float64(p.value), float64(s.target(1)))
	}
}

// validate measures the model on games whose positions are marked.
func (t *trainer) validate(games []*game, mix float64) (validation, error) {
	const chunk = 16 // games
	parts := make([]validation, (len(games)+chunk-1)/chunk)
	for _, w := range t.readers {
		w.m = t.model
		w.begin()
	}
	buffers := make([][]*example, t.threads)
	err := parallel(t.threads, len(parts), func(worker, i int) error {
		w := t.readers[worker]
		v := &parts[i]
		for _, g := range games[i*chunk : min((i+1)*chunk, len(games))] {
			for len(buffers[worker]) < g.count {
				buffers[worker] = append(buffers[worker], new(example))
			}
			list := buffers[worker][:g.count]
			if err := t.source.extractors[worker].game(list, g); err != nil {
				return err
			}
			for _, s := range list {
				v.measure(w.evaluate(s), s, mix)
			}
		}
		return nil
	})
	var sum validation
	for i := range parts {
		sum.Losses.add(&parts[i].Losses)
		sum.Mixed.add(&parts[i].Mixed)
		sum.Unproven.add(&parts[i].Unproven)
		sum.Choices.add(parts[i].Choices)
		sum.Late.add(parts[i].Late)
	}
	return sum, err
}

// String formats the point in one line.
func (p *point) String() string {
	line := fmt.Sprintf("epoch %.2f: training: value %.4f, policy %.3f, first %.1f%%; validation: %s",
		p.Epoch, p.Training.excess(), p.Training.policy(), 100*p.Training.first(), &p.Valid)
	if p.Deep.Values > 0 {
		line += "; deep: " + p.Deep.deepString()
	}
	return line
}

// deepString formats the losses on games of -deep, whose targets are values of searches alone.
func (v *validation) deepString() string {
	return fmt.Sprintf("value %.4f, unproven %.4f, %v; from ply %d on %v", v.excess(), v.Unproven.excess(), &v.Choices, latePly, &v.Late)
}

func (v *validation) String() string {
	return fmt.Sprintf("value %.4f (by 75%% search %.4f, unproven by search %.4f), policy %.3f, first %.1f%%",
		v.excess(), v.Mixed.excess(), v.Unproven.excess(), v.policy(), 100*v.first())
}

// memory returns the memory of the program in MiB.
func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys >> 20
}
