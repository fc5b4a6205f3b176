package protocol

import (
	"slices"

	"tengen/brain"
	"tengen/protocol/wire"
)

// An ownKey is a key of INFO that the engine does not need.
type ownKey struct {
	brain.InfoKey
	set func(s *server, text string, number int64) // nil if the key is ignored; number is 0 for a text
}

var ownKeys = []ownKey{
	{brain.InfoKey{Name: "pondering", Unit: "0/1", Max: 1, Doc: "Yixin-Board: think on the opponent's time"},
		func(s *server, _ string, on int64) { s.ponders = on == 1 }},
	{brain.InfoKey{Name: "show_detail", Unit: "bits", Max: 3, Doc: "Yixin-Board: 1 MESSAGE REALTIME about root moves, 2 INFO lines"},
		func(s *server, _ string, bits int64) { s.showDetail = int(bits) }},
	{brain.InfoKey{Name: "swapable", Unit: "0/1", Max: 1, Doc: "rule 5 of Yixin-Board: the engine may swap after the first move"},
		func(s *server, _ string, on int64) { s.swapable = on == 1 }},
	{brain.InfoKey{Name: "folder", Unit: brain.AnyText, Doc: "for files that are kept: the database, the stacks of failures"},
		func(s *server, path string, _ int64) { s.folder, s.changed = path, true }},

	{brain.InfoKey{Name: "game_type", Unit: "enum", Max: 255, Doc: "opponent: 0 human, 1 engine, 2 tournament, 3 network tournament; ignored"}, nil},
	{brain.InfoKey{Name: "evaluate", Unit: brain.AnyText, Doc: "a cell the user points at; ignored"}, nil},
	{brain.InfoKey{Name: "thread_split_depth", Unit: "plies", Max: 1 << 20, Doc: "Yixin-Board: a parameter of its own parallel search; ignored"}, nil},
	{brain.InfoKey{Name: "vcthread", Unit: "enum", Max: 255, Doc: "Yixin-Board: 1 and 2 check for wins by threats in a search, as every search for one line does here; ignored"}, nil},
}

// followUps is what Serve does after the engine has taken a key: given is the manager's value, taken the
// engine's, which Yixin-Board's dialect makes another one. Keys that need preparation set changed.
var followUps = map[string]func(s *server, given, taken string){
	"rule":          func(s *server, given, _ string) { s.rule, s.changed = given, true },
	"timeout_match": func(s *server, given, _ string) { s.match = given },
	"timeout_turn": func(s *server, given, taken string) {
		s.turn = given
		if taken == "0" && s.job != nil && s.job.load == nil {
			s.job.cancel() // move now
		}
	},
	"time_left":   func(s *server, _, _ string) { s.scheduleSelfMove() },
	"usedatabase": func(s *server, _, _ string) { s.usageTold, s.changed = true, true },
	"thread_num":  prepareLater, "max_memory": prepareLater, "hash_size": prepareLater, "strength": prepareLater,
}

// prepareLater notes that the engine has something to prepare while it waits.
func prepareLater(s *server, _, _ string) { s.changed = true }

// InfoKeys lists the keys of INFO that are known: those of the engine, and those of Serve. Unknown keys
// are ignored.
func InfoKeys() []brain.InfoKey {
	keys := brain.InfoKeys()
	for _, k := range ownKeys {
		keys = append(keys, k.InfoKey)
	}
	return keys
}

// setOwn sets a key of Serve. It reports whether key is one.
func (s *server) setOwn(key, value string) (own bool, err error) {
	i := slices.IndexFunc(ownKeys, func(k ownKey) bool { return k.Name == key })
	if i < 0 {
		return false, nil
	}
	k := &ownKeys[i]
	var n int64
	if k.Numeric() {
		if n, err = k.Number(wire.WithoutFraction(value)); err != nil {
			return true, err
		}
	}
	if k.set != nil {
		k.set(s, value, n)
	}
	return true, nil
}
