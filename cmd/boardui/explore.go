package main

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"tengen/brain/board"
	"tengen/brain/database"
	"tengen/brain/opening"
	"tengen/brain/record"
)

const (
	leastDepth = 8         // plies of a search whose result is worth keeping
	mostKnown  = 500_000   // positions, after which the engine adds no more
	maxFeed    = 16 << 20  // bytes of a file
	maxPlain   = 128 << 20 // bytes of a database that is not compressed
)

// An explorer is the database of the opening explorer, filled by the engine and from files.
type explorer struct {
	*database.Database

	saving sync.Mutex
	storage

	unsaved atomic.Pointer[string]         // why the last changes are not saved, nil if they can be
	reading atomic.Pointer[database.Input] // the file that fill reads, nil if there is none
	unread  atomic.Pointer[string]         // why it could not be read
}

func newExplorer() *explorer { return &explorer{Database: database.New()} }

// save saves the database if it has changed and is not kept in memory alone.
func (e *explorer) save() error {
	e.saving.Lock()
	defer e.saving.Unlock()
	if e.file == "" || !e.Changed() {
		return nil
	}
	err := e.write()
	e.note(err)
	return err
}

// note notes the error of saving, or that there is none.
func (e *explorer) note(err error) {
	if err == nil {
		e.unsaved.Store(nil)
		return
	}
	text := err.Error()
	e.unsaved.Store(&text)
}

// fill reads the file that open has not read, until ctx ends. Without one it does nothing.
func (e *explorer) fill(ctx context.Context) {
	in := e.reading.Load()
	if in == nil {
		return
	}
	err := e.Fill(ctx, in)
	if err != nil && ctx.Err() == nil {
		e.saving.Lock()
		e.storage = storage{} // what is found is kept in memory alone, and the file stays as it is
		e.saving.Unlock()
		text := err.Error()
		e.unread.Store(&text)
	}
	e.reading.Store(nil)
}

// progress returns how many percent of the file are read, nil if none is being read, and why it cannot be.
func (e *explorer) progress() (percent *int, unread string) {
	if in := e.reading.Load(); in != nil {
		read, size := in.Progress()
		n := int(100 * read / max(size, 1))
		percent = &n
	}
	if text := e.unread.Load(); text != nil {
		return percent, *text
	}
	if err := e.Err(); err != nil {
		return percent, err.Error()
	}
	return percent, ""
}

// found keeps what a search at full strength has found of a position.
func (e *explorer) found(b *board.Board, r report) {
	if !r.Scored || r.Mate == 0 && r.Depth < leastDepth || e.Len() >= mostKnown {
		return
	}
	err := e.Found(b, database.Searched(r.Score, r.Mate, r.Depth))
	if err != nil && !errors.Is(err, database.ErrPosition) {
		panic(err) // no other error is documented
	}
}

// A child is a move of which something is known.
type child struct {
	Move   string `json:"move"`
	Name   string `json:"name,omitempty"`   // of the opening that it makes
	Kanji  string `json:"kanji,omitempty"`  // the same
	Result string `json:"result,omitempty"` // for the player of the move: win, loss, draw
	Scored bool   `json:"scored,omitempty"`
	Score  int    `json:"score,omitempty"` // for the player of the move
	Plies  int    `json:"plies,omitempty"` // of a result, the move included
	Depth  int    `json:"depth,omitempty"`
	Text   string `json:"text,omitempty"`
}

// explore answers what is known of a position and of the moves from it.
func (s *server) explore(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Game string `json:"game"`
		position
	}
	if !s.accept(w, r, maxBody, &q, &q.Game) {
		return
	}
	b, moves, f := q.set()
	if f != nil {
		answerFault(w, f)
		return
	}
	var a struct {
		Known   int     `json:"known"` // positions in the database
		Name    string  `json:"name,omitempty"`
		Kanji   string  `json:"kanji,omitempty"`
		Code    string  `json:"code,omitempty"`
		Comment string  `json:"comment,omitempty"`
		Moves   []child `json:"moves"`
		Closed  bool    `json:"closed,omitempty"`  // no database holds the position
		Unsaved string  `json:"unsaved,omitempty"` // why what is known is not saved, for people
		Reading *int    `json:"reading,omitempty"` // percent of the file that is read, while it is
		Unread  string  `json:"unread,omitempty"`  // why what the file holds is not known, for people
	}
	a.Reading, a.Unread = s.explorer.progress()
	a.Known, a.Moves = s.explorer.Len(), []child{}
	if why := s.explorer.unsaved.Load(); why != nil {
		a.Unsaved = *why
	}
	_, err := database.KeyOf(b)
	a.Closed = err != nil
	if len(moves) >= 3 {
		if n, ok := nameOf(moves[:3]); ok {
			a.Name, a.Kanji, a.Code = n.Name, n.Kanji, n.Code
		}
	}
	if verdict, _ := b.Verdict(); verdict == board.Unfinished {
		if r, ok := s.explorer.Get(b); ok {
			a.Comment = r.Comment()
		}
		a.Moves = s.children(b, moves)
	}
	answer(w, a)
}

// nameOf is opening.NameOf for moves with passes, which make no opening.
func nameOf(moves []board.Move) (opening.Named, bool) {
	for _, m := range moves {
		if m == board.None {
			return opening.Named{}, false
		}
	}
	return opening.NameOf(moves)
}

// children returns the moves from b, the position after moves, that are known or named.
func (s *server) children(b *board.Board, moves []board.Move) []child {
	list := []child{}
	at := map[board.Move]int{}
	for _, c := range s.explorer.Children(b) {
		n := child{Move: c.Move.String(), Text: c.Text}
		if r := c.Record; c.Known {
			n.Depth = r.Depth()
			switch r.Label.Folded() {
			case database.Win:
				n.Result = "win"
			case database.Loss:
				n.Result = "loss"
			case database.Draw:
				n.Result = "draw"
			default:
				n.Scored, n.Score = r.Bound() == database.Exact, -int(r.Value)
			}
			if plies, ok := r.Distance(); ok {
				n.Plies = plies + 1
			}
		}
		at[c.Move] = len(list)
		list = append(list, n)
	}
	if len(moves) == 2 && b.Rule()&board.Renju != 0 {
		for _, m := range b.Open().Append(nil) {
			n, ok := nameOf([]board.Move{moves[0], moves[1], m})
			if !ok {
				continue
			}
			i, known := at[m]
			if !known {
				i = len(list)
				list = append(list, child{Move: m.String()})
			}
			list[i].Name, list[i].Kanji = n.Code+" "+n.Name, n.Kanji
		}
	}
	return list
}

// feed adds the positions of a RenLib library or a database to the one of the explorer.
func (s *server) feed(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if f := s.games.enter(q.Get("game")); f != nil {
		answerFault(w, f)
		return
	}
	number, err := strconv.ParseUint(q.Get("rule"), 10, 8)
	rule := board.Rule(number)
	if err != nil || !rule.Valid() || rule&board.Continuous != 0 {
		answerFault(w, bad("rule", "%q is not a rule", q.Get("rule")))
		return
	}
	raw, f := body(w, r, "application/octet-stream", maxFeed)
	if f != nil {
		answerFault(w, f)
		return
	}
	n, err := s.explorer.add(raw, rule)
	if err != nil {
		answerFault(w, bad("format", "%v", err))
		return
	}
	if err := s.explorer.save(); err != nil {
		answerFault(w, &fault{500, "unsaved", err.Error()})
		return
	}
	answer(w, struct {
		Added int `json:"added"`
		Known int `json:"known"`
	}{n, s.explorer.Len()})
}

// add adds the positions of a file and returns their number.
func (e *explorer) add(raw []byte, rule board.Rule) (int, error) {
	if record.Detect(raw) == record.RenLib {
		return e.ImportLib(raw, rule)
	}
	if !database.IsDatabase(raw[:min(len(raw), 64)]) {
		return 0, errors.New("this is neither a RenLib library nor a database")
	}
	d, err := database.ReadAtMost(bytes.NewReader(raw), maxPlain)
	if err != nil {
		return 0, err
	}
	return e.Merge(d), nil
}
