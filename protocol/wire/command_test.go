package wire

import (
	"reflect"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct {
		line string
		want Command
	}{
		{"", Command{}},
		{" \t\r\n", Command{}},
		{"START 15", Command{Name: "START", Verb: Start, Width: 15, Height: 15}},
		{" start\t15 \r\n", Command{Name: "START", Verb: Start, Width: 15, Height: 15}},
		{"START 20 15", Command{Name: "START", Verb: Start, Width: 20, Height: 15}},
		{"START -3", Command{Name: "START", Verb: Start, Width: -3, Height: -3}},
		{"RECTSTART 20 , 15", Command{Name: "RECTSTART", Verb: Start, Width: 20, Height: 15}},
		{"RESTART", Command{Name: "RESTART", Verb: Restart}},
		{"BEGIN", Command{Name: "BEGIN", Verb: Begin}},
		{"TURN 7,8", Command{Name: "TURN", Verb: Turn, X: 7, Y: 8}},
		{"TURN  7 ,\t-8 ", Command{Name: "TURN", Verb: Turn, X: 7, Y: -8}},
		{"TAKEBACK 0,19", Command{Name: "TAKEBACK", Verb: TakeBack, Y: 19}},
		{"PLAY 1,2", Command{Name: "PLAY", Verb: Play, X: 1, Y: 2}},
		{"Board", Command{Name: "BOARD", Verb: SetBoard}},
		{"yxboard 1,1", Command{Name: "YXBOARD", Verb: Unknown, Text: "yxboard", Args: "1,1"}},
		{"SWAP2BOARD", Command{Name: "SWAP2BOARD", Verb: Swap2}},
		{"INFO", Command{Name: "INFO", Verb: Info}},
		{"info TIMEOUT_TURN  200 ", Command{Name: "INFO", Verb: Info, Key: "timeout_turn", Value: "200"}},
		{"INFO folder C:\\A b\\c", Command{Name: "INFO", Verb: Info, Key: "folder", Value: "C:\\A b\\c"}},
		{"ABOUT", Command{Name: "ABOUT", Verb: About}},
		{"STOP", Command{Name: "STOP", Verb: Stop}},
		{"YXSTOP", Command{Name: "YXSTOP", Verb: Stop}},
		{"end", Command{Name: "END", Verb: End}},
		{"YXNOBODYKNOWS 1,2", Command{Verb: Unknown, Text: "YXNOBODYKNOWS", Name: "YXNOBODYKNOWS", Args: "1,2"}},
		{"BOARD 7,7,1 8,8,2 DONE", Command{Name: "BOARD", Verb: SetBoard, Inline: "7,7,1 8,8,2 DONE"}},
		{"INFORMATION x", Command{Verb: Unknown, Text: "INFORMATION", Name: "INFORMATION", Args: "x"}},
		{"\u017fTOP", Command{Verb: Unknown, Text: "\u017fTOP", Name: "\u017fTOP"}}, // a letter that Unicode upper-cases to S
	}
	for _, test := range tests {
		if got := Parse(test.line); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q: got %+v, want %+v", test.line, got, test.want)
		}
	}
}

func TestParseNamesBadArguments(t *testing.T) {
	for _, line := range []string{
		"START", "START x", "START 1 2 3", "START 15,15", "RECTSTART", "RECTSTART 5", "RECTSTART 5,", "RECTSTART 1,2,3",
		"TURN", "TURN 7", "TURN 7 7", "TURN a,b", "TURN 7,7,7", "TURN 7,99999999999999999999",
		"TAKEBACK 7", "PLAY",
	} {
		c := Parse(line)
		word, _, _ := strings.Cut(line, " ")
		if c.Verb != Bad || !strings.HasPrefix(c.Text, word) {
			t.Errorf("%q: got %+v, want Bad with a reason that begins with the word", line, c)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, line := range []string{
		"START 15", "RECTSTART 20,15", "TURN 7,7", "INFO rule 4", "YXNBEST 3", "BOARD", "7,7,1", "\x00\xff", "INFO  folder  a b ",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		c := Parse(line)
		if c.Verb == Bad && (c.Text == "" || Printable(c.Text) != c.Text) {
			t.Errorf("the reason %q is not one printable line", c.Text)
		}
		if again := Parse(" \t" + line + "\r\n"); !reflect.DeepEqual(again, c) {
			t.Errorf("blanks around change %+v to %+v", c, again)
		}
	})
}
