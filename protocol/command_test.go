package protocol

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/protocol/wire"
)

func TestParseOfTheDialect(t *testing.T) {
	tests := []struct {
		line, name, args string
		numbers          []int
		inline           string
	}{
		{"YXSHOWINFO", "YXSHOWINFO", "", nil, ""},
		{"YXSHOWFORBID", "YXSHOWFORBID", "", nil, ""},
		{"YXHASHCLEAR now", "YXHASHCLEAR", "now", nil, ""},
		{"YXBALANCETWO", "YXBALANCETWO", "", nil, ""},
		{"YXBALANCETWO -50", "YXBALANCETWO", "-50", []int{-50}, ""},
		{"yxforbid add 7 7 0", "YXFORBID", "add 7 7 0", nil, ""},
		{"yxblock 7,7 DONE", "YXBLOCK", "7,7 DONE", nil, "7,7 DONE"},
		{"yxnbest 5", "YXNBEST", "5", []int{5}, ""},
		{"yxquerydatabaseallt", "YXQUERYDATABASEALLT", "", nil, ""},
	}
	for _, test := range tests {
		got := parse(test.line)
		if got.ext != dialect[test.name] || got.Name != test.name || got.Args != test.args || !slices.Equal(got.Numbers, test.numbers) || got.Inline != test.inline || !got.Yixin {
			t.Errorf("%q: got %+v", test.line, got)
		}
	}
	for _, line := range []string{"yxnobodyknows 1,2"} {
		if got := parse(line); got.ext != nil || !got.Yixin {
			t.Errorf("%q: got %+v, want a command of the dialect", line, got)
		}
	}
}

func TestParseNamesBadArgumentsOfTheDialect(t *testing.T) {
	for _, line := range []string{"YXNBEST", "YXNBEST 0", "YXNBEST -1", "YXNBEST x", "YXNBEST 1 2", "YXBALANCEONE x"} {
		c := parse(line)
		word, _, _ := strings.Cut(line, " ")
		if c.Verb != wire.Bad || !strings.HasPrefix(c.Text, word) {
			t.Errorf("%q: got %+v, want Bad with a reason that begins with the word", line, c)
		}
	}
}

func TestStonesAreRead(t *testing.T) {
	tests := []struct {
		line  string
		owner bool
		want  brain.Stone
		ok    bool
	}{
		{"7,8,1", true, brain.Stone{Move: board.At(7, 8), Owner: brain.Own}, true},
		{" 7 ,\t8 , 3 ", true, brain.Stone{Move: board.At(7, 8), Owner: brain.Blocked}, true},
		{"14,14,2", true, brain.Stone{Move: board.At(14, 14), Owner: brain.Opponent}, true},
		{"15,3,2", true, brain.Stone{}, false},
		{"3,-1,2", true, brain.Stone{}, false},
		{"7,8", true, brain.Stone{}, false},
		{"7,8,0", true, brain.Stone{}, false},
		{"7,8,4", true, brain.Stone{}, false},
		{"7,8,1,1", true, brain.Stone{}, false},
		{"7;8;1", true, brain.Stone{}, false},
		{"", true, brain.Stone{}, false},
		{"7,8", false, brain.Stone{Move: board.At(7, 8)}, true},
		{"7,8,1", false, brain.Stone{Move: board.At(7, 8)}, true},
		{"7", false, brain.Stone{}, false},
		{"x,y", false, brain.Stone{}, false},
	}
	for _, test := range tests {
		got, reason := view{width: 15, height: 15}.stone(test.line, test.owner)
		if got != test.want || (reason == "") != test.ok {
			t.Errorf("%q: got %+v and reason %q, want %+v", test.line, got, reason, test.want)
		}
	}
}

func FuzzParseOfTheDialect(f *testing.F) {
	for _, line := range []string{
		"START 15", "RECTSTART 20,15", "TURN 7,7", "INFO rule 4", "YXNBEST 3", "BOARD", "7,7,1", "\x00\xff", "INFO  folder  a b ",
	} {
		f.Add(line)
	}
	v := view{width: 20, height: 20}
	f.Fuzz(func(t *testing.T, line string) {
		c := parse(line)
		if c.Verb == wire.Bad && (c.Text == "" || wire.Printable(c.Text) != c.Text) {
			t.Errorf("the reason %q is not one printable line", c.Text)
		}
		if c.Name == "YXNBEST" && (len(c.Numbers) != 1 || c.Numbers[0] < 1) {
			t.Errorf("%v lines", c.Numbers)
		}
		if again := parse(" \t" + line + "\r\n"); !reflect.DeepEqual(again, c) {
			t.Errorf("blanks around change %+v to %+v", c, again)
		}
		// A parsed command can be written and parsed again.
		if stone, reason := v.stone(line, true); reason == "" {
			written := fmt.Sprintf("%s,%d", wire.MoveText(stone.Move), stone.Owner)
			if again, reason := v.stone(written, true); reason != "" || again != stone {
				t.Errorf("%s reads as %v, %s", written, again, reason)
			}
		} else if wire.Printable(reason) != reason {
			t.Errorf("the reason %q is not one printable line", reason)
		}
	})
}
