package brain

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"tengen/brain/board"
)

// The positions of Gomocup's acceptance tool, in which there is one right answer, or one
// wrong one.
func TestGomocupAcceptance(t *testing.T) {
	tests := []struct {
		name, rule string
		size       int
		stones     string // x,y,owner
		want       string // x,y; with an exclamation mark any legal move but this
	}{
		{"an open four", "0", 15, "7,7,1 7,8,2 8,7,1 8,8,2 9,7,1 9,8,2 10,7,1 10,8,2", "6,7 11,7"},
		{"an open four", "0", 20, "7,7,1 7,8,2 8,7,1 8,8,2 9,7,1 9,8,2 10,7,1 10,8,2", "6,7 11,7"},
		{"an open four", "1", 15, "7,7,1 7,8,2 8,7,1 8,8,2 9,7,1 9,8,2 10,7,1 10,8,2", "6,7 11,7"},
		{"an open four", "4", 15, "7,7,1 7,8,2 8,7,1 8,8,2 9,7,1 9,8,2 10,7,1 10,8,2", "6,7 11,7"},
		{"an open four", "8", 15, "7,7,1 7,8,2 8,7,1 8,8,2 9,7,1 9,8,2 10,7,1 10,8,2", "6,7 11,7"},
		{"a six is no five", "1", 15, "7,7,2 7,8,1 8,7,2 7,9,1 6,7,2 7,10,1 9,12,2 7,11,1 6,13,2 7,13,1 8,14,2", "5,7 9,7"},
		{"a forbidden point", "4", 15, "7,7,1 7,8,2 8,6,1 8,8,2 7,9,1 8,5,2 8,10,1 8,11,2", "!6,8"},
		{"a capped five", "8", 15, "7,7,1 5,7,2 6,7,1 5,8,2 8,7,1 5,6,2 9,7,1 11,7,2", "5,4 5,5 5,9 5,10"},
		{"a capped five", "9", 15, "7,7,1 5,7,2 6,7,1 5,8,2 8,7,1 5,6,2 9,7,1 11,7,2", "5,4 5,5 5,9 5,10"},
	}
	for _, test := range tests {
		e := newGame(t, test.size, test.size, "rule", test.rule, "max_node", "3000")
		var stones []Stone
		for _, text := range strings.Fields(test.stones) {
			f := strings.Split(text, ",")
			x, y := number(t, f[0]), number(t, f[1])
			stones = append(stones, Stone{Move: board.At(x, y), Owner: Owner(number(t, f[2]))})
		}
		if err := e.Setup(stones); err != nil {
			t.Fatal(err)
		}
		legal := e.board.Clone()
		m := think(t, e).Move
		answer := cellText(m)
		if not, ok := strings.CutPrefix(test.want, "!"); ok {
			if answer == not || !legal.Legal(m) {
				t.Errorf("%s, rule %s: %s", test.name, test.rule, answer)
			}
		} else if !slices.Contains(strings.Fields(test.want), answer) {
			t.Errorf("%s, rule %s: %s, want %s", test.name, test.rule, answer, test.want)
		}
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
