package record

import (
	"strings"
	"testing"
)

// A file with a fault is read with a word about it or refused, and none is another game in silence.
func TestFaultsAreNamed(t *testing.T) {
	const psq = "Piskvorky 15x15, 11:11, 0"
	for _, tt := range []struct{ in, moves, says string }{ // without moves the file is refused
		{"Ann\nBob\n7,\n7,1000\n8,6,5\n0\n", "", "neither"},
		{psq + "8,8,0\n9,7,0\n-1\n", "", "more than a header"},
		{psq + "*8,8,0\n9,7,0\n-1\n", "", "more than a header"},
		{psq, "", "neither moves nor an end"},
		{"Piskvorky 15x1", "", "bad header"},
		{psq + "\n8,8,0\n9,7,0J8,7,0\n-1\n", "", "line 3"},
		{psq + "\n8,8,09,7,0\n8,7,0\n-1\n", "", "line 2"},
		{psq + "\n8,8,0\nx,7,0\n8,7,0\n-1\n", "h8", "line 3, no move"},
		{psq + "\n8,8,0\n,7,0\nA\nB\n-1\n", "h8", "line 3, no move"},
		{"Cup=[A,B,+,,?,?,]\n", "", "there is no move"},
		{"Cup=[A,B,+,8899,?,?,]\nCup}[C,D,+,8899,?,?,]\n", "h8i7", "a line that is no game"},
		{"(;GM[4]SZ[15];B[hh];W[ig];BB[h9])", "", "seems to hold a move"},
		{"(;GM[4]SZ[15];B[hh];W[ig];R[HG])", "", "seems to hold a move"},
		{"(;GM[4]SZ[15]LG[en];B[hh])", "h8", "LG[en] is not known"},
		{"(;GM[4]SZ[15];B[hh]XEV[good;W[ig]XEV[bad])", "h8i7", "the bracket of XEV[good] is missing"},
		{"(;C[first];GM[4]SZ[13];B[gg])", "g7", ""},
		{"(;GM[4]SZ[15];B[hh];SZ[13]W[ig])", "h8i7", "SZ[13] behind the first node"},
		{"(;GM[4]SZ[15]5A[jg];B[hh];W[ig])", "h8i7", "says the rule: renju"},
		{"(;GM[4]SZ[15]AB[ii:hh]AW[ab:aa][aa])", "h8a2i8a1h9passi9", ""},
		{"https://renju-note.com/#g:h8i9,8i7", "", "no part of a link"},
		{"https://example.org/game/a1b2c3", "a15b14c13", "is taken for moves"},
		{"https://example.org/?game=h8i9&size=19#/", "h12i11", "are taken from"},
		{"https://www.renjuportal.com/board?mvs=77[88", "", "no digits"},
		{"https://boards.example/#7,7,8,6", "h8i7", "rows from the top"},
		{"https://gomocalc.com/#/h8i9 h10", "h8i7", "beside the link"},
		{"https://lfz084.github.io/renjueditor/renjueditor.html#H8I9&", "", "cut off"},
		{"[Site \"PlayOK\"]\n[GameType \"Gomoku\"]\n\n1. 8 i9 2. h9 white", "", "8"},
	} {
		trees, err := Read([]byte(tt.in), Reading{})
		got, said := "", ""
		if err != nil {
			said = err.Error()
		} else if g, err := trees[0].Game(); err != nil {
			t.Errorf("%q: %v", tt.in, err)
		} else {
			got, said = FormatMoves(g.Moves), strings.Join(trees[0].Remarks, "; ")
		}
		if got != tt.moves || !strings.Contains(said, tt.says) || tt.says == "" && said != "" {
			t.Errorf("%q: %s, says %q; want %s, %q", tt.in, got, said, tt.moves, tt.says)
		}
	}
}

// The lines of a list tell together what each of them means.
func TestLinesOfAList(t *testing.T) {
	for _, tt := range []struct{ in, games, says string }{
		{"0,0, 1,-1\n0,0, 1,1, 2,2\n", "h8i7 h8i9j10", "from the center"},
		{"0,0, 1,1\n-8,0, -7,1, -8,1\n", "k11l12 c11d12c12", "20x20"},
		{"0,0, 1,1\n0,1, 1,2\n", "a1b2 a2b3", "from 0"},
		{"h8i9\nq3o5\n", "h8i9 q3o5", "20x20"},
		{"h8i9\nh16\nz3", "", "line 2"},
		{"h8i9\nh8h8\n", "", "on a stone"},
		{"q3o5\n", "", "15x15"},
		{"h8\nh8\ni9\n", "h8 h8 i9", ""},
		{"h8\ni9h9\n", "h8 i9h9", ""},
		{"HhIi\n", "", "neither"},
		{"hhiihigggi\n", "h8i9h9g7g9", "as in SGF"},
		{"Here is what I mean with the attack a1b2c3d4e5f6g7h8-1234", "a1b2c3d4e5f6g7h8", "in prose"},
		{"Here is a test of the search, createBoard(\"H8 I9 G7 I7 G8, I6 I8-J8\"), which wins for Black", "h8i9g7i7g8i6i8j8", "in prose"},
		{"Here is what I mean with the attack a1b2c3d4e5f6g7a1", "", "neither"},
		{"h8i9h9g8i7g7j7f7 and\nh8i9h9x8\n", "", "bad move"},
		{"Move 1: black (7, 7)\nMove 2: white (8, 6)\nMove 3: black (7, 6)\n", "h8i7h7", "from 0"},
		{"1: 7, 7\n2: 8, 6\n3: 7, 6\n\n1: 7, 7\n2: 6, 6\n3: 0, 0\n", "h8i7h7 h8g7a1", "from 0"},
		{"1: 7, 7\n2: 8, 6\n4: 7, 6\n", "", "not pairs"},
		{"1: 7, 7\n2: 8, 6\n3: 7, 7\n", "", "on a stone"},
		{"See the game at https://boards.example/play, which is on gomocalc.com/#/h8i9h9g8i7g7j7f7 too, they say", "h8i7h7g8i9g9j9f9", "in prose"},
	} {
		trees, err := Read([]byte(tt.in), Reading{})
		got, said := "", ""
		if err != nil {
			said = err.Error()
		}
		for _, tree := range trees {
			g, err := tree.Game()
			if err != nil {
				t.Fatal(err)
			}
			got += " " + FormatMoves(g.Moves)
			said = strings.Join(tree.Remarks, "; ")
		}
		if strings.TrimSpace(got) != tt.games || !strings.Contains(said, tt.says) || tt.says == "" && said != "" {
			t.Errorf("%q: %s, says %q; want %s, %q", tt.in, got, said, tt.games, tt.says)
		}
	}
}
