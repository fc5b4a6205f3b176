package opening

import "tengen/brain/board"

// A Named is one of the 26 openings of renju: three stones about the middle of the board,
// the same opening in all eight symmetries.
type Named struct {
	Code  string // 1D to 13D for the direct openings, 1I to 13I for the indirect
	Name  string
	Kanji string

	// The second and third stones: columns to the right of and rows above the first.
	second, third [2]int
}

// named lists the openings as the field numbers them: the second stone above the first in
// the direct ones, above and right of it in the indirect ones, the third stone row by row
// from the top.
//
//	direct        indirect
//	. . @ 2 3     . . . . 1
//	. . O 4 5     . . . O 2
//	. . X 6 7     . . X 6 3
//	. . 8 9 10    . 11 9 7 4
//	. . 11 12 13  13 12 10 8 5
//
// X is the first stone, O the second, @ the third of 1D.
//
// Source: the opening patterns of the Renju International Federation.
var named = [...]Named{
	{"1D", "Kansei", "寒星", [2]int{0, 1}, [2]int{0, 2}},
	{"2D", "Keigetsu", "溪月", [2]int{0, 1}, [2]int{1, 2}},
	{"3D", "Sosei", "疎星", [2]int{0, 1}, [2]int{2, 2}},
	{"4D", "Kagetsu", "花月", [2]int{0, 1}, [2]int{1, 1}},
	{"5D", "Zangetsu", "残月", [2]int{0, 1}, [2]int{2, 1}},
	{"6D", "Ugetsu", "雨月", [2]int{0, 1}, [2]int{1, 0}},
	{"7D", "Kinsei", "金星", [2]int{0, 1}, [2]int{2, 0}},
	{"8D", "Shogetsu", "松月", [2]int{0, 1}, [2]int{0, -1}},
	{"9D", "Kyugetsu", "丘月", [2]int{0, 1}, [2]int{1, -1}},
	{"10D", "Shingetsu", "新月", [2]int{0, 1}, [2]int{2, -1}},
	{"11D", "Zuisei", "瑞星", [2]int{0, 1}, [2]int{0, -2}},
	{"12D", "Sangetsu", "山月", [2]int{0, 1}, [2]int{1, -2}},
	{"13D", "Yusei", "遊星", [2]int{0, 1}, [2]int{2, -2}},

	{"1I", "Chosei", "長星", [2]int{1, 1}, [2]int{2, 2}},
	{"2I", "Kyogetsu", "峡月", [2]int{1, 1}, [2]int{2, 1}},
	{"3I", "Kosei", "恒星", [2]int{1, 1}, [2]int{2, 0}},
	{"4I", "Suigetsu", "水月", [2]int{1, 1}, [2]int{2, -1}},
	{"5I", "Ryusei", "流星", [2]int{1, 1}, [2]int{2, -2}},
	{"6I", "Ungetsu", "雲月", [2]int{1, 1}, [2]int{1, 0}},
	{"7I", "Hogetsu", "浦月", [2]int{1, 1}, [2]int{1, -1}},
	{"8I", "Rangetsu", "嵐月", [2]int{1, 1}, [2]int{1, -2}},
	{"9I", "Gingetsu", "銀月", [2]int{1, 1}, [2]int{0, -1}},
	{"10I", "Myojo", "明星", [2]int{1, 1}, [2]int{0, -2}},
	{"11I", "Shagetsu", "斜月", [2]int{1, 1}, [2]int{-1, -1}},
	{"12I", "Meigetsu", "名月", [2]int{1, 1}, [2]int{-1, -2}},
	{"13I", "Suisei", "彗星", [2]int{1, 1}, [2]int{-2, -2}},
}

// Openings lists the 26 openings of renju, the direct ones first.
func Openings() []Named { return append([]Named(nil), named[:]...) }

// Stones returns the three stones on a board of the given size, the first in the middle. The
// sides have to be at least 5.
func (n Named) Stones(width, height int) [3]board.Move {
	return n.About(board.At(width/2, height/2), 0)
}

// About returns the three stones with the first on m, turned by the symmetry s, numbered as in
// board.Transform. The cells within two of m have to be on the board.
func (n Named) About(m board.Move, s int) [3]board.Move {
	at := func(o [2]int) board.Move {
		o = turn(o, s)
		return board.At(m.X()+o[0], m.Y()-o[1])
	}
	return [3]board.Move{m, at(n.second), at(n.third)}
}

// NameOf returns the opening that the first three stones make, wherever the first of them
// lies. False if they make none.
func NameOf(stones []board.Move) (Named, bool) {
	if len(stones) < 3 {
		return Named{}, false
	}
	offset := func(m board.Move) [2]int {
		return [2]int{m.X() - stones[0].X(), stones[0].Y() - m.Y()}
	}
	second, third := offset(stones[1]), offset(stones[2])
	for _, n := range named {
		for sym := range board.Symmetries {
			if turn(n.second, sym) == second && turn(n.third, sym) == third {
				return n, true
			}
		}
	}
	return Named{}, false
}

// turn maps an offset by the symmetry s, numbered as in board.Transform.
func turn(o [2]int, s int) [2]int {
	if s&1 != 0 {
		o[0] = -o[0]
	}
	if s&2 != 0 {
		o[1] = -o[1]
	}
	if s&4 != 0 {
		o[0], o[1] = o[1], o[0]
	}
	return o
}
