package brain

import (
	"bytes"
	"errors"
	"testing"
)

func TestTheTableLastsOverGames(t *testing.T) {
	const pos = "h5k5h3j4i4l4n4i3"
	search := func(e *Engine) int64 {
		if err := e.NewGame(15, 15); err != nil {
			t.Fatal(err)
		}
		set(t, e, pos)
		return analyze(t, e, Query{}).Infos[0].Nodes
	}
	e := newGame(t, 15, 15, "max_depth", "14", "hash_size", "65536")
	first := search(e)
	if again := search(e); again != first {
		t.Errorf("%d nodes, then %d", first, again)
	}
	e.KeepTable(true)
	search(e)
	if again := search(e); again*2 > first {
		t.Errorf("%d nodes, then %d with the table kept", first, again)
	}
	if used, room := e.TableUsage(); used == 0 || used > room {
		t.Errorf("%d of %d entries", used, room)
	}
	e.Set("rule", "1")
	if err := e.NewGame(15, 15); err != nil {
		t.Fatal(err)
	}
	if used, _ := e.TableUsage(); used == 0 {
		t.Error("the table is empty after a change of the rule")
	}
}

func TestTheTableIsDumpedAndLoaded(t *testing.T) {
	var dump bytes.Buffer
	e := newGame(t, 15, 15, "max_node", "3000")
	set(t, e, "h8i9")
	analyze(t, e, Query{})
	write, release, err := e.DumpTable()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	n, err := write(t.Context(), &dump)
	if err != nil || n == 0 || !IsTable(dump.Bytes()) {
		t.Fatalf("%d entries, %v", n, err)
	}
	e.Forget()
	if read, err := e.LoadTable(t.Context(), bytes.NewReader(dump.Bytes())); err != nil || read != n {
		t.Errorf("read %d of %d entries, %v", read, n, err)
	}
	for _, other := range []*Engine{newGame(t, 16, 15), newGame(t, 15, 15, "rule", "1")} {
		if _, err := other.LoadTable(t.Context(), bytes.NewReader(dump.Bytes())); err == nil {
			t.Error("a table of another rule or size was read")
		}
	}
	if _, err := New(Config{}).LoadTable(t.Context(), &dump); !errors.Is(err, ErrNoGame) {
		t.Errorf("without a game: %v", err)
	}
}
