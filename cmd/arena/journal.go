package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tengen/brain/board"
	"tengen/brain/record"
	"tengen/cmd/internal/resume"
	"tengen/protocol/wire"
)

// A gameRecord is one line of the journal: a finished game.
type gameRecord struct {
	Game    int    `json:"game"` // number in the schedule, from 1
	Round   int    `json:"round"`
	Black   string `json:"black"`
	White   string `json:"white"`
	Result  string `json:"result"` // from Black's side: 1-0, 0-1, 1/2-1/2
	Reason  string `json:"reason"` // five, rows, draw, no move, adjudication, or one of failureKinds
	Detail  string `json:"detail,omitempty"`
	Moves   string `json:"moves"`   // pos notation, opening included
	Opening int    `json:"opening"` // number of moves that were given
	Rule    int    `json:"rule"`
	Size    int    `json:"size"`

	Rows []scoredRow `json:"rows,omitempty"` // of a continuous game

	Chosen *chosen `json:"chosen,omitempty"` // how the opening came about, under an opening rule

	// One entry for each move after the opening. Depth, Eval and Nodes are omitted if no
	// engine sent any.
	Time  []float64 `json:"time"` // ms, from the command to the answer
	Depth []int     `json:"depth,omitempty"`
	Eval  []eval    `json:"eval,omitempty"`
	Nodes []int64   `json:"nodes,omitempty"`

	Unready bool `json:"unready,omitempty"` // the loser has not answered START by OK, or has refused the rule

	Started string  `json:"started"` // UTC, RFC 3339
	Seconds float64 `json:"seconds"` // from the first to the last command
	Match   string  `json:"match"`   // hash of the settings
	Shard   string  `json:"shard,omitempty"`

	Programs [2]string `json:"programs,omitzero"` // checksums, Black's first; not in old journals

	// The first line of each run has the settings.
	Settings *settings `json:"settings,omitempty"`
}

// An eval is an engine's evaluation of its own position: a number in its own unit, a
// proven win ("+M7") or loss ("-M6") in plies, or null if it sent none.
type eval struct {
	told  bool
	value int
	mate  int
}

func (e eval) MarshalJSON() ([]byte, error) {
	switch {
	case !e.told:
		return []byte("null"), nil
	case e.mate > 0:
		return fmt.Appendf(nil, `"+M%d"`, e.mate), nil
	case e.mate < 0:
		return fmt.Appendf(nil, `"-M%d"`, -e.mate), nil
	}
	return strconv.AppendInt(nil, int64(e.value), 10), nil
}

func (e *eval) UnmarshalJSON(raw []byte) error {
	s := strings.Trim(string(raw), `"`)
	*e = eval{told: s != "null"}
	if !e.told {
		return nil
	}
	var ok bool
	if e.value, e.mate, ok = wire.ParseEval(s); !ok {
		return fmt.Errorf("%s is not an evaluation", raw)
	}
	return nil
}

// halfPoints returns Black's share: 2, 1 or 0.
func (r *gameRecord) halfPoints() int {
	return record.ParseOutcome(r.Result).HalfPoints(board.Black)
}

// points returns the half points of an engine of the game.
func (r *gameRecord) points(name string) int {
	if name == r.Black {
		return r.halfPoints()
	}
	return 2 - r.halfPoints()
}

// loser returns the name of the engine that lost, "" after a draw.
func (r *gameRecord) loser() string {
	switch r.halfPoints() {
	case 2:
		return r.White
	case 0:
		return r.Black
	}
	return ""
}

// alone returns the game without the match, which is not the same in every journal of it.
func (r *gameRecord) alone() gameRecord {
	g := *r
	g.Match, g.Shard, g.Settings = "", "", nil
	return g
}

// journalStart is how every journal begins.
const journalStart = `{"game":`

// reader returns a function that appends the game of a line of a journal to records.
func reader(records *[]gameRecord) func(line []byte) error {
	return func(line []byte) error {
		var g gameRecord
		if err := g.parse(line); err != nil {
			return fmt.Errorf("not a game: %w", err)
		}
		*records = append(*records, g)
		return nil
	}
}

func (r *gameRecord) parse(text []byte) error {
	if err := json.Unmarshal(text, r); err != nil {
		return err
	}
	switch {
	case r.Game < 1:
		return errors.New(`no "game" number`)
	case record.ParseOutcome(r.Result) == record.Unknown:
		return fmt.Errorf("result %q", r.Result)
	case r.Black == "" || r.White == "":
		return errors.New("a name is missing")
	}
	return nil
}

// loadJournals reads the journals of one match. Of games that occur more than once the first
// counts; repeats is the number of the others.
func loadJournals(paths []string) (m *match, repeats int, err error) {
	m = newMatch(nil)
	for _, path := range paths {
		var records []gameRecord
		if err := resume.ReadJournal(path, journalStart, reader(&records)); err != nil {
			return nil, 0, err
		}
		n, err := m.add(records)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", path, err)
		}
		repeats += n
	}
	if len(m.games) == 0 {
		return nil, 0, errors.New("no games in " + strings.Join(paths, ", "))
	}
	return m, repeats, m.check()
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
