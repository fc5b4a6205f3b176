package brain

import (
	"context"
	"slices"
	"strings"
	"time"

	"tengen/brain/board"
	"tengen/brain/search"
)

// A Thought is the outcome of Think.
type Thought struct {
	Move  board.Move
	Infos []Info // about the move, and about the other lines if several were searched

	// Notes are for the user of the manager: an option that cannot be used, or a panic that
	// was recovered, with its stack after the first line.
	Notes []string
}

// SearchFailed begins the note of a Thought whose search failed with a panic.
const SearchFailed = "the search failed"

// A Query says what an engine searches for and within which limits. The zero Query asks for the
// best move under the options in force.
type Query struct {
	Options *Options  // nil for those in force when the method is called
	Start   time.Time // when the limits of time begin, such as that of reading a command; zero for now

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
	if err := e.ready(o.Rule); err != nil {
		return Thought{}, err
	}
	if e.board.Empties() == 0 {
		return Thought{}, ErrFull
	}
	lines := min(max(q.Lines, 1), e.board.Empties())
	ordered := e.restrictions(o, e.board)
	var known *Info
	if ordered == nil && !q.Study {
		known = e.recall(o, lines)
	}
	restrict := ordered
	if known == nil {
		e.resize(o)
		if ordered != nil && !anyAllowed(e.board, ordered) && e.board.HasMove() {
			return Thought{}, ErrBlocked
		}
		restrict, known = e.consult(o, lines, ordered)
	}

	var t Thought
	var notes []string
	if known != nil {
		t.Move, t.Infos = known.PV[0], []Info{*known}
	} else {
		l := e.limits(o, time.Since(start))
		l.Lines, l.Watch, l.Restrict = lines, q.Watch, restrict
		l.Study = q.Study && o.studies()
		t.Move, t.Infos, notes = e.think(ctx, o, l, ordered != nil, q.Report)
	}
	if slices.ContainsFunc(notes, func(note string) bool { return strings.HasPrefix(note, SearchFailed) }) {
		e.game.on(e.board) // what failed may have been the board
	}
	if !e.board.Legal(t.Move) {
		t.Move, t.Infos = anyMove(e.board), nil
	}
	if err := e.Play(t.Move); err != nil {
		return Thought{}, err
	}
	e.mu.Lock()
	t.Notes, e.notes = e.notes, nil
	e.mu.Unlock()
	t.Notes = append(t.Notes, notes...)
	e.spend(start, time.Now())
	return t, nil
}

// think searches for a move in the way that the options ask for, under l.Restrict: what the
// database knows and, if ordered, what the manager or the options forbid.
func (e *Engine) think(ctx context.Context, o Options, l search.Limits, ordered bool, report func(Info)) (m board.Move, infos []Info, notes []string) {
	blocked := l.Restrict != nil && len(l.Restrict.Root) > 0
	if l.Lines > 1 && o.Distinct {
		l.Restrict = distinct(e.board, l.Restrict)
	}
	switch {
	case o.weakened():
		return e.thinkAtLevel(ctx, o.Strength, l)
	case o.Rule&board.Continuous != 0:
		return e.thinkContinuous(ctx, l, report)
	case o.Threats && !ordered && !blocked:
		m, infos, notes = e.thinkThreats(ctx, l, report)
		e.remember(o, false, infos)
		return m, infos, notes
	}
	if o.Threats { // whose proofs know no restrictions
		l = e.briefly(budget{ctx: ctx, limits: l, begun: time.Now()})
	}
	m, infos, notes = e.thinkFull(ctx, e.board, l, e.withLines(l.Restrict, report))
	if o.Threats {
		notes = append(notes, "wins by threats are not looked for while moves or the end of the game are restricted")
	}
	if o.endless() && l.Lines > 1 && len(notes) == 0 {
		<-ctx.Done() // all lines are proved, or as deep as a search goes
	}
	for i := range infos {
		infos[i] = e.withLine(l.Restrict, infos[i])
	}
	if !ordered { // else values are not those of the game
		e.remember(o, blocked, infos)
	}
	return m, infos, notes
}

// collect returns a report that keeps the last Info of each line in list, and passes them on to
// report if that is not nil.
func collect(list *[]Info, report func(Info)) func(Info) {
	return func(i Info) {
		for len(*list) <= i.Line {
			*list = append(*list, Info{})
		}
		(*list)[i.Line] = i
		if report != nil {
			report(i)
		}
	}
}

// thinkFull searches the position of b at full strength. It returns one Info, or one for each
// line if several are wanted.
func (e *Engine) thinkFull(ctx context.Context, b *board.Board, l search.Limits, report func(Info)) (board.Move, []Info, []string) {
	var infos []Info
	result, notes := e.search(ctx, b, l, collect(&infos, report))
	switch {
	case result.Info.PV == nil: // a failure
		infos = nil
	case len(infos) <= 1:
		infos = []Info{result.Info}
	default:
		for i := range infos {
			infos[i].Nodes, infos[i].Elapsed = result.Info.Nodes, result.Info.Elapsed
		}
	}
	if l.Restrict != nil || l.Reach > 0 { // far moves are wanted
		return result.Move, infos, notes
	}
	if m := e.nearer(b, result.Move, infos); m != result.Move {
		if len(infos) > 1 {
			return m, infos, notes
		}
		return m, nil, notes
	}
	return result.Move, infos, notes
}

// search runs the pool. It returns a note for each panic that was recovered.
func (e *Engine) search(ctx context.Context, b *board.Board, l search.Limits, report func(Info)) (result search.Result, notes []string) {
	result = e.pool.SearchPromptly(ctx, b, l, func(i Info) {
		if report != nil {
			i.PV = slices.Clone(i.PV) // the pool reuses it
			report(i)
		}
	})
	return result, notesOf(result.Failures)
}

// notesOf returns a note for each failure.
func notesOf(failures []search.Failure) (notes []string) {
	for _, f := range failures {
		notes = append(notes, SearchFailed+": "+f.What+"\n"+f.Stack)
	}
	return notes
}

// hasMove reports whether the line of i begins with a legal move of b. That of a search that failed
// may be empty.
func hasMove(b *board.Board, i Info) bool { return len(i.PV) > 0 && b.Legal(i.PV[0]) }

// anyMove returns the legal move nearest to the middle, or a free cell if none is legal.
func anyMove(b *board.Board) board.Move {
	if m := b.Central(); m != board.None {
		return m
	}
	return b.Open().First()
}
