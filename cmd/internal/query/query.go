// Package query reads the JSON objects that ask for the analysis of a position, and writes the answers:
// for the command analyze and for the board in the browser.
package query

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"tengen/brain/board"
	"tengen/cmd/internal/flags"
)

// A Position is a game so far.
type Position struct {
	Rule          board.Rule
	Width, Height int
	Moves         []board.Move // board.None for a pass
}

// Limits end a search: zero is none.
type Limits struct {
	Time  time.Duration
	Depth int // plies
	Nodes int64
}

// Add adds the flags of the limits, whose values are the defaults.
func (l *Limits) Add(fs *flag.FlagSet) {
	flags.Duration(fs, &l.Time, "time", "maximum `TIME` for each position, 0 for no limit; without this flag no limit if there is -depth or -nodes")
	flags.Number(fs, &l.Depth, "depth", 0, 200, "maximum depth in `PLIES`, 0 for no limit")
	flags.Number(fs, &l.Nodes, "nodes", 0, 1<<60, "maximum `NUMBER` of nodes for each position, 0 for no limit")
}

// A Query is a position to be searched, with its limits.
type Query struct {
	ID json.RawMessage // a text or a number as it is written, nil for none
	Position
	Limits
	Lines    int // to be reported
	Blocked  []board.Move
	Includes map[string]bool // see Inclusion
	Updates  time.Duration   // between updates, 0 for none
	Priority int             // higher ones first
}

// Times of updates.
const (
	updatesBeat  = time.Second      // if the query does not say
	leastUpdates = time.Millisecond // at least
)

// EmptyBoard is the text of a game without a move.
const EmptyBoard = "-"

// Fields of a query, of which Settings are those that flags of the command have too.
var (
	Settings  = []string{"rule", "size", "time", "depth", "nodes", "multipv"}
	Inclusion = []string{"policy", "threats", "forbidden", "solver"}

	// Results are the fields of an answer that say nothing of its position, of which it is a query, or say
	// it otherwise than a query.
	Results = []string{"source", "over", "move", "lines", "nodes", "ms", "moves", "interrupted", "update", "policy", "threats", "forbidden", "solver"}
)

// Fields returns the fields of an object. Each may be there once.
func Fields(text string) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(strings.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("want an object")
	}
	list := map[string]json.RawMessage{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, syntax(err)
		}
		name, _ := t.(string)
		if list[name] != nil {
			return nil, fmt.Errorf("%.40q is there twice", name)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, fmt.Errorf("%.40q: %w", name, syntax(err))
		}
		list[name] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, syntax(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("there is more after the object")
	}
	return list, nil
}

// syntax returns what is wrong with an object that a Decoder cannot read.
func syntax(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("the object is not closed")
	}
	return fmt.Errorf("no JSON: %w", err)
}

// plain returns a text, or a number as it is written.
func plain(value json.RawMessage) (string, error) {
	var text string
	var number json.Number
	if json.Unmarshal(value, &text) == nil && value[0] == '"' {
		return text, nil
	}
	if json.Unmarshal(value, &number) == nil && value[0] != '"' && number != "" {
		return number.String(), nil
	}
	return "", errors.New("want a text or a number")
}

// texts returns a list of texts, or a text alone.
func texts(value json.RawMessage) (list []string, err error) {
	if err := json.Unmarshal(value, &list); err == nil && value[0] == '[' {
		return list, nil
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil || value[0] != '"' {
		return nil, errors.New("want a text or a list of texts")
	}
	return []string{text}, nil
}

// StopOf returns the id of the query to be stopped.
func StopOf(list map[string]json.RawMessage) (id json.RawMessage, err error) {
	if len(list) > 1 {
		return nil, errors.New("stop: want no other field")
	}
	if id, err = idOf(list["stop"]); err != nil {
		err = fmt.Errorf("stop: %w", err)
	}
	return id, err
}

// idOf returns the id as it is written, without blanks.
func idOf(value json.RawMessage) (json.RawMessage, error) {
	if _, err := plain(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(value), nil
}

// Parse reads the fields of a query into one, which has the values of those that are not there. The rule
// and the size of games without them are those of on, which it sets to those of the query; read then
// reads the text of the moves, EmptyBoard for none. With an error the query has the id if that can be
// read.
func (one *Query) Parse(list map[string]json.RawMessage, on *flags.Board, read func(text string) (Position, error)) (err error) {
	if list["id"] != nil {
		if one.ID, err = idOf(list["id"]); err != nil {
			return fmt.Errorf("id: %w", err)
		}
	}
	if list["ms"] != nil { // an answer
		for _, name := range Results {
			delete(list, name)
		}
	}
	if err := one.set(list, on); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(list)) {
		if err := one.take(name, list[name]); err != nil {
			return fmt.Errorf("%.40s: %w", name, err)
		}
	}
	return one.place(list, read)
}

// set takes the settings of a query as the command takes its flags. With a limit of its own the query
// has none of those of the command.
func (one *Query) set(list map[string]json.RawMessage, on *flags.Board) error {
	fs := flags.New("query")
	place := *on
	on.Add(fs)
	*on = place // which Add has set to the defaults
	one.Limits.Add(fs)
	flags.Number(fs, &one.Lines, "multipv", 1, board.MaxSize*board.MaxSize, "")
	if list["time"] != nil || list["depth"] != nil || list["nodes"] != nil {
		one.Limits = Limits{}
	}
	values := map[string]string{}
	if list["width"] != nil && list["height"] != nil && list["size"] == nil {
		w, err := plain(list["width"])
		h, other := plain(list["height"])
		if err := errors.Join(err, other); err != nil {
			return fmt.Errorf("width, height: %w", err)
		}
		values["size"] = w + "x" + h
		delete(list, "width")
		delete(list, "height")
	}
	for _, name := range Settings {
		if list[name] != nil {
			text, err := plain(list[name])
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			values[name] = text
			delete(list, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if err := fs.Set(name, values[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if one.Time < 0 {
		return fmt.Errorf("time: want 0 or a positive time")
	}
	return nil
}

// take takes a field that is no setting and says nothing of the position.
func (one *Query) take(name string, value json.RawMessage) error {
	switch name {
	case "id", "pos", "moves", "side", "blocked":
		return nil
	case "include":
		names, err := texts(value)
		one.Includes = map[string]bool{}
		for _, name := range names {
			if !slices.Contains(Inclusion, name) {
				return fmt.Errorf("%.40q, want %s", name, strings.Join(Inclusion, ", "))
			}
			one.Includes[name] = true
		}
		return err
	case "priority":
		if json.Unmarshal(value, &one.Priority) != nil {
			return errors.New("want a whole number")
		}
		return nil
	case "updates":
		var on bool
		if json.Unmarshal(value, &on) == nil {
			if on {
				one.Updates = updatesBeat
			}
			return nil
		}
		text, err := plain(value)
		if err != nil {
			return err
		}
		if one.Updates, err = time.ParseDuration(text); err != nil || one.Updates < leastUpdates {
			return errors.New(`want true or a time such as "500ms"`)
		}
		return nil
	}
	return errors.New("there is no such field")
}

// place takes the fields of the position.
func (one *Query) place(list map[string]json.RawMessage, read func(text string) (Position, error)) error {
	if (list["pos"] == nil) == (list["moves"] == nil) {
		return errors.New("want either pos or moves")
	}
	name := "pos"
	if list["moves"] != nil {
		name = "moves"
	}
	moves, err := texts(list[name])
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	text := strings.Join(moves, "")
	if text == "" {
		text = EmptyBoard
	}
	if one.Position, err = read(text); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if list["side"] != nil {
		side := board.Color(len(one.Moves) & 1)
		switch text, err := plain(list["side"]); {
		case err != nil || text != "black" && text != "white":
			return errors.New("side: want black or white")
		case text != side.String():
			one.Moves = append(slices.Clone(one.Moves), board.None)
		}
	}
	if list["blocked"] == nil {
		return nil
	}
	blocked, err := texts(list["blocked"])
	if err == nil {
		one.Blocked, err = board.ParseMoves(strings.Join(blocked, ""), one.Width, one.Height)
	}
	if err == nil && one.Includes["solver"] && len(one.Blocked) > 0 {
		err = errors.New("include solver: its wins know no blocked cells")
	}
	if err != nil {
		return fmt.Errorf("blocked: %w", err)
	}
	return nil
}

// Board returns the board after the moves. Its error names the first move that is not legal, or a blocked
// cell that is not empty.
func (one *Query) Board() (*board.Board, error) {
	b, err := board.New(one.Rule, one.Width, one.Height)
	if err != nil {
		return nil, err
	}
	if err := b.PlayAll(one.Moves); err != nil {
		return nil, err
	}
	for _, m := range one.Blocked {
		if b.Cell(m) != board.Empty {
			return nil, fmt.Errorf("blocked: %v is no empty cell", m)
		}
	}
	return b, nil
}
