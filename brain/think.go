package brain

import (
	"cmp"
	"context"
	"errors"
	"time"

	"tengen/brain/about"
	"tengen/brain/blocks"
	"tengen/brain/board"
	"tengen/brain/book"
	"tengen/brain/clock"
	"tengen/brain/database"
	"tengen/brain/internal/random"
	"tengen/brain/knowledge"
	"tengen/brain/level"
	"tengen/brain/play"
	"tengen/brain/score"
	"tengen/brain/search"
)

// A Thought is the outcome of Think.
type Thought struct {
	Move  board.Move
	Infos []Info // about the move, and about the other lines if several were searched
	Book  bool   // the move is one of the opening book, with its value there

	// Notes are for the user of the manager: an option that cannot be used, or a panic that
	// was recovered, with its stack after the first line.
	Notes []string
}

// SearchFailed begins the note of a Thought whose search failed with a panic.
const SearchFailed = about.SearchFailed

// A Query says what an engine searches for and within which limits. The zero Query asks for the
// best move under the options in force.
type Query struct {
	Options *Options  // nil for those in force when the method is called
	Start   time.Time // when the time limits begin, for example when a command was read; zero for now

	Lines  int             // best lines wanted; 0 means 1, AllLines one for every move considered
	Report func(Info)      // the progress; nil, or called from one goroutine
	Watch  func(RootEvent) // nil, or called from the same goroutine

	// Study asks for a search even if the opening book has the position, and without a clock, at full
	// strength, for one that sees deep wins sooner and plays a little weaker: see search.Limits.
	Study bool
}

// begin returns the options of q, and when its limits of time begin.
func (e *Engine) begin(q Query) (o Options, start time.Time) {
	if q.Options == nil {
		o = e.Options()
	} else {
		o = *q.Options
	}
	if start = q.Start; start.IsZero() {
		start = time.Now()
	}
	return o, start
}

// AllLines asks for a line for every move that is considered: those near the stones, by the
// option caution_factor, and in the middle.
const AllLines = 1 << 20

// A RootEvent tells how far a search is at the root.
type RootEvent = search.RootEvent

// A RootEventKind says what a RootEvent tells.
type RootEventKind = search.RootEventKind

// The kinds of a RootEvent: see package search.
const (
	IterationBegins = search.IterationBegins
	MoveBegins      = search.MoveBegins
	MoveEnds        = search.MoveEnds
	MoveIsBest      = search.MoveIsBest
	MoveLoses       = search.MoveLoses
)

// Think searches for a move, plays it on the board and returns it. Later calls of Set do not
// affect it. The move is legal if there is a legal move, else any empty cell. Errors: ErrNoGame,
// ErrFull, ErrBlocked.
func (e *Engine) Think(ctx context.Context, q Query) (Thought, error) {
	o, start := e.begin(q)
	p, err := e.plan(o, start, q)
	if err != nil {
		return Thought{}, err
	}
	a := p.known
	if p.searcher != nil {
		a = p.searcher.Search(ctx, e.board, p.limits, p.report)
		e.complete(ctx, o, &p, &a)
	}
	t := Thought{Move: a.Move, Infos: a.Infos, Book: p.book}
	if !e.board.Legal(t.Move) {
		t = Thought{Move: play.AnyMove(e.board)}
	}
	if err := e.Play(t.Move); err != nil {
		return Thought{}, err
	}
	t.Notes = append(e.takeNotes(), a.Notes...)
	e.spend(start, time.Now())
	return t, nil
}

// A plan is how a move is found.
type plan struct {
	known play.Answer // without a search, if searcher is nil
	book  bool        // it is of the opening book

	searcher   play.Searcher
	limits     search.Limits
	report     func(Info)
	restricted bool // the manager or the options restrict moves or the end of the game
	blocked    bool // some first moves are not searched
	endless    bool // once all lines are known the search waits to be stopped
}

// plan decides how a move is found: in the opening book, in the database, or by which search. Errors as
// in Think.
func (e *Engine) plan(o Options, start time.Time, q Query) (plan, error) {
	if err := e.ready(o.Rule); err != nil {
		return plan{}, err
	}
	if e.board.Empties() == 0 {
		return plan{}, ErrFull
	}
	lines := min(max(q.Lines, 1), e.board.Empties())
	ordered := e.restrictions(o, e.board)
	if ordered == nil && !q.Study && lines == 1 {
		if line, ok := e.fromBook(o); ok {
			p := knownMove(Info{Lines: 1, Score: score.Value(line.Value), PV: []board.Move{line.Move}})
			p.book = true
			return p, nil
		}
	}
	e.resize(o)
	if ordered != nil && !play.AnyAllowed(e.board, ordered) && e.board.HasMove() {
		return plan{}, ErrBlocked
	}
	restrict := ordered
	if e.usesDatabase(o) && !o.weakened() {
		r, best := knowledge.Consult(e.database, e.board, ordered, lines > 1)
		if best != nil {
			return knownMove(*best), nil
		}
		restrict = r
	}
	p := plan{restricted: ordered != nil, blocked: restrict != nil && len(restrict.Root) > 0}
	p.searcher = e.searcher(o, p.restricted || p.blocked)
	p.limits = e.limits(o, time.Since(start))
	p.limits.Lines, p.limits.Watch, p.limits.Restrict = lines, q.Watch, restrict
	p.limits.Study = q.Study && o.studies()
	if lines > 1 && o.Distinct {
		p.limits.Restrict = blocks.Distinct(e.board, restrict)
	}
	p.endless = lines > 1 && o.endless() && !o.weakened() && !o.Threats && o.Rule&board.Continuous == 0
	if p.report = q.Report; p.report != nil && e.usesDatabase(o) {
		p.report = func(i Info) { q.Report(knowledge.Complete(e.database, e.board, p.limits.Restrict, i)) }
	}
	return p, nil
}

// knownMove is the plan to play the first move of i.
func knownMove(i Info) plan { return plan{known: play.Answer{Move: i.PV[0], Infos: []Info{i}}} }

// searcher returns the Searcher for the options. restricted says whether moves or the end of the game
// are restricted.
func (e *Engine) searcher(o Options, restricted bool) play.Searcher {
	switch {
	case o.weakened():
		return &level.Player{Strength: o.Strength, Searcher: &e.search, Workers: e.workers, Tables: e.config.Evaluation.Tables, Seed: e.seed}
	case o.Rule&board.Continuous != 0:
		return e.rows
	case o.Threats:
		return play.Threats{Pool: e.search.Pool, Workers: e.workers, Other: e.near(), Restricted: restricted}
	}
	return e.near()
}

// near returns the Searcher at full strength.
func (e *Engine) near() play.Searcher {
	return level.Near{Searcher: &e.search, Tables: e.config.Evaluation.Tables}
}

// complete adds what the database knows to the answer of a search, and stores the answer there.
func (e *Engine) complete(ctx context.Context, o Options, p *plan, a *play.Answer) {
	if a.Failed {
		e.game.SetUp(e.board) // the panic may have left the board in any state
	}
	if p.endless && len(a.Notes) == 0 {
		<-ctx.Done() // all lines are proved, or as deep as a search goes
	}
	if !e.usesDatabase(o) || o.weakened() {
		return
	}
	for i := range a.Infos {
		a.Infos[i] = knowledge.Complete(e.database, e.board, p.limits.Restrict, a.Infos[i])
	}
	if !p.restricted && !o.ReadOnly { // restricted values are not those of the game
		knowledge.Store(e.database, e.board, a.Infos, p.blocked, o.Style != 0)
	}
}

// fromBook returns the move of the opening book, if the options ask for a move at full strength and for
// nothing else, and the database knows nothing better.
func (e *Engine) fromBook(o Options) (book.Line, bool) {
	if !o.Book || o.endless() || o.Threats || o.Style != 0 || o.weakened() || o.Rule&board.Continuous != 0 {
		return book.Line{}, false
	}
	var known *database.Database
	if e.usesDatabase(o) {
		known = e.database
	}
	return knowledge.FromBook(e.openingBook(), known, e.board, func(n int) int {
		if o.Nodes > 0 || o.Depth > 0 {
			return 0 // so that the answer can be repeated
		}
		source := random.Source(board.Mix(uint64(time.Now().UnixNano())))
		return source.Below(n)
	})
}

// openingBook returns the book in force.
func (e *Engine) openingBook() *book.Book {
	e.mu.Lock()
	k := cmp.Or(e.book, e.config.Book)
	e.mu.Unlock()
	if k == nil {
		k = book.Default(e.board.Rule(), e.board.Width(), e.board.Height())
	}
	return k
}

// restrictions returns what the blocks and the options forbid at the position of root and after
// it, nil for nothing.
func (e *Engine) restrictions(o Options, root *board.Board) *search.Restrictions {
	r := blocks.Restrictions(&e.Blocks, root)
	r.DrawFor = o.DrawFor
	if o.MaxMoves < e.width*e.height { // else the board is full first
		r.MaxMoves = o.MaxMoves
	}
	if !r.ChangeGame() {
		return nil
	}
	return r
}

// Ponder searches the present position, at which the opponent is to move, until ctx ends, to
// fill the hash table for the search of the next move. It returns at once if the game is over, and
// below full strength, where the table would make the level stronger. An error is the note of a search
// that failed.
func (e *Engine) Ponder(ctx context.Context) error {
	o := e.Options()
	if err := e.ready(o.Rule); err != nil {
		return err
	}
	if v, _ := outcome(e.board); v != board.Unfinished || o.weakened() {
		return nil
	}
	e.resize(o)
	o.Threats = false
	// The style is for the engine's side, and the opponent is to move.
	l := search.Limits{Style: -o.Style, Next: e.limits(o, 0).Hard, Restrict: e.restrictions(o, e.board)}
	if a := e.searcher(o, false).Search(ctx, e.board, l, nil); len(a.Notes) > 0 {
		return errors.New(a.Notes[0])
	}
	return nil
}

// limits returns the limits of one search. With a limit of nodes or depth alone there is no
// time limit, so that the search is repeatable.
func (e *Engine) limits(o Options, elapsed time.Duration) search.Limits {
	l := search.Limits{Nodes: o.Nodes, Depth: o.Depth, Style: o.Style, From: o.StartDepth, Reach: o.reach(), Resume: e.keepTable.Load()}
	if o.timeless() && (o.Nodes > 0 || o.Depth > 0 || o.Endless) {
		return l
	}
	c := clock.State{
		Turn: o.Turn, Match: o.Match, Left: o.Left, Increment: o.Increment, Elapsed: elapsed,
		Played: e.game.Stones(), Free: max(e.width*e.height-e.game.Stones()-e.game.Blocked(), 1),
	}
	switch {
	case o.Rule&board.Continuous == 0:
	case o.Alone:
		c.Rest = c.Free
	default:
		c.Rest = (c.Free + 1) / 2
	}
	if e.search.Pool != nil {
		c.Stall = e.search.Pool.Stall()
	}
	l.Soft, l.Hard = c.Limits()
	return l
}
