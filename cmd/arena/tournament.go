package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"tengen/brain/board"
	"tengen/cmd/internal/flags"
	"tengen/cmd/internal/progress"
	"tengen/cmd/internal/resume"
)

// A tournament plays the games of a match that are not in its journal yet.
type tournament struct {
	match    *match
	shard    flags.Shard
	workers  int
	journal  *resume.Journal // nil keeps games in memory only
	log      *log            // nil writes none
	watch    *watch          // nil shows nothing
	progress *progress.Line  // nil shows none

	tag  string // marks every process of this run
	stop context.CancelFunc

	mu       sync.Mutex // over match and all below
	failure  error      // what the system could not do
	first    bool       // the next record carries the settings
	next     int        // the game to look at next
	goal     int        // games of the shard
	finished int        // games this run finished
}

// newTag returns the environment variable that marks the processes of one run.
func newTag() string {
	return fmt.Sprintf("TENGEN_ARENA=%d-%x", os.Getpid(), time.Now().UnixNano())
}

// run plays until all games of the shard are in the journal, the test is over or ctx
// ends, and returns when every engine has ended. It does not record unfinished games. The
// error is the first one in recording a game or starting an engine.
func (t *tournament) run(ctx context.Context) error {
	ctx, t.stop = context.WithCancel(ctx)
	defer t.stop()
	t.next, t.first = 1, true
	if t.decided() {
		return nil
	}
	var wait sync.WaitGroup
	// The first board of a rule takes 0.5 to 4 ms: it is made while the first processes start.
	wait.Go(func() { board.New(board.Rule(t.match.settings.Rule), t.match.settings.Size, t.match.settings.Size) })
	for place := range max(1, t.workers) {
		wait.Go(func() { t.work(ctx, place) })
	}
	wait.Wait()
	killMarked(t.tag + ".")
	return t.failure
}

// take returns the next game to play.
func (t *tournament) take(ctx context.Context) (fixture, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.match.schedule()
	for ; t.next <= s.total(); t.next++ {
		f := s.fixture(t.next)
		if t.match.games[t.next] == nil && t.shard.Has(f.Block) && ctx.Err() == nil {
			t.next++
			return f, true
		}
	}
	return fixture{}, false
}

// work plays one game after the other, shown at its place. Only the two engines of the current game run.
func (t *tournament) work(ctx context.Context, place int) {
	players := map[int]*player{}
	defer func() { endAll(players, func(p *player) { p.leave() }) }()
	var lines *dialogue
	if t.log != nil {
		lines = &dialogue{log: t.log}
	}
	for {
		f, ok := t.take(ctx)
		if !ok {
			return
		}
		idle := map[int]*player{}
		for i, p := range players {
			if i != f.Black && i != f.White {
				idle[i] = p
				delete(players, i)
			}
		}
		endAll(idle, (*player).close)
		lines.begin(f.Game)
		for _, i := range []int{f.Black, f.White} {
			if players[i] == nil {
				players[i] = &player{engine: &t.match.settings.Engines[i], tag: t.tag, note: t.note, log: lines}
			}
		}
		g, err := t.play(ctx, f, place, players[f.Black], players[f.White])
		if g != nil {
			err = t.finish(g)
		}
		if err != nil {
			t.giveUp(err)
		}
		if g == nil || err != nil {
			return
		}
	}
}

// giveUp ends the tournament with an error that is not an engine's fault.
func (t *tournament) giveUp(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failure == nil {
		t.failure = err
	}
	t.stop()
}

// endAll ends several players at once, since each may take a second to exit.
func endAll(players map[int]*player, end func(*player)) {
	var wait sync.WaitGroup
	for _, p := range players {
		wait.Go(func() { end(p) })
	}
	wait.Wait()
}

// play plays one game. The record is nil if ctx ended before the game did, or with an error,
// if the system could not start an engine.
func (t *tournament) play(ctx context.Context, f fixture, place int, black, white *player) (*gameRecord, error) {
	for _, p := range [2]*player{black, white} {
		p.enter(ctx)
		defer p.enter(nil)
	}
	g := playGame(t.match.settings, f, t.match.schedule().opening(f), black, white, func(g *gameRecord, moves []board.Move) { t.watch.show(place, g, moves) })
	for _, p := range [2]*player{black, white} {
		if p.startError != nil {
			return nil, p.startError
		}
	}
	if ctx.Err() != nil {
		return nil, nil
	}
	return g, nil
}

// finish records a game, shows progress and checks whether the test has decided. After an
// error or a decision it records nothing.
func (t *tournament) finish(g *gameRecord) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.match
	if t.failure != nil || t.decided() {
		return nil
	}
	g.Match, g.Shard = m.id(), t.shard.String()
	if t.first {
		g.Settings, t.first = m.settings, false
	}
	if err := t.journal.Add(g); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if failed(g.Reason) {
		fmt.Fprintf(t.progress, "game %d: %s lost by %s: %s\n", g.Game, g.loser(), g.Reason, g.Detail)
	}
	m.games[g.Game] = g
	t.finished++
	t.watch.scored()
	if t.decided() {
		t.stop()
	}
	t.showProgress()
	return nil
}

// note prints what an engine says of a failed search.
func (t *tournament) note(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintln(t.progress, text)
}

// decided reports whether the test is over. A shard, which sees only a part of the games, leaves
// that to merge.
func (t *tournament) decided() bool {
	m := t.match
	if m.settings.SPRT == nil || t.shard.Of > 1 {
		return false
	}
	return m.test().over(m.schedule())
}
