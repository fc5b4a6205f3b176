package brain

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
	"tengen/brain/internal/mapped"
)

func TestValuesAreQuotedWithoutPartsOfLetters(t *testing.T) {
	o := DefaultOptions()
	err := o.Set("timeout_turn", "x"+strings.Repeat("あ", 99))
	if want := `"x` + strings.Repeat("あ", 19) + `"`; err == nil || !strings.HasSuffix(err.Error(), "got "+want) {
		t.Errorf("got %v, want it to end in %s", err, want)
	}
}

func TestOptionsSet(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name, key, value string
		get              func(Options) any
		want             any
	}{
		{"a turn", "timeout_turn", "1500", func(o Options) any { return o.Turn }, 1500 * ms},
		{"a turn of nothing", "timeout_turn", "0", func(o Options) any { return o.Turn }, 0 * ms},
		{"a negative turn is no limit", "timeout_turn", "-1", func(o Options) any { return o.Turn }, NoLimit},
		{"a match", "timeout_match", "180000", func(o Options) any { return o.Match }, 180 * time.Second},
		{"a match of 0 is no limit", "timeout_match", "0", func(o Options) any { return o.Match }, NoLimit},
		{"the greatest number managers send is no limit", "time_left", "2147483647", func(o Options) any { return o.Left }, NoLimit},
		{"time left may be overdrawn", "time_left", "-900", func(o Options) any { return o.Left }, -900 * ms},
		{"more time left than any clock shows is no limit", "time_left", "99999999999999999999", func(o Options) any { return o.Left }, NoLimit},
		{"an increment", "time_increment", "100", func(o Options) any { return o.Increment }, 100 * ms},
		{"memory in bytes beyond 32 bits", "max_memory", "9999999999", func(o Options) any { return o.MaxMemory }, int64(9999999999)},
		{"the greatest number of 64 bits", "max_memory", "18446744073709551615", func(o Options) any { return o.MaxMemory }, int64(1 << 50)},
		{"memory below nothing is not told", "max_memory", "-5", func(o Options) any { return o.MaxMemory }, int64(0)},
		{"hash in KiB", "hash_size", "1024", func(o Options) any { return o.Hash }, int64(1 << 20)},
		{"threads", "thread_num", "3", func(o Options) any { return o.Threads }, 3},
		{"at least one thread", "thread_num", "0", func(o Options) any { return o.Threads }, 1},
		{"not more threads than are good", "thread_num", "100000", func(o Options) any { return o.Threads }, MaxThreads},
		{"depth", "max_depth", "12", func(o Options) any { return o.Depth }, 12},
		{"a negative depth is no limit", "max_depth", "-1", func(o Options) any { return o.Depth }, 0},
		{"nodes", "max_node", "123456789012", func(o Options) any { return o.Nodes }, int64(123456789012)},
		{"negative nodes are no limit", "max_node", "-1", func(o Options) any { return o.Nodes }, int64(0)},
		{"strength", "strength", "44", func(o Options) any { return o.Strength }, 44},
		{"strength without a word is full", "thread_num", "1", func(o Options) any { return o.Strength }, FullStrength},
		{"no more than full strength", "strength", "1000", func(o Options) any { return o.Strength }, FullStrength},
		{"no less strength than none", "strength", "-1", func(o Options) any { return o.Strength }, 0},
		{"attack", "style", "70", func(o Options) any { return o.Style }, 70},
		{"more defense than there is", "style", "-900", func(o Options) any { return o.Style }, -MaxStyle},
		{"renju", "rule", "4", func(o Options) any { return o.Rule }, board.Renju},
		{"caro, exactly five, continuous", "rule", "11", func(o Options) any { return o.Rule }, board.Caro | board.ExactFive | board.Continuous},
	}
	for _, test := range tests {
		o := DefaultOptions()
		if err := o.Set(test.key, test.value); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if got := test.get(o); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

func TestBadValuesDoNotChangeOptions(t *testing.T) {
	for _, test := range []struct{ key, value string }{
		{"timeout_turn", ""}, {"timeout_turn", "abc"}, {"timeout_turn", "1.5"},
		{"rule", "99"}, {"rule", "12"}, {"rule", "-1"}, {"rule", "260"}, {"rule", "99999999999999999999"}, {"max_memory", "1GB"},
	} {
		o := DefaultOptions()
		err := o.Set(test.key, test.value)
		if err == nil || !strings.Contains(err.Error(), test.key) {
			t.Errorf("%s %q: got error %v, want one that names the key", test.key, test.value, err)
		}
		if o != DefaultOptions() {
			t.Errorf("%s %q changed the options", test.key, test.value)
		}
	}
}

func TestOptionsPassOverUnknownKeys(t *testing.T) {
	o := DefaultOptions()
	for _, key := range []string{"", "nobody_knows", "folder", "evaluate", "vcthread", "game_type"} {
		if err := o.Set(key, "3,3"); err != nil || o != DefaultOptions() {
			t.Errorf("%q: %v", key, err)
		}
	}
}

func TestTableBytes(t *testing.T) {
	const mib = int64(1) << 20
	tests := []struct {
		name     string
		memory   int64
		hash     int64
		threads  int
		from, to int64 // MiB
	}{
		{"not told is 350 MiB", 0, 0, 1, 200, 210},
		{"the limit of Gomocup", 350 * mib, 0, 1, 200, 210},
		{"Piskvork's default", 1000 * mib, 0, 1, 500, 600},
		{"two GiB less a byte", 1<<31 - 1, 0, 1, 1000, 1229},
		{"little", 64 * mib, 0, 1, 15, 24},
		{"hardly any", 20 * mib, 0, 1, 1, 1},
		{"one byte", 1, 0, 1, 1, 1},
		{"hash_size below", 350 * mib, 16 * mib, 1, 16, 16},
		{"hash_size above", 350 * mib, 4000 * mib, 1, 200, 210},
		{"hash_size next to nothing", 350 * mib, 1, 1, 1, 1},
		{"hash_size alone", 0, 4096 * mib, 1, 4096, 4096},
		{"hash_size alone, of Yixin-Board's default", 0, 256 * mib, 1, 256, 256},
		{"hash_size alone, and many threads", 0, 256 * mib, 60, 256, 256},
		{"the greatest hash_size alone", 0, MaxHashKiB << 10, 1, MaxHashKiB >> 10, MaxHashKiB >> 10},
		{"many threads", 350 * mib, 0, 60, 50, 110},
		{"far more threads than memory", 350 * mib, 0, MaxThreads, 1, 1},
	}
	for _, test := range tests {
		o := Options{MaxMemory: test.memory, Hash: test.hash, Threads: test.threads}
		got := tableBytes(o)
		if got < min(test.from*mib, maxTable) || got > test.to*mib {
			t.Errorf("%s: got %d MiB, want %d to %d", test.name, got/mib, test.from, test.to)
		}
		limit := o.memory()
		heap, all := heapLimit(o), heapLimit(o)
		if mapped.Outside(got) {
			all += got
		}
		if got > minTable && (got > limit/10*6 || all > limit || all < got || heap < leastHeap) {
			t.Errorf("%s: a table of %d MiB and a heap of %d MiB for %d MiB", test.name, got/mib, heap/mib, limit/mib)
		}
	}
}

// TestNotesOfMemoryAreFew: a manager that changes its limit again and again before it asks for a move
// gets no note for each.
func TestNotesOfMemoryAreFew(t *testing.T) {
	e := newGame(t, 15, 15)
	for i := range 20 {
		e.warnMemory(fmt.Sprint("too little: ", i))
	}
	if len(e.notes) != maxNotes {
		t.Errorf("%d notes wait", len(e.notes))
	}
}

// TestAllowed: what is left of the memory, and which note tells that it is too little.
func TestAllowed(t *testing.T) {
	const mib = 1 << 20
	for _, test := range []struct {
		name                string
		memory, most, taken int64
		threads             int
		left                int64
		note                string
	}{
		{"nothing is known", 0, 0, 0, 1, defaultMemory, ""},
		{"so many threads", 0, 0, 0, MaxThreads, defaultMemory, ""},
		{"the manager says", 80 * mib, 0, 0, 1, 80 * mib, ""},
		{"too little", 19 * mib, 0, 0, 1, 19 * mib, "max_memory"},
		{"too little for two", 20 * mib, 0, 0, 2, 20 * mib, "max_memory"},
		{"the system allows less", 80 * mib, 60 * mib, 0, 1, 60 * mib, ""},
		{"the system allows more", 80 * mib, 90 * mib, 0, 1, 80 * mib, ""},
		{"the system allows too little", 0, 10 * mib, 0, 1, 10 * mib, "the system leaves"},
		{"a database", 350 * mib, 0, 96 * mib, 1, 254 * mib, ""},
		{"a large database", 350 * mib, 0, 352 * mib, 1, 1, "the database leaves"},
	} {
		o, note := Options{MaxMemory: test.memory, Threads: test.threads}.allowed(test.most, test.taken)
		if o.MaxMemory != test.left || test.note == "" && note != "" || !strings.HasPrefix(note, test.note) {
			t.Errorf("%s: %d bytes left and %q, want %d and %q", test.name, o.MaxMemory, note, test.left, test.note)
		}
	}
	// Nor may a table that the manager wants have more than the system allows.
	o, note := Options{Hash: 4096 * mib, Threads: 1}.allowed(2048*mib, 0)
	if o.MaxMemory > 2048*mib || note != "" || tableBytes(o) > 2048*mib/10*tableTenths {
		t.Errorf("hash_size on a small system: %d bytes, a table of %d, %q", o.MaxMemory, tableBytes(o), note)
	}
	// Where nothing is noted the heap stays within the memory.
	for memory := int64(10 * mib); memory <= 4096*mib; memory += memory / 8 {
		for _, threads := range []int{1, 2, 4, 16, 60, MaxThreads} {
			o, note := Options{MaxMemory: memory, Threads: threads}.allowed(0, 0)
			if limit := heapLimit(o); note == "" && limit > memory-outsideHeap {
				t.Errorf("a heap of %d MiB for %d MiB and %d threads", limit/mib, memory/mib, threads)
			}
		}
	}
	for bytes, want := range map[int64]int64{0: 0, databaseStep/2 - 1: 0, databaseStep / 2: databaseStep, 3 * databaseStep: 3 * databaseStep} {
		if got := databaseMemory(bytes); got != want {
			t.Errorf("a database of %d bytes counts for %d, want %d", bytes, got, want)
		}
	}
}

// More threads than the processors are good for are not started, which is reported once.
func TestTooManyThreads(t *testing.T) {
	e := New(Config{MostThreads: ThreadsFor(1)})
	e.Set("usedatabase", "0")
	e.Set("max_node", "50")
	if err := e.NewGame(15, 15); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		value string
		want  int
		notes int
	}{{"4", 4, 0}, {"200", 4, 1}, {"5", 4, 0}, {"3", 3, 0}} {
		e.Set("thread_num", test.value)
		if notes := think(t, e).Notes; e.workers != test.want || len(notes) != test.notes {
			t.Errorf("thread_num %s: %d threads and notes %q, want %d and %d", test.value, e.workers, notes, test.want, test.notes)
		}
	}
}
