package network

import (
	"math/rand/v2"

	"tengen/brain/board"
)

// A feed returns the positions of an epoch in random order. It reads games in random order
// into a pool and draws positions from it, so that those of one game are far apart and only
// the pool is in memory.
type feed struct {
	games []*game // of the epoch, in their order
	next  int     // of games
	pool  []uint32
	size  int // minimum number of positions in the pool while there are more games
	r     *rand.Rand
}

func newFeed(games []*game, size int, seed uint64, epoch int) *feed {
	f := &feed{games: append([]*game(nil), games...), size: size, r: rand.New(rand.NewPCG(seed, uint64(epoch)))}
	f.r.Shuffle(len(f.games), func(i, j int) { f.games[i], f.games[j] = f.games[j], f.games[i] })
	return f
}

// draw appends the numbers of the next n positions to dst, and returns the games that
// were read for them.
func (f *feed) draw(dst []uint32, n int) ([]uint32, []*game) {
	from := f.next
	for ; len(f.pool) < f.size && f.next < len(f.games); f.next++ {
		g := f.games[f.next]
		for i := range g.count {
			f.pool = append(f.pool, g.first+uint32(i))
		}
	}
	for range min(n, len(f.pool)) {
		i, last := f.r.IntN(len(f.pool)), len(f.pool)-1
		dst = append(dst, f.pool[i])
		f.pool[i] = f.pool[last]
		f.pool = f.pool[:last]
	}
	return dst, f.games[from:f.next]
}

// A reservoir holds the samples of the positions that a feed draws from.
type reservoir struct {
	feed       *feed
	extractors []*extractor
	samples    map[uint32]*example
	spare      []*example
	numbers    []uint32
	batch      []*example
	made       [][]*example
}

func newReservoir(rule board.Rule, soft float64, threads int) *reservoir {
	p := &reservoir{samples: map[uint32]*example{}}
	for range threads {
		x := newExtractor(rule)
		x.soft = soft
		p.extractors = append(p.extractors, x)
	}
	return p
}

// begin starts drawing from f, after n batches that another process has drawn.
func (p *reservoir) begin(f *feed, n, size int) error {
	p.feed = f
	p.recycle()
	for _, s := range p.samples {
		p.spare = append(p.spare, s)
	}
	clear(p.samples)
	for range n {
		f.draw(nil, size)
	}
	if n == 0 {
		return nil
	}
	waiting := make(map[uint32]bool, len(f.pool))
	for _, number := range f.pool {
		waiting[number] = true
	}
	var games []*game
	for _, g := range f.games[:f.next] {
		for i := range g.count {
			if waiting[g.first+uint32(i)] {
				games = append(games, g)
				break
			}
		}
	}
	if err := p.read(games); err != nil {
		return err
	}
	for number, s := range p.samples {
		if !waiting[number] {
			p.spare = append(p.spare, s)
			delete(p.samples, number)
		}
	}
	return nil
}

// draw returns the next n samples, valid until the next call.
func (p *reservoir) draw(n int) ([]*example, error) {
	p.recycle()
	numbers, games := p.feed.draw(p.numbers[:0], n)
	p.numbers = numbers
	if err := p.read(games); err != nil {
		return nil, err
	}
	for _, number := range numbers {
		p.batch = append(p.batch, p.samples[number])
		delete(p.samples, number)
	}
	return p.batch, nil
}

func (p *reservoir) recycle() {
	p.spare = append(p.spare, p.batch...)
	p.batch = p.batch[:0]
}

// read makes the samples of games.
func (p *reservoir) read(games []*game) error {
	p.made = p.made[:0]
	for _, g := range games {
		var list []*example
		n := max(len(p.spare)-g.count, 0)
		list = append(list, p.spare[n:]...)
		p.spare = p.spare[:n]
		for len(list) < g.count {
			list = append(list, new(example))
		}
		p.made = append(p.made, list)
	}
	err := parallel(len(p.extractors), len(games), func(worker, i int) error {
		return p.extractors[worker].game(p.made[i], games[i])
	})
	for i, g := range games {
		for k, s := range p.made[i] {
			p.samples[g.first+uint32(k)] = s
		}
	}
	return err
}

// game writes the samples of g into dst, g.count of them.
func (x *extractor) game(dst []*example, g *game) error {
	if err := x.begin(g.Width, g.Height); err != nil {
		return err
	}
	n := 0
	for i := range g.Plies {
		p := &g.Plies[i]
		if u := g.uses[i]; u != 0 {
			x.example(dst[n], p, g.LinesOf(i), g.results[i], u)
			n++
			if n == g.count {
				break
			}
		}
		x.play(p.Move)
	}
	return nil
}
