package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/protocol"
)

// A timeControl bounds the thinking of one engine in one game. Zero fields are no bound.
type timeControl struct {
	Match     time.Duration // for the whole game
	Turn      time.Duration // for one move
	Increment time.Duration // added to what is left of Match after each own move
}

// parseTC reads "match/turn+increment" in seconds. "60" is 60 s a game and a move,
// "0/1" is one second a move and no bound on the game.
func parseTC(s string) (timeControl, error) {
	var tc timeControl
	rest, inc, hasInc := strings.Cut(s, "+")
	match, turn, hasTurn := strings.Cut(rest, "/")
	var err error
	if tc.Match, err = seconds(match); err != nil {
		return tc, err
	}
	tc.Turn = tc.Match
	if hasTurn {
		if tc.Turn, err = seconds(turn); err != nil {
			return tc, err
		}
	}
	if hasInc {
		if tc.Increment, err = seconds(inc); err != nil {
			return tc, err
		}
	}
	if tc.Match == 0 && tc.Turn == 0 {
		return tc, fmt.Errorf("time control %q sets no limit", s)
	}
	return tc, nil
}

// seconds reads a decimal number of seconds up to a month.
func seconds(s string) (time.Duration, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= 0 && f <= 31*24*3600) {
		return 0, fmt.Errorf("%q is not a number of seconds", s)
	}
	return time.Duration(math.Round(f * float64(time.Second))), nil
}

// An engine is one player of the tournament and how it is run. Its JSON is part of the
// identity of a match, so fields with zero values are left out.
type engine struct {
	Name      string        `json:"name"`
	Cmd       string        `json:"cmd,omitempty"`
	Args      []string      `json:"args,omitempty"` // used instead of Cmd, from a JSON file
	Dir       string        `json:"dir,omitempty"`
	TC        timeControl   `json:"tc"`
	Hang      time.Duration `json:"hang,omitempty"` // turn limit where TC sets none
	Nodes     int64         `json:"nodes,omitempty"`
	Depth     int64         `json:"depth,omitempty"`
	Memory    int64         `json:"memory,omitempty"` // bytes; told and held
	Threads   int64         `json:"threads,omitempty"`
	Tolerance time.Duration `json:"tolerance"`
	Restart   bool          `json:"restart,omitempty"` // a new process for every game
	Pause     time.Duration `json:"pause,omitempty"`
	Info      [][2]string   `json:"info,omitempty"`

	okLimit time.Duration // for OK, where tests cannot wait so long
}

const (
	defaultTolerance = time.Second
	defaultHang      = time.Minute
	toldMemory       = 350 << 20 // what Gomocup allows; told, not held, without memory=
)

// A setting is one key=value of -engine, -each or an object of the JSON file. Words is
// used instead of value where JSON gave a list.
type setting struct {
	key, value string
	words      []string
}

// parseSettings splits "key=value,key=value". A comma inside single or double quotes
// does not split. A value that is one quoted piece loses its quotes, except cmd, which
// keeps them for splitting into words.
func parseSettings(s string) ([]setting, error) {
	var all []setting
	for _, part := range splitUnquoted(s, ',') {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		key, value, ok := strings.Cut(part, "=")
		key = strings.TrimSpace(key)
		if !ok || key == "" {
			return nil, fmt.Errorf("%q is not key=value (quote a comma that belongs to a value)", part)
		}
		value = strings.TrimSpace(value)
		if n := len(value); key != "cmd" && n >= 2 && (value[0] == '"' || value[0] == '\'') &&
			strings.IndexByte(value[1:], value[0]) == n-2 {
			value = value[1 : n-1]
		}
		all = append(all, setting{key: key, value: value})
	}
	return all, nil
}

func splitUnquoted(s string, sep byte) []string {
	var parts []string
	start, quote := 0, byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == sep:
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	return append(parts, s[start:])
}

// set applies one setting.
func (e *engine) set(s setting) (err error) {
	value := s.value
	if s.words != nil && s.key != "cmd" {
		return fmt.Errorf("%s cannot be a list", s.key)
	}
	switch s.key {
	case "name":
		e.Name = value
	case "cmd":
		e.Cmd, e.Args = value, s.words
	case "dir":
		e.Dir = value
	case "tc":
		e.TC, err = parseTC(value)
	case "hang":
		e.Hang, err = seconds(value)
	case "tolerance":
		e.Tolerance, err = seconds(value)
	case "nodes":
		e.Nodes, err = positive(value)
	case "depth":
		e.Depth, err = positive(value)
	case "threads":
		e.Threads, err = positive(value)
	case "memory":
		e.Memory, err = byteCount(value)
	case "pause":
		var ms int64
		if value != "0" {
			ms, err = positive(value)
		}
		if ms > 60000 {
			err = fmt.Errorf("%q ms is more than a minute", value)
		}
		e.Pause = time.Duration(ms) * time.Millisecond
	case "restart":
		e.Restart, err = onOff(value)
	default:
		key, ok := strings.CutPrefix(s.key, "info.")
		if !ok || key == "" || strings.ContainsAny(key+value, "\r\n") || strings.ContainsAny(key, " \t") {
			return fmt.Errorf("no setting %q", s.key)
		}
		e.Info = slices.DeleteFunc(e.Info, func(kv [2]string) bool { return kv[0] == key })
		e.Info = append(e.Info, [2]string{key, value})
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.key, err)
	}
	return nil
}

func positive(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not a positive whole number", s)
	}
	return n, nil
}

func onOff(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "on", "yes", "true", "1":
		return true, nil
	case "off", "no", "false", "0":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither on nor off", s)
}

// byteCount reads a number of bytes with an optional K, M or G for powers of 1024.
func byteCount(s string) (int64, error) {
	digits, shift := s, 0
	if s != "" {
		if i := strings.IndexByte("kmg", s[len(s)-1]|0x20); i >= 0 {
			digits, shift = s[:len(s)-1], 10*(i+1)
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64>>shift {
		return 0, fmt.Errorf("%q is not a number of bytes (350M, 1G)", s)
	}
	return n << shift, nil
}

// engineFile is the JSON form: {"each":{...},"engines":[{...},...]} or just the list.
// Values may be strings or numbers; cmd may be a list of words, info an object.
func engineFile(path string) (each []setting, engines [][]setting, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	var file struct {
		Each    json.RawMessage
		Engines []json.RawMessage
	}
	if err = json.Unmarshal(raw, &file.Engines); err != nil {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.DisallowUnknownFields()
		if err = dec.Decode(&file); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if file.Each != nil {
		if each, err = jsonSettings(file.Each); err != nil {
			return nil, nil, fmt.Errorf("%s: each: %w", path, err)
		}
	}
	for i, r := range file.Engines {
		list, err := jsonSettings(r)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: engine %d: %w", path, i+1, err)
		}
		engines = append(engines, list)
	}
	return each, engines, nil
}

func jsonSettings(raw json.RawMessage) ([]setting, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	var list []setting
	for key, value := range object {
		if key == "info" {
			sub, err := jsonSettings(value)
			if err != nil {
				return nil, fmt.Errorf("info: %w", err)
			}
			for _, s := range sub {
				list = append(list, setting{key: "info." + s.key, value: s.value})
			}
			continue
		}
		s := setting{key: key}
		if json.Unmarshal(value, &s.value) != nil && json.Unmarshal(value, &s.words) != nil {
			s.value = string(value) // a number, true or false
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b setting) int { return strings.Compare(a.key, b.key) })
	return list, nil
}

// buildEngines applies each and then its own settings to every engine and checks them.
func buildEngines(each []setting, specs [][]setting) ([]engine, error) {
	var engines []engine
	seen := map[string]bool{}
	for i, spec := range specs {
		e := engine{Tolerance: defaultTolerance, Hang: defaultHang}
		for _, s := range each {
			if s.key == "name" {
				return nil, errors.New("-each: engines cannot share a name")
			}
			if err := e.set(s); err != nil {
				return nil, fmt.Errorf("-each: %w", err)
			}
		}
		for _, s := range spec {
			if err := e.set(s); err != nil {
				return nil, fmt.Errorf("engine %d: %w", i+1, err)
			}
		}
		if err := e.finish(); err != nil {
			return nil, fmt.Errorf("engine %d: %w", i+1, err)
		}
		if seen[e.Name] {
			return nil, fmt.Errorf("two engines have the name %q", e.Name)
		}
		seen[e.Name] = true
		engines = append(engines, e)
	}
	return engines, nil
}

// finish fills what follows from other fields and checks that the program exists.
func (e *engine) finish() error {
	args, err := e.argv()
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return errors.New("cmd= is missing")
	}
	if e.Name == "" {
		e.Name = strings.TrimSuffix(filepath.Base(args[0]), ".exe")
	}
	if strings.ContainsFunc(e.Name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return fmt.Errorf("name %q holds a control character", e.Name)
	}
	if e.TC != (timeControl{}) {
		e.Hang = 0
	} else if e.Hang == 0 {
		return errors.New("hang= must be positive, or the tournament could hang")
	}
	if err := findProgram(args[0], e.Dir); err != nil {
		return fmt.Errorf("%s: %w", e.Name, err)
	}
	return nil
}

// argv returns the words of the command line.
func (e *engine) argv() ([]string, error) {
	if len(e.Args) > 0 {
		return e.Args, nil
	}
	return protocol.SplitCommand(e.Cmd)
}

// turnLimit is the most time for one move with left on the clock of the game.
func (e *engine) turnLimit(left time.Duration) time.Duration {
	switch {
	case e.TC == (timeControl{}):
		return e.Hang
	case e.TC.Match == 0:
		return e.TC.Turn
	case e.TC.Turn == 0:
		return left
	}
	return min(e.TC.Turn, left)
}

// limits names the bounds of a search for people: "0.5 s a move, 2000 nodes".
func (e *engine) limits() string {
	var words []string
	if e.TC != (timeControl{}) {
		if e.TC.Turn > 0 {
			words = append(words, fmt.Sprintf("%g s a move", e.TC.Turn.Seconds()))
		}
		if e.TC.Match > 0 {
			words = append(words, fmt.Sprintf("%g s a game", e.TC.Match.Seconds()))
		}
		if e.TC.Increment > 0 {
			words = append(words, fmt.Sprintf("%g s more for each move", e.TC.Increment.Seconds()))
		}
	}
	if e.Nodes > 0 {
		words = append(words, fmt.Sprintf("%d nodes", e.Nodes))
	}
	if e.Depth > 0 {
		words = append(words, fmt.Sprintf("depth %d", e.Depth))
	}
	if e.Threads > 1 {
		words = append(words, fmt.Sprintf("%d threads", e.Threads))
	}
	if len(words) == 0 {
		words = append(words, fmt.Sprintf("%g s a move at most", e.Hang.Seconds()))
	}
	return strings.Join(words, ", ")
}
