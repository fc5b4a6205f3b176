package flags

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"tengen/brain/board"
)

func TestFlags(t *testing.T) {
	type all struct {
		board   Board
		games   int
		nodes   int64
		rate    float64
		workers int
		limit   time.Duration
		seed    uint64
		quiet   bool
	}
	tests := []struct {
		args string
		want string // of the error, in part; "" for none
		ok   func(*all) bool
	}{
		{"", "", func(a *all) bool {
			return a.board.String() == "freestyle 15x15" && a.games == 3 && a.workers == 2
		}},
		{"-rule 4 -size 20x15 -games 10 -nodes 5000000000 -rate 0.25 -concurrency 7 -quiet", "", func(a *all) bool {
			b := a.board.New()
			return b.Rule() == 4 && b.Width() == 20 && b.Height() == 15 && a.games == 10 && a.nodes == 5e9 && a.rate == 0.25 && a.workers == 7 && a.quiet
		}},
		{"-games 010 -nodes 008 -rate 00.5 -seed 010", "", func(a *all) bool { return a.games == 10 && a.nodes == 8 && a.rate == 0.5 && a.seed == 10 }},
		{"-seed 18446744073709551615", "", func(a *all) bool { return a.seed == math.MaxUint64 }},
		{"", "", func(a *all) bool { return a.limit == time.Minute }},
		{"-time 1h30m", "", func(a *all) bool { return a.limit == 90*time.Minute }},
		{"-time 5", "-time: want a time such as 5s", nil},
		{"-time soon", "-time: want a time such as 5s", nil},
		{"-seed -1", "-seed: want a number, 0 or more", nil},
		{"-seed 18446744073709551616", "-seed: want a number, 0 or more", nil},
		{"-games 0x10 -nodes 0 -rate 0", "-nodes: want a number, 1 or more", nil},
		{"-games 0x10 -rate 0", "", func(a *all) bool { return a.games == 16 && a.rate == 0 }},
		{"-size 5", "", func(a *all) bool { return a.board.Width == 5 && a.board.Height == 5 }},
		{"-rule exact-caro", "", func(a *all) bool { return a.board.Rule == 9 }},
		{"-rule 2", "-rule: want 0, 1, 4, 8, 9 or a name", nil},
		{"-rule 20", "-rule: want 0, 1, 4, 8, 9 or a name", nil},
		{"-rule 04", "-rule: want 0, 1, 4, 8, 9 or a name", nil},
		{"-rule renju+continuous", "-rule: want 0, 1, 4, 8, 9 or a name", nil},
		{"-size 4", "-size: want sides of 5 to 22", nil},
		{"-size 15x23", "-size: want sides of 5 to 22", nil},
		{"-size 15x", "-size: want sides of 5 to 22", nil},
		{"-games 0", "-games: want a number, 1 or more", nil},
		{"-games 1.5", "-games: want a number, 1 or more", nil},
		{"-games 99999999999999999999", "-games: want a number, 1 or more", nil},
		{"-rate 2", "-rate: want a number of 0 to 1", nil},
		{"-rate NaN", "-rate: want a number of 0 to 1", nil},
		{"-rate x", "-rate: want a number of 0 to 1", nil},
		{"-concurrency 0", "-concurrency: want a number of 1 to 1024", nil},
		{"-sise 4", "not defined: -sise", nil},
		{"stray", `unknown argument "stray"`, nil},
	}
	for _, test := range tests {
		a := &all{games: 3, nodes: 1, workers: 2, limit: time.Minute}
		fs := New("test")
		a.board.Add(fs)
		Number(fs, &a.games, "games", 1, math.MaxInt32, "games")
		Number(fs, &a.nodes, "nodes", 1, math.MaxInt64, "nodes")
		Number(fs, &a.rate, "rate", 0, 1, "rate")
		Concurrency(fs, &a.workers, "games")
		Duration(fs, &a.limit, "time", "time")
		Seed(fs, &a.seed, "seed")
		Quiet(fs, &a.quiet)
		err := Parse(fs, strings.Fields(test.args), &bytes.Buffer{}, "test", Operands{})
		switch {
		case test.want == "" && (err != nil || !test.ok(a)):
			t.Errorf("%q: %v, %+v", test.args, err, a)
		case test.want != "" && (!errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%q: %v, want %s", test.args, err, test.want)
		}
	}
}

// A command for squares only neither offers nor accepts rectangles.
func TestSquares(t *testing.T) {
	for name, add := range map[string]func(*Board, *flag.FlagSet){"all": (*Board).Add, "squares": (*Board).AddSquare, "continuous": (*Board).AddContinuous} {
		var b Board
		fs := New("test")
		add(&b, fs)
		square := name != "all"
		if offered := strings.Contains(fs.Lookup("size").Usage, "COLUMNSxROWS"); offered == square {
			t.Errorf("%s: -size is %q", name, fs.Lookup("size").Usage)
		}
		err := Parse(fs, []string{"-size", "20x15"}, &bytes.Buffer{}, "test", Operands{})
		if square && (!errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), "want a square")) || !square && (err != nil || b.Width != 20 || b.Height != 15) {
			t.Errorf("%s: %v, %v", name, err, b)
		}
		if err := Parse(fs, []string{"-size", "20x20"}, &bytes.Buffer{}, "test", Operands{}); err != nil || b.Height != 20 {
			t.Errorf("%s: %v, %v", name, err, b)
		}
	}
}

func TestContinuousRules(t *testing.T) {
	for text, want := range map[string]board.Rule{
		"2": 2, "3": 3, "11": 11, "9": 9, "freestyle+continuous": 2, "caro+continuous": 10, "4+continuous": 6,
	} {
		var b Board
		fs := New("test")
		b.AddContinuous(fs)
		if err := Parse(fs, []string{"-rule", text}, &bytes.Buffer{}, "test", Operands{}); err != nil || b.Rule != want {
			t.Errorf("%s: %v, rule %d", text, err, b.Rule)
		}
	}
	for _, text := range []string{"2+continuous", "-2", "12", "18", "continuous", "+continuous", "renju+", ""} {
		var b Board
		fs := New("test")
		b.AddContinuous(fs)
		err := Parse(fs, []string{"-rule", text}, &bytes.Buffer{}, "test", Operands{})
		if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), "exact-caro, or 2 more or +continuous after it") {
			t.Errorf("%s: %v, rule %d", text, err, b.Rule)
		}
	}
}

func TestHelpTellsEveryDefault(t *testing.T) {
	fs := New("test")
	n := 7
	Number(fs, &n, "n", 1, 9, "a `NUMBER`")
	limit, none := 90*time.Second, time.Duration(0)
	Duration(fs, &limit, "time", "a `TIME`")
	Duration(fs, &none, "for", "a `SPAN`")
	var out bytes.Buffer
	if err := Parse(fs, []string{"-help"}, &out, "test [-n NUMBER] FILE", One("FILE")); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("%v", err)
	}
	if text := out.String(); !strings.HasPrefix(text, "test [-n NUMBER] FILE\n") || !strings.Contains(text, "-n NUMBER") || !strings.Contains(text, "(default 7)") || !strings.Contains(text, "a TIME (default 1m30s)") || !strings.Contains(text, "a SPAN\n") {
		t.Errorf("%s", text)
	}
	if err := Parse(New("test"), nil, &out, "", One("FILE")); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), "FILE is missing") {
		t.Errorf("%v", err)
	}
}

func TestStatus(t *testing.T) {
	for _, test := range []struct {
		err    error
		status int
		text   string
	}{
		{nil, 0, ""},
		{flag.ErrHelp, 0, ""},
		{Usage("-x %d", 3), 2, "p: -x 3\n"},
		{errors.Join(errors.New("one"), errors.New("two")), 1, "p: one two\n"},
		{ErrTold, 2, ""},
		{errors.Join(Usage("one"), Usage("two")), 2, "p: one two\n"},
		{Usage("one: %v", Usage("two")), 2, "p: one: two\n"},
		{context.Canceled, 130, "p: interrupted"},
	} {
		var out bytes.Buffer
		if status := Status(&out, "p", test.err); status != test.status || !strings.HasPrefix(out.String(), test.text) || test.text == "" && out.Len() > 0 {
			t.Errorf("%v: %d, %q", test.err, status, &out)
		}
	}
}

func TestGiven(t *testing.T) {
	fs := New("test")
	fs.Int("a", 1, "")
	fs.Int("b", 1, "")
	if err := fs.Parse([]string{"-a", "1"}); err != nil {
		t.Fatal(err)
	}
	if given := Given(fs); !given["a"] || given["b"] {
		t.Errorf("%v", given)
	}
}

// What is there may be written over if it is of the kind that is written, or nothing.
func TestCheckReplaced(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"same": "MAGIC and more", "bare": "MAGIC", "empty": "", "short": "MAG", "other": "{}, other"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, refused := range map[string]bool{"same": false, "bare": false, "empty": false, "none": false, os.DevNull: false, "": false, "short": true, "other": true} {
		if err := CheckReplaced(name, "MAGIC"); (err != nil) != refused || refused && (!errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), name+" exists")) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestCheckFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Link("a", "link"), os.Mkdir("dir", 0o777)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ read, written, want string }{
		{"a b none", "x y", ""},
		{"a", "b", ""},
		{"a b a", "x", "a is given twice: its games"},
		{"a link", "x", "link is given twice"},
		{"a", "x ./x", "would be written twice"},
		{"a", "none/x", "directory none does not exist"},
		{"a dir", "x dir/x", ""},
		{"a", "x dir", "dir is a directory"},
		{"a b", "x link", "writing link would overwrite a"},
	} {
		err := CheckFiles(strings.Fields(test.read), strings.Fields(test.written))
		if test.want == "" && err != nil || test.want != "" && (!errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%q, %q: %v, want %q", test.read, test.written, err, test.want)
		}
	}
}

// What people read about -rule names the rules that there are.
func TestTheRulesAreTold(t *testing.T) {
	want := new(Board).setRule("none").Error()
	for _, r := range board.NamedRules() {
		if told := fmt.Sprintf("%d %s", r, r.FileName()); !strings.Contains(ruleUsage, told) {
			t.Errorf("%q is not in %q", told, ruleUsage)
		}
		if !strings.Contains(want, strconv.Itoa(int(r))) || !strings.Contains(want, r.FileName()) {
			t.Errorf("rule %d is not in %q", r, want)
		}
	}
}
