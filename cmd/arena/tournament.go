package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tengen/brain/board"
	"tengen/brain/record"
)

// A tournament plays what is missing of a match.
type tournament struct {
	match    *match
	sched    *schedule
	openings [][]board.Move
	shard    shard
	workers  int
	journal  *journal  // nil keeps games in memory only
	psq      string    // folder, or one file if it ends in .psq; "" for none
	sgf      *os.File  // nil for none
	progress *progress // nil is quiet
	warn     io.Writer // chatter

	stopped atomic.Int64 // how often this process was stopped and continued

	tag   string // marks every process of this run
	stop  context.CancelFunc
	ended chan *gameRecord // games on their way to the journal
	first bool             // the next record carries the settings

	mu      sync.Mutex      // over match.games and all below
	failure error           // what the machine could not do
	next    int             // the game to look at next
	asked   map[string]bool // engines that have been asked for their name and version
	news    [][2]string     // names and answers that no record carries yet
}

const aboutLimit = time.Second // for the answer to ABOUT

// newTag makes the environment variable that marks the processes of one run.
func newTag() string {
	return fmt.Sprintf("TENGEN_ARENA=%d-%x", os.Getpid(), time.Now().UnixNano())
}

// run plays until all games of the shard are in the journal, the test has decided or
// ctx ends. It returns when every engine is gone. Games that were not finished leave no
// trace. The error is the first one that keeps results from being recorded or engines
// from being started.
func (t *tournament) run(ctx context.Context) error {
	ctx, t.stop = context.WithCancel(ctx)
	defer t.stop()
	t.next, t.first = 1, true
	t.ended = make(chan *gameRecord, 64)
	if t.decided() {
		return nil
	}
	t.asked = map[string]bool{}
	for name := range t.match.about {
		t.asked[name] = true
	}
	recorded := make(chan error)
	go func() { recorded <- t.record() }()
	var wait sync.WaitGroup
	// The first board of a rule takes up to 20 ms, as long as processes take to start.
	wait.Go(func() { board.New(board.Rule(t.match.settings.Rule), t.match.settings.Size, t.match.settings.Size) })
	for range max(1, t.workers) {
		wait.Go(func() { t.work(ctx) })
	}
	wait.Wait()
	close(t.ended)
	err := <-recorded
	killMarked(t.tag + ".")
	if err == nil {
		err = t.failure
	}
	return err
}

// record takes games from the workers, who need not wait for the disk, until there are
// no more. After an error it stops the tournament and keeps nothing further.
func (t *tournament) record() error {
	var failure error
	for g := range t.ended {
		if failure != nil {
			continue
		}
		if failure = t.finish(g); failure != nil {
			t.stop()
		}
	}
	return failure
}

// introduce asks an engine whose process is new for its name and version, once in a run.
// No answer is no failure, and a process that does not live through it is replaced.
func (t *tournament) introduce(s *seat) {
	name := s.engine.Name
	t.mu.Lock()
	again := t.asked[name]
	t.asked[name] = true
	t.mu.Unlock()
	if again {
		return
	}
	text, err := s.client.About(aboutLimit)
	if err != nil {
		s.close()
		s.launch() // if this fails, so will the game
	}
	if text != "" {
		t.mu.Lock()
		t.news = append(t.news, [2]string{name, text})
		t.mu.Unlock()
	}
}

// take returns the next game to play.
func (t *tournament) take(ctx context.Context) (fixture, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for ; t.next <= t.sched.total(); t.next++ {
		f := t.sched.fixture(t.next)
		if t.match.games[t.next] == nil && t.shard.has(f) && ctx.Err() == nil {
			t.next++
			return f, true
		}
	}
	return fixture{}, false
}

// work plays games one after the other. Only the two engines of the present game run.
func (t *tournament) work(ctx context.Context) {
	seats := map[int]*seat{}
	defer func() { endAll(seats, func(s *seat) { s.leave() }) }()
	for {
		f, ok := t.take(ctx)
		if !ok {
			return
		}
		idle := map[int]*seat{}
		for i, s := range seats {
			if i != f.Black && i != f.White {
				idle[i] = s
				delete(seats, i)
			}
		}
		endAll(idle, (*seat).close)
		for _, i := range []int{f.Black, f.White} {
			if seats[i] == nil {
				seats[i] = &seat{engine: &t.match.settings.Engines[i], tag: t.tag}
			}
		}
		g, ok := t.playWhole(ctx, f, seats)
		if !ok {
			return
		}
		t.ended <- g
	}
}

// noticeStop is how long the signal may take to tell that this process was stopped.
const noticeStop = 50 * time.Millisecond

// giveUp ends the tournament with an error that is no engine's.
func (t *tournament) giveUp(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failure == nil {
		t.failure = err
	}
	t.stop()
}

// playWhole plays a game, and again if this process was stopped in its middle: the time
// would be charged to the engine that was thinking.
func (t *tournament) playWhole(ctx context.Context, f fixture, seats map[int]*seat) (*gameRecord, bool) {
	for {
		stops := t.stopped.Load()
		g, ok := t.play(ctx, f, seats[f.Black], seats[f.White])
		for _, s := range seats {
			if s.trouble != nil {
				t.giveUp(s.trouble)
				return nil, false
			}
		}
		if g.Reason == "timeout" {
			time.Sleep(noticeStop)
		}
		if !ok || t.stopped.Load() == stops {
			return g, ok
		}
		t.say("game %d is played again: the tournament was stopped in its middle\n", f.Game)
		endAll(seats, (*seat).close)
	}
}

// endAll ends several engines at once, since each may take its second to go.
func endAll(seats map[int]*seat, end func(*seat)) {
	var wait sync.WaitGroup
	for _, s := range seats {
		wait.Go(func() { end(s) })
	}
	wait.Wait()
}

// play plays one game; false means that ctx ended before the game did.
func (t *tournament) play(ctx context.Context, f fixture, black, white *seat) (*gameRecord, bool) {
	var opening []board.Move
	if f.Opening >= 0 {
		opening = transform(t.openings[f.Opening], f.Symmetry, t.sched.width, t.sched.height)
	}
	var wait sync.WaitGroup
	for _, s := range [2]*seat{black, white} {
		s.enter(ctx)
		defer s.enter(nil)
		if s.running() {
			continue
		}
		wait.Go(func() {
			if s.launch() == nil {
				t.introduce(s)
			}
		})
	}
	wait.Wait()
	g := playGame(t.match.settings, f, opening, black, white)
	return g, ctx.Err() == nil
}

// finish records a game everywhere and looks at the test.
func (t *tournament) finish(g *gameRecord) error {
	if t.match.tester != nil && t.match.tester.verdict != goOn {
		return nil // the decision came while it was on its way
	}
	g.Match, g.Shard = t.match.id, t.shard.String()
	t.mu.Lock()
	for _, n := range t.news {
		g.addAbout(n[0], n[1])
		t.match.addAbout(n[0], n[1])
	}
	t.news = nil
	t.mu.Unlock()
	if t.first {
		g.Settings, t.first = t.match.settings, false
	}
	if t.journal != nil {
		if err := t.journal.add(g); err != nil {
			return fmt.Errorf("journal: %w", err)
		}
	}
	if err := t.save(g); err != nil {
		return err
	}
	if failed(g.Reason) {
		t.say("game %d: %s lost by %s: %s\n", g.Game, g.loser(), g.Reason, g.Detail)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.match.games[g.Game] = g
	if t.decided() {
		t.stop()
	}
	if t.progress != nil {
		t.progress.finished(g)
	}
	return nil
}

// say writes a line of chatter.
func (t *tournament) say(format string, args ...any) {
	if t.warn == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintf(t.warn, format, args...)
}

// decided reports whether the test has come to a verdict. A shard sees a part only and
// leaves it to merge.
func (t *tournament) decided() bool {
	m := t.match
	if m.settings.SPRT == nil || t.shard.of > 1 {
		return false
	}
	if m.tester == nil {
		m.tester = &tester{test: m.settings.SPRT}
	}
	m.tester.advance(m, t.sched.total())
	return m.tester.verdict != goOn
}

// save writes the game in the formats of other programs.
func (t *tournament) save(g *gameRecord) error {
	if t.psq == "" && t.sgf == nil {
		return nil
	}
	r, err := g.game()
	if err != nil {
		return err
	}
	if t.psq != "" {
		if err := savePSQ(t.psq, g, r); err != nil {
			return err
		}
	}
	if t.sgf != nil {
		return record.WriteSGF(t.sgf, r)
	}
	return nil
}

// savePSQ writes one file a game into a folder, or appends to a file that is named *.psq.
func savePSQ(path string, g *gameRecord, r *record.Game) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if !strings.HasSuffix(path, ".psq") {
		path = filepath.Join(path, fmt.Sprintf("%05d_%s_%s.psq", g.Game, fileName(g.Black), fileName(g.White)))
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(path, flags, 0o644)
	if err != nil {
		return err
	}
	err = record.WritePSQ(f, r)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// preparePSQ makes the folder or the file that savePSQ will write to.
func preparePSQ(path string) error {
	if !strings.HasSuffix(path, ".psq") {
		return os.MkdirAll(path, 0o755)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	return f.Close()
}

// fileName replaces what some file system may refuse.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._+", r) {
			return r
		}
		return '_'
	}, s)
}

// game converts a line of the journal to what the file formats know.
func (r *gameRecord) game() (*record.Game, error) {
	moves, err := board.ParseMoves(r.Moves, r.Size, r.Size)
	if err != nil {
		return nil, fmt.Errorf("game %d: %w", r.Game, err)
	}
	if r.Opening < 0 || r.Opening > len(moves) {
		return nil, fmt.Errorf("game %d: %d opening moves of %d", r.Game, r.Opening, len(moves))
	}
	g := &record.Game{
		Rule: board.Rule(r.Rule), Width: r.Size, Height: r.Size, Black: r.Black, White: r.White,
		Moves: moves, Opening: r.Opening, Outcome: record.ParseOutcome(r.Result), Reason: r.Reason,
		Event: r.Black + " x " + r.White, Round: fmt.Sprintf("%d.%d", r.Round, r.Game),
		Date: strings.NewReplacer("-", ".", "T", " ", "Z", "").Replace(r.Started),
	}
	if r.Detail != "" {
		g.Reason += " " + r.Detail
	}
	g.Millis = make([]int, len(moves))
	for i, ms := range r.Time {
		if k := r.Opening + i; k < len(moves) {
			g.Millis[k] = int(ms + 0.5)
		}
	}
	return g, nil
}
