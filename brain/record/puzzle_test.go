package record

import (
	"reflect"
	"strings"
	"testing"

	"tengen/brain/board"
)

func TestAPuzzleIsRead(t *testing.T) {
	all, err := ReadPuzzles(strings.NewReader("\ufeff# a comment\r\n\r\n 4 15 h8i9h9h7\tvcf 17 j8 \r\n" +
		"9 20 h8 vct none overline-or-cap\n0 15 - vct refuted h8i9\n0 15 h8i9 vct 9 j8 3"))
	if err != nil {
		t.Fatal(err)
	}
	h8, i9, h9, h7 := board.At(7, 7), board.At(8, 8), board.At(7, 8), board.At(7, 6)
	want := []Puzzle{
		{Rule: board.Renju, Size: 15, Moves: []board.Move{h8, i9, h9, h7}, Fours: true, Plies: 17, First: board.At(9, 7), Line: 3},
		{Rule: board.Caro | board.ExactFive, Size: 20, Moves: []board.Move{h8}, Trap: "overline-or-cap", Line: 4},
		{Size: 15, Trap: Refuted, First: h8, Reply: i9, Line: 5},
		{Size: 15, Moves: []board.Move{h8, i9}, Plies: 9, Level: 3, First: board.At(9, 7), Line: 6},
	}
	if !reflect.DeepEqual(all, want) {
		t.Errorf("%+v, want %+v", all, want)
	}
}

func TestABadPuzzleIsRefusedWithItsLine(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"too few fields", "0 15 h8i9 vcf 9", "5 fields"},
		{"too many fields", "0 15 h8i9 vcf 9 j8 1 2", "8 fields"},
		{"no level", "0 15 h8i9 vcf 9 j8 j9", "level"},
		{"level 0", "0 15 h8i9 vcf 9 j8 0", "level"},
		{"level 10", "0 15 h8i9 vcf 9 j8 10", "level"},
		{"a level of no win", "0 15 h8i9 vcf none cap 1", "level"},
		{"a level of what is refuted", "0 15 h8i9 vct refuted h9h10 1", "level"},
		{"a rule there is not", "12 15 h8i9 vcf 9 j8", "rule"},
		{"a board too large", "0 23 h8i9 vcf 9 j8", "size"},
		{"a stone twice", "0 15 h8h8 vcf 9 j8", "taken"},
		{"a kind there is not", "0 15 h8i9 vcd 9 j8", "kind"},
		{"an even number of plies", "0 15 h8i9 vcf 10 j8", "plies"},
		{"no plies", "0 15 h8i9 vcf 0 j8", "plies"},
		{"an answer in another word", "0 15 h8i9 vcf some j8", "plies"},
		{"a trap there is not", "0 15 h8i9 vcf none j8", "trap"},
		{"a trap of a win", "0 15 h8i9 vcf 9 cap", "mark"},
		{"no first move", "0 15 h8i9 vcf 9 -", "mark"},
		{"two first moves", "0 15 h8i9 vcf 9 j8j9", "moves: 2, want 1"},
		{"no reply", "0 15 h8i9 vct refuted j8", "moves: 1, want 2"},
		{"a first move on a stone", "0 15 h8i9 vcf 9 h8", "h8"},
		{"a reply on the first move", "0 15 h8i9 vct refuted j8j8", "j8"},
		{"a forbidden first move", "4 15 g8a1i8a3h7a5h9a7 vct 9 h8", "forbidden"},
	} {
		all, err := ReadPuzzles(strings.NewReader("# first\n" + tt.line + "\n"))
		if err == nil || !strings.Contains(err.Error(), "line 2: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, error %v; want line 2 and %q", tt.name, all, err, tt.want)
		}
	}
}
