package protocol

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"tengen/brain"
	"tengen/brain/board"
)

func TestParse(t *testing.T) {
	tests := []struct {
		line string
		want command
	}{
		{"", command{}},
		{" \t\r\n", command{}},
		{"START 15", command{Verb: verbStart, Width: 15, Height: 15}},
		{" start\t15 \r\n", command{Verb: verbStart, Width: 15, Height: 15}},
		{"START 20 15", command{Verb: verbStart, Width: 20, Height: 15}},
		{"START -3", command{Verb: verbStart, Width: -3, Height: -3}},
		{"RECTSTART 20 , 15", command{Verb: verbStart, Width: 20, Height: 15}},
		{"RESTART", command{Verb: verbRestart}},
		{"BEGIN", command{Verb: verbBegin}},
		{"TURN 7,8", command{Verb: verbTurn, X: 7, Y: 8}},
		{"TURN  7 ,\t-8 ", command{Verb: verbTurn, X: 7, Y: -8}},
		{"TAKEBACK 0,19", command{Verb: verbTakeBack, Y: 19}},
		{"PLAY 1,2", command{Verb: verbPlay, X: 1, Y: 2}},
		{"Board", command{Verb: verbSetBoard}},
		{"yxboard", command{Verb: verbShowBoard, Yixin: true}},
		{"SWAP2BOARD", command{Verb: verbSwap2}},
		{"INFO", command{Verb: verbInfo}},
		{"info TIMEOUT_TURN  200 ", command{Verb: verbInfo, Key: "timeout_turn", Value: "200"}},
		{"INFO folder C:\\A b\\c", command{Verb: verbInfo, Key: "folder", Value: "C:\\A b\\c"}},
		{"ABOUT", command{Verb: verbAbout}},
		{"STOP", command{Verb: verbStop}},
		{"YXSTOP", command{Verb: verbStop}},
		{"end", command{Verb: verbEnd}},
		{"YXSHOWINFO", command{Verb: verbExtension, Name: "YXSHOWINFO", Yixin: true}},
		{"YXSHOWFORBID", command{Verb: verbExtension, Name: "YXSHOWFORBID", Yixin: true}},
		{"YXHASHCLEAR now", command{Verb: verbExtension, Name: "YXHASHCLEAR", Args: "now", Yixin: true}},
		{"YXBALANCETWO", command{Verb: verbExtension, Name: "YXBALANCETWO", Yixin: true}},
		{"YXBALANCETWO -50", command{Verb: verbExtension, Name: "YXBALANCETWO", Args: "-50", Numbers: []int{-50}, Yixin: true}},
		{"yxforbid add 7 7 0", command{Verb: verbExtension, Name: "YXFORBID", Args: "add 7 7 0", Yixin: true}},
		{"YXNOBODYKNOWS 1,2", command{Verb: verbUnknown, Text: "YXNOBODYKNOWS", Yixin: true}},
		{"BOARD 7,7,1 8,8,2 DONE", command{Verb: verbSetBoard, Inline: "7,7,1 8,8,2 DONE"}},
		{"yxblock 7,7 DONE", command{Verb: verbExtension, Name: "YXBLOCK", Args: "7,7 DONE", Inline: "7,7 DONE", Yixin: true}},
		{"yxnbest 5", command{Verb: verbExtension, Name: "YXNBEST", Args: "5", Numbers: []int{5}, Yixin: true}},
		{"yxquerydatabaseallt", command{Verb: verbExtension, Name: "YXQUERYDATABASEALLT", Yixin: true}},
		{"INFORMATION x", command{Verb: verbUnknown, Text: "INFORMATION"}},
		{"\u017fTOP", command{Verb: verbUnknown, Text: "\u017fTOP"}}, // a letter that Unicode upper-cases to S
	}
	for _, test := range tests {
		if got := parse(test.line); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q: got %+v, want %+v", test.line, got, test.want)
		}
	}
}

func TestParseNamesBadArguments(t *testing.T) {
	for _, line := range []string{
		"START", "START x", "START 1 2 3", "START 15,15", "RECTSTART", "RECTSTART 5", "RECTSTART 5,", "RECTSTART 1,2,3",
		"TURN", "TURN 7", "TURN 7 7", "TURN a,b", "TURN 7,7,7", "TURN 7,99999999999999999999",
		"TAKEBACK 7", "PLAY", "YXNBEST", "YXNBEST 0", "YXNBEST -1", "YXNBEST x", "YXNBEST 1 2", "YXBALANCEONE x",
	} {
		c := parse(line)
		word, _, _ := strings.Cut(line, " ")
		if c.Verb != verbBad || !strings.HasPrefix(c.Text, word) {
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

func FuzzParse(f *testing.F) {
	for _, line := range []string{
		"START 15", "RECTSTART 20,15", "TURN 7,7", "INFO rule 4", "YXNBEST 3", "BOARD", "7,7,1", "\x00\xff", "INFO  folder  a b ",
	} {
		f.Add(line)
	}
	v := view{width: 20, height: 20}
	f.Fuzz(func(t *testing.T, line string) {
		c := parse(line)
		if c.Verb == verbBad && (c.Text == "" || plain(c.Text) != c.Text) {
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
			written := fmt.Sprintf("%s,%d", moveLine(stone.Move), stone.Owner)
			if again, reason := v.stone(written, true); reason != "" || again != stone {
				t.Errorf("%s reads as %v, %s", written, again, reason)
			}
		} else if plain(reason) != reason {
			t.Errorf("the reason %q is not one printable line", reason)
		}
	})
}
