package brain

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"tengen/brain/board"
	"tengen/brain/eval"
	"tengen/brain/internal/boardtest"
	"tengen/brain/internal/mapped"
	"tengen/brain/nnue"
	"tengen/brain/score"
)

// ownTables returns tables for freestyle that differ from those carried.
func ownTables() *eval.Tables {
	tables := eval.ByHand(board.Freestyle)
	for i := range tables.Sides[0].Cells {
		tables.Sides[0].Cells[i] = int16(i % 17)
	}
	return tables
}

// TestTwoEvaluationsInOneProcess: two engines with different evaluations that think at the
// same time play and count what each of them does alone.
func TestTwoEvaluationsInOneProcess(t *testing.T) {
	own := eval.Embedded().WithTables(ownTables())
	type answer struct {
		move  board.Move
		nodes int64
		score score.Value
	}
	moves := quietPositions(t, 1)[0]
	play := func(c Config) (answers []answer) {
		e := New(c)
		e.Set("hash_size", "1024")
		e.Set("max_node", "4000")
		if err := e.NewGame(15, 15); err != nil {
			t.Error(err)
			return nil
		}
		for _, m := range moves {
			if err := e.Play(m); err != nil {
				t.Error(err)
				return nil
			}
		}
		for range 6 {
			th := think(t, e)
			answers = append(answers, answer{th.Move, th.Infos[0].Nodes, th.Infos[0].Score})
		}
		return answers
	}
	configs := [...]Config{{}, {Evaluation: own}}
	var alone, together [2][]answer
	for i, c := range configs {
		alone[i] = play(c)
	}
	if slices.Equal(alone[0], alone[1]) {
		t.Errorf("the tables make no difference: %v", alone[0])
	}
	var engines sync.WaitGroup
	for i, c := range configs {
		engines.Go(func() { together[i] = play(c) })
	}
	engines.Wait()
	for i := range configs {
		if !slices.Equal(alone[i], together[i]) {
			t.Errorf("engine %d: %v alone, %v beside the other", i, alone[i], together[i])
		}
	}
}

// TestHeapIsLimitedAsTheManagerSays: the program gets a limit within the memory of the
// process, less the table, when the memory of the search is taken, and again only when that changes.
func TestHeapIsLimitedAsTheManagerSays(t *testing.T) {
	var limits []int64
	e := New(Config{LimitHeap: func(bytes, _ int64, _ bool) { limits = append(limits, bytes) }})
	sums := map[string]int64{}
	e.Set("max_node", "30")
	if err := e.NewGame(9, 9); err != nil {
		t.Fatal(err)
	}
	for _, memory := range []string{"80000000", "80000000", "200000000"} {
		e.Set("max_memory", memory)
		think(t, e)
		sums[memory] = limits[len(limits)-1]
		if mapped.Outside(e.table) {
			sums[memory] += e.table
		}
	}
	if less, more := sums["80000000"], sums["200000000"]; len(limits) != 2 || less >= 80e6 || more <= less || more >= 200e6 {
		t.Errorf("%d limits, with the tables %v, want one below 80 MB and a higher one below 200 MB", len(limits), sums)
	}
}

// TestMemoryIsLimitedByTheSystem: whatever the manager allows, or if it says nothing.
func TestMemoryIsLimitedByTheSystem(t *testing.T) {
	for _, test := range []struct {
		memory string
		most   int64
		told   string
	}{
		{"0", 60e6, ""},
		{"1000000000", 60e6, ""},
		{"0", 5 << 20, "the system leaves too little memory, 5 MiB"},
	} {
		var limit int64
		e := New(Config{MostMemory: test.most, LimitHeap: func(bytes, _ int64, _ bool) { limit = bytes }})
		for key, value := range map[string]string{"max_node": "30", "usedatabase": "0", "max_memory": test.memory} {
			e.Set(key, value)
		}
		if err := e.NewGame(9, 9); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			notes := strings.Join(think(t, e).Notes, "\n")
			if !strings.HasPrefix(notes, test.told) || test.told == "" && notes != "" {
				t.Errorf("%+v: told %q", test, notes)
			}
			test.told = "" // once
		}
		if most := max(test.most, 20<<20); limit <= 0 || limit > most {
			t.Errorf("%+v: a heap of %d bytes", test, limit)
		}
	}
}

// TestLessMemoryForTheSameTable: where the least table, or one of hash_size, leaves the manager's
// limit to the rest of the process, a lower one counts too, and too little gives a note, once.
func TestLessMemoryForTheSameTable(t *testing.T) {
	for _, hash := range []string{"0", "1024"} {
		var limits []int64
		e := New(Config{LimitHeap: func(bytes, _ int64, _ bool) { limits = append(limits, bytes) }})
		for key, value := range map[string]string{"max_node": "30", "usedatabase": "0", "hash_size": hash} {
			e.Set(key, value)
		}
		if err := e.NewGame(9, 9); err != nil {
			t.Fatal(err)
		}
		told := 0
		for _, memory := range []string{"45000000", "30000000", "5000000", "5000000"} {
			e.Set("max_memory", memory)
			for _, note := range think(t, e).Notes {
				if told++; !strings.HasPrefix(note, "max_memory 5000000 is too little") {
					t.Errorf("%s bytes: told %q", memory, note)
				}
			}
		}
		if told != 1 {
			t.Errorf("hash_size %s: told %d times that memory is too little", hash, told)
		}
		if len(limits) != 3 || limits[1] >= 30e6 || limits[2] >= limits[1] {
			t.Errorf("hash_size %s: limits %d, want one below 30 MB and then a lower one", hash, limits)
		}
	}
}

// flatNetwork returns a network for freestyle that takes all positions for even and all
// moves for alike.
func flatNetwork(t *testing.T) *eval.Network {
	t.Helper()
	n, err := eval.NewNetwork(&nnue.Network{Views: make([]nnue.View, 1), Heads: make([]nnue.Head, 1)})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestNetworkUnderItsRule: a network values positions under its rule, and tables do all else.
func TestNetworkUnderItsRule(t *testing.T) {
	flat := eval.Embedded().WithNetworks(flatNetwork(t))
	for _, rule := range []board.Rule{board.Freestyle, board.Continuous, board.Renju} {
		b := boardtest.New(t, rule, 15, 15)
		for _, m := range quietPositions(t, 1)[0] {
			b.Play(m)
		}
		network, tables := flat.New(b).Value(), flat.Tables(b).Value()
		if byNetwork := rule&^board.Continuous == board.Freestyle; byNetwork != (network == 0) {
			t.Errorf("%v: value %d", rule, network)
		}
		if tables == 0 {
			t.Errorf("%v: the tables say nothing", rule)
		}
	}
	if flat.WithTables(ownTables()).Network(board.Freestyle, 15, 15) != nil {
		t.Error("tables from a file leave the network in use")
	}
	if with := eval.ByTables(ownTables()).WithTables(eval.ByHand(board.Renju)); with.Network(board.Freestyle, 15, 15) != nil || with.Origin(board.Freestyle, 15, 15) != eval.ByTables(ownTables()).Origin(board.Freestyle, 15, 15) {
		t.Error("more tables leave out those before")
	}
}
