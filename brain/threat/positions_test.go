package threat

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
	"tengen/brain/record"
)

// Limits for the positions of testdata/threat, as in:
//
//	go test ./brain/threat -run TestPositions -within 1s -v
var (
	within = flag.Duration("within", 0, "longest time of a position of testdata/threat, instead of -nodes")
	nodes  = flag.Int("nodes", 10_000, "most nodes of a position of testdata/threat")
)

// A puzzle is a position of testdata/threat.
type puzzle struct {
	record.Puzzle
	file string
}

func (p *puzzle) String() string { return fmt.Sprintf("%s line %d", p.file, p.Line) }

func (p *puzzle) board(t testing.TB) *board.Board {
	b := boardtest.New(t, p.Rule, p.Size, p.Size)
	for _, m := range p.Moves {
		b.Play(m)
	}
	return b
}

// puzzles reads all positions of testdata/threat.
func puzzles(t testing.TB) []puzzle {
	return read(t, "threat", record.ReadPuzzles, func(p record.Puzzle, file string) puzzle { return puzzle{p, file} })
}

// tactics reads the positions of testdata/tactics, without their answers.
func tactics(t testing.TB) []puzzle {
	return read(t, "tactics", record.ReadTactics, func(p record.Tactic, file string) puzzle {
		return puzzle{record.Puzzle{Rule: p.Rule, Size: p.Size, Moves: p.Moves, Line: p.Line}, file}
	})
}

// read reads all files in a folder of testdata.
func read[T any](t testing.TB, folder string, from func(io.Reader) ([]T, error), to func(p T, file string) puzzle) (all []puzzle) {
	t.Helper()
	files, err := filepath.Glob("../../testdata/" + folder + "/*.txt")
	if err != nil || len(files) < 3 {
		t.Fatalf("files %v, error %v", files, err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		list, err := from(f)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, p := range list {
			all = append(all, to(p, filepath.Base(name)))
		}
	}
	return all
}

// TestPositions asks the solver for every position of testdata/threat. What it claims is
// checked against every reply, with small proofs on the slow twin. These are wins that were hard to
// find: random positions, as TestSoundness has them, have shorter ones.
func TestPositions(t *testing.T) {
	v := NewVCT(32 << 20)
	type tally struct{ asked, solved int }
	vcts := map[board.Rule]*tally{}
	traps := map[string]int{}
	seen := map[uint64]string{}
	var longest time.Duration
	all := puzzles(t)
	for i := range all {
		p := &all[i]
		b := p.board(t)
		key := canonical(t, p)
		if old := seen[key]; old != "" {
			t.Errorf("%v is the position of %s", p, old)
		}
		seen[key] = p.String()
		if p.Trap != "" {
			traps[p.Trap]++
			v.SetGuide(nil) // traps are tried under other rules, too
			p.checkTrap(t, v, b)
			continue
		}
		guideByNetwork(v, b)
		limits := Limits{Nodes: *nodes}
		if *within > 0 {
			limits = timed(*within)
		}
		start := time.Now()
		var proof *Proof
		if p.Fours {
			proof = v.WinByFours(b, Limits{})
			if proof == nil || proof.Plies != p.Plies {
				t.Errorf("%v: a win by fours in %d plies is not found: %+v", p, p.Plies, proof)
			}
		} else {
			if vcts[p.Rule] == nil {
				vcts[p.Rule] = &tally{}
			}
			vcts[p.Rule].asked++
			if proof = v.Win(b, limits); proof != nil {
				vcts[p.Rule].solved++
			}
			longest = max(longest, time.Since(start))
		}
		if p.Size < 10 && p.Plies == 5 && !fullWin(b, 5) {
			t.Errorf("%v: no win in 5 plies", p)
		}
		if proof != nil && size(proof) < 40 {
			if err := (&slowCheck{b: b, seen: map[step]bool{}}).attack(proof); err != nil {
				t.Errorf("%v: claimed, but %v", p, err)
			}
		}
	}
	asked, solved := 0, 0
	for rule, n := range vcts {
		t.Logf("%v: %d of %d wins by threats found", rule, n.solved, n.asked)
		asked += n.asked
		solved += n.solved
	}
	t.Logf("%d positions; wins by threats: %d of %d, the longest search took %v; near misses %v", len(all), solved, asked, longest, traps)
	if len(all) < 200 || asked < 80 || len(traps) < 5 {
		t.Error("too few positions")
	}
	if 2*solved < asked {
		t.Error("too few wins found")
	}
}

// timed returns limits that end after d.
func timed(d time.Duration) Limits {
	stop := new(atomic.Bool)
	time.AfterFunc(d, func() { stop.Store(true) })
	return Limits{Stop: stop.Load}
}

// canonical is the same for positions that are mirror images of each other.
func canonical(t testing.TB, p *puzzle) uint64 {
	key := ^uint64(0)
	for s := range board.Symmetries {
		twin := boardtest.New(t, p.Rule, p.Size, p.Size)
		for _, m := range p.Moves {
			twin.Play(board.Transform(m, s, p.Size, p.Size))
		}
		key = min(key, twin.Hash())
	}
	return key ^ uint64(p.Rule)
}

// checkTrap: a careless solver claims a win here, but none exists.
func (p *puzzle) checkTrap(t *testing.T, v *VCT, b *board.Board) {
	if p.Reply != board.None {
		p.checkRefuted(t, v, b)
		return
	}
	careless := false
	if p.Trap == "counter-four" {
		nodes := 10_000
		careless = carelessFours(b, 6, &nodes)
	} else {
		// The same stones in freestyle.
		free := boardtest.New(t, board.Freestyle, p.Size, p.Size)
		for _, m := range p.Moves {
			free.Play(m)
		}
		careless = NewVCF(1<<20).Win(free, Limits{Nodes: 100_000}) > 0
	}
	if !careless {
		t.Errorf("%v: no careless solver claims a win", p)
	}
	if !p.Fours {
		if fullWin(b, 5) {
			t.Errorf("%v: there is a win in 5 plies", p)
		}
		// There may be a longer one.
		if claim := v.Win(b, Limits{Nodes: *nodes}); claim != nil {
			if err := (&slowCheck{b: b, seen: map[step]bool{}}).attack(claim); err != nil || claim.Plies <= 5 {
				t.Errorf("%v: claims a win in %d plies: %v", p, claim.Plies, err)
			}
		}
		return
	}
	if v.vcf.Win(b, Limits{}) > 0 {
		t.Errorf("%v: claims a win by fours, %v", p, v.vcf.Line())
	}
	// No win by three fours either when every four is tried against every reply.
	if fours := 3; slowFours(b, fours) {
		t.Errorf("%v: there is a win by %d fours at most", p, fours)
	}
}

// checkRefuted: every reply to first that stops its open four directly loses to fours, and
// yet another reply wins for the other side.
func (p *puzzle) checkRefuted(t *testing.T, v *VCT, b *board.Board) {
	b.Play(p.First)
	defer b.Undo()
	for _, m := range OpenFourStops(b, nil) {
		if !b.Legal(m) {
			continue
		}
		b.Play(m)
		if v.vcf.Win(b, Limits{Nodes: 100_000}) == 0 {
			t.Errorf("%v: %v stops the threat", p, m)
		}
		b.Undo()
	}
	proof := v.WinByFours(b, Limits{})
	if proof == nil || proof.Move != p.Reply {
		t.Errorf("%v: %v is not refuted by %v", p, p.First, p.Reply)
		return
	}
	if err := (&slowCheck{b: b, seen: map[step]bool{}}).attack(proof); err != nil {
		t.Errorf("%v: the refutation has a hole: %v", p, err)
	}
	b.Undo()
	defer b.Play(p.First)
	if claim := v.Win(b, Limits{Nodes: *nodes}); claim != nil && claim.Move == p.First {
		t.Errorf("%v: claims a win by %v, which loses", p, p.First)
	}
}

// carelessFours looks for a win by fours and overlooks that a reply may make a four or
// even a five.
func carelessFours(b *board.Board, fours int, nodes *int) bool {
	s := b.Side()
	if b.Count(s, board.MakesFive) > 0 || fours == 0 {
		return fours > 0
	}
	for _, m := range Fours(b, nil) {
		if *nodes--; *nodes < 0 {
			return false
		}
		if !b.Legal(m) {
			continue
		}
		b.Play(m)
		won := b.Count(s, board.MakesFive) > 0
		for _, r := range FiveBlocks(b, nil) {
			if won && b.Legal(r) {
				b.Play(r)
				won = carelessFours(b, fours-1, nodes)
				b.Undo()
			}
		}
		b.Undo()
		if won {
			return true
		}
	}
	return false
}

// BenchmarkVCF15 times wins by fours of 13 to 17 plies, each from an empty table, and
// reports the median.
func BenchmarkVCF15(b *testing.B) {
	v := NewVCF(1 << 20)
	var times []time.Duration
	for _, p := range puzzles(b) {
		if !p.Fours || p.Plies < 13 || p.Plies > 17 {
			continue
		}
		bd := p.board(b)
		var best time.Duration
		for range 5 {
			v.Clear()
			start := time.Now()
			v.Win(bd, Limits{})
			if d := time.Since(start); best == 0 || d < best {
				best = d
			}
		}
		times = append(times, best)
	}
	slices.Sort(times)
	for b.Loop() {
	}
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "us-median")
	b.ReportMetric(float64(times[len(times)-1].Microseconds()), "us-most")
	b.ReportMetric(float64(len(times)), "positions")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkVCT counts the wins by threats found within -nodes of testdata/tactics and
// testdata/threat, each from empty tables, without a guide and with the networks as guides:
//
//	go test ./brain/threat -run '^$' -bench VCT -benchtime 1x -nodes 160000
//
// No count depends on the machine. A position without a proof counts with twice the
// limit in the mean.
func BenchmarkVCT(b *testing.B) {
	for _, set := range []struct {
		name    string
		puzzles []puzzle
	}{{"tactics", tactics(b)}, {"threat", threats(b)}} {
		for _, guided := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/guided=%v", set.name, guided), func(b *testing.B) {
				var mean float64
				var solved int
				for b.Loop() {
					mean, solved = meanNodes(b, set.puzzles, *nodes, guided)
				}
				b.ReportMetric(float64(solved), "solved")
				b.ReportMetric(float64(len(set.puzzles)), "positions")
				b.ReportMetric(mean, "nodes-mean")
			})
		}
	}
}

// threats returns the positions of testdata/threat that are won by threats other than fours.
func threats(t testing.TB) []puzzle {
	return slices.DeleteFunc(puzzles(t), func(p puzzle) bool { return p.Fours || p.Trap != "" })
}

// guideByNetwork gives v the network for the rule of b, as the engine does, and empties its tables.
func guideByNetwork(v *VCT, b *board.Board) { v.SetGuide(eval.Embedded().New(b)) }

// meanNodes returns the geometric mean of the nodes that the positions take, each from empty tables,
// and how many are solved within the limit; the others count with twice the limit.
func meanNodes(t testing.TB, set []puzzle, limit int, guided bool) (mean float64, solved int) {
	v := NewVCT(16 << 20)
	sum := 0.0
	for i := range set {
		b := set[i].board(t)
		if guided {
			guideByNetwork(v, b)
		} else {
			v.Clear()
		}
		used := 2 * limit
		if v.Win(b, Limits{Nodes: limit}) != nil {
			solved++
			used = v.Nodes()
		}
		sum += math.Log(float64(used))
	}
	return math.Exp(sum / float64(len(set))), solved
}
