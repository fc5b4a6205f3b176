package board

// Golden is 2^64 over the golden ratio: its multiples differ in many bits. Mix(n*Golden) for
// n = 1, 2, ... are the random numbers of splitmix64 with the seed 0.
const Golden = 0x9e3779b97f4a7c15

// Mix returns a number in which every bit depends on every bit of z: the last step of
// splitmix64. It is one to one.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// zobrist gives the hash of color c on cell m, from a fixed sequence that has a part for each
// color. Walls have the part of Empty, except its first number, which is zobristSide; the part of
// Wall is for the sizes of boards, and one more part is for the rules.
func zobrist(c Color, m Move) uint64 {
	if c == Wall {
		c = Empty
	}
	return sequence(c, m)
}

// zobristEmpty gives the hash of the empty board of a rule and a size, black to move.
func zobristEmpty(r Rule, width, height int) uint64 {
	return sequence(Wall+1, Move(r)) ^ sequence(Wall, Move(width*Stride+height))
}

func sequence(c Color, m Move) uint64 { return Mix((uint64(c)*Cells + uint64(m) + 1) * Golden) }

var zobristSide = sequence(Empty, None)

var zobristKeys = func() (keys [2][Cells]uint64) {
	for c := range keys {
		for m := range keys[c] {
			keys[c][m] = zobrist(Color(c), Move(m))
		}
	}
	return keys
}()
