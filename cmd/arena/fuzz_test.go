package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/brain/record"
)

// FuzzJournal reads a journal as every command does and uses all of it, which must give an error
// or a result, and never a panic.
func FuzzJournal(f *testing.F) {
	s := settings{Engines: []engine{{Name: "a", Cmd: "a"}, {Name: "b", Cmd: "b"}}, Size: 15, Games: 4, Rounds: 1, Openings: []string{"h8i9"}}
	games := []gameRecord{
		{Game: 1, Round: 1, Black: "a", White: "b", Result: "1-0", Reason: "five", Moves: "h8i9j7g7", Opening: 2, Size: 15, Time: []float64{1, 2.5}, Match: s.id(), Started: "2026-11-22T10:00:00Z", Settings: &s},
		{Game: 2, Round: 1, Black: "b", White: "a", Result: "0-1", Reason: "timeout", Moves: "h8i9", Opening: 2, Size: 15, Eval: []eval{{true, 3, 0}}, Depth: []int{4}, Nodes: []int64{9}, Match: s.id()},
		{Game: 3, Round: 1, Black: "a", White: "b", Result: "1/2-1/2", Reason: "rows", Detail: "1 to 1", Moves: "h8", Rows: []scoredRow{{1, "a1e5"}}, Rule: 2, Size: 15, Match: s.id()},
	}
	var whole []byte
	for _, g := range games {
		line, err := json.Marshal(g)
		if err != nil {
			f.Fatal(err)
		}
		whole = append(append(whole, line...), '\n')
		f.Add(whole)
	}
	f.Add([]byte(line1))
	f.Add([]byte(strings.Replace(string(whole), `"games":4`, `"games":9000000000000000000`, 1)))
	f.Add([]byte(strings.Replace(string(whole), `"size":15`, `"size":-1`, 2)))
	f.Add([]byte(strings.Replace(string(whole), `{"name":"b"`, `{"name":"a"`, 1)))
	name := filepath.Join(f.TempDir(), "journal")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
		m, _, err := loadJournals([]string{name})
		if err != nil {
			return
		}
		if err := writeSummary(io.Discard, m, m.sum()); err != nil {
			t.Error(err)
		}
		newPage(m)
		for _, g := range m.sorted() {
			if r, err := g.game(); err == nil {
				record.WriteSGF(io.Discard, r)
				record.WritePSQ(io.Discard, r)
			}
		}
	})
}
