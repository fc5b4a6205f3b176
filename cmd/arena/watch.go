package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"tengen/brain/board"
	"tengen/brain/record"
)

// How often a viewer is shown what has changed at most, and how many viewers there are.
const (
	watchEvery = 100 * time.Millisecond
	mostViews  = 64
)

// A watch shows a running match: the games that each worker plays, and the standings. Where nobody looks
// it only notes which games there are. A nil watch shows nothing.
type watch struct {
	standings func() *watchedMatch // takes the lock of the tournament

	mu     sync.Mutex
	places []watchedGame // by worker; Game is 0 before its first
	views  map[*view]bool
	over   bool
}

// A watchedGame is a game in progress, or one that has ended and none has begun at its place.
type watchedGame struct {
	Place   int    `json:"place"`
	Game    int    `json:"game"`
	Black   string `json:"black"`
	White   string `json:"white"`
	Moves   string `json:"moves"`
	Opening int    `json:"opening"` // moves that were given
	Rule    int    `json:"rule"`
	Evals   []eval `json:"evals"` // of the moves after those
	Result  string `json:"result,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Detail  string `json:"detail,omitempty"`

	moves []board.Move // written as text when somebody looks
}

// A watchedMatch is the standings as the report shows them: parts of HTML.
type watchedMatch struct {
	Summary   string `json:"summary"`
	Facts     string `json:"facts"`
	Test      string `json:"test"`
	Standings string `json:"standings"`
	Cross     string `json:"cross"`
}

// A watchEvent is what a viewer is sent: what has changed.
type watchEvent struct {
	Games []watchedGame `json:"games,omitempty"`
	Match *watchedMatch `json:"match,omitempty"`
	Over  bool          `json:"over,omitempty"` // nothing more comes
}

// A view is one viewer, and what has changed for it.
type view struct {
	wake   chan struct{} // has room for one
	places map[int]bool
	match  bool
}

func newWatch(workers int, standings func() *watchedMatch) *watch {
	return &watch{standings: standings, places: make([]watchedGame, workers), views: map[*view]bool{}}
}

// show shows the game of a worker after the given moves. It has a result if it has ended.
func (w *watch) show(place int, g *gameRecord, moves []board.Move) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.places[place] = watchedGame{
		Place: place, Game: g.Game, Black: g.Black, White: g.White, Opening: g.Opening, Rule: g.Rule, moves: moves,
		Evals: g.Eval, Result: g.Result, Reason: g.Reason, Detail: g.Detail,
	}
	for v := range w.views {
		v.places[place] = true
		v.notify()
	}
}

// scored says that the standings have changed.
func (w *watch) scored() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for v := range w.views {
		v.match = true
		v.notify()
	}
}

// end says that nothing more comes.
func (w *watch) end() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	for v := range w.views {
		v.notify()
	}
}

func (v *view) notify() {
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// enter adds a viewer, to whom everything is new. It is nil if there are too many.
func (w *watch) enter() *view {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.views) >= mostViews {
		return nil
	}
	v := &view{wake: make(chan struct{}, 1), places: map[int]bool{}, match: true}
	for i := range w.places {
		v.places[i] = w.places[i].Game > 0
	}
	v.notify()
	w.views[v] = true
	return v
}

func (w *watch) leave(v *view) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.views, v)
}

// next returns what has changed for a viewer as JSON, and whether that was all.
func (w *watch) next(v *view) (text []byte, over bool) {
	var e watchEvent
	w.mu.Lock()
	for place, changed := range v.places {
		if changed {
			g := w.places[place]
			g.Moves, g.Evals = record.FormatMoves(g.moves), slices.Clone(g.Evals)
			e.Games = append(e.Games, g)
		}
	}
	clear(v.places)
	match := v.match
	v.match, e.Over = false, w.over
	w.mu.Unlock()
	if match {
		e.Match = w.standings()
	}
	slices.SortFunc(e.Games, func(a, b watchedGame) int { return a.Place - b.Place })
	text, err := json.Marshal(&e)
	if err != nil {
		panic(err) // plain data always marshals
	}
	return text, e.Over
}

// watched returns the standings of the match.
func (t *tournament) watched() *watchedMatch {
	t.mu.Lock()
	defer t.mu.Unlock()
	p, s := newPage(t.match), t.match.settings
	games := fmt.Sprint(len(t.match.games))
	if !s.endless() {
		games += fmt.Sprintf(" of %d", t.goal)
	}
	summary := fmt.Sprintf("%v, %d×%d, %s games", board.Rule(s.Rule), s.Size, s.Size, games)
	return &watchedMatch{summary, p.facts(), p.test(), p.standings(), p.crosstable()}
}
