package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"tengen/brain/board"
	"tengen/cmd/internal/flags"
)

// A query is a position to be searched, with its limits.
type query struct {
	id       json.RawMessage // a text or a number, nil for none
	game     *game
	board    *board.Board // after the moves of game
	think    thinking
	lines    int
	blocked  []board.Move
	includes map[string]bool
	updates  time.Duration // between updates, 0 for none
	priority int
	number   int // in the order of reading
}

// Fields of a query, of which settings are those that flags of the command have too.
var (
	settings  = []string{"rule", "size", "time", "depth", "nodes", "multipv"}
	inclusion = []string{"policy", "threats", "forbidden", "solver"}

	// results are the fields of an answer that say nothing of its position, of which it is a query, or say
	// it otherwise than a query.
	results = []string{"source", "over", "move", "lines", "nodes", "ms", "moves", "interrupted", "update", "policy", "threats", "forbidden", "solver"}
)

// fields returns the fields of an object. Each may be there once.
func fields(text string) (map[string]json.RawMessage, error) {
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

// stopOf returns the id of the query to be stopped.
func stopOf(list map[string]json.RawMessage) (id json.RawMessage, err error) {
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

// read reads a query, of which list has the fields, or a position. With an error the query has the id
// if that can be read.
func (q *queries) read(where, text string, list map[string]json.RawMessage) (*query, error) {
	one := &query{think: q.think, lines: q.lines}
	games := q.games
	var err error
	if list == nil {
		one.game, err = games.text(text)
	} else {
		err = one.parse(list, &games)
	}
	if err != nil {
		return one, err
	}
	one.game.name = where
	return one, games.tell(one.game, func(g *game) error {
		one.board, err = g.board(len(g.moves))
		for _, m := range one.blocked {
			if one.board.Cell(m) != board.Empty {
				return fmt.Errorf("blocked: %v is no empty cell", m)
			}
		}
		return err
	})
}

// parse reads the fields of a query, for which games has the rule and the size of those without.
func (one *query) parse(list map[string]json.RawMessage, games *gameReader) (err error) {
	if list["id"] != nil {
		if one.id, err = idOf(list["id"]); err != nil {
			return fmt.Errorf("id: %w", err)
		}
	}
	if list["ms"] != nil { // an answer
		for _, name := range results {
			delete(list, name)
		}
	}
	if err := one.set(list, games); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(list)) {
		if err := one.take(name, list[name]); err != nil {
			return fmt.Errorf("%.40s: %w", name, err)
		}
	}
	return one.place(list, games)
}

// set takes the settings of a query as the command takes its flags. With a limit of its own the query
// has none of those of the command.
func (one *query) set(list map[string]json.RawMessage, games *gameReader) error {
	fs := flags.New("query")
	on, think, lines := games.on, one.think, one.lines
	games.on.Add(fs)
	one.think.Add(fs, 0)
	flags.Number(fs, &one.lines, "multipv", 1, board.MaxSize*board.MaxSize, "")
	games.on, one.think, one.lines = on, think, lines
	if list["time"] != nil || list["depth"] != nil || list["nodes"] != nil {
		one.think.limit, one.think.depth, one.think.nodes = 0, 0, 0
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
	for _, name := range settings {
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
	if one.think.limit < 0 {
		return fmt.Errorf("time: want 0 or a positive time")
	}
	return nil
}

// take takes a field that is no setting and says nothing of the position.
func (one *query) take(name string, value json.RawMessage) error {
	switch name {
	case "id", "pos", "moves", "side", "blocked":
		return nil
	case "include":
		names, err := texts(value)
		one.includes = map[string]bool{}
		for _, name := range names {
			if !slices.Contains(inclusion, name) {
				return fmt.Errorf("%.40q, want %s", name, strings.Join(inclusion, ", "))
			}
			one.includes[name] = true
		}
		return err
	case "priority":
		if json.Unmarshal(value, &one.priority) != nil {
			return errors.New("want a whole number")
		}
		return nil
	case "updates":
		var on bool
		if json.Unmarshal(value, &on) == nil {
			if on {
				one.updates = updatesBeat
			}
			return nil
		}
		text, err := plain(value)
		if err != nil {
			return err
		}
		if one.updates, err = time.ParseDuration(text); err != nil || one.updates < leastUpdates {
			return errors.New(`want true or a time such as "500ms"`)
		}
		return nil
	}
	return errors.New("there is no such field")
}

// place takes the fields of the position.
func (one *query) place(list map[string]json.RawMessage, games *gameReader) error {
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
		text = emptyBoard
	}
	if one.game, err = games.text(text); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	g := one.game
	if list["side"] != nil {
		side := board.Color(len(g.moves) & 1)
		switch text, err := plain(list["side"]); {
		case err != nil || text != "black" && text != "white":
			return errors.New("side: want black or white")
		case text != side.String():
			g.moves = append(slices.Clone(g.moves), board.None)
		}
	}
	if list["blocked"] == nil {
		return nil
	}
	blocked, err := texts(list["blocked"])
	if err == nil {
		one.blocked, err = board.ParseMoves(strings.Join(blocked, ""), g.width, g.height)
	}
	if err == nil && one.includes["solver"] && len(one.blocked) > 0 {
		err = errors.New("include solver: its wins know no blocked cells")
	}
	if err != nil {
		return fmt.Errorf("blocked: %w", err)
	}
	return nil
}
