//go:build !js

package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/brain/board"
	"tengen/brain/database"
)

// An explored is what the explorer answers.
type explored struct {
	Known               int
	Name, Code, Comment string
	Moves               []child
	Closed              bool
	Reading             *int
	Unread, Unsaved     string
}

func (q *tester) explore(rule int, moves string) (a explored) {
	q.t.Helper()
	v := map[string]any{"game": "game-of-a-test", "width": 15, "height": 15, "rule": rule, "moves": moves}
	if status, code := q.ask("/api/explore", v, &a); status != 200 {
		q.t.Fatal(status, code)
	}
	return a
}

func (a explored) move(name string) *child {
	for i := range a.Moves {
		if a.Moves[i].Move == name {
			return &a.Moves[i]
		}
	}
	return nil
}

// feed uploads a file.
func (q *tester) feed(raw []byte, query string) (status int, text string) {
	q.t.Helper()
	response := q.post("/api/feed?"+query, string(raw), func(r *http.Request) { r.Header.Set("Content-Type", "application/octet-stream") })
	body, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(body)
}

func TestEngineFillsTheExplorer(t *testing.T) {
	q := newTester(t, 1, own())
	if a := q.explore(0, "h8"); a.Known != 0 || len(a.Moves) != 0 {
		t.Errorf("at the beginning: %+v", a)
	}
	// White has an open three and loses no time.
	q.think(map[string]any{"moves": "a1h8a3h9a5h10o1", "millis": 300, "strength": 100})
	won := q.explore(0, "a1h8a3h9a5h10").move("o1")
	if won == nil || won.Result != "loss" || won.Plies != 4 {
		t.Errorf("a move after which three win: %+v", won)
	}
	q.think(map[string]any{"moves": "a1h8a3h9a5h10o1h11", "millis": 300, "strength": 100})
	if four := q.explore(0, "a1h8a3h9a5h10o1").move("h11"); four == nil || four.Result != "win" || four.Plies != 3 {
		t.Errorf("an open four: %+v", four)
	}
	if other := q.explore(0, "a1h8a3h9a5i10"); len(other.Moves) != 0 {
		t.Errorf("another position: %+v", other)
	}
	if turned := q.explore(0, "a1h8c1i8e1j8").move("a15"); turned == nil || turned.Result != "loss" {
		t.Errorf("the same, reflected: %+v", turned)
	}
	q.analyze(map[string]any{"moves": "h8i9"}, func(e pageEvent) bool { return e.Report == nil || e.Report.Depth <= leastDepth })
	q.expectIdle(2 * stopLimit)
	if m := q.explore(0, "h8").move("i9"); m == nil || !m.Scored || m.Depth < leastDepth {
		t.Errorf("after an analysis: %+v", m)
	}
	// A weak player, an attacker and an engine of the user teach it nothing.
	n := q.explore(0, "").Known
	q.think(map[string]any{"moves": "h8i10", "millis": 100, "strength": 50})
	q.think(map[string]any{"moves": "h8i11", "millis": 300, "strength": 100, "style": 90})
	if got := q.explore(0, "").Known; got != n {
		t.Errorf("%d positions are known, want %d", got, n)
	}
	q.think(map[string]any{"moves": "h8i11", "rule": 8, "millis": 300, "strength": 100}) // caro has no database
}

func TestPositionsThatAreNotKept(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	for _, test := range []struct {
		rule   int
		moves  string
		closed bool
	}{{0, "h8", false}, {4, "h8-", false}, {0, "h8-i9-j10", true}, {8, "h8", true}, {5, "", true}} {
		if a := q.explore(test.rule, test.moves); a.Closed != test.closed {
			t.Errorf("rule %d, %q: %+v", test.rule, test.moves, a)
		}
	}
}

// In swap2 an engine reports the values of positions after the stones that it may place.
func TestSwap2TeachesTheExplorerNothing(t *testing.T) {
	engine := stub("thinker")
	engine.own = true
	q := newTester(t, 1, engine)
	for _, moves := range []string{"", "h8i8j8", "h8i8j8i9h9"} {
		deepest := 0
		for _, e := range q.think(map[string]any{"moves": moves, "millis": 50, "strength": 100, "swap2": true}) {
			if e.Report != nil {
				deepest = max(deepest, e.Report.Depth)
			}
		}
		if n := q.explore(0, "").Known; deepest < leastDepth || n != 0 {
			t.Errorf("after %q: reports of depth %d, %d positions are known, want none", moves, deepest, n)
		}
	}
}

func TestOpeningsHaveNames(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	named := 0
	for _, m := range q.explore(4, "h8h9").Moves {
		if m.Name != "" && m.Kanji != "" {
			named++
		}
	}
	if named < 13 {
		t.Errorf("%d third moves have a name, want the 13 direct openings and their reflections", named)
	}
	if a := q.explore(4, "h8h7h6"); a.Name == "" || a.Code != "1D" {
		t.Errorf("three stones in a row are %+v, want 1D", a)
	}
	if a := q.explore(0, "h8h9"); len(a.Moves) != 0 {
		t.Errorf("names in freestyle: %+v", a)
	}
	if a := q.explore(4, "h8-h7"); a.Name != "" {
		t.Errorf("a pass makes an opening: %+v", a)
	}
}

func TestFilesFeedTheExplorer(t *testing.T) {
	q := newTester(t, 1, stub("meek"))
	d := database.New()
	b, _ := board.New(board.Renju, 15, 15)
	for i, m := range []board.Move{board.At(7, 7), board.At(7, 6), board.At(8, 6)} {
		b.Play(m)
		if err := d.Set(b, database.NewRecord(database.Win, 100*i, 12, database.Exact).WithComment("seen"), database.Whole); err != nil {
			t.Fatal(err)
		}
	}
	var db, lib bytes.Buffer
	if err := d.Write(&db); err != nil {
		t.Fatal(err)
	}
	for b.Ply() > 0 {
		b.Undo()
	}
	if _, err := d.ExportLib(&lib, b); err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string][]byte{"a database": db.Bytes(), "a library": lib.Bytes()} {
		*q.server.explorer = *newExplorer()
		if status, text := q.feed(raw, "game=game-of-a-test&rule=4"); status != 200 || !strings.Contains(text, `"known":`) {
			t.Errorf("%s: %d %s", name, status, text)
		}
		if m := q.explore(4, "h8h7").move("i7"); m == nil || m.Result != "win" {
			t.Errorf("%s: %+v", name, m)
		}
		if a := q.explore(4, "h8h7"); a.Comment != "seen" {
			t.Errorf("%s: the comment is %q", name, a.Comment)
		}
	}
	n := q.server.explorer.Len()
	for name, raw := range map[string][]byte{
		"nothing": nil, "text": []byte("hello"), "the name of a library": []byte("\xffRenLib"), "half a database": db.Bytes()[:db.Len()-9], "half a library": lib.Bytes()[:lib.Len()/2],
	} {
		if status, text := q.feed(raw, "game=game-of-a-test&rule=4"); status != 400 || !strings.Contains(text, "format") {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	if status, _ := q.feed(make([]byte, maxFeed+1), "game=game-of-a-test&rule=4"); status != 413 {
		t.Errorf("a huge file: %d", status)
	}
	for _, query := range []string{"", "game=game-of-a-test", "game=game-of-a-test&rule=12", "game=game-of-a-test&rule=-1",
		"game=game-of-a-test&rule=4abc", "game=game-of-a-test&rule=2", "rule=4"} {
		if status, _ := q.feed(db.Bytes(), query); status != 400 {
			t.Errorf("?%s: %d", query, status)
		}
	}
	if got := q.server.explorer.Len(); got != n {
		t.Errorf("bad files changed the database: %d positions, there were %d", got, n)
	}
}

// unsaved returns a server whose database cannot be saved, and a database of one position.
func unsaved(t *testing.T) (*tester, []byte) {
	t.Helper()
	q := newTester(t, 1, stub("meek"))
	folder := t.TempDir()
	if err := q.server.explorer.open(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, dataFile), 0o755); err != nil {
		t.Fatal(err)
	}
	d := database.New()
	b, _ := board.New(board.Renju, 15, 15)
	b.Play(board.At(7, 7))
	if err := d.Set(b, database.NewRecord(database.Win, 100, 12, database.Exact), database.Whole); err != nil {
		t.Fatal(err)
	}
	var db bytes.Buffer
	if err := d.Write(&db); err != nil {
		t.Fatal(err)
	}
	return q, db.Bytes()
}

// A file that was read, but whose positions cannot be saved, is not called unreadable.
func TestFeedThatCannotBeSaved(t *testing.T) {
	q, raw := unsaved(t)
	if status, text := q.feed(raw, "game=game-of-a-test&rule=4"); status != 500 || !strings.Contains(text, `"unsaved"`) {
		t.Errorf("%d %s", status, text)
	}
	if a := q.explore(4, ""); a.Known != 1 || a.move("h8") == nil {
		t.Errorf("the explorer knows %+v", a)
	}
}

// Where the database could not be opened, the page says so, also after the positions have changed.
func TestExplorerThatIsNotKept(t *testing.T) {
	q, raw := unsaved(t)
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, dataFile), []byte("something else"), 0o644); err != nil {
		t.Fatal(err)
	}
	k := newExplorer()
	q.server.explorer = k
	k.note(k.open(folder))
	if status, text := q.feed(raw, "game=game-of-a-test&rule=4"); status != 200 {
		t.Errorf("%d %s", status, text)
	}
	if a := q.explore(4, ""); a.Known != 1 || a.Unsaved == "" {
		t.Errorf("the explorer says %+v", a)
	}
}

// The program writes one file in its folder, and leaves a damaged one as it is.
func TestKnowledgeIsKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "data")
	k := newExplorer()
	if err := k.open(folder); err != nil {
		t.Fatal(err)
	}
	b, _ := board.New(board.Freestyle, 15, 15)
	b.Play(board.At(7, 7))
	k.found(b, report{Scored: true, Score: 40, Depth: 10})
	if err := k.save(); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 1 || files[0].Name() != dataFile {
		t.Errorf("in the folder: %v, %v", files, err)
	}
	// Another program adds a position; then both are there.
	other := newExplorer()
	if err := other.open(folder); err != nil || other.Len() != 1 {
		t.Fatalf("%d positions, %v", other.Len(), err)
	}
	b.Play(board.At(8, 8))
	other.found(b, report{Scored: true, Mate: -4, Depth: 3})
	if err := other.save(); err != nil {
		t.Fatal(err)
	}
	b.Play(board.At(9, 9))
	k.found(b, report{Scored: true, Score: -10, Depth: 9})
	k.found(b, report{Scored: true, Score: 99, Depth: leastDepth - 1}) // too shallow
	if err := k.save(); err != nil || k.Len() != 3 {
		t.Errorf("%d positions together, %v", k.Len(), err)
	}
	name := filepath.Join(folder, dataFile)
	if err := os.WriteFile(name, []byte("damaged"), 0o644); err != nil {
		t.Fatal(err)
	}
	broken := newExplorer()
	if err := broken.open(folder); err == nil || !strings.Contains(err.Error(), dataFile) {
		t.Errorf("a damaged file: %v", err)
	}
	broken.found(b, report{Scored: true, Score: -10, Depth: 9})
	if err := broken.save(); err != nil {
		t.Error(err)
	}
	if raw, err := os.ReadFile(name); err != nil || string(raw) != "damaged" {
		t.Errorf("the damaged file is now %q, %v", raw, err)
	}
}

// unordered returns a large database as another program may write it, in no order, with the position after h8.
func unordered() []byte {
	const n = 70_000
	raw := binary.LittleEndian.AppendUint32(nil, n+1)
	for i := range uint32(n) {
		raw = append(raw, 35, 0, 0, 15, 15)
		for x := range byte(15) {
			raw = append(raw, x, byte(i>>(2*x)&3))
		}
		raw = append(raw, 0, 14, 0, 0)
	}
	return append(raw, 5, 0, 0, 15, 15, 7, 7, 5, 0, 'w', 0, 0, 0, 0)
}

// The page is there before a large database is read, and says how much of it is.
func TestExplorerWhileItsFileIsRead(t *testing.T) {
	for name, raw := range map[string][]byte{"whole": unordered(), "cut": unordered()[:2500<<10]} {
		q := newTester(t, 1, stub("meek"))
		k, folder := q.server.explorer, t.TempDir()
		file := filepath.Join(folder, dataFile)
		if err := os.WriteFile(file, raw, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := k.open(folder); err != nil {
			t.Fatal(err)
		}
		if a := q.explore(0, ""); a.Known != 0 || a.Reading == nil || *a.Reading != 0 || a.Unread != "" {
			t.Errorf("%s, before: %+v", name, a)
		}
		k.fill(t.Context())
		a := q.explore(0, "")
		if a.Reading != nil {
			t.Errorf("%s: it is still being read", name)
		}
		switch m := a.move("h8"); {
		case name == "whole" && (a.Known != 70_001 || a.Unread != "" || m == nil || m.Result != "win"):
			t.Errorf("%+v", a)
		case name == "cut" && (a.Known != 0 || !strings.Contains(a.Unread, file)):
			t.Errorf("of a damaged file: %+v", a)
		}
		b, _ := board.New(board.Freestyle, 15, 15)
		b.Play(board.At(7, 6))
		k.found(b, report{Scored: true, Score: 40, Depth: 10})
		if err := k.save(); err != nil {
			t.Error(err)
		}
		if now, err := os.ReadFile(file); err != nil || bytes.Equal(now, raw) == (name == "whole") {
			t.Errorf("%s: the file has %d bytes, there were %d, %v", name, len(now), len(raw), err)
		}
	}
}
